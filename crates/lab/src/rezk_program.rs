//! The program of Rezk's article, written again so that it counts what its table shows.
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

use tilebase::progress::{Event, Watch};
use tilebase::puzzle::{Board, Direction, MoveForm, Size, Square};
use tilebase::solve::Weight;

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
pub(crate) fn search(board: &Board, weight: Weight, watch: Watch<'_>) -> Option<Done> {
    let size = board.size();
    if size != Size::new(4, 4).ok()? {
        return None;
    }
    let start = Place {
        tiles: size.squares().fold(0, |tiles, square| tiles | u64::from(board.label(square)) << (4 * square.0)),
        blank: board.blank(),
        distance: size.squares().map(|square| distance(size, board.label(square), square)).sum(),
    };
    let mut search =
        Program { size, weight, watch, calls: 0, expanded: 0, path: vec![start.tiles], slides: Vec::new() };
    let mut bound = u64::from(start.distance) * u64::from(weight.of_bound());
    while let Reached::Over(value) = search.look(start, bound)? {
        bound = value;
    }
    let moves = MoveForm::Tile.write(&search.slides, board).expect("the path was walked");
    Some(Done {
        length: Some(search.slides.len() as u32),
        bound: start.distance,
        generated: search.calls,
        expanded: search.expanded,
        peak_nodes: search.path.len() as u64,
        moves,
        ..Done::default()
    })
}

/// How far a tile, or the blank, on a square is from where it belongs.
fn distance(size: Size, label: u8, square: Square) -> u32 {
    let home = if label == 0 { size.count() as u8 } else { label } - 1;
    size.distance(square, Square(home))
}

/// A board: the label of each square in four bits, and what follows from it.
#[derive(Clone, Copy)]
struct Place {
    tiles: u64,
    blank: Square,
    distance: u32,
}

impl Place {
    /// After the tile on a square beside the blank has slid.
    fn after(self, size: Size, from: Square) -> Place {
        let label = (self.tiles >> (4 * from.0) & 15) as u8;
        let moved = u64::from(label) << (4 * from.0) | u64::from(label) << (4 * self.blank.0);
        let steps = |label: u8, square: Square| distance(size, label, square);
        let before = steps(label, from) + steps(0, self.blank);
        let after = steps(label, self.blank) + steps(0, from);
        // The blank is all zeros, so that exchanging it with a tile is to flip the tile's bits on both squares.
        Place { tiles: self.tiles ^ moved, blank: from, distance: self.distance + after - before }
    }
}

struct Program<'a> {
    size: Size,
    weight: Weight,
    watch: Watch<'a>,
    calls: u64,
    expanded: u64,
    path: Vec<u64>,
    slides: Vec<Direction>,
}

enum Reached {
    Goal,
    /// The smallest value above the bound.
    Over(u64),
}

impl Program<'_> {
    fn look(&mut self, place: Place, bound: u64) -> Option<Reached> {
        self.calls += 1;
        if self.calls.is_multiple_of(4096) && (self.watch)(&Event::Poll).is_break() {
            return None;
        }
        let made = self.slides.len() as u64;
        let Place { blank, distance, .. } = place;
        let value = made * u64::from(self.weight.of_move()) + u64::from(distance) * u64::from(self.weight.of_bound());
        if value > bound {
            return Some(Reached::Over(value));
        }
        if distance == 0 {
            return Some(Reached::Goal);
        }
        self.expanded += 1;
        let mut least = u64::MAX;
        for &from in ORDER[blank.index()] {
            let next = place.after(self.size, Square(from));
            if self.path.contains(&next.tiles) {
                continue;
            }
            let to_blank = |direction: &Direction| self.size.neighbour(Square(from), *direction) == Some(blank);
            let direction = Direction::ALL.into_iter().find(to_blank).expect("neighbours are neighbours");
            self.path.push(next.tiles);
            self.slides.push(direction);
            match self.look(next, bound)? {
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
        let done = search(&board, weight, &tilebase::progress::unwatched).unwrap();
        assert_eq!((done.generated, done.length, done.bound), (12_536, Some(165), 46));
    }
}
