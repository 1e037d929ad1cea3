//! The Manhattan distance: every tile alone, as if the others were not there.

use tilebase_puzzle::{MAX_SQUARES, Size, Slide, State};

use crate::heuristic::Heuristic;

/// The sum of the distances of all tiles from their goal squares, along rows and columns.
#[derive(Clone, Debug)]
pub struct Manhattan {
    distance: Box<[[u8; MAX_SQUARES]; MAX_SQUARES]>,
}

impl Manhattan {
    /// For boards of a size.
    pub fn new(size: Size) -> Manhattan {
        let mut distance = Box::new([[0; MAX_SQUARES]; MAX_SQUARES]);
        for a in size.squares() {
            for b in size.squares() {
                distance[a.index()][b.index()] = size.distance(a, b) as u8;
            }
        }
        Manhattan { distance }
    }
}

/// A node is the sum itself: a slide changes it by one.
impl Heuristic for Manhattan {
    type Node = u32;
    type Step = u32;

    fn root(&self, state: &State) -> Option<u32> {
        let tiles = state.size().squares().filter(|&square| square != state.blank());
        Some(tiles.map(|square| u32::from(self.distance[state.tile(square).index()][square.index()])).sum())
    }

    fn cost(&self, sum: &u32) -> u32 {
        *sum
    }

    #[inline]
    fn begin(&self, _stage: usize, sum: &u32, slide: Slide) -> u32 {
        let distance = &self.distance[slide.tile.index()];
        sum + u32::from(distance[slide.to.index()]) - u32::from(distance[slide.from.index()])
    }

    #[inline]
    fn finish(&self, _stage: usize, after: &mut u32) -> u32 {
        *after
    }

    #[inline]
    fn apply(&self, _stage: usize, sum: &mut u32, after: &u32) {
        *sum = *after;
    }
}
