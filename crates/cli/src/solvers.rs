//! Solvers as commands open them: with a bar, Ctrl-C, and warnings about tables that had to be passed over.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tilebase::lookup::Verified;
use tilebase::progress::Event;
use tilebase::puzzle::Board;
use tilebase::solve::{Limits, Outcome, Request};
use tilebase::{CheckpointFile, Metric, Search, Solver, SolverBuilder, SolverError, Step, TableSource};

use crate::options::BoundOptions;
use crate::session::counted;
use crate::{Exit, Failure, Result, Session, bars, interrupt};

/// Opens a solver, with the tables of a source.
pub fn open(builder: SolverBuilder<'_>, source: &TableSource, session: &Session) -> Result<Solver> {
    open_while(builder, source, session, &|| true)
}

/// The same, giving up soon after `go_on` returns false.
fn open_while(
    builder: SolverBuilder<'_>,
    source: &TableSource,
    session: &Session,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Solver> {
    let solver = bars::watched_on_threads(session, |watch| {
        let watch = |event: &Event<'_>| if go_on() { watch(event) } else { ControlFlow::Break(()) };
        builder.source(source).watch(&watch).open()
    });
    let steps = match &solver {
        Ok(solver) => solver.steps(),
        Err(SolverError::NoTables(steps)) => steps,
        Err(_) => &[],
    };
    // Tables that were given up because of Ctrl-C or a limit are not worth a warning.
    for step in steps.iter().filter(|_| go_on() && !interrupt::asked_to_stop()) {
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
    until: Option<Instant>,
    ready: Mutex<HashMap<Board, Result<Arc<Solver>, NoSolver>>>,
}

/// Why there is no solver for a goal.
#[derive(Clone, Debug)]
pub(crate) enum NoSolver {
    /// The time limit came before the tables were ready.
    TooLate,
    /// The tables, or their names, are wrong; or Ctrl-C came.
    Refused(String),
}

impl fmt::Display for NoSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoSolver::TooLate => "the time limit came before the tables were ready",
            NoSolver::Refused(why) => why,
        })
    }
}

impl<'a> SolversByGoal<'a> {
    /// None yet: how they search, and where their bounds come from.
    pub(crate) fn new(search: Search, bounds: &'a BoundOptions, session: &'a Session) -> SolversByGoal<'a> {
        let (metric, source) = (Metric::Stm, session.source());
        SolversByGoal { search, metric, bounds, source, session, until: None, ready: Mutex::default() }
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

    /// The same, making tables ready only for this long, if a time is given: for a single board, whose time limit includes that.
    pub(crate) fn for_at_most(mut self, time: Option<Duration>) -> SolversByGoal<'a> {
        self.until = time.and_then(|time| Instant::now().checked_add(time));
        self
    }

    /// The limits of a search that begins now.
    pub(crate) fn limits_now(&self, limits: Limits) -> Limits {
        self.until.map_or(limits, |until| limits.time(Some(until.saturating_duration_since(Instant::now()))))
    }

    /// The solver of boards that are to reach a goal, or why there is none.
    pub(crate) fn get(&self, goal: &Board) -> Result<Arc<Solver>, NoSolver> {
        let mut ready = self.ready.lock().expect("no thread panics while it holds the lock");
        ready.entry(*goal).or_insert_with(|| self.open(goal).map(Arc::new)).clone()
    }

    fn open(&self, goal: &Board) -> Result<Solver, NoSolver> {
        let tables = self.bounds.tables();
        let builder = Solver::builder(goal).search(self.search).metric(self.metric).tables(tables);
        let is_late = || self.until.is_some_and(|until| Instant::now() >= until);
        open_while(builder, &self.source, self.session, &|| !is_late()).map_err(|failure| {
            if is_late() && !interrupt::asked_to_stop() {
                NoSolver::TooLate
            } else {
                NoSolver::Refused(failure.to_string())
            }
        })
    }
}
