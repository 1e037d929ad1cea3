//! Large tables, copied onto huge pages when a search takes long.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tilebase_engine::{Bounds, Views};
use tilebase_lookup::{Bytes, Copier, OpenError, Table, VerifyError};
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Frame, Metric};
use tilebase_solve::{Limit, Limited, Outcome, Request, Search, SolveError};

use crate::evidence::damaged;
use crate::room;
use crate::solver::Opened;
use crate::source::TableSource;

/// A search that has taken this long is expected to take longer than copying does, which is ten seconds or two for the largest tables.
pub(crate) const COPIED_AFTER: Duration = Duration::from_secs(5);

/// With a smaller limit of time there would be little left after copying.
const TIME_LIMIT_WORTH_COPYING: Duration = Duration::from_secs(60);

/// Smaller tables stay mapped: the gain is small.
const BYTES_WORTH_COPYING: u64 = 1 << 30;

/// How the tables of a solver are copied when a search takes long, and the copies.
///
/// When tables are opened nobody knows how long searches will take. An easy board should be answered at once, from the mapped
/// files; one that takes minutes or hours should have its tables on huge pages. So a search begins on the mapped files, and if it has
/// not ended after some seconds it is stopped, the tables are copied, and it begins anew. What it had done by then is lost, which is
/// less than copying takes; its nodes are not counted, its time is.
pub(crate) struct Copies {
    frame: Frame,
    search: Search,
    /// What is copied.
    partitions: Vec<Vec<Table>>,
    all_moves: Vec<Table>,
    views: Views,
    /// How many bytes that takes.
    bytes: u64,
    /// Bytes of memory that there may be, if that was said.
    most_memory: Option<u64>,
    threads: usize,
    after: Duration,
    state: Mutex<State>,
}

#[derive(Clone)]
enum State {
    /// Nobody has needed them.
    NotYet,
    /// There they are.
    Copied(Arc<Opened>),
    /// There was not enough memory; nobody tries again.
    DoNotFit,
}

impl Copies {
    /// How the tables among some bounds are to be copied, if they are large, mapped and fit into memory, and the search is one for
    /// which it is worth it.
    pub(crate) fn of(
        bounds: &Bounds,
        frame: &Frame,
        search: Search,
        source: &TableSource,
        after: Duration,
    ) -> Option<Copies> {
        let Bounds { listed, partitions, all_moves, views, .. } = bounds;
        let is_mapped = |table: &&Table| matches!(table.bytes(), Bytes::Mapped(_));
        let bytes = room::bytes_of_tables(partitions.iter().flatten().chain(all_moves).filter(is_mapped));
        let is_fast = matches!(search, Search::Ida(_)) && listed.is_empty();
        let worth = if cfg!(test) { 1 } else { BYTES_WORTH_COPYING };
        if !is_fast || after == Duration::MAX || bytes < worth || room::shortage(bytes, source.memory()).is_some() {
            return None;
        }
        Some(Copies {
            frame: frame.clone(),
            search,
            partitions: partitions.clone(),
            all_moves: all_moves.clone(),
            views: *views,
            bytes,
            most_memory: source.most_memory(),
            threads: source.threads(),
            after,
            state: Mutex::new(State::NotYet),
        })
    }

    /// Searches: on the copies if they are there; otherwise on what is mapped, until that has taken so long that copies are made.
    pub(crate) fn search(&self, mapped: &Opened, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        let is_short = request.limits.time.is_some_and(|most| most < TIME_LIMIT_WORTH_COPYING);
        match self.state() {
            State::Copied(copied) => return copied.search(board, request),
            State::DoNotFit => return mapped.search(board, request),
            State::NotYet if is_short => return mapped.search(board, request),
            State::NotYet => {}
        }
        let started = Instant::now();
        let before = match self.begin(mapped, board, request)? {
            Begun::Ended(outcome) => return Ok(outcome),
            Begun::Stopped(before) => before,
        };
        let copied = self.get(request.watch)?;
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

    /// The first part of a search, on what is mapped. It ends, or it is stopped because it takes long.
    fn begin(&self, mapped: &Opened, board: &Board, request: &Request<'_>) -> Result<Begun, SolveError> {
        let started = Instant::now();
        let is_due = AtomicBool::new(false);
        let watch = |event: &Event<'_>| {
            (request.watch)(event)?;
            if started.elapsed() < self.after {
                return ControlFlow::Continue(());
            }
            is_due.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        };
        // Whoever copies the tables verifies them, and there is no need to do it beside the search.
        let outcome = mapped
            .evidence
            .search_beside(false, &request.watch(&watch), |request| mapped.compiled.search(board, request))?;
        Ok(match outcome {
            Outcome::Limited(limited) if limited.limit == Limit::Cancelled && is_due.into_inner() => {
                Begun::Stopped(limited)
            }
            ended => Begun::Ended(ended),
        })
    }

    /// The copies, made if nobody has made them. `None` when there is not enough memory after all, or the watch says to stop.
    pub(crate) fn get(&self, watch: Watch<'_>) -> Result<Option<Arc<Opened>>, SolveError> {
        // Whoever needs them while they are being made waits.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Copied(copied) => return Ok(Some(Arc::clone(copied))),
            State::DoNotFit => return Ok(None),
            State::NotYet => {}
        }
        let available = self.most_memory.or_else(tilebase_memory::available);
        if room::shortage(self.bytes, available).is_some() {
            *state = State::DoNotFit;
            return Ok(None);
        }
        // The files that are copied from are in memory, too, as far as there is room.
        let forgets = available.is_none_or(|available| available < 2 * self.bytes);
        let mut copier = Copier::new(self.threads, watch).forgetting_files(forgets);
        let mut copy =
            |tables: &Vec<Table>| tables.iter().map(|table| copier.copy(table)).collect::<Result<Vec<_>, _>>();
        let partitions: Result<Vec<_>, _> = self.partitions.iter().map(&mut copy).collect();
        match partitions.and_then(|partitions| Ok((partitions, copy(&self.all_moves)?))) {
            Ok((partitions, all_moves)) => {
                let mut bounds = Bounds::sums(partitions);
                (bounds.all_moves, bounds.views) = (all_moves, self.views);
                let opened = Opened::new(self.frame.clone(), bounds, self.search, Metric::Stm);
                let opened = Arc::new(opened.expect("a search was compiled for the same tables before"));
                *state = State::Copied(Arc::clone(&opened));
                Ok(Some(opened))
            }
            Err(OpenError::NotWhole(_, VerifyError::Stopped)) => Ok(None),
            Err(OpenError::Io(_, error)) if error.kind() == io::ErrorKind::OutOfMemory => {
                *state = State::DoNotFit;
                Ok(None)
            }
            Err(error) => Err(damaged(error)),
        }
    }

    /// The copies, if they are there.
    pub(crate) fn there(&self) -> Option<Arc<Opened>> {
        match self.state.try_lock().ok()?.clone() {
            State::Copied(copied) => Some(copied),
            // Nobody waits for those that are being made.
            State::NotYet | State::DoNotFit => None,
        }
    }

    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What became of the first part of a search.
enum Begun {
    Ended(Outcome),
    Stopped(Limited),
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::{Goal, Limits, Size, Solver, Tables, unwatched};
    use tilebase_lookup::{Loading, Mapping, Store};

    const HARD: &str = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1";

    /// The tables of 6-6-3 in a directory, mapped, with room for this many bytes.
    #[allow(unsafe_code)]
    fn source(directory: &Path, memory: u64) -> TableSource {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        for entry in std::fs::read_dir(shipped).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), directory.join(entry.file_name())).unwrap();
        }
        // SAFETY: the tests read nothing through a map whose file they have changed.
        let mapping = unsafe { Mapping::promised() };
        let store = Store::new(vec![directory.to_owned()]).with_loading(Loading::Map(mapping));
        TableSource::new(store).with_threads(2).fitting_into(memory)
    }

    fn solver(source: &TableSource, after: Duration) -> Solver {
        let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
        let builder = Solver::builder(&goal).tables(Tables::Named("6-6-3")).source(source);
        builder.copied_after(after).open().unwrap()
    }

    fn is_copied(solver: &Solver) -> bool {
        let State::Copied(copied) = solver.copies.as_ref().unwrap().state() else { return false };
        copied.evidence.tables.iter().all(|table| matches!(table.bytes(), Bytes::Copied(_)))
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
    fn a_solver_can_be_told_to_copy_and_whoever_stops_that_may_begin_again() {
        let directory = tempfile::tempdir().unwrap();
        let solver = solver(&source(directory.path(), u64::MAX), Duration::from_secs(3600));
        solver.copy_tables(&|_| ControlFlow::Break(())).unwrap();
        assert!(!is_copied(&solver));
        solver.copy_tables(&unwatched).unwrap();
        assert!(is_copied(&solver));
    }

    // Elsewhere the system lets nobody write to a file that is mapped.
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
}
