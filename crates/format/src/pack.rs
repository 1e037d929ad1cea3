//! Packed tables, as they are shipped: the same file, compressed, which any `zstd` program can unpack.

use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tilebase_progress::threads::{ThreadShortage, prepare_pool, report_shortage};
use tilebase_progress::{Event, Watch};

use crate::draft::Draft;
use crate::header::{Header, HeaderError};
use crate::layout::{BLOCK_LEN, HEADER_LEN, PACKED, hashes_len};
use crate::write::{TableWriter, WriteError};

/// Levels of compression, from fast to small.
pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=22;

/// The length of a part. One is unpacked while the one before is hashed and written.
const PART_LEN: usize = 8 * BLOCK_LEN;

/// A packed file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub len: u64,
    /// The BLAKE3 hash of all its bytes, in hexadecimal digits.
    pub hash: String,
}

/// Packs the bytes of a whole table into a directory. The result depends on the level, not on the number of threads. (If no thread can
/// start, it has other bytes, which unpack to the same table.) `watch` receives every packed block of 1 MiB.
///
/// # Errors
/// [`WriteError`] when the file cannot be written; [`WriteError::Stopped`] if cancelled. Nothing is left then.
pub fn pack(
    directory: &Path,
    header: &Header,
    table: &[u8],
    level: i32,
    threads: usize,
    watch: Watch<'_>,
) -> Result<Packed, WriteError> {
    let path = directory.join(format!("{}.{PACKED}", header.file_name()));
    // Work done by workers is cut into the same jobs whatever their number, so there is one at least, if one can start.
    let wanted = threads.max(1) as u32;
    let (first, rest) = table.split_at(table.len().min(BLOCK_LEN));
    let start = |workers: u32| {
        let mut encoder =
            zstd::Encoder::new(Hashed { inner: Draft::new(path.clone())?, hasher: blake3::Hasher::new() }, level)?;
        encoder.multithread(workers)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(table.len() as u64))?;
        // Now they start.
        encoder.write_all(first).map(|()| encoder)
    };
    let mut workers = wanted;
    let mut encoder = loop {
        match start(workers) {
            Ok(encoder) => break encoder,
            // What zstd has no memory or threads for. It says neither which nor of how many.
            Err(error) if error.kind() == io::ErrorKind::Other && workers > 0 => workers /= 2,
            Err(error) => return Err(error.into()),
        }
    };
    if workers < wanted {
        report_shortage(ThreadShortage { wanted: wanted as usize, started: workers.max(1) as usize });
    }
    let tell = |block: &[u8]| watch(&Event::Advance(block.len() as u64)).continue_value().ok_or(WriteError::Stopped);
    tell(first)?;
    for block in rest.chunks(BLOCK_LEN) {
        encoder.write_all(block)?;
        tell(block)?;
    }
    let Hashed { inner, hasher } = encoder.finish()?;
    Ok(Packed { path: inner.seal()?, len: hasher.count(), hash: hasher.finalize().to_string() })
}

/// Hashes, and so counts, what is written.
struct Hashed {
    inner: Draft,
    hasher: blake3::Hasher,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// An open packed table, whose header has been checked. Its payload has not.
///
/// Whatever the file is, no more than the length in its header is ever unpacked.
pub struct Unpacking<'a> {
    decoder: zstd::Decoder<'static, io::BufReader<Box<dyn Read + Send + 'a>>>,
    header: Header,
    header_bytes: Vec<u8>,
}

impl fmt::Debug for Unpacking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacking").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Unpacking<'_> {
    /// Opens a packed file, and unpacks its header.
    pub fn open(path: &Path) -> Result<Unpacking<'static>, UnpackError> {
        Unpacking::new(crate::open_file(path)?)
    }

    /// Unpacks the header of a packed table, wherever its bytes come from.
    pub fn new<'a>(packed: impl Read + Send + 'a) -> Result<Unpacking<'a>, UnpackError> {
        let packed: Box<dyn Read + Send + 'a> = Box::new(packed);
        let mut decoder = zstd::Decoder::new(packed)?;
        let mut header_bytes = Vec::with_capacity(HEADER_LEN);
        (&mut decoder).take(HEADER_LEN as u64).read_to_end(&mut header_bytes).map_err(UnpackError::from_decoder)?;
        let header = Header::parse(&header_bytes)?;
        Ok(Unpacking { decoder, header, header_bytes })
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Unpacks the table into a directory, under its own name, and checks every byte before it gets that name. `watch` receives every
    /// part of the payload, at most 8 MiB. Nothing is left when it fails.
    pub fn write(self, directory: &Path, watch: Watch<'_>) -> Result<PathBuf, UnpackError> {
        let draft = Draft::new(directory.join(self.header.file_name())).map_err(UnpackError::Write)?;
        self.copy(draft, watch)?.seal().map_err(UnpackError::Write)
    }

    /// Unpacks the table and checks every byte without writing it.
    pub fn verify(self, watch: Watch<'_>) -> Result<(), UnpackError> {
        self.copy(io::empty(), watch).map(drop)
    }

    fn copy<S: Write + Seek + Send>(mut self, sink: S, watch: Watch<'_>) -> Result<S, UnpackError> {
        let mut writer = TableWriter::new(sink).map_err(UnpackError::Write)?;
        let mut left = self.header.payload_len();
        let (mut part, mut next) = (Vec::with_capacity(PART_LEN), Vec::with_capacity(PART_LEN));
        self.read_part(&mut part, &mut left)?;
        prepare_pool();
        while !part.is_empty() {
            // The decoder has one thread; the others hash and write the part before.
            let (read, written) = rayon::join(|| self.read_part(&mut next, &mut left), || writer.add(&part));
            written.map_err(UnpackError::Write)?;
            read?;
            watch(&Event::Advance(part.len() as u64)).continue_value().ok_or(UnpackError::Stopped)?;
            std::mem::swap(&mut part, &mut next);
        }
        let mut hashes = Vec::new();
        self.take(hashes_len(self.header.payload_len()), &mut hashes)?;
        if hashes != writer.hashes.to_bytes() || writer.hashes.root() != self.header.hash() {
            return Err(UnpackError::Damaged);
        }
        let mut more = [0];
        if self.decoder.read(&mut more).map_err(UnpackError::from_decoder)? > 0 {
            return Err(UnpackError::TooLong(self.header.file_len()));
        }
        // The header may be of a later minor version, with fields that we do not know.
        writer.finish_with(&self.header_bytes).map_err(UnpackError::Write)
    }

    /// Unpacks the next part of the payload; an empty one at the end.
    fn read_part(&mut self, part: &mut Vec<u8>, left: &mut u64) -> Result<(), UnpackError> {
        let len = (*left).min(PART_LEN as u64);
        part.clear();
        self.take(len, part)?;
        *left -= len;
        Ok(())
    }

    /// Unpacks exactly this many bytes.
    fn take(&mut self, len: u64, into: &mut Vec<u8>) -> Result<(), UnpackError> {
        let read = (&mut self.decoder).take(len).read_to_end(into).map_err(UnpackError::from_decoder)?;
        if read as u64 == len { Ok(()) } else { Err(UnpackError::TooShort(self.header.file_len())) }
    }
}

/// A packed table that cannot be unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(#[from] io::Error),
    /// The file is not what the `zstd` program makes, or is damaged.
    #[error("not a whole zstd file ({0}): copy or download it again")]
    NotPacked(#[source] io::Error),
    /// What is packed is not a table.
    #[error("what is packed in it is no table: {0}")]
    Header(#[from] HeaderError),
    /// What is packed is longer than the length that its header declares.
    #[error("it holds more than the {0} bytes that its header declares: it was not made by tilebase, do not use it")]
    TooLong(u64),
    /// What is packed is shorter than the length that its header declares.
    #[error("it holds less than the {0} bytes that its header declares: copy or download it again")]
    TooShort(u64),
    /// What is packed does not have the hashes that it should have.
    #[error("its hashes do not match: copy or download it again")]
    Damaged,
    /// The table cannot be written.
    #[error("cannot write the table: {0}")]
    Write(#[source] io::Error),
    /// The watch cancelled it.
    #[error("unpacking was stopped")]
    Stopped,
}

impl UnpackError {
    /// An error of the decoder. Errors of the file system have a number, the decoder's own do not.
    fn from_decoder(error: io::Error) -> UnpackError {
        if error.raw_os_error().is_some() { UnpackError::Read(error) } else { UnpackError::NotPacked(error) }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use tilebase_index::Kind;
    use tilebase_puzzle::{Pattern, Size, Square};

    use super::*;
    use crate::blocking::Blocking;
    use crate::blocks::BlockHashes;

    /// A reader that counts.
    struct Counting<'a>(&'a [u8], &'a AtomicU64);

    impl Read for Counting<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let len = self.0.read(bytes)?;
            self.1.fetch_add(len as u64, Ordering::Relaxed);
            Ok(len)
        }
    }

    /// A table of 28 MB that does not shrink, so that the bytes that are read say how much has been unpacked.
    fn table() -> (Header, Vec<u8>) {
        let tiles = [1, 2, 3, 4, 5, 6, 7];
        let pattern = Pattern::new(Size::new(4, 4).unwrap(), Square(0), &tiles).unwrap();
        let len = 16 * 15 * 14 * 13 * 12 * 11 * 10 / 2;
        let mut number = 1_u64;
        let payload: Vec<u8> = (0..len)
            .map(|_| {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (number >> 56) as u8
            })
            .collect();
        let header = Header::new(pattern, Kind::Nibble, vec![1, 2, 1], &payload).unwrap();
        let whole = [&header.to_bytes()[..], &payload, &BlockHashes::of(&payload).to_bytes()].concat();
        (header, whole)
    }

    #[test]
    fn unpacking_stops_after_parts_of_at_most_8_mib() {
        let packed = zstd::encode_all(&table().1[..], 1).unwrap();
        for most in 0..3 {
            let (read, asked) = (AtomicU64::new(0), AtomicU64::new(0));
            let watch = |event: &Event<'_>| {
                let Event::Advance(bytes) = event else { return ControlFlow::Continue(()) };
                assert!(*bytes <= 8 << 20);
                let is_over = asked.fetch_add(1, Ordering::Relaxed) >= most;
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let stopped = Unpacking::new(Counting(&packed, &read)).unwrap().verify(&watch);
            assert!(matches!(stopped, Err(UnpackError::Stopped)));
            assert_eq!(asked.into_inner(), most + 1);
            // The next part is unpacked while one is hashed.
            assert!(read.into_inner() <= (most + 2) * (8 << 20) + (1 << 20));
        }
    }

    #[test]
    fn unpacking_from_a_reader_that_blocks_stops_as_soon_as_it_continues() {
        let packed = zstd::encode_all(&table().1[..], 1).unwrap();
        let (read, polls) = (AtomicU64::new(0), AtomicU64::new(0));
        let is_cancelled = AtomicBool::new(false);
        let watch = |_: &Event<'_>| {
            polls.fetch_add(1, Ordering::Relaxed);
            if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // In the second part, while the first is hashed, or in the third, while the second is.
        for (after, polls_before) in [(10 << 20, 0), (18 << 20, 1)] {
            [&read, &polls].into_iter().for_each(|count| count.store(0, Ordering::Relaxed));
            is_cancelled.store(false, Ordering::Relaxed);
            let (reader, gate) = Blocking::new(Counting(&packed, &read), after);
            let stopped = std::thread::scope(|scope| {
                let unpacking = scope.spawn(|| Unpacking::new(reader).unwrap().verify(&watch));
                gate.wait();
                assert_eq!(polls.load(Ordering::Relaxed), polls_before, "a poll for each part");
                is_cancelled.store(true, Ordering::Relaxed);
                gate.open();
                unpacking.join().unwrap()
            });
            assert!(matches!(stopped, Err(UnpackError::Stopped)));
            assert_eq!(polls.load(Ordering::Relaxed), polls_before + 1);
            assert!(read.load(Ordering::Relaxed) <= after + (8 << 20), "no other part is unpacked");
        }
    }

    #[test]
    fn packing_polls_for_each_block_and_leaves_nothing_when_cancelled() {
        let (header, whole) = table();
        let directory = tempfile::tempdir().unwrap();
        let blocks = whole.len().div_ceil(BLOCK_LEN) as u64;
        for (threads, most) in [(1, 1), (1, 2), (2, 5), (2, blocks), (1, u64::MAX)] {
            let (polls, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
            let watch = |event: &Event<'_>| {
                let Event::Advance(packed) = event else { panic!("{event:?}") };
                assert!(*packed <= BLOCK_LEN as u64);
                bytes.fetch_add(*packed, Ordering::Relaxed);
                let is_last = polls.fetch_add(1, Ordering::Relaxed) + 1 == most;
                if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let packed = pack(directory.path(), &header, &whole, 1, threads, &watch);
            assert_eq!(polls.into_inner(), most.min(blocks));
            if most <= blocks {
                assert!(matches!(packed, Err(WriteError::Stopped)));
                assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is left");
            } else {
                assert_eq!(bytes.into_inner(), whole.len() as u64);
                Unpacking::open(&packed.unwrap().path).unwrap().verify(&tilebase_progress::unwatched).unwrap();
            }
        }
    }
}
