//! What the answers of a solver rest on: its tables, which have to be whole when an answer goes out, not only when they were opened.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilebase_lookup::{Bytes, OpenError, Table, Verified};
use tilebase_progress::Event;
use tilebase_solve::{Outcome, Request, SolveError};

/// A search that takes longer has its tables verified again beside it: bits that decay on a disk change no time of a file.
const VERIFIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The tables of a solver.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) tables: Vec<Table>,
    /// When the last verification began that found all of them whole.
    verified: Mutex<Option<Instant>>,
}

impl Evidence {
    pub(crate) fn new(tables: Vec<Table>) -> Evidence {
        Evidence { tables, verified: Mutex::default() }
    }

    /// Searches, and hands the outcome on only if the tables are whole in the end. A search that takes long has them verified
    /// beside it, and ends when they are not.
    pub(crate) fn search(
        &self,
        request: &Request<'_>,
        search: impl FnOnce(&Request<'_>) -> Result<Outcome, SolveError>,
    ) -> Result<Outcome, SolveError> {
        self.search_beside(true, request, search)
    }

    /// The same, verifying tables beside a search that takes long, or not.
    pub(crate) fn search_beside(
        &self,
        verifies: bool,
        request: &Request<'_>,
        search: impl FnOnce(&Request<'_>) -> Result<Outcome, SolveError>,
    ) -> Result<Outcome, SolveError> {
        if !self.is_verified() {
            return search(request);
        }
        let started = Instant::now();
        let damage: OnceLock<SolveError> = OnceLock::new();
        let outcome = std::thread::scope(|scope| {
            let verifying = OnceLock::new();
            let watch = |event: &Event<'_>| {
                if verifies && verifying.get().is_none() && started.elapsed() >= VERIFIED_AGAIN_AFTER {
                    verifying.get_or_init(|| {
                        scope.spawn(|| self.verify_since(started).unwrap_or_else(|error| _ = damage.set(error)));
                    });
                }
                if damage.get().is_some() { ControlFlow::Break(()) } else { (request.watch)(event) }
            };
            search(&request.watch(&watch))
        });
        if let Some(damage) = damage.into_inner() {
            return Err(damage);
        }
        if outcome == Err(SolveError::Damaged(None)) {
            // A table has no cost for a board that must have one. Which?
            self.verify_since(Instant::now())?;
        }
        self.confirm()?;
        outcome
    }

    /// Makes sure that the files of the tables are those that were opened, where they were verified.
    pub(crate) fn confirm(&self) -> Result<(), SolveError> {
        if self.is_verified() {
            self.tables.iter().try_for_each(Table::confirm).map_err(damaged)?;
        }
        Ok(())
    }

    /// Whether any table is to be whole. Those that nobody was to verify are not verified behind his back either.
    fn is_verified(&self) -> bool {
        self.tables.iter().any(|table| matches!(table.verified(), Verified::Now | Verified::Earlier))
    }

    /// Compares every byte of every table with its hash, unless another search has had that done since a moment.
    fn verify_since(&self, moment: Instant) -> Result<(), SolveError> {
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.is_some_and(|verified| verified >= moment) {
            return Ok(());
        }
        let began = Instant::now();
        // What was compared with its hash in memory of our own does not change there: once is enough.
        let was_compared = |table: &Table| verified.is_some() || table.verified() == Verified::Now;
        let is_safe = |table: &Table| !matches!(table.bytes(), Bytes::Mapped(_)) && was_compared(table);
        let mut of_files = self.tables.iter().filter(|table| table.path().is_some() && !is_safe(table));
        // What was cut short must not be read.
        let verify = |table: &Table| table.confirm().and_then(|()| table.verify_alone());
        of_files.try_for_each(verify).map_err(damaged)?;
        *verified = Some(began);
        Ok(())
    }
}

pub(crate) fn damaged(error: OpenError) -> SolveError {
    let file = match error {
        OpenError::Io(path, _) | OpenError::OtherTable(path, _) | OpenError::NotWhole(path, _) => Some(path),
        OpenError::Header { path, .. } => path,
        _ => None,
    };
    SolveError::Damaged(file)
}

/// Whether all of some tables were verified, and when: the least that can be said of any.
pub(crate) fn verified(tables: &[Table]) -> &'static str {
    let is_any = |verified| tables.iter().any(|table| table.verified() == verified);
    match (is_any(Verified::Not), is_any(Verified::Earlier)) {
        (true, _) => "no",
        (false, true) => "earlier",
        (false, false) => "now",
    }
}

/// A table that answers rest on, as JSON: its file, its hash, and whether that was verified.
pub(crate) fn evidence_json(table: &Table) -> Value {
    let verified = match table.verified() {
        Verified::Now => "now",
        Verified::Earlier => "earlier",
        Verified::Not => "no",
        Verified::OfProgram => "of the program",
    };
    let header = table.header();
    let file = table.path().map(Path::to_string_lossy);
    json!({ "file": file.unwrap_or(header.file_name().into()), "hash": header.hash_text(), "verified": verified })
}
