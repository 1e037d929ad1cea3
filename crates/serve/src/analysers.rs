//! The analysers of the goals asked for last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tilebase::{Analyser, Board, Solver, SolverError, TableSource};

/// How many goals are remembered. They share tables that are files, and those in the program; built on the spot, tables take some
/// 20 MB for each goal.
const MOST: usize = 12;

type Entry = Arc<OnceLock<Result<Arc<Analyser>, Arc<SolverError>>>>;

/// Analysers, made when the first board with a goal comes, and forgotten when many other goals have come since.
pub(crate) struct AnalyserCache {
    pub(crate) source: TableSource,
    /// The goal asked for last comes first.
    recent: Mutex<VecDeque<(Board, Entry)>>,
    making: Mutex<()>,
}

impl AnalyserCache {
    pub(crate) fn new(source: TableSource) -> AnalyserCache {
        AnalyserCache { source, recent: Mutex::default(), making: Mutex::default() }
    }

    /// The analyser for a goal. Takes a moment the first time; whoever asks for the same one meanwhile waits for it.
    pub(crate) fn get(&self, goal: &Board) -> Result<Arc<Analyser>, Arc<SolverError>> {
        let entry = self.entry(goal);
        let make = || {
            // Tables may have to be built, on all threads: one after the other, however many goals are asked for.
            let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            let solver = Solver::builder(goal).source(&self.source).open();
            solver.map(|solver| Arc::new(Analyser::new(solver))).map_err(Arc::new)
        };
        entry.get_or_init(make).clone()
    }

    /// Whether the analyser for a goal is there, so that nobody waits for it.
    pub(crate) fn is_ready(&self, goal: &Board) -> bool {
        self.entry(goal).get().is_some()
    }

    /// Forgets the analyser for a goal: whoever asks next has its tables looked for and verified again.
    pub(crate) fn forget(&self, goal: &Board) {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _)| known != goal);
    }

    fn entry(&self, goal: &Board) -> Entry {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let there = recent.iter().position(|(known, _)| known == goal);
        let known = there.and_then(|at| recent.remove(at));
        // What went wrong may have been mended since.
        let known = known.filter(|(_, entry)| !matches!(entry.get(), Some(Err(_))));
        let (goal, entry) = known.unwrap_or_else(|| (*goal, Entry::default()));
        recent.push_front((goal, Arc::clone(&entry)));
        recent.truncate(MOST);
        entry
    }
}
