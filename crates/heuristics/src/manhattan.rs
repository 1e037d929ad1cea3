//! The Manhattan distance: every tile alone, as if the others were not there.
//!
//! A move brings one tile one row or one column nearer to its goal square, at best. So the rows and columns that all tiles
//! are away add up to a bound, and each move changes it by exactly one, which makes it consistent. All the bounds that look
//! at pairs, lines and corners start from here and add moves that this one does not see.

use tilebase_puzzle::{Size, Slide, Square, State, Tile};

use crate::about::{About, Listed, Promise};
use crate::heuristic::{Heuristic, steps_are_nodes};

/// The sum of the distances of all tiles from their goal squares, along rows and columns.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// From tile and square: 1 KB. Longer than a board, so that no number of five bits is out of bounds.
    distance: Box<[[u8; 32]; 32]>,
}

impl Manhattan {
    /// For boards of a size.
    pub fn new(size: Size) -> Manhattan {
        Manhattan::with(size, size.squares().map(|square| (square, Tile(square.0))))
    }

    /// The distance to a state instead of the goal, for searches that go backward.
    pub fn to(state: &State) -> Manhattan {
        Manhattan::with(state.size(), state.tiles())
    }

    /// From the squares where tiles have to go.
    fn with(size: Size, goals: impl Iterator<Item = (Square, Tile)>) -> Manhattan {
        let mut distance = Box::new([[0; 32]; 32]);
        for (goal, tile) in goals {
            for square in size.squares() {
                distance[tile.index()][square.index()] = size.distance(goal, square) as u8;
            }
        }
        Manhattan { distance }
    }
}

impl Listed for Manhattan {
    const ABOUT: About = About {
        name: "manhattan",
        summary: "the distances of all tiles along rows and columns",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn new_for(size: Size, _home: Square) -> Option<Manhattan> {
        Some(Manhattan::new(size))
    }
}

/// A node is the sum itself: a slide changes it by one.
impl Heuristic for Manhattan {
    type Node = u32;
    steps_are_nodes!();

    fn root(&self, state: &State) -> Option<u32> {
        Some(state.tiles().map(|(square, tile)| u32::from(self.distance[tile.index()][square.index()])).sum())
    }

    #[inline]
    fn cost(&self, sum: &u32) -> u32 {
        *sum
    }

    #[inline]
    fn begin(&self, _stage: usize, sum: &u32, slide: Slide) -> u32 {
        let distance = &self.distance[slide.tile.index() % 32];
        sum + u32::from(distance[slide.to.index() % 32]) - u32::from(distance[slide.from.index() % 32])
    }
}
