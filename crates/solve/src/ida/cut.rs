//! Cuts an iteration into units: the nodes at some depth of its tree, in the order of a breadth-first search.

use tilebase_puzzle::Direction;

/// The fewest units that are worth the overhead, and the most that are kept in memory.
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 16;

/// The number of units for an iteration, given the nodes of the iteration before. `None` when it is too small to be cut.
pub(super) fn units_for(nodes_before: u64, nodes_of_unit: u64) -> Option<usize> {
    let units = nodes_before / nodes_of_unit;
    (units >= FEWEST).then(|| units.min(MOST) as usize)
}

/// The tree of an iteration.
pub(super) trait Tree {
    /// A node, with the path to it.
    type Node: Copy;

    /// The blank's moves from the start to a node, one square each.
    fn path(&self, node: &Self::Node) -> Vec<Direction>;

    /// The lower bound at a node.
    fn cost(&self, node: &Self::Node) -> u32;

    /// Counts the children of a node as generated. Adds those within the bound to the units, and notes the values of the others and
    /// any solution.
    fn expand(&self, parent: &Self::Node, cut: &mut Cut<Self::Node>);
}

/// An iteration that is cut into units; not cut at first: then the units are its roots.
pub(super) struct Cut<N> {
    pub(super) units: Vec<N>,
    /// Nodes generated and expanded by cutting.
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The smallest value above the bound so far.
    pub(super) next_bound: u64,
    /// The moves of the blank to the goal, if cutting met it.
    pub(super) solution: Option<Vec<Direction>>,
}

impl<N: Copy> Cut<N> {
    /// A tree without roots.
    pub(super) fn empty() -> Cut<N> {
        Cut { units: Vec::new(), generated: 0, expanded: 0, next_bound: u64::MAX, solution: None }
    }

    /// A tree with one root.
    pub(super) fn of(root: N) -> Cut<N> {
        Cut { units: vec![root], ..Cut::empty() }
    }

    /// Cuts a tree until there are enough units.
    pub(super) fn until(mut self, enough: usize, tree: &impl Tree<Node = N>) -> Cut<N> {
        // The tree may end before there are enough units. Then the last level is empty, and nothing is left to search.
        while !self.units.is_empty() && self.units.len() < enough {
            for parent in std::mem::take(&mut self.units) {
                self.expanded += 1;
                tree.expand(&parent, &mut self);
            }
        }
        self
    }

    /// All units in one number, for [`SharedBound::digest`](crate::SharedBound::digest): the paths to them and their costs, by
    /// FNV-1a. Near the root all trees are alike, whatever the board and the tables; the costs differ.
    pub(super) fn digest(&self, tree: &impl Tree<Node = N>) -> u64 {
        let add = |digest: u64, value: u64| (digest ^ value).wrapping_mul(0x0100_0000_01b3);
        self.units.iter().fold(0xcbf2_9ce4_8422_2325, |digest, unit| {
            let path = tree.path(unit).into_iter().fold(digest, |digest, direction| add(digest, direction as u64));
            add(path, tree.cost(unit).into())
        })
    }
}
