//! Heuristics that are computed and tables, put together while the program runs: they are searched the way that suits them.

use tilebase::{Search, Solver, TableSource, Tables};
use tilebase_heuristics::{AnyListed, Heuristic, Largest};
use tilebase_lookup::Store;
use tilebase_puzzle::known::korf15;
use tilebase_solve::{Ida, Request};
use tilebase_tests::fixtures::blank_first;

/// The largest of several heuristics of the list and tables.
fn solver(names: &str, search: Search) -> Solver {
    let source = TableSource::new(Store::compiled_in());
    let goal = *blank_first().goal();
    Solver::builder(&goal).tables(Tables::Named(names)).source(&source).search(search).open().unwrap()
}

#[test]
fn bounds_with_tables_are_searched_in_batches_and_computed_ones_depth_first() {
    let combined = |search| solver("walking-distance+6-6-3", search);
    let (fast, plain) = (combined(Search::default()), combined(Ida::PLAIN.into()));
    let computed = solver("manhattan+walking-distance", Search::default());
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    // Large enough that the stack is looked at.
    for korf in &boards[20..24] {
        let solved = |solver: &Solver| {
            let solved = solver.search(&korf.board, &Request::default()).unwrap().solved().expect("there is no limit");
            assert_eq!((solved.length, solved.optimal), (korf.length, true), "board {}", korf.id);
            solved.effort
        };
        // A depth-first search keeps one path; in batches each of the three stages has eight nodes beside the stack.
        let path = u64::from(korf.length) + 1;
        assert!(solved(&plain).peak_nodes <= path, "board {}", korf.id);
        assert!(solved(&computed).peak_nodes <= path, "board {}", korf.id);
        assert!(solved(&fast).peak_nodes > path, "board {}", korf.id);
    }
}

#[test]
fn no_heuristic_of_the_list_is_far_and_neither_is_the_largest_of_them() {
    let frame = blank_first();
    let listed = |name: &str| AnyListed::new(name, frame.size(), frame.home()).unwrap();
    for about in AnyListed::abouts() {
        assert!(!listed(about.name).is_far(), "{}", about.name);
        assert!(!Largest::<_, 2>::new(vec![listed(about.name), listed("manhattan")]).unwrap().is_far());
    }
}
