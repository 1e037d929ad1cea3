//! The time that a search spends in its heuristic, estimated from samples.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::Slide;

/// A search takes a sample each time it has expanded this many nodes.
pub(crate) const BETWEEN_SAMPLES: u64 = 1024;

/// A sample that takes this long or longer is dropped: the system probably interrupted the thread.
const INTERRUPTED: Duration = Duration::from_micros(20);

/// Samples of the time that the heuristic takes per call.
///
/// Timing every call would take longer than most calls do. Instead, a search evaluates one node in some thousands once
/// more, reads the clock before and after, and uses the mean of these samples for all calls. A heuristic that only
/// computes is evaluated several times between two reads of the clock. A heuristic that waits for memory is evaluated
/// once, because its data would already be in the cache the second time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples {
    time: Duration,
    calls: u64,
}

impl Samples {
    /// Times all stages of the heuristic for the children of a node that some slides lead to.
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

    /// Times a closure that makes this many calls of the heuristic.
    #[cold]
    pub(crate) fn time(&mut self, calls: u64, call: impl FnOnce()) {
        // Two reads in a row give the time that reading the clock takes.
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

    /// The estimated time of this many calls.
    pub(crate) fn time_of(&self, calls: u64) -> Duration {
        let mean = self.time.as_secs_f64() / self.calls.max(1) as f64;
        Duration::from_secs_f64(mean * calls as f64)
    }
}
