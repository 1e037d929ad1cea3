//! Long work shown as bars, and stopped by Ctrl-C.

use std::ops::ControlFlow;
use std::sync::Mutex;

use indicatif::ProgressBar;
use tilebase::{Event, Watch};

use crate::interrupt;
use crate::output::Output;

/// Does long work. Each piece of it is shown as a bar while it runs; Ctrl-C stops it, where the command is one that stops.
pub(crate) fn watched<T>(output: &Output, work: impl FnOnce(Watch<'_>) -> T) -> T {
    let bar = Mutex::new(ProgressBar::hidden());
    let done = work(&|event| {
        let mut bar = bar.lock().expect("no thread panics with the bar");
        match event {
            Event::Begin { what, total } => {
                *bar = output.progress_bar(*total, "{msg} {wide_bar} {percent}%, {eta} left");
                bar.set_message((*what).to_owned());
            }
            Event::Advance(more) => bar.inc(*more),
            Event::Level(level) => bar.set_position(level.found),
            Event::End => bar.finish_and_clear(),
            _ => {}
        }
        if interrupt::asked_to_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.into_inner().expect("no thread panics with the bar").finish_and_clear();
    done
}
