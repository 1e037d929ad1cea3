//! Writing tables: the payload comes in parts, is hashed on the way, and the header is put in front of it at the end.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use tilebase_index::Kind;
use tilebase_progress::threads::{join, prepare_pool, spawn_scoped};
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::Pattern;

use crate::blocks::{BlockHashes, hash};
use crate::draft::Draft;
use crate::header::{Header, HeaderError};
use crate::layout::{BLOCK_LEN, HASH_LEN, HEADER_LEN};

/// The longest part in bytes. One is made while the one before is written.
const BYTES_OF_PART: u64 = 8 * BLOCK_LEN as u64;

/// Turns a payload that comes in parts into a table. No byte is kept, and each is hashed once.
///
/// Tables go into any sink that can write and seek: into a [`Draft`], into memory ([`io::Cursor`]) or nowhere ([`io::empty`]).
#[derive(Debug)]
pub struct TableWriter<S> {
    sink: S,
    len: u64,
    /// The hashes of what has been written.
    pub(crate) hashes: BlockHashes,
}

impl<S: Write + Seek + Send> TableWriter<S> {
    /// Starts a table in an empty sink.
    pub fn new(mut sink: S) -> io::Result<TableWriter<S>> {
        sink.seek(SeekFrom::Start(HEADER_LEN as u64))?;
        Ok(TableWriter { sink, len: 0, hashes: BlockHashes::default() })
    }

    /// Writes the next part of the payload. It is hashed meanwhile, on the threads of the current pool.
    ///
    /// # Panics
    /// When the part before did not end with a block: only the last may.
    pub fn add(&mut self, part: &[u8]) -> io::Result<()> {
        assert!(self.len.is_multiple_of(BLOCK_LEN as u64), "only the last part of a payload ends within a block");
        prepare_pool();
        let (written, hashes) = rayon::join(|| self.sink.write_all(part), || BlockHashes::of(part));
        self.len += part.len() as u64;
        self.hashes.0.extend(hashes.0);
        written
    }

    /// Writes a payload that is made on the way: `fill` fills pieces of it, given where each starts, in no particular order and on all
    /// threads of the current pool. Each piece is hashed at once. A part of at most 8 MiB is written while the next one is made: a sink that
    /// blocks holds up no more than that. `watch` is polled before each block of 1 MiB is made, and after each part has been written.
    ///
    /// # Errors
    /// [`WriteError::Io`], or [`WriteError::Stopped`] if cancelled.
    pub fn add_made(
        &mut self,
        len: u64,
        fill: impl Fn(u64, &mut [u8]) + Sync,
        watch: Watch<'_>,
    ) -> Result<(), WriteError> {
        self.add_fetched(len, |_| Ok(()), |(), start, piece| fill(start, piece), watch)
    }

    /// The same if something must be fetched first, for one part of the payload after the other: `fill` gets the result of `fetch` for its
    /// part. A part is half of [`memory_of_writing`] at most.
    ///
    /// # Errors
    /// As for [`add_made`](TableWriter::add_made).
    pub fn add_fetched<T: Sync>(
        &mut self,
        len: u64,
        mut fetch: impl FnMut(Range<u64>) -> io::Result<T> + Send,
        fill: impl Fn(&T, u64, &mut [u8]) + Sync,
        watch: Watch<'_>,
    ) -> Result<(), WriteError> {
        let mut make = |start: u64, part: &mut Vec<u8>| -> Result<Vec<[u8; HASH_LEN]>, WriteError> {
            part.resize((len - start).min(part_len(len)) as usize, 0);
            if part.is_empty() {
                return Ok(Vec::new());
            }
            let fetched = fetch(start..start + part.len() as u64)?;
            let blocks = part.par_chunks_mut(BLOCK_LEN).enumerate();
            let hashes = blocks.map(|(number, block)| {
                watch(&Event::Poll).continue_value().ok_or(WriteError::Stopped)?;
                fill(&fetched, start + (number * BLOCK_LEN) as u64, block);
                Ok(hash(block))
            });
            hashes.collect()
        };
        prepare_pool();
        let (mut part, mut next) = (Vec::new(), Vec::new());
        let mut hashes = make(0, &mut part)?;
        while !part.is_empty() {
            self.len += part.len() as u64;
            self.hashes.0.extend(hashes);
            // Not on a thread of the pool, because it waits for the system.
            let (sink, start) = (&mut self.sink, self.len);
            let (written, more) = std::thread::scope(|scope| {
                match spawn_scoped(scope, || sink.write_all(&part)) {
                    Ok(writing) => {
                        let more = make(start, &mut next);
                        (join(writing), more)
                    }
                    // One after the other.
                    Err(write) => (write(), make(start, &mut next)),
                }
            });
            written?;
            watch(&Event::Poll).continue_value().ok_or(WriteError::Stopped)?;
            hashes = more?;
            std::mem::swap(&mut part, &mut next);
        }
        Ok(())
    }

    /// Writes the hashes after the payload and the header before it. Returns the header and the sink, in which the table is now whole.
    ///
    /// # Errors
    /// [`WriteError::Io`], or [`WriteError::Header`] when the payload or the histogram cannot be of such a table.
    pub fn finish(self, pattern: Pattern, kind: Kind, histogram: Vec<u64>) -> Result<(Header, S), WriteError> {
        let header = Header::with_hashes(pattern, kind, histogram, self.len, &self.hashes)?;
        let sink = self.finish_with(&header.to_bytes())?;
        Ok((header, sink))
    }

    /// The same with a header that is there already, and that the payload is known to fit.
    pub(crate) fn finish_with(mut self, header: &[u8]) -> io::Result<S> {
        self.sink.write_all(&self.hashes.to_bytes())?;
        self.sink.seek(SeekFrom::Start(0))?;
        self.sink.write_all(header)?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// Bytes of the parts in which a payload is made: an eighth of it, in whole blocks, so that memory holds little of a small table twice.
fn part_len(payload: u64) -> u64 {
    let block = BLOCK_LEN as u64;
    (payload / 8 / block * block).clamp(block, BYTES_OF_PART)
}

/// The most bytes of memory that [`TableWriter::add_made`] takes for a payload of this length.
pub fn memory_of_writing(payload: u64) -> u64 {
    payload.min(2 * part_len(payload))
}

/// Writes a table into a directory and returns its path.
///
/// The file is written as a [`Draft`], so that a file with the final name is whole, whatever interrupts us. A file of that
/// name is replaced; programs that have it open keep the old one.
///
/// # Panics
/// When the payload is not the one that the header was made for.
pub fn write(directory: &Path, header: &Header, payload: &[u8]) -> io::Result<PathBuf> {
    assert_eq!(payload.len() as u64, header.payload_len(), "a header goes with its own payload");
    let mut writer = TableWriter::new(Draft::new(directory.join(header.file_name()))?)?;
    writer.add(payload)?;
    writer.finish_with(&header.to_bytes())?.seal()
}

/// A table that could not be written or packed. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// An error of the system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The payload or the histogram is not that of a table.
    #[error("{0}")]
    Header(#[from] HeaderError),
    /// The watch cancelled it.
    #[error("writing was stopped")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::blocking::Blocking;
    use crate::header::tests::small;
    use crate::header::{entries_of, file_len};
    use tilebase_progress::threads::without_each_thread;
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Size, Square};

    #[test]
    fn a_table_is_written_whole_under_its_own_name_and_replaced_whole_in_a_directory_that_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let (header, payload) = (small(), [0b0100]);
        let path = write(directory.path(), &header, &payload).unwrap();
        assert_eq!(path, directory.path().join("2x2-0-1.bit.tbl"));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes, [&header.to_bytes()[..], &payload, &BlockHashes::of(&payload).to_bytes()].concat());
        std::fs::write(&path, "something else").unwrap();
        write(directory.path(), &header, &payload).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file is left");
        let error = write(&directory.path().join("gone"), &header, &payload).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn payloads_in_parts_make_the_same_bytes_as_whole_ones() {
        let size = Size::new(4, 4).unwrap();
        // Less than a byte an entry, less than a block, more than one, and several parts of several blocks.
        let tiles = [1, 2, 3, 4, 5, 6, 7];
        let tables =
            [(1, Kind::Bit), (2, Kind::AllMoves), (3, Kind::Nibble), (5, Kind::Bit), (6, Kind::Bit), (7, Kind::Nibble)];
        for (count, kind) in tables {
            let pattern = Pattern::new(size, Square(0), &tiles[..count]).unwrap();
            let len = kind.payload_len(entries_of(&pattern, kind).unwrap());
            let payload: Vec<u8> = (0..len).map(|at| (at * at / 7) as u8).collect();
            let header = Header::new(pattern, kind, vec![1, 2, 1], &payload).unwrap();
            let whole = [&header.to_bytes()[..], &payload, &BlockHashes::of(&payload).to_bytes()].concat();
            for step in [BLOCK_LEN, 3 * BLOCK_LEN, payload.len()] {
                let mut writer = TableWriter::new(io::Cursor::new(Vec::new())).unwrap();
                payload.chunks(step).for_each(|part| writer.add(part).unwrap());
                let (found, sink) = writer.finish(pattern, kind, vec![1, 2, 1]).unwrap();
                assert!(found == header && sink.into_inner() == whole, "{count} tiles in parts of {step}");
            }
            let fill = |at: u64, part: &mut [u8]| part.copy_from_slice(&payload[at as usize..][..part.len()]);
            let mut writer = TableWriter::new(io::Cursor::new(Vec::new())).unwrap();
            writer.add_made(payload.len() as u64, fill, &unwatched).unwrap();
            let (found, sink) = writer.finish(pattern, kind, vec![1, 2, 1]).unwrap();
            assert!(found == header && sink.into_inner() == whole, "{count} tiles, made on the way");
        }
    }

    #[test]
    fn blocks_are_made_and_hashed_whatever_the_length() {
        let block = BLOCK_LEN as u64;
        for len in [0, 1, block - 1, block, block + 1, 7 * block, 9 * block + 5, 40 * block + 1] {
            let byte = |at: u64| (at ^ at >> 9) as u8;
            let payload: Vec<u8> = (0..len).map(byte).collect();
            let mut writer = TableWriter::new(io::Cursor::new(Vec::new())).unwrap();
            let fill = |at: u64, part: &mut [u8]| part.iter_mut().zip(at..).for_each(|(place, at)| *place = byte(at));
            writer.add_made(len, fill, &unwatched).unwrap();
            assert_eq!(writer.hashes, BlockHashes::of(&payload), "{len} bytes");
            let bytes = writer.finish_with(&[0; HEADER_LEN]).unwrap().into_inner();
            assert!(bytes[HEADER_LEN..][..payload.len()] == payload && bytes.len() as u64 == file_len(len));
        }
    }

    #[test]
    fn a_payload_is_written_by_the_threads_that_start() {
        let payload: Vec<u8> = (0..9 * BLOCK_LEN + 5).map(|at| (at ^ at >> 9) as u8).collect();
        let fill = |at: u64, part: &mut [u8]| part.copy_from_slice(&payload[at as usize..][..part.len()]);
        let write = || {
            let mut writer = TableWriter::new(io::Cursor::new(Vec::new())).unwrap();
            writer.add_made(payload.len() as u64, fill, &unwatched).unwrap();
            (writer.hashes.clone(), writer.sink.into_inner())
        };
        let asked = without_each_thread(write, |(hashes, bytes), case| {
            assert_eq!(hashes, BlockHashes::of(&payload), "{case}");
            assert!(bytes[HEADER_LEN..] == payload[..], "{case}");
        });
        assert!(asked >= 9, "{asked} threads, one for each part");
    }

    #[test]
    fn making_a_payload_stops_at_the_next_block() {
        let (made, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let watch = |_: &Event<'_>| {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= 3;
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let fill = |_: u64, block: &mut [u8]| {
            assert!(block.len() <= BLOCK_LEN);
            made.fetch_add(1, Ordering::Relaxed);
        };
        let mut writer = TableWriter::new(io::empty()).unwrap();
        let stopped = writer.add_made(400 * BLOCK_LEN as u64, fill, &watch);
        assert!(matches!(stopped, Err(WriteError::Stopped)));
        assert_eq!(made.into_inner(), 3);
    }

    #[test]
    fn a_writer_that_blocks_holds_up_one_part_and_writing_stops_as_soon_as_it_continues() {
        let blocks_of_part = (BYTES_OF_PART / BLOCK_LEN as u64) as usize;
        let (made, polls) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let is_cancelled = AtomicBool::new(false);
        let watch = |_: &Event<'_>| {
            polls.fetch_add(1, Ordering::Relaxed);
            if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let fill = |_: u64, _: &mut [u8]| _ = made.fetch_add(1, Ordering::Relaxed);
        // In the first part, or in the second.
        for part in [0, 1] {
            [&made, &polls].into_iter().for_each(|count| count.store(0, Ordering::Relaxed));
            is_cancelled.store(false, Ordering::Relaxed);
            let (sink, gate) = Blocking::new(io::empty(), part as u64 * BYTES_OF_PART + 5);
            let stopped = std::thread::scope(|scope| {
                let writing = scope.spawn(|| {
                    let mut writer = TableWriter::new(sink).unwrap();
                    let stopped = writer.add_made(400 * BLOCK_LEN as u64, fill, &watch);
                    (stopped, writer.len)
                });
                gate.wait();
                // Meanwhile the next part is made, but no other one.
                let started = std::time::Instant::now();
                let ahead = (part + 2) * blocks_of_part;
                while made.load(Ordering::Relaxed) < ahead && started.elapsed() < crate::blocking::TIMEOUT {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                is_cancelled.store(true, Ordering::Relaxed);
                gate.open();
                writing.join().unwrap()
            });
            assert!(matches!(stopped.0, Err(WriteError::Stopped)));
            assert_eq!(stopped.1, (part as u64 + 1) * BYTES_OF_PART, "bytes written");
            assert_eq!(made.load(Ordering::Relaxed), (part + 2) * blocks_of_part);
            // One for each block that was made, and one for each part that was written.
            assert_eq!(polls.load(Ordering::Relaxed), (part + 2) * blocks_of_part + part + 1);
        }
    }

    #[test]
    fn a_payload_of_another_length_makes_no_table_and_a_watch_may_stop_it() {
        let mut writer = TableWriter::new(io::empty()).unwrap();
        writer.add(&[0; 2]).unwrap();
        let error = writer.finish(*small().pattern(), Kind::Bit, vec![1, 2, 1]).unwrap_err();
        assert!(matches!(error, WriteError::Header(HeaderError::Payload { expected: 1, found: 2 })));
        let mut writer = TableWriter::new(io::empty()).unwrap();
        let stopped = writer.add_made(9, |_, _| (), &|_: &Event<'_>| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(WriteError::Stopped)));
    }
}
