//! Why there is no table.

use std::fmt;
use std::io;

use tilebase_format::WriteError;
use tilebase_format::layout::{HISTOGRAM_LEN, UNREACHED_NIBBLE};
use tilebase_index::IndexError;
use tilebase_puzzle::Pattern;

/// A build that cannot be planned or did not finish.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The pattern has too many tiles.
    Index(IndexError),
    /// No kind of table was asked for, or kinds that no single search gives.
    Kinds,
    /// An entry exceeds its Manhattan distance by more than a nibble holds.
    Overflow {
        /// The pattern.
        pattern: Pattern,
        /// The excess.
        value: u32,
    },
    /// Some state costs more than the format's histogram can count.
    TooDeep {
        /// The pattern.
        pattern: Pattern,
    },
    /// Whoever watches it stopped it.
    Stopped,
    /// The system gave us no memory.
    Memory(io::Error),
    /// The system gave us no threads.
    Threads(rayon::ThreadPoolBuildError),
    /// The table cannot be written.
    Write(WriteError),
}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> BuildError {
        match error {
            WriteError::Stopped => BuildError::Stopped,
            other => BuildError::Write(other),
        }
    }
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> BuildError {
        BuildError::Write(WriteError::Io(error))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Index(error) => error.fmt(f),
            BuildError::Kinds => {
                write!(
                    f,
                    "expected kinds of tables that count the same moves, at least one: build the others on their own"
                )
            }
            BuildError::Overflow { pattern, value } => write!(
                f,
                "pattern {pattern} has no nibble table: an entry exceeds its Manhattan distance by {value}, and a nibble \
                 holds at most {}; build a bit table instead",
                2 * (UNREACHED_NIBBLE - 1)
            ),
            BuildError::TooDeep { pattern } => write!(
                f,
                "pattern {pattern} has states that cost {} moves or more, more than a table can hold: \
                 use smaller patterns",
                HISTOGRAM_LEN - 1
            ),
            BuildError::Stopped => write!(f, "the build was stopped"),
            BuildError::Memory(error) => write!(f, "cannot get the memory for the build: {error}"),
            BuildError::Threads(error) => write!(f, "cannot start the threads: {error}"),
            BuildError::Write(error) => write!(f, "cannot write the table: {error}"),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Index(error) => Some(error),
            BuildError::Memory(error) => Some(error),
            BuildError::Threads(error) => Some(error),
            BuildError::Write(error) => Some(error),
            BuildError::Kinds | BuildError::Overflow { .. } | BuildError::TooDeep { .. } | BuildError::Stopped => None,
        }
    }
}
