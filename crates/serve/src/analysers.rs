//! The analysers of the goals asked for last.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;
use tilebase_answer::{Chosen, Lookout};
use tilebase_puzzle::{Board, Frame};

/// How many goals are remembered. They share tables that are files, and those in the program; built on the spot, tables take some
/// 20 MB for each goal.
const MOST: usize = 12;

/// Whoever has tables.
pub trait Tables: Send + Sync + 'static {
    /// The strongest tables for boards of a frame, as for `tilebase solve --tables auto`.
    ///
    /// # Errors
    /// Why there are none.
    fn strongest(&self, frame: &Frame) -> Result<Chosen, Box<dyn Error + Send + Sync>>;

    /// What tables are there, as JSON.
    fn list(&self) -> Value;
}

/// An analyser, or why there is none; those who wait for it share it.
type Made = Result<Arc<Lookout>, Arc<dyn Error + Send + Sync>>;

type Entry = Arc<OnceLock<Made>>;

/// Analysers, made when the first board with a goal comes, and forgotten when many other goals have come since.
pub(crate) struct AnalyserCache {
    pub(crate) tables: Box<dyn Tables>,
    /// The goal asked for last comes first.
    recent: Mutex<VecDeque<(Board, Entry)>>,
    making: Mutex<()>,
}

impl AnalyserCache {
    pub(crate) fn new(tables: impl Tables) -> AnalyserCache {
        AnalyserCache { tables: Box::new(tables), recent: Mutex::default(), making: Mutex::default() }
    }

    /// The analyser for a goal. Takes a moment the first time; whoever asks for the same one meanwhile waits for it.
    pub(crate) fn get(&self, goal: &Board) -> Made {
        let entry = self.entry(goal);
        let make = || {
            // Tables may have to be built, on all threads: one after the other, however many goals are asked for.
            let _turn = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            let chosen = self.tables.strongest(&Frame::new(goal))?;
            Ok(Arc::new(Lookout::new(chosen)))
        };
        entry.get_or_init(make).clone()
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
