//! Where the bytes of a table are.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use tilebase_format::{HeaderError, open_file};
use tilebase_memory::Zeroed;

use crate::table::read_header;

/// The bytes of a table file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// In memory of our own.
    Owned(Vec<u8>),
    /// In memory of our own, on huge pages where the system offers them; shared by all who have the same table open.
    Copied(Arc<Zeroed<u8>>),
    /// Mapped from a file.
    Mapped(Mmap),
}

impl Bytes {
    /// Reads a whole table into memory.
    pub fn read(path: &Path) -> Result<Bytes, OpenError> {
        let (mut file, len) = open_whole(path)?;
        let mut bytes = Vec::new();
        let read = bytes.try_reserve_exact(len).map_err(io::Error::from).and_then(|()| file.read_to_end(&mut bytes));
        read.map(|_| Bytes::Owned(bytes)).map_err(|error| OpenError::io(path, error))
    }

    /// Copies a whole table into memory on huge pages, where the system offers them. A search that jumps about in a large
    /// table spends much of its time finding out where its pages are; huge ones are few enough to be remembered.
    pub fn copy(path: &Path) -> Result<Bytes, OpenError> {
        let (mut file, len) = open_whole(path)?;
        let copied = Zeroed::new(len).and_then(|mut memory| file.read_exact(&mut memory).map(|()| memory));
        copied.map(|memory| Bytes::Copied(Arc::new(memory))).map_err(|error| OpenError::io(path, error))
    }

    /// Maps a file of a table: constant time, and the memory is shared with every other program that maps it.
    /// [`read`](Bytes::read) is for files about which nobody can promise what that needs.
    #[allow(unsafe_code)]
    pub fn map(path: &Path, _promised: Mapping) -> Result<Bytes, OpenError> {
        let (file, _) = open(path)?;
        // SAFETY: whoever made the `Mapping` has promised that the files of tables stay as they are.
        let map = unsafe { Mmap::map(&file) };
        map.map(Bytes::Mapped).map_err(|error| OpenError::io(path, error))
    }
}

/// A promise about files, without which none is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping(());

impl Mapping {
    /// Promises that files with tables' names in the directories of a store can be mapped.
    ///
    /// # Safety
    /// Nobody may change such a file in place or cut it short while a table is open that was mapped from it: that would change
    /// memory behind the compiler's back, or kill the program. Tables that [`tilebase_format::write`] made are replaced by
    /// renaming, so a program may promise that for directories to which nothing else writes.
    #[allow(unsafe_code)]
    pub const unsafe fn promised() -> Mapping {
        Mapping(())
    }
}

impl AsRef<[u8]> for Bytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Copied(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// Opens an ordinary file, and says how long it is.
pub(crate) fn open(path: &Path) -> Result<(File, usize), OpenError> {
    let file = open_file(path).and_then(|file| file.metadata().map(|metadata| (file, metadata.len() as usize)));
    file.map_err(|error| OpenError::io(path, error))
}

/// Opens a file that is a table of the right length, so that nothing absurd is read into memory.
fn open_whole(path: &Path) -> Result<(File, usize), OpenError> {
    read_header(path)?;
    open(path)
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
}

fn holds_another(name: &str) -> String {
    format!("the file holds another table, {name}: give it that name, or build this one again")
}

impl OpenError {
    pub(crate) fn io(path: &Path, error: io::Error) -> OpenError {
        OpenError::Io(path.to_owned(), error)
    }

    /// What is wrong, without the file's name in front.
    pub fn reason(&self) -> String {
        match self {
            OpenError::Io(_, error) => format!("cannot be read: {error}"),
            OpenError::Header { error, .. } => error.to_string(),
            OpenError::OtherTable(_, name) => holds_another(name),
        }
    }
}
