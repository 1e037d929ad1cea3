//! A node that was followed from slide to slide knows what a fresh one knows.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::LazyLock;
use tilebase_heuristics::{Additive, AllMoves, Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::{AdditiveTable, AllMovesTable, AnyBitTable, NibbleTable, SmallBitTable};
use tilebase_puzzle::{Direction, Frame, Goal, Partition, Random, Size, Slide, Square, State};
use tilebase_tests::fixtures::{drawn, frame, ready, size, table};
use tilebase_tests::follow::{after, bound};
use tilebase_tests::larger::Larger;

/// A puzzle with everything that can follow a search on it.
struct Course {
    frame: Frame,
    bit: Additive<AdditiveTable, 64>,
    bit_one_view: Additive<AdditiveTable, 16>,
    nibble: Additive<NibbleTable, 64>,
    nibble_one_view: Additive<AdditiveTable, 16>,
    /// Where the board has at most 16 squares.
    small: Option<Additive<SmallBitTable, 64>>,
    any: Additive<AnyBitTable, 64>,
    /// The first pattern, counting all moves.
    all_moves: AllMoves<AllMovesTable>,
    larger: Larger<Manhattan, Additive<AnyBitTable, 64>>,
    manhattan: Manhattan,
}

impl Course {
    fn new(frame: Frame, partition: &Partition) -> Course {
        assert_eq!(frame.home(), partition.home());
        let bits = || ready(partition, Kind::Bit);
        let any = || Additive::new(ready(partition, Kind::Bit)).unwrap();
        let small = (partition.size().count() <= 16).then(|| Additive::new(ready(partition, Kind::Bit)).unwrap());
        let first = table(&partition.patterns()[0], Kind::AllMoves);
        Course {
            frame,
            bit: Additive::new(bits()).unwrap(),
            bit_one_view: Additive::one_view(bits()).unwrap(),
            nibble: Additive::new(ready(partition, Kind::Nibble)).unwrap(),
            nibble_one_view: Additive::one_view(ready(partition, Kind::Nibble)).unwrap(),
            small,
            any: any(),
            all_moves: AllMoves::of_all_moves(AllMovesTable::ready(&[first]).unwrap()).unwrap(),
            larger: Larger(Manhattan::new(partition.size()), any()),
            manhattan: Manhattan::new(partition.size()),
        }
    }

    fn winding(size: Size, home: Square) -> Course {
        Course::new(frame(size, home), &Partition::winding(size, home, 3))
    }
}

static COURSES: LazyLock<Vec<Course>> = LazyLock::new(|| {
    let snail = Frame::new(&Goal::Snail.board(size(3, 3)).unwrap());
    let last = Frame::new(&Goal::BlankLast.board(size(4, 3)).unwrap());
    vec![
        Course::new(snail, &drawn("AAB/A.B/ABB")),
        Course::new(frame(size(3, 3), Square(0)), &drawn(".AA/BAA/BBB")),
        Course::new(frame(size(3, 3), Square(1)), &drawn("A.B/AAB/ABB")),
        Course::new(last, &drawn(".AAB/AABB/CCCB")),
        Course::new(frame(size(2, 5), Square(0)), &drawn(".A/AA/AB/BB/BB")),
        Course::new(frame(size(4, 4), Square(0)), &drawn(".AAC/AACC/DBCC/DDBB")),
        Course::winding(size(5, 3), Square(7)),
        Course::winding(size(5, 5), Square(0)),
        Course::winding(size(5, 5), Square(12)),
        Course::winding(size(12, 2), Square(0)),
    ]
});

fn any_slide(state: &State, random: &mut Random) -> Slide {
    let slides: Vec<Slide> = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction)).collect();
    slides[random.below(slides.len() as u64) as usize]
}

/// Goes on at random, with side steps that are not kept, and compares with a fresh node at every stop. The largest value of
/// all stages is the bound.
fn walk<H: Heuristic>(heuristic: &H, start: &State, seed: u64, steps: usize) {
    let mut random = Random::new(seed);
    let mut state = *start;
    let mut node = heuristic.root(&state).expect("a solvable board has a bound");
    for _ in 0..steps {
        let slide = any_slide(&state, &mut random);
        let (next, values) = after(heuristic, &node, slide);
        state.make(slide);
        assert_eq!(heuristic.cost(&next), bound(heuristic, &state), "{state:?} after {slide:?}");
        assert_eq!(values.iter().max(), Some(&heuristic.cost(&next)), "{state:?} after {slide:?}");
        if random.below(3) == 0 {
            state.unmake(slide);
            assert_eq!(heuristic.cost(&node), bound(heuristic, &state), "{state:?} after a side step");
        } else {
            node = next;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn a_node_that_was_followed_knows_what_a_fresh_one_knows(
        course in 0..COURSES.len(), seed: u64, steps in 1..120_usize,
    ) {
        let course = &COURSES[course];
        let board = Random::new(seed).solvable_board(course.frame.goal());
        let start = course.frame.state(&board).unwrap();
        walk(&course.bit, &start, seed, steps);
        walk(&course.bit_one_view, &start, seed, steps);
        walk(&course.nibble, &start, seed, steps);
        walk(&course.nibble_one_view, &start, seed, steps);
        if let Some(small) = &course.small {
            walk(small, &start, seed, steps);
        }
        walk(&course.any, &start, seed, steps);
        walk(&course.all_moves, &start, seed, steps);
        walk(&course.larger, &start, seed, steps);
        walk(&course.manhattan, &start, seed, steps);
    }
}

#[test]
fn from_the_goal_of_every_course_all_bounds_start_at_nothing() {
    for course in COURSES.iter() {
        let goal = course.frame.state(course.frame.goal()).unwrap();
        let bounds = [
            bound(&course.bit, &goal),
            bound(&course.bit_one_view, &goal),
            bound(&course.nibble, &goal),
            bound(&course.nibble_one_view, &goal),
            bound(&course.any, &goal),
            bound(&course.all_moves, &goal),
            bound(&course.larger, &goal),
            bound(&course.manhattan, &goal),
        ];
        assert_eq!(bounds, [0; 8]);
        walk(&course.bit, &goal, 1, 200);
        walk(&course.nibble, &goal, 1, 200);
        walk(&course.any, &goal, 1, 200);
    }
}

#[test]
fn all_kinds_of_bit_tables_know_the_same() {
    for course in COURSES.iter() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let state = course.frame.state(&random.solvable_board(course.frame.goal())).unwrap();
            let expected = bound(&course.bit, &state);
            assert_eq!(bound(&course.any, &state), expected);
            assert!(course.small.as_ref().is_none_or(|small| bound(small, &state) == expected));
            assert_eq!(bound(&course.larger, &state), expected, "tables know at least the Manhattan distance");
        }
    }
}

#[test]
fn the_sum_of_the_costs_of_the_best_view_is_the_bound() {
    fn check(heuristic: &impl Heuristic, state: &State) {
        let costs = heuristic.pattern_costs(state).unwrap();
        let best = costs.iter().map(|(_, costs)| costs.iter().sum::<u32>()).max();
        assert_eq!(best, Some(bound(heuristic, state)));
    }
    for course in COURSES.iter() {
        for seed in 0..20 {
            let board = Random::new(seed).solvable_board(course.frame.goal());
            let state = course.frame.state(&board).unwrap();
            check(&course.bit, &state);
            check(&course.bit_one_view, &state);
            check(&course.nibble, &state);
            check(&course.nibble_one_view, &state);
            // Tables know at least the Manhattan distance.
            check(&course.larger, &state);
        }
    }
}
