//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back wherever moves made plus moves surely needed exceed a bound. The first bound is
//! the root's; each next one is the smallest value that exceeded the last. The first solution found is a shortest one.

use std::sync::atomic::Ordering;
use std::time::Instant;

use tilebase_puzzle::{Direction, MAX_SQUARES, Size, Slide, Square, State};

use crate::heuristic::{Heuristic, Walker};
use crate::request::{Effort, Limit, Limited, Limits, Outcome, Request, Solved, Wanted, Weight};

/// How many expanded nodes pass between two looks at the clock: a fraction of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 4096;

/// Moves made and the bound are compared in thousandths of a move, so that weights need no fractions.
const UNIT: u64 = 1000;

/// Searches from a state to the goal. `None` when the heuristic has no bound for it.
///
/// The directions of the solutions are those of the state's frame.
pub fn search<H: Heuristic>(heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
    let started = Instant::now();
    let walker = heuristic.walker(state)?;
    let root_cost = walker.cost();
    let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
    let mut search = Search {
        walker,
        state: *state,
        steps: steps(state.size()),
        weight: weight.thousandths(),
        wanted: request.wanted,
        limits: &request.limits,
        started,
        bound: u64::from(root_cost) * weight.thousandths(),
        next_bound: u64::MAX,
        path: Vec::new(),
        solutions: Vec::new(),
        count: 0,
        length: 0,
        effort: Effort { generated: 1, ..Effort::default() },
    };
    let limit = loop {
        let end = search.iteration();
        if let End::Limit(limit) = end {
            break Some(limit);
        }
        if search.count > 0 {
            break None;
        }
        (search.bound, search.next_bound) = (search.next_bound, u64::MAX);
    };
    search.effort.time = started.elapsed();
    let optimal = weight == Weight::ONE;
    Some(match limit {
        None => Outcome::Solved(Solved {
            length: search.length,
            solutions: search.solutions,
            count: search.count,
            optimal,
            effort: search.effort,
        }),
        Some(limit) => {
            // Without a weight, everything below the bound has been searched.
            let at_least = if optimal { (search.bound / UNIT) as u32 } else { root_cost };
            Outcome::Limited(Limited { limit, at_least, effort: search.effort })
        }
    })
}

/// The ways of the blank from each square.
type Steps = [Vec<(Direction, Square)>; MAX_SQUARES];

fn steps(size: Size) -> Steps {
    let mut steps: Steps = Default::default();
    for square in size.squares() {
        let ways = Direction::ALL.into_iter();
        steps[square.index()] = ways.filter_map(|way| Some((way, size.neighbour(square, way)?))).collect();
    }
    steps
}

struct Search<'a, W> {
    walker: W,
    state: State,
    steps: Steps,
    weight: u64,
    wanted: Wanted,
    limits: &'a Limits<'a>,
    started: Instant,
    bound: u64,
    next_bound: u64,
    /// Directions of the blank so far.
    path: Vec<Direction>,
    solutions: Vec<Vec<Direction>>,
    count: u64,
    length: u32,
    effort: Effort,
}

/// Why a subtree is done with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Everything in it was searched.
    Exhausted,
    /// A solution was found, and one is enough.
    Enough,
    /// A limit was reached.
    Limit(Limit),
}

impl<W: Walker> Search<'_, W> {
    fn iteration(&mut self) -> End {
        if self.walker.cost() == 0 && self.state.is_solved() {
            return self.found();
        }
        self.expand(None)
    }

    /// Searches below the current state, which the blank entered going `came`.
    fn expand(&mut self, came: Option<Direction>) -> End {
        if self.effort.expanded.is_multiple_of(NODES_BETWEEN_LOOKS)
            && let Some(limit) = self.look_up()
        {
            return End::Limit(limit);
        }
        self.effort.expanded += 1;
        let blank = self.state.blank();
        let made = (self.path.len() as u64 + 1) * UNIT;
        for step in 0..self.steps[blank.index()].len() {
            let (way, from) = self.steps[blank.index()][step];
            if came == Some(way.opposite()) {
                continue;
            }
            if self.limits.nodes.is_some_and(|most| self.effort.generated >= most) {
                return End::Limit(Limit::Nodes);
            }
            self.effort.generated += 1;
            let slide = Slide { tile: self.state.tile(from), from, to: blank };
            let Some(left) = self.bound.checked_sub(made) else {
                self.next_bound = self.next_bound.min(made);
                continue;
            };
            if let Err(cost) = self.walker.advance(slide, (left / self.weight) as u32) {
                self.next_bound = self.next_bound.min(made + u64::from(cost) * self.weight);
                continue;
            }
            self.state.make(slide);
            self.path.push(way);
            let solved = self.walker.cost() == 0 && self.state.is_solved();
            let end = if solved { self.found() } else { self.expand(Some(way)) };
            self.path.pop();
            self.state.unmake(slide);
            self.walker.retreat();
            if end != End::Exhausted {
                return end;
            }
        }
        End::Exhausted
    }

    fn found(&mut self) -> End {
        self.count += 1;
        self.length = self.path.len() as u32;
        if self.wanted != Wanted::Count {
            self.solutions.push(self.path.iter().map(|way| way.opposite()).collect());
        }
        if self.wanted == Wanted::First { End::Enough } else { End::Exhausted }
    }

    fn look_up(&self) -> Option<Limit> {
        if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        self.limits.time.is_some_and(|most| self.started.elapsed() >= most).then_some(Limit::Time)
    }
}
