//! The boards of Bauer's report on the Manhattan pair distance, with the values printed beside them.

use tilebase_heuristics::{AnyListed, FindingKind, Heuristic};
use tilebase_puzzle::{Board, Square, State};
use tilebase_tests::fixtures::blank_first;

/// A board of the report, its blank first in the goal. Solvable or not: values do not depend on it.
fn state(board: &str) -> State {
    let board: Board = board.parse().unwrap_or_else(|error| panic!("{board}: {error}"));
    blank_first().see(&board).unwrap()
}

/// Manhattan distance and pair distance.
fn md_and_pd(board: &str) -> (u32, u32) {
    let value = |name| {
        let heuristic = AnyListed::new(name, blank_first().size(), Square(0)).unwrap();
        heuristic.cost(&heuristic.root(&state(board)).unwrap())
    };
    assert_eq!(value("pair-distance"), value("pair-distance-full"), "both begin by Definition 4");
    (value("manhattan"), value("pair-distance") - value("manhattan"))
}

/// The pairs, as tiles, smaller first.
fn pairs(board: &str) -> Vec<(u8, u8)> {
    let heuristic = AnyListed::new("pair-distance", blank_first().size(), Square(0)).unwrap();
    let state = state(board);
    let findings = heuristic.findings(&state);
    assert!(findings.iter().all(|finding| finding.kind == FindingKind::Pair && finding.moves == 2));
    let mut pairs: Vec<(u8, u8)> = findings
        .iter()
        .map(|finding| {
            let [a, b] = [0, 1].map(|number| state.tile(finding.squares[number]).0);
            (a.min(b), a.max(b))
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn figure_3a_has_the_pairs_that_the_text_names() {
    let board = "0 1 2 11 / 5 4 7 6 / 10 9 8 3 / 14 15 12 13";
    assert_eq!(md_and_pd(board), (20, 12));
    assert_eq!(pairs(board), [(3, 11), (4, 5), (6, 7), (8, 10), (12, 14), (13, 15)]);
}

/// As printed, `9 2 3 1 / 14 4 5 2 / 8 11 10 0 / 12 13 6 15`, the board has tile 2 twice and no tile 7, so one 2 must be a 7.
/// The text speaks of "tile 1 and the possible partner tiles 2 and 3" of the first row: the 2 there is right, and the other
/// one is the 7, at home. Both readings have a pair distance of 6. Neither has the printed Manhattan distance of 19, but 17 and
/// 21: the 19 is that of the misprint, with both 2s on their way to the square of tile 2.
#[test]
fn figure_3b_has_its_pairs_and_the_manhattan_distance_of_its_misprint() {
    let second_is_7 = "9 2 3 1 / 14 4 5 7 / 8 11 10 0 / 12 13 6 15";
    assert_eq!(md_and_pd(second_is_7), (17, 6));
    assert_eq!(pairs(second_is_7), [(1, 2), (6, 10), (10, 11)]);

    let first_is_7 = "9 7 3 1 / 14 4 5 2 / 8 11 10 0 / 12 13 6 15";
    assert_eq!(md_and_pd(first_is_7), (21, 6));
    assert_eq!(pairs(first_is_7), [(1, 3), (6, 10), (10, 11)]);

    let printed = [9, 2, 3, 1, 14, 4, 5, 2, 8, 11, 10, 0, 12, 13, 6, 15].map(Square);
    let size = blank_first().size();
    let tiles = size.squares().zip(printed).filter(|&(_, tile)| tile != Square(0));
    assert_eq!(tiles.map(|(square, tile)| size.distance(square, tile)).sum::<u32>(), 19);
}

#[test]
fn the_original_puzzle_with_14_and_15_exchanged_has_one_pair() {
    let board = "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 15 14";
    assert_eq!(md_and_pd(board), (2, 2), "4 moves in all");
    assert_eq!(pairs(board), [(14, 15)]);
}
