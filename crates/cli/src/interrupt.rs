//! Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::{Exit, process};

/// Whether the command cleans up when it is asked to stop.
static STOPS_WHEN_ASKED: AtomicBool = AtomicBool::new(false);

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// How many answers are being worked on that can be told as far as they are known.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// Whether a file is being written that has to be finished or removed.
static WRITING: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the command at once, with the code for that, leaving no half-written file. Without a handler the system would end it, which is
/// the next best thing. Where no thread can wait for Ctrl-C, half-written files are left for the next command to remove. A file that reaches the limit of the size of files (`ulimit -f`) is an error instead of the end.
pub fn install() {
    process::survive_size_limits();
    let installed = ctrlc::set_handler(|| {
        if ends_at_once() {
            tilebase::format::abandon_drafts();
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    if let Err(ctrlc::Error::System(_)) = installed {
        // The thread that waits for signals cannot start. By now they are caught for it, and would be lost.
        process::end_at_signals(ends_at_once, Exit::Interrupted.code());
    }
}

/// Notes that the command is asked to stop. Returns whether it cannot, and must end at once. A handler of a signal may call it.
fn ends_at_once() -> bool {
    let first = !ASKED_TO_STOP.swap(true, Ordering::Relaxed);
    let stops = STOPS_WHEN_ASKED.load(Ordering::Relaxed) || UNDER_WAY.load(Ordering::Relaxed) > 0;
    let will_stop = first && stops;
    !will_stop && !WRITING.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C asks the command to stop and clean up; only a second one ends it at once.
pub fn stop_when_asked() {
    STOPS_WHEN_ASKED.store(true, Ordering::Relaxed);
}

/// An answer that is being worked on, until it has been told. While there is one, the first Ctrl-C asks the command to tell what is
/// known so far; only a second one ends it at once.
#[derive(Debug)]
pub(crate) struct UnderWay(());

impl UnderWay {
    pub(crate) fn new() -> UnderWay {
        UNDER_WAY.fetch_add(1, Ordering::Relaxed);
        UnderWay(())
    }

    /// The answer has been told. When Ctrl-C was pressed and it was the last one, the command ends: another thread may wait for input
    /// that never comes.
    pub(crate) fn told(self, clear: impl FnOnce()) {
        drop(self);
        if asked_to_stop() && UNDER_WAY.load(Ordering::Relaxed) == 0 {
            clear();
            std::process::exit(Exit::Interrupted.code().into());
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Writes a file; meanwhile no Ctrl-C ends the command, so that nothing is left half written.
pub fn writing<T>(write: impl FnOnce() -> T) -> T {
    WRITING.store(true, Ordering::Relaxed);
    let written = write();
    WRITING.store(false, Ordering::Relaxed);
    written
}

/// Whether Ctrl-C was pressed.
pub fn asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}

/// What long work is told: to go on, unless Ctrl-C was pressed.
pub fn go_on() -> ControlFlow<()> {
    if asked_to_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
