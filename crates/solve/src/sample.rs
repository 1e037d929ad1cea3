//! How long a heuristic takes, from samples.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::Slide;

/// A time sample of the heuristic is taken whenever this many nodes have been expanded.
pub(crate) const BETWEEN_SAMPLES: u64 = 1024;

/// A sample that takes longer was interrupted by something else that the machine had to do.
const INTERRUPTED: Duration = Duration::from_micros(20);

/// Estimates how much of a search's time its heuristic takes.
///
/// To time every call would take longer than most calls do. So a search lets a few nodes in thousands be asked about once
/// more, with a clock beside them, and the mean of those stands for all. A heuristic that only computes is asked several times
/// for each look at the clock; one that waits for memory would not have to wait again, and is asked once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples {
    time: Duration,
    calls: u64,
}

impl Samples {
    /// Times all stages for the states after some slides of a node.
    #[cold]
    pub(crate) fn take<H: Heuristic>(&mut self, heuristic: &H, node: &H::Node, slides: &[Slide]) {
        let rounds = if heuristic.is_far() { 1 } else { 16 };
        self.time(rounds * slides.len() as u64, || {
            for _ in 0..rounds {
                for &slide in slides {
                    for stage in 0..heuristic.stages() {
                        let mut step = heuristic.begin(stage, node, black_box(slide));
                        black_box(heuristic.finish(stage, &mut step));
                    }
                }
            }
        });
    }

    /// Times some calls.
    #[cold]
    pub(crate) fn time(&mut self, calls: u64, call: impl FnOnce()) {
        // What the clock itself takes.
        let before = Instant::now();
        let started = Instant::now();
        call();
        let time = started.elapsed().saturating_sub(started - before);
        if time < INTERRUPTED {
            self.time += time;
            self.calls += calls;
        }
    }

    pub(crate) fn add(&mut self, other: Samples) {
        self.time += other.time;
        self.calls += other.calls;
    }

    /// What this many calls take.
    pub(crate) fn time_of(&self, calls: u64) -> Duration {
        let mean = self.time.as_secs_f64() / self.calls.max(1) as f64;
        Duration::from_secs_f64(mean * calls as f64)
    }
}
