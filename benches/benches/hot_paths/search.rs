//! Nodes of IDA\* on one thread, with the tables that are part of the program.

use criterion::{Criterion, SamplingMode, Throughput};
use tilebase::Solver;
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_solve::Request;
use tilebase_tests::fixtures;

use crate::cpu_time::CpuTime;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let solver = fixtures::compiled_in();
    let boards = boards();
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(nodes(&solver, &boards)));
    group.bench_function("6-6-3", |bencher| bencher.iter(|| nodes(&solver, &boards)));
}

/// Boards of Korf's that take neither the fewest nodes nor the most.
fn boards() -> Vec<KnownBoard> {
    korf15().into_iter().filter(|korf| [2, 5, 9].contains(&korf.id)).collect()
}

/// Solves boards. The last bound is searched to its end, so that the nodes do not depend on where the solution was.
fn nodes(solver: &Solver, boards: &[KnownBoard]) -> u64 {
    let request = Request::default().finish_bound(true);
    let solve = |known: &KnownBoard| {
        let outcome = solver.search(&known.board, &request).expect("Korf's boards can be solved");
        let nodes = outcome.effort().generated;
        assert_eq!(outcome.solved().map(|solved| solved.length), Some(known.length), "board {}", known.id);
        nodes
    };
    boards.iter().map(solve).sum()
}
