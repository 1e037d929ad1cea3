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
    /// A file cannot be read or written.
    #[error("{}: {error}; choose another directory with --out", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// Tables that cannot be opened or built.
    #[error("the tables of {catalogue} cannot be used: {error}")]
    Tables {
        /// Of which catalogue.
        catalogue: String,
        /// Why.
        #[source]
        error: TablesError,
    },
    /// A search that could not be made.
    #[error("a search could not be made ({key}): {error}")]
    Search {
        /// Which.
        key: String,
        /// Why.
        #[source]
        error: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl LabError {
    /// For `map_err`: what happened to a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> LabError + use<> {
        let path = path.to_owned();
        move |error| LabError::File { path, error }
    }
}
