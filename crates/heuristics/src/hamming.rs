//! Misplaced tiles: every tile that is not where it belongs has to move at least once.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Listed, Promise};
use crate::heuristic::{Heuristic, steps_are_nodes};

/// The number of tiles that are not where they belong: how many moves there would be if a tile could be lifted and put on its
/// goal square, whatever is there. The blank is no tile and does not count.
///
/// A slide moves one tile, so it changes the number by at most one: the bound is consistent.
#[derive(Clone, Copy, Debug)]
pub struct Hamming;

impl Listed for Hamming {
    const ABOUT: About = About {
        name: "hamming",
        summary: "the number of tiles that are not where they belong",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn new_for(_size: Size, _home: Square) -> Option<Hamming> {
        Some(Hamming)
    }
}

/// How many tiles are not where they belong.
pub(crate) fn misplaced(state: &State) -> u32 {
    state.tiles().filter(|(square, tile)| tile.goal() != *square).count() as u32
}

impl Heuristic for Hamming {
    type Node = u32;
    steps_are_nodes!();

    fn root(&self, state: &State) -> Option<u32> {
        Some(misplaced(state))
    }

    #[inline]
    fn cost(&self, misplaced: &u32) -> u32 {
        *misplaced
    }

    #[inline]
    fn begin(&self, _stage: usize, misplaced: &u32, slide: Slide) -> u32 {
        let home = slide.tile.goal();
        misplaced + u32::from(slide.from == home) - u32::from(slide.to == home)
    }
}
