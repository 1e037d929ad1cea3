//! Copies of large tables on huge pages, made when a search takes long.

use std::io;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tilebase_engine::Bounds;
use tilebase_lookup::{Bytes, Copier, OpenError, Table, VerifyError};
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Frame, Metric};
use tilebase_solve::{Outcome, Request, Search, SolveError};

use crate::evidence::{POLL_INTERVAL, Searched, damaged, within_limits};
use crate::room;
use crate::solver::Opened;
use crate::source::TableSource;

/// The default time after which a search copies its tables. A search that has taken this long is likely to take longer
/// than copying does: ten to twenty seconds for the largest tables.
pub(crate) const COPIED_AFTER: Duration = Duration::from_secs(5);

/// A search with a smaller time limit does not copy, because copying would leave it little time.
const TIME_LIMIT_WORTH_COPYING: Duration = Duration::from_secs(60);

/// Tables smaller than this in total stay mapped, because copying them gains little.
const BYTES_WORTH_COPYING: u64 = 1 << 30;

/// The copies of a solver's tables, and everything that is needed to make them.
///
/// The solver cannot know in advance how long a search will take. An easy board should be solved at once, from the
/// mapped files. A search of minutes or hours should have its tables on huge pages. So every search begins on the
/// mapped files. If it is still running after some seconds, it is interrupted, the tables are copied, and the search
/// restarts. The progress before the restart is lost, but redoing it takes less time than copying. The answer counts
/// the time before the restart, but not the nodes. A search that has returned is never repeated, however long the
/// [verification](crate::evidence::Evidence::search_until) of its tables takes.
///
/// One search copies. Others continue on the mapped tables, and restart when the copies are ready. If memory is too
/// small for copies, they continue to their end. Copying stops at the time limit of its search, or when that search is
/// cancelled. The next long search then copies.
pub(crate) struct Copies {
    frame: Frame,
    search: Search,
    metric: Metric,
    /// The bounds with the mapped tables.
    bounds: Bounds,
    /// The size of the copies in bytes.
    bytes: u64,
    /// The most memory to use, in bytes, if the caller has set a limit.
    most_memory: Option<u64>,
    threads: usize,
    /// The time after which a search copies.
    after: Duration,
    /// The smallest time limit with which a search copies.
    least_time: Duration,
    state: Mutex<State>,
    /// Notified when copying has ended, whether it succeeded or not.
    ended: Condvar,
}

/// The state of the copies. Locked only to read or change it, never while copying.
#[derive(Clone)]
enum State {
    /// No search has needed copies, or copying was cancelled.
    NotYet,
    /// A search is copying.
    UnderWay,
    /// The copies are ready.
    Copied(Arc<Opened>),
    /// There was not enough memory for copies. No search tries again.
    DoNotFit,
}

impl Copies {
    /// Plans the copies of the tables in some bounds. `None` unless the tables are mapped, large enough to be worth
    /// copying, and fit into memory, and the search benefits from copies.
    pub(crate) fn of(
        bounds: &Bounds,
        frame: &Frame,
        (search, metric): (Search, Metric),
        source: &TableSource,
        after: Duration,
    ) -> Option<Copies> {
        let is_mapped = |table: &&Table| matches!(table.bytes(), Bytes::Mapped(_));
        let bytes = room::bytes_of_tables(bounds.tables().filter(is_mapped));
        let is_fast = matches!(search, Search::Ida(_)) && bounds.listed.is_empty();
        let worth = if cfg!(test) { 1 } else { BYTES_WORTH_COPYING };
        if !is_fast || after == Duration::MAX || bytes < worth || room::shortage(bytes, source.memory()).is_some() {
            return None;
        }
        Some(Copies {
            frame: frame.clone(),
            search,
            metric,
            bounds: bounds.clone(),
            bytes,
            most_memory: source.most_memory(),
            threads: source.threads(),
            after,
            least_time: TIME_LIMIT_WORTH_COPYING,
            state: Mutex::new(State::NotYet),
            ended: Condvar::new(),
        })
    }

    /// Searches on the copies if they are ready. Otherwise searches on the mapped tables, and if that takes long, makes
    /// the copies and restarts.
    pub(crate) fn search(&self, mapped: &Opened, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        let is_short = request.limits.time.is_some_and(|most| most < self.least_time);
        match self.state() {
            State::Copied(copied) => return copied.search(board, request),
            State::DoNotFit => return mapped.search(board, request),
            State::NotYet | State::UnderWay if is_short => return mapped.search(board, request),
            State::NotYet | State::UnderWay => {}
        }
        let started = Instant::now();
        // While another search copies, this one continues, because that copying may fail. It restarts only when the
        // state is `Copied`, or when it can copy itself.
        let is_due = || started.elapsed() >= self.after && !matches!(*self.lock(), State::UnderWay | State::DoNotFit);
        let before = match mapped.search_until(board, request, &is_due)? {
            Searched::Ended(outcome) => return Ok(outcome),
            Searched::Interrupted(before) => before,
        };
        let copied = self.get(&within_limits(request, started))?;
        let opened = copied.as_deref().unwrap_or(mapped);
        let time = request.limits.time.map(|most| most.saturating_sub(started.elapsed()));
        let mut outcome = opened.search(board, &request.limits(request.limits.time(time)))?;
        match &mut outcome {
            Outcome::Solved(solved) => solved.effort.time = started.elapsed(),
            Outcome::Limited(limited) => {
                limited.effort.time = started.elapsed();
                limited.at_least = limited.at_least.max(before.at_least);
            }
        }
        Ok(outcome)
    }

    /// The copies. Makes them if necessary, or waits for another search that is making them. `None` if memory is too
    /// small after all, or if the watch cancels.
    pub(crate) fn get(&self, watch: Watch<'_>) -> Result<Option<Arc<Opened>>, SolveError> {
        loop {
            let mut state = self.lock();
            match &*state {
                State::Copied(copied) => return Ok(Some(Arc::clone(copied))),
                State::DoNotFit => return Ok(None),
                State::NotYet => {
                    *state = State::UnderWay;
                    break;
                }
                State::UnderWay => {}
            }
            drop(self.ended.wait_timeout(state, POLL_INTERVAL));
            if watch(&Event::Poll).is_break() {
                return Ok(None);
            }
        }
        let mut guard = CopyingGuard { copies: self, then: State::NotYet };
        let made = self.make(watch)?;
        guard.then = made.clone();
        Ok(match made {
            State::Copied(copied) => Some(copied),
            _ => None,
        })
    }

    /// Copies the tables. Returns the new state.
    fn make(&self, watch: Watch<'_>) -> Result<State, SolveError> {
        let available = self.most_memory.or_else(tilebase_memory::available);
        if room::shortage(self.bytes, available).is_some() {
            return Ok(State::DoNotFit);
        }
        // The system's file cache holds the source files as well. Without room for both, drop them from the cache.
        let forgets_files = available.is_none_or(|available| available < 2 * self.bytes);
        let mut copier = Copier::new(self.threads, watch).forgetting_files(forgets_files);
        let mut bounds = self.bounds.clone();
        let result = bounds.tables_mut().try_for_each(|table| {
            *table = copier.copy(table)?;
            Ok(())
        });
        match result {
            Ok(()) => {
                let opened = Opened::new(self.frame.clone(), bounds, self.search, self.metric);
                Ok(State::Copied(Arc::new(opened.expect("a search was compiled for the same tables before"))))
            }
            Err(OpenError::NotWhole(_, VerifyError::Stopped)) => Ok(State::NotYet),
            Err(OpenError::Io(_, error)) if error.kind() == io::ErrorKind::OutOfMemory => Ok(State::DoNotFit),
            Err(error) => Err(damaged(error)),
        }
    }

    /// The copies, if they are ready. Does not wait.
    pub(crate) fn ready(&self) -> Option<Arc<Opened>> {
        match self.state() {
            State::Copied(copied) => Some(copied),
            State::NotYet | State::UnderWay | State::DoNotFit => None,
        }
    }

    fn state(&self) -> State {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks copying as under way until it is dropped.
struct CopyingGuard<'a> {
    copies: &'a Copies,
    /// The state to set when this is dropped.
    then: State,
}

impl Drop for CopyingGuard<'_> {
    fn drop(&mut self) {
        *self.copies.lock() = mem::replace(&mut self.then, State::NotYet);
        self.copies.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;
    use crate::solver::tests::count_runs;
    use crate::{Goal, Limits, Size, Solver, Tables, unwatched};
    use tilebase_lookup::{Loading, Store};
    use tilebase_solve::{Limit, Limited};

    const HARD: &str = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1";

    /// The tables of 6-6-3, copied into a directory and mapped, with a memory limit in bytes.
    #[allow(unsafe_code)]
    fn source(directory: &Path, memory: u64) -> TableSource {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        for entry in std::fs::read_dir(shipped).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), directory.join(entry.file_name())).unwrap();
        }
        // SAFETY: the tests read nothing through a map whose file they have changed.
        let store = unsafe { Store::new(vec![directory.to_owned()]).allow_mapping([directory.to_owned()]) };
        let store = store.with_loading(Loading::Map);
        TableSource::new(store).with_threads(2).fitting_into(memory)
    }

    fn solver(source: &TableSource, after: Duration) -> Solver {
        let solver = solver_by("6-6-3", Metric::Stm, source, after);
        assert_eq!(solver.tables().len(), 3);
        solver
    }

    fn solver_by(tables: &str, metric: Metric, source: &TableSource, after: Duration) -> Solver {
        let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
        let builder = Solver::builder(&goal).metric(metric).tables(Tables::Named(tables)).source(source);
        builder.copied_after(after).open().unwrap()
    }

    fn is_copied(solver: &Solver) -> bool {
        let State::Copied(copied) = solver.copies.as_ref().unwrap().state() else { return false };
        copied.evidence.tables.iter().all(|table| matches!(table.bytes(), Bytes::Copied(_)))
    }

    #[test]
    fn a_search_that_has_returned_is_not_repeated_however_long_its_tables_are_verified() {
        let directory = tempfile::tempdir().unwrap();
        let after = Duration::from_millis(500);
        let mut solver = solver(&source(directory.path(), u64::MAX), after);
        let runs = count_runs(&mut solver);
        solver.opened.evidence.again_after = Duration::ZERO;
        let searching = std::thread::current().id();
        let compared = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            if std::thread::current().id() != searching && compared.fetch_add(1, Ordering::Relaxed) == 0 {
                // Comparing the first block takes until the search would be interrupted to copy.
                let started = Instant::now();
                let is_due = || runs.returned.get().is_some_and(|returned| returned.elapsed() >= after);
                while !is_due() && started.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            ControlFlow::Continue(())
        };
        let board: Board = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse().unwrap();
        let outcome = solver.search(&board, &Request::default().watch(&watch)).unwrap();
        assert!(matches!(&outcome, Outcome::Solved(found) if (found.length, found.optimal) == (9, true)));
        assert_eq!(runs.begun.load(Ordering::Relaxed), 1);
        assert!(compared.into_inner() > 3, "every block is compared");
        assert!(!is_copied(&solver));
    }

    #[test]
    fn a_search_continues_when_another_one_finds_that_copies_do_not_fit() {
        let directory = tempfile::tempdir().unwrap();
        let mut solver = solver(&source(directory.path(), u64::MAX), Duration::ZERO);
        let runs = count_runs(&mut solver);
        let copies = solver.copies.as_ref().unwrap();
        *copies.lock() = State::UnderWay;
        let polled = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            if polled.fetch_add(1, Ordering::Relaxed) == 2 {
                *copies.lock() = State::DoNotFit;
            }
            ControlFlow::Continue(())
        };
        let limits = Limits::default().nodes(100_000);
        let outcome = solver.search(&HARD.parse().unwrap(), &Request::default().limits(limits).watch(&watch)).unwrap();
        assert!(matches!(outcome, Outcome::Limited(Limited { limit: Limit::Nodes, .. })));
        assert!(polled.into_inner() > 10);
        assert_eq!(runs.begun.load(Ordering::Relaxed), 1, "its progress is kept");
    }

    #[test]
    fn a_search_that_takes_long_is_made_with_copies_and_finds_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let source = source(directory.path(), u64::MAX);
        let board: Board = HARD.parse().unwrap();
        let mapped = solver(&source, Duration::from_secs(3600));
        let node_limit = Request::default().limits(Limits::default().nodes(300_000));
        let expected = mapped.search(&board, &node_limit).unwrap();
        assert!(!is_copied(&mapped), "it did not take long");
        for after in [Duration::ZERO, Duration::from_millis(1)] {
            let solver = solver(&source, after);
            let copied = AtomicUsize::new(0);
            let watch = |event: &Event<'_>| {
                copied.fetch_add(usize::from(matches!(event, Event::Begin { .. })), Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let found = solver.search(&board, &node_limit.watch(&watch)).unwrap();
            assert!(is_copied(&solver));
            let (Outcome::Limited(found), Outcome::Limited(expected)) = (found, &expected) else { panic!("limited") };
            assert_eq!((found.limit, found.at_least), (Limit::Nodes, expected.at_least));
            assert_eq!(found.effort.generated, expected.effort.generated, "those before are not counted");
            assert_eq!(copied.load(Ordering::Relaxed), 3, "a piece of work for each file");
            solver.search(&board, &node_limit.watch(&watch)).unwrap();
            assert_eq!(copied.load(Ordering::Relaxed), 3, "once");
        }
    }

    #[test]
    fn with_a_small_time_limit_or_too_little_memory_tables_stay_mapped() {
        let directory = tempfile::tempdir().unwrap();
        let board: Board = HARD.parse().unwrap();
        let limits = Limits::default().nodes(100_000);
        let short = solver(&source(directory.path(), u64::MAX), Duration::ZERO);
        short.search(&board, &Request::default().limits(limits.time(Duration::from_secs(30)))).unwrap();
        assert!(!is_copied(&short));
        short.search(&board, &Request::default().limits(limits.time(Duration::from_secs(100)))).unwrap();
        assert!(is_copied(&short));
        drop(short);
        assert!(solver(&source(directory.path(), 1_000_000), Duration::ZERO).copies.is_none());
        let never = solver(&source(directory.path(), u64::MAX), Duration::MAX);
        never.copy_tables(&unwatched).unwrap();
        assert!(never.copies.is_none(), "not even when told to");
    }

    #[test]
    fn a_solver_copies_when_told_to_and_again_after_that_was_cancelled() {
        let directory = tempfile::tempdir().unwrap();
        let solver = solver(&source(directory.path(), u64::MAX), Duration::from_secs(3600));
        solver.copy_tables(&|_| ControlFlow::Break(())).unwrap();
        assert!(!is_copied(&solver));
        solver.copy_tables(&unwatched).unwrap();
        assert!(is_copied(&solver));
    }

    // Only on Unix, because other systems prevent writing to a mapped file.
    #[test]
    #[cfg(unix)]
    fn a_table_that_is_damaged_meanwhile_is_not_copied_but_named() {
        let directory = tempfile::tempdir().unwrap();
        let solver = solver(&source(directory.path(), u64::MAX), Duration::ZERO);
        let path = solver.tables()[1].path().unwrap().to_owned();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[5000] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(solver.copy_tables(&unwatched), Err(SolveError::Damaged(Some(path))));
    }

    #[test]
    fn tables_of_lines_are_copied_as_well_and_the_search_is_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let source = source(directory.path(), u64::MAX).keeping_built_in(directory.path().to_owned());
        let search = |after: Duration| {
            let solver = solver_by("all:1,2,3,4", Metric::Mtm, &source, after);
            let limits = Limits::default().nodes(200_000);
            let outcome = solver.search(&HARD.parse().unwrap(), &Request::default().limits(limits)).unwrap();
            let Outcome::Limited(limited) = outcome else { panic!("it has a limit") };
            (is_copied(&solver), limited.at_least, limited.effort.generated)
        };
        let (was_copied, at_least, generated) = search(Duration::from_secs(3600));
        assert!(!was_copied);
        assert_eq!(search(Duration::ZERO), (true, at_least, generated));
    }

    #[test]
    fn while_one_search_copies_others_use_the_mapped_tables_and_waiting_can_be_stopped() {
        let directory = tempfile::tempdir().unwrap();
        let solver = solver(&source(directory.path(), u64::MAX), Duration::ZERO);
        let (begun, has_begun) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let gate = Mutex::new(gate);
        let is_first = AtomicBool::new(true);
        // Copying the first block waits for the gate.
        let wait = |event: &Event<'_>| {
            if matches!(event, Event::Advance(_)) && is_first.swap(false, Ordering::Relaxed) {
                begun.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
            }
            ControlFlow::Continue(())
        };
        let (told, heard) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| solver.copy_tables(&wait).unwrap());
            has_begun.recv().unwrap();
            scope.spawn(|| {
                let limits = Limits::default().nodes(100_000);
                let outcome = solver.search(&HARD.parse().unwrap(), &Request::default().limits(limits)).unwrap();
                let copies = solver.copies.as_ref().unwrap();
                let asked = AtomicUsize::new(0);
                let stop = |_: &Event<'_>| {
                    let is_third = asked.fetch_add(1, Ordering::Relaxed) + 1 == 3;
                    if is_third { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let has_copies = copies.get(&stop).unwrap().is_some();
                told.send((outcome, has_copies, copies.ready().is_some(), asked.into_inner())).unwrap();
            });
            let found = heard.recv_timeout(Duration::from_secs(60));
            // Open the gate before the checks, so that a failed check does not hang the test.
            go.send(()).unwrap();
            let (outcome, has_copies, are_ready, asked) = found.expect("it does not wait for the copies");
            assert!(matches!(outcome, Outcome::Limited(Limited { limit: Limit::Nodes, .. })));
            assert!(!has_copies && !are_ready, "they are still being made");
            assert_eq!(asked, 3);
        });
        assert!(is_copied(&solver));
    }

    #[test]
    fn copying_ends_with_the_time_of_the_search() {
        let directory = tempfile::tempdir().unwrap();
        let mut solver = solver(&source(directory.path(), u64::MAX), Duration::ZERO);
        solver.copies.as_mut().unwrap().least_time = Duration::ZERO;
        let copied = AtomicUsize::new(0);
        let watch = |event: &Event<'_>| {
            copied.fetch_add(usize::from(matches!(event, Event::Advance(_))), Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        // The time limit has passed by the time that copying begins.
        let limits = Limits::default().time(Duration::ZERO);
        let outcome = solver.search(&HARD.parse().unwrap(), &Request::default().limits(limits).watch(&watch)).unwrap();
        assert!(matches!(outcome, Outcome::Limited(Limited { limit: Limit::Time, .. })), "{outcome:?}");
        assert!(!is_copied(&solver));
        assert_eq!(copied.into_inner(), 0);
        solver.copy_tables(&unwatched).unwrap();
        assert!(is_copied(&solver), "another search may copy");
    }
}
