//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Exit;

/// Whether the command cleans up when it is asked to stop.
static STOPS_WHEN_ASKED: AtomicBool = AtomicBool::new(false);

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the command at once, with the code for that. Without a handler the system would end it, which is
/// the next best thing.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let first = !ASKED_TO_STOP.swap(true, Ordering::Relaxed);
        if !(first && STOPS_WHEN_ASKED.load(Ordering::Relaxed)) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}

/// From now on the first Ctrl-C asks the command to stop and clean up; only a second one ends it at once.
pub(crate) fn stop_when_asked() {
    STOPS_WHEN_ASKED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}
