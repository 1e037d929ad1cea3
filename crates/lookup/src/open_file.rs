//! Open files of tables: read, copied onto huge pages, or mapped.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use memmap2::Mmap;
use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{Header, open_file};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch, unwatched};

use crate::bytes::{Bytes, OpenError, VerifyError};
use crate::copying::read_at;
use crate::table::check;
use crate::verified::FileState;

/// Files are read in pieces of this many bytes, and the watch is polled before each.
pub(crate) const PIECE_LEN: usize = 1 << 20;

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
    /// Reads a whole table into memory. This cannot be cancelled, and takes as long as reading the file. To read gigabytes, use
    /// [`Table::read_watched`](crate::Table::read_watched) or [`Store::find_verified`](crate::Store::find_verified).
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be read or is not a table of the right length.
    pub fn read(path: &Path) -> Result<Bytes, OpenError> {
        OpenFile::open(path)?.read(&unwatched).map(Bytes::Owned)
    }

    /// Copies a whole table into memory on huge pages, where the system offers them. A search that jumps about in a large table spends
    /// much of its time on address translation; huge pages are few enough for the processor to remember. This cannot be cancelled:
    /// a [`Store`](crate::Store) with [`Loading::Copy`](crate::Loading::Copy) copies a file so that it can.
    ///
    /// # Errors
    /// As for [`read`](Bytes::read).
    pub fn copy(path: &Path) -> Result<Bytes, OpenError> {
        let copied = OpenFile::open(path)?.copy(&unwatched)?;
        Ok(Bytes::Copied(Arc::new(copied)))
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

/// An open file that is a table of the right length, and its state when it was opened.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    file: File,
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

    /// The state of the file now. It differs if the file has been written to, cut short or replaced.
    pub(crate) fn state_now(&self) -> io::Result<FileState> {
        FileState::of(&self.file)
    }

    /// Reads the whole file into memory, in pieces. `watch` is polled before each.
    pub(crate) fn read(&self, watch: Watch<'_>) -> Result<Vec<u8>, OpenError> {
        let len = self.state.len as usize;
        let mut bytes = Vec::new();
        let room = bytes.try_reserve_exact(len).map_err(io::Error::from);
        room.map_err(|error| OpenError::io(&self.path, error))?;
        while bytes.len() < len {
            let at = bytes.len();
            bytes.resize(len.min(at + PIECE_LEN), 0);
            self.read_piece(&mut bytes[at..], at, watch)?;
        }
        Ok(bytes)
    }

    /// The same onto huge pages, where the system offers them.
    pub(crate) fn copy(&self, watch: Watch<'_>) -> Result<Zeroed<u8>, OpenError> {
        // Its pages are touched as they are read.
        let memory = Zeroed::untouched(self.state.len as usize);
        let mut memory = memory.map_err(|error| OpenError::io(&self.path, error))?;
        for (number, piece) in memory.chunks_mut(PIECE_LEN).enumerate() {
            self.read_piece(piece, number * PIECE_LEN, watch)?;
        }
        Ok(memory)
    }

    fn read_piece(&self, piece: &mut [u8], at: usize, watch: Watch<'_>) -> Result<(), OpenError> {
        watch(&Event::Poll).continue_value().ok_or_else(|| self.stopped())?;
        read_at(&self.file, piece, at as u64).map_err(|error| OpenError::io(&self.path, error))
    }

    /// The error when reading is cancelled.
    pub(crate) fn stopped(&self) -> OpenError {
        OpenError::NotWhole(self.path.clone(), VerifyError::Stopped)
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
