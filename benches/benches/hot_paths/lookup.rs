//! Costs out of tables: entries at random, as a search reads them after slides, and costs of boards from nothing.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput};
use tilebase_index::{Kind, PatternCosts, SmallFollower, Standing};
use tilebase_lookup::{Bits, Coding, Nibbles, Table, TypedTable};
use tilebase_puzzle::{Direction, Slide, State};
use tilebase_tests::fixtures;

use crate::cpu_time::CpuTime;
use crate::inputs;

const ENTRIES: usize = 10_000;
const BOARDS: usize = 1_000;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("lookup");
    let nibbles = || fixtures::table(&inputs::six_of_15(), Kind::Nibble);
    after_slides::<Bits<SmallFollower>>(&mut group, "bits", inputs::compiled_in);
    after_slides::<Nibbles>(&mut group, "nibbles", nibbles);
    from_nothing::<Bits<SmallFollower>>(&mut group, "bits", inputs::compiled_in);
    from_nothing::<Nibbles>(&mut group, "nibbles", nibbles);
}

fn ready<C: Coding>(table: Table) -> TypedTable<C> {
    TypedTable::ready(&[table]).expect("the table is of the type that is measured").remove(0)
}

/// What is read after a slide of a pattern's tile, of boards that have nothing to do with each other.
fn after_slides<C: Coding>(group: &mut BenchmarkGroup<'_, CpuTime>, kind: &str, table: impl Fn() -> Table) {
    group.throughput(Throughput::Elements(ENTRIES as u64));
    let ready = LazyCell::new(|| {
        let table = ready::<C>(table());
        let states = inputs::random_states(table.pattern(), 2 * ENTRIES);
        let slid = states.into_iter().filter_map(|state| Some((state, slide_of_pattern(&table, &state)?)));
        let slid: Vec<(State, Slide)> = slid.take(ENTRIES).collect();
        assert_eq!(slid.len(), ENTRIES, "half of all boards have a tile of the pattern beside the blank");
        let lookups: Vec<_> = slid.iter().map(|(state, slide)| read_after(&table, state, *slide)).collect();
        for ((mut state, slide), &(entry, distance, before)) in slid.into_iter().zip(&lookups) {
            state.make(slide);
            assert_eq!(u32::from(table.cost_after(entry, distance, before)), cost(&table, &state));
        }
        (table, lookups)
    });
    group.bench_function(format!("{kind} after slides"), |bencher| {
        let (table, lookups) = &*ready;
        bencher.iter(|| {
            for &(entry, distance, before) in black_box(lookups) {
                black_box(table.cost_after(entry, distance, before));
            }
        });
    });
}

/// Costs of boards of which nothing is known.
fn from_nothing<C: Coding>(group: &mut BenchmarkGroup<'_, CpuTime>, kind: &str, table: impl Fn() -> Table) {
    group.throughput(Throughput::Elements(BOARDS as u64));
    let ready = LazyCell::new(|| {
        let table = ready::<C>(table());
        let states = inputs::random_states(table.pattern(), BOARDS);
        for state in &states {
            // The table itself has no follower, and counts the rows of its walk.
            assert_eq!(Some(cost(&table, state)), table.table().cost(&table.locate(state)));
        }
        (table, states)
    });
    group.bench_function(format!("{kind} from nothing"), |bencher| {
        let (table, states) = &*ready;
        bencher.iter(|| {
            for state in states {
                black_box(cost(table, black_box(state)));
            }
        });
    });
}

fn slide_of_pattern(table: &impl PatternCosts, state: &State) -> Option<Slide> {
    let mut slides = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction));
    slides.find(|slide| table.pattern().contains(slide.tile))
}

/// The number of the entry that has the cost after a slide, the distance then, and the cost before.
fn read_after<T: PatternCosts>(table: &T, state: &State, slide: Slide) -> (u64, T::Distance, u8) {
    let place = table.locate(state);
    let entry = table.step(&mut Standing::from(&place), slide);
    (entry, table.distance_after(table.distance(&place), slide), cost(table, state) as u8)
}

fn cost(table: &impl PatternCosts, state: &State) -> u32 {
    table.cost(&table.locate(state)).expect("a board that can be solved has a cost")
}
