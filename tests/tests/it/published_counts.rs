//! Node counts are those of the papers, to the node.

use rayon::prelude::*;
use tilebase_heuristics::Manhattan;
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Board, Frame, Goal};
use tilebase_solve::{Ida, Request, Solver, Weight};
use tilebase_tests::fixtures::blank_first;

/// Solves boards as Korf did in 1985: depth first, up, left, right, down, never taking back the last move.
fn check(boards: &[KnownBoard]) {
    let solver = Solver::with_algorithm(blank_first(), Manhattan::new(blank_first().size()), Ida::PLAIN);
    let request = Request::default();
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

/// The worked board of Rezk's article, where 16 is the blank: 51 moves, and a weighted search that is far faster and longer.
#[test]
fn the_weighted_search_of_the_article_is_far_faster_and_finds_a_longer_way() {
    let board: Board = "15 16 14 13 / 1 3 2 4 / 7 8 6 5 / 11 9 10 12".parse().unwrap();
    let frame = Frame::new(&Goal::BlankLast.board(board.size()).unwrap());
    let solver = Solver::with_algorithm(frame, Manhattan::new(board.size()), Ida::PLAIN);
    let solve = |weight: Weight| {
        let request = Request::default().weight(weight);
        solver.solve(&board, &request).unwrap().solved().expect("there is no limit")
    };
    let (shortest, weighted) = (solve(Weight::ONE), solve("81/19".parse().unwrap()));
    assert_eq!((shortest.length, shortest.optimal), (51, true));
    assert!(!weighted.optimal && (52..=51 * 81 / 19).contains(&weighted.length), "{} moves", weighted.length);
    assert!(weighted.effort.expanded * 100 < shortest.effort.expanded, "{:?} {:?}", weighted.effort, shortest.effort);
}
