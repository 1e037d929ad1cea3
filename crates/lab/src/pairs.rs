//! Bauer's pair distance as his program has it: one partner for each tile, rows and columns together.
//!
//! His Definition 4 lets a tile have a partner in its row and another in its column. His program does not: it keeps partners in
//! one array, and the report says that "multiple pair relations of one tile" are not considered in its tests. The report's
//! count of pairs at the start tells the two apart: 29, 47, 20 and 4 of Korf's boards have none, one, two and three pairs with one
//! partner, and 29, 46, 21 and 4 by the definition. Board 64 makes the difference.

use std::sync::atomic::{AtomicU64, Ordering};

use tilebase::heuristics::{Heuristic, Manhattan};
use tilebase::puzzle::{Size, Slide, Square, State, Tile};

/// What is counted: nodes with 0, 1, 2 and more pairs, and nodes with more pairs than the node before.
pub(crate) const COUNTS: usize = 5;

/// The pair distance of one search, with one partner for each tile. It counts how many nodes have pairs.
///
/// The tile that moves leaves its partner when they are no longer in each other's way, and looks for another in its row, then in
/// its column, the first from the left or the top. The partner left behind looks for none until it moves itself. The few nodes at
/// which a search takes a sample of the heuristic's speed are counted twice.
pub(crate) struct OnePartner {
    size: Size,
    manhattan: Manhattan,
    counts: [AtomicU64; COUNTS],
}

/// What is known of a state: the tile of each square and the partner of each tile, in four bits each, 0 being none; the Manhattan
/// distance; and how many pairs there are.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    tiles: u64,
    partners: u64,
    distance: u32,
    pairs: u32,
}

impl Known {
    fn tile(&self, square: Square) -> Tile {
        Tile((self.tiles >> (4 * square.0) & 15) as u8)
    }

    fn partner(&self, tile: Tile) -> Tile {
        Tile((self.partners >> (4 * tile.0) & 15) as u8)
    }

    fn place(&self, size: Size, tile: Tile) -> Square {
        size.squares().find(|&square| self.tile(square) == tile).expect("every tile is somewhere")
    }

    /// Makes two tiles partners that have none, or parts two that are.
    fn toggle(&mut self, a: Tile, b: Tile) {
        self.partners ^= u64::from(b.0) << (4 * a.0) | u64::from(a.0) << (4 * b.0);
    }

    fn cost(&self) -> u32 {
        self.distance + 2 * self.pairs
    }
}

const NOBODY: Tile = Tile(0);

impl OnePartner {
    /// Ready for one search on one thread. `None` when the boards have more than 16 squares or the blank does not belong first.
    pub(crate) fn new(size: Size, home: Square) -> Option<OnePartner> {
        let counts = std::array::from_fn(|_| AtomicU64::new(0));
        let suits = size.count() <= 16 && home == Square(0);
        suits.then(|| OnePartner { size, manhattan: Manhattan::new(size), counts })
    }

    pub(crate) fn counts(&self) -> Vec<u64> {
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// One thread searches, so that nothing is lost between reading and writing, and nothing has to be locked.
    fn add(&self, which: usize) {
        let count = &self.counts[which];
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Gives a tile on a square the first partner that suits, if it has none.
    fn find_partner(&self, known: &mut Known, tile: Tile, at: Square) {
        let width = self.size.width() as u8;
        let (row, column) = (at.0 / width, at.0 % width);
        let home = tile.0;
        if known.partner(tile) != NOBODY {
            return;
        }
        let in_row = (row == home / width).then_some((row * width, 1, width));
        let in_column = (column == home % width).then_some((column, width, self.size.height() as u8));
        for (first, step, length) in in_row.into_iter().chain(in_column) {
            for place in 0..length {
                let square = Square(first + place * step);
                let other = known.tile(square);
                let belongs =
                    other.0 >= first && (other.0 - first).is_multiple_of(step) && (other.0 - first) / step < length;
                let crosses = (square < at) != (other.0 < home);
                if square != at && other != NOBODY && belongs && crosses && known.partner(other) == NOBODY {
                    known.toggle(tile, other);
                    known.pairs += 1;
                    return;
                }
            }
        }
    }

    /// Whether two tiles on two squares are in each other's way: in one line that both belong to, in the wrong order.
    fn conflict(&self, (a, on): (Tile, Square), (b, at): (Tile, Square)) -> bool {
        let width = self.size.width() as u8;
        let same = |part: fn(u8, u8) -> u8| {
            let line = part(on.0, width);
            [at.0, a.0, b.0].iter().all(|&square| part(square, width) == line)
        };
        (same(|square, width| square / width) || same(|square, width| square % width)) && (on < at) != (a.0 < b.0)
    }
}

impl Heuristic for OnePartner {
    type Node = Known;
    type Step = Known;

    fn root(&self, state: &State) -> Option<Known> {
        let tiles =
            self.size.squares().fold(0, |tiles, square| tiles | u64::from(state.tile(square).0) << (4 * square.0));
        let mut known = Known { tiles, partners: 0, distance: self.manhattan.root(state)?, pairs: 0 };
        for tile in (1..self.size.count() as u8).map(Tile) {
            let at = known.place(self.size, tile);
            self.find_partner(&mut known, tile, at);
        }
        self.add(known.pairs.min(3) as usize);
        Some(known)
    }

    fn cost(&self, known: &Known) -> u32 {
        known.cost()
    }

    fn begin(&self, stage: usize, known: &Known, slide: Slide) -> Known {
        let Slide { tile, from, to } = slide;
        let mut after = *known;
        after.distance = self.manhattan.begin(stage, &known.distance, slide);
        // The blank is all zeros, so that exchanging it with a tile is to flip the tile's bits on both squares.
        after.tiles ^= u64::from(tile.0) << (4 * from.0) | u64::from(tile.0) << (4 * to.0);
        let partner = known.partner(tile);
        if partner != NOBODY && !self.conflict((tile, to), (partner, after.place(self.size, partner))) {
            after.toggle(tile, partner);
            after.pairs -= 1;
        }
        self.find_partner(&mut after, tile, to);
        self.add(after.pairs.min(3) as usize);
        if after.pairs > known.pairs {
            self.add(COUNTS - 1);
        }
        after
    }

    fn finish(&self, _stage: usize, after: &mut Known) -> u32 {
        after.cost()
    }

    fn apply(&self, _stage: usize, known: &mut Known, after: &Known) {
        *known = *after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::GOAL;
    use tilebase::heuristics::{AnyListed, Heuristic};
    use tilebase::puzzle::known::korf15;
    use tilebase::puzzle::{Direction, Frame, Random};

    #[test]
    fn korfs_boards_have_as_many_pairs_at_the_start_as_bauer_says() {
        let mut boards = [0; 4];
        for korf in korf15() {
            let frame = Frame::new(&GOAL.board(korf.board.size()).unwrap());
            let heuristic = OnePartner::new(frame.size(), frame.home()).unwrap();
            boards[heuristic.root(&frame.state(&korf.board).unwrap()).unwrap().pairs as usize] += 1;
        }
        assert_eq!(boards, [29, 47, 20, 4]);
    }

    #[test]
    fn along_random_walks_partners_are_true_pairs_and_the_bound_is_below_linear_conflict() {
        let size = Size::new(4, 4).unwrap();
        let frame = Frame::new(&GOAL.board(size).unwrap());
        let heuristic = OnePartner::new(size, frame.home()).unwrap();
        let conflict = AnyListed::new("linear-conflict", size, frame.home()).unwrap();
        let mut random = Random::new(5);
        for _ in 0..20 {
            let mut state = frame.state(&random.solvable_board(frame.goal())).unwrap();
            let mut known = heuristic.root(&state).unwrap();
            for _ in 0..200 {
                let slides: Vec<Slide> =
                    Direction::ALL.iter().filter_map(|&direction| state.slide_in(direction)).collect();
                let slide = slides[random.below(slides.len() as u64) as usize];
                known = heuristic.begin(0, &known, slide);
                state.make(slide);
                assert!(
                    size.squares().all(|square| square == state.blank() || known.tile(square) == state.tile(square))
                );
                let place = |tile: Tile| known.place(size, tile);
                let partners: Vec<Tile> = (1..16).map(Tile).filter(|&tile| known.partner(tile) != NOBODY).collect();
                assert_eq!(partners.len() as u32, 2 * known.pairs);
                for tile in partners {
                    let partner = known.partner(tile);
                    assert_eq!(known.partner(partner), tile);
                    assert!(heuristic.conflict((tile, place(tile)), (partner, place(partner))));
                }
                assert!(known.cost() <= conflict.cost(&conflict.root(&state).unwrap()));
            }
        }
    }
}
