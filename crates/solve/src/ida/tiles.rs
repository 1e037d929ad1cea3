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
pub(crate) fn iterate<H: Heuristic>(heuristic: &H, root: H::Node, search: &mut Search<'_>) -> Iterated {
    let moves = search.moves_of_bound() as usize;
    if H::IS_FAR && search.order == Order::Fast && heuristic.is_far() {
        if H::MOST_SQUARES <= u64::MAX_SQUARES {
            if moves < Path::<SHORT>::MOST {
                return in_batches::<H, u64, SHORT>(heuristic, root, search);
            }
        } else if moves < Path::<LONG>::MOST {
            return in_batches::<H, u128, LONG>(heuristic, root, search);
        }
    }
    // Tables take most of a node's time, so that their boards may be large.
    if H::MOST_SQUARES <= u64::MAX_SQUARES || !H::IS_FAR && search.state.size().count() <= u64::MAX_SQUARES {
        depth_first::<H, u64>(heuristic, root, search)
    } else {
        depth_first::<H, u128>(heuristic, root, search)
    }
}

fn in_batches<H: Heuristic, B: Packed, const WORDS: usize>(
    heuristic: &H,
    root: H::Node,
    search: &mut Search<'_>,
) -> Iterated {
    let iteration = Iteration::<_, B>::new(heuristic, search, Path::<WORDS>::MOST);
    let root = iteration.root(root, search);
    let work = search.work(&iteration, Cut::of(root), |node| worker::Node::<_, B, WORDS>::from(node));
    search.share(work, |team, nodes| Worker::new(&iteration, team, nodes, &worker::Node::from(&root)).run())
}

fn depth_first<H: Heuristic, B: Packed>(heuristic: &H, root: H::Node, search: &mut Search<'_>) -> Iterated {
    let iteration = Iteration::<_, B>::new(heuristic, search, depth_first::MOST_MOVES);
    let root = iteration.root(root, search);
    let work = search.work(&iteration, Cut::of(root), |node| *node);
    search.share(work, |team, nodes| DepthFirst::new(&iteration, team, nodes).run())
}

impl<'a, H: Heuristic, B: Packed> Iteration<'a, H, B> {
    /// The next iteration, which follows paths of fewer than `most_moves` moves.
    fn new(heuristic: &'a H, search: &Search<'_>, most_moves: usize) -> Iteration<'a, H, B> {
        let Search { state, order, weight, bound, .. } = *search;
        Iteration {
            heuristic,
            automaton: search.automaton(),
            moves: Moves::new(state.size(), state.home()),
            most: most_costs(bound, weight, most_moves),
            bound,
            unit: weight.of_move(),
            weight: weight.of_bound(),
            is_weighted: weight != Weight::ONE,
            is_greedy: weight != Weight::ONE && order == Order::Fast,
        }
    }

    fn root(&self, root: H::Node, search: &Search<'_>) -> depth_first::Node<H::Node, B> {
        depth_first::Node::root(root, search.state, self.automaton.start(search.state.blank()))
    }
}

impl Search<'_> {
    /// The automaton of the next iteration.
    fn automaton(&self) -> &'static Automaton {
        if !self.uses_automaton {
            return Automaton::of_last_move(self.state.size());
        }
        let go_on = || self.clock.check(self.effort.generated).is_ok();
        Automaton::of_iteration_while(self.state.size(), self.generated_last, &go_on)
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
