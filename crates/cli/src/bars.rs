//! Long work shown as bars, and stopped by Ctrl-C.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::ProgressBar;
use tilebase::{Event, Watch};

use crate::{Session, interrupt};

/// Does long work. Each piece of it is shown as a bar while it runs; Ctrl-C stops it, where the command is one that stops.
pub(crate) fn watched<T>(session: &Session, work: impl FnOnce(Watch<'_>) -> T) -> T {
    let bar = Mutex::new(ProgressBar::hidden());
    let current = || bar.lock().expect("no thread panics with the bar");
    let done = work(&|event| {
        match event {
            Event::Begin { what, total } => *current() = begin(what, *total, session),
            Event::Advance(more) => current().inc(*more),
            Event::Level(level) => current().set_position(level.found),
            Event::End => current().finish_and_clear(),
            _ => {}
        }
        interrupt::go_on()
    });
    current().finish_and_clear();
    done
}

/// A bar for a piece of work, or a sign of life where it is not known how much there is to do.
fn begin(what: &str, total: u64, session: &Session) -> ProgressBar {
    let template =
        if total == 0 { "{spinner} {msg}, {elapsed}" } else { "{msg} {wide_bar} {percent}%  {elapsed}, {eta} left" };
    let bar = session.progress_bar(total, template);
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
