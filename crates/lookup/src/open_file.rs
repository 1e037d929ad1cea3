//! Files of tables, open: read, copied onto huge pages, or mapped.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use memmap2::Mmap;
use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{Header, open_file};
use tilebase_memory::Zeroed;

use crate::bytes::{Bytes, OpenError};
use crate::table::check;
use crate::verified::FileState;

/// A mapped file. On Unix, reading what a file has lost since it was mapped ends the process: without a message, unless the process has
/// [a handler](install_truncation_handler). Other systems do not let a mapped file be cut short.
#[derive(Debug)]
pub struct Mapped {
    // Before the map, so that it is forgotten first.
    #[cfg(unix)]
    _known: crate::lost::Known,
    map: Mmap,
}

impl AsRef<[u8]> for Mapped {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

impl Bytes {
    /// Reads a whole table into memory.
    pub fn read(path: &Path) -> Result<Bytes, OpenError> {
        OpenFile::open(path)?.read()
    }

    /// Copies a whole table into memory on huge pages, where the system offers them. A search that jumps about in a large
    /// table spends much of its time finding out where its pages are; huge ones are few enough to be remembered.
    pub fn copy(path: &Path) -> Result<Bytes, OpenError> {
        OpenFile::open(path)?.copy()
    }

    /// Maps a file of a table: constant time, and the memory is shared with every other program that maps it. If the file is cut short
    /// while it is mapped, reading the lost part kills the process with the signal `SIGBUS` (Unix);
    /// [`install_truncation_handler`] makes a message and exit code 2 of that. [`read`](Bytes::read) and [`copy`](Bytes::copy) have no
    /// such condition.
    ///
    /// # Safety
    /// Until the bytes are dropped, nothing may change the file in place or cut it short: that would change memory that Rust
    /// believes to be constant, or kill the process. Replacing the file by renaming another one is harmless.
    #[allow(unsafe_code)]
    pub unsafe fn map(path: &Path) -> Result<Bytes, OpenError> {
        // SAFETY: the caller promises the same.
        unsafe { OpenFile::open(path)?.map() }
    }
}

/// A file that is a table of the right length, open, and the state in which it was opened.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    file: File,
    /// What the file says about itself.
    pub(crate) header: Header,
    pub(crate) state: FileState,
    /// The last state in which it was found to be whole.
    pub(crate) confirmed: Mutex<FileState>,
}

impl OpenFile {
    /// Opens a file. Its header and its length are checked first, so that nothing absurd is read into memory.
    pub(crate) fn open(path: &Path) -> Result<OpenFile, OpenError> {
        let file = open_file(path).and_then(|file| FileState::of(&file).map(|state| (file, state)));
        let (file, state) = file.map_err(|error| OpenError::io(path, error))?;
        let mut start = Vec::with_capacity(HEADER_LEN);
        let read = (&file).take(HEADER_LEN as u64).read_to_end(&mut start);
        read.map_err(|error| OpenError::io(path, error))?;
        let header = check(&start, state.len, Some(path))?;
        Ok(OpenFile { path: path.to_owned(), file, header, confirmed: Mutex::new(state.clone()), state })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// The state in which the file is now. It differs when somebody wrote to it, cut it short or put another one in its place.
    pub(crate) fn state_now(&self) -> io::Result<FileState> {
        FileState::of(&self.file)
    }

    pub(crate) fn read(&self) -> Result<Bytes, OpenError> {
        let mut bytes = Vec::new();
        let room = bytes.try_reserve_exact(self.state.len as usize).map_err(io::Error::from);
        let read = room.and_then(|()| self.rewound()?.take(self.state.len).read_to_end(&mut bytes));
        read.map(|_| Bytes::Owned(bytes)).map_err(|error| OpenError::io(&self.path, error))
    }

    pub(crate) fn copy(&self) -> Result<Bytes, OpenError> {
        let copied = Zeroed::new(self.state.len as usize)
            .and_then(|mut memory| self.rewound()?.read_exact(&mut memory).map(|()| memory));
        copied.map(|memory| Bytes::Copied(Arc::new(memory))).map_err(|error| OpenError::io(&self.path, error))
    }

    /// # Safety
    /// The same as for [`Bytes::map`].
    #[allow(unsafe_code)]
    pub(crate) unsafe fn map(&self) -> Result<Bytes, OpenError> {
        // SAFETY: the caller promises that the file stays as it is.
        let map = unsafe { Mmap::map(&self.file) }.map_err(|error| OpenError::io(&self.path, error))?;
        Ok(Bytes::Mapped(Mapped {
            #[cfg(unix)]
            _known: crate::lost::know(&self.path, &map),
            map,
        }))
    }

    fn rewound(&self) -> io::Result<&File> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0)).map(|_| file)
    }
}

/// Makes this process report mapped tables that are cut short: from now on, a read of the lost part of such a file writes an error with the
/// file's name to stderr and exits with code 2. Without it, the system kills the process with the signal `SIGBUS`.
///
/// This installs a handler of `SIGBUS` for the whole process. Faults outside of mapped tables are passed on to the handler that was installed
/// before. The library never calls this function: a program that owns its signals does so, once, when it starts. Later calls do nothing, as
/// do calls on systems that are not Unix.
pub fn install_truncation_handler() {
    #[cfg(unix)]
    crate::lost::install_once();
}
