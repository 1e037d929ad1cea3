//! Solvers, and what they know without a search.

#![allow(unsafe_code, reason = "names are exported to C, which gives pointers")]

use std::ffi::c_char;
use std::num::NonZeroUsize;

use crate::board::Board;
use crate::failure::{Code, Failure, call};
use crate::options::Options;
use crate::pointers::{Buffer, In, Out};
use crate::registry::{self, Object};

/// Solves boards of one size with one goal, by certain tables. Any number of threads may use it at once.
pub struct Solver {
    pub(crate) inner: tilebase::Solver,
    pub(crate) threads: NonZeroUsize,
    /// Bytes of memory, if that was said.
    pub(crate) memory: Option<u64>,
}

impl Object for Solver {
    const NAME: &'static str = "solver";
}

impl Solver {
    /// A solver whose solutions are shortest.
    pub(crate) fn new(inner: tilebase::Solver, threads: NonZeroUsize, memory: Option<u64>) -> Result<Solver, Failure> {
        if !inner.is_admissible() {
            let text = format!(
                "{} may exceed the distance, so that no solution is known to be shortest: expected tables, or another heuristic",
                inner.name()
            );
            return Err(Failure::new(Code::BAD_TABLES, text));
        }
        Ok(Solver { inner, threads, memory })
    }
}

/// Opens a solver, to be freed by tilebase_solver_free(). options may be NULL: then it is for 4×4 boards, by the strongest tables that
/// are there. `*solver` is NULL unless TILEBASE_OK is returned.
///
/// It takes from a millisecond to about a second, and longer where large tables are read, or packed ones are unpacked.
///
/// Returns TILEBASE_BAD_SIZE, TILEBASE_BAD_GOAL, TILEBASE_BAD_TABLES, TILEBASE_BAD_TEXT or TILEBASE_BAD_ARGUMENT for options that
/// cannot be; TILEBASE_CANCELLED, TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solver_open(options: *const Options, solver: *mut *mut Solver) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (options, solver) = unsafe { (In::new(options, "options"), Out::new(solver, "solver")) };
    call(|| {
        let place = solver.place()?;
        place.write(std::ptr::null_mut());
        place.write(registry::insert(options.open()?)?);
        Ok(())
    })
}

/// Frees a solver. Calls that are using it end as they would have; then its memory is given back. NULL is left alone.
///
/// Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_solver_free(solver: *mut Solver) -> Code {
    call(|| registry::remove(solver))
}

/// Writes the name of the solver's tables, such as "6-6-3", with a zero at its end.
///
/// `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed,
/// the zero included; needed may be NULL.
///
/// Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solver_tables(
    solver: *const Solver,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let buffer = unsafe { Buffer::new(buffer, capacity, needed) };
    call(|| buffer.fill_text(registry::get(solver)?.inner.name()))
}

/// Says whether a board can be solved: TILEBASE_OK if so, TILEBASE_UNSOLVABLE if not, with the reason as the last error.
///
/// Returns TILEBASE_BAD_SIZE when the board is of another size than the solver's boards; TILEBASE_BAD_BOARD, TILEBASE_BAD_HANDLE,
/// TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_check(solver: *const Solver, board: *const Board) -> Code {
    // SAFETY: C promises what the header says of this pointer.
    let board = unsafe { In::new(board, "board") };
    call(|| Ok(registry::get(solver)?.inner.frame().check(&board.board()?)?))
}

/// The lower bound of a board: every solution has at least `*moves` moves. It takes microseconds, because nothing is searched.
///
/// Returns TILEBASE_UNSOLVABLE when there is no solution; TILEBASE_BAD_SIZE, TILEBASE_BAD_BOARD, TILEBASE_BAD_TABLES,
/// TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_bound(solver: *const Solver, board: *const Board, moves: *mut u32) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (board, moves) = unsafe { (In::new(board, "board"), Out::new(moves, "moves")) };
    call(|| {
        let (solver, place) = (registry::get(solver)?, moves.place()?);
        place.write(solver.inner.bound_of(&board.board()?)?);
        Ok(())
    })
}
