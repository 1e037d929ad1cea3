//! What the threads of an iteration share: the work, the limits, and the solutions.

mod units;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tilebase_progress::threads::{join, on_threads_that_start, spawn_scoped};
use tilebase_puzzle::{Direction, Metric};

use crate::checkpoint::{Kept, KeptSolution};
use crate::clock::{Clock, Found};
use crate::request::{Effort, Limit, Request, Wanted};
use crate::sample::Samples;
use crate::units::{SharedBound, UnitEffort};

use units::Places;
pub(super) use units::Unit;

/// A worker expands this many nodes between two checks of the limits ([`Team::goes_on`]): a fraction of a millisecond.
pub(super) const NODES_BETWEEN_LOOKS: u64 = 4096;

/// Workers ask for this many nodes at a time.
const NODES_AT_A_TIME: u64 = 4096;

/// A worker with fewer nodes on its stack keeps them: they take little time.
const WORTH_SHARING: usize = 16;

/// What a worker did, or several workers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The smallest value above the bound.
    pub(super) next_bound: u64,
    /// The most nodes kept at a time, and the bytes that they took.
    pub(super) peak_nodes: u64,
    pub(super) peak_bytes: u64,
    pub(super) samples: Samples,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            generated: 0,
            expanded: 0,
            next_bound: u64::MAX,
            peak_nodes: 0,
            peak_bytes: 0,
            samples: Samples::default(),
        }
    }
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.next_bound = self.next_bound.min(other.next_bound);
        self.peak_nodes += other.peak_nodes;
        self.peak_bytes += other.peak_bytes;
        self.samples.add(other.samples);
    }
}

/// Runs the same work on several threads of a team, including this one, and `beside` on one more. `missing` gets the number of threads
/// that cannot start ([`Team::lose`]); if the thread of `beside` cannot start, it is left out. The work has no type of its own, so that
/// this is compiled once.
pub(super) fn on_threads(
    threads: usize,
    work: &(dyn Fn() -> Tally + Sync),
    missing: &dyn Fn(usize),
    beside: Option<&(dyn Fn() + Sync)>,
) -> Tally {
    std::thread::scope(|scope| {
        let beside = beside.and_then(|beside| spawn_scoped(scope, beside).ok());
        let mut tally = Tally::default();
        on_threads_that_start(threads, work, missing).into_iter().for_each(|other| tally.add(other));
        beside.into_iter().for_each(join);
        tally
    })
}

/// The work of an iteration: its nodes, and which of them are to be searched.
pub(super) struct Work<N> {
    pub(super) nodes: Nodes<N>,
    pub(super) to_do: ToDo,
}

/// What is to be done in an iteration, whatever its nodes are.
pub(super) struct ToDo {
    /// How many nodes are free to be taken.
    pub(super) free: usize,
    /// The numbers of the units that are left, the last of which is taken first; `None` when the work is not cut into units.
    pub(super) units: Option<Vec<usize>>,
    /// The units as helpers see them.
    pub(super) shared: Option<SharedBound>,
    /// A solution that is known already.
    pub(super) solution: Option<KeptSolution>,
    /// The smallest known value above the bound.
    pub(super) next_bound: u64,
}

impl Default for ToDo {
    fn default() -> ToDo {
        ToDo { free: 0, units: None, shared: None, solution: None, next_bound: u64::MAX }
    }
}

/// The nodes of an iteration that a team searches.
pub(super) enum Nodes<N> {
    /// Nodes that no worker has taken. [`Shared::free`] says how many they are, and is locked whenever that changes.
    Free(Mutex<Vec<N>>),
    /// All units by their numbers.
    Units(Vec<N>),
}

impl<N> Nodes<N> {
    /// The roots of an iteration, the last of which is taken first.
    pub(super) fn free(roots: Vec<N>) -> Nodes<N> {
        Nodes::Free(Mutex::new(roots))
    }

    /// The units of an iteration.
    pub(super) fn units(units: Vec<N>) -> Nodes<N> {
        Nodes::Units(units)
    }

    /// Gives work to an idle worker, and records its last unit as done unless the team was stopped. Returns false when the iteration is
    /// over for the worker.
    pub(super) fn take(&self, team: &Team<'_>, stack: &mut Vec<N>, unit: &mut Unit, tally: &Tally) -> bool
    where
        N: Copy,
    {
        match self {
            Nodes::Units(units) => {
                let next = team.take_unit(units.len(), unit, tally);
                stack.extend(next.map(|number| units[number]));
                next.is_some()
            }
            Nodes::Free(free) => {
                let Some(mut shared) = team.wait_for_nodes() else { return false };
                // The rest is for the next idle worker.
                shared.free /= 2;
                stack.extend(lock(free).drain(shared.free..));
                true
            }
        }
    }

    /// Takes the lower half of a stack: nodes near the root have the largest trees.
    #[cold]
    pub(super) fn offer(&self, team: &Team<'_>, stack: &mut Vec<N>) {
        let Nodes::Free(free) = self else { return };
        if stack.len() < WORTH_SHARING {
            return;
        }
        let mut shared = team.shared();
        if shared.free == 0 {
            shared.free = stack.len() / 2;
            lock(free).extend(stack.drain(..shared.free));
            team.work_is_there.notify_all();
        }
    }
}

/// A thread that panics leaves unfinished work at worst. It stops the others, and the panic resumes at the end.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How an iteration ended.
pub(super) struct Ended {
    pub(super) found: Found,
    pub(super) limit: Option<Limit>,
    /// Whether everything was searched.
    pub(super) is_complete: bool,
    /// Nodes generated, over all iterations, when the first solution was found.
    pub(super) generated_to_first: u64,
    /// What helpers did: in units that are done, and in vain.
    pub(super) elsewhere: UnitEffort,
    pub(super) wasted: UnitEffort,
}

/// The threads of an iteration, and what they share but for the [nodes](Nodes).
pub(super) struct Team<'a> {
    /// The threads that have started or are about to.
    workers: AtomicUsize,
    /// What the lengths of solutions count.
    metric: Metric,
    request: &'a Request<'a>,
    clock: &'a Clock<'a>,
    kept: Option<&'a Kept<'a>>,
    /// Nodes generated before this iteration.
    before: u64,
    /// Nodes that may be generated, and the rest of them.
    allowed: u64,
    nodes_left: AtomicU64,
    stopped: AtomicBool,
    shared: Mutex<Shared>,
    /// Idle workers.
    idle: AtomicUsize,
    work_is_there: Condvar,
}

struct Shared {
    /// How many nodes no worker has taken, unless the work is cut into units.
    free: usize,
    places: Places,
    limit: Option<Limit>,
    /// Whether the iteration ended early.
    is_cut_short: bool,
    generated_to_first: u64,
    found: Found,
}

impl<'a> Team<'a> {
    /// A team with some work.
    pub(super) fn new(
        workers: usize,
        metric: Metric,
        to_do: ToDo,
        request: &'a Request<'a>,
        clock: &'a Clock<'a>,
        kept: Option<&'a Kept<'a>>,
        effort: &Effort,
    ) -> Team<'a> {
        let allowed = clock.nodes_left(effort);
        let shared = Shared {
            free: to_do.free,
            places: Places::new(to_do.units.unwrap_or_default()),
            limit: None,
            is_cut_short: false,
            generated_to_first: 0,
            found: Found::default(),
        };
        let team = Team {
            workers: AtomicUsize::new(workers),
            metric,
            request,
            clock,
            kept,
            before: effort.generated,
            allowed,
            nodes_left: AtomicU64::new(allowed),
            stopped: AtomicBool::new(false),
            shared: Mutex::new(shared),
            idle: AtomicUsize::new(0),
            work_is_there: Condvar::new(),
        };
        if let Some(KeptSolution { moves, generated }) = to_do.solution {
            team.found(&moves);
            team.shared().generated_to_first = generated;
        }
        team
    }

    /// Whether the first solution ends the iteration. The search that leads decides that for those that follow.
    fn stops_at_first(&self) -> bool {
        self.request.wanted == Wanted::First && !self.request.finish_bound && self.request.lead.is_none()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// How the iteration ended, when all workers have.
    pub(super) fn end(self) -> Ended {
        let Shared { found, limit, is_cut_short, generated_to_first, places, .. } =
            self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Places { done: elsewhere, wasted, .. } = places;
        Ended { found, limit, is_complete: !is_cut_short, generated_to_first, elsewhere, wasted }
    }

    /// Waits until nodes are free. `None` when the iteration is over.
    fn wait_for_nodes(&self) -> Option<MutexGuard<'_, Shared>> {
        let mut shared = self.shared();
        if self.is_stopped() {
            return None;
        }
        let workers = self.workers.load(Ordering::Relaxed);
        if self.idle.fetch_add(1, Ordering::Relaxed) + 1 == workers && shared.free == 0 {
            self.stop(&shared);
            return None;
        }
        while shared.free == 0 && !self.is_stopped() {
            shared = self.work_is_there.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
        if self.is_stopped() {
            return None;
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        Some(shared)
    }

    /// Notes that some workers cannot start, so that the others do not wait for them. A worker calls it before it begins: the iteration
    /// cannot end before that worker is idle.
    pub(super) fn lose(&self, workers: usize) {
        let _held = self.shared();
        self.workers.fetch_sub(workers, Ordering::Relaxed);
    }

    /// Whether some worker is idle.
    #[inline(always)]
    pub(super) fn is_short_of_work(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Allows at least as many nodes as asked for, unless the limit is reached.
    #[cold]
    pub(super) fn allow(&self, nodes: u64) -> u64 {
        let wanted = nodes.max(NODES_AT_A_TIME);
        let take = |left: u64| Some(left - wanted.min(left));
        let left = self.nodes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
        wanted.min(left)
    }

    /// Takes back nodes that a worker has not used.
    pub(super) fn give_back(&self, nodes: u64) {
        self.nodes_left.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Checks the limits. Returns whether to continue.
    #[cold]
    pub(super) fn goes_on(&self) -> bool {
        if self.is_stopped() {
            return false;
        }
        if let Err(limit) = self.clock.check(self.generated()) {
            self.reach(limit);
        } else if self.request.lead.is_some_and(|lead| !lead.goes_on()) {
            self.stop(&self.shared());
        }
        !self.is_stopped()
    }

    /// Records a solution, given the moves of the blank. Returns whether to search for more.
    #[cold]
    pub(super) fn found(&self, moves: &[Direction]) -> bool {
        let mut shared = self.shared();
        if self.request.wanted == Wanted::First && shared.found.count > 0 {
            return !self.stops_at_first();
        }
        let generated = self.generated();
        if shared.found.count == 0 {
            shared.generated_to_first = generated;
        }
        shared.found.add(self.metric, moves, self.request.wanted);
        if self.stops_at_first() {
            shared.is_cut_short = true;
            self.stop(&shared);
        }
        drop(shared);
        // Without the lock, because this may write to a disk.
        if let Some(kept) = self.kept {
            kept.change(true, |checkpoint| {
                if let Some(cut) = &mut checkpoint.cut {
                    cut.solution.get_or_insert_with(|| KeptSolution { moves: moves.to_vec(), generated });
                }
            });
        }
        if let Some(lead) = self.request.lead {
            lead.found(moves);
        }
        !self.stops_at_first()
    }

    /// Nodes generated so far over all iterations, including those that workers were allowed and have not used.
    fn generated(&self) -> u64 {
        self.before + (self.allowed - self.nodes_left.load(Ordering::Relaxed))
    }

    /// Records that a limit is reached, unless another thread has just found the solution.
    #[cold]
    pub(super) fn reach(&self, limit: Limit) {
        let mut shared = self.shared();
        shared.is_cut_short = true;
        if !self.stops_at_first() || shared.found.count == 0 {
            shared.limit.get_or_insert(limit);
        }
        self.stop(&shared);
    }

    /// Stops all workers. The caller holds the lock, so that no worker misses it just before it waits for work.
    fn stop(&self, _held: &MutexGuard<'_, Shared>) {
        self.stopped.store(true, Ordering::Relaxed);
        self.work_is_there.notify_all();
    }
}

/// Stops the other threads when this one panics; otherwise they would wait for its work.
pub(super) struct StopOnPanic<'a>(pub(super) &'a Team<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(&self.0.shared());
        }
    }
}
