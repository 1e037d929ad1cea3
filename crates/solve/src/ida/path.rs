//! The moves from the root to a node, two bits each.

use tilebase_puzzle::Direction;

const MOVES_OF_WORD: usize = 32;

/// The moves of the blank so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<const WORDS: usize> {
    words: [u64; WORDS],
    len: u16,
}

impl<const WORDS: usize> Path<WORDS> {
    pub(super) const EMPTY: Path<WORDS> = Path { words: [0; WORDS], len: 0 };

    /// The most moves that fit.
    pub(super) const MOST: usize = WORDS * MOVES_OF_WORD;

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Adds a move, by its place in [`Direction::ALL`].
    #[inline(always)]
    pub(super) fn push(&mut self, direction: usize) {
        let at = self.len();
        self.words[at / MOVES_OF_WORD] |= (direction as u64) << (at % MOVES_OF_WORD * 2);
        self.len += 1;
    }

    /// Writes the moves to the front of a slice. It has room for all of them.
    pub(super) fn copy_to(&self, moves: &mut [Direction]) {
        for (at, direction) in moves[..self.len()].iter_mut().enumerate() {
            let word = self.words[at / MOVES_OF_WORD];
            *direction = Direction::ALL[(word >> (at % MOVES_OF_WORD * 2)) as usize & 3];
        }
    }

    pub(super) fn moves(&self) -> Vec<Direction> {
        let mut moves = vec![Direction::Up; self.len()];
        self.copy_to(&mut moves);
        moves
    }
}
