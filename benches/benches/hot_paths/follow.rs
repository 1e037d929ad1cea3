//! From a state to its neighbour, slide after slide: the number of the entry that has the cost then.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput};
use tilebase_index::{AnyFollower, Follower, SmallFollower, Standing};
use tilebase_puzzle::{Pattern, Slide, State};

use crate::cpu_time::CpuTime;
use crate::inputs;
use crate::rank::{by_locating, index};

const SLIDES: usize = 10_000;

pub(crate) fn benches(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("follow");
    group.throughput(Throughput::Elements(SLIDES as u64));
    bench::<SmallFollower>(&mut group, "8 tiles of 4x4", &inputs::eight_of_15());
    bench::<AnyFollower>(&mut group, "6 tiles of 5x5", &inputs::six_of_24());
}

fn bench<F: Follower>(group: &mut BenchmarkGroup<'_, CpuTime>, name: &str, pattern: &Pattern) {
    let ready = LazyCell::new(|| {
        let (slides, end) = inputs::walk(pattern, SLIDES);
        let index = index(pattern);
        let follower = F::of(&index).expect("the pattern can be followed");
        let solved = State::solved(pattern.size(), pattern.home());
        let start = Standing::from(&index.locate(pattern, &solved));
        assert_eq!(follow(&*follower, start, &slides), by_locating(&index, pattern, &end));
        (follower, start, slides)
    });
    group.bench_function(name, |bencher| {
        let (follower, start, slides) = &*ready;
        bencher.iter(|| follow(&**follower, black_box(*start), slides));
    });
}

/// The number of the last state. Those before it are wanted, too, as a search wants them.
fn follow<F: Follower>(follower: &F, start: Standing, slides: &[Slide]) -> u64 {
    let (mut standing, mut number) = (start, 0);
    for slide in slides {
        follower.step(&mut standing, slide.from, slide.to);
        number = black_box(follower.state_number(&standing, slide.from));
    }
    number
}
