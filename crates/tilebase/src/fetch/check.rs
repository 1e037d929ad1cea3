//! Whether what has come is the table that was asked for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN, hashes_len};
use tilebase_format::{BlockHashes, Header, HeaderError, UnpackError, Unpacking};
use tilebase_progress::{Event, Watch};

use super::part::Part;
use super::{Offer, Wrong};
use crate::directory::{DirectoryError, watch_piece};
use crate::manifest::check_manifest;
use crate::packed::{PackedError, unpack};

/// This much of a table is read at a time, and then hashed on all threads.
const PIECE_LEN: usize = 8 * BLOCK_LEN;

/// Why a file gives no table.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// It is not the right one.
    Wrong(Wrong),
    /// It cannot be read.
    Read(io::Error),
    /// The table cannot be written.
    Write(DirectoryError),
    /// Whoever watches it stopped it.
    Stopped,
}

impl<E: Into<Wrong>> From<E> for Unfinished {
    fn from(wrong: E) -> Unfinished {
        Unfinished::Wrong(wrong.into())
    }
}

impl Offer {
    /// Makes the table of a file that has come: unpacks it, or finds that it is the table, whole.
    pub(super) fn finish(&self, part: &mut Part, directory: &Path, watch: Watch<'_>) -> Result<Header, Unfinished> {
        if self.is_packed {
            return self.unpack(&part.path, directory, watch);
        }
        let len = part.len;
        self.verify(part.read().map_err(Unfinished::Read)?, len, watch)
    }

    /// Unpacks a file, if it holds the table that was asked for.
    pub(super) fn unpack(&self, file: &Path, directory: &Path, watch: Watch<'_>) -> Result<Header, Unfinished> {
        self.check(Unpacking::open(file).map_err(of_unpacking)?.header())?;
        // What is there already was looked at when it was planned.
        let unpacked = unpack(file, directory, true, watch);
        unpacked.map(|unpacked| unpacked.header).map_err(|error| match error {
            PackedError::Packed(_, error) => of_unpacking(error),
            PackedError::Manifest(_, error) => error.into(),
            PackedError::Directory(error) => Unfinished::Write(error),
            other => Unfinished::Read(io::Error::other(other)),
        })
    }

    /// Compares every block of a table of this length with its hash, on the threads of the current pool, in little memory.
    fn verify(&self, file: &mut File, len: u64, watch: Watch<'_>) -> Result<Header, Unfinished> {
        let mut bytes = Vec::with_capacity(PIECE_LEN);
        read(file, HEADER_LEN as u64, &mut bytes)?;
        let header = Header::parse(&bytes)?.of_file_len(len)?;
        self.check(&header)?;
        let mut hashes = BlockHashes::default();
        let mut left = header.payload_len();
        watch_piece(watch, &format!("verifying {}", self.table), left, |watch| {
            while left > 0 {
                read(file, left.min(PIECE_LEN as u64), &mut bytes)?;
                hashes.add(&bytes);
                left -= bytes.len() as u64;
                watch(&Event::Advance(bytes.len() as u64)).continue_value().ok_or(Unfinished::Stopped)?;
            }
            Ok::<(), Unfinished>(())
        })?;
        read(file, hashes_len(header.payload_len()), &mut bytes)?;
        let is_whole = bytes == hashes.to_bytes() && hashes.root() == header.hash();
        if is_whole { Ok(header) } else { Err(UnpackError::Damaged.into()) }
    }

    /// Refuses a header that is not of the table that was asked for. Nothing behind it has been looked at yet.
    fn check(&self, header: &Header) -> Result<(), Wrong> {
        let found = header.file_name();
        if found != self.table {
            return Err(Wrong::OtherTable(found));
        }
        check_manifest(header)?;
        match &self.hash {
            Some(expected) if *expected != header.hash_text() => {
                Err(Wrong::OtherHash { expected: expected.clone(), found: header.hash_text() })
            }
            _ => Ok(()),
        }
    }
}

fn of_unpacking(error: UnpackError) -> Unfinished {
    match error {
        UnpackError::Stopped => Unfinished::Stopped,
        UnpackError::Read(error) => Unfinished::Read(error),
        wrong => wrong.into(),
    }
}

/// Reads exactly this many bytes.
fn read(file: &mut File, len: u64, into: &mut Vec<u8>) -> Result<(), Unfinished> {
    into.clear();
    let found = file.take(len).read_to_end(into).map_err(Unfinished::Read)? as u64;
    if found == len { Ok(()) } else { Err(HeaderError::Length { expected: len, found }.into()) }
}
