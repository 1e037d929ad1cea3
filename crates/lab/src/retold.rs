//! The program of Rezk's article, retold so that it counts what its table shows.
//!
//! It differs from a plain IDA\* in three ways, and each matters for the numbers:
//!
//! * its Manhattan distance has the blank among the tiles. That is not admissible: a move carries a tile and the blank one step
//!   each, so that the sum can be more than the moves that are needed;
//! * a successor is left out when it is on the path, not just when it takes the last move back;
//! * neighbours of the blank are tried in the order in which a Python set of their coordinates is listed, another one for each
//!   square.
//!
//! What the article calls expanded is the number of calls: every node that was looked at, those over the bound included.

use std::sync::atomic::{AtomicBool, Ordering};

use tilebase_puzzle::{Board, Direction, MoveForm, Size, Square};
use tilebase_solve::Weight;

use crate::run::Done;

/// For each square of 4×4 the neighbours in the order in which the program tries them.
const ORDER: [&[u8]; 16] = [
    &[1, 4],
    &[5, 2, 0],
    &[1, 6, 3],
    &[2, 7],
    &[5, 8, 0],
    &[4, 6, 9, 1],
    &[10, 5, 7, 2],
    &[11, 6, 3],
    &[4, 9, 12],
    &[13, 5, 8, 10],
    &[11, 14, 6, 9],
    &[15, 7, 10],
    &[13, 8],
    &[14, 9, 12],
    &[13, 15, 10],
    &[11, 14],
];

/// Searches as the program does, for the goal with the blank last. `None` when it was told to stop, or the board is not 4×4.
pub(crate) fn search(board: &Board, weight: Weight, cancel: &AtomicBool) -> Option<Done> {
    if board.size() != Size::new(4, 4).ok()? {
        return None;
    }
    let bound = u64::from(distance(board)) * u64::from(weight.of_bound());
    let mut search = Program { weight, cancel, calls: 0, expanded: 0, path: vec![*board], slides: Vec::new() };
    let mut next = bound;
    while let Reached::Over(value) = search.look(0, next)? {
        next = value;
    }
    let moves = MoveForm::Tile.write(&search.slides, board).expect("the way was walked");
    Some(Done {
        length: Some(search.slides.len() as u32),
        bound: distance(board),
        generated: search.calls,
        expanded: search.expanded,
        peak_nodes: search.path.len() as u64,
        moves,
        ..Done::default()
    })
}

/// The distances of all tiles from where they belong, the blank being one of them.
fn distance(board: &Board) -> u32 {
    let size = board.size();
    let blank = size.count() as u8;
    let home = |label: u8| Square(if label == 0 { blank } else { label } - 1);
    size.squares().map(|square| size.distance(square, home(board.label(square)))).sum()
}

struct Program<'a> {
    weight: Weight,
    cancel: &'a AtomicBool,
    calls: u64,
    expanded: u64,
    path: Vec<Board>,
    slides: Vec<Direction>,
}

enum Reached {
    Goal,
    /// The smallest value above the bound.
    Over(u64),
}

impl Program<'_> {
    fn look(&mut self, made: u64, bound: u64) -> Option<Reached> {
        self.calls += 1;
        if self.calls.is_multiple_of(4096) && self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let board = self.path[self.path.len() - 1];
        let left = distance(&board);
        let value = made * u64::from(self.weight.of_move()) + u64::from(left) * u64::from(self.weight.of_bound());
        if value > bound {
            return Some(Reached::Over(value));
        }
        if left == 0 {
            return Some(Reached::Goal);
        }
        self.expanded += 1;
        let mut least = u64::MAX;
        for &from in ORDER[board.blank().index()] {
            let to_blank =
                |direction: &Direction| board.size().neighbour(Square(from), *direction) == Some(board.blank());
            let direction = Direction::ALL.into_iter().find(to_blank).expect("neighbours are neighbours");
            let mut next = board;
            next.slide(direction).expect("there is a tile");
            if self.path.contains(&next) {
                continue;
            }
            self.path.push(next);
            self.slides.push(direction);
            match self.look(made + 1, bound)? {
                Reached::Goal => return Some(Reached::Goal),
                Reached::Over(value) => least = least.min(value),
            }
            self.path.pop();
            self.slides.pop();
        }
        Some(Reached::Over(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weighted_search_has_the_nodes_and_the_length_of_the_article() {
        let board: Board = "15 16 14 13 / 1 3 2 4 / 7 8 6 5 / 11 9 10 12".parse().unwrap();
        let weight: Weight = "81/19".parse().unwrap();
        let done = search(&board, weight, &AtomicBool::new(false)).unwrap();
        assert_eq!((done.generated, done.length, done.bound), (12_536, Some(165), 46));
    }
}
