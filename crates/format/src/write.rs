//! Putting a table into a directory.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::blocks::BlockHashes;
use crate::draft::Draft;
use crate::header::Header;

/// Writes a table into a directory and returns its path.
///
/// The file is written as a [`Draft`], so that a file with the final name is whole, whatever interrupts us. A file of that
/// name is replaced; programs that have it open keep the old one.
///
/// # Errors
/// Whatever the file system says. Nothing is left behind.
///
/// # Panics
/// When the payload is not the one that the header was made for.
pub fn write(directory: &Path, header: &Header, payload: &[u8]) -> io::Result<PathBuf> {
    assert_eq!(payload.len() as u64, header.payload_len(), "a header goes with its own payload");
    let mut draft = Draft::new(directory.join(header.file_name()))?;
    draft.write_all(&header.to_bytes())?;
    draft.write_all(payload)?;
    draft.write_all(&BlockHashes::of(payload).to_bytes())?;
    draft.seal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::Kind;
    use tilebase_puzzle::{Pattern, Size, Square};

    fn small() -> (Header, [u8; 1]) {
        let pattern = Pattern::new(Size::new(2, 2).unwrap(), Square(0), &[1]).unwrap();
        (Header::new(pattern, Kind::Bit, vec![1, 2, 1], &[0b0100]).unwrap(), [0b0100])
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
