//! How a command ends.

use std::error::Error;
use std::path::Path;
use std::{fmt, io};

use tilebase::{PackedError, SolverError, TablesError};

/// What the exit code says; what weighs more comes later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything was done.
    Done,
    /// The answer is no: unsolvable, or a check failed.
    Negative,
    /// A limit was reached.
    Limit,
    /// Wrong usage, wrong input, or an input/output error.
    Error,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The number that the system sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Negative => 1,
            Exit::Error => 2,
            Exit::Limit => 3,
            Exit::Interrupted => 130,
        }
    }
}

/// What a command gives, or why it did not do what it was asked.
pub type Result<T = Exit, E = Failure> = std::result::Result<T, E>;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// How the command ends: `Done` when nobody reads our answers any more, which is no failure of ours.
    pub exit: Exit,
}

impl Failure {
    /// Something is wrong with what was given.
    pub fn new(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), exit: Exit::Error }
    }

    /// The same, ending with another code.
    pub(crate) fn with_exit(self, exit: Exit) -> Failure {
        Failure { exit, ..self }
    }

    /// The same, saying which file it is about.
    pub(crate) fn about(self, file: &Path) -> Failure {
        Failure { message: format!("{}: {}", file.display(), self.message), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: Error + 'static> From<E> for Failure {
    /// Input/output errors are those of standard output; others are given their file's name where they occur.
    fn from(error: E) -> Failure {
        let any: &dyn Error = &error;
        if let Some(error) = any.downcast_ref::<io::Error>() {
            let is_unheard = error.kind() == io::ErrorKind::BrokenPipe;
            let exit = if is_unheard { Exit::Done } else { Exit::Error };
            return Failure::new(format!("cannot write the answer: {error}")).with_exit(exit);
        }
        let packed = match any.downcast_ref() {
            Some(SolverError::Tables { error, .. }) => match &**error {
                TablesError::Packed(packed) => Some(packed),
                _ => None,
            },
            _ => any.downcast_ref(),
        };
        let exit = if packed.is_some_and(PackedError::is_damage) { Exit::Negative } else { Exit::Error };
        Failure::new(error).with_exit(exit)
    }
}
