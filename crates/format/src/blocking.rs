//! For tests: streams that block on purpose.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A test that fails must end all the same.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// A reader or writer that blocks once, after this many bytes, until its [`Gate`] is opened.
pub(crate) struct Blocking<S> {
    stream: S,
    /// Bytes until it blocks; `None` once it has.
    left: Option<u64>,
    blocks: Sender<()>,
    gate: Receiver<()>,
}

/// What lets a [`Blocking`] stream continue.
pub(crate) struct Gate {
    has_blocked: Receiver<()>,
    open: Sender<()>,
}

impl<S> Blocking<S> {
    pub(crate) fn new(stream: S, after: u64) -> (Blocking<S>, Gate) {
        let ((blocks, has_blocked), (open, gate)) = (channel(), channel());
        (Blocking { stream, left: Some(after), blocks, gate }, Gate { has_blocked, open })
    }

    /// Blocks if it is time to. Returns how many of `len` bytes can be read or written before the next time.
    fn pass(&mut self, len: usize) -> io::Result<usize> {
        if self.left == Some(0) {
            self.left = None;
            self.blocks.send(()).map_err(io::Error::other)?;
            self.gate.recv_timeout(TIMEOUT).map_err(io::Error::other)?;
        }
        Ok(self.left.map_or(len, |left| len.min(left as usize)))
    }

    fn passed(&mut self, len: usize) {
        self.left = self.left.map(|left| left - len as u64);
    }
}

impl Gate {
    /// Waits until the stream blocks.
    pub(crate) fn wait(&self) {
        self.has_blocked.recv_timeout(TIMEOUT).expect("the stream blocks");
    }

    pub(crate) fn open(&self) {
        self.open.send(()).expect("the stream waits");
    }
}

impl<S: Read> Read for Blocking<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.pass(bytes.len())?;
        let read = self.stream.read(&mut bytes[..len])?;
        self.passed(read);
        Ok(read)
    }
}

impl<S: Write> Write for Blocking<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.pass(bytes.len())?;
        let written = self.stream.write(&bytes[..len])?;
        self.passed(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<S: Seek> Seek for Blocking<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.stream.seek(to)
    }
}
