//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back wherever moves made plus moves surely needed exceed a bound. The first bound is
//! the root's; each next one is the smallest value that exceeded the last. The first solution found is a shortest one.

mod path;
mod tiles;
mod worker;

use std::sync::atomic::Ordering;
use std::time::Instant;

use tilebase_puzzle::{Direction, State};

use crate::automaton::Automaton;
use crate::heuristic::Heuristic;
use crate::request::{Effort, Limit, Limited, Limits, Outcome, Request, Solved, Wanted, Weight};
use path::Path;
use tiles::Tiles;
use worker::{Control, End, Iteration, Node, Worker};

/// Moves made and the bound are compared in thousandths of a move, so that weights need no fractions.
const UNIT: u32 = 1000;

/// Searches from a state to the goal. `None` when the heuristic has no bound for it.
///
/// The directions of the solutions are those of the state's frame.
pub fn search<H: Heuristic>(heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
    search_with::<H, u64, 3>(heuristic, state, request)
}

fn search_with<H: Heuristic, B: Tiles, const WORDS: usize>(
    heuristic: &H,
    state: &State,
    request: &Request<'_>,
) -> Option<Outcome> {
    let started = Instant::now();
    let root = heuristic.root(state)?;
    let root_cost = heuristic.cost(&root);
    let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
    let of_all = (request.wanted != Wanted::First).then(|| Automaton::new(state.size(), 2));
    let automaton = of_all.as_ref().unwrap_or_else(|| Automaton::of(state.size()));
    let root = Node::<_, B, WORDS>::root(root, state, automaton.start(state.blank()));
    let mut effort = Effort { generated: 1, ..Effort::default() };
    let mut bound = u64::from(root_cost) * weight.thousandths();
    let mut found =
        Found { wanted: request.wanted, limits: &request.limits, started, length: 0, count: 0, solutions: Vec::new() };
    let mut limit = None;
    if root_cost == 0 && state.is_solved() {
        found.found(&Path::<WORDS>::EMPTY);
    }
    while found.count == 0 {
        let most = (0..=Path::<WORDS>::MOST as u64).map(|made| {
            let left = bound.checked_sub(made * u64::from(UNIT));
            left.map_or(-1, |left| (left / weight.thousandths()) as i32)
        });
        let iteration = Iteration {
            heuristic,
            automaton,
            size: state.size(),
            goal: B::of(&State::solved(state.size(), state.home())),
            most: most.collect(),
            bound,
            unit: UNIT,
            weight: weight.thousandths() as u32,
        };
        let most_generated = request.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(effort.generated));
        let mut worker = Worker::new(&iteration, root, most_generated);
        let end = worker.run(&mut found);
        effort.generated += worker.tally.generated;
        effort.expanded += worker.tally.expanded;
        if let End::Limit(reached) = end {
            limit = Some(reached);
            break;
        }
        if found.count == 0 {
            bound = worker.tally.next_bound;
        }
    }
    effort.time = started.elapsed();
    let optimal = weight == Weight::ONE;
    Some(match limit {
        None => Outcome::Solved(Solved {
            length: found.length,
            solutions: found.solutions,
            count: found.count,
            optimal,
            effort,
        }),
        Some(limit) => {
            // Without a weight, everything below the bound has been searched.
            let at_least = if optimal { (bound / u64::from(UNIT)) as u32 } else { root_cost };
            Outcome::Limited(Limited { limit, at_least, effort })
        }
    })
}

/// What has been found.
struct Found<'a> {
    wanted: Wanted,
    limits: &'a Limits<'a>,
    started: Instant,
    length: u32,
    count: u64,
    solutions: Vec<Vec<Direction>>,
}

impl<const WORDS: usize> Control<WORDS> for Found<'_> {
    fn found(&mut self, path: &Path<WORDS>) -> bool {
        self.count += 1;
        self.length = path.len() as u32;
        if self.wanted != Wanted::Count {
            self.solutions.push(path.ways().map(Direction::opposite).collect());
        }
        self.wanted != Wanted::First
    }

    fn look(&mut self, _generated: u64) -> Option<Limit> {
        if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        self.limits.time.is_some_and(|most| self.started.elapsed() >= most).then_some(Limit::Time)
    }
}
