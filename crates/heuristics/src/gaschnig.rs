//! Gaschnig's heuristic: any tile may jump to the blank.
//!
//! If a tile need not be beside the blank to move into it, the puzzle becomes sorting by exchanges with the blank, and that
//! can be counted (Gaschnig 1979). Follow from a square to the square where its content belongs, and on: the board falls into
//! cycles. In the cycle of the blank every jump can bring a tile home. A cycle without the blank first needs one jump that
//! brings the blank into it. So the number of jumps is the number of misplaced tiles, plus one for each cycle of misplaced
//! tiles without the blank:
//!
//! ```text
//! . 2 1      the blank is at home; 1 and 2 are a cycle of their own: 2 misplaced + 1 = 3
//! 3 4 5
//! ```
//!
//! It is the true distance of a puzzle with more moves, hence consistent.
//!
//! A slide exchanges a tile with the blank. If both were in one cycle, the cycle falls apart: the tile is home now, or it is
//! in a cycle that the blank has left. If they were not, the cycles become one. Either way the number changes by exactly one,
//! and the only question is whether they were in the same cycle.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Listed, Promise};
use crate::hamming::misplaced;
use crate::heuristic::Heuristic;

/// How many jumps of any tile to the blank's square lead to the goal. At least [`Hamming`](crate::Hamming).
#[derive(Clone, Copy, Debug)]
pub struct Gaschnig;

impl Listed for Gaschnig {
    const ABOUT: About = About {
        name: "gaschnig",
        summary: "how many moves there would be if any tile could jump to the blank",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn new_for(_size: Size, _home: Square) -> Option<Gaschnig> {
        Some(Gaschnig)
    }
}

/// The tile on each square, named by its goal square, so that cycles can be followed; and the number of jumps.
#[derive(Clone, Copy, Debug)]
pub struct GaschnigNode {
    /// Longer than a board, so that no number of five bits is out of bounds.
    tiles: [u8; 32],
    jumps: u8,
}

/// The slide, and the number of jumps after it.
#[derive(Clone, Copy, Debug)]
pub struct GaschnigStep {
    slide: Slide,
    jumps: u8,
}

impl GaschnigNode {
    /// The square where what is on a square belongs.
    #[inline]
    fn next(&self, square: u8) -> u8 {
        self.tiles[square as usize % 32]
    }

    /// Whether following from one square leads to another.
    #[inline]
    fn same_cycle(&self, start: u8, sought: u8) -> bool {
        let mut square = self.next(start);
        while square != start && square != sought {
            square = self.next(square);
        }
        square == sought
    }
}

impl Heuristic for Gaschnig {
    type Node = GaschnigNode;
    type Step = GaschnigStep;

    fn root(&self, state: &State) -> Option<GaschnigNode> {
        let mut node = GaschnigNode { tiles: [0; 32], jumps: 0 };
        state.size().squares().for_each(|square| node.tiles[square.index()] = state.tile(square).0);
        // Each cycle is counted at its first square, unless it has only that one, or the blank.
        let is_first = |square: &Square| (0..square.0).all(|before| !node.same_cycle(square.0, before));
        let firsts = state.size().squares().filter(is_first);
        let cycles = firsts.filter(|square| {
            let has_blank = *square == state.blank() || node.same_cycle(square.0, state.blank().0);
            node.next(square.0) != square.0 && !has_blank
        });
        let jumps = misplaced(state) + cycles.count() as u32;
        node.jumps = jumps as u8;
        Some(node)
    }

    fn cost(&self, node: &GaschnigNode) -> u32 {
        node.jumps.into()
    }

    #[inline]
    fn begin(&self, _stage: usize, node: &GaschnigNode, slide: Slide) -> GaschnigStep {
        let nearer = if node.same_cycle(slide.from.0, slide.to.0) {
            slide.tile.goal() == slide.to
        } else {
            slide.tile.goal() != slide.from
        };
        GaschnigStep { slide, jumps: if nearer { node.jumps.wrapping_sub(1) } else { node.jumps.wrapping_add(1) } }
    }

    #[inline]
    fn finish(&self, _stage: usize, step: &mut GaschnigStep) -> u32 {
        step.jumps.into()
    }

    #[inline]
    fn apply(&self, _stage: usize, node: &mut GaschnigNode, step: &GaschnigStep) {
        node.tiles.swap(step.slide.from.index() % 32, step.slide.to.index() % 32);
        node.jumps = step.jumps;
    }
}
