//! Signs of life of commands that search.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar};
use tilebase::progress::{Event, Searching};

use crate::Session;

/// Signs of life while searches run.
pub struct Life {
    /// The line on the terminal.
    pub bar: ProgressBar,
    /// Whether there is a single board.
    pub is_single: bool,
    work: Mutex<Option<Work>>,
}

/// Something else than a search, such as the copying of a table.
struct Work {
    what: String,
    total: u64,
    done: u64,
}

impl Life {
    /// A line that tells how many of some things are done, or of a single one how its search gets on.
    pub fn new(session: &Session, what: &str, is_single: bool) -> Life {
        let many = format!("{{spinner}} {{pos}} {what} done, {{elapsed}}{{msg}}");
        let bar = session.progress_bar(0, if is_single { "{spinner} {msg}" } else { &many });
        Session::keep_drawing(&bar, Duration::from_secs(1));
        Life { bar, is_single, work: Mutex::default() }
    }

    /// Tells how a search gets on, or what is done before it can go on.
    pub fn follow(&self, event: &Event<'_>) {
        match event {
            Event::Searching(searching) => self.show(searching),
            Event::Begin { what, total } => {
                *self.work() = Some(Work { what: (*what).to_owned(), total: *total, done: 0 });
            }
            Event::Advance(more) => {
                if let Some(work) = &mut *self.work() {
                    work.done += more;
                    let percent = work.done * 100 / work.total.max(1);
                    self.say(&format!("{}, {percent}%", work.what));
                }
            }
            Event::End => *self.work() = None,
            _ => {}
        }
    }

    fn work(&self) -> MutexGuard<'_, Option<Work>> {
        self.work.lock().expect("no thread panics with it")
    }

    fn say(&self, text: &str) {
        let comma = if self.is_single { "" } else { ", " };
        self.bar.set_message(format!("{comma}{text}"));
    }

    /// Tells how a search gets on.
    fn show(&self, progress: &Searching<'_>) {
        if progress.time >= Duration::from_secs(1) {
            self.say(&search_text(progress));
        }
    }
}

/// How a search gets on: its bound, how many nodes there were, how fast, and how much is to come.
pub fn search_text(progress: &Searching<'_>) -> String {
    let Searching { bound, generated, generated_in_bound, time, of_before, units, units_done, .. } = *progress;
    let rate = (generated - of_before) as f64 / time.as_secs_f64();
    let left = progress.expected_in_bound().map(|expected| {
        let seconds = expected.saturating_sub(generated_in_bound) as f64 / rate;
        format!(", this bound may take {} more", HumanDuration(Duration::from_secs_f64(seconds)))
    });
    let (nodes, millions, time) = (HumanCount(generated), rate / 1e6, HumanDuration(time));
    let units = if units > 0 { format!(", {units_done} of {units} units") } else { String::new() };
    let speed = format!("{nodes} nodes, {millions:.1} million a second, {time}{units}{}", left.unwrap_or_default());
    format!("at least {bound} moves, {speed}")
}
