//! Why a lab did not come to its end.

use std::io;
use std::path::{Path, PathBuf};

use tilebase::TablesError;

/// Why a lab did not come to its end. What was searched before is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// Somebody asked it to stop.
    #[error("interrupted with {left} searches to go: the same command goes on from here")]
    Interrupted {
        /// Searches that are still to be made.
        left: usize,
    },
    /// A file that cannot be read or written, and why.
    #[error("{path}: {1}; choose another directory with --out", path = .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The catalogue whose tables cannot be opened or built, and why.
    #[error("the tables of {0} cannot be used: {1}")]
    Tables(&'static str, #[source] TablesError),
    /// A line of a file of results that is none, and its number.
    #[error("{path}, line {1}: it is no result of a board: mend or remove the line", path = .0.display())]
    Line(PathBuf, usize),
    /// A board whose shortest solution has been published with another length.
    #[error("board {id} has a solution of {found} moves, but {expected} have been published: something is wrong")]
    Length {
        /// The board's number.
        id: u32,
        /// Moves that have been published.
        expected: u32,
        /// Moves that were found.
        found: u32,
    },
    /// The key of a search that could not be made, and why.
    #[error("a search could not be made ({0}): {1}")]
    Search(String, #[source] Box<dyn std::error::Error + Send + Sync>),
}

impl LabError {
    /// For `map_err`: what happened to a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> LabError + use<> {
        let path = path.to_owned();
        move |error| LabError::File(path, error)
    }
}
