//! Random boards from a seed, the same on every platform.

use std::hash::{BuildHasher, RandomState};

use crate::board::Board;
use crate::parity::Parity;
use crate::size::{Direction, Size};

/// A small generator of random numbers with a fixed, written-down algorithm.
///
/// It is `SplitMix64` (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014): experiments that
/// name a seed can be repeated anywhere, by any version. Not for secrets.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// A seed that nobody knows yet, short enough to be written down, and to be exact in programs that only know fractions.
    pub fn fresh_seed() -> u64 {
        // The standard library's hash keys are random; that is all we need.
        RandomState::new().hash_one(0u8) >> 32
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely (by rejection, so there is no bias at all).
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        let usable = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.next_u64();
            if number < usable {
                return number % bound;
            }
        }
    }

    /// Any arrangement of the tiles, solvable or not, each equally likely.
    pub fn any_board(&mut self, size: Size) -> Board {
        let mut labels: Vec<u64> = (0..size.count() as u64).collect();
        self.shuffle(&mut labels);
        Board::new(size, &labels).expect("a shuffled board is a board")
    }

    /// A board from which `goal` can be reached, each equally likely.
    ///
    /// Exchanging two tiles pairs every unsolvable board with a solvable one, so half of the draws are mended that way
    /// and all solvable boards stay equally likely.
    pub fn solvable_board(&mut self, goal: &Board) -> Board {
        let board = self.any_board(goal.size());
        if Parity::between(&board, goal).is_solvable() {
            return board;
        }
        let mut labels: Vec<u64> = board.labels().iter().map(|&label| u64::from(label)).collect();
        let mut tiles = (0..labels.len()).filter(|&square| labels[square] != 0);
        let (a, b) = (tiles.next().expect("at least 3 tiles"), tiles.next().expect("at least 3 tiles"));
        labels.swap(a, b);
        Board::new(goal.size(), &labels).expect("exchanging two tiles of a board gives a board")
    }

    /// The board after `moves` random slides from `start`, none of which takes back the one before.
    pub fn walk(&mut self, start: &Board, moves: usize) -> Board {
        let mut board = *start;
        let mut last: Option<Direction> = None;
        for _ in 0..moves {
            let choices: Vec<Direction> =
                board.slides().filter(|&direction| Some(direction.opposite()) != last).collect();
            let direction = choices[self.below(choices.len() as u64) as usize];
            board.slide(direction).expect("a listed slide is not blocked");
            last = Some(direction);
        }
        board
    }

    /// Puts the items in random order, every order equally likely (Fisher & Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Goal;
    use std::collections::HashMap;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_seed_gives_the_same_board_for_ever() {
        let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
        let board = Random::new(1).solvable_board(&goal);
        assert_eq!(board.to_string(), "2 11 10 6 / 7 13 14 0 / 12 5 15 9 / 3 8 4 1");
        assert_eq!(Random::new(1).walk(&goal, 30).to_string(), "2 5 10 4 / 6 0 3 7 / 1 9 11 8 / 13 14 15 12");
    }

    #[test]
    fn all_twelve_solvable_2x2_boards_are_equally_likely() {
        let goal = Goal::BlankLast.board(Size::new(2, 2).unwrap()).unwrap();
        let mut random = Random::new(7);
        let mut seen: HashMap<Board, u32> = HashMap::new();
        for _ in 0..12_000 {
            *seen.entry(random.solvable_board(&goal)).or_default() += 1;
        }
        assert_eq!(seen.len(), 12);
        // 1,000 expected each; five standard deviations are about 150.
        assert!(seen.values().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }

    #[test]
    fn a_walk_never_takes_back_its_last_move() {
        let goal = Goal::BlankFirst.board(Size::new(3, 3).unwrap()).unwrap();
        for seed in 0..50 {
            assert_ne!(Random::new(seed).walk(&goal, 2), goal);
        }
    }
}
