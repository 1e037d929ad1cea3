//! Opening files that may be anything.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens an ordinary file. Anything else (a directory, a pipe that nobody writes to) is refused without waiting for it.
///
/// # Errors
/// Whatever the file system says, or that it is not an ordinary file.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    File::open(path)
}
