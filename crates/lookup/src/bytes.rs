//! Where the bytes of a table are.

use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use tilebase_format::HeaderError;

/// The bytes of a table file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// In memory of our own.
    Owned(Vec<u8>),
    /// In memory of our own, on huge pages where the system offers them; shared by all who have the same table open.
    #[cfg(feature = "files")]
    Copied(std::sync::Arc<tilebase_memory::Zeroed<u8>>),
    /// Mapped from a file.
    #[cfg(feature = "files")]
    Mapped(crate::open_file::Mapped),
}

impl AsRef<[u8]> for Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "files")]
            Bytes::Copied(bytes) => bytes,
            #[cfg(feature = "files")]
            Bytes::Mapped(map) => map.as_ref(),
        }
    }
}

/// A table that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file cannot be read, or there is not that much memory.
    #[error("cannot read {path}: {1}", path = .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The bytes are not a table.
    #[error("{}{error}", .path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default())]
    Header {
        /// The file, if it is one.
        path: Option<PathBuf>,
        /// What is wrong.
        #[source]
        error: HeaderError,
    },
    /// The file is a table, but not the one that its name promises: it should have this other name.
    #[error("{}: {}", .0.display(), holds_another(.1))]
    OtherTable(PathBuf, String),
    /// The file was not found to be whole.
    #[error("{file}: {1}", file = .0.display())]
    NotWhole(PathBuf, #[source] VerifyError),
}

fn holds_another(name: &str) -> String {
    format!("the file holds another table, {name}: give it that name, or build this one again")
}

impl OpenError {
    #[cfg(feature = "files")]
    pub(crate) fn io(path: &std::path::Path, error: io::Error) -> OpenError {
        OpenError::Io(path.to_owned(), error)
    }

    /// What is wrong, without the file's name in front.
    pub fn reason(&self) -> String {
        match self {
            OpenError::Io(_, error) => format!("cannot be read: {error}"),
            OpenError::Header { error, .. } => error.to_string(),
            OpenError::OtherTable(_, name) => holds_another(name),
            OpenError::NotWhole(_, error) => error.to_string(),
        }
    }
}

/// A table that was not found to be whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The hashes of the blocks are damaged, so that it cannot be said which blocks are.
    #[error("the hashes of its blocks are damaged: copy or build the table again")]
    Hashes,
    /// These blocks of the payload are damaged: their numbers, from 0, and where they are in the file.
    #[error("damaged in block {}: copy or build the table again", list(.0))]
    Blocks(Vec<(usize, RangeInclusive<u64>)>),
    /// The file lost its end while the table was in use.
    #[error("cut short while it was in use: copy or build the table again")]
    CutShort,
    /// Whoever watched said to stop.
    #[error("stopped before every byte was read")]
    Stopped,
}

impl VerifyError {
    /// These blocks of a payload of `len` bytes are damaged.
    #[cfg(feature = "files")]
    pub(crate) fn of_blocks(numbers: Vec<usize>, len: usize) -> VerifyError {
        use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN};
        let with_places = numbers.into_iter().map(|number| {
            let (start, end) = (number * BLOCK_LEN, ((number + 1) * BLOCK_LEN).min(len));
            let place = |offset: usize| (HEADER_LEN + offset) as u64;
            (number, place(start)..=place(end - 1))
        });
        VerifyError::Blocks(with_places.collect())
    }
}

fn list(blocks: &[(usize, RangeInclusive<u64>)]) -> String {
    let texts = blocks.iter().map(|(number, at)| format!("{number} (bytes {} to {})", at.start(), at.end()));
    texts.collect::<Vec<_>>().join(", ")
}
