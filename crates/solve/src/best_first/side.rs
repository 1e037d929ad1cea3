//! A search from one state outwards.

use std::time::Duration;

use tilebase_puzzle::Direction;

use super::paths::path_to;
use super::queue::{Key, Queue};
use super::store::{Id, Mark, Memory, Node, Store};
use crate::request::{Effort, Limit, Weight};
use crate::sample::{BETWEEN_SAMPLES, Samples};
use crate::space::graph::{Graph, Key as _, Move};

/// Nodes that are expanded together, so that the processor waits for the entries of all their children at the same time.
pub(crate) const PARENTS: usize = 64;

/// A child of a node that is being expanded.
#[derive(Clone, Copy)]
struct Child<K, W> {
    state: K,
    hash: u64,
    way: W,
    parent: u8,
    direction: Direction,
}

/// Open and closed nodes of a search from the roots of a graph outwards.
///
/// The A\* search has one, the bidirectional search has two.
pub(crate) struct Side<'a, G: Graph> {
    pub(crate) graph: &'a G,
    pub(crate) store: Store<G::Key, G::Data>,
    pub(crate) queue: Queue,
    /// Whether a shorter path to a node that has been expanded is of no interest.
    expands_once: bool,
    samples: Samples,
    next_sample: u64,
    expanded: u64,
    generated: u64,
    /// Of the nodes that are being expanded.
    taken: Vec<Id>,
    parents: Vec<G::Data>,
    children: Vec<Child<G::Key, G::Way>>,
    steps: Vec<G::Step>,
}

impl<'a, G: Graph> Side<'a, G> {
    /// Starts at the roots of a graph.
    pub(crate) fn new(graph: &'a G, weight: Weight, memory: &mut Memory) -> Result<Side<'a, G>, Limit> {
        let (mut store, mut queue) = (Store::new(memory)?, Queue::new(weight));
        for (state, data) in graph.roots() {
            let id = store.insert(state.hash(), Node { state, mark: Mark::new(0, Direction::Up), data }, memory)?;
            queue.push(id, 0, graph.cost(state, &data), memory)?;
        }
        Ok(Side {
            graph,
            store,
            queue,
            expands_once: weight == Weight::BOUND_ALONE,
            samples: Samples::default(),
            next_sample: 0,
            expanded: 0,
            generated: 0,
            taken: Vec::new(),
            parents: Vec::new(),
            children: Vec::new(),
            steps: Vec::new(),
        })
    }

    /// Expands some of the nodes of a key, at most as many as have `nodes_left` children. Calls `reached` with every state that
    /// was not known, or only with more moves, and its number of moves.
    /// When a limit is reached, they may have been expanded in part.
    #[inline(always)]
    pub(crate) fn expand(
        &mut self,
        key: &Key,
        nodes_left: u64,
        effort: &mut Effort,
        memory: &mut Memory,
        mut reached: impl FnMut(G::Key, u64, u32),
    ) -> Result<(), Limit> {
        // Where moves made count for nothing, a child may be better than the other nodes of its parent's key.
        let parents = if self.expands_once { 1 } else { PARENTS as u64 };
        let most = (nodes_left / self.graph.most_children() as u64).clamp(1, parents) as usize;
        let moves = key.moves() + 1;
        if moves > Mark::MOST_MOVES {
            return Err(Limit::Length);
        }
        self.list(key, most, effort);
        if self.children.len() as u64 > nodes_left {
            return Err(Limit::Nodes);
        }
        effort.generated += self.children.len() as u64;
        self.generated += self.children.len() as u64;
        let stages = self.graph.stages();
        self.steps.clear();
        for child in &self.children {
            self.store.prefetch_found(child.hash);
            let parent = &self.parents[usize::from(child.parent)];
            self.steps.extend((0..stages).map(|stage| self.graph.begin(stage, parent, &child.way)));
        }
        for (number, step) in self.steps.iter().enumerate() {
            self.graph.prefetch(number % stages, step);
        }
        for (child, steps) in self.children.iter().zip(self.steps.chunks_exact_mut(stages)) {
            let mut data = self.parents[usize::from(child.parent)];
            for (stage, step) in steps.iter_mut().enumerate() {
                self.graph.finish(stage, step);
                self.graph.apply(stage, &mut data, step);
            }
            let id = if let Some(id) = self.store.find(child.state, child.hash) {
                let mark = self.store.node(id).mark;
                if mark.moves() <= moves || self.expands_once && mark.was_expanded() {
                    continue;
                }
                self.store.set(id, mark.improve(moves, child.direction), data);
                id
            } else {
                let node = Node { state: child.state, mark: Mark::new(moves, child.direction), data };
                self.store.insert(child.hash, node, memory)?
            };
            self.queue.push(id, moves, self.graph.cost(child.state, &data), memory)?;
            reached(child.state, child.hash, moves);
        }
        Ok(())
    }

    /// Takes nodes of a key, and lists their children.
    #[inline(always)]
    fn list(&mut self, key: &Key, most: usize, effort: &mut Effort) {
        self.taken.clear();
        self.parents.clear();
        self.children.clear();
        self.queue.take(key, most, &mut self.taken);
        self.taken.iter().for_each(|&id| self.store.prefetch_node(id));
        for &id in &self.taken {
            let Node { state, mark, data } = self.store.node(id);
            // Since it was put into the queue, it was reached by fewer moves and put there again.
            if mark.is_closed() || mark.moves() != key.moves() {
                continue;
            }
            effort.expanded += 1;
            effort.reexpanded += u64::from(mark.was_expanded());
            self.expanded += 1;
            self.store.set(id, mark.close(), data);
            let parent = self.parents.len() as u8;
            for (made, state, way) in self.graph.children(state, mark.last()) {
                let hash = state.hash();
                self.store.prefetch(hash);
                self.children.push(Child { state, hash, way, parent, direction: made.direction() });
            }
            self.parents.push(data);
        }
        if self.expanded >= self.next_sample
            && let Some(parent) = self.parents.first()
        {
            self.next_sample = self.expanded + BETWEEN_SAMPLES;
            let of_first = self.children.iter().take_while(|child| child.parent == 0);
            let ways: Vec<_> = of_first.map(|child| child.way).collect();
            self.graph.sample(&mut self.samples, parent, &ways);
        }
    }

    pub(crate) fn heuristic_time(&self) -> Duration {
        self.samples.time_of(self.generated)
    }

    /// The moves from a root to a node that is known.
    pub(crate) fn path_to(&self, node: G::Key) -> Vec<G::Move> {
        path_to(self.graph.back(), node, &|node| self.store.mark(node))
    }
}
