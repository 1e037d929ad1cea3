//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Exit;

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks the command to stop and clean up; a second one ends it at once.
pub(crate) fn ask_to_stop() {
    let handler = || {
        if ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    };
    install(handler);
}

/// From now on Ctrl-C ends the command at once, with the code for that. For commands that leave nothing half done.
pub(crate) fn end_at_once() {
    install(|| std::process::exit(Exit::Interrupted.code().into()));
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}

/// Without a handler the system ends the command, which is the next best thing.
fn install(handler: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(handler);
}
