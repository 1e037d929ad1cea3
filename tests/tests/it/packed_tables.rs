//! Packing and unpacking: the same bytes again or nothing at all, whatever the packed file is.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{LEVELS, UnpackError, Unpacking, WriteError, pack};
use tilebase_index::Kind;
use tilebase_lookup::{Store, Table};
use tilebase_progress::{Event, unwatched};
use tilebase_puzzle::{Catalogue, Pattern, Random, Square};
use tilebase_tests::fixtures::{size, table};
use tilebase_tests::skip::skip;

fn small(encoding: Kind) -> Table {
    table(&Pattern::new(size(3, 3), Square(0), &[1, 2, 4, 5]).unwrap(), encoding)
}

/// A table of more than one block.
fn of_two_blocks() -> Table {
    let catalogue = Catalogue::known("6-6-3").unwrap();
    Store::compiled_in().find_unverified(&catalogue.patterns()[0]).unwrap().unwrap()
}

fn whole(table: &Table) -> &[u8] {
    table.bytes().as_ref()
}

/// The packed file of a table.
fn packed(table: &Table, level: i32, threads: usize) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let packed = pack(directory.path(), table.header(), whole(table), level, threads, &unwatched).unwrap();
    let bytes = std::fs::read(&packed.path).unwrap();
    assert_eq!(bytes.len() as u64, packed.len);
    let name = format!("{}.zst", table.header().file_name());
    assert_eq!(packed.path, directory.path().join(name));
    assert_eq!(files_in(directory.path()), 1, "no temporary file is left");
    bytes
}

fn files_in(directory: &Path) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}

/// Unpacks into a directory of its own and gives the bytes of the table. When there is an error there must be no file.
fn unpack(packed: impl Read + Send) -> Result<Vec<u8>, UnpackError> {
    let directory = tempfile::tempdir().unwrap();
    let path = Unpacking::new(packed).and_then(|packed| packed.write(directory.path(), &unwatched));
    assert_eq!(files_in(directory.path()), usize::from(path.is_ok()), "a file is there whole or not at all");
    path.map(|path| std::fs::read(path).unwrap())
}

/// A zstd frame written by hand: each content is stored as it is, each pair of a byte and a number repeated.
///
/// The format is that of RFC 8878: magic, a descriptor without length or checksum, a window of 128 KiB, and blocks of up to
/// as many bytes, each with three bytes in front: whether it is the last, its kind (0 stored, 1 repeated), its length.
struct Frame(Vec<u8>);

const BLOCK: usize = 1 << 17;

impl Frame {
    fn new() -> Frame {
        Frame(vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])
    }

    fn block(&mut self, kind: u32, len: usize, last: bool) {
        let head = u32::from(last) | kind << 1 | (len as u32) << 3;
        self.0.extend(&head.to_le_bytes()[..3]);
    }

    fn stored(mut self, content: &[u8]) -> Frame {
        for part in content.chunks(BLOCK) {
            self.block(0, part.len(), false);
            self.0.extend(part);
        }
        self
    }

    fn repeated(mut self, byte: u8, blocks: usize) -> Frame {
        for _ in 0..blocks {
            self.block(1, BLOCK, false);
            self.0.push(byte);
        }
        self
    }

    fn end(mut self) -> Vec<u8> {
        self.block(0, 0, true);
        self.0
    }
}

/// Counts what is read from it.
struct Watched<'a, R> {
    inner: R,
    read: &'a AtomicU64,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[test]
fn every_kind_of_table_is_the_same_after_packing_and_unpacking() {
    for encoding in Kind::ALL {
        let table = small(encoding);
        for level in [*LEVELS.start(), 3, 19, *LEVELS.end()] {
            assert!(unpack(&packed(&table, level, 2)[..]).unwrap() == whole(&table), "{encoding}, level {level}");
        }
    }
    let table = of_two_blocks();
    assert!(unpack(&packed(&table, 3, 2)[..]).unwrap() == whole(&table));
    assert!(unpack(&Frame::new().stored(whole(&table)).end()[..]).unwrap() == whole(&table), "a frame written by hand");
}

#[test]
fn the_packed_bytes_do_not_depend_on_the_number_of_threads() {
    for (table, level) in [(small(Kind::Nibble), 19), (of_two_blocks(), 3)] {
        let one = packed(&table, level, 1);
        assert!(one.len() < whole(&table).len());
        for threads in [0, 2, 7] {
            assert!(packed(&table, level, threads) == one, "{threads} threads");
        }
    }
}

#[test]
fn progress_adds_up_and_whoever_watches_may_stop_the_work_and_nothing_is_left() {
    let table = of_two_blocks();
    let directory = tempfile::tempdir().unwrap();
    let done = AtomicU64::new(0);
    let count = |event: &Event<'_>| {
        if let Event::Advance(bytes) = event {
            done.fetch_add(*bytes, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    let file = pack(directory.path(), table.header(), whole(&table), 1, 1, &count).unwrap();
    assert_eq!(done.swap(0, Ordering::Relaxed), whole(&table).len() as u64);
    Unpacking::open(&file.path).unwrap().verify(&count).unwrap();
    assert_eq!(done.into_inner(), table.header().payload_len());
    std::fs::remove_file(&file.path).unwrap();

    let stop = |_: &Event<'_>| ControlFlow::Break(());
    let packed = pack(directory.path(), table.header(), whole(&table), 1, 1, &stop);
    assert!(matches!(packed, Err(WriteError::Stopped)) && files_in(directory.path()) == 0);
    let frame = Frame::new().stored(whole(&table)).end();
    let unpacked = Unpacking::new(&frame[..]).unwrap().write(directory.path(), &stop);
    assert!(matches!(unpacked, Err(UnpackError::Stopped)) && files_in(directory.path()) == 0);
}

#[test]
fn the_zstd_program_unpacks_what_we_pack_and_we_unpack_what_it_packs() {
    if Command::new("zstd").arg("--version").output().is_err() {
        return skip("the program zstd, to compare packed files with");
    }
    let directory = tempfile::tempdir().unwrap();
    let [ours, theirs, table_file] = ["ours.zst", "theirs.zst", "table"].map(|name| directory.path().join(name));
    let zstd = |arguments: &[&str], from: &Path, to: &Path| {
        let status = Command::new("zstd").args(["-q", "-f"]).args(arguments).arg(from).arg("-o").arg(to).status();
        assert!(status.unwrap().success());
    };
    for table in [small(Kind::Nibble), of_two_blocks()] {
        std::fs::write(&ours, packed(&table, 5, 2)).unwrap();
        zstd(&["-d"], &ours, &table_file);
        assert!(std::fs::read(&table_file).unwrap() == whole(&table));
        std::fs::write(&table_file, whole(&table)).unwrap();
        for options in [&["-1"][..], &["-7", "--no-check"], &["-T2", "-3", "--long"]] {
            zstd(options, &table_file, &theirs);
            assert!(unpack(std::fs::File::open(&theirs).unwrap()).unwrap() == whole(&table), "{options:?}");
        }
    }
}

#[test]
fn a_packed_file_cut_short_anywhere_is_refused() {
    for table in [small(Kind::Bit), small(Kind::Nibble)] {
        let packed = packed(&table, 19, 1);
        for len in 0..packed.len() {
            let error = unpack(&packed[..len]).unwrap_err();
            assert!(matches!(error, UnpackError::NotPacked(_) | UnpackError::Header(_)), "{len}: {error:?}");
        }
    }
    let packed = packed(&of_two_blocks(), 3, 2);
    for number in 0..300 {
        assert!(unpack(&packed[..packed.len() * number / 300]).is_err(), "{number}");
    }
}

#[test]
fn a_flipped_bit_in_a_packed_file_is_found_or_changes_nothing() {
    let mut random = Random::new(9);
    for (table, flips) in [(small(Kind::Nibble), 500), (of_two_blocks(), 60)] {
        let packed = packed(&table, 3, 2);
        let mut harmless = 0;
        for _ in 0..flips {
            let mut damaged = packed.clone();
            damaged[random.below(packed.len() as u64) as usize] ^= 1 << random.below(8);
            if let Ok(bytes) = unpack(&damaged[..]) {
                assert!(bytes == whole(&table), "unpacked and wrong");
                harmless += 1;
            }
        }
        assert!(harmless * 10 < flips, "{harmless} flips in bits that nobody uses are too many");
    }
}

/// What is unpacked is checked by our own hashes too: stored blocks without a checksum hide nothing from them.
#[test]
fn a_flipped_bit_of_the_table_inside_is_always_found() {
    let table = small(Kind::Nibble);
    let mut random = Random::new(10);
    for _ in 0..500 {
        let mut damaged = whole(&table).to_vec();
        let byte = random.below(damaged.len() as u64) as usize;
        damaged[byte] ^= 1 << random.below(8);
        let error = unpack(&Frame::new().stored(&damaged).end()[..]).unwrap_err();
        let in_header = matches!(error, UnpackError::Header(_));
        assert!(in_header == (byte < HEADER_LEN) && (in_header || matches!(error, UnpackError::Damaged)), "{error:?}");
    }
}

#[test]
fn a_bomb_is_stopped_at_the_length_that_its_header_declares() {
    let table = small(Kind::Nibble);
    let declared = whole(&table).len() as u64;
    // Four gigabytes of zeros: behind the table, and in the place of its entries.
    let behind = Frame::new().stored(whole(&table)).repeated(0, 1 << 15).end();
    let instead = Frame::new().stored(&whole(&table)[..HEADER_LEN]).repeated(0, 1 << 15).end();
    for (bomb, too_long) in [(&behind, true), (&instead, false)] {
        let error = unpack(&bomb[..]).unwrap_err();
        match error {
            UnpackError::TooLong(length) => assert!(too_long && length == declared),
            UnpackError::Damaged => assert!(!too_long, "entries and hashes that do not fit stop it even earlier"),
            other => panic!("{other:?}"),
        }
    }
    let error = unpack(&behind[..]).unwrap_err().to_string();
    assert!(error.contains(&format!("more than the {declared} bytes")) && error.contains("do not use it"), "{error}");
}

#[test]
fn a_bomb_without_an_end_is_stopped_and_hardly_read() {
    let table = small(Kind::Bit);
    let start = Frame::new().stored(whole(&table)).0;
    let more = Frame::new().repeated(0, 1).0.split_off(6);
    let endless = FromBytes(more.into_iter().cycle());
    let read = AtomicU64::new(0);
    let source = Watched { inner: io::Cursor::new(start).chain(endless), read: &read };
    assert!(matches!(unpack(source), Err(UnpackError::TooLong { .. })));
    let read = read.into_inner();
    assert!(read < whole(&table).len() as u64 + (1 << 20), "{read} bytes read");
}

/// Reads from an iterator over bytes.
struct FromBytes<I>(I);

impl<I: Iterator<Item = u8>> Read for FromBytes<I> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        for (place, byte) in into.iter_mut().zip(&mut self.0) {
            *place = byte;
            read += 1;
        }
        Ok(read)
    }
}

#[test]
fn one_byte_more_or_less_than_declared_is_refused() {
    for table in [small(Kind::Bit), of_two_blocks()] {
        let bytes = whole(&table);
        let longer = [bytes, &[0]].concat();
        assert!(matches!(unpack(&Frame::new().stored(&longer).end()[..]), Err(UnpackError::TooLong { .. })));
        for len in [HEADER_LEN, HEADER_LEN + 1, bytes.len() - 33, bytes.len() - 32, bytes.len() - 1] {
            let error = unpack(&Frame::new().stored(&bytes[..len]).end()[..]).unwrap_err();
            assert!(matches!(error, UnpackError::TooShort { .. }), "{len}: {error:?}");
            assert!(error.to_string().contains(&format!("less than the {} bytes", bytes.len())), "{error}");
        }
        for len in [0, 7, HEADER_LEN - 1] {
            let error = unpack(&Frame::new().stored(&bytes[..len]).end()[..]).unwrap_err();
            assert!(matches!(error, UnpackError::Header(_)), "{len}: {error:?}");
        }
    }
}

#[test]
fn garbage_behind_a_packed_table_is_refused() {
    let packed = packed(&small(Kind::Nibble), 3, 1);
    for garbage in [&b"\0"[..], b"gar", b"some garbage", &packed[..10], &[0; 4096]] {
        let error = unpack(&[&packed, garbage].concat()[..]).unwrap_err();
        assert!(matches!(error, UnpackError::NotPacked(_)), "{error:?}");
    }
    let twice = [&packed[..], &packed].concat();
    assert!(matches!(unpack(&twice[..]), Err(UnpackError::TooLong { .. })));
}

#[test]
fn frames_that_make_up_a_table_together_are_fine() {
    for table in [small(Kind::Nibble), of_two_blocks()] {
        let bytes = whole(&table);
        let parts: Vec<u8> = bytes.chunks(bytes.len() / 5).flat_map(|part| Frame::new().stored(part).end()).collect();
        assert!(unpack(&parts[..]).unwrap() == bytes);
        // Frames that are to be skipped (a magic number and a length) may stand before, and empty ones behind.
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let around = [&skipped[..], &parts, &Frame::new().end(), &skipped].concat();
        assert!(unpack(&around[..]).unwrap() == bytes);
    }
}

#[test]
fn a_directory_that_cannot_take_the_table_is_an_error() {
    let packed = packed(&small(Kind::Bit), 3, 1);
    let directory = tempfile::tempdir().unwrap();
    let error = Unpacking::new(&packed[..]).unwrap().write(&directory.path().join("gone"), &unwatched).unwrap_err();
    assert!(matches!(error, UnpackError::Write(_)) && error.to_string().contains("cannot write"), "{error:?}");
}

#[test]
fn an_error_of_whoever_gives_the_bytes_is_no_damage() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(5))
        }
    }
    let packed = packed(&of_two_blocks(), 3, 1);
    for len in [0, 10, packed.len() / 2, packed.len() - 1] {
        let error = unpack(packed[..len].chain(Broken)).unwrap_err();
        assert!(matches!(error, UnpackError::Read(_)) && error.to_string().contains("cannot read"), "{len}: {error:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        prop_assert!(unpack(&bytes[..]).is_err());
        // The same as what a zstd frame says, and as what it holds.
        prop_assert!(unpack(&[&Frame::new().0, &bytes[..]].concat()[..]).is_err());
        prop_assert!(unpack(&Frame::new().stored(&bytes).end()[..]).is_err());
    }

    #[test]
    fn packed_files_with_a_part_overwritten_never_panic(
        at in 0.0..1.0f64, bytes in prop::collection::vec(any::<u8>(), 1..40)
    ) {
        let table = small(Kind::Bit);
        let mut packed = packed(&table, 3, 1);
        let start = (at * packed.len() as f64) as usize;
        packed.splice(start..(start + bytes.len()).min(packed.len()), bytes);
        if let Ok(unpacked) = unpack(&packed[..]) {
            prop_assert!(unpacked == whole(&table));
        }
    }
}
