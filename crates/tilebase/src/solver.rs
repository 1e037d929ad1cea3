//! A solver: boards in, provably shortest solutions out.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use tilebase_engine::{Bounds, BoundsError, Compiled, compile};
use tilebase_heuristics::AnyListed;
use tilebase_lookup::{OwnMemory, Table};
use tilebase_progress::Watch;
use tilebase_puzzle::{Board, Frame, Metric, Partition, State, Symmetry};
use tilebase_solve::{Beam, NotPossible, Outcome, Request, Search, SolveError, Solved, batch};

use crate::builder::SolverBuilder;
use crate::copies::Copies;
use crate::evidence::{Evidence, Searched};
use crate::many::Many;
use crate::room;
use crate::source::Step;

/// The most bytes that a solver takes in addition to its tables: compiled searches, names, steps.
const OVERHEAD: u64 = 64 << 10;

/// Solves boards with one goal by certain bounds and a certain search. It can be shared by any number of threads.
///
/// ```
/// use tilebase::{Goal, Size, Solver, Tables};
///
/// let goal = Goal::BlankLast.board(Size::new(4, 4)?)?;
/// let solver = Solver::builder(&goal).tables(Tables::Named("6-6-3")).open()?;
/// assert_eq!(solver.solve(&"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse()?)?.length, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(crate) opened: Opened,
    pub(crate) search: Search,
    pub(crate) tables: TablesUsed,
    /// Large tables that are mapped are copied when a search takes long.
    pub(crate) copies: Option<Box<Copies>>,
    /// How long a board is searched for before better and better solutions are.
    pub(crate) head_start: Duration,
    pub(crate) many: Mutex<Many>,
}

/// A search that is compiled for its tables, and these.
pub(crate) struct Opened {
    pub(crate) compiled: Box<dyn Compiled>,
    pub(crate) evidence: Evidence,
    /// Where its bounds come from: a beam search is compiled for them when it is first needed, and many boards are looked up in them.
    pub(crate) bounds: Bounds,
    beam: OnceLock<Box<dyn Compiled>>,
}

impl Opened {
    pub(crate) fn new(frame: Frame, bounds: Bounds, search: Search, metric: Metric) -> Result<Opened, BoundsError> {
        let tables = bounds.tables().cloned().collect();
        let compiled = compile(metric, frame, bounds.clone(), search)?;
        Ok(Opened { compiled, evidence: Evidence::new(tables), bounds, beam: OnceLock::new() })
    }

    fn beam(&self) -> &dyn Compiled {
        let beam = self.beam.get_or_init(|| {
            let (metric, frame) = (self.compiled.metric(), self.compiled.frame().clone());
            let compiled = compile(metric, frame, self.bounds.clone(), Search::Beam(Beam));
            compiled.expect("another search was compiled for the same bounds")
        });
        &**beam
    }

    pub(crate) fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.evidence.search(request, || self.root(board), |request| self.compiled.search(board, request))
    }

    /// The same, but the search is interrupted when `is_due` returns true. It is polled as often as the request's watch.
    pub(crate) fn search_until(
        &self,
        board: &Board,
        request: &Request<'_>,
        is_due: &(dyn Fn() -> bool + Sync),
    ) -> Result<Searched, SolveError> {
        let search = |request: &Request<'_>| self.compiled.search(board, request);
        self.evidence.search_until(request, is_due, || self.root(board), search)
    }

    /// The lower bound of a board before any search: 0 if bounds may exceed the distance.
    fn root(&self, board: &Board) -> u32 {
        if !self.compiled.is_admissible() {
            return 0;
        }
        let state = self.compiled.frame().state(board).ok();
        state.and_then(|state| self.compiled.bound(&state)).unwrap_or(0)
    }
}

/// Which tables a solver uses, and how they were come by.
#[derive(Debug, Default)]
pub(crate) struct TablesUsed {
    pub(crate) name: String,
    pub(crate) partition: Option<Partition>,
    pub(crate) stronger: Option<String>,
    pub(crate) steps: Vec<Step>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("frame", self.frame()).field("tables", &self.tables.name).finish_non_exhaustive()
    }
}

impl Solver {
    /// Options of a solver for a goal: any board of any size.
    #[must_use]
    pub fn builder<'a>(goal: &Board) -> SolverBuilder<'a> {
        SolverBuilder::new(goal)
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        self.opened.compiled.frame()
    }

    /// What it counts as one move.
    pub fn metric(&self) -> Metric {
        self.opened.compiled.metric()
    }

    /// What its tables or heuristics are called; empty when they were given.
    pub fn name(&self) -> &str {
        &self.tables.name
    }

    /// The patterns of the first sum of tables that was found by name or chosen, if there is one.
    pub fn partition(&self) -> Option<&Partition> {
        self.tables.partition.as_ref()
    }

    /// Of a solver with the strongest tables that are there: what `tilebase generate` would have to be given for stronger ones: a known
    /// catalogue with larger patterns whose tables are not there, or, in `mtm`, options.
    pub fn stronger(&self) -> Option<&str> {
        self.tables.stronger.as_deref()
    }

    /// What was done to have the tables: found, unpacked, built, passed over.
    pub fn steps(&self) -> &[Step] {
        &self.tables.steps
    }

    /// A shortest solution of a board.
    ///
    /// # Errors
    /// [`SolveError`] when the board is of another size or cannot be solved, before any search; or when the solver cannot
    /// promise shortest solutions, because its bounds may exceed the distance or its search promises none.
    pub fn solve(&self, board: &Board) -> Result<Solved, SolveError> {
        if !self.is_admissible() {
            return Err(SolveError::NotPossible(NotPossible::Shortest));
        }
        if !self.search.about().finds_shortest {
            return Err(SolveError::NotPossible(NotPossible::Promise(self.search.about().name)));
        }
        let outcome = self.search(board, &Request::default())?;
        Ok(outcome.solved().expect("without limits a search ends with a solution"))
    }

    /// Searches as asked. Every solution has been replayed on the board and leads to the goal.
    ///
    /// # Errors
    /// As for [`solve`](Solver::solve), if all shortest solutions are wanted; when the search cannot do what is asked; and when a
    /// table that was verified is not whole any more.
    pub fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        match &self.copies {
            Some(copies) => copies.search(&self.opened, board, request),
            None => self.opened.search(board, request),
        }
    }

    /// A beam search by the same bounds, on copies of the tables if there are some. Its solutions prove nothing, so that nobody has to
    /// be sure of the tables; they are replayed as all others are.
    pub(crate) fn beam_search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        match self.copies.as_ref().and_then(|copies| copies.ready()) {
            Some(copied) => copied.beam().search(board, request),
            None => self.opened.beam().search(board, request),
        }
    }

    /// Copies large tables onto huge pages now, if a search that takes long [would](SolverBuilder::copied_after) and it has not been
    /// done: so that no search is interrupted by it.
    ///
    /// # Errors
    /// [`SolveError`] when a table is not whole any more. When there is not enough memory after all, the tables stay mapped.
    pub fn copy_tables(&self, watch: Watch<'_>) -> Result<(), SolveError> {
        self.copies.as_ref().map_or(Ok(()), |copies| copies.get(watch).map(drop))
    }

    /// The tables that its answers rest on; each knows its file, its hash, and whether that was verified.
    pub fn tables(&self) -> &[Table] {
        &self.opened.evidence.tables
    }

    /// How many bytes the files have that its tables came from, each counted once.
    pub fn bytes_of_tables(&self) -> u64 {
        room::bytes_of_tables(self.tables().iter())
    }

    /// Adds the memory that the solver takes to a sum, for a cache of solvers: its tables with what finds their entries, and the tables of
    /// its heuristics. [`OwnMemory`] says which tables count; heuristics count for each solver, even if several share their tables.
    pub fn add_own_memory(&self, sum: &mut OwnMemory) {
        let copied = self.copies.as_ref().and_then(|copies| copies.ready());
        for opened in [Some(&self.opened), copied.as_deref()].into_iter().flatten() {
            sum.add_tables(&opened.evidence.tables);
            if opened.beam.get().is_some() {
                // Shares the entries, and has followers of its own.
                sum.add_tables(&opened.evidence.tables);
            }
        }
        let listed: usize = self.opened.bounds.listed.iter().map(AnyListed::bytes).sum();
        // Does not wait for a thread that is unpacking tables.
        let many = self.many.try_lock().map_or(0, |many| many.bytes());
        sum.add(OVERHEAD + listed as u64 + many);
    }

    /// Searches many boards, a board on each of a number of threads (0 means one for each core), and hands over the results in
    /// the order of the boards. `done` returns whether to go on.
    pub fn search_all(
        &self,
        threads: usize,
        boards: impl Iterator<Item = Board> + Send,
        request: &Request<'_>,
        mut done: impl FnMut(Board, Result<Outcome, SolveError>) -> bool + Send,
    ) {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = if threads == 0 { cores() } else { threads };
        let search = |board: Board| (board, self.search(&board, request));
        batch::run(threads, true, boards, search, |(board, outcome)| done(board, outcome));
    }

    /// Whether no bound ever exceeds the distance, so that searches can promise shortest solutions.
    pub fn is_admissible(&self) -> bool {
        self.opened.compiled.is_admissible()
    }

    /// The lower bound for a board.
    ///
    /// # Errors
    /// [`SolveError`] when the board is of another size or cannot be solved, or a table is damaged.
    pub fn bound_of(&self, board: &Board) -> Result<u32, SolveError> {
        self.bound(&self.frame().state(board).map_err(SolveError::Frame)?).ok_or(SolveError::Damaged(None))
    }

    /// The lower bound for a state. `None` when a table is damaged.
    pub fn bound(&self, state: &State) -> Option<u32> {
        self.opened.compiled.bound(state)
    }

    /// For each view, the cost of each pattern; nothing without tables. `None` when a table is damaged.
    pub fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.opened.compiled.pattern_costs(state)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Instant;

    use tilebase_heuristics::PatternCostsOfViews;
    use tilebase_lookup::{Loading, Store};
    use tilebase_progress::Event;
    use tilebase_puzzle::Goal;
    use tilebase_solve::{Limit, Weight};

    use super::*;
    use crate::{TableSource, Tables};

    /// The searches of a solver: how many have begun, and when the first returned.
    #[derive(Default)]
    pub(crate) struct Runs {
        pub(crate) begun: AtomicUsize,
        pub(crate) returned: OnceLock<Instant>,
    }

    /// Counts its searches. Each polls its watch at least once.
    struct Counted(Box<dyn Compiled>, Arc<Runs>);

    impl Compiled for Counted {
        fn frame(&self) -> &Frame {
            self.0.frame()
        }

        fn metric(&self) -> Metric {
            self.0.metric()
        }

        fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
            self.1.begun.fetch_add(1, Ordering::Relaxed);
            let _ = (request.watch)(&Event::Poll);
            let outcome = self.0.search(board, request);
            self.1.returned.get_or_init(Instant::now);
            outcome
        }

        fn bound(&self, state: &State) -> Option<u32> {
            self.0.bound(state)
        }

        fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
            self.0.pattern_costs(state)
        }

        fn is_admissible(&self) -> bool {
            self.0.is_admissible()
        }

        fn automaton_depths(&self) -> Vec<usize> {
            self.0.automaton_depths()
        }
    }

    /// Counts the searches of a solver that do not use copies of its tables.
    pub(crate) fn count_runs(solver: &mut Solver) -> Arc<Runs> {
        let runs = Arc::default();
        let (frame, bounds) = (solver.frame().clone(), solver.opened.bounds.clone());
        let compiled = compile(solver.metric(), frame, bounds, solver.search).unwrap();
        solver.opened.compiled = Box::new(Counted(compiled, Arc::clone(&runs)));
        runs
    }

    #[test]
    #[allow(unsafe_code)]
    fn bounds_that_may_exceed_the_distance_prove_nothing_even_when_a_verification_is_cut_short() {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        // SAFETY: nothing changes the shipped tables.
        let store = unsafe { Store::new(vec![shipped.clone()]).allow_mapping([shipped]) };
        let source = TableSource::new(store.with_loading(Loading::Map));
        let goal = Goal::BlankLast.board("4x4".parse().unwrap()).unwrap();
        let board: Board = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse().unwrap();
        // Whether its bounds are lower bounds, and what is proven of the board.
        for (tables, at_least) in [("6-6-3", 9), ("6-6-3+blank-aware", 0)] {
            let mut solver = Solver::builder(&goal).tables(Tables::Named(tables)).source(&source).open().unwrap();
            assert_eq!(solver.is_admissible(), at_least > 0);
            assert!(solver.bound_of(&board).unwrap() >= 9);
            solver.opened.evidence.again_after = Duration::ZERO;
            let runs = count_runs(&mut solver);
            let searching = thread::current().id();
            // The search is cancelled after it has returned, before any table has been verified.
            let watch = |_: &Event<'_>| {
                let started = Instant::now();
                let waits = || thread::current().id() != searching && started.elapsed() < Duration::from_secs(60);
                while runs.returned.get().is_none() && waits() {
                    thread::sleep(Duration::from_millis(1));
                }
                if runs.returned.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let request = Request::default().weight(Weight::new(3, 2).unwrap()).watch(&watch);
            let Outcome::Limited(limited) = solver.search(&board, &request).unwrap() else { panic!("not verified") };
            assert_eq!((limited.limit, limited.at_least), (Limit::Cancelled, at_least), "{tables}");
        }
    }
}
