//! How a command ends.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use tilebase::{CatalogueError, DirectoryError, PackedError};

/// What the exit code says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
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
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Negative => 1,
            Exit::Error => 2,
            Exit::Limit => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    exit: Exit,
    broken_pipe: bool,
}

impl Failure {
    /// Something is wrong with what was given.
    pub(crate) fn new(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), exit: Exit::Error, broken_pipe: false }
    }

    /// The same, ending with another code.
    pub(crate) fn with_exit(self, exit: Exit) -> Failure {
        Failure { exit, ..self }
    }

    /// The same, saying which file it is about.
    pub(crate) fn about(self, file: &Path) -> Failure {
        Failure { message: format!("{}: {}", file.display(), self.message), ..self }
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether nobody reads our answers any more, which is no failure of ours.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Failure {
        Failure::new(error)
    }
}

impl From<DirectoryError> for Failure {
    fn from(error: DirectoryError) -> Failure {
        Failure::new(error)
    }
}

impl From<PackedError> for Failure {
    fn from(error: PackedError) -> Failure {
        let exit = if error.is_damage() { Exit::Negative } else { Exit::Error };
        Failure::new(error).with_exit(exit)
    }
}

impl From<io::Error> for Failure {
    /// Errors of standard output; others are given their file's name where they occur.
    fn from(error: io::Error) -> Failure {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Failure { broken_pipe, ..Failure::new(format!("cannot write the answer: {error}")) }
    }
}
