//! Cuts an iteration into units: the nodes at some depth of its tree, in the order of a breadth-first search.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::Direction;

use super::depth_first::Node;
use super::iteration::Iteration;
use crate::automaton::Automaton;
use crate::packed::Packed;

/// The fewest units that are worth while, and the most that are kept in memory.
const FEWEST: u64 = 64;
const MOST: u64 = 1 << 16;

/// How many units an iteration should have, given how many nodes the iteration before had; none when that is not worth while.
pub(super) fn units_for(nodes_before: u64, nodes_of_unit: u64) -> Option<usize> {
    let units = nodes_before / nodes_of_unit;
    (units >= FEWEST).then(|| units.min(MOST) as usize)
}

/// An iteration that is cut.
pub(super) struct Cut<N, B> {
    pub(super) units: Vec<Node<N, B>>,
    /// What cutting took.
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The smallest value above the bound that was met.
    pub(super) next_bound: u64,
    /// The moves of the blank to the goal, if that is so near that it was met.
    pub(super) solution: Option<Vec<Direction>>,
}

impl<N: Copy, B: Packed> Cut<N, B> {
    /// Cuts an iteration, given its root and how many units are enough.
    pub(super) fn new<H: Heuristic<Node = N>>(
        iteration: &Iteration<'_, H, B>,
        root: Node<N, B>,
        enough: usize,
    ) -> Cut<N, B> {
        let mut cut = Cut { units: vec![root], generated: 0, expanded: 0, next_bound: u64::MAX, solution: None };
        // The tree may end before there are enough; the last level is then empty, and there is nothing left to do.
        while !cut.units.is_empty() && cut.units.len() < enough {
            let parents = std::mem::take(&mut cut.units);
            parents.iter().for_each(|parent| cut.expand(iteration, parent));
        }
        cut
    }

    /// All units in one number, for [`SharedBound::digest`](crate::SharedBound::digest): the paths to them and their costs, by
    /// FNV-1a. Near the root trees are alike, whatever the board and the tables; costs are not.
    pub(super) fn digest<H: Heuristic<Node = N>>(&self, heuristic: &H) -> u64 {
        let add = |digest: u64, value: u64| (digest ^ value).wrapping_mul(0x0100_0000_01b3);
        self.units.iter().fold(0xcbf2_9ce4_8422_2325, |digest, unit| {
            let path = unit.path.moves().into_iter().fold(digest, |digest, direction| add(digest, direction as u64));
            add(path, heuristic.cost(&unit.place.heuristic).into())
        })
    }

    /// Adds the children of a node that are within the bound, asking one stage after the other as the papers do.
    fn expand<H: Heuristic<Node = N>>(&mut self, iteration: &Iteration<'_, H, B>, parent: &Node<N, B>) {
        let heuristic = iteration.heuristic;
        self.expanded += 1;
        for (direction, automaton) in iteration.automaton.next(parent.place.automaton).into_iter().enumerate() {
            if automaton == Automaton::FORBIDDEN {
                continue;
            }
            self.generated += 1;
            let slide = iteration.moves.slide(parent.place.board, parent.place.blank, direction);
            let mut child = *parent;
            child.path.push(direction);
            let made = child.path.len();
            let over = (0..heuristic.stages()).find_map(|stage| {
                let mut step = heuristic.begin(stage, &parent.place.heuristic, slide);
                let cost = heuristic.finish(stage, &mut step);
                heuristic.apply(stage, &mut child.place.heuristic, &step);
                (cost as i32 > iteration.most[made]).then_some(cost)
            });
            if let Some(cost) = over {
                self.next_bound = self.next_bound.min(iteration.next_bound(made, cost));
                continue;
            }
            child.place.board = iteration.moves.after(parent.place.board, slide);
            child.place.blank = slide.from;
            child.place.automaton = automaton;
            if child.place.board == iteration.moves.goal {
                self.solution.get_or_insert_with(|| child.path.moves());
            } else {
                self.units.push(child);
            }
        }
    }
}
