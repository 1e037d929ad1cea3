//! How work gets on, told in lines where nobody sees a bar: whoever starts many processes collects what they say, so that stderr is no terminal.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tilebase_cli::session::Session;

/// A line is told when the last one was so long ago.
const BETWEEN: Duration = Duration::from_secs(5);

/// Lines that tell how work gets on, now and then.
pub(crate) struct Notes<'a> {
    session: &'a Session,
    is_seen: bool,
    begun: Instant,
    last: Mutex<Instant>,
}

impl<'a> Notes<'a> {
    /// None yet. A terminal has a bar.
    pub(crate) fn new(session: &'a Session) -> Notes<'a> {
        let begun = Instant::now();
        Notes { session, is_seen: !io::stderr().is_terminal(), begun, last: Mutex::new(begun) }
    }

    /// Tells something, given how long the work has taken, if it is time to.
    pub(crate) fn tell(&self, text: impl FnOnce(Duration) -> String) {
        // Who comes while another one tells something has nothing to add.
        let Ok(mut last) = self.last.try_lock().or_else(|error| match error {
            std::sync::TryLockError::Poisoned(poisoned) => Ok(PoisonError::into_inner(poisoned)),
            std::sync::TryLockError::WouldBlock => Err(()),
        }) else {
            return;
        };
        if self.is_seen && last.elapsed() >= BETWEEN {
            *last = Instant::now();
            self.session.note(text(self.begun.elapsed()));
        }
    }
}
