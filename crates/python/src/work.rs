//! Long work, while Python goes on: the interpreter is released, Ctrl-C is heard, progress is shown.
//!
//! The work runs on threads of its own. The thread that called waits for it, looks for signals every 50 ms, and tells how far it is. No
//! thread is needed after its call, so that nothing is missing in a process that forks between two calls. One that forks while
//! a call is at work may have lost whatever that one held, and refuses to work.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tilebase::progress::threads::{on_pool, spawn_scoped};
use tilebase::{Event, Watch};

/// How often the thread that waits looks for signals and tells of progress.
const LOOK: Duration = Duration::from_millis(50);

/// How many calls are at work.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Whether this process was forked while a call was at work.
static WAS_AT_WORK: AtomicBool = AtomicBool::new(false);

/// What is called in the child after a fork.
#[pyfunction]
pub(crate) fn _after_fork() {
    if CALLS.load(Ordering::Relaxed) > 0 {
        WAS_AT_WORK.store(true, Ordering::Relaxed);
    }
}

/// A call that is at work.
struct Call(());

impl Call {
    fn begin() -> PyResult<Call> {
        if WAS_AT_WORK.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err(
                "this process was forked while another thread was at work in tilebase, or tilebase itself called what forked: what \
                 was held then is lost here; fork between two calls, or start processes by multiprocessing's \"spawn\"",
            ));
        }
        CALLS.fetch_add(1, Ordering::Relaxed);
        Ok(Call(()))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How far work is, told from any of its threads.
struct Progress {
    what: Mutex<String>,
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    fn new(what: &str, total: u64) -> Progress {
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        Progress { what: Mutex::new(what.to_owned()), done, total: AtomicU64::new(total), stop }
    }

    fn follow(&self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Begin { what, total } => {
                (*what).clone_into(&mut self.what.lock().unwrap_or_else(PoisonError::into_inner));
                self.total.store(*total, Ordering::Relaxed);
                self.done.store(0, Ordering::Relaxed);
            }
            Event::Advance(more) => _ = self.done.fetch_add(*more, Ordering::Relaxed),
            Event::Level(level) => {
                let done = (level.work_done() * level.total as f64) as u64;
                self.total.store(level.total, Ordering::Relaxed);
                self.done.fetch_max(done, Ordering::Relaxed);
            }
            _ => {}
        }
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tell(&self, bar: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(bar) = bar else { return Ok(()) };
        let what = self.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        bar.call_method1("update", (what, done.min(total), total)).map(drop)
    }
}

/// Does work that takes no longer than a few milliseconds, on this thread, without the interpreter.
pub(crate) fn briefly<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let _call = Call::begin()?;
    Ok(py.detach(work))
}

/// Does work that may take long: `work` gets a watch that it has to obey. Rayon's threads are this many, of a pool of its own, if
/// that is said. `progress` is what the caller of Python gave: True, a function, or nothing.
///
/// # Errors
/// What a signal's handler raised, such as `KeyboardInterrupt`, or the function that is told of progress.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (what, total): (&str, u64),
    threads: Option<usize>,
    work: impl FnOnce(Watch<'_>) -> T + Send,
) -> PyResult<T> {
    let _call = Call::begin()?;
    let bar = progress.map(|progress| py.import("tilebase._progress")?.call_method1("bar", (progress,))).transpose()?;
    let bar = bar.filter(|bar| !bar.is_none()).map(Bound::unbind);
    let state = Progress::new(what, total);
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            let state = &state;
            let worker = spawn_scoped(scope, move || {
                let watch = |event: &Event<'_>| state.follow(event);
                let done = catch_unwind(AssertUnwindSafe(|| match threads {
                    Some(threads) => on_pool(threads, || work(&watch)),
                    None => work(&watch),
                }));
                // Whoever waits is there as long as this thread is.
                let _ = tell.send(done);
            });
            if let Err(work) = worker {
                // No thread can start: this one does the work, and Python looks for signals after it.
                work();
            }
            let mut raised = None;
            loop {
                match told.recv_timeout(LOOK) {
                    Ok(Ok(done)) => return raised.map_or(Ok(done), Err),
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    Err(RecvTimeoutError::Disconnected) => unreachable!("the worker tells how it ended"),
                    // The first error counts; whatever comes while the work stops is of no interest.
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        let looked = Python::attach(|py| {
                            py.check_signals()?;
                            state.tell(bar.as_ref().map(|bar| bar.bind(py)))
                        });
                        raised = looked.err();
                        state.stop.store(raised.is_some(), Ordering::Relaxed);
                    }
                }
            }
        })
    });
    if let Some(bar) = bar.as_ref().map(|bar| bar.bind(py)) {
        let told = if done.is_ok() { state.tell(Some(bar)) } else { Ok(()) };
        let closed = bar.call_method0("close").map(drop);
        return done.and_then(|done| told.and(closed).map(|()| done));
    }
    done
}

/// How many threads are to work: as many as were asked for, or one for each core.
pub(crate) fn threads(asked: Option<usize>) -> PyResult<usize> {
    match asked {
        Some(0) => Err(crate::errors::bad_input("threads is 0: expected 1 or more, or None for one on each core")),
        // More would only be in each other's way, and no system has as many.
        Some(asked) => Ok(asked.min(1024)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}
