//! The tables of the goals asked for last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tilebase::{Analyser, Board, Solver, SolverError, TableSource};

/// How many goals are remembered. They share tables that are files, and those in the program; built on the spot, tables take some
/// 20 MB for each goal.
const MOST: usize = 12;

type Place = Arc<OnceLock<Result<Arc<Analyser>, Arc<SolverError>>>>;

/// Lookouts, made when the first board with a goal comes, and forgotten when many other goals have come since.
pub(crate) struct Lookouts {
    pub(crate) source: TableSource,
    /// The goal asked for last comes first.
    recent: Mutex<VecDeque<(Board, Place)>>,
    making: Mutex<()>,
}

impl Lookouts {
    pub(crate) fn new(source: TableSource) -> Lookouts {
        Lookouts { source, recent: Mutex::default(), making: Mutex::default() }
    }

    /// The lookout for a goal. Takes a moment the first time; whoever asks for the same one meanwhile waits for it.
    pub(crate) fn get(&self, goal: &Board) -> Result<Arc<Analyser>, Arc<SolverError>> {
        let place = self.place(goal);
        let make = || {
            // Tables may have to be built, on all threads: one after the other, however many goals are asked for.
            let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            let solver = Solver::builder(goal).source(&self.source).open();
            solver.map(|solver| Arc::new(Analyser::new(solver))).map_err(Arc::new)
        };
        place.get_or_init(make).clone()
    }

    fn place(&self, goal: &Board) -> Place {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let there = recent.iter().position(|(known, _)| known == goal);
        let known = there.and_then(|at| recent.remove(at));
        // What went wrong may have been mended since.
        let known = known.filter(|(_, place)| !matches!(place.get(), Some(Err(_))));
        let entry = known.unwrap_or_else(|| (*goal, Place::default()));
        let place = Arc::clone(&entry.1);
        recent.push_front(entry);
        recent.truncate(MOST);
        place
    }
}
