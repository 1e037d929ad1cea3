//! Solvers as commands open them: with a bar, Ctrl-C, and warnings about tables that had to be passed over.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tilebase::lookup::Verified;
use tilebase::progress::Event;
use tilebase::puzzle::Board;
use tilebase::solve::{Outcome, Request};
use tilebase::{CheckpointFile, Metric, Search, Solver, SolverBuilder, SolverError, Step, TableSource};

use crate::options::BoundOptions;
use crate::session::counted;
use crate::{Exit, Failure, Result, Session, bars, interrupt};

/// Opens a solver, with the tables of a source.
pub fn open(builder: SolverBuilder<'_>, source: &TableSource, session: &Session) -> Result<Solver> {
    let solver = bars::watched_on_threads(session, |watch| builder.source(source).watch(watch).open());
    let steps = match &solver {
        Ok(solver) => solver.steps(),
        Err(SolverError::NoTables(steps)) => steps,
        Err(_) => &[],
    };
    // What was not built because of Ctrl-C is not worth a warning.
    for step in steps.iter().filter(|_| !interrupt::asked_to_stop()) {
        match step {
            Step::PassedOver(name, error) => session.warning(format!("the tables of {name} are not used: {error}")),
            Step::DoNotFit { name, shortage, used: true } => session.warning(format!(
                "the tables of {name} do not fit into memory: {shortage}; what does not fit is read from the disk again and \
                 again: expect a search about 20 times slower, or use smaller tables"
            )),
            _ => {}
        }
    }
    // The strongest; what else did not fit is of less interest.
    let passed_over = steps.iter().find_map(|step| match step {
        Step::DoNotFit { name, shortage, used: false } => Some((name, shortage)),
        _ => None,
    });
    if let Some((name, shortage)) = passed_over {
        session.note(format!("the tables of {name} are not used: {shortage}; --tables {name} uses them all the same"));
    }
    if solver.is_err() && interrupt::asked_to_stop() {
        return Err(Failure::new("interrupted while tables were made ready").with_exit(Exit::Interrupted));
    }
    let solver = solver?;
    if session.common.trust && solver.tables().iter().any(|table| table.verified() == Verified::Not) {
        session.warning(format!(
            "the tables of {} were not verified: if they are damaged, answers are wrong",
            solver.name()
        ));
    }
    Ok(solver)
}

/// Searches with a checkpoint in a file, going on from what is there.
pub fn search_kept(
    path: &Path,
    solver: &Solver,
    board: &Board,
    request: &Request<'_>,
    session: &Session,
) -> Result<Outcome, String> {
    let file = CheckpointFile::open(path, solver, board).map_err(|error| error.to_string())?;
    let done = file.before();
    if let Some(bound) = done.cut.as_ref().map(|cut| cut.bound).or(done.bounds.last().map(|last| last.next)) {
        let units = done.cut.as_ref();
        let units = units.map(|cut| format!(", {} of {} units of this bound", cut.units_done(), cut.done.len()));
        let nodes = counted(done.generated(), "node");
        session.note(format!("going on at {bound} moves after {nodes}{}", units.unwrap_or_default()));
    }
    let watch = |event: &Event<'_>| {
        if let Some(error) = file.take_error() {
            session.warning(format!("the checkpoint {} cannot be written: {error}", path.display()));
        }
        (request.watch)(event)
    };
    // A search that is kept is expected to take long. Its time limit holds for copying, too.
    let started = Instant::now();
    let left = || request.limits.time.map(|most| most.saturating_sub(started.elapsed()));
    let until_limit = |event: &Event<'_>| match left() {
        Some(Duration::ZERO) => ControlFlow::Break(()),
        _ => watch(event),
    };
    solver.copy_tables(&until_limit).map_err(|error| error.to_string())?;
    let request = request.limits(request.limits.time(left()));
    solver.search(board, &request.watch(&watch).keep(&file)).map_err(|error| error.to_string())
}

/// Solvers, made when the first board with a goal comes.
pub(crate) struct SolversByGoal<'a> {
    search: Search,
    metric: Metric,
    bounds: &'a BoundOptions,
    source: TableSource,
    session: &'a Session,
    ready: Mutex<HashMap<Board, Result<Arc<Solver>, String>>>,
}

impl<'a> SolversByGoal<'a> {
    /// None yet: how they search, and where their bounds come from.
    pub(crate) fn new(search: Search, bounds: &'a BoundOptions, session: &'a Session) -> SolversByGoal<'a> {
        let (metric, source) = (Metric::Stm, session.source());
        SolversByGoal { search, metric, bounds, source, session, ready: Mutex::default() }
    }

    /// The same, counting in a metric.
    pub(crate) fn counting_in(mut self, metric: Metric) -> SolversByGoal<'a> {
        self.metric = metric;
        self
    }

    /// The same, choosing only tables that fit into this much memory, if that is given.
    pub(crate) fn within(mut self, memory: Option<u64>) -> SolversByGoal<'a> {
        self.source = self.source.fitting_into(memory);
        self
    }

    /// The solver of boards that are to reach a goal, or why there is none.
    pub(crate) fn get(&self, goal: &Board) -> Result<Arc<Solver>, String> {
        let mut ready = self.ready.lock().expect("no thread panics while it holds the lock");
        let open = || self.open(goal).map(Arc::new).map_err(|failure| failure.to_string());
        ready.entry(*goal).or_insert_with(open).clone()
    }

    fn open(&self, goal: &Board) -> Result<Solver> {
        let tables = self.bounds.tables();
        let builder = Solver::builder(goal).search(self.search).metric(self.metric).tables(tables);
        open(builder, &self.source, self.session)
    }
}
