//! How long a heuristic takes, from samples.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::Slide;

/// Estimates how much of a search's time its heuristic takes.
///
/// To time every call would take longer than most calls do. So a search lets a few nodes in thousands be asked about once
/// more, with a watch beside them, and the mean of those stands for all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Samples {
    time: Duration,
    calls: u64,
}

impl Samples {
    /// Times all stages for the states after some slides of a node.
    #[cold]
    pub(crate) fn take<H: Heuristic>(&mut self, heuristic: &H, node: &H::Node, slides: impl Iterator<Item = Slide>) {
        // What the watch itself takes.
        let before = Instant::now();
        let started = Instant::now();
        for slide in slides {
            for stage in 0..heuristic.stages() {
                let mut step = heuristic.begin(stage, black_box(node), black_box(slide));
                black_box(heuristic.finish(stage, &mut step));
            }
            self.calls += 1;
        }
        self.time += started.elapsed().saturating_sub(started - before);
    }

    /// Adds the samples of another thread.
    pub(crate) fn add(&mut self, other: Samples) {
        self.time += other.time;
        self.calls += other.calls;
    }

    /// What so many calls take.
    pub(crate) fn time_of(&self, calls: u64) -> Duration {
        let mean = self.time.as_secs_f64() / self.calls.max(1) as f64;
        Duration::from_secs_f64(mean * calls as f64)
    }
}
