//! Directories that tables are written into.

use std::io;
use std::path::Path;

use crate::failure::Failure;

/// Makes a directory if it is not there, and makes sure that files can be made in it.
pub(crate) fn prepare(directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)
        .and_then(|()| tilebase_format::check_writable(directory))
        .map_err(|error| cannot_write(directory, &error))
}

/// Why there is no file.
pub(crate) fn cannot_write(directory: &Path, error: &io::Error) -> Failure {
    Failure::new(format!(
        "cannot write tables into {}: {error}; choose another directory with --out or --table-dir",
        directory.display()
    ))
}
