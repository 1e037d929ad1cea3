//! Long work shown as bars, and stopped by Ctrl-C.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};
use tilebase::progress::Level;
use tilebase::{Event, Watch};

use crate::session::{bar_style, bytes};
use crate::{Session, interrupt};

/// What is shown of builds and proofs, which advance many thousand times a second, is worked out this often.
const REFRESH: Duration = Duration::from_millis(100);

/// How far work is, and how long it will take.
const PARTS: &str = "{msg} {wide_bar} {percent}%  {elapsed}, {eta} left";

/// The same for work that is measured in bytes. A name of 40 letters fits before it on a terminal of 80 columns.
#[cfg(feature = "fetch")]
const BYTES: &str = "{msg} {wide_bar} {percent}% of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta}";

/// Does what may turn out to be long work, on rayon's threads: when the first piece of it begins, these are started.
pub fn watched_on_threads<T>(session: &Session, work: impl FnOnce(Watch<'_>) -> T) -> T {
    watched(session, |watch| {
        work(&|event| {
            if matches!(event, Event::Begin { .. }) {
                session.use_threads();
            }
            watch(event)
        })
    })
}

/// Does long work. Each piece of it is shown as a bar while it runs; Ctrl-C stops it, where the command is one that stops.
pub fn watched<T>(session: &Session, work: impl FnOnce(Watch<'_>) -> T) -> T {
    shown_as(PARTS, session, work)
}

/// The same for work of which all pieces are measured in bytes: bars also tell how many there are, and how fast they come.
#[cfg(feature = "fetch")]
pub(crate) fn watched_in_bytes<T>(session: &Session, work: impl FnOnce(Watch<'_>) -> T) -> T {
    shown_as(BYTES, session, work)
}

fn shown_as<T>(template: &str, session: &Session, work: impl FnOnce(Watch<'_>) -> T) -> T {
    let shown = Mutex::new(Shown::new(ProgressBar::hidden()));
    let current = || shown.lock().expect("no thread panics with the bar");
    let done = work(&|event| {
        match event {
            Event::Begin { what, total } => *current() = Shown::new(begin(what, *total, template, session)),
            Event::Advance(more) => current().advance(*more),
            Event::Level(level) => current().reach(level),
            Event::End => current().bar.finish_and_clear(),
            _ => {}
        }
        interrupt::go_on()
    });
    current().bar.finish_and_clear();
    done
}

/// A bar for a piece of work, or a sign of life where it is not known how much there is to do.
fn begin(what: &str, total: u64, template: &str, session: &Session) -> ProgressBar {
    let template = if total == 0 { "{spinner} {msg}, {elapsed}" } else { template };
    let bar = session.progress_bar(total, template);
    bar.set_message(what.to_owned());
    Session::keep_drawing(&bar, Duration::from_millis(200));
    bar
}

/// A piece of work and how far it is.
struct Shown {
    bar: ProgressBar,
    started: Instant,
    refreshed: Instant,
    /// If it goes level by level: the last one, and what has been found since.
    level: Option<Level>,
}

impl Shown {
    fn new(bar: ProgressBar) -> Shown {
        Shown { bar, started: Instant::now(), refreshed: Instant::now(), level: None }
    }

    fn advance(&mut self, more: u64) {
        let Some(level) = &mut self.level else { return self.bar.inc(more) };
        level.found += more;
        if self.refreshed.elapsed() >= REFRESH {
            self.refresh();
        }
    }

    fn reach(&mut self, level: &Level) {
        if self.level.replace(*level).is_none() && self.bar.length().is_some_and(|total| total > 0) {
            self.bar.set_style(bar_style("{msg} {wide_bar} {percent}%  {prefix}"));
        }
        self.refresh();
    }

    /// Shows level, speed and time left.
    fn refresh(&mut self) {
        let Some(level) = self.level else { return };
        self.refreshed = Instant::now();
        let text = level_text(&level, self.started.elapsed());
        self.bar.set_prefix(text);
        self.bar.set_position(level.found);
    }
}

/// Level, speed and time left of a build that has taken this long. States are found at very different speeds at different levels, so the
/// time left follows from what is known about that, not from the speed.
pub fn level_text(level: &Level, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = HumanCount((level.found as f64 / seconds) as u64);
    let mut text = format!("level {}  {rate} states/s", level.number);
    if level.sent > 0 {
        let _ = write!(text, "  {} sent", bytes(level.sent));
    }
    let done = level.work_done();
    if level.found >= level.total {
        text += "  finishing";
    } else if done > 0.02 {
        // The first levels are over too soon to tell anything.
        let left = Duration::from_secs_f64(seconds * (1.0 - done) / done);
        let _ = write!(text, "  {:.0?} left", Duration::from_secs(left.as_secs() + 1));
    }
    text
}
