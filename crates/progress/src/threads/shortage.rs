//! One report that fewer threads work than were wanted.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Some work has fewer threads than were wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadShortage {
    /// The threads that were to work.
    pub wanted: usize,
    /// The threads that do.
    pub started: usize,
}

impl fmt::Display for ThreadShortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ThreadShortage { wanted, started } = self;
        let why = "the system allows no more; `ulimit -u` is one such limit";
        write!(f, "only {started} of {wanted} threads could start ({why}): this takes longer")
    }
}

/// Receives the next shortage.
static LISTENER: Mutex<Option<fn(ThreadShortage)>> = Mutex::new(None);

/// Reports the next shortage of threads to a front end, on the thread that notices it. Later shortages are not reported: one line is
/// enough.
pub fn tell_of_shortage(listener: fn(ThreadShortage)) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(listener);
}

/// Reports a shortage to the listener, if there is one.
pub fn report_shortage(shortage: ThreadShortage) {
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(listener) = listener {
        listener(shortage);
    }
}
