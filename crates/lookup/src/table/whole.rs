//! Tables of files, and whether they are whole.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{BlockHashes, Header};
use tilebase_progress::{Event, Watch, unwatched};

use crate::bytes::{Bytes, OpenError, VerifyError};
use crate::entries::Entries;
use crate::open_file::OpenFile;
use crate::verified::VerifiedFiles;

use super::{Numbering, Table, Verified, check};

/// The header of a table's file. The payload is not read.
pub fn read_header(path: &Path) -> Result<Header, OpenError> {
    OpenFile::open(path).map(|file| file.header)
}

impl Table {
    /// Opens a file by reading it into memory. Only its header is checked: see [`verify`](Table::verify). This cannot be cancelled, and
    /// takes as long as reading the file: see [`read_watched`](Table::read_watched).
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be read or is not a table of the right length.
    pub fn read_unverified(path: &Path) -> Result<Table, OpenError> {
        Table::read_watched(path, &unwatched)
    }

    /// The same, polling `watch` before each piece of 1 MiB.
    ///
    /// # Errors
    /// The same; with [`VerifyError::Stopped`] if cancelled.
    pub fn read_watched(path: &Path, watch: Watch<'_>) -> Result<Table, OpenError> {
        let file = OpenFile::open(path)?;
        let bytes = Bytes::Owned(file.read(watch)?);
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, Some(path))?;
        let numbering = Numbering::new(&header);
        Ok(Table::with_numbering(header, bytes, numbering).opened_from(file))
    }

    /// The same table, as opened from a file.
    pub(crate) fn opened_from(self, file: OpenFile) -> Table {
        Table { file: Some(Arc::new(file)), verified: Verified::Not, ..self }
    }

    /// The same table, known to be whole: because that is remembered of its file, or because every byte is compared with its
    /// hash now, on the threads of the current pool.
    pub(crate) fn known_whole(self, remembered: Option<&VerifiedFiles>, watch: Watch<'_>) -> Result<Table, OpenError> {
        let Some(file) = &self.file else { return Ok(self) };
        if remembered.is_some_and(|files| files.contain(&file.path, &file.state, &self.header)) {
            return Ok(Table { verified: Verified::Earlier, ..self });
        }
        let what = format!("verifying {}", self.header.file_name());
        let _ = watch(&Event::Begin { what: &what, total: self.header.payload_len() });
        let verified = self.verify(watch);
        let _ = watch(&Event::End);
        self.of_file(verified)?;
        if let Some(files) = remembered.filter(|_| file.state_now().is_ok_and(|state| state == file.state)) {
            files.remember(&file.path, &file.state, &self.header);
        }
        Ok(Table { verified: Verified::Now, ..self })
    }

    /// The same table on a copy of its bytes.
    pub(crate) fn moved_to(&self, bytes: Bytes, verified: Verified) -> Table {
        let entries = Entries::new(bytes, HEADER_LEN..HEADER_LEN + self.header.payload_len() as usize);
        Table { entries, verified, ..self.clone() }
    }

    /// The open file that the bytes came from, if they did.
    pub(crate) fn file(&self) -> Option<&OpenFile> {
        self.file.as_deref()
    }

    /// The file that it was opened from, if it was.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| &*file.path)
    }

    /// Confirms what was read from the table: if it is mapped, and anything about its file has changed since it was opened, every byte is
    /// compared with its hash again, on this thread, and `watch` is polled before each block. Otherwise this takes a microsecond.
    ///
    /// # Errors
    /// [`OpenError`] when the table is no longer whole; with [`VerifyError::Stopped`] if cancelled.
    pub fn confirm(&self, watch: Watch<'_>) -> Result<(), OpenError> {
        let (Some(file), Bytes::Mapped(_)) = (&self.file, self.bytes()) else { return Ok(()) };
        let now = file.state_now().map_err(|error| OpenError::io(&file.path, error))?;
        // Not locked while bytes are compared: other searches confirm the same table meanwhile, each within its own limits.
        let confirmed = || file.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        if *confirmed() == now {
            return Ok(());
        }
        if now.len < file.state.len {
            return self.of_file(Err(VerifyError::CutShort));
        }
        self.verify_alone(watch)?;
        *confirmed() = now;
        Ok(())
    }

    /// The same result; an error names the file.
    fn of_file(&self, verified: Result<(), VerifyError>) -> Result<(), OpenError> {
        verified.map_err(|error| OpenError::NotWhole(self.path().unwrap_or(Path::new("")).to_owned(), error))
    }

    /// Reads every byte and compares it with the hashes, on the threads of the current pool. `watch` receives the length of each block.
    ///
    /// # Errors
    /// [`VerifyError`] when the table is not whole; [`VerifyError::Stopped`] if cancelled.
    pub fn verify(&self, watch: Watch<'_>) -> Result<(), VerifyError> {
        self.verify_by(|hashes, payload| hashes.damaged(payload, |bytes| watch(&Event::Advance(bytes))))
    }

    /// The same on this thread alone, for a caller who must not wait for the threads of a pool. `watch` is polled before each block.
    ///
    /// # Errors
    /// [`OpenError`] when the table is not whole; with [`VerifyError::Stopped`] if cancelled before damage is found.
    pub fn verify_alone(&self, watch: Watch<'_>) -> Result<(), OpenError> {
        self.of_file(self.verify_by(|hashes, payload| hashes.damaged_alone(payload, || watch(&Event::Poll))))
    }

    fn verify_by(&self, damaged: impl Fn(&BlockHashes, &[u8]) -> Option<Vec<usize>>) -> Result<(), VerifyError> {
        let hashes = BlockHashes::parse(&self.bytes().as_ref()[HEADER_LEN + self.payload().len()..]);
        if hashes.root() != self.header.hash() {
            return Err(VerifyError::Hashes);
        }
        let blocks = damaged(&hashes, self.payload()).ok_or(VerifyError::Stopped)?;
        if blocks.is_empty() { Ok(()) } else { Err(VerifyError::of_blocks(blocks, self.payload().len())) }
    }
}
