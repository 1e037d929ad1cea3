//! Putting a table into a directory.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::blocks::BlockHashes;
use crate::header::Header;

/// Writes a table into a directory and returns its path.
///
/// The file is written under a temporary name, flushed to the disk and renamed, so that a file with the final name is
/// whole, whatever interrupts us. A file of that name is replaced; programs that have it open keep the old one.
///
/// # Errors
/// Whatever the file system says. Nothing is left behind.
///
/// # Panics
/// When the payload is not the one that the header was made for.
pub fn write(directory: &Path, header: &Header, payload: &[u8]) -> io::Result<PathBuf> {
    assert_eq!(payload.len() as u64, header.payload_len(), "a header goes with its own payload");
    let path = directory.join(header.file_name());
    let mut file = temporary(directory)?;
    file.write_all(&header.to_bytes())?;
    file.write_all(payload)?;
    file.write_all(&BlockHashes::of(payload).to_bytes())?;
    file.as_file().sync_all()?;
    make_readable(file.as_file())?;
    file.persist(&path).map_err(|error| error.error)?;
    sync_directory(directory)?;
    Ok(path)
}

/// Finds out whether tables can be written into a directory, leaving nothing there.
///
/// # Errors
/// Whatever the file system says.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    temporary(directory).map(drop)
}

/// A file with a temporary name, deleted unless it is renamed.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".tilebase-").suffix(".tmp").tempfile_in(directory)
}

/// Temporary files are private; tables are for everybody who may read the directory.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Makes the new name survive a crash; only Unix lets a directory be opened for that.
fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoding;
    use tilebase_puzzle::{Pattern, Size, Square};

    fn small() -> (Header, [u8; 1]) {
        let pattern = Pattern::new(Size::new(2, 2).unwrap(), Square(0), &[1]).unwrap();
        (Header::new(pattern, Encoding::Bit, vec![1, 2, 1], &[0b0100]).unwrap(), [0b0100])
    }

    #[test]
    fn a_table_is_written_whole_under_its_own_name_and_replaced_whole() {
        let directory = tempfile::tempdir().unwrap();
        let (header, payload) = small();
        let path = write(directory.path(), &header, &payload).unwrap();
        assert_eq!(path, directory.path().join("2x2-0-1.bit.tbl"));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes, [&header.to_bytes()[..], &payload, &BlockHashes::of(&payload).to_bytes()].concat());
        std::fs::write(&path, "something else").unwrap();
        write(directory.path(), &header, &payload).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let (header, payload) = small();
        let error = write(&directory.path().join("gone"), &header, &payload).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
