//! Straight-line distances, in whole moves.
//!
//! A tile goes one step at a time, along a row or a column, so it needs at least as many moves as its straight-line distance.
//! The sum over all tiles is rarely a whole number, and the number of moves is, so it is rounded up. For a tile two rows and
//! one column from home: √5 = 2.236…, where the Manhattan distance is 3; so this bound is never the better one. It is here
//! because it is much used for comparison.
//!
//! Sums of floating-point numbers depend on their order, and one rounded up from 12.000000000000002 is too large. So each
//! root is a whole number of 2⁻²⁴ moves, rounded down: sums are exact, and never too large. A slide changes a root by at most
//! one, rounded down or not, so the bound is consistent.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Listed, Promise};
use crate::heuristic::{Heuristic, steps_are_nodes};

/// Parts of a move that distances are counted in: fine enough that all roots together lose less than 2⁻¹⁹ moves, coarse
/// enough that a sum fits: no board's distances come to 256 moves.
const PARTS: u64 = 1 << 24;

/// The sum of the straight-line distances of all tiles from their goal squares, rounded up.
#[derive(Clone, Debug)]
pub struct Euclidean {
    /// From tile and square, in parts. Longer than a board, so that no number of five bits is out of bounds.
    distance: Box<[[u32; 32]; 32]>,
}

impl Listed for Euclidean {
    const ABOUT: About = About {
        name: "euclidean",
        summary: "the straight-line distances of all tiles, rounded up",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn new_for(size: Size, _home: Square) -> Option<Euclidean> {
        let mut distance = Box::new([[0; 32]; 32]);
        for a in size.squares() {
            for b in size.squares() {
                let ((ar, ac), (br, bc)) = (size.row_column(a), size.row_column(b));
                let squared = (ar.abs_diff(br).pow(2) + ac.abs_diff(bc).pow(2)) as u64;
                distance[a.index()][b.index()] = (squared * PARTS * PARTS).isqrt() as u32;
            }
        }
        Some(Euclidean { distance })
    }
}

/// A node is the sum in parts.
impl Heuristic for Euclidean {
    type Node = u32;
    steps_are_nodes!();

    fn root(&self, state: &State) -> Option<u32> {
        Some(state.tiles().map(|(square, tile)| self.distance[tile.index()][square.index()]).sum())
    }

    #[inline]
    fn cost(&self, sum: &u32) -> u32 {
        sum.div_ceil(PARTS as u32)
    }

    #[inline]
    fn begin(&self, _stage: usize, sum: &u32, slide: Slide) -> u32 {
        let distance = &self.distance[slide.tile.index() % 32];
        sum + distance[slide.to.index() % 32] - distance[slide.from.index() % 32]
    }
}
