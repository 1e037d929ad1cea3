//! The Manhattan distance: every tile alone, as if the others were not there.

use tilebase_puzzle::{MAX_SQUARES, Size, Slide, State};

use crate::heuristic::{Heuristic, Walker};

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

impl Heuristic for Manhattan {
    type Walker<'a> = ManhattanWalker<'a>;

    fn walker(&self, state: &State) -> Option<ManhattanWalker<'_>> {
        let tiles = state.size().squares().filter(|&square| square != state.blank());
        let cost = tiles.map(|square| u32::from(self.distance[state.tile(square).index()][square.index()])).sum();
        Some(ManhattanWalker { distance: &self.distance, cost, before: Vec::new() })
    }
}

/// Follows the sum: a slide changes it by one.
#[derive(Clone, Debug)]
pub struct ManhattanWalker<'a> {
    distance: &'a [[u8; MAX_SQUARES]; MAX_SQUARES],
    cost: u32,
    before: Vec<u32>,
}

impl Walker for ManhattanWalker<'_> {
    #[inline]
    fn cost(&self) -> u32 {
        self.cost
    }

    #[inline]
    fn advance(&mut self, slide: Slide, limit: u32) -> Result<(), u32> {
        let distance = &self.distance[slide.tile.index()];
        let (from, to) = (distance[slide.from.index()], distance[slide.to.index()]);
        let cost = self.cost + u32::from(to) - u32::from(from);
        if cost > limit {
            return Err(cost);
        }
        self.before.push(self.cost);
        self.cost = cost;
        Ok(())
    }

    #[inline]
    fn retreat(&mut self) {
        self.cost = self.before.pop().expect("a step was made that is not yet taken back");
    }
}
