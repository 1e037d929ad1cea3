//! Recursive best-first search (Korf 1993).
//!
//! Expands nodes in best-first order, with memory for one path and its siblings. Every node has a *static* value
//! f = g + W·h and a *stored* value F. At first F = f. The search continues below a node until every F there exceeds
//! the best alternative elsewhere. It then backtracks, discards the subtree, and stores the smallest F of the subtree
//! as the F of the node.
//!
//! A node that was searched and discarded has F > f. Its children *inherit* F: each starts with the larger of its own f
//! and its parent's F. If F = f, the node is new, and each child starts with its own f. Inheritance keeps the order
//! best-first even where f can decrease along a path, as with weights and inconsistent heuristics.
//!
//! **Cost.** Memory for the siblings along one path. With a monotone f of many distinct values, RBFS expands fewer
//! nodes than IDA\*. Tile puzzles have few distinct values, so RBFS switches between siblings often and expands more
//! nodes than IDA\*.
//!
//! **Promise.** The first goal to be expanded has the smallest F of all nodes. With an admissible heuristic, no f along
//! a shortest solution of C\* moves exceeds W·C\*, and so no F does. The solution therefore has at most W·C\* moves.
//! With weight 1 it is shortest.

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::clock::{Clock, Found, timed};
use crate::packed::sort_few;
use crate::request::{Effort, Limit, Outcome, Request, Weight};
use crate::sample::{BETWEEN_SAMPLES, Samples};
use crate::space::graph::{Graph, Move, Siblings, slides_of};
use crate::space::{Space, with_graph};

/// The length at which the search abandons a path. Only large weights lead to paths this long.
const MOST_MOVES: usize = 4096;

/// Recursive best-first search: best-first order with the memory of one path. Finds one solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rbfs;

impl Algorithm for Rbfs {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("rbfs", "recursive best-first search: the order of A*, the memory of a path").finding_one()
    }

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        with_graph!(space, state, graph => {
            timed(state, request, |clock, effort| run(&graph, request, clock, effort))
        })
    }
}

/// A node with its values.
#[derive(Clone, Copy)]
struct Node<K, N, M> {
    state: K,
    heuristic: N,
    /// The move that led to it; `None` at a root.
    last: Option<M>,
    /// The static value f.
    value: u64,
    /// The stored value F.
    stored: u64,
}

type NodeOf<G> = Node<<G as Graph>::Key, <G as Graph>::Data, <G as Graph>::Move>;

/// The children of a node on the path, sorted by F. The search continues below the first.
struct Level<G: Graph> {
    children: G::Siblings<NodeOf<G>>,
    len: usize,
    /// The search backtracks when every child has an F above this.
    bound: u64,
}

impl<G: Graph> Level<G> {
    fn new(node: NodeOf<G>, bound: u64) -> Level<G> {
        Level { children: Siblings::filled(node), len: 0, bound }
    }

    fn add(&mut self, node: NodeOf<G>) {
        self.children.items_mut()[self.len] = node;
        self.len += 1;
    }

    fn nodes(&self) -> &[NodeOf<G>] {
        &self.children.items()[..self.len]
    }

    fn best(&self) -> u64 {
        self.nodes().first().map_or(u64::MAX, |child| child.stored)
    }

    fn sort(&mut self) {
        sort_few(&mut self.children.items_mut()[..self.len], |child| child.stored);
    }
}

fn run<G: Graph>(
    graph: &G,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let weight = request.weight;
    let roots = graph.roots().into_iter().map(|(state, heuristic)| {
        let value = u64::from(graph.cost(state, &heuristic)) * u64::from(weight.of_bound());
        Node { state, heuristic, last: None, value, stored: value }
    });
    let roots: Vec<NodeOf<G>> = roots.collect();
    let cost = graph.roots().iter().map(|(state, data)| graph.cost(*state, data)).min().unwrap_or(0);
    let mut first = Level::new(roots[0], u64::MAX);
    roots.into_iter().for_each(|root| first.add(root));
    first.sort();
    let kept = first.len as u64;
    let mut search = Search { graph, weight, levels: vec![first], kept, proven: 0, samples: Samples::default() };
    let ended = search.run(clock, effort);
    effort.peak_bytes = (search.levels.capacity() * size_of::<Level<G>>()) as u64;
    effort.heuristic_time = search.samples.time_of(effort.generated - 1);
    let optimal = weight == Weight::ONE && graph.is_admissible();
    match ended {
        Ok(()) => {
            let path = slides_of(search.levels.iter().filter_map(|level| level.nodes()[0].last));
            Ok(Found::one(G::METRIC, &path, request.wanted, optimal))
        }
        Err(limit) => {
            let proven = if weight == Weight::ONE { search.proven as u32 } else { cost };
            Err((limit, if graph.is_admissible() { proven } else { 0 }))
        }
    }
}

struct Search<'a, G: Graph> {
    graph: &'a G,
    weight: Weight,
    /// The roots, then on each level the children of the first node of the previous level.
    levels: Vec<Level<G>>,
    /// The number of nodes on all levels.
    kept: u64,
    /// The largest F of an expanded node. When the node was expanded, no other node had a smaller F. So this is a lower
    /// bound if the heuristic is admissible and the weight is 1.
    proven: u64,
    samples: Samples,
}

impl<G: Graph> Search<'_, G> {
    /// Searches until the first nodes of all levels form a solution.
    fn run(&mut self, clock: &mut Clock<'_>, effort: &mut Effort) -> Result<(), Limit> {
        while let Some(level) = self.levels.last() {
            let (best, bound) = (level.best(), level.bound);
            if best <= bound && best < u64::MAX {
                let node = level.nodes()[0];
                if node.stored > self.proven {
                    self.proven = node.stored;
                    clock.raise((node.stored / u64::from(self.weight.of_move())) as u32, effort);
                }
                if self.graph.is_target(node.state) {
                    return Ok(());
                }
                clock.look(effort)?;
                let alternative = level.nodes().get(1).map_or(u64::MAX, |second| second.stored);
                let children = self.expand(&node, bound.min(alternative), effort);
                if clock.nodes_left(effort) < children.len as u64 {
                    return Err(Limit::Nodes);
                }
                effort.expanded += 1;
                effort.generated += children.len as u64;
                self.kept += children.len as u64;
                effort.peak_nodes = effort.peak_nodes.max(self.kept);
                self.levels.push(children);
            } else {
                // Backtrack: the first node of the previous level gets the F of its best child.
                self.kept -= level.len as u64;
                self.levels.pop();
                let Some(previous) = self.levels.last_mut() else { break };
                previous.children.items_mut()[0].stored = best;
                previous.sort();
            }
        }
        Err(Limit::Length)
    }

    /// The children of a node, best first.
    fn expand(&mut self, node: &NodeOf<G>, bound: u64, effort: &Effort) -> Level<G> {
        let last = node.last.map(Move::direction);
        if effort.expanded.is_multiple_of(BETWEEN_SAMPLES) {
            let ways: Vec<_> = self.graph.children(node.state, last).map(|(_, _, way)| way).collect();
            self.graph.sample(&mut self.samples, &node.heuristic, &ways);
        }
        let mut level = Level::new(*node, bound);
        let made = self.levels.len();
        if made > MOST_MOVES {
            return level;
        }
        for (direction, state, way) in self.graph.children(node.state, last) {
            let mut heuristic = node.heuristic;
            for stage in 0..self.graph.stages() {
                let mut step = self.graph.begin(stage, &node.heuristic, &way);
                self.graph.finish(stage, &mut step);
                self.graph.apply(stage, &mut heuristic, &step);
            }
            let bound = u64::from(self.graph.cost(state, &heuristic));
            let value = made as u64 * u64::from(self.weight.of_move()) + bound * u64::from(self.weight.of_bound());
            // The children of a node that was searched before inherit its F.
            let stored = if node.value < node.stored { value.max(node.stored) } else { value };
            level.add(Node { state, heuristic, last: Some(direction), value, stored });
        }
        level.sort();
        level
    }
}
