//! All shortest solutions, from what a search knows when it has ended.

use std::collections::HashMap;

use tilebase_puzzle::Direction;

use crate::packed::{Moves, Packed};
use crate::request::Wanted;

/// Walks back from the goal over states with one move less each time.
///
/// That gives every shortest solution once, if each state on any of them is known with the number of moves that lead there.
pub(crate) struct Paths<'a, W> {
    pub(crate) moves: &'a Moves<W>,
    /// The number of moves that lead to a state, if it is known.
    pub(crate) moves_to: &'a dyn Fn(W) -> Option<u32>,
}

impl<W: Packed> Paths<'_, W> {
    /// The states from which a move leads to a state that takes `moves`, and the directions of the tiles in those moves.
    fn before(&self, state: W, moves: u32) -> impl Iterator<Item = (W, Direction)> {
        let earlier = self.moves.children(state, None).filter(move |&(_, before, _)| {
            // One may be known with fewer moves than `moves` - 1 only if the state's were not the fewest.
            (self.moves_to)(before) == Some(moves - 1)
        });
        // The blank goes back where the tile goes forward.
        earlier.map(|(direction, before, _)| (before, direction))
    }

    /// How many shortest solutions of this many moves there are.
    pub(crate) fn count(&self, length: u32) -> u64 {
        let mut level = HashMap::from([(self.moves.goal, 1_u64)]);
        for moves in (1..=length).rev() {
            let mut earlier = HashMap::new();
            for (state, count) in level {
                for (before, _) in self.before(state, moves) {
                    *earlier.entry(before).or_default() += count;
                }
            }
            level = earlier;
        }
        level.into_values().sum()
    }

    /// As many of them as are wanted.
    pub(crate) fn kept(&self, length: u32, wanted: Wanted) -> Vec<Vec<Direction>> {
        let mut kept = Vec::new();
        self.extend(self.moves.goal, length, wanted, &mut Vec::new(), &mut kept);
        kept
    }

    fn extend(&self, state: W, moves: u32, wanted: Wanted, back: &mut Vec<Direction>, kept: &mut Vec<Vec<Direction>>) {
        if !wanted.keeps(kept.len()) {
            return;
        }
        if moves == 0 {
            kept.push(back.iter().rev().copied().collect());
            return;
        }
        for (before, direction) in self.before(state, moves) {
            back.push(direction);
            self.extend(before, moves - 1, wanted, back, kept);
            back.pop();
        }
    }
}
