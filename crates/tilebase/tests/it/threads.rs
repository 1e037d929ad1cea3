//! Threads that cannot start: the first, the second, the last, or any. The answers are the same as with all threads, and so is everything
//! that does not depend on timing.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use tilebase::generate::{AuditError, Build, Directory, audit};
use tilebase::index::Kind;
use tilebase::lookup::{Bytes, Store, Table, VerifyError};
use tilebase::progress::threads::{on_pool, prepare_pool, without_each_thread};
use tilebase::puzzle::Pattern;
use tilebase::puzzle::known::{KnownBoard, korf15};
use tilebase::{
    Board, Catalogue, Goal, Metric, Outcome, Random, Request, Search, Size, Solved, Solver, TableSource, Tables,
    unwatched,
};

const THREADS: usize = 4;

fn request() -> Request<'static> {
    Request::default().threads(NonZeroUsize::new(THREADS).unwrap())
}

fn goal(width: usize, height: usize) -> Board {
    Goal::BlankFirst.board(Size::new(width, height).unwrap()).unwrap()
}

fn open(tables: Tables<'_>, metric: Metric, search: Option<Search>) -> Solver {
    let source = TableSource::new(Store::compiled_in());
    let builder = Solver::builder(&goal(4, 4)).tables(tables).metric(metric).source(&source);
    match search {
        Some(search) => builder.search(search).open(),
        None => builder.open(),
    }
    .unwrap()
}

fn korf_board(length: u32) -> KnownBoard {
    korf15().into_iter().find(|board| board.length == length).unwrap()
}

fn solved(solver: &Solver, board: &Board) -> Solved {
    match solver.search(board, &request()).unwrap() {
        Outcome::Solved(found) => found,
        Outcome::Limited(limited) => panic!("{limited:?}"),
    }
}

/// Searches a board with and without threads. Bounds that are searched to their end have as many nodes with any number of them.
fn search_without_threads(solver: &Solver, board: &Board, length: u32) {
    let mut complete = None;
    let asked = without_each_thread(
        || solved(solver, board),
        |solved, case| {
            assert_eq!((solved.length, solved.optimal), (length, true), "{case}");
            let nodes = solved.effort.generated_complete;
            assert_eq!(*complete.get_or_insert(nodes), nodes, "{case}");
        },
    );
    assert!(asked >= THREADS - 1, "{asked} threads: the search is too small");
}

#[test]
fn ida_searches_without_threads() {
    let board = korf_board(60);
    search_without_threads(&open(Tables::Named("6-6-3"), Metric::Stm, None), &board.board, 60);
    let board = korf15().into_iter().min_by_key(|board| board.nodes).unwrap();
    search_without_threads(&open(Tables::Named("manhattan"), Metric::Stm, None), &board.board, board.length);
}

#[test]
fn ida_searches_in_mtm_without_threads() {
    let solver = open(Tables::Auto, Metric::Mtm, None);
    let board = korf15().into_iter().min_by_key(|board| board.length_in_mtm).unwrap();
    search_without_threads(&solver, &board.board, board.length_in_mtm.unwrap());
}

#[test]
fn beams_are_the_same_without_threads() {
    let search: Search = "beam".parse().unwrap();
    let solver = open(Tables::Named("manhattan"), Metric::Stm, Some(search));
    let board = korf_board(60).board;
    let request = request().width(NonZeroUsize::new(80_000).unwrap());
    let mut all = None;
    let asked = without_each_thread(
        || solver.search(&board, &request).unwrap(),
        |outcome, case| {
            let Outcome::Solved(answer) = outcome else { panic!("{case}: {outcome:?}") };
            let found = (answer.solutions, answer.effort.generated);
            assert_eq!(*all.get_or_insert(found.clone()), found, "{case}");
        },
    );
    assert!(asked > 10, "{asked} threads: the beam is too narrow");
}

#[test]
fn many_boards_are_solved_in_order_without_threads() {
    let solver = open(Tables::Named("6-6-3"), Metric::Stm, None);
    let boards = || korf15().into_iter().filter(|board| board.length < 50);
    let all = || {
        let mut lengths = Vec::new();
        solver.search_all(THREADS, boards().map(|board| board.board), &Request::default(), |_, outcome| {
            let Ok(Outcome::Solved(answer)) = outcome else { panic!("{outcome:?}") };
            lengths.push(answer.length);
            true
        });
        lengths
    };
    let asked =
        without_each_thread(all, |lengths, case| assert!(boards().map(|board| board.length).eq(lengths), "{case}"));
    assert!(asked >= THREADS - 1);
}

#[test]
fn solutions_are_improved_and_proven_without_threads() {
    let size = Size::new(5, 5).unwrap();
    let solver = Solver::builder(&goal(5, 5)).tables(Tables::Named("manhattan")).open().unwrap();
    let board = Random::new(3).walk(&Goal::BlankFirst.board(size).unwrap(), 60);
    let length = solved(&solver, &board).length;
    for threads in [1, THREADS] {
        let request = Request::default().threads(NonZeroUsize::new(threads).unwrap());
        let asked = without_each_thread(
            || solver.improve(&board, &request, &|_| ControlFlow::Continue(())).unwrap(),
            |improved, case| {
                assert_eq!((improved.best.length(), improved.limit), (Some(length), None), "{case}");
                assert!(improved.best.is_optimal(), "{case}");
            },
        );
        assert!(asked >= 1);
    }
}

#[test]
fn bounds_of_many_boards_are_the_same_without_threads() {
    let boards: Vec<Board> = korf15().iter().map(|board| board.board).cycle().take(20_000).collect();
    let bounds = || {
        // A new solver unpacks its tables anew.
        let mut bounds = vec![0_u8; boards.len()];
        open(Tables::Named("6-6-3"), Metric::Stm, None).bounds_of_many(&boards[..], &mut bounds, &unwatched).unwrap();
        bounds
    };
    // Boards are looked up on the threads of the global pool, which start once in a process.
    prepare_pool();
    let mut first = None;
    let asked = without_each_thread(bounds, |found, case| {
        assert!(*first.get_or_insert(found.clone()) == found, "{case}");
    });
    assert_eq!(asked, 3, "a thread unpacks each table");
}

/// A table of 6-6-3, which has two blocks, and the same table with a damaged byte in the second.
fn whole_and_damaged() -> [Table; 2] {
    let patterns = Catalogue::known("6-6-3").unwrap().patterns();
    let table = Store::compiled_in().find_unverified(&patterns[0]).unwrap().unwrap();
    let whole = table.bytes().as_ref().to_vec();
    let mut damaged = whole.clone();
    damaged[1_100_000] ^= 1;
    [whole, damaged].map(|bytes| Table::new(Bytes::Owned(bytes)).unwrap())
}

#[test]
fn tables_are_verified_without_threads() {
    let [whole, damaged] = whole_and_damaged();
    let verify = || [&whole, &damaged].map(|table| on_pool(THREADS, || table.verify(&unwatched)));
    let asked = without_each_thread(verify, |[whole, damaged], case| {
        assert_eq!(whole, Ok(()), "{case}");
        let Err(VerifyError::Blocks(blocks)) = damaged else { panic!("{case}: {damaged:?}") };
        assert_eq!(blocks.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1], "{case}");
    });
    assert!(asked >= 2 * THREADS, "{asked} threads");
}

#[test]
fn tables_are_audited_without_threads() {
    let [whole, damaged] = whole_and_damaged();
    let audit = |table: &Table| audit(table.header(), table.payload(), THREADS, &unwatched);
    let mut first = None;
    let asked = without_each_thread(
        || (audit(&whole), audit(&damaged)),
        |(whole, damaged), case| {
            assert!(whole.is_ok(), "{case}: {whole:?}");
            let error = damaged.unwrap_err();
            assert!(!matches!(error, AuditError::Stopped), "{case}");
            let error = error.to_string();
            assert_eq!(*first.get_or_insert(error.clone()), error, "{case}");
        },
    );
    assert!(asked >= 2 * THREADS, "{asked} threads");
}

#[test]
fn tables_are_built_to_the_byte_without_threads() {
    let tables = [(&[1, 2, 3, 4, 5, 6][..], Kind::Bit), (&[1, 4, 5, 8], Kind::Nibble), (&[1, 2, 5], Kind::Lines)];
    for (tiles, kind) in tables {
        let pattern = Pattern::new(Size::new(4, 4).unwrap(), tilebase::puzzle::Square(0), tiles).unwrap();
        let build = Build::new(&pattern, &[kind]).unwrap();
        let file =
            |path: &Path| std::fs::read(path.join(std::fs::read_dir(path).unwrap().next().unwrap().unwrap().path()));
        let mut first = None;
        let asked = without_each_thread(
            || {
                let directory = tempfile::tempdir().unwrap();
                let tables = build.run(THREADS, &Directory(directory.path()), &unwatched).unwrap();
                tables.into_iter().for_each(|table| drop(table.seal().unwrap()));
                file(directory.path()).unwrap()
            },
            |bytes, case| assert!(*first.get_or_insert(bytes.clone()) == bytes, "{pattern}, {case}"),
        );
        assert!(asked >= THREADS, "{asked} threads");
    }
}
