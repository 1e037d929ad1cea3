//! Iterations where a move slides one tile: the nodes, and which worker searches them.
//!
//! Where the heuristic has its answers far away, many nodes are searched at a time ([`Worker`]). Otherwise, with [`Order::Plain`], and for
//! paths too long to keep with every node, one node is searched at a time ([`DepthFirst`]).

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::Direction;

use super::cut::{Cut, Tree};
use super::depth_first::{self, DepthFirst};
use super::iteration::{Iteration, most_costs};
use super::path::Path;
use super::worker::{self, Worker};
use super::{Iterated, Order, Search};
use crate::automaton::Automaton;
use crate::packed::{Moves, Packed};
use crate::request::Weight;

/// Words of the paths of nodes that are searched in batches: no board of 4×4 needs more than 80 moves, and no board of 5×5 that a search
/// can solve more than 127. Paths take room in every node.
const SHORT: usize = 3;
const LONG: usize = 4;

/// Searches everything up to the bound.
///
/// Each instance of a [`Worker`] costs compile time, so there is one for each heuristic. Its nodes have the board in 64 bits
/// if that is enough for every board of the heuristic, and paths as long as shortest solutions are. Longer paths, which only
/// weights and narrow boards need, are searched depth first.
pub(crate) fn iterate<H: Heuristic>(search: &mut Search<'_, H>) -> Iterated {
    let moves = search.moves_of_bound() as usize;
    if H::IS_FAR && search.order == Order::Fast && search.space.is_far() {
        if H::MOST_SQUARES <= u64::MAX_SQUARES {
            if moves < Path::<SHORT>::MOST {
                return search.iterate_in_batches::<u64, SHORT>();
            }
        } else if moves < Path::<LONG>::MOST {
            return search.iterate_in_batches::<u128, LONG>();
        }
    }
    if H::MOST_SQUARES <= u64::MAX_SQUARES || search.state.size().count() <= u64::MAX_SQUARES {
        search.iterate_depth_first::<u64>()
    } else {
        search.iterate_depth_first::<u128>()
    }
}

impl<'a, H: Heuristic> Search<'a, H> {
    fn iterate_in_batches<B: Packed, const WORDS: usize>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(Path::<WORDS>::MOST);
        let root = self.root_of_tree(&iteration);
        let work = self.work(&iteration, Cut::of(root), |node| worker::Node::<_, B, WORDS>::from(node));
        self.share(work, |team| Worker::new(&iteration, team, &worker::Node::from(&root)).run())
    }

    fn iterate_depth_first<B: Packed>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(depth_first::MOST_MOVES);
        let root = self.root_of_tree(&iteration);
        let work = self.work(&iteration, Cut::of(root), |node| *node);
        self.share(work, |team| DepthFirst::new(&iteration, team).run())
    }

    fn root_of_tree<B: Packed>(&self, iteration: &Iteration<'_, H, B>) -> depth_first::Node<H::Node, B> {
        depth_first::Node::root(self.root, self.state, iteration.automaton.start(self.state.blank()))
    }

    /// The next iteration, which follows paths of fewer than `most_moves` moves.
    fn iteration<B: Packed>(&self, most_moves: usize) -> Iteration<'a, H, B> {
        let Search { space, state, order, weight, bound, .. } = *self;
        let automaton = if self.uses_automaton {
            let go_on = || self.clock.check(self.effort.generated).is_ok();
            Automaton::of_iteration_while(state.size(), self.generated_last, &go_on)
        } else {
            Automaton::of_last_move(state.size())
        };
        Iteration {
            heuristic: space,
            automaton,
            moves: Moves::new(state.size(), state.home()),
            most: most_costs(bound, weight, most_moves),
            bound,
            unit: weight.of_move(),
            weight: weight.of_bound(),
            is_weighted: weight != Weight::ONE,
            is_greedy: weight != Weight::ONE && order == Order::Fast,
        }
    }
}

impl<H: Heuristic, B: Packed> Tree for Iteration<'_, H, B> {
    type Node = depth_first::Node<H::Node, B>;

    fn path(&self, node: &Self::Node) -> Vec<Direction> {
        node.path.moves()
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        self.heuristic.cost(&node.place.heuristic)
    }

    /// Asks one stage after the other, as the papers do.
    fn expand(&self, parent: &Self::Node, cut: &mut Cut<Self::Node>) {
        let heuristic = self.heuristic;
        for (direction, automaton) in self.automaton.next(parent.place.automaton).into_iter().enumerate() {
            if automaton == Automaton::FORBIDDEN {
                continue;
            }
            cut.generated += 1;
            let slide = self.moves.slide(parent.place.board, parent.place.blank, direction);
            let mut child = *parent;
            child.path.push(direction);
            let made = child.path.len();
            let over = (0..heuristic.stages()).find_map(|stage| {
                let mut step = heuristic.begin(stage, &parent.place.heuristic, slide);
                let cost = heuristic.finish(stage, &mut step);
                heuristic.apply(stage, &mut child.place.heuristic, &step);
                (cost as i32 > self.most[made]).then_some(cost)
            });
            if let Some(cost) = over {
                cut.next_bound = cut.next_bound.min(self.next_bound(made, cost));
                continue;
            }
            child.place.board = self.moves.after(parent.place.board, slide);
            child.place.blank = slide.from;
            child.place.automaton = automaton;
            if child.place.board == self.moves.goal {
                cut.solution.get_or_insert_with(|| child.path.moves());
            } else {
                cut.units.push(child);
            }
        }
    }
}
