//! Directories that tables are written into.

use std::io;
use std::path::{Path, PathBuf};

use tilebase_progress::{Event, Watch};

/// Does a piece of work between the events that say where it begins and ends.
pub(crate) fn watch_piece<T>(watch: Watch<'_>, what: &str, total: u64, work: impl FnOnce(Watch<'_>) -> T) -> T {
    let _ = watch(&Event::Begin { what, total });
    let done = work(watch);
    let _ = watch(&Event::End);
    done
}

/// Makes a directory if it is not there, and makes sure that files can be made in it.
pub fn prepare_directory(directory: &Path) -> Result<(), DirectoryError> {
    std::fs::create_dir_all(directory)
        .and_then(|()| tilebase_format::check_writable(directory))
        .map_err(|error| DirectoryError { directory: directory.to_owned(), error })
}

/// A directory that tables cannot be written into.
#[derive(Debug, thiserror::Error)]
#[error("cannot write tables into {}: {error}; choose another directory with --out or --table-dir", .directory.display())]
pub struct DirectoryError {
    /// The directory.
    pub directory: PathBuf,
    /// What the system says.
    #[source]
    pub error: io::Error,
}
