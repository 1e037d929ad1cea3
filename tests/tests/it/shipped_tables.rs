//! The tables that come with the program are what the builder builds now, and damaged ones are refused.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tempfile::TempDir;
use tilebase_format::layout::{HEADER_LEN, MAGIC};
use tilebase_format::{Header, HeaderError, PACKED, Unpacking};
use tilebase_generate::{Build, Memory, excess};
use tilebase_heuristics::{Additive, Heuristic};
use tilebase_index::{IndexError, Kind, LineCosts, Map, Perm, Place, Row};
use tilebase_lookup::{AdditiveTable, Bytes, LineTable, Loading, OpenError, Store, Table, UnpackError, UnpackedTable};
use tilebase_progress::unwatched;
use tilebase_puzzle::{Catalogue, Direction, Frame, Goal, Partition, Pattern, Random, Square, State};
use tilebase_solve::{Limits, Request, Solver};
use tilebase_tests::fixtures::{drawn, frame, size, store_in, table, tables};
use tilebase_tests::follow;

/// A place in the repository.
fn place(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The directory of the tables that can be part of the program.
fn shipped() -> PathBuf {
    place("crates/lookup/tables")
}

fn shipped_partition() -> Partition {
    Catalogue::known("6-6-3").unwrap().partitions.remove(0)
}

/// A small pattern for damaged files, and the bytes of its table.
fn sample() -> (Pattern, Vec<u8>) {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 4]).unwrap();
    (pattern, table(&pattern, Kind::Bit).bytes().as_ref().to_vec())
}

/// A directory with these bytes under the name of the pattern's bit table.
fn directory_with(pattern: &Pattern, bytes: &[u8]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(Header::file_name_of(pattern, Kind::Bit));
    fs::write(&path, bytes).unwrap();
    (directory, path)
}

/// A store that maps.
fn mapped(directory: &Path) -> Store {
    store_in(directory, Loading::Map)
}

/// What reading and mapping say about bytes that are no whole table of the pattern: the same, naming the file.
fn refused(pattern: &Pattern, bytes: &[u8]) -> HeaderError {
    let (directory, path) = directory_with(pattern, bytes);
    let read = Table::read_unverified(&path).expect_err("reading must fail");
    let mapped = mapped(directory.path()).find_unverified(pattern).expect_err("mapping must fail");
    let in_memory = Table::new(Bytes::Owned(bytes.to_vec())).expect_err("opening must fail");
    for error in [&read, &mapped] {
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    let why = |error: OpenError| match error {
        OpenError::Header { error, .. } => error,
        other => panic!("expected what is wrong with the header, found: {other}"),
    };
    let (read, mapped, in_memory) = (why(read), why(mapped), why(in_memory));
    assert_eq!((read, mapped), (in_memory, in_memory));
    in_memory
}

#[test]
fn the_shipped_files_are_exactly_what_is_built_now() {
    let mut expected = Vec::new();
    let catalogues = ["5-5-5", "6-6-3"].map(|name| Catalogue::known(name).unwrap());
    for pattern in catalogues.iter().flat_map(Catalogue::patterns) {
        let built = &Build::new(&pattern, &[Kind::Bit]).unwrap().run(0, &Memory, &unwatched).unwrap()[0];
        let name = built.header.file_name();
        assert!(fs::read(shipped().join(&name)).unwrap() == built.bytes(), "{name} differs from a new build");
        expected.push(name);
    }
    let files = fs::read_dir(shipped()).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "tbl"));
    let mut files: Vec<String> = files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    files.sort_unstable();
    expected.sort_unstable();
    assert_eq!(files, expected);
}

#[test]
fn tables_read_mapped_and_compiled_in_give_equal_costs() {
    let (in_directory, compiled_in) = (mapped(&shipped()), Store::compiled_in());
    let frame = Frame::new(&Goal::BlankFirst.board(size(4, 4)).unwrap());
    for pattern in shipped_partition().patterns() {
        let path = shipped().join(Header::file_name_of(pattern, Kind::Bit));
        assert!(in_directory.patterns(pattern.size(), pattern.home()).contains(pattern));
        assert!(compiled_in.patterns(pattern.size(), pattern.home()).contains(pattern));
        let read = Table::read_unverified(&path).unwrap();
        let mapped = in_directory.find_unverified(pattern).unwrap().unwrap();
        let inside = compiled_in.find_unverified(pattern).unwrap().unwrap();
        assert!(matches!(read.bytes(), Bytes::Owned(_)));
        assert!(matches!(mapped.bytes(), Bytes::Mapped(_)));
        assert!(matches!(inside.bytes(), Bytes::Static(_)));
        assert_eq!((read.header(), mapped.header()), (inside.header(), inside.header()));
        let mut random = Random::new(15);
        for _ in 0..2_000 {
            let state = frame.state(&random.solvable_board(frame.goal())).unwrap();
            let cost = |table: &Table| table.cost(&table.locate(&state)?);
            let expected = cost(&read);
            assert!(expected.is_some_and(|cost| cost <= read.header().max()));
            assert_eq!([cost(&mapped), cost(&inside)], [expected; 2]);
        }
    }
}

#[test]
fn a_pattern_without_a_table_is_not_an_error() {
    let (pattern, _) = sample();
    let empty = tempfile::tempdir().unwrap();
    let store = Store::new(vec![empty.path().to_owned(), empty.path().join("missing")]);
    assert!(store.find_unverified(&pattern).unwrap().is_none());
    assert!(!store.patterns(pattern.size(), pattern.home()).contains(&pattern));
}

#[test]
fn a_bit_table_is_taken_before_a_nibble_table_wherever_they_are() {
    let (pattern, bytes) = sample();
    let (both, _) = directory_with(&pattern, &bytes);
    let nibble_only = tempfile::tempdir().unwrap();
    let nibble = table(&pattern, Kind::Nibble);
    for directory in [&both, &nibble_only] {
        fs::write(directory.path().join(nibble.header().file_name()), nibble.bytes()).unwrap();
    }
    let found = |directories: [&TempDir; 2]| {
        let directories = directories.map(|directory| directory.path().to_owned());
        Store::new(directories.to_vec()).find_unverified(&pattern).unwrap().unwrap().header().kind()
    };
    assert_eq!(found([&both, &nibble_only]), Kind::Bit);
    assert_eq!(found([&nibble_only, &both]), Kind::Bit);
    assert_eq!(found([&nibble_only, &nibble_only]), Kind::Nibble);
}

#[test]
fn files_that_were_cut_short_or_grew_are_refused() {
    let (pattern, bytes) = sample();
    let expected = bytes.len() as u64;
    assert_eq!(refused(&pattern, &[]), HeaderError::Empty);
    for len in [1, MAGIC.len() - 1] {
        assert_eq!(refused(&pattern, &bytes[..len]), HeaderError::Magic, "{len} bytes");
    }
    for len in [MAGIC.len(), 100, HEADER_LEN - 1] {
        let truncated = HeaderError::Length { expected: HEADER_LEN as u64, found: len as u64 };
        assert_eq!(refused(&pattern, &bytes[..len]), truncated);
    }
    for len in [HEADER_LEN, HEADER_LEN + 1, bytes.len() - 1] {
        let truncated = HeaderError::Length { expected, found: len as u64 };
        assert_eq!(refused(&pattern, &bytes[..len]), truncated);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(refused(&pattern, &longer), HeaderError::Length { expected, found: expected + 1 });
}

#[test]
fn a_file_that_is_no_table_and_a_changed_header_are_refused() {
    let (pattern, bytes) = sample();
    assert_eq!(refused(&pattern, b"# The 15-puzzle in two patterns"), HeaderError::Magic);
    assert_eq!(refused(&pattern, &vec![0; bytes.len()]), HeaderError::Magic);
    for offset in [12, 13, 14, 15, 16, 24, 32, 64, 128, HEADER_LEN - 1] {
        let mut changed = bytes.clone();
        changed[offset] ^= 1;
        assert_eq!(refused(&pattern, &changed), HeaderError::Checksum, "byte {offset}");
    }
}

#[test]
fn a_directory_and_a_missing_file_are_refused() {
    let (pattern, _) = sample();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(Header::file_name_of(&pattern, Kind::Bit));
    assert!(matches!(Table::read_unverified(&path), Err(OpenError::Io { .. })), "it is not there");
    fs::create_dir(&path).unwrap();
    let store = mapped(directory.path());
    for error in [Table::read_unverified(&path).unwrap_err(), store.find_unverified(&pattern).unwrap_err()] {
        assert!(matches!(error, OpenError::Io { .. }), "{error}");
        assert!(error.to_string().ends_with("it is not an ordinary file"), "{error}");
    }
}

#[test]
fn another_table_under_the_right_name_is_refused_with_its_own_name() {
    let (pattern, _) = sample();
    let other = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 5]).unwrap();
    let elsewhere = Pattern::new(size(3, 3), Square(8), &[1, 2, 3, 4]).unwrap();
    let others = [table(&other, Kind::Bit), table(&elsewhere, Kind::Bit), table(&pattern, Kind::Nibble)];
    for other in others {
        let (directory, path) = directory_with(&pattern, other.bytes().as_ref());
        let error = mapped(directory.path()).find_unverified(&pattern).unwrap_err();
        let OpenError::OtherTable(found, name) = &error else { panic!("{error}") };
        assert_eq!((found, name), (&path, &other.header().file_name()));
        assert!(Table::read_unverified(&path).is_ok(), "by itself it is a whole table");
    }
}

#[test]
fn a_good_table_later_on_does_not_hide_a_damaged_one() {
    let (pattern, bytes) = sample();
    let (damaged, _) = directory_with(&pattern, &bytes[..bytes.len() - 1]);
    let (good, _) = directory_with(&pattern, &bytes);
    let directories = [&damaged, &good].map(|directory| directory.path().to_owned());
    for loading in [Loading::Read, Loading::Map] {
        let store = store_in(&directories[0], loading).with_directory(directories[1].clone());
        assert!(store.find_unverified(&pattern).is_err());
    }
}

/// Walks at random with tables that may be damaged; whatever they say, nothing panics and the search ends.
fn use_anyway(tables: &[Table], seed: u64) {
    let frame = frame(size(3, 3), Square(0));
    let mut random = Random::new(seed);
    let board = random.solvable_board(frame.goal());
    let mut state: State = frame.state(&board).unwrap();
    for table in tables {
        let _ = table.locate(&state).and_then(|place| table.cost(&place));
    }
    let additive = Additive::<AdditiveTable>::new(AdditiveTable::ready(tables).unwrap()).unwrap();
    if let Some(mut node) = additive.root(&state) {
        for _ in 0..500 {
            let Some(slide) = state.slide_in(Direction::ALL[random.below(4) as usize]) else { continue };
            (node, _) = follow::after(&additive, &node, slide);
            state.make(slide);
        }
    }
    let limits = Limits::default().nodes(20_000);
    let _ = Solver::new(frame, additive).solve(&board, &Request::default().limits(limits));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..6000)) {
        prop_assert!(Table::new(Bytes::Owned(bytes.clone())).is_err());
        let with_magic = [&MAGIC, &bytes[..]].concat();
        prop_assert!(Table::new(Bytes::Owned(with_magic)).is_err());
    }

    #[test]
    fn flipped_bytes_of_the_payload_never_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..200), nibble: bool, seed: u64,
    ) {
        let encoding = if nibble { Kind::Nibble } else { Kind::Bit };
        let damaged = tables(&drawn(".AA/BAA/BBB"), encoding).into_iter().map(|table| {
            let mut bytes = table.bytes().as_ref().to_vec();
            for (place, flip) in &flips {
                bytes[HEADER_LEN + place.index(table.header().payload_len() as usize)] ^= flip;
            }
            Table::new(Bytes::Owned(bytes)).expect("opening does not read the payload")
        });
        use_anyway(&damaged.collect::<Vec<_>>(), seed);
    }
}

#[test]
fn payloads_of_equal_bytes_never_panic() {
    for encoding in [Kind::Bit, Kind::Nibble] {
        for byte in [0x00, 0x55, 0xaa, 0xff] {
            let damaged = tables(&drawn(".AA/BAA/BBB"), encoding).into_iter().map(|table| {
                let mut bytes = table.bytes().as_ref().to_vec();
                bytes[HEADER_LEN..].fill(byte);
                Table::new(Bytes::Owned(bytes)).expect("opening does not read the payload")
            });
            use_anyway(&damaged.collect::<Vec<_>>(), u64::from(byte));
        }
    }
}

/// Files of version 1.0 as the first program wrote them. They must open for ever, whatever becomes of the format.
#[test]
fn sample_files_of_version_1_0_open_and_have_the_true_costs() {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 4]).unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/format-1.0");
    for encoding in [Kind::Bit, Kind::Nibble, Kind::AllMoves] {
        let sample = Table::read_unverified(&samples.join(Header::file_name_of(&pattern, encoding))).unwrap();
        assert_eq!(sample.header().version(), (1, 0));
        assert_eq!((sample.header().pattern(), sample.header().kind()), (&pattern, encoding));
        sample.verify(&unwatched).unwrap();
        let built = table(&pattern, encoding);
        let mut random = Random::new(7);
        let frame = frame(pattern.size(), pattern.home());
        for _ in 0..1000 {
            let state = frame.state(&random.solvable_board(frame.goal())).unwrap();
            let cost = |table: &Table| table.cost(&table.locate(&state).unwrap());
            assert_eq!(cost(&sample), cost(&built));
        }
    }
}

/// The kind that came with version 1.1.
#[test]
fn the_sample_file_of_version_1_1_opens_and_has_the_true_costs() {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 4]).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/format-1.1/3x3-0-1.2.3.4.mtm.tbl");
    let sample = Table::read_unverified(&file).unwrap();
    assert_eq!(sample.header().version(), (1, 1));
    assert_eq!((sample.header().pattern(), sample.header().kind()), (&pattern, Kind::Lines));
    sample.verify(&unwatched).unwrap();
    let built = table(&pattern, Kind::Lines);
    assert_eq!(sample.header(), built.header());
    assert!(sample.payload() == built.payload());
    let ready = LineTable::new(&sample).unwrap();
    let costs = (0..sample.header().entries()).filter_map(|line| ready.cost(line));
    let mut histogram = vec![0; sample.header().histogram().len()];
    costs.for_each(|cost| histogram[cost as usize] += 1);
    assert_eq!(sample.header().histogram(), histogram);
}

/// Whether a table has anything to say about a state or a place.
fn has_anything(table: &Table, state: &State, place: &Place) -> bool {
    table.locate(state).is_some() || table.cost(place).is_some() || table.entry(place).is_some()
}

#[test]
fn a_table_of_lines_has_no_places_for_states() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/format-1.1/3x3-0-1.2.3.4.mtm.tbl");
    let lines = Table::read_unverified(&file).unwrap();
    let solved = State::solved(size(3, 3), Square(0));
    let states = table(lines.pattern(), Kind::Bit);
    let place = states.locate(&solved).unwrap();
    assert!(has_anything(&states, &solved, &place));
    assert!(lines.index().is_none() && !has_anything(&lines, &solved, &place));
    assert!(matches!(lines.header().index(), Err(IndexError::Lines)));
    assert!(excess(lines.header(), lines.payload(), 1, &unwatched).is_err());
    let ready = LineTable::new(&lines).unwrap();
    assert_eq!([lines.header().entries(), u64::MAX].map(|line| ready.cost(line)), [None; 2]);
}

#[test]
fn only_tables_of_bits_are_unpacked() {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 4]).unwrap();
    for kind in Kind::ALL {
        let unpacked = UnpackedTable::new(&table(&pattern, kind), &unwatched);
        match kind {
            Kind::Bit | Kind::AllMoves => assert_eq!(unpacked.unwrap().cost(u64::MAX), None, "no such entry"),
            _ => assert!(matches!(unpacked, Err(UnpackError::NotBits(found)) if found == kind)),
        }
    }
}

#[test]
fn a_table_has_no_place_for_states_of_another_puzzle_and_no_cost_for_places_of_another_table() {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3]).unwrap();
    let larger = table(&Pattern::new(size(4, 3), Square(0), &[1, 2, 3, 4]).unwrap(), Kind::Bit);
    let far = larger.locate(&State::solved(size(4, 3), Square(0))).unwrap();
    let far = Place { row: Row(larger.index().unwrap().rows() as u32 - 1), ..far };
    for kind in [Kind::Bit, Kind::Nibble, Kind::AllMoves] {
        let table = table(&pattern, kind);
        let puzzles = [(size(3, 3), 0), (size(3, 3), 4), (size(4, 3), 0), (size(4, 4), 0)];
        let found = puzzles.map(|(size, home)| table.locate(&State::solved(size, Square(home))));
        let places = found.each_ref().map(Option::is_some);
        assert_eq!(places, [true, false, false, false], "{kind}");
        let own = found[0].unwrap();
        let others = [
            Place { map: Map(u32::MAX), row: far.row, ..own },
            Place { map: Map(u32::MAX), row: Row(u32::MAX), ..own },
            Place { perm: Perm(6), ..own },
            Place { perm: Perm(u32::MAX), ..own },
        ];
        assert_eq!(table.cost(&own), Some(0), "{kind}");
        for other in others {
            assert_eq!((table.entry(&other), table.cost(&other)), (None, None), "{kind}: {other:?}");
        }
    }
}

/// Maps only where the program has promised that nothing else writes.
#[test]
fn a_store_maps_files_of_the_allowed_directories_alone() {
    let (pattern, bytes) = sample();
    let (allowed, allowed_path) = directory_with(&pattern, &bytes);
    let (other, other_path) = directory_with(&pattern, &bytes);
    let is_mapped = |store: &Store| {
        let table = store.find_unverified(&pattern).unwrap().unwrap();
        matches!(table.bytes(), Bytes::Mapped(_))
    };
    let never = Store::new(vec![allowed.path().to_owned()]);
    for loading in [Loading::Map, Loading::CopyUpTo(0)] {
        let store = store_in(allowed.path(), loading);
        assert!(is_mapped(&store));
        assert!(!is_mapped(&never.clone().with_loading(loading)), "it was not allowed");
        // Directories that are added later are searched, but what was promised of the first is not promised of them.
        std::fs::remove_file(&allowed_path).unwrap();
        assert!(!is_mapped(&store.with_directory(other.path().to_owned())));
        std::fs::write(&allowed_path, &bytes).unwrap();
    }
    for loading in [Loading::Read, Loading::Copy, Loading::CopyUpTo(u64::MAX)] {
        assert!(!is_mapped(&store_in(allowed.path(), loading)));
    }
    // Any file can be checked, wherever it is.
    let header = store_in(allowed.path(), Loading::Map).check_file(&other_path, &unwatched).unwrap();
    assert_eq!(header.pattern(), &pattern);
}

#[test]
fn the_manifest_is_true_of_what_is_built_and_of_the_packed_files() {
    let manifest = fs::read_to_string(place("crates/tilebase/manifest.jsonl")).unwrap();
    let line_of = |name: &str| manifest.lines().find(|line| line.contains(&format!("{{\"file\":\"{name}\""))).unwrap();
    let has = |line: &str, field: String| assert!(line.contains(&field), "{field} is not in {line}");
    let mut packed_files = 0;
    for catalogue in ["5-5-5", "6-6-3"].map(|name| Catalogue::known(name).unwrap()) {
        for pattern in catalogue.patterns() {
            for table in Build::new(&pattern, &[Kind::Bit, Kind::Nibble]).unwrap().run(0, &Memory, &unwatched).unwrap()
            {
                let (header, name) = (&table.header, table.header.file_name());
                let line = line_of(&name);
                has(line, format!("\"bytes\":{},", header.file_len()));
                has(line, format!("\"hash\":\"{}\"", header.hash_text()));
                has(line, format!("\"histogram\":{:?}", header.histogram()).replace(' ', ""));
                if header.kind() != Kind::Nibble {
                    continue;
                }
                let packed = place("pdb/packed").join(format!("{name}.{PACKED}"));
                let bytes = fs::read(&packed).unwrap();
                has(line, format!("\"packed_bytes\":{}", bytes.len()));
                has(line, format!("\"packed_hash\":\"{}\"", blake3::hash(&bytes)));
                let directory = tempfile::tempdir().unwrap();
                let unpacked = Unpacking::open(&packed).unwrap().write(directory.path(), &unwatched).unwrap();
                assert!(fs::read(unpacked).unwrap() == table.bytes(), "{name} differs from a new build");
                packed_files += 1;
            }
        }
    }
    assert_eq!(fs::read_dir(place("pdb/packed")).unwrap().count(), packed_files);
}
