//! Why there is no table.

use std::io;

use tilebase_format::WriteError;
use tilebase_format::layout::{HISTOGRAM_LEN, UNREACHED_NIBBLE};
use tilebase_index::IndexError;
use tilebase_puzzle::Pattern;

use crate::peers::PeersGone;
use crate::scratch::KeptError;

/// A build that cannot be planned or did not finish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The pattern has too many tiles.
    #[error("{0}")]
    Index(#[from] IndexError),
    /// No kind of table was asked for, or kinds that no single search gives.
    #[error("expected kinds of tables that count the same moves, at least one: build the others on their own")]
    Kinds,
    /// An entry of a pattern exceeds its Manhattan distance by this much, which is more than a nibble holds.
    #[error(
        "pattern {0} has no nibble table: an entry exceeds its Manhattan distance by {1}, and a nibble holds at most {most}; \
         build a bit table instead",
        most = 2 * (UNREACHED_NIBBLE - 1)
    )]
    Overflow(Pattern, u32),
    /// Some state of a pattern costs more than the format's histogram can count.
    #[error(
        "pattern {0} has states that cost {most} moves or more, more than a table can hold: use smaller patterns",
        most = HISTOGRAM_LEN - 1
    )]
    TooDeep(Pattern),
    /// Whoever watches it stopped it.
    #[error("the build was stopped")]
    Stopped,
    /// The system gave us no memory.
    #[error("cannot get the memory for the build: {0}")]
    Memory(#[source] io::Error),
    /// What is kept of the build cannot be read, or is of another one, or there is no room for it.
    #[error("{0}")]
    Kept(#[from] KeptError),
    /// Another process of the build is gone.
    #[error("{0}: what it said last tells why")]
    Peers(#[from] PeersGone),
    /// Another process of the build has a reason not to go on.
    #[error("another process cannot go on: what it said last tells why")]
    Elsewhere,
    /// The table cannot be written.
    #[error("cannot write the table: {0}")]
    Write(#[source] WriteError),
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
