//! Large tables, copied onto huge pages when a search takes long.

use std::io;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tilebase_engine::Bounds;
use tilebase_lookup::{Bytes, Copier, OpenError, Table, VerifyError};
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Frame, Metric};
use tilebase_solve::{Outcome, Request, Search, SolveError};

use crate::evidence::{BETWEEN_LOOKS, Searched, damaged, within_limits};
use crate::room;
use crate::solver::Opened;
use crate::source::TableSource;

/// A search that has taken this long is expected to take longer than copying does, which is ten seconds or two for the largest tables.
pub(crate) const COPIED_AFTER: Duration = Duration::from_secs(5);

/// With a smaller limit of time there would be little left after copying.
const TIME_LIMIT_WORTH_COPYING: Duration = Duration::from_secs(60);

/// Smaller tables stay mapped: the gain is small.
const BYTES_WORTH_COPYING: u64 = 1 << 30;

/// The copies of a solver's tables, and how they are made when a search takes long.
///
/// When tables are opened it is not known how long searches will take. An easy board should be answered at once, from the mapped
/// files; one that takes minutes or hours should have its tables on huge pages. So a search begins on the mapped files. If it is still
/// running after some seconds, it is interrupted, the tables are copied, and it begins again. Its progress until then is lost, which
/// costs less time than copying does; its nodes are not counted, its time is. A search that has returned by then is never repeated,
/// however long the [verification](Evidence::search_until) of its tables takes.
///
/// One search copies. Others continue on the mapped tables, and begin again when the copies are ready; if there is not enough memory for
/// copies, they continue to their end. Copying stops at the time limit of its search and when that is cancelled; the next search that
/// takes long copies then.
pub(crate) struct Copies {
    frame: Frame,
    search: Search,
    metric: Metric,
    /// The bounds whose tables are copied.
    bounds: Bounds,
    /// The length of the copies in bytes.
    bytes: u64,
    /// The memory to use at most, in bytes, if the caller has set a limit.
    most_memory: Option<u64>,
    threads: usize,
    after: Duration,
    /// With a smaller limit of time a search never copies.
    least_time: Duration,
    state: Mutex<State>,
    /// Notified when copying has ended, whether it succeeded or not.
    ended: Condvar,
}

/// Locked only to be read or changed, never while tables are copied.
#[derive(Clone)]
enum State {
    /// No search has needed them, or copying was stopped.
    NotYet,
    /// A search is copying.
    UnderWay,
    /// The copies are ready.
    Copied(Arc<Opened>),
    /// There was not enough memory; no search tries again.
    DoNotFit,
}

impl Copies {
    /// How the tables among some bounds are to be copied, if they are large, mapped and fit into memory, and the search is one for
    /// which it is worth it.
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

    /// Searches: on the copies if they are ready; otherwise on the mapped tables, until that has taken so long that copies are made.
    pub(crate) fn search(&self, mapped: &Opened, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        let is_short = request.limits.time.is_some_and(|most| most < self.least_time);
        match self.state() {
            State::Copied(copied) => return copied.search(board, request),
            State::DoNotFit => return mapped.search(board, request),
            State::NotYet | State::UnderWay if is_short => return mapped.search(board, request),
            State::NotYet | State::UnderWay => {}
        }
        let started = Instant::now();
        // Whatever the other search's copying comes to, this search keeps what it has done until then.
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

    /// The copies: made unless they are ready, or awaited if another search is making them. `None` if there is not enough memory after
    /// all, or if cancelled.
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
            drop(self.ended.wait_timeout(state, BETWEEN_LOOKS));
            if watch(&Event::Poll).is_break() {
                return Ok(None);
            }
        }
        let mut turn = Turn { copies: self, then: State::NotYet };
        let made = self.make(watch)?;
        turn.then = made.clone();
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
        // The system keeps the source files in memory, too, as far as there is room.
        let forgets = available.is_none_or(|available| available < 2 * self.bytes);
        let mut copier = Copier::new(self.threads, watch).forgetting_files(forgets);
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
    pub(crate) fn there(&self) -> Option<Arc<Opened>> {
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

/// Copying that is under way, until it is dropped.
struct Turn<'a> {
    copies: &'a Copies,
    /// The state afterwards.
    then: State,
}

impl Drop for Turn<'_> {
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

    /// The tables of 6-6-3 in a directory, mapped, with room for this many bytes.
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
                // The first block is compared only when it is time to copy.
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

    // Other systems let no program write to a file that is mapped.
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
        // The first block is done only when the gate opens.
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
                told.send((outcome, has_copies, copies.there().is_some(), asked.into_inner())).unwrap();
            });
            let found = heard.recv_timeout(Duration::from_secs(60));
            // So that a failure ends the test as well.
            go.send(()).unwrap();
            let (outcome, has_copies, there, asked) = found.expect("it does not wait for the copies");
            assert!(matches!(outcome, Outcome::Limited(Limited { limit: Limit::Nodes, .. })));
            assert!(!has_copies && !there, "they are still being made");
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
        // It is over when the tables are to be copied.
        let limits = Limits::default().time(Duration::ZERO);
        let outcome = solver.search(&HARD.parse().unwrap(), &Request::default().limits(limits).watch(&watch)).unwrap();
        assert!(matches!(outcome, Outcome::Limited(Limited { limit: Limit::Time, .. })), "{outcome:?}");
        assert!(!is_copied(&solver));
        assert_eq!(copied.into_inner(), 0);
        solver.copy_tables(&unwatched).unwrap();
        assert!(is_copied(&solver), "another search may copy");
    }
}
