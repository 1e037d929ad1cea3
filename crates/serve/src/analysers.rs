//! The analysers of the puzzles asked for last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tilebase::{Analyser, Board, Metric, Solver, SolverError, TableSource};

/// How many puzzles are remembered. They share tables that are files, and those in the program; built on the spot, tables take some
/// 20 MB for each goal.
const MOST: usize = 12;

/// What boards are to become, and what counts as one move on the way there. Each has tables of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Puzzle {
    pub(crate) goal: Board,
    pub(crate) metric: Metric,
}

type Entry = Arc<OnceLock<Result<Arc<Analyser>, Arc<SolverError>>>>;

/// Analysers, made when the first board of a puzzle comes, and forgotten when many other puzzles have come since.
pub(crate) struct AnalyserCache {
    pub(crate) source: TableSource,
    /// The puzzle asked for last comes first.
    recent: Mutex<VecDeque<(Puzzle, Entry)>>,
    making: Mutex<()>,
}

impl AnalyserCache {
    pub(crate) fn new(source: TableSource) -> AnalyserCache {
        AnalyserCache { source, recent: Mutex::default(), making: Mutex::default() }
    }

    /// The analyser for a puzzle. Takes a moment the first time; whoever asks for the same one meanwhile waits for it.
    pub(crate) fn get(&self, puzzle: &Puzzle) -> Result<Arc<Analyser>, Arc<SolverError>> {
        let entry = self.entry(puzzle);
        let make = || {
            // Tables may have to be built, on all threads: one after the other, however many puzzles are asked for.
            let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            let solver = Solver::builder(&puzzle.goal).metric(puzzle.metric).source(&self.source).open();
            solver.map(|solver| Arc::new(Analyser::new(solver))).map_err(Arc::new)
        };
        entry.get_or_init(make).clone()
    }

    /// Whether the analyser for a puzzle is there, so that nobody waits for it.
    pub(crate) fn is_ready(&self, puzzle: &Puzzle) -> bool {
        self.entry(puzzle).get().is_some()
    }

    /// Forgets the analyser for a puzzle: whoever asks next has its tables looked for and verified again.
    pub(crate) fn forget(&self, puzzle: &Puzzle) {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _)| known != puzzle);
    }

    fn entry(&self, puzzle: &Puzzle) -> Entry {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let there = recent.iter().position(|(known, _)| known == puzzle);
        let known = there.and_then(|at| recent.remove(at));
        // What went wrong may have been mended since.
        let known = known.filter(|(_, entry)| !matches!(entry.get(), Some(Err(_))));
        let (puzzle, entry) = known.unwrap_or_else(|| (*puzzle, Entry::default()));
        recent.push_front((puzzle, Arc::clone(&entry)));
        recent.truncate(MOST);
        entry
    }
}
