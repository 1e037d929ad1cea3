//! Signs of life of commands that search.

use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar};
use tilebase::progress::Searching;

use crate::Session;

/// Signs of life while searches run.
pub(crate) struct Life {
    pub(crate) bar: ProgressBar,
    pub(crate) is_single: bool,
}

impl Life {
    /// A line that tells how many of some things are done, or of a single one how its search gets on.
    pub(crate) fn new(session: &Session, what: &str, is_single: bool) -> Life {
        let many = format!("{{spinner}} {{pos}} {what} done, {{elapsed}}{{msg}}");
        let bar = session.progress_bar(0, if is_single { "{spinner} {msg}" } else { &many });
        bar.enable_steady_tick(Duration::from_secs(1));
        Life { bar, is_single }
    }

    /// Tells how a search gets on: its bound, how many nodes there were, how fast, and how much is to come.
    pub(crate) fn show(&self, progress: &Searching<'_>) {
        let Searching { bound, generated, generated_in_bound, time, .. } = *progress;
        if time < Duration::from_secs(1) {
            return;
        }
        let rate = generated as f64 / time.as_secs_f64();
        let left = progress.expected_in_bound().map(|expected| {
            let seconds = expected.saturating_sub(generated_in_bound) as f64 / rate;
            format!(", this bound may take {} more", HumanDuration(Duration::from_secs_f64(seconds)))
        });
        let comma = if self.is_single { "" } else { ", " };
        let (nodes, millions, time) = (HumanCount(generated), rate / 1e6, HumanDuration(time));
        let speed = format!("{nodes} nodes, {millions:.1} million a second, {time}{}", left.unwrap_or_default());
        self.bar.set_message(format!("{comma}at least {bound} moves, {speed}"));
    }
}
