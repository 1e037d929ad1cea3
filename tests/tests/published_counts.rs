//! Node counts are those of the papers, to the node.

use rayon::prelude::*;
use tilebase_heuristics::Manhattan;
use tilebase_solve::{Order, Request, Solver};
use tilebase_tests::fixtures::blank_first;
use tilebase_tests::{KorfBoard, korf15};

/// Solves boards as Korf did in 1985: depth first, up, left, right, down, never taking back the last move.
fn check(boards: &[KorfBoard]) {
    let solver = Solver::new(blank_first(), Manhattan::new(blank_first().size()));
    let request = Request { order: Order::Plain, automaton: false, ..Request::default() };
    boards.par_iter().for_each(|korf| {
        let answer = solver.solve(&korf.board, &request).unwrap().solved().expect("there is no limit");
        assert_eq!((answer.length, answer.effort.generated), (korf.length, korf.nodes), "board {}", korf.id);
    });
}

#[test]
fn of_the_twenty_of_korfs_boards_with_the_fewest() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    check(&boards[..20]);
}
