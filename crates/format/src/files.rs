//! Opening files that may be anything.

use std::fs::File;
use std::io;
use std::path::Path;

/// The directory of a file, which need not exist.
pub fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."))
}

/// Opens an ordinary file. Anything else, such as a directory or a pipe, is refused without waiting for it.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    File::open(path)
}
