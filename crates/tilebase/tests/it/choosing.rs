//! Which tables a solver takes: the strongest that are there and fit into memory, and those that are named whether they fit or not.

use std::path::Path;

use tilebase::generate::{Build, Directory};
use tilebase::index::Kind;
use tilebase::lookup::Store;
use tilebase::{Board, Catalogue, Frame, Goal, Random, Size, Solver, Step, TableSource, Tables, unwatched};

/// Two partitions of 4×3: one strong and large, one weak and small.
const STRONG: &str = ".AAA/AAAB/BBBB";
const WEAK: &str = ".AAB/ACCB/DDCB";

fn build(directory: &Path, drawings: &[&str]) {
    for drawing in drawings {
        for pattern in Catalogue::draw("drawn", drawing).unwrap().patterns() {
            for table in Build::new(&pattern, &[Kind::Bit]).unwrap().run(1, &Directory(directory), &unwatched).unwrap()
            {
                table.seal().unwrap();
            }
        }
    }
}

fn bytes(directory: &Path, drawing: &str) -> u64 {
    let store = Store::new(vec![directory.to_owned()]);
    let patterns = Catalogue::draw("drawn", drawing).unwrap().patterns();
    patterns.iter().map(|pattern| store.header(pattern).unwrap().unwrap().file_len()).sum()
}

fn goal() -> Board {
    Goal::BlankFirst.board(Size::new(4, 3).unwrap()).unwrap()
}

fn random_board() -> Board {
    Random::new(1).solvable_board(&goal())
}

/// A source with the tables of a directory, none built, and room for this many bytes.
fn source(directory: &Path, memory: u64) -> TableSource {
    TableSource::new(Store::new(vec![directory.to_owned()])).building_at_most(0).fitting_into(memory)
}

fn not_fitting(solver: &Solver) -> Vec<(&str, u64, u64, bool)> {
    let steps = solver.steps().iter().filter_map(|step| match step {
        Step::DoNotFit { name, shortage, used } => Some((&**name, shortage.needed, shortage.available, *used)),
        _ => None,
    });
    steps.collect()
}

#[test]
fn of_two_catalogues_the_one_is_taken_that_searches_have_shown_to_be_better() {
    let directory = tempfile::tempdir().unwrap();
    let goal = Goal::BlankFirst.board(Size::new(4, 4).unwrap()).unwrap();
    let name = || Solver::builder(&goal).source(&source(directory.path(), u64::MAX)).open().unwrap().name().to_owned();
    assert_eq!(name(), "6-6-3", "it is part of the program");
    let drawing = Catalogue::known("6-6-3b").unwrap().first().drawing();
    build(directory.path(), &[&drawing]);
    assert_eq!(name(), "6-6-3b");
}

#[test]
fn the_strongest_tables_that_fit_are_taken_and_stronger_ones_told() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[STRONG, WEAK]);
    let strong = bytes(directory.path(), STRONG);
    let needed = strong + strong / 32;
    let open = |memory| Solver::builder(&goal()).source(&source(directory.path(), memory)).open().unwrap();
    let with_room = open(needed);
    assert_eq!((with_room.name(), not_fitting(&with_room)), (STRONG, vec![]));
    let without = open(needed - 1);
    assert_ne!(without.name(), STRONG);
    // Patterns of both make other partitions, too; the strongest is the first that did not fit.
    assert_eq!(not_fitting(&without)[0], (STRONG, needed, needed - 1, false));
    assert!(not_fitting(&without).iter().all(|(_, needed, available, used)| needed > available && !used));
    let [with_room, without] = [with_room, without].map(|solver| solver.solve(&random_board()).unwrap().length);
    assert_eq!(with_room, without);
}

#[test]
fn without_room_for_any_file_tables_are_built_on_the_spot() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[STRONG]);
    let source = TableSource::new(Store::new(vec![directory.path().to_owned()])).fitting_into(10);
    let solver = Solver::builder(&goal()).source(&source).open().unwrap();
    assert!(solver.tables().iter().all(|table| table.path().is_none()), "{solver:?}");
    let fits = Solver::builder(&goal()).source(&source.fitting_into(None)).open().unwrap();
    assert_eq!(fits.name(), STRONG);
    assert_eq!(solver.solve(&random_board()).unwrap().length, fits.solve(&random_board()).unwrap().length);
}

#[test]
fn named_tables_are_used_whether_they_fit_or_not() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), &[STRONG, WEAK]);
    let (strong, weak) = (bytes(directory.path(), STRONG), bytes(directory.path(), WEAK));
    for (name, bytes) in [(STRONG.to_owned(), strong), (format!("{STRONG}+{WEAK}"), strong + weak)] {
        for (memory, fits) in [(2 * bytes, true), (bytes, false)] {
            let source = source(directory.path(), memory);
            let solver = Solver::builder(&goal()).tables(Tables::Named(&name)).source(&source).open().unwrap();
            let expected = if fits { vec![] } else { vec![(&*name, bytes + bytes / 32, memory, true)] };
            assert_eq!((solver.name(), not_fitting(&solver)), (&*name, expected));
        }
    }
}

#[test]
fn a_file_with_several_drawings_gives_the_largest_sum_of_all() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("several.txt");
    let drawings = [".AAB/CAAB/CCBB", ".AAA/BBAA/BBCC", ".ABB/AABB/CCDD"];
    std::fs::write(&file, format!("# three\n{}\n\n{}\n\n\n{}\n", drawings[0], drawings[1], drawings[2])).unwrap();
    let source = TableSource::new(Store::compiled_in());
    let open = |name: &str| Solver::builder(&goal()).tables(Tables::Named(name)).source(&source).open().unwrap();
    let several = open(file.to_str().unwrap());
    let each = drawings.map(open);
    assert_eq!(several.tables().len(), 10);
    let frame = Frame::new(&goal());
    let mut random = Random::new(7);
    let mut winners = [0; 3];
    for _ in 0..500 {
        let state = frame.state(&random.solvable_board(&goal())).unwrap();
        let bounds = each.each_ref().map(|solver| solver.bound(&state).unwrap());
        let largest = bounds.into_iter().max();
        assert_eq!(several.bound(&state), largest);
        winners.iter_mut().zip(bounds).for_each(|(wins, bound)| *wins += u32::from(Some(bound) == largest));
    }
    assert!(
        winners.iter().all(|wins| (1..500).contains(wins)),
        "each is the largest at times, and not always: {winners:?}"
    );
}
