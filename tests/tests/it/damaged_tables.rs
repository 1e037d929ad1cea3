//! Everything that can be wrong with a table file: it is refused when it is opened or found by `verify`, and whatever opens
//! can be asked anything without a panic.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN, at};
use tilebase_format::{BlockHashes, Header, HeaderError};
use tilebase_heuristics::runs::{LineTables, Position, RunHeuristic};
use tilebase_index::{Kind, PatternCosts, Standing};
use tilebase_lookup::{
    AdditiveTable, AllMovesTable, Bytes, LineTable, Loading, OpenError, Store, Table, VerifyError, read_header,
};
use tilebase_progress::{until, unwatched};
use tilebase_puzzle::{Catalogue, Direction, Pattern, Random, Size, Square, State};
use tilebase_tests::fixtures::{size, store_in, table};
use tilebase_tests::follow::Followed;
#[cfg(unix)]
use tilebase_tests::skip::skip;

const LOADINGS: [Loading; 3] = [Loading::Map, Loading::Read, Loading::Copy];

fn pattern(size: Size, tiles: &[u64]) -> Pattern {
    Pattern::new(size, Square(0), tiles).unwrap()
}

/// The file of a table.
fn bytes_of(pattern: &Pattern, kind: Kind) -> Vec<u8> {
    table(pattern, kind).bytes().as_ref().to_vec()
}

/// One small table of each kind.
fn one_of_each_kind() -> &'static [Vec<u8>] {
    static TABLES: LazyLock<[Vec<u8>; Kind::ALL.len()]> =
        LazyLock::new(|| Kind::ALL.map(|kind| bytes_of(&pattern(size(3, 3), &[1, 2, 4, 5]), kind)));
    &*TABLES
}

fn open(bytes: Vec<u8>) -> Result<Table, OpenError> {
    Table::new(Bytes::Owned(bytes))
}

/// Makes the checksum of a header right again.
fn mend_checksum(bytes: &mut [u8]) {
    // The hash of a single block is the plain hash of its bytes.
    let sum = BlockHashes::of(&bytes[..at::CHECKSUM.offset]).to_bytes();
    bytes[at::CHECKSUM.offset..][..at::CHECKSUM.len].copy_from_slice(&sum);
}

/// Asks a table everything that a search asks, along a random walk.
fn look_up(table: &Table, random: &mut Random) {
    let tables = std::slice::from_ref(table);
    if table.kind() == Kind::Lines {
        follow_lines(table, random);
    } else if table.kind().counts_all_moves() {
        follow(table, &AllMovesTable::ready(tables).unwrap()[0], random);
    } else {
        follow(table, &AdditiveTable::ready(tables).unwrap()[0], random);
    }
}

/// The same of a table of lines, through every view.
fn follow_lines(table: &Table, random: &mut Random) {
    let views = LineTables::<_, 8>::new(LineTable::views(table).unwrap()).unwrap();
    let pattern = *table.pattern();
    let mut state = State::solved(pattern.size(), pattern.home());
    let mut costs = [0, 1, 7, 80, 200, 254, 255, 3];
    for _ in 0..60 {
        let direction = Direction::ALL[random.below(4) as usize];
        while let Some(slide) = state.slide_in(direction) {
            state.make(slide);
            let position = Position::of(&state);
            let axis = direction.axis().other();
            let cost = views.bound(&state);
            assert!(cost.is_none_or(|cost| cost <= 256));
            let before = costs;
            if let Ok(after) = views.finish(&costs, views.begin(&position, axis), &position, axis, u32::MAX) {
                assert!(after.iter().zip(before).all(|(after, before)| after.abs_diff(before) <= 1));
                costs = after;
            }
            if random.below(2) == 0 {
                break;
            }
        }
    }
}

fn follow(table: &Table, ready: &impl PatternCosts, random: &mut Random) {
    let pattern = *table.pattern();
    let mut state = State::solved(pattern.size(), pattern.home());
    let mut followed = Followed::new(ready, &state);
    for _ in 0..60 {
        let slide = loop {
            if let Some(slide) = state.slide_in(Direction::ALL[random.below(4) as usize]) {
                break slide;
            }
        };
        state.make(slide);
        let place = table.locate(&state).unwrap();
        let entry = followed.slide(slide);
        assert_eq!(followed.standing(), Standing::from(&place));
        let cost = table.cost(&place);
        assert_eq!(ready.cost(&place), cost);
        assert!(cost.is_none_or(|cost| cost <= 255 || table.header().kind() == Kind::Nibble));
        let Some(entry) = entry else { continue };
        assert_eq!(Some(entry), table.entry(&place));
        for before in [0, 1, cost.unwrap_or(7) as u8, 80, 255] {
            let after = followed.cost_after(entry, before);
            let difference = after.wrapping_sub(before) as i8;
            assert!(table.header().kind() == Kind::Nibble || difference.abs() == 1);
        }
    }
}

#[test]
fn a_table_cut_short_anywhere_is_refused_at_open_and_so_is_a_longer_one() {
    for whole in one_of_each_kind() {
        assert!(open(whole.clone()).is_ok());
        for len in 0..whole.len() {
            let error = open(whole[..len].to_vec()).unwrap_err();
            let OpenError::Header { error, .. } = error else { panic!("{len}: {error}") };
            match error {
                HeaderError::Empty => assert_eq!(len, 0),
                HeaderError::Magic => assert!(len < 8, "{len}"),
                HeaderError::Length { found, .. } => assert_eq!(found, len as u64),
                other => panic!("{len}: {other}"),
            }
        }
        for more in [1, 31, 32, 4096] {
            let longer = [whole.clone(), vec![0; more]].concat();
            let error = open(longer).unwrap_err().to_string();
            assert!(error.contains("too long"), "{error}");
        }
    }
}

#[test]
fn each_of_a_thousand_flipped_bits_is_found_at_open_or_by_verify() {
    let mut random = Random::new(4);
    for kind in Kind::ALL {
        let whole = bytes_of(&pattern(size(4, 4), &[1, 2, 5, 6]), kind);
        let header = Header::parse(&whole).unwrap();
        let end_of_payload = HEADER_LEN + header.payload_len() as usize;
        assert_eq!(open(whole.clone()).unwrap().verify(&unwatched), Ok(()));
        for round in 0..1000 {
            let (start, end) =
                [(0, HEADER_LEN), (HEADER_LEN, end_of_payload), (end_of_payload, whole.len())][round % 3];
            let byte = start + random.below((end - start) as u64) as usize;
            let bit = random.below(8);
            let mut damaged = whole.clone();
            damaged[byte] ^= 1 << bit;
            match open(damaged) {
                Err(_) => assert!(byte < HEADER_LEN, "{kind}: byte {byte}, bit {bit}"),
                Ok(table) => {
                    let damage = table.verify(&unwatched).expect_err(&format!("{kind}: byte {byte}, bit {bit}"));
                    assert_eq!(damage == VerifyError::Hashes, byte >= end_of_payload, "{kind}: byte {byte}, bit {bit}");
                    look_up(&table, &mut random);
                }
            }
        }
    }
}

#[test]
fn verify_stops_when_it_is_told_to_and_says_so() {
    let table = open(one_of_each_kind()[0].clone()).unwrap();
    assert_eq!(table.verify(&until(&AtomicBool::new(false))), Ok(()));
    assert_eq!(table.verify(&until(&AtomicBool::new(true))), Err(VerifyError::Stopped));
}

#[test]
fn verify_names_each_damaged_block_and_its_bytes() {
    let catalogue = Catalogue::known("6-6-3").unwrap();
    let shipped = Store::compiled_in().find_unverified(&catalogue.patterns()[0]).unwrap().unwrap();
    let whole = shipped.bytes().as_ref();
    let end_of_payload = HEADER_LEN + shipped.payload().len();
    assert!(shipped.payload().len() > BLOCK_LEN, "two blocks at least");
    let last_of_first = HEADER_LEN + BLOCK_LEN - 1;
    for (flips, expected) in [
        (&[HEADER_LEN][..], format!("damaged in block 0 (bytes {HEADER_LEN} to {last_of_first})")),
        (&[last_of_first], format!("damaged in block 0 (bytes {HEADER_LEN} to {last_of_first})")),
        (&[last_of_first + 1], format!("damaged in block 1 (bytes {} to {})", last_of_first + 1, end_of_payload - 1)),
        (&[end_of_payload - 1], format!("damaged in block 1 (bytes {} to {})", last_of_first + 1, end_of_payload - 1)),
        (
            &[HEADER_LEN, end_of_payload - 1],
            "damaged in block 0 (bytes 4096 to 1052671), 1 (bytes 1052672 to".to_owned(),
        ),
        (&[end_of_payload], "the hashes of its blocks are damaged".to_owned()),
    ] {
        let mut damaged = whole.to_vec();
        flips.iter().for_each(|&byte| damaged[byte] ^= 1);
        let damage = open(damaged).unwrap().verify(&unwatched).unwrap_err().to_string();
        assert!(damage.starts_with(&expected) && damage.ends_with("copy or build the table again"), "{damage}");
    }
}

#[test]
fn a_table_with_every_payload_byte_wrong_answers_without_a_panic() {
    let mut random = Random::new(11);
    for whole in one_of_each_kind() {
        let header = Header::parse(whole).unwrap();
        for fill in [0x00, 0xff, 0x0f, 0xaa] {
            let mut damaged = whole.clone();
            damaged[HEADER_LEN..][..header.payload_len() as usize].fill(fill);
            let table = open(damaged).unwrap();
            assert!(table.verify(&unwatched).is_err());
            (0..20).for_each(|_| look_up(&table, &mut random));
        }
    }
}

/// Opens bytes and, when they open, asks and verifies the table.
fn open_and_ask(bytes: Vec<u8>, seed: u64) {
    if let Ok(table) = open(bytes) {
        look_up(&table, &mut Random::new(seed));
        let _ = table.verify(&unwatched);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..6000), seed in any::<u64>()) {
        prop_assert!(open(bytes.clone()).is_err());
        // The same bytes behind the start of a table, so that they get further.
        let mut start = one_of_each_kind()[(seed % 3) as usize][..12].to_vec();
        start.extend(bytes);
        if start.len() >= HEADER_LEN {
            mend_checksum(&mut start);
        }
        open_and_ask(start, seed);
    }

    #[test]
    fn changed_headers_with_a_right_checksum_never_panic(
        kind in 0..Kind::ALL.len(), seed in any::<u64>(),
        changes in prop::collection::vec((prop_oneof![8..64usize, 64..2300usize, 0..4064usize], any::<u8>()), 1..4),
    ) {
        let mut bytes = one_of_each_kind()[kind].clone();
        for (offset, value) in changes {
            bytes[offset] = value;
        }
        mend_checksum(&mut bytes);
        // When the header can be read, the rest is made as long as it says, if that is not too long for a test.
        if let Ok(header) = Header::parse(&bytes) && header.file_len() < 1 << 20 {
            bytes.resize(header.file_len() as usize, seed as u8);
        }
        open_and_ask(bytes, seed);
    }

    #[test]
    fn tables_of_any_pattern_full_of_noise_never_panic(
        width in 2..6usize, height in 2..6usize, home in 0..25u8, tiles in 0..1u32 << 25, kind in 0..Kind::ALL.len(),
        levels in 1..255usize, seed in any::<u64>(),
    ) {
        let Ok(size) = Size::new(width, height) else { return Ok(()) };
        // At most four tiles, so that the tables are small.
        let mut tiles = tiles & ((1 << size.count()) - 1) & !(1 << (home % size.count() as u8));
        while tiles.count_ones() > 4 {
            tiles &= tiles - 1;
        }
        let Ok(pattern) = Pattern::from_mask(size, Square(home % size.count() as u8), tiles) else { return Ok(()) };
        let kind = Kind::ALL[kind];
        let mut random = Random::new(seed);
        let extent = tilebase_index::Extent::of(size, pattern.len(), kind);
        let mut payload = vec![0; kind.payload_len(kind.entries(&extent) as u64) as usize];
        payload.iter_mut().for_each(|byte| *byte = random.next_u64() as u8);
        let goals = if kind == Kind::Lines { 2 } else { 1 };
        let histogram = std::iter::once(goals).chain(vec![1; levels - 1]).collect();
        if let Ok(header) = Header::new(pattern, kind, histogram, &payload) {
            let hashes = BlockHashes::of(&payload).to_bytes();
            let noise = open([&header.to_bytes()[..], &payload, &hashes].concat()).unwrap();
            prop_assert_eq!(noise.verify(&unwatched), Ok(()));
            look_up(&noise, &mut random);
        }
    }
}

/// What each way of opening a file says about it. The store is asked for the table that the file is named after.
fn complaints(path: &Path, pattern: &Pattern) -> Vec<String> {
    let directory = path.parent().unwrap().to_owned();
    let mut complaints = vec![
        Table::read_unverified(path).map(drop).unwrap_err().to_string(),
        read_header(path).map(drop).unwrap_err().to_string(),
        Bytes::copy(path).and_then(Table::new).map(drop).unwrap_err().to_string(),
    ];
    for loading in LOADINGS {
        let store = store_in(&directory, loading);
        complaints.push(store.find_unverified(pattern).map(drop).unwrap_err().to_string());
    }
    complaints
}

/// A directory with room for a file that has the name of a table.
fn place_for(pattern: &Pattern) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(Header::file_name_of(pattern, Kind::Bit));
    (directory, path)
}

#[test]
fn files_that_are_no_tables_are_refused_with_a_clear_message() {
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let whole = bytes_of(&pattern, Kind::Bit);
    let newer = |major: u8, minor: u8| {
        let mut bytes = whole.clone();
        bytes[at::MAJOR.offset] = major;
        bytes[at::MINOR.offset] = minor;
        mend_checksum(&mut bytes);
        bytes
    };
    let flipped = |byte: usize| {
        let mut bytes = whole.clone();
        bytes[byte] ^= 1;
        bytes
    };
    for (bytes, words) in [
        (Vec::new(), &["the file is empty", "copy or build"][..]),
        (b"\x28\xb5\x2f\xfd and so on".to_vec(), &["packed", "tables unpack"]),
        (b"some notes of mine, long enough".to_vec(), &["not a tilebase table"]),
        (whole[..8].to_vec(), &["too short", "found 8"]),
        (whole[..5000.min(whole.len() - 1)].to_vec(), &["too short", "copy or build"]),
        ([&whole[..], b"more"].concat(), &["too long", "copy or build"]),
        (newer(2, 0), &["version 2.0", "reads version 1"]),
        (newer(3, 9), &["version 3.9", "reads version 1"]),
        (flipped(20), &["header is damaged", "copy or build"]),
        (flipped(4000), &["header is damaged", "copy or build"]),
    ] {
        let (_directory, path) = place_for(&pattern);
        std::fs::write(&path, bytes).unwrap();
        for complaint in complaints(&path, &pattern) {
            assert!(words.iter().all(|word| complaint.contains(word)), "{words:?}: {complaint}");
        }
        let named = Table::read_unverified(&path).unwrap_err().to_string();
        assert!(named.contains(&path.display().to_string()), "the file is named: {named}");
    }
    // Something was added in a newer minor version that we may ignore.
    let (_directory, path) = place_for(&pattern);
    std::fs::write(&path, newer(1, 3)).unwrap();
    assert_eq!(Table::read_unverified(&path).unwrap().header().version(), (1, 3));
}

#[test]
fn a_name_that_promises_another_table_is_refused_with_the_name_that_is_right() {
    let asked = pattern(size(3, 3), &[1, 2, 5]);
    let others = [
        // Other tiles, another kind, another board, another square for the blank.
        (pattern(size(3, 3), &[1, 2, 4]), Kind::Bit, "3x3-0-1.2.4.bit.tbl"),
        (asked, Kind::Nibble, "3x3-0-1.2.5.nibble.tbl"),
        (pattern(size(4, 3), &[1, 2, 5]), Kind::Bit, "4x3-0-1.2.5.bit.tbl"),
        (Pattern::new(size(3, 3), Square(4), &[1, 2, 5]).unwrap(), Kind::Bit, "3x3-4-1.2.5.bit.tbl"),
    ];
    for (other, kind, name) in others {
        let (directory, path) = place_for(&asked);
        std::fs::write(&path, bytes_of(&other, kind)).unwrap();
        assert!(Table::read_unverified(&path).is_ok(), "it is a table");
        for loading in LOADINGS {
            let store = store_in(directory.path(), loading);
            let error = store.find_unverified(&asked).map(drop).unwrap_err().to_string();
            assert!(error.contains(&format!("holds another table, {name}")), "{error}");
            assert!(error.contains(&path.display().to_string()), "{error}");
        }
    }
}

#[test]
fn a_missing_file_and_a_directory_are_refused() {
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let (_directory, path) = place_for(&pattern);
    for complaint in [Table::read_unverified(&path).unwrap_err(), Bytes::copy(&path).unwrap_err()] {
        assert!(complaint.to_string().contains("cannot read"), "{complaint}");
    }
    std::fs::create_dir(&path).unwrap();
    for complaint in complaints(&path, &pattern) {
        assert!(complaint.contains("cannot read") && complaint.contains("not an ordinary file"), "{complaint}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_and_a_link_to_nowhere_are_refused_at_once() {
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let (_directory, path) = place_for(&pattern);
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    for complaint in complaints(&path, &pattern) {
        assert!(complaint.contains("cannot read") && complaint.contains("not an ordinary file"), "{complaint}");
    }
    let (directory, path) = place_for(&pattern);
    std::os::unix::fs::symlink("nowhere", &path).unwrap();
    for complaint in [Table::read_unverified(&path).unwrap_err(), Bytes::copy(&path).unwrap_err()] {
        assert!(complaint.to_string().contains("cannot read"), "{complaint}");
    }
    // A link to nowhere is a table that is not there.
    for loading in LOADINGS {
        let store = store_in(directory.path(), loading);
        assert!(store.find_unverified(&pattern).unwrap().is_none());
    }
}

/// A user without rights, on every Unix.
#[cfg(unix)]
const NOBODY: u32 = 65_534;

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let (_directory, path) = place_for(&pattern);
    std::fs::write(&path, bytes_of(&pattern, Kind::Bit)).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        // Root may read every file, so root repeats this test as another user.
        let mut other = Command::new(std::env::current_exe().unwrap());
        other.args(["--exact", "damaged_tables::a_file_that_may_not_be_read_is_refused"]).uid(NOBODY).gid(NOBODY);
        return match other.output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
            Err(_) => skip("a user other than root, or a target directory that every user may read"),
        };
    }
    for complaint in complaints(&path, &pattern) {
        assert!(complaint.contains("cannot read") && complaint.contains("ermission denied"), "{complaint}");
    }
}

#[test]
#[cfg(unix)]
fn a_readable_table_in_a_directory_that_cannot_be_written_to_opens() {
    use std::os::unix::fs::PermissionsExt;
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let (directory, path) = place_for(&pattern);
    std::fs::write(&path, bytes_of(&pattern, Kind::Bit)).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    for loading in LOADINGS {
        let store = store_in(directory.path(), loading);
        assert!(store.find_unverified(&pattern).unwrap().is_some_and(|table| table.verify(&unwatched).is_ok()));
    }
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A table is looked at before room is made for what its length pretends: a length costs nothing on most file systems.
#[test]
#[cfg(target_os = "linux")]
fn a_file_of_absurd_length_is_refused() {
    let pattern = pattern(size(3, 3), &[1, 2, 5]);
    let (_directory, path) = place_for(&pattern);
    std::fs::write(&path, bytes_of(&pattern, Kind::Bit)).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    if file.set_len(1 << 43).is_err() {
        return skip("a file system whose files may have 8 TiB");
    }
    for complaint in complaints(&path, &pattern) {
        assert!(complaint.contains("too long"), "{complaint}");
    }
}
