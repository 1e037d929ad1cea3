//! Evidence: the tables on which the answers of a solver depend. They must be intact when an answer is returned, not
//! only when they are opened.
//!
//! If a search takes longer than a second, its tables are verified again while it runs: every byte is compared with its
//! hash. The answer waits for this verification, but only within the limits of the search. The verification stops at
//! the next block (1 MiB) after the time limit, or after the watch cancels. Results from after the first second then
//! depend on tables that have not been verified again, so the answer does not include them:
//!
//! * A solution that would be claimed as shortest, or as within a factor of shortest (a weight), is withheld. The
//!   outcome is the limit instead. A solution without such a claim is returned, because its moves have been replayed on
//!   the board.
//! * A proof that no solution has at most some length is withheld. The outcome is the limit that stopped the
//!   verification.
//! * The lower bound is the one that was proven when the verification began, as if the search had ended then.
//!
//! So a longer search claims no more than a search of one second, unless its tables have been verified again. If a file
//! has changed since it was opened and there is no time left to verify it, nothing is claimed: the lower bound is 0.

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

/// The tables of a search that takes longer than this are verified again. The modification time of a file is not
/// enough, because bits that decay on a disk do not change it.
const VERIFIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How often a search polls its watch while it waits for another search that verifies or copies the same tables.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The end of a search that the caller may interrupt.
#[derive(Debug)]
pub(crate) enum Searched {
    /// The search found its answer, or reached a limit of its request.
    Ended(Outcome),
    /// The caller interrupted the search.
    Interrupted(Limited),
}

/// The tables of a solver, with the state of their verification.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) tables: Vec<Table>,
    /// The time after which a running search has its tables verified again.
    pub(crate) again_after: Duration,
    again: Mutex<Again>,
    /// Notified when a verification has ended.
    ended: Condvar,
}

/// The state of verifications after the one at opening. Locked only to read or change it, never while verifying.
#[derive(Debug, Default)]
struct Again {
    /// The start of the last verification that found all tables intact.
    found_whole: Option<Instant>,
    /// Whether a thread is verifying the tables now.
    is_under_way: bool,
}

/// The watch of a request, extended to cancel at the request's time limit as well.
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

/// The limit that ended a request: its time limit, or else its watch.
pub(crate) fn limit_of(request: &Request<'_>, started: Instant) -> Limit {
    let is_late = request.limits.time.is_some_and(|most| started.elapsed() >= most);
    if is_late { Limit::Time } else { Limit::Cancelled }
}

impl Evidence {
    pub(crate) fn new(tables: Vec<Table>) -> Evidence {
        Evidence { tables, again_after: VERIFIED_AGAIN_AFTER, again: Mutex::default(), ended: Condvar::new() }
    }

    /// Runs a search, and returns its outcome only if the tables are intact at the end. If the search takes longer than
    /// a second, the tables are verified while it runs, and damage ends it early. `root` computes the lower bound of
    /// the board before any search.
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

    /// Like [`search`](Evidence::search), for a search that the caller may interrupt and restart. The search is
    /// interrupted when `is_due` returns true. It is polled only while the search runs; after that, the verification
    /// depends on the request alone. An interrupted search has no answer, so its verification stops.
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
        let reverification = OnceLock::new();
        // The largest lower bound reported before the verification began.
        let proven = AtomicU32::new(0);
        let outcome = thread::scope(|scope| {
            let verify = || {
                self.verify_since(started, &stop).map_or_else(|error| _ = damage.set(error), drop);
            };
            let watch = |event: &Event<'_>| {
                if is_verified && reverification.get().is_none() {
                    if let Event::Searching(searching) = event {
                        proven.fetch_max(searching.bound, Ordering::Relaxed);
                    }
                    if started.elapsed() >= self.again_after {
                        // If the thread cannot start, the tables are verified after the search.
                        reverification.get_or_init(|| drop(spawn_scoped(scope, verify)));
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
            // A search may find its answer at the moment when it should be interrupted. Then it is not interrupted.
            let is_cancelled = matches!(&outcome, Ok(Outcome::Limited(limited)) if limited.limit == Limit::Cancelled);
            is_interrupted.store(is_cancelled && was_due.load(Ordering::Relaxed), Ordering::Relaxed);
            outcome
        });
        if let Some(damage) = damage.into_inner() {
            return Err(damage);
        }
        if is_verified && outcome == Err(SolveError::Damaged(None)) {
            // Some table has no entry for a board that must have one. Verify all tables to find the damaged one.
            self.verify_since(Instant::now(), &stop)?;
        }
        let is_confirmed = self.confirm(&stop)?;
        let outcome = if is_confirmed && (reverification.get().is_none() || self.verify_since(started, &stop)?) {
            outcome?
        } else {
            let limit = limit_of(request, started);
            let proven = || match request.weight {
                _ if !is_confirmed => 0,
                Weight::ONE => proven.into_inner().max(request.at_least).max(root()),
                // The bounds that a weighted search reports are not lower bounds on the length.
                _ => root(),
            };
            without_proof(outcome?, request.weight, limit, proven)
        };
        Ok(match outcome {
            Outcome::Limited(limited) if is_interrupted.into_inner() => Searched::Interrupted(limited),
            outcome => Searched::Ended(outcome),
        })
    }

    /// Confirms that the files of verified tables have not changed since they were opened. A file that has changed is
    /// verified again; returns false if this is cancelled.
    pub(crate) fn confirm(&self, watch: Watch<'_>) -> Result<bool, SolveError> {
        if !self.is_verified() {
            return Ok(true);
        }
        to_the_end(self.tables.iter().try_for_each(|table| table.confirm(watch)))
    }

    /// Whether any table was verified. If the caller opened all tables without verification, a search does not verify
    /// them either.
    fn is_verified(&self) -> bool {
        self.tables.iter().any(|table| matches!(table.verified(), Verified::Now | Verified::Earlier))
    }

    /// Verifies the files of all tables on this thread, unless another search has begun to do so since `moment` and
    /// found them intact. `watch` is polled before each block. Returns false if it cancels.
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
            drop(self.ended.wait_timeout(again, POLL_INTERVAL));
            if watch(&Event::Poll).is_break() {
                return Ok(false);
            }
        };
        let mut guard = VerificationGuard { evidence: self, found_whole: None };
        let began = Instant::now();
        // A table that was read or copied into memory does not change any more. Verifying it once is enough.
        let was_compared = |table: &Table| was_found_whole || table.verified() == Verified::Now;
        let is_safe = |table: &Table| !matches!(table.bytes(), Bytes::Mapped(_)) && was_compared(table);
        let mut of_files = self.tables.iter().filter(|table| table.path().is_some() && !is_safe(table));
        // Confirm first, because reading a map beyond the end of a truncated file would kill the process.
        let verify = |table: &Table| table.confirm(watch).and_then(|()| table.verify_alone(watch));
        let is_done = to_the_end(of_files.try_for_each(verify))?;
        guard.found_whole = is_done.then_some(began);
        Ok(is_done)
    }

    fn again(&self) -> MutexGuard<'_, Again> {
        self.again.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a verification as under way until it is dropped.
struct VerificationGuard<'a> {
    evidence: &'a Evidence,
    /// The start of the verification. `None` until it has found all tables intact.
    found_whole: Option<Instant>,
}

impl Drop for VerificationGuard<'_> {
    fn drop(&mut self) {
        let mut again = self.evidence.again();
        again.is_under_way = false;
        again.found_whole = again.found_whole.max(self.found_whole);
        self.evidence.ended.notify_all();
    }
}

/// Whether a verification is complete: false if it was cancelled. Damage is an error.
fn to_the_end(compared: Result<(), OpenError>) -> Result<bool, SolveError> {
    match compared {
        Ok(()) => Ok(true),
        Err(OpenError::NotWhole(_, VerifyError::Stopped)) => Ok(false),
        Err(error) => Err(damaged(error)),
    }
}

/// The part of an outcome that can be claimed when `limit` stopped the verification of the tables. `proven` is the
/// lower bound that depends only on tables known to be intact.
fn without_proof(outcome: Outcome, weight: Weight, limit: Limit, proven: impl FnOnce() -> u32) -> Outcome {
    match outcome {
        // This solution has no claim about its length.
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

/// Whether and when tables were verified, as text. The weakest answer of all tables counts: "no", then "earlier", then
/// "now".
pub(crate) fn verified(tables: &[Table]) -> &'static str {
    let is_any = |verified| tables.iter().any(|table| table.verified() == verified);
    match (is_any(Verified::Not), is_any(Verified::Earlier)) {
        (true, _) => "no",
        (false, true) => "earlier",
        (false, false) => "now",
    }
}

/// A table on which answers depend, as JSON: its file, its hash, and whether it was verified.
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

    /// The tables of 6-6-3, copied into a directory and mapped. Every search verifies them again.
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

    /// Reports to the watch that every solution has at least `bound` moves.
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
                    // The verification begins at the first report, so the bound of the second one does not count.
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
            // Two reports, but only one attempt to start a thread.
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
                // Give the search time to be recognised as interrupted.
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
        // A search that finds an answer anyway has ended.
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
            // This solution has no claim about its length.
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
        drop(VerificationGuard { evidence: &evidence, found_whole: None });
        assert_eq!(evidence.verify_since(Instant::now(), &unwatched), Ok(true));
    }

    /// Damages a table file in place, as a failing disk or another program may.
    fn damage(evidence: &Evidence) -> PathBuf {
        let path = evidence.tables[1].path().unwrap().to_owned();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[5000] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        path
    }

    // Only on Unix, because other systems prevent writing to a mapped file.
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
