//! Damaged tables are found before an answer rests on them: when they are opened, while a search runs, and when it ends.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use tilebase::{Board, Limits, Outcome, Request, SolveError, Solver, SolverError, TableSource, Tables, TablesError};
use tilebase_format::layout::HEADER_LEN;
use tilebase_format::pack;
use tilebase_generate::{Build, Directory};
use tilebase_index::Kind;
use tilebase_lookup::{Loading, OpenError, Verified, VerifiedFiles, VerifyError};
use tilebase_progress::unwatched;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Catalogue, Pattern, Random, Square};
use tilebase_tests::fixtures::{blank_first, size, store_in, table};

const LOADINGS: [Loading; 3] = [Loading::Map, Loading::Read, Loading::Copy];

/// A number that the campaign sets higher than it is for every day.
fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap())
}

/// The tables of 5-5-5, built into a directory.
fn five_five_five(directory: &Path) -> Vec<PathBuf> {
    tables_of("5-5-5", directory)
}

/// The tables of a catalogue, built into a directory.
fn tables_of(catalogue: &str, directory: &Path) -> Vec<PathBuf> {
    let build = |pattern: &Pattern| {
        let mut built = Build::new(pattern, &[Kind::Bit]).unwrap().run(1, &Directory(directory), &unwatched).unwrap();
        built.remove(0).seal().unwrap()
    };
    Catalogue::known(catalogue).unwrap().patterns().iter().map(build).collect()
}

fn source(directory: &Path, loading: Loading) -> TableSource {
    TableSource::new(store_in(directory, loading)).building_at_most(0)
}

fn open(source: &TableSource) -> Result<Solver, SolverError> {
    open_named("5-5-5", source)
}

fn open_named(name: &str, source: &TableSource) -> Result<Solver, SolverError> {
    Solver::builder(blank_first().goal()).tables(Tables::Named(name)).source(source).open()
}

fn easy() -> Board {
    Random::new(1).walk(blank_first().goal(), 30)
}

/// Changes bytes of a file in place.
fn overwrite(path: &Path, at: u64, change: impl Fn(&mut [u8; 1])) {
    let mut file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    change(&mut byte);
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&byte).unwrap();
}

/// Every kind of damage that happened to somebody's files, done to the bytes of a table; `other` is another table's.
type Damage = fn(&mut Vec<u8>, &[u8], &mut Random);

const DAMAGES: [(&str, Damage); 12] = [
    ("a bit of the payload", |bytes, _, random| flip(bytes, HEADER_LEN, random)),
    ("a hundred bits", |bytes, _, random| (0..100).for_each(|_| flip(bytes, HEADER_LEN, random))),
    ("a bit of the header", |bytes, _, random| bytes[random.below(HEADER_LEN as u64) as usize] ^= 4),
    ("a bit of the hashes", |bytes, _, _| *bytes.last_mut().unwrap() ^= 1),
    ("a page of zeros", |bytes, _, _| bytes[2 * HEADER_LEN..3 * HEADER_LEN].fill(0)),
    ("a page of ones", |bytes, _, _| bytes[2 * HEADER_LEN..3 * HEADER_LEN].fill(0xff)),
    ("two pages that changed places", |bytes, _, _| {
        let (first, second) = bytes.split_at_mut(3 * HEADER_LEN);
        first[2 * HEADER_LEN..].swap_with_slice(&mut second[HEADER_LEN..2 * HEADER_LEN]);
    }),
    ("a payload that moved by a byte", |bytes, _, _| bytes[HEADER_LEN..].rotate_left(1)),
    ("another table's payload", |bytes, other, _| {
        let end = bytes.len().min(other.len());
        bytes[HEADER_LEN..end].copy_from_slice(&other[HEADER_LEN..end]);
    }),
    ("its second half lost", |bytes, _, _| bytes.truncate(bytes.len() / 2)),
    ("a byte too many", |bytes, _, _| bytes.push(0)),
    ("every cost smaller", |bytes, _, _| bytes[HEADER_LEN..].iter_mut().for_each(|byte| *byte &= 0x77)),
];

fn flip(bytes: &mut [u8], from: usize, random: &mut Random) {
    let at = from + random.below((bytes.len() - from) as u64) as usize;
    bytes[at] ^= 1 << random.below(8);
}

#[test]
fn no_kind_of_damage_leads_to_an_answer_however_tables_are_loaded() {
    let directory = tempfile::tempdir().unwrap();
    let (name, copies) =
        (std::env::var("TILEBASE_ATTACKED").unwrap_or("5-5-5".to_owned()), number("TILEBASE_COPIES", 6));
    let paths = tables_of(&name, directory.path());
    let whole: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let mut random = Random::new(17);
    for (what, damage) in DAMAGES {
        for copy in 0..copies {
            let (path, right) = (&paths[copy % paths.len()], &whole[copy % paths.len()]);
            let mut bytes = right.clone();
            damage(&mut bytes, &whole[(copy + 1) % paths.len()], &mut random);
            assert!(bytes != *right, "{what}");
            std::fs::write(path, &bytes).unwrap();
            for loading in LOADINGS {
                let error = open_named(&name, &source(directory.path(), loading)).expect_err(what).to_string();
                assert!(error.contains(&path.display().to_string()), "{what}: {error}");
                assert!(error.contains("generate"), "{what}: {error}");
            }
            std::fs::write(path, right).unwrap();
        }
    }
    println!("{name}: {} damaged copies, loaded in 3 ways: none opened, no board answered", copies * DAMAGES.len());
    for loading in LOADINGS {
        let solver = open_named(&name, &source(directory.path(), loading)).unwrap();
        for korf in korf15().iter().step_by(7) {
            assert_eq!(solver.solve(&korf.board).unwrap().length, korf.length);
        }
        assert!(solver.tables().iter().all(|table| table.verified() == Verified::Now));
    }
}

#[test]
fn each_of_a_thousand_flipped_bits_is_found_at_first_use_packed_or_not() {
    let directory = tempfile::tempdir().unwrap();
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 4, 5]).unwrap();
    let table = table(&pattern, Kind::Bit);
    let (whole, name) = (table.bytes().as_ref().to_vec(), table.header().file_name());
    let packed = pack(directory.path(), table.header(), &whole, 3, 1, &unwatched).unwrap().path;
    let (path, packed_bytes) = (directory.path().join(name), std::fs::read(&packed).unwrap());
    let source = source(directory.path(), Loading::Read);
    let open = || source.tables(&[pattern], Some(Kind::Bit), &unwatched, &mut Vec::new());
    let mut random = Random::new(10_000);
    let parts = [(0, HEADER_LEN), (HEADER_LEN, whole.len() - 32), (whole.len() - 32, whole.len())];
    std::fs::remove_file(&packed).unwrap();
    let flips = number("TILEBASE_FLIPS", 1000);
    for round in 0..flips - flips / 10 {
        let (start, end) = parts[round % 3];
        let (at, bit) = (start + random.below((end - start) as u64) as usize, random.below(8));
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << bit;
        std::fs::write(&path, damaged).unwrap();
        assert!(open().is_err(), "byte {at}, bit {bit}");
    }
    for _ in 0..flips / 10 {
        let (at, bit) = (random.below(packed_bytes.len() as u64) as usize, random.below(8));
        let mut damaged = packed_bytes.clone();
        damaged[at] ^= 1 << bit;
        let _ = std::fs::remove_file(&path);
        std::fs::write(&packed, damaged).unwrap();
        // A few bits of a packed file mean nothing.
        assert!(open().is_err() || std::fs::read(&path).unwrap() == whole, "packed, byte {at}, bit {bit}");
    }
}

#[test]
fn a_table_that_was_verified_is_opened_at_once_until_its_file_changes() {
    let (directory, memory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = five_five_five(directory.path());
    let store = || {
        let store = store_in(directory.path(), Loading::Map);
        store.remembering(Some(VerifiedFiles::in_directory(memory.path().to_owned())))
    };
    let verified = || {
        let patterns = Catalogue::known("5-5-5").unwrap().patterns();
        patterns
            .iter()
            .map(|pattern| store().find_verified(pattern, &unwatched).map(|table| table.unwrap().verified()))
            .collect::<Result<Vec<_>, OpenError>>()
    };
    assert_eq!(verified().unwrap(), [Verified::Now; 3]);
    // What has just been written might change again at the same time.
    assert_eq!(verified().unwrap(), [Verified::Now; 3]);
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(verified().unwrap(), [Verified::Now; 3]);
    assert_eq!(verified().unwrap(), [Verified::Earlier; 3]);
    overwrite(&paths[1], 5000, |_| {});
    assert_eq!(verified().unwrap(), [Verified::Earlier, Verified::Now, Verified::Earlier]);
    overwrite(&paths[1], 5000, |byte| byte[0] ^= 1);
    assert!(matches!(verified(), Err(OpenError::NotWhole(path, VerifyError::Blocks(_))) if path == paths[1]));
    overwrite(&paths[1], 5000, |byte| byte[0] ^= 1);
    std::fs::copy(&paths[0], directory.path().join("copy")).unwrap();
    std::fs::rename(directory.path().join("copy"), &paths[0]).unwrap();
    assert_eq!(verified().unwrap(), [Verified::Now, Verified::Now, Verified::Earlier]);
}

#[test]
fn a_mapped_file_that_changes_is_verified_again_before_an_answer_goes_out() {
    let directory = tempfile::tempdir().unwrap();
    let paths = five_five_five(directory.path());
    let solver = open(&source(directory.path(), Loading::Map)).unwrap();
    let length = solver.solve(&easy()).unwrap().length;
    overwrite(&paths[2], 5000, |_| {});
    assert_eq!(solver.solve(&easy()).unwrap().length, length, "the same bytes, written again");
    overwrite(&paths[2], 5000, |byte| byte[0] ^= 1);
    assert_eq!(solver.solve(&easy()), Err(SolveError::Damaged(Some(paths[2].clone()))));
    overwrite(&paths[2], 5000, |byte| byte[0] ^= 1);
    assert_eq!(solver.solve(&easy()).unwrap().length, length);
    // Windows lets nobody replace a file that is mapped, or cut it short.
    if cfg!(windows) {
        return;
    }
    // A file that another one replaced is still there for those who have it open.
    std::fs::copy(&paths[0], directory.path().join("copy")).unwrap();
    std::fs::rename(directory.path().join("copy"), &paths[0]).unwrap();
    assert_eq!(solver.solve(&easy()).unwrap().length, length);
    File::options().write(true).open(&paths[1]).unwrap().set_len(HEADER_LEN as u64).unwrap();
    let confirmed = solver.tables()[1].confirm(&unwatched);
    assert!(matches!(confirmed, Err(OpenError::NotWhole(path, VerifyError::CutShort)) if path == paths[1]));
}

#[test]
fn a_long_search_verifies_its_tables_beside_itself_and_ends_when_they_are_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let paths = five_five_five(directory.path());
    let solver = open(&source(directory.path(), Loading::Map)).unwrap();
    let hardest = korf15().into_iter().max_by_key(|korf| korf.nodes).unwrap();
    let polls = AtomicU64::new(0);
    let watch = |_: &tilebase::Event<'_>| {
        if polls.fetch_add(1, Ordering::Relaxed) == 0 {
            // The hashes of the blocks, which no search reads.
            let len = std::fs::metadata(&paths[0]).unwrap().len();
            overwrite(&paths[0], len - 1, |byte| byte[0] ^= 1);
        }
        // So slow that it would take thousands of polls, and minutes, to end by itself.
        std::thread::sleep(Duration::from_millis(20));
        ControlFlow::Continue(())
    };
    let all = Request::default().wanted(tilebase::Wanted::Count).watch(&watch);
    let request = all.limits(Limits::default().time(Duration::from_secs(40)));
    assert_eq!(solver.search(&hardest.board, &request), Err(SolveError::Damaged(Some(paths[0].clone()))));
    let polls = polls.into_inner();
    assert!(polls < 1000, "it ended when the damage was found, not by itself: {polls} polls");
}

/// Verifying once waited for the threads of the pool, all of which were searching and waited for it.
#[test]
fn long_searches_on_all_threads_of_a_pool_have_their_tables_verified() {
    let directory = tempfile::tempdir().unwrap();
    five_five_five(directory.path());
    let solver = open(&source(directory.path(), Loading::Map)).unwrap();
    let mut boards = korf15();
    boards.sort_by_key(|korf| std::cmp::Reverse(korf.nodes));
    let request = Request::default().limits(Limits::default().time(Duration::from_millis(1500)));
    boards[..2 * rayon::current_num_threads()].par_iter().for_each(|korf| {
        let outcome = solver.search(&korf.board, &request).unwrap();
        assert!(outcome.effort().time >= Duration::from_secs(1) || outcome.solved().is_some());
    });
}

#[test]
fn tables_that_are_trusted_are_not_verified_and_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let paths = five_five_five(directory.path());
    let len = std::fs::metadata(&paths[0]).unwrap().len();
    overwrite(&paths[0], len - 1, |byte| byte[0] ^= 1);
    let source = source(directory.path(), Loading::Map);
    match open(&source) {
        Err(SolverError::Tables { error, .. }) => {
            assert!(matches!(*error, TablesError::Open(OpenError::NotWhole(_, VerifyError::Hashes))));
        }
        other => panic!("{other:?}"),
    }
    let source = source.trusting(true);
    let solver = open(&source).unwrap();
    assert!(solver.tables().iter().all(|table| table.verified() == Verified::Not));
    assert!(matches!(solver.search(&easy(), &Request::default()), Ok(Outcome::Solved(_))));
}

/// Whether this process is to read a mapped table that loses its end meanwhile.
#[cfg(unix)]
const VICTIM: &str = "TILEBASE_TEST_VICTIM";

/// Whether it is to install the handler first.
#[cfg(unix)]
const WITH_HANDLER: &str = "TILEBASE_TEST_HANDLER";

#[test]
#[cfg(unix)]
fn a_mapped_file_that_is_cut_short_is_named_by_programs_with_the_handler_and_kills_others() {
    if let Some(directory) = std::env::var_os(VICTIM) {
        if std::env::var_os(WITH_HANDLER).is_some() {
            tilebase_lookup::install_truncation_handler();
        }
        let source = source(Path::new(&directory), Loading::Map);
        let solver = open(&source).unwrap();
        let path = solver.tables()[0].path().unwrap().to_owned();
        File::options().write(true).open(path).unwrap().set_len(HEADER_LEN as u64).unwrap();
        let answer = solver.tables()[0].verify(&unwatched);
        unreachable!("{answer:?}");
    }
    let test = "nothing_damaged_is_believed::a_mapped_file_that_is_cut_short_is_named_by_programs_with_the_handler_and_kills_others";
    for with_handler in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        let paths = five_five_five(directory.path());
        let mut victim = std::process::Command::new(std::env::current_exe().unwrap());
        victim.args(["--exact", test, "--nocapture"]).env(VICTIM, directory.path());
        if with_handler {
            victim.env(WITH_HANDLER, "1");
        }
        let victim = victim.output().unwrap();
        let said = String::from_utf8(victim.stderr).unwrap();
        let is_named = said.contains(&format!("error: {} was cut short", paths[0].display()));
        assert_eq!(is_named, with_handler, "{said}");
        assert_eq!(victim.status.code(), with_handler.then_some(2), "{}: {said}", victim.status);
    }
}
