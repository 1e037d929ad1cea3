//! Why a lab did not come to its end.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a lab did not come to its end. What was searched before is kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabError {
    /// Somebody asked it to stop.
    Interrupted {
        /// Searches that are still to be made.
        left: usize,
    },
    /// A file cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Tables that cannot be opened or built.
    Tables {
        /// Of which catalogue.
        catalogue: String,
        /// Why.
        why: String,
    },
    /// A search that could not be made.
    Search {
        /// Which.
        key: String,
        /// Why.
        why: String,
    },
}

impl LabError {
    /// For `map_err`: what happened to a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> LabError + use<> {
        let path = path.to_owned();
        move |error| LabError::File { path, error }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Interrupted { left } => {
                write!(f, "interrupted with {left} searches to go: the same command goes on from here")
            }
            LabError::File { path, error } => {
                write!(f, "{}: {error}; choose another directory with --out", path.display())
            }
            LabError::Tables { catalogue, why } => write!(f, "the tables of {catalogue} cannot be used: {why}"),
            LabError::Search { key, why } => write!(f, "a search could not be made ({key}): {why}"),
        }
    }
}

impl std::error::Error for LabError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LabError::File { error, .. } => Some(error),
            _ => None,
        }
    }
}
