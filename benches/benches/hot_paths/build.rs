//! A build on one thread, and one level of it.

use std::cell::LazyCell;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use tilebase_generate::{Build, Nowhere};
use tilebase_index::Kind;
use tilebase_lookup::Table;
use tilebase_progress::{Event, unwatched};

use crate::cpu_time::{self, CpuTime};
use crate::inputs;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let build = |kinds: &[Kind]| Build::new(&inputs::six_of_15(), kinds).expect("the pattern has tables");
    for (name, build) in [("bits", build(&[Kind::Bit])), ("bits and nibbles", build(&[Kind::Bit, Kind::Nibble]))] {
        group.throughput(Throughput::Elements(build.states()));
        let run = || build.run(1, &Nowhere, &unwatched).expect("there is memory for 6 tiles");
        let is_right = LazyCell::new(|| assert_eq!(&run()[0].header, inputs::compiled_in().header()));
        group.bench_function(format!("6 tiles of 4x4, {name}"), |bencher| {
            LazyCell::force(&is_right);
            bencher.iter(run);
        });
    }
    let table = inputs::compiled_in();
    group.throughput(Throughput::Elements(table.header().histogram()[largest_level(&table)]));
    let build = build(&[Kind::Bit]);
    group.bench_function("largest level of 6 tiles of 4x4", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| time_of_largest_level(&build, &table)).sum());
    });
}

/// The cost that most states have.
fn largest_level(table: &Table) -> usize {
    let levels = table.header().histogram().iter().zip(0..);
    levels.max().expect("the goal is in a level").1
}

/// Runs a build until the largest level is done. The levels before it are part of the way there, not of the time.
fn time_of_largest_level(build: &Build, table: &Table) -> Duration {
    let largest = largest_level(table);
    let expected: u64 = table.header().histogram()[..=largest].iter().sum();
    let times: Mutex<Vec<Duration>> = Mutex::default();
    let watch = |event: &Event<'_>| {
        let Event::Level(level) = event else { return ControlFlow::Continue(()) };
        let mut times = times.lock().expect("nobody panics with it");
        times.push(cpu_time::now());
        if (level.number as usize) < largest {
            return ControlFlow::Continue(());
        }
        assert_eq!(level.found, expected);
        ControlFlow::Break(())
    };
    build.run(1, &Nowhere, &watch).expect_err("it is told to stop");
    let times = times.into_inner().expect("nobody panics with it");
    times[largest] - times[largest - 1]
}
