//! Manhattan distance plus the blank's distance from every misplaced tile: not a lower bound.
//!
//! The idea is that the blank has to come to a tile before the tile can move. Alam and others (section 4) tried it, "the city
//! block heuristic … incorporating the distance to the empty tile for each tile … if the tile was not in its target location",
//! and report longer solutions. The paper gives no formula; it is read here as the sum, over all tiles that are not where they
//! belong, of the tile's Manhattan distance and the Manhattan distance between the tile and the blank.
//!
//! On one path the blank passes many tiles, and this sum counts that path once for each of them; and the step by which it
//! reaches a tile is the move that brings the tile home. So the sum exceeds the true distance already one move from the goal,
//! where it is 2. Two moves from it, with `1 2 .` in the row `. 1 2`, the tiles have one step each to go, and the blank is one
//! step and two steps away: 5. Searches with it find solutions fast, not shortest ones.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Listed, Promise};
use crate::direction::direction;
use crate::heuristic::{Heuristic, steps_are_nodes};
use crate::manhattan::Manhattan;

/// For every misplaced tile its Manhattan distance, and the blank's distance from it. Not admissible.
#[derive(Clone, Debug)]
pub struct BlankAware {
    manhattan: Manhattan,
    /// From the blank's square and the direction it goes in: the squares that it comes nearer to.
    nearer: Box<[[u32; 4]; 32]>,
}

/// Which squares have misplaced tiles, and the bound's two sums.
#[derive(Clone, Copy, Debug)]
pub struct BlankAwareNode {
    misplaced: u32,
    manhattan: u32,
    /// The blank's distances from all misplaced tiles.
    distances: u32,
}

impl Listed for BlankAware {
    const ABOUT: About = About {
        name: "blank-aware",
        summary: "manhattan, and the blank's distance from every misplaced tile",
        promise: Promise::Nothing,
        promise_of_runs: Promise::Nothing,
    };

    fn new_for(size: Size, _home: Square) -> Option<BlankAware> {
        let mut nearer = Box::new([[0; 4]; 32]);
        for before in size.squares() {
            for after in size.squares().filter(|&after| size.distance(before, after) == 1) {
                let squares = size.squares().filter(|&tile| size.distance(after, tile) < size.distance(before, tile));
                nearer[before.index()][direction(before, after)] = squares.map(Square::bit).sum();
            }
        }
        Some(BlankAware { manhattan: Manhattan::new(size), nearer })
    }
}

impl Heuristic for BlankAware {
    type Node = BlankAwareNode;
    steps_are_nodes!();

    fn is_admissible(&self) -> bool {
        false
    }

    fn root(&self, state: &State) -> Option<BlankAwareNode> {
        let misplaced = || state.tiles().filter(|(square, tile)| tile.goal() != *square).map(|(square, _)| square);
        Some(BlankAwareNode {
            misplaced: misplaced().map(Square::bit).sum(),
            manhattan: self.manhattan.root(state)?,
            distances: misplaced().map(|square| state.size().distance(square, state.blank())).sum(),
        })
    }

    #[inline]
    fn cost(&self, node: &BlankAwareNode) -> u32 {
        node.manhattan + node.distances
    }

    /// The blank comes one step nearer to the tiles on one side, and one step away from the others. The tile that moves is
    /// beside it before and after.
    #[inline]
    fn begin(&self, _stage: usize, node: &BlankAwareNode, slide: Slide) -> BlankAwareNode {
        let others = node.misplaced & !slide.from.bit();
        let nearer = others & self.nearer[slide.to.index() % 32][direction(slide.to, slide.from) % 4];
        let [before, after] = [slide.from, slide.to].map(|square| u32::from(square != slide.tile.goal()));
        BlankAwareNode {
            misplaced: others | after << slide.to.0,
            manhattan: self.manhattan.begin(0, &node.manhattan, slide),
            distances: node.distances + others.count_ones() + after - 2 * nearer.count_ones() - before,
        }
    }
}
