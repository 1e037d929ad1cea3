//! From a board to its row and permutation, from nothing.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::{Criterion, Throughput};
use tilebase_index::{Follow, Index, Kind, Standing};
use tilebase_puzzle::{Pattern, Square, State};

use crate::cpu_time::CpuTime;
use crate::inputs;

const STATES: usize = 1_000;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("rank");
    group.throughput(Throughput::Elements(STATES as u64));
    for (name, pattern) in [("8 tiles of 4x4", inputs::eight_of_15()), ("6 tiles of 5x5", inputs::six_of_24())] {
        let ready = LazyCell::new(|| {
            let (index, states) = (index(&pattern), inputs::random_states(&pattern, STATES));
            let by_squares = states.iter().map(|state| by_squares(&index, &pattern, state));
            assert!(states.iter().map(|state| by_locating(&index, &pattern, state)).eq(by_squares));
            (index, states)
        });
        group.bench_function(name, |bencher| {
            let (index, states) = &*ready;
            bencher.iter(|| {
                for state in states {
                    black_box(index.locate(&pattern, black_box(state)));
                }
            });
        });
    }
    let all_squares = LazyCell::new(|| {
        let pattern = inputs::eight_of_15();
        let states = inputs::random_states(&pattern, STATES);
        let index = index(&pattern);
        let all_squares: Vec<Vec<Square>> = states.iter().map(|state| squares(&pattern, state)).collect();
        for (state, squares) in states.iter().zip(&all_squares) {
            assert_eq!(Standing::of_tiles(squares), Standing::from(&index.locate(&pattern, state)));
        }
        all_squares
    });
    group.bench_function("8 tiles of 4x4, by their squares", |bencher| {
        let all_squares = &*all_squares;
        bencher.iter(|| {
            for squares in all_squares {
                black_box(Standing::of_tiles(black_box(squares)));
            }
        });
    });
}

pub(crate) fn index(pattern: &Pattern) -> Index {
    Index::new(pattern.size(), pattern.len(), Kind::Bit).expect("the pattern has an index")
}

pub(crate) fn by_locating(index: &Index, pattern: &Pattern, state: &State) -> u64 {
    let place = index.locate(pattern, state);
    index.state_number(place.row, place.perm)
}

/// The square of each tile of a pattern, in the order of the tiles.
fn squares(pattern: &Pattern, state: &State) -> Vec<Square> {
    let square = |tile| state.tiles().find(|(_, other)| *other == tile).expect("every tile is on the board").0;
    pattern.tiles().map(square).collect()
}

fn by_squares(index: &Index, pattern: &Pattern, state: &State) -> u64 {
    Follow::state_number(index, &Standing::of_tiles(&squares(pattern, state)), state.blank())
}
