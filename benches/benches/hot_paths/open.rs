//! Tables from nothing to the first cost.

use std::cell::LazyCell;

use criterion::{Criterion, SamplingMode, Throughput};
use tilebase_index::PatternCosts;
use tilebase_lookup::{SmallBitTable, UnpackedTable};
use tilebase_progress::unwatched;

use crate::cpu_time::CpuTime;
use crate::inputs;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("open");
    let table = inputs::compiled_in();
    let state = inputs::random_states(table.pattern(), 1)[0];
    let open = || {
        let table = SmallBitTable::ready(&[inputs::compiled_in()]).expect("6 tiles of 4x4 are few").remove(0);
        table.cost(&table.locate(&state))
    };
    let is_right = LazyCell::new(|| assert_eq!(open(), table.locate(&state).and_then(|place| table.cost(&place))));
    group.bench_function("6 tiles of 4x4, to the first cost", |bencher| {
        LazyCell::force(&is_right);
        bencher.iter(open);
    });

    group.throughput(Throughput::Bytes(table.header().payload_len()));
    group.bench_function("6 tiles of 4x4, verified", |bencher| {
        bencher.iter(|| table.verify_alone(&unwatched).expect("the program's own table is whole"));
    });

    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(table.header().entries()));
    let unpack = || UnpackedTable::new(&table, &unwatched).expect("there is memory for 6 tiles");
    let is_right = LazyCell::new(|| {
        let unpacked = unpack();
        for state in inputs::random_states(table.pattern(), 100) {
            let place = table.locate(&state).expect("the state is of the table's puzzle");
            let entry = table.entry(&place).expect("the place is one of the table");
            assert_eq!(unpacked.cost(entry).map(u32::from), table.cost(&place));
        }
    });
    group.bench_function("6 tiles of 4x4, unpacked", |bencher| {
        LazyCell::force(&is_right);
        bencher.iter(unpack);
    });
}
