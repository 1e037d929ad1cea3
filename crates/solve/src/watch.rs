//! Limits and reports, for searches that run on one thread.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tilebase_puzzle::{Direction, State};

use crate::request::{Bound, Effort, Limit, Limited, Outcome, Progress, Request, Solved, Wanted};

/// How often somebody who watches is told.
pub(crate) const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// How many nodes are expanded between two looks at the clock: well under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// Looks at the clock and at what was asked for while a search runs.
pub(crate) struct Watch<'a> {
    request: &'a Request<'a>,
    started: Instant,
    next_report: Instant,
    next_look: u64,
    /// Solutions of up to so many moves are being searched for, since so many nodes had been generated.
    bound: u32,
    before: u64,
    done: Vec<Bound>,
}

impl<'a> Watch<'a> {
    /// Begins now.
    pub(crate) fn new(request: &'a Request<'a>) -> Watch<'a> {
        let started = Instant::now();
        let next_report = started + BETWEEN_REPORTS;
        Watch { request, started, next_report, next_look: 0, bound: 0, before: 0, done: Vec::new() }
    }

    /// Notes which solutions are searched for now. All shorter ones have been.
    pub(crate) fn raise(&mut self, bound: u32, effort: &Effort) {
        if bound > self.bound {
            if effort.expanded > 0 {
                self.done.push(Bound { bound: self.bound, generated: effort.generated - self.before });
            }
            (self.bound, self.before) = (bound, effort.generated);
        }
    }

    /// Called before every expansion or batch of them. Cheap, but now and then it looks at the clock.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline(always)]
    pub(crate) fn look(&mut self, effort: &Effort) -> Result<(), Limit> {
        if effort.expanded < self.next_look { Ok(()) } else { self.look_closely(effort) }
    }

    #[cold]
    fn look_closely(&mut self, effort: &Effort) -> Result<(), Limit> {
        self.next_look = effort.expanded + NODES_BETWEEN_LOOKS;
        let limits = &self.request.limits;
        if limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Limit::Cancelled);
        }
        let now = Instant::now();
        if limits.time.is_some_and(|most| now - self.started >= most) {
            return Err(Limit::Time);
        }
        if let Some(watch) = self.request.watch.filter(|_| now >= self.next_report) {
            self.next_report = now + BETWEEN_REPORTS;
            watch(&Progress {
                bound: self.bound,
                generated: effort.generated,
                generated_in_bound: effort.generated - self.before,
                time: now - self.started,
                done: &self.done,
            });
        }
        Ok(())
    }

    /// How many nodes may still be generated.
    #[inline(always)]
    pub(crate) fn nodes_left(&self, effort: &Effort) -> u64 {
        self.request.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(effort.generated))
    }

    /// How a search ended, given what it found or at which limit it ended and what had been proven then.
    pub(crate) fn end(self, mut effort: Effort, found: Result<Found, (Limit, u32)>) -> Outcome {
        effort.time = self.started.elapsed();
        match found {
            Ok(Found { length, mut solutions, count, optimal }) => {
                solutions.sort_unstable();
                Outcome::Solved(Solved { length, solutions, count, optimal, effort })
            }
            Err((limit, at_least)) => Outcome::Limited(Limited { limit, at_least, effort }),
        }
    }
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) length: u32,
    pub(crate) solutions: Vec<Vec<Direction>>,
    pub(crate) count: u64,
    pub(crate) optimal: bool,
}

impl Found {
    /// One solution.
    pub(crate) fn one(solution: Vec<Direction>, wanted: Wanted, optimal: bool) -> Found {
        let length = solution.len() as u32;
        let solutions = if wanted.keeps(0) { vec![solution] } else { Vec::new() };
        Found { length, solutions, count: 1, optimal }
    }
}

/// Runs a search from a state with a watch beside it. A solved state needs none.
pub(crate) fn watched<'a>(
    state: &State,
    request: &'a Request<'a>,
    run: impl FnOnce(&mut Watch<'a>, &mut Effort) -> Result<Found, (Limit, u32)>,
) -> Outcome {
    let mut watch = Watch::new(request);
    // The root is there before anything is done.
    let mut effort = Effort { generated: 1, ..Effort::default() };
    let found =
        if state.is_solved() { Ok(Found::one(Vec::new(), request.wanted, true)) } else { run(&mut watch, &mut effort) };
    watch.end(effort, found)
}
