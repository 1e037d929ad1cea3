//! Evidence: the tables that the answers of a solver rest on. They must be whole when an answer is returned, not only when they were opened.
//!
//! The tables of a search that takes longer than a second are compared with their hashes again while it runs. Its answer waits for that, but
//! never beyond the limits of the search: the comparison stops at the next block (1 MiB) after the time limit, or after the watch cancels.
//! What was proven after the first second then rests on tables that have not been compared, and is not claimed:
//!
//! * a solution that would have been called shortest is withheld, and so is one that promises a part of the optimum (a weight); the
//!   outcome is the limit. A solution without a promise is returned: it has been replayed;
//! * a proof that there is no solution of at most some length becomes the limit that cut the comparison short;
//! * the lower bound is the one that was proven when the comparison began, as if the search had ended then.
//!
//! So a search of any length claims no more than a search of a second, unless its tables have been compared meanwhile. When a file
//! has changed since it was opened and there is no time left to compare it, nothing is claimed: the lower bound is 0.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilebase_lookup::{Bytes, OpenError, Table, Verified, VerifyError};
use tilebase_progress::threads::spawn_scoped;
use tilebase_progress::{Event, Watch};
use tilebase_solve::{Limit, Limited, Outcome, Request, SolveError, Weight};

/// The tables of a search that takes longer are verified again while it runs: bits that decay on a disk do not change a file's times.
const VERIFIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// A search that waits for the verification of another one polls its watch this often.
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// How a search ended that may be interrupted.
#[derive(Debug)]
pub(crate) enum Searched {
    /// With its answer, or at a limit of its request.
    Ended(Outcome),
    /// Because it was due to be interrupted.
    Interrupted(Limited),
}

/// The tables of a solver.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) tables: Vec<Table>,
    pub(crate) again_after: Duration,
    again: Mutex<Again>,
    /// Notified when a verification has ended.
    ended: Condvar,
}

/// Verifications after the one when the tables were opened. Locked only to be read or changed, never while tables are verified.
#[derive(Debug, Default)]
struct Again {
    /// When the last one began that found all tables whole.
    found_whole: Option<Instant>,
    is_under_way: bool,
}

/// The watch of a request, which also cancels at the request's time limit.
pub(crate) fn within_limits<'a>(
    request: &Request<'a>,
    started: Instant,
) -> impl Fn(&Event<'_>) -> ControlFlow<()> + Sync + use<'a> {
    let (time, watch) = (request.limits.time, request.watch);
    move |event| match time {
        Some(most) if started.elapsed() >= most => ControlFlow::Break(()),
        _ => watch(event),
    }
}

/// The limit that ended a request.
pub(crate) fn limit_of(request: &Request<'_>, started: Instant) -> Limit {
    let is_late = request.limits.time.is_some_and(|most| started.elapsed() >= most);
    if is_late { Limit::Time } else { Limit::Cancelled }
}

impl Evidence {
    pub(crate) fn new(tables: Vec<Table>) -> Evidence {
        Evidence { tables, again_after: VERIFIED_AGAIN_AFTER, again: Mutex::default(), ended: Condvar::new() }
    }

    /// Searches, and returns the outcome only if the tables are whole at the end. A search that takes longer than a second has them
    /// verified while it runs, and ends early if they are damaged. `root` is the lower bound of the board before any search.
    pub(crate) fn search(
        &self,
        request: &Request<'_>,
        root: impl FnOnce() -> u32,
        search: impl FnOnce(&Request<'_>) -> Result<Outcome, SolveError>,
    ) -> Result<Outcome, SolveError> {
        self.search_until(request, &|| false, root, search).map(|searched| match searched {
            Searched::Ended(outcome) => outcome,
            Searched::Interrupted(limited) => Outcome::Limited(limited),
        })
    }

    /// The same for a search that the caller interrupts in order to begin it again. `is_due` is polled while the search runs, and only
    /// then: once the search has returned, its verification depends on nothing but the request. An interrupted search has no
    /// answer to be verified, so its verification stops.
    pub(crate) fn search_until(
        &self,
        request: &Request<'_>,
        is_due: &(dyn Fn() -> bool + Sync),
        root: impl FnOnce() -> u32,
        search: impl FnOnce(&Request<'_>) -> Result<Outcome, SolveError>,
    ) -> Result<Searched, SolveError> {
        let is_verified = self.is_verified();
        let started = Instant::now();
        let (was_due, is_interrupted) = (AtomicBool::new(false), AtomicBool::new(false));
        let limits = within_limits(request, started);
        let stop = |event: &Event<'_>| {
            if is_interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { limits(event) }
        };
        let damage: OnceLock<SolveError> = OnceLock::new();
        let again = OnceLock::new();
        // The lower bound that was proven when the verification began.
        let proven = AtomicU32::new(0);
        let outcome = thread::scope(|scope| {
            let verify = || {
                self.verify_since(started, &stop).map_or_else(|error| _ = damage.set(error), drop);
            };
            let watch = |event: &Event<'_>| {
                if is_verified && again.get().is_none() {
                    if let Event::Searching(searching) = event {
                        proven.fetch_max(searching.bound, Ordering::Relaxed);
                    }
                    if started.elapsed() >= self.again_after {
                        // If the thread cannot start, the tables are verified after the search.
                        again.get_or_init(|| drop(spawn_scoped(scope, verify)));
                    }
                }
                if damage.get().is_some() {
                    return ControlFlow::Break(());
                }
                (request.watch)(event)?;
                if is_due() {
                    was_due.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            let outcome = search(&request.watch(&watch));
            // A search may find its answer at the moment when it is due to be interrupted.
            let is_cancelled = matches!(&outcome, Ok(Outcome::Limited(limited)) if limited.limit == Limit::Cancelled);
            is_interrupted.store(is_cancelled && was_due.load(Ordering::Relaxed), Ordering::Relaxed);
            outcome
        });
        if let Some(damage) = damage.into_inner() {
            return Err(damage);
        }
        if is_verified && outcome == Err(SolveError::Damaged(None)) {
            // A table has no cost for a board that must have one. Find out which.
            self.verify_since(Instant::now(), &stop)?;
        }
        let is_confirmed = self.confirm(&stop)?;
        let outcome = if is_confirmed && (again.get().is_none() || self.verify_since(started, &stop)?) {
            outcome?
        } else {
            let limit = limit_of(request, started);
            let proven = || match request.weight {
                _ if !is_confirmed => 0,
                Weight::ONE => proven.into_inner().max(request.at_least).max(root()),
                // The bounds of a weighted search are not lower bounds of the length.
                _ => root(),
            };
            without_proof(outcome?, request.weight, limit, proven)
        };
        Ok(match outcome {
            Outcome::Limited(limited) if is_interrupted.into_inner() => Searched::Interrupted(limited),
            outcome => Searched::Ended(outcome),
        })
    }

    /// Confirms that the files of verified tables are those that were opened. Returns false if a file has changed and its comparison with
    /// its hashes is cancelled.
    pub(crate) fn confirm(&self, watch: Watch<'_>) -> Result<bool, SolveError> {
        if !self.is_verified() {
            return Ok(true);
        }
        to_the_end(self.tables.iter().try_for_each(|table| table.confirm(watch)))
    }

    /// Whether any table was verified. Tables that were opened unverified on purpose are not verified later either.
    fn is_verified(&self) -> bool {
        self.tables.iter().any(|table| matches!(table.verified(), Verified::Now | Verified::Earlier))
    }

    /// Compares every byte of every table with its hash, on this thread, unless another search has done so since a moment. `watch` is polled
    /// before each block. Returns false if cancelled.
    fn verify_since(&self, moment: Instant, watch: Watch<'_>) -> Result<bool, SolveError> {
        let was_found_whole = loop {
            let mut again = self.again();
            if again.found_whole.is_some_and(|began| began >= moment) {
                return Ok(true);
            }
            if !again.is_under_way {
                again.is_under_way = true;
                break again.found_whole.is_some();
            }
            drop(self.ended.wait_timeout(again, BETWEEN_LOOKS));
            if watch(&Event::Poll).is_break() {
                return Ok(false);
            }
        };
        let mut turn = Turn { evidence: self, found_whole: None };
        let began = Instant::now();
        // Bytes in memory of our own do not change once they have been compared.
        let was_compared = |table: &Table| was_found_whole || table.verified() == Verified::Now;
        let is_safe = |table: &Table| !matches!(table.bytes(), Bytes::Mapped(_)) && was_compared(table);
        let mut of_files = self.tables.iter().filter(|table| table.path().is_some() && !is_safe(table));
        // Bytes that a file has lost must not be read.
        let verify = |table: &Table| table.confirm(watch).and_then(|()| table.verify_alone(watch));
        let is_done = to_the_end(of_files.try_for_each(verify))?;
        turn.found_whole = is_done.then_some(began);
        Ok(is_done)
    }

    fn again(&self) -> MutexGuard<'_, Again> {
        self.again.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A verification under way, until it is dropped.
struct Turn<'a> {
    evidence: &'a Evidence,
    /// When it began, once it has found all tables whole.
    found_whole: Option<Instant>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut again = self.evidence.again();
        again.is_under_way = false;
        again.found_whole = again.found_whole.max(self.found_whole);
        self.evidence.ended.notify_all();
    }
}

/// Whether a comparison with hashes is complete. False if it was cancelled; damage is an error.
fn to_the_end(compared: Result<(), OpenError>) -> Result<bool, SolveError> {
    match compared {
        Ok(()) => Ok(true),
        Err(OpenError::NotWhole(_, VerifyError::Stopped)) => Ok(false),
        Err(error) => Err(damaged(error)),
    }
}

/// What can be claimed of an outcome if `proven` is the lower bound that rests on tables known to be whole, and a limit cut their comparison
/// short.
fn without_proof(outcome: Outcome, weight: Weight, limit: Limit, proven: impl FnOnce() -> u32) -> Outcome {
    match outcome {
        // It promises nothing about the length.
        Outcome::Solved(solved) if !solved.optimal && weight == Weight::ONE => Outcome::Solved(solved),
        Outcome::Solved(solved) => {
            Outcome::Limited(Limited { limit, at_least: solved.length.min(proven()), effort: solved.effort })
        }
        Outcome::Limited(limited) => {
            let limit = if limited.limit == Limit::Length { limit } else { limited.limit };
            Outcome::Limited(Limited { limit, at_least: limited.at_least.min(proven()), ..limited })
        }
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

/// Whether and when some tables were verified: the weakest answer of all tables.
pub(crate) fn verified(tables: &[Table]) -> &'static str {
    let is_any = |verified| tables.iter().any(|table| table.verified() == verified);
    match (is_any(Verified::Not), is_any(Verified::Earlier)) {
        (true, _) => "no",
        (false, true) => "earlier",
        (false, false) => "now",
    }
}

/// A table that answers rest on, as JSON: its file, its hash, and whether it was verified.
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::AtomicUsize;

    use tilebase_format::layout::BLOCK_LEN;
    use tilebase_lookup::{Loading, Store};
    use tilebase_progress::threads::refusing;
    use tilebase_progress::{Searching, unwatched};
    use tilebase_puzzle::Catalogue;
    use tilebase_solve::{Effort, Limits, Solved};

    use super::*;

    /// The mapped tables of 6-6-3 in a directory, of which every search is verified again.
    #[allow(unsafe_code)]
    fn evidence(directory: &Path) -> Evidence {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
        for entry in std::fs::read_dir(shipped).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), directory.join(entry.file_name())).unwrap();
        }
        // SAFETY: the tests read nothing through a map whose file they have cut short.
        let store = unsafe { Store::new(vec![directory.to_owned()]).allow_mapping([directory.to_owned()]) };
        let store = store.with_loading(Loading::Map);
        let patterns = Catalogue::known("6-6-3").unwrap().patterns();
        let tables = patterns.iter().map(|pattern| store.find_verified(pattern, &unwatched).unwrap().unwrap());
        Evidence { again_after: Duration::ZERO, ..Evidence::new(tables.collect()) }
    }

    fn blocks(evidence: &Evidence) -> usize {
        evidence.tables.iter().map(|table| table.payload().len().div_ceil(BLOCK_LEN)).sum()
    }

    fn solved(length: u32, optimal: bool) -> Outcome {
        Outcome::Solved(Solved { length, solutions: vec![Vec::new()], count: 1, optimal, effort: Effort::default() })
    }

    fn limited(limit: Limit, at_least: u32) -> Outcome {
        Outcome::Limited(Limited { limit, at_least, effort: Effort::default() })
    }

    /// Tells that all solutions of fewer moves are ruled out.
    fn tell(request: &Request<'_>, bound: u32) {
        let (time, done) = (Duration::ZERO, &[]);
        let searching =
            Searching { bound, generated: 1, generated_in_bound: 1, time, units_done: 0, units: 0, of_before: 0, done };
        let _ = (request.watch)(&Event::Searching(&searching));
    }

    #[test]
    fn an_answer_waits_until_every_block_has_been_compared_and_each_is_asked_for() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        let searching = thread::current().id();
        let asked = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            asked.fetch_add(usize::from(thread::current().id() != searching), Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let answer = evidence.search(
            &Request::default().watch(&watch),
            || unreachable!(),
            |request| {
                tell(request, 5);
                Ok(solved(9, true))
            },
        );
        assert_eq!(answer, Ok(solved(9, true)));
        assert_eq!(asked.into_inner(), blocks(&evidence));
    }

    #[test]
    fn a_comparison_stops_at_the_next_block_when_cancelled_and_nothing_is_called_shortest() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        assert!(blocks(&evidence) > 3);
        let searching = thread::current().id();
        let outcomes =
            [solved(9, true), limited(Limit::Length, 9), limited(Limit::Nodes, 9), limited(Limit::Cancelled, 9)];
        for outcome in outcomes {
            let (asked, is_cancelled) = (AtomicUsize::new(0), AtomicBool::new(false));
            let watch = |_: &Event<'_>| {
                let is_other = thread::current().id() != searching;
                if is_other && asked.fetch_add(1, Ordering::Relaxed) + 1 == 3 {
                    is_cancelled.store(true, Ordering::Relaxed);
                }
                if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let answer = evidence.search(
                &Request::default().watch(&watch),
                || 4,
                |request| {
                    // The verification begins with the first word, and what is proven later does not count.
                    tell(request, 7);
                    tell(request, 9);
                    Ok(outcome.clone())
                },
            );
            let limit = if outcome == limited(Limit::Nodes, 9) { Limit::Nodes } else { Limit::Cancelled };
            assert_eq!(answer, Ok(limited(limit, 7)), "{outcome:?}");
            assert_eq!(asked.into_inner(), 3, "two blocks were compared");
        }
    }

    #[test]
    fn without_a_thread_the_tables_are_verified_after_the_search() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        let searching = thread::current().id();
        let (is_over, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
        let watch = |event: &Event<'_>| {
            assert_eq!(thread::current().id(), searching);
            assert_eq!(is_over.load(Ordering::Relaxed), matches!(event, Event::Poll));
            asked.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let search = |request: &Request<'_>| {
            // It asks for a thread once.
            tell(request, 5);
            tell(request, 7);
            is_over.store(true, Ordering::Relaxed);
            Ok(solved(9, true))
        };
        let request = Request::default().watch(&watch);
        let (answer, threads) = refusing(|_| true, || evidence.search(&request, || unreachable!(), search));
        assert_eq!((answer, threads), (Ok(solved(9, true)), 1));
        assert_eq!(asked.into_inner(), 2 + blocks(&evidence), "every block is compared");
        if cfg!(unix) {
            let path = damage(&evidence);
            is_over.store(false, Ordering::Relaxed);
            let (answer, _) = refusing(|_| true, || evidence.search(&Request::default(), || 4, search));
            assert_eq!(answer, Err(SolveError::Damaged(Some(path))));
        }
    }

    #[test]
    fn an_interrupted_search_is_not_verified_to_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        let searching = thread::current().id();
        let (is_over, compared) = (AtomicBool::new(false), AtomicUsize::new(0));
        let watch = |_: &Event<'_>| {
            if thread::current().id() != searching {
                compared.fetch_add(1, Ordering::Relaxed);
                let started = Instant::now();
                while !is_over.load(Ordering::Relaxed) && started.elapsed() < Duration::from_secs(60) {
                    thread::sleep(Duration::from_millis(1));
                }
                // By now the search has been found to be interrupted.
                thread::sleep(Duration::from_millis(100));
            }
            ControlFlow::Continue(())
        };
        let request = Request::default().watch(&watch);
        let search = |request: &Request<'_>| {
            assert!((request.watch)(&Event::Poll).is_break(), "it is due");
            is_over.store(true, Ordering::Relaxed);
            Ok(limited(Limit::Cancelled, 9))
        };
        let searched = evidence.search_until(&request, &|| true, || 4, search).unwrap();
        assert!(matches!(searched, Searched::Interrupted(Limited { limit: Limit::Cancelled, at_least: 4, .. })));
        assert!(compared.into_inner() < blocks(&evidence));
        // What it found all the same is its answer.
        let found = |request: &Request<'_>| {
            let _ = (request.watch)(&Event::Poll);
            Ok(solved(9, true))
        };
        let searched = evidence.search_until(&Request::default(), &|| true, || 4, found).unwrap();
        assert!(matches!(searched, Searched::Ended(outcome) if outcome == solved(9, true)));
    }

    #[test]
    fn no_block_is_compared_after_the_time_limit() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        let request = Request::default().limits(Limits::default().time(Duration::ZERO));
        let search = |request: &Request<'_>, outcome: &Outcome| {
            tell(request, 6);
            Ok(outcome.clone())
        };
        for (outcome, expected) in [
            (solved(9, true), limited(Limit::Time, 6)),
            // It promises nothing.
            (solved(9, false), solved(9, false)),
            (limited(Limit::Time, 9), limited(Limit::Time, 6)),
            (limited(Limit::Time, 3), limited(Limit::Time, 3)),
        ] {
            let answer = evidence.search(&request, || 4, |request| search(request, &outcome));
            assert_eq!(answer, Ok(expected), "{outcome:?}");
        }
        let weighted = request.weight(Weight::new(3, 2).unwrap());
        let answer = evidence.search(&weighted, || 4, |request| search(request, &solved(9, false)));
        assert_eq!(answer, Ok(limited(Limit::Time, 4)), "bounds of a weighted search are not bounds of the length");
    }

    #[test]
    fn a_search_that_is_over_before_that_claims_what_it_found() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = Evidence { again_after: Duration::MAX, ..evidence(directory.path()) };
        let request = Request::default().limits(Limits::default().time(Duration::ZERO));
        let answer = evidence.search(&request, || 4, |_| Ok(solved(9, true)));
        assert_eq!(answer, Ok(solved(9, true)));
    }

    #[test]
    fn a_search_that_waits_for_the_verification_of_another_one_can_stop() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        evidence.again().is_under_way = true;
        let asked = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            let is_third = asked.fetch_add(1, Ordering::Relaxed) + 1 == 3;
            if is_third { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(evidence.verify_since(Instant::now(), &watch), Ok(false));
        assert_eq!(asked.into_inner(), 3);
        let moment = Instant::now();
        evidence.again().found_whole = Some(moment);
        assert_eq!(
            evidence.verify_since(moment, &|_| ControlFlow::Break(())),
            Ok(true),
            "the other one found them whole"
        );
        drop(Turn { evidence: &evidence, found_whole: None });
        assert_eq!(evidence.verify_since(Instant::now(), &unwatched), Ok(true));
    }

    /// Damages a table where it is, as a disk or another program may.
    fn damage(evidence: &Evidence) -> PathBuf {
        let path = evidence.tables[1].path().unwrap().to_owned();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[5000] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        path
    }

    // Elsewhere the system lets no program write to a file that is mapped.
    #[test]
    #[cfg(unix)]
    fn nothing_is_claimed_of_a_file_that_has_changed_and_could_not_be_compared() {
        let directory = tempfile::tempdir().unwrap();
        let evidence = evidence(directory.path());
        let path = damage(&evidence);
        let late = Request::default().limits(Limits::default().time(Duration::ZERO));
        let search = |request: &Request<'_>| {
            tell(request, 6);
            Ok(solved(9, true))
        };
        assert_eq!(evidence.search(&late, || 4, search), Ok(limited(Limit::Time, 0)));
        let answer = evidence.search(&Request::default(), || 4, search);
        assert_eq!(answer, Err(SolveError::Damaged(Some(path))));
    }
}
