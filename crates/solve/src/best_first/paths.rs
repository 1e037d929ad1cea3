//! All shortest solutions, from what a search knows at its end.

use std::collections::HashMap;

use tilebase_puzzle::Direction;

use super::store::Mark;
use crate::request::Wanted;
use crate::space::graph::{Backtrack, Move};

/// Walks back from the goal over nodes with one move less each time.
///
/// That gives every shortest solution once, if each node on any of them is known with the number of moves that lead there.
pub(crate) struct Paths<'a, G: Backtrack> {
    pub(crate) graph: &'a G,
    /// The number of moves that lead to a node, if it is known.
    pub(crate) moves_to: &'a dyn Fn(G::Key) -> Option<u32>,
}

impl<G: Backtrack> Paths<'_, G> {
    /// The nodes from which a move leads to a node that takes `moves`, and those moves.
    fn before(&self, node: G::Key, moves: u32) -> impl Iterator<Item = (G::Key, G::Move)> {
        self.graph.parents(node).filter(move |&(before, _)| {
            // One may be known with fewer moves than `moves` - 1 only if the node's were not the fewest.
            (self.moves_to)(before) == Some(moves - 1)
        })
    }

    /// The number of shortest solutions with this many moves.
    pub(crate) fn count(&self, length: u32) -> u64 {
        let mut level: HashMap<G::Key, u64> = self.graph.targets().into_iter().map(|target| (target, 1)).collect();
        for moves in (1..=length).rev() {
            let mut earlier = HashMap::new();
            for (node, count) in level {
                for (before, _) in self.before(node, moves) {
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
        for target in self.graph.targets() {
            self.extend(target, length, wanted, &mut Vec::new(), &mut kept);
        }
        kept
    }

    /// Walks back from a node. `back` has the directions of tiles from there to the goal, the last first.
    fn extend(
        &self,
        node: G::Key,
        moves: u32,
        wanted: Wanted,
        back: &mut Vec<Direction>,
        kept: &mut Vec<Vec<Direction>>,
    ) {
        if !wanted.keeps(kept.len()) {
            return;
        }
        if moves == 0 {
            kept.push(back.iter().rev().copied().collect());
            return;
        }
        for (before, made) in self.before(node, moves) {
            let len = back.len();
            back.extend(std::iter::repeat_n(made.direction().opposite(), made.squares()));
            self.extend(before, moves - 1, wanted, back, kept);
            back.truncate(len);
        }
    }
}

/// The moves from a root to a node that is known, given the moves to each node and the last of them.
pub(crate) fn path_to<G: Backtrack>(
    graph: &G,
    mut node: G::Key,
    mark: &dyn Fn(G::Key) -> Option<Mark>,
) -> Vec<G::Move> {
    let mut path = Vec::new();
    while let Some(last) = mark(node).expect("the node before a known one is known").last() {
        let (before, made) = graph.came_from(node, last, &|node| mark(node).map(Mark::moves));
        path.push(made);
        node = before;
    }
    path.reverse();
    path
}
