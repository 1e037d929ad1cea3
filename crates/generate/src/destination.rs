//! Where tables go as they are built: into files, into memory, or nowhere.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{BlockHashes, Draft, Header};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch};

use crate::error::BuildError;

/// Bytes that are read back at a time.
const PART: usize = 1 << 24;

/// Takes the tables of builds.
pub trait Destination: Sync {
    /// What a table is written into.
    type Sink: Write + Seek + Send;

    /// An empty sink for a table, given the name and the length of its file.
    fn sink(&self, name: &str, len: u64) -> io::Result<Self::Sink>;
}

/// Tables go into a directory. They are drafts, gone unless they are [sealed](Built::seal).
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a>(pub &'a Path);

impl Destination for Directory<'_> {
    type Sink = Draft;

    fn sink(&self, name: &str, _len: u64) -> io::Result<Draft> {
        Draft::new(self.0.join(name))
    }
}

/// Tables stay in memory, each the image of its file.
#[derive(Clone, Copy, Debug)]
pub struct Memory;

impl Destination for Memory {
    type Sink = Cursor<Vec<u8>>;

    fn sink(&self, _name: &str, len: u64) -> io::Result<Cursor<Vec<u8>>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len as usize)?;
        Ok(Cursor::new(bytes))
    }
}

/// Tables are made and forgotten, for benchmarks.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Destination for Nowhere {
    type Sink = io::Empty;

    fn sink(&self, _name: &str, _len: u64) -> io::Result<io::Empty> {
        Ok(io::empty())
    }
}

/// A table that has been built, and the sink in which it is whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built<S> {
    /// What it is.
    pub header: Header,
    /// Where its bytes are.
    pub sink: S,
}

/// The tables of a build, if it comes to an end.
pub(crate) type Outcome<D> = Result<Vec<Built<<D as Destination>::Sink>>, BuildError>;

impl<S: Read + Seek> Built<S> {
    /// Reads its entries back, to audit them. `watch` is told how many bytes have been read.
    pub fn read_payload(&mut self, watch: Watch<'_>) -> Result<Zeroed<u8>, BuildError> {
        let mut payload = Zeroed::new(self.header.payload_len() as usize).map_err(BuildError::Memory)?;
        self.sink.seek(SeekFrom::Start(HEADER_LEN as u64))?;
        for part in payload.chunks_mut(PART) {
            self.sink.read_exact(part)?;
            watch(&Event::Advance(part.len() as u64)).continue_value().ok_or(BuildError::Stopped)?;
        }
        Ok(payload)
    }
}

impl<S: Read + Seek> Built<S> {
    /// Reads its entries back and compares them with their hash, on the threads of the current pool. `watch` is told how many bytes have
    /// been read.
    ///
    /// # Errors
    /// [`BuildError::Write`] when they are not what was written.
    pub fn verify(&mut self, watch: Watch<'_>) -> Result<(), BuildError> {
        self.sink.seek(SeekFrom::Start(HEADER_LEN as u64))?;
        let mut hashes = BlockHashes::default();
        let mut left = self.header.payload_len() as usize;
        let mut part = vec![0; PART.min(left)];
        while left > 0 {
            part.truncate(left);
            self.sink.read_exact(&mut part)?;
            hashes.add(&part);
            left -= part.len();
            watch(&Event::Advance(part.len() as u64)).continue_value().ok_or(BuildError::Stopped)?;
        }
        if hashes.root() == self.header.hash() {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "what was written is not what is read back: is the disk failing?",
        )
        .into())
    }
}

impl Built<Draft> {
    /// Gives the file its name. Nothing is left behind when that fails.
    pub fn seal(self) -> io::Result<PathBuf> {
        self.sink.seal()
    }
}

impl Built<Cursor<Vec<u8>>> {
    /// Its entries.
    pub fn payload(&self) -> &[u8] {
        &self.bytes()[HEADER_LEN..][..self.header.payload_len() as usize]
    }

    /// Header, payload and block hashes, as in a file.
    pub fn bytes(&self) -> &[u8] {
        self.sink.get_ref()
    }

    /// The same, owned.
    pub fn into_bytes(self) -> Vec<u8> {
        self.sink.into_inner()
    }
}
