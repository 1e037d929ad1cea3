//! Threads that may not start.
//!
//! A system can refuse a thread: a limit of processes (`ulimit -u`), a container, no memory for another stack.
//! `std::thread::spawn` panics then, and so does rayon. The functions here continue with the threads that started, even
//! if that is only the calling one. All threads of the library start here; `tests/tests/it/architecture.rs` checks that.
//!
//! [`tell_of_shortage`] lets a front end report that fewer threads work than were wanted.

#[cfg(feature = "threads")]
mod pool;
mod shortage;

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope, sleep};
use std::time::Duration;

#[cfg(feature = "threads")]
pub use pool::{on_pool, prepare_pool, start_pool};
pub use shortage::{ThreadShortage, report_shortage, tell_of_shortage};

/// Does the same work on up to this many threads, this one among them, and returns the results in no particular order.
///
/// The work must be complete when all threads that started have returned, however few they are: threads take what is
/// left from a common place. It is not generic over the work, so that it is compiled once for each result.
///
/// # Panics
/// When the work panics on any thread, after all threads have ended.
pub fn on_threads<T: Send>(threads: usize, work: &(dyn Fn() -> T + Sync)) -> Vec<T> {
    on_threads_that_start(threads, work, &|_| {})
}

/// The same for threads that wait for one another: `missing` gets the number of threads that cannot start, if any, before this
/// thread begins to work.
///
/// # Panics
/// As [`on_threads`].
pub fn on_threads_that_start<T: Send>(
    threads: usize,
    work: &(dyn Fn() -> T + Sync),
    missing: &dyn Fn(usize),
) -> Vec<T> {
    scope(|scope| {
        let mut others = Vec::new();
        while others.len() + 1 < threads {
            // The system has refused one. It would most likely refuse the next one as well.
            let Ok(other) = spawn_scoped(scope, work) else { break };
            others.push(other);
        }
        let started = others.len() + 1;
        if started < threads {
            report_shortage(ThreadShortage { wanted: threads, started });
            missing(threads - started);
        }
        let mut results = vec![work()];
        results.extend(others.into_iter().map(join));
        results
    })
}

/// Starts a thread of a scope, or returns the work if the thread cannot start.
pub fn spawn_scoped<'scope, T, F>(scope: &'scope Scope<'scope, '_>, work: F) -> Result<ScopedJoinHandle<'scope, T>, F>
where
    T: Send + 'scope,
    F: FnOnce() -> T + Send + 'scope,
{
    started(work, |work| Builder::new().spawn_scoped(scope, work))
}

/// Starts a detached thread, or returns the work if the thread cannot start.
pub fn spawn<F: FnOnce() + Send + 'static>(name: &str, work: F) -> Result<(), F> {
    started(work, |work| Builder::new().name(name.to_owned()).spawn(work).map(drop))
}

/// The result of a thread.
///
/// # Panics
/// When the thread panicked, with the same message.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// A thread that has been joined may count for a moment longer, in which the system refuses another one.
const MOMENT: Duration = Duration::from_millis(1);

/// Starts a thread by `start`. The standard library drops the work of a thread that does not start, so the thread takes it from
/// a place that this function can look into.
fn started<'scope, T: 'scope, H, F: FnOnce() -> T + Send + 'scope>(
    work: F,
    start: impl Fn(Box<dyn FnOnce() -> T + Send + 'scope>) -> io::Result<H>,
) -> Result<H, F> {
    let refusals = REFUSALS.with_borrow(Clone::clone);
    if refusals.as_ref().is_some_and(|refusals| refusals.refuse_next()) {
        return Err(work);
    }
    let place = Arc::new(Mutex::new(Some(work)));
    let take = |place: &Mutex<Option<F>>| place.lock().unwrap_or_else(PoisonError::into_inner).take();
    let start = || {
        let (place, refusals) = (Arc::clone(&place), refusals.clone());
        start(Box::new(move || {
            REFUSALS.set(refusals);
            take(&place).expect("only a thread that did not start leaves its work")()
        }))
    };
    let again = |error: io::Error| {
        if error.kind() != ErrorKind::WouldBlock {
            return Err(error);
        }
        sleep(MOMENT);
        start()
    };
    start().or_else(again).map_err(|_| take(&place).expect("no thread has started that could take the work"))
}

thread_local! {
    /// The threads that tests want refused; every thread that starts here inherits it.
    static REFUSALS: RefCell<Option<Arc<Refusals>>> = const { RefCell::new(None) };
}

struct Refusals {
    asked: AtomicUsize,
    refuses: Box<dyn Fn(usize) -> bool + Send + Sync>,
}

impl Refusals {
    fn refuse_next(&self) -> bool {
        (self.refuses)(self.asked.fetch_add(1, Ordering::Relaxed))
    }
}

/// For tests: does some work while threads cannot start, on this thread and those that it starts. Threads are numbered from 0, in the
/// order in which they are asked for. Returns the result and the number of threads asked for.
#[doc(hidden)]
pub fn refusing<R>(refuses: impl Fn(usize) -> bool + Send + Sync + 'static, work: impl FnOnce() -> R) -> (R, usize) {
    let refusals = Arc::new(Refusals { asked: AtomicUsize::new(0), refuses: Box::new(refuses) });
    let before = REFUSALS.replace(Some(Arc::clone(&refusals)));
    let result = work();
    REFUSALS.set(before);
    (result, refusals.asked.load(Ordering::Relaxed))
}

/// For tests: does some work with all its threads, then without the first, the second, the last, and any thread. Each time `check` gets the
/// result. Returns the number of threads that the work asks for when all start.
#[doc(hidden)]
pub fn without_each_thread<R>(mut work: impl FnMut() -> R, mut check: impl FnMut(R, &str)) -> usize {
    let (result, asked) = refusing(|_| false, &mut work);
    check(result, "all threads start");
    for refused in [0, 1, asked.saturating_sub(1)] {
        check(refusing(move |number| number == refused, &mut work).0, &format!("thread {refused} does not start"));
    }
    check(refusing(|_| true, &mut work).0, "no thread starts");
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_by_the_threads_that_start() {
        for (refused, started) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
            let missing = AtomicUsize::new(0);
            let work = || on_threads_that_start(4, &|| 1, &|threads| missing.store(threads, Ordering::Relaxed));
            let (results, asked) = refusing(move |number| number == refused, work);
            assert_eq!((results.len(), asked), (started, 3.min(refused + 1)), "without thread {refused}");
            assert_eq!(missing.into_inner(), 4 - started);
        }
        assert_eq!(on_threads(0, &|| 5), [5]);
    }

    #[test]
    fn work_that_is_refused_comes_back_and_threads_inherit_refusals() {
        let text = String::from("work");
        let (back, _) =
            refusing(|_| true, || scope(|scope| spawn_scoped(scope, move || text).map(join).map_err(|work| work())));
        assert_eq!(back, Err("work".to_owned()));
        let nested = || on_threads(2, &|| on_threads(2, &|| ()).len());
        let (mut results, asked) = refusing(|number| number > 0, nested);
        results.sort_unstable();
        assert_eq!((results, asked), (vec![1, 1], 3));
    }

    #[test]
    #[should_panic(expected = "a worker's panic")]
    fn a_panic_of_another_thread_is_passed_on() {
        let here = std::thread::current().id();
        on_threads(2, &|| assert!(std::thread::current().id() == here, "a worker's panic"));
    }
}
