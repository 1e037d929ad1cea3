//! What goes wrong: codes, the text of the last error, and the border that no panic crosses.

#![allow(unsafe_code, reason = "a name is exported to C")]

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_char;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tilebase::puzzle::FrameError;
use tilebase::{SolveError, SolverError, Step};

/// What a function returns. tilebase_last_error() has the reason in words for each but TILEBASE_OK.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(non_camel_case_types, reason = "the header has these names, with a prefix")]
pub enum Code {
    /// Done.
    OK = 0,
    /// The board cannot be solved: no sequence of moves leads from it to the goal.
    UNSOLVABLE = 1,
    /// A limit was reached before there was an answer.
    LIMIT = 2,
    /// It was cancelled, by tilebase_cancel() or by the progress function.
    CANCELLED = 3,
    /// A pointer is NULL that must not be.
    NULL_POINTER = 4,
    /// A handle is not that of a living object of its type: it has been freed, or never came from this library.
    BAD_HANDLE = 5,
    /// A text is not UTF-8.
    BAD_TEXT = 6,
    /// Something is not a board: a tile is missing, appears twice, or is not a tile.
    BAD_BOARD = 7,
    /// A size that boards cannot have, or a board of another size than those of the solver.
    BAD_SIZE = 8,
    /// Something is not a goal.
    BAD_GOAL = 9,
    /// Something is not a move, or no tile can slide that way.
    BAD_MOVE = 10,
    /// Another argument, or a member of a struct, is not what the function takes.
    BAD_ARGUMENT = 11,
    /// There are no tables of that name, or they are damaged, or cannot be read or built.
    BAD_TABLES = 12,
    /// The caller's buffer is too small. Nothing was written to it; `*needed` says how much is.
    SMALL_BUFFER = 13,
    /// A mistake in tilebase, or the system has no more threads.
    INTERNAL = 14,
}

/// A call that does not return [`Code::OK`], and why.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(code: Code, text: impl Display) -> Failure {
        Failure { code, text: text.to_string() }
    }
}

impl From<FrameError> for Failure {
    fn from(error: FrameError) -> Failure {
        let code = match error {
            FrameError::Unsolvable(_) => Code::UNSOLVABLE,
            _ => Code::BAD_SIZE,
        };
        Failure::new(code, error)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Frame(error) => error.into(),
            SolveError::Damaged(_) | SolveError::NotPossible(_) => Failure::new(Code::BAD_TABLES, error),
            _ => Failure::new(Code::INTERNAL, error),
        }
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        let text = match &error {
            SolverError::NoTables(steps) => {
                let passed_over = steps.iter().filter_map(|step| match step {
                    Step::PassedOver(name, error) => Some(format!("{name}: {error}")),
                    _ => None,
                });
                let reasons: Vec<String> = passed_over.collect();
                format!("no tables can be used: mend or remove the damaged ones ({})", reasons.join("; "))
            }
            SolverError::NothingOnTheSpot => {
                "no tables for these boards can be built in a moment: set tables to \"none\"".to_owned()
            }
            other => other.to_string(),
        };
        Failure::new(Code::BAD_TABLES, text)
    }
}

/// How many bytes the text of an error has at most, the zero at its end included. It is cut where it is longer.
const LONGEST: usize = 2048;

thread_local! {
    /// The text of this thread's last error. It needs no destructor, so that a pointer to it is good as long as the thread lives.
    static LAST: Cell<[u8; LONGEST]> = const { Cell::new([0; LONGEST]) };
}

/// As many bytes of a text as there is room for, with a zero behind them. Zeros inside would hide what follows, so they are left out.
fn zero_terminated(text: &str) -> [u8; LONGEST] {
    let mut bytes = [0; LONGEST];
    let mut room = bytes[..LONGEST - 1].iter_mut();
    for letter in text.chars().filter(|&letter| letter != '\0') {
        let mut encoded = [0; 4];
        let encoded = letter.encode_utf8(&mut encoded).bytes();
        if encoded.len() > room.len() {
            break;
        }
        encoded.zip(&mut room).for_each(|(byte, place)| *place = byte);
    }
    bytes
}

/// Does what C asked for, and turns how it ended into a code and a text: also when it panics, which must not reach C.
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> Code {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(of_panic(panic)));
    match done {
        Ok(()) => Code::OK,
        Err(Failure { code, text }) => {
            LAST.set(zero_terminated(&text));
            code
        }
    }
}

fn of_panic(panic: Box<dyn Any + Send>) -> Failure {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
    let failure = Failure::new(Code::INTERNAL, format!("tilebase panicked, please report it: {words}"));
    // What was thrown may panic again when it is dropped.
    std::mem::forget(panic);
    failure
}

/// Why the last call on this thread that did not return TILEBASE_OK did not: what was expected, what was found, and what to do.
/// Empty when there was none; calls that return TILEBASE_OK leave it as it is.
///
/// It is UTF-8, never NULL, and not to be freed. The pointer is valid as long as the thread lives; the next failure on this thread
/// puts its own text there.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_last_error() -> *const c_char {
    LAST.with(|last| last.as_ptr().cast_const().cast())
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn last_error() -> String {
        // SAFETY: the text ends with a zero, and nobody changes it while it is copied.
        unsafe { CStr::from_ptr(tilebase_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_code_and_a_text_whatever_it_throws() {
        assert_eq!(call(|| panic!("no {}", "way")), Code::INTERNAL);
        assert_eq!(last_error(), "tilebase panicked, please report it: no way");
        assert_eq!(call(|| panic!("plain")), Code::INTERNAL);
        assert!(last_error().ends_with("plain"));
        assert_eq!(call(|| std::panic::panic_any(7)), Code::INTERNAL);
        assert!(last_error().ends_with("it does not say why"));
    }

    #[test]
    fn a_success_leaves_the_last_text_and_another_thread_has_its_own() {
        assert_eq!(call(|| Err(Failure::new(Code::LIMIT, "enough"))), Code::LIMIT);
        assert_eq!(call(|| Ok(())), Code::OK);
        assert_eq!(last_error(), "enough");
        std::thread::spawn(|| assert_eq!(last_error(), "")).join().unwrap();
        let before = tilebase_last_error();
        call(|| Err(Failure::new(Code::LIMIT, "more")));
        assert_eq!((tilebase_last_error(), last_error().as_str()), (before, "more"));
    }

    #[test]
    fn texts_of_any_length_end_with_a_zero_and_are_cut_between_letters() {
        for letter in ["a", "é", "←", "🂡"] {
            for count in (0..40).chain(LONGEST / letter.len() - 3..LONGEST / letter.len() + 3) {
                let text = letter.repeat(count);
                let bytes = zero_terminated(&text);
                let read = CStr::from_bytes_until_nul(&bytes).unwrap().to_str().unwrap();
                assert!(text.starts_with(read));
                assert!(read == text || LONGEST - 1 - read.len() < letter.len(), "{letter} {count}");
            }
        }
        assert_eq!(CStr::from_bytes_until_nul(&zero_terminated("a\0b")), Ok(c"ab"));
    }
}
