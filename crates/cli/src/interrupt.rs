//! Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Exit;

/// Whether the command cleans up when it is asked to stop.
static STOPS_WHEN_ASKED: AtomicBool = AtomicBool::new(false);

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// Whether a file is being written that has to be finished or removed.
static WRITING: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the command at once, with the code for that, leaving no half-written file. Without a handler the system would end it, which is
/// the next best thing.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let first = !ASKED_TO_STOP.swap(true, Ordering::Relaxed);
        let will_stop = first && STOPS_WHEN_ASKED.load(Ordering::Relaxed);
        if !will_stop && !WRITING.load(Ordering::Relaxed) {
            tilebase::format::abandon_drafts();
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}

/// From now on the first Ctrl-C asks the command to stop and clean up; only a second one ends it at once.
pub(crate) fn stop_when_asked() {
    STOPS_WHEN_ASKED.store(true, Ordering::Relaxed);
}

/// Writes a file; meanwhile no Ctrl-C ends the command, so that nothing is left half written.
pub(crate) fn writing<T>(write: impl FnOnce() -> T) -> T {
    WRITING.store(true, Ordering::Relaxed);
    let written = write();
    WRITING.store(false, Ordering::Relaxed);
    written
}

pub(crate) fn asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}

/// What long work is told: to go on, unless Ctrl-C was pressed.
pub(crate) fn go_on() -> ControlFlow<()> {
    if asked_to_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
