//! The limits of a search, and the reports of its progress.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tilebase_progress::{Bound, Event, Searching};
use tilebase_puzzle::{Direction, Metric, State};

use crate::request::{Effort, Limit, Limited, Outcome, Request, Solved, Wanted};

/// The time between two reports to the watch.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// [`Clock::look`] checks the limits after this many expanded nodes: well under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// Keeps a search within its limits, and reports its progress to the request's watch. The threads of a search share it.
#[derive(Debug)]
pub(crate) struct Clock<'a> {
    request: &'a Request<'a>,
    started: Instant,
    next_report: Mutex<Instant>,
    next_look: u64,
    /// Solutions of up to this many moves are being searched for, since `before` nodes had been generated.
    bound: u32,
    before: u64,
    done: Vec<Bound>,
    /// Units of this bound that are done, and all of them; none when it is not cut into units.
    units_done: AtomicU64,
    units: u64,
    /// Nodes of earlier searches, which this one resumes.
    of_before: u64,
    /// The most threads that have searched at a time.
    threads: u32,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(request: &'a Request<'a>) -> Clock<'a> {
        let started = Instant::now();
        let next_report = Mutex::new(started + BETWEEN_REPORTS);
        Clock {
            request,
            started,
            next_report,
            next_look: 0,
            bound: 0,
            before: 0,
            done: Vec::new(),
            units_done: AtomicU64::new(0),
            units: 0,
            of_before: 0,
            threads: 1,
        }
    }

    /// Raises the length of the solutions that are searched for. All shorter ones are ruled out.
    pub(crate) fn raise(&mut self, bound: u32, effort: &Effort) {
        if bound > self.bound {
            if effort.expanded > 0 {
                self.done.push(Bound { bound: self.bound, generated: effort.generated - self.before });
            }
            (self.bound, self.before) = (bound, effort.generated);
            self.cut(0, 0);
        }
    }

    /// Adds nodes of an earlier search that this one resumes.
    pub(crate) fn go_on_from(&mut self, generated: u64) {
        self.of_before += generated;
    }

    /// Sets the number of finished units of this bound, and of all.
    pub(crate) fn cut(&mut self, done: usize, all: usize) {
        self.units_done = AtomicU64::new(done as u64);
        self.units = all as u64;
    }

    /// Counts one more finished unit.
    pub(crate) fn finish_unit(&self) {
        self.units_done.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes the number of threads that search.
    pub(crate) fn share(&mut self, threads: usize) {
        self.threads = self.threads.max(threads.try_into().unwrap_or(u32::MAX));
    }

    /// Called before every expansion, or batch of expansions, by searches on one thread. It is cheap, and [checks](Clock::check) the
    /// limits at intervals.
    #[inline(always)]
    pub(crate) fn look(&mut self, effort: &Effort) -> Result<(), Limit> {
        if effort.expanded < self.next_look {
            return Ok(());
        }
        self.next_look = effort.expanded + NODES_BETWEEN_LOOKS;
        self.check(effort.generated)
    }

    /// Checks the time and the watch, and reports the number of generated nodes.
    #[cold]
    pub(crate) fn check(&self, generated: u64) -> Result<(), Limit> {
        let now = Instant::now();
        let searching = Searching {
            bound: self.bound,
            generated,
            generated_in_bound: generated - self.before,
            time: now - self.started,
            units_done: self.units_done.load(Ordering::Relaxed),
            units: self.units,
            of_before: self.of_before,
            done: &self.done,
        };
        // Another thread may be about to report.
        let is_due = self.next_report.try_lock().is_ok_and(|mut next| {
            let is_due = now >= *next;
            if is_due {
                *next = now + BETWEEN_REPORTS;
            }
            is_due
        });
        let event = if is_due { Event::Searching(&searching) } else { Event::Poll };
        if (self.request.watch)(&event).is_break() {
            return Err(Limit::Cancelled);
        }
        if self.request.limits.time.is_some_and(|most| searching.time >= most) {
            return Err(Limit::Time);
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn nodes_left(&self, effort: &Effort) -> u64 {
        self.request.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(effort.generated))
    }

    /// The outcome of a search, given what it found, or the limit that ended it and the moves that had been proven necessary.
    pub(crate) fn end(self, mut effort: Effort, found: Result<Found, (Limit, u32)>) -> Outcome {
        effort.time = self.started.elapsed();
        // Samples of a short search, or on a busy machine, can be too long; the whole cannot.
        effort.heuristic_time = effort.heuristic_time.min(effort.time.saturating_mul(self.threads));
        match found {
            Ok(Found { length, mut solutions, count, optimal }) => {
                // Threads find them in any order.
                solutions.sort_unstable();
                Outcome::Solved(Solved { length, solutions, count, optimal, effort })
            }
            Err((limit, at_least)) => Outcome::Limited(Limited { limit, at_least, effort }),
        }
    }
}

/// What a search has found: nothing at first.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) length: u32,
    /// Directions in which tiles slide.
    pub(crate) solutions: Vec<Vec<Direction>>,
    pub(crate) count: u64,
    pub(crate) optimal: bool,
}

impl Found {
    /// One solution, given the moves of the blank in single squares.
    pub(crate) fn one(metric: Metric, moves: &[Direction], wanted: Wanted, optimal: bool) -> Found {
        let mut found = Found { optimal, ..Found::default() };
        found.add(metric, moves, wanted);
        found
    }

    /// Adds a solution, given the moves of the blank in single squares.
    pub(crate) fn add(&mut self, metric: Metric, moves: &[Direction], wanted: Wanted) {
        self.length = metric.length(moves);
        self.count += 1;
        if wanted.keeps(self.solutions.len()) {
            self.solutions.push(moves.iter().map(|direction| direction.opposite()).collect());
        }
    }
}

/// Runs a search from a state on one thread. A solved state needs none.
pub(crate) fn timed<'a>(
    state: &State,
    request: &'a Request<'a>,
    run: impl FnOnce(&mut Clock<'a>, &mut Effort) -> Result<Found, (Limit, u32)>,
) -> Outcome {
    let mut clock = Clock::new(request);
    // The root is there before anything is done.
    let mut effort = Effort { generated: 1, ..Effort::default() };
    let found = if state.is_solved() {
        Ok(Found::one(Metric::default(), &[], request.wanted, true))
    } else {
        run(&mut clock, &mut effort)
    };
    clock.end(effort, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heuristic_never_takes_more_time_than_the_threads_had() {
        let request = Request::default();
        let ended = |threads: &[usize], heuristic_time| {
            let mut clock = Clock::new(&request);
            threads.iter().for_each(|&threads| clock.share(threads));
            std::thread::sleep(Duration::from_millis(2));
            clock.end(Effort { heuristic_time, ..Effort::default() }, Err((Limit::Nodes, 0))).effort()
        };
        let hour = Duration::from_secs(3600);
        for (threads, most) in [(&[][..], 1), (&[1], 1), (&[1, 3, 1], 3)] {
            let effort = ended(threads, hour);
            assert_eq!(effort.heuristic_time, effort.time * most, "{threads:?}");
        }
        let short = Duration::from_nanos(7);
        assert_eq!(ended(&[2], short).heuristic_time, short, "what is possible is not changed");
    }
}
