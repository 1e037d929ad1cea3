//! Recursive best-first search (Korf 1993).
//!
//! Expands nodes in best-first order with memory for one path and its siblings. Every node has a *static* value f = g + W·h and
//! a *stored* value F: the smallest f on the frontier below it, when it was searched before and forgotten. Below a node the
//! search goes on until all its F exceed the best alternative anywhere else; then it goes back, forgets what it saw, and leaves
//! its smallest value behind as the F of the node.
//!
//! A node that was searched before has F > f. Its children must not promise less than it does, so that they *inherit*: their
//! F is the larger of their own f and their parent's F. If F = f, the node is new, and each child has its own f. That is what
//! makes the order best-first even where f is not monotone, as it is with weights or heuristics that are not consistent.
//!
//! **Cost.** Memory for the siblings along one path. With f monotone it expands fewer nodes than IDA\* where many values are
//! distinct; with the few values of tile puzzles, and going back and forth between siblings, rather more.
//!
//! **Promise.** The first goal that is expanded has the smallest F of all; no F exceeds the best f below it. So the solution is
//! shortest with an admissible heuristic and the weight 1, and at most W times as long otherwise.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Direction, Metric, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::clock::{Clock, Found, timed};
use crate::packed::{Moves, Packed, sort_few};
use crate::request::{Effort, Limit, Outcome, Request, Weight};
use crate::sample::{BETWEEN_SAMPLES, Samples};

/// Paths of more moves are not followed; only large weights lead there.
const MOST_MOVES: usize = 4096;

/// Recursive best-first search: best-first order in the memory of one path. Finds one solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rbfs;

impl Algorithm for Rbfs {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("rbfs", "recursive best-first search: the order of A*, the memory of a path").finding_one()
    }

    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let run = if state.size().count() <= u64::MAX_SQUARES { run::<u64, H> } else { run::<u128, H> };
        let root = heuristic.root(state)?;
        Some(timed(state, request, |clock, effort| run((heuristic, root), state, request, clock, effort)))
    }
}

/// A node and what is known of it.
#[derive(Clone, Copy)]
struct Node<W, N> {
    state: W,
    heuristic: N,
    last: Option<Direction>,
    /// f, and F.
    value: u64,
    stored: u64,
}

/// The children of a node on the path, in the order of their F. The first is searched.
#[derive(Clone, Copy)]
struct Level<W, N> {
    children: [Node<W, N>; 4],
    len: usize,
    /// The children are searched as long as their F is at most this.
    bound: u64,
}

impl<W: Copy, N: Copy> Level<W, N> {
    fn best(&self) -> u64 {
        self.children[..self.len].first().map_or(u64::MAX, |child| child.stored)
    }

    fn sort(&mut self) {
        sort_few(&mut self.children[..self.len], |child| child.stored);
    }
}

fn run<W: Packed, H: Heuristic>(
    (heuristic, root): (&H, H::Node),
    state: &State,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let (weight, cost) = (request.weight, heuristic.cost(&root));
    let value = u64::from(cost) * u64::from(weight.of_bound());
    let root = Node { state: W::of(state), heuristic: root, last: None, value, stored: value };
    let mut search = Search {
        heuristic,
        moves: Moves::new(state.size(), state.home()),
        weight,
        levels: vec![Level { children: [root; 4], len: 1, bound: u64::MAX }],
        kept: 1,
        proven: 0,
        samples: Samples::default(),
    };
    let ended = search.run(clock, effort);
    effort.peak_bytes = (search.levels.capacity() * size_of::<Level<W, H::Node>>()) as u64;
    effort.heuristic_time = search.samples.time_of(effort.generated - 1);
    let optimal = weight == Weight::ONE && heuristic.is_admissible();
    match ended {
        Ok(()) => {
            let path: Vec<_> = search.levels.iter().filter_map(|level| level.children[0].last).collect();
            Ok(Found::one(Metric::Stm, &path, request.wanted, optimal))
        }
        Err(limit) => {
            let proven = if weight == Weight::ONE { search.proven as u32 } else { cost };
            Err((limit, if heuristic.is_admissible() { proven } else { 0 }))
        }
    }
}

struct Search<'a, W: Packed, H: Heuristic> {
    heuristic: &'a H,
    moves: Moves<W>,
    weight: Weight,
    /// The root alone, then the children of the first node of the level before.
    levels: Vec<Level<W, H::Node>>,
    /// Nodes on all levels.
    kept: u64,
    /// The largest F that a node was expanded with: as it was the smallest of all, no solution has a smaller value.
    proven: u64,
    samples: Samples,
}

impl<W: Packed, H: Heuristic> Search<'_, W, H> {
    /// Searches until the first nodes of all levels are a solution.
    fn run(&mut self, clock: &mut Clock<'_>, effort: &mut Effort) -> Result<(), Limit> {
        while let Some(level) = self.levels.last() {
            let (best, bound) = (level.best(), level.bound);
            if best <= bound && best < u64::MAX {
                let node = level.children[0];
                if node.stored > self.proven {
                    self.proven = node.stored;
                    clock.raise((node.stored / u64::from(self.weight.of_move())) as u32, effort);
                }
                if node.state == self.moves.goal {
                    return Ok(());
                }
                clock.look(effort)?;
                let alternative = level.children[..level.len].get(1).map_or(u64::MAX, |second| second.stored);
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
                // Back to the level before, whose first node is now known to be worth as much as its best child.
                self.kept -= level.len as u64;
                self.levels.pop();
                let Some(before) = self.levels.last_mut() else { break };
                before.children[0].stored = best;
                before.sort();
            }
        }
        Err(Limit::Length)
    }

    /// The children of a node, best first.
    fn expand(&mut self, node: &Node<W, H::Node>, bound: u64, effort: &Effort) -> Level<W, H::Node> {
        if effort.expanded.is_multiple_of(BETWEEN_SAMPLES) {
            let slides: Vec<_> = self.moves.children(node.state, node.last).map(|(_, _, slide)| slide).collect();
            self.samples.take(self.heuristic, &node.heuristic, &slides);
        }
        let mut level = Level { children: [*node; 4], len: 0, bound };
        let made = self.levels.len();
        if made > MOST_MOVES {
            return level;
        }
        for (direction, state, slide) in self.moves.children(node.state, node.last) {
            let mut heuristic = node.heuristic;
            for stage in 0..self.heuristic.stages() {
                let mut step = self.heuristic.begin(stage, &node.heuristic, slide);
                self.heuristic.finish(stage, &mut step);
                self.heuristic.apply(stage, &mut heuristic, &step);
            }
            let bound = u64::from(self.heuristic.cost(&heuristic));
            let value = made as u64 * u64::from(self.weight.of_move()) + bound * u64::from(self.weight.of_bound());
            // A node that was searched before hands down what it knows.
            let stored = if node.value < node.stored { value.max(node.stored) } else { value };
            level.children[level.len] = Node { state, heuristic, last: Some(direction), value, stored };
            level.len += 1;
        }
        level.sort();
        level
    }
}
