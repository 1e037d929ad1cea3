//! What a build and a search spend their time with, in small pieces: for comparing two commits (`scripts/compare-benches`), not for
//! the numbers of the documentation, which are those of `tilebase bench`.
//!
//! Everything is made from fixed seeds, runs on one thread, and reads no file. What a benchmark prepares is prepared when it is its turn, so that
//! one can be run by itself in a moment; and what it measures is held against another way to the same result before it is measured.

mod build;
mod cpu_time;
mod follow;
mod inputs;
mod lookup;
mod open;
mod rank;
mod search;

use criterion::{Criterion, criterion_group, criterion_main};

use crate::cpu_time::CpuTime;

criterion_group! {
    name = hot_paths;
    config = Criterion::default().without_plots().with_measurement(CpuTime);
    targets = rank::benches, follow::benches, build::benches, lookup::benches, search::benches, open::benches
}
criterion_main!(hot_paths);
