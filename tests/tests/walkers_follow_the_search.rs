//! A walker that followed a search knows what a fresh one knows.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::LazyLock;
use tilebase_format::Encoding;
use tilebase_lookup::Table;
use tilebase_puzzle::{Direction, Frame, Goal, Partition, Random, Size, Slide, Square, State};
use tilebase_solve::{Additive, Heuristic, Manhattan, Walker};
use tilebase_tests::fixtures::{drawn, frame, size, tables};

/// A puzzle with everything that can follow a search on it.
struct Course {
    frame: Frame,
    bit: Additive<Table>,
    bit_one_view: Additive<Table>,
    nibble: Additive<Table>,
    nibble_one_view: Additive<Table>,
    manhattan: Manhattan,
}

impl Course {
    fn new(frame: Frame, partition: &Partition) -> Course {
        assert_eq!(frame.home(), partition.home());
        Course {
            frame,
            bit: Additive::new(tables(partition, Encoding::Bit)).unwrap(),
            bit_one_view: Additive::one_view(tables(partition, Encoding::Bit)).unwrap(),
            nibble: Additive::new(tables(partition, Encoding::Nibble)).unwrap(),
            nibble_one_view: Additive::one_view(tables(partition, Encoding::Nibble)).unwrap(),
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
    ]
});

fn any_slide(state: &State, random: &mut Random) -> Slide {
    let slides: Vec<Slide> = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction)).collect();
    slides[random.below(slides.len() as u64) as usize]
}

/// Goes to and fro at random, two steps ahead for each one back, and compares with a fresh walker at every stop. Half of
/// the steps have a limit, which may refuse them.
fn walk<H: Heuristic>(heuristic: &H, start: &State, seed: u64, steps: usize) {
    let fresh = |state: &State| heuristic.walker(state).expect("a solvable board has a bound").cost();
    let mut random = Random::new(seed);
    let mut state = *start;
    let mut walker = heuristic.walker(&state).expect("a solvable board has a bound");
    let mut made: Vec<Slide> = Vec::new();
    for _ in 0..steps {
        match random.below(3) {
            0 => {
                if let Some(slide) = made.pop() {
                    state.unmake(slide);
                    walker.retreat();
                }
            }
            step => {
                let slide = any_slide(&state, &mut random);
                state.make(slide);
                let expected = fresh(&state);
                let limit = if step == 1 { u32::MAX } else { (expected + 1).saturating_sub(random.below(3) as u32) };
                match walker.advance(slide, limit) {
                    Ok(()) => {
                        assert!(expected <= limit, "a bound of {expected} passed a limit of {limit}");
                        made.push(slide);
                    }
                    Err(cost) => {
                        assert!(limit < cost && cost <= expected, "{cost} for a bound of {expected}, limit {limit}");
                        state.unmake(slide);
                    }
                }
            }
        }
        assert_eq!(walker.cost(), fresh(&state), "{state:?} after {made:?}");
    }
    while let Some(slide) = made.pop() {
        state.unmake(slide);
        walker.retreat();
        assert_eq!(walker.cost(), fresh(&state), "{state:?} on the way back");
    }
    assert_eq!(state, *start);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn a_walker_that_went_to_and_fro_knows_what_a_fresh_one_knows(
        course in 0..COURSES.len(), seed: u64, steps in 1..120_usize,
    ) {
        let course = &COURSES[course];
        let board = Random::new(seed).solvable_board(course.frame.goal());
        let start = course.frame.state(&board).unwrap();
        walk(&course.bit, &start, seed, steps);
        walk(&course.bit_one_view, &start, seed, steps);
        walk(&course.nibble, &start, seed, steps);
        walk(&course.nibble_one_view, &start, seed, steps);
        walk(&course.manhattan, &start, seed, steps);
    }
}

#[test]
fn from_the_goal_of_every_course_all_bounds_start_at_nothing() {
    for course in COURSES.iter() {
        let goal = course.frame.state(course.frame.goal()).unwrap();
        let cost = |heuristic: &Additive<Table>| heuristic.walker(&goal).unwrap().cost();
        let all = [&course.bit, &course.bit_one_view, &course.nibble, &course.nibble_one_view];
        assert_eq!(all.map(cost), [0; 4]);
        assert_eq!(course.manhattan.walker(&goal).unwrap().cost(), 0);
        for heuristic in all {
            walk(heuristic, &goal, 1, 200);
        }
    }
}

#[test]
fn a_refused_step_leaves_every_view_where_it_was() {
    for course in COURSES.iter() {
        let board = Random::new(5).solvable_board(course.frame.goal());
        let state = course.frame.state(&board).unwrap();
        for heuristic in [&course.bit, &course.nibble] {
            let mut walker = heuristic.walker(&state).unwrap();
            let cost = walker.cost();
            for direction in Direction::ALL {
                let Some(slide) = state.slide_in(direction) else { continue };
                for limit in 0..cost + 8 {
                    if walker.advance(slide, limit).is_ok() {
                        walker.retreat();
                    }
                    assert_eq!(walker.cost(), cost);
                }
            }
        }
    }
}

#[test]
fn the_sum_of_the_costs_of_the_best_view_is_the_bound() {
    for course in COURSES.iter() {
        for seed in 0..20 {
            let board = Random::new(seed).solvable_board(course.frame.goal());
            let state = course.frame.state(&board).unwrap();
            for heuristic in [&course.bit, &course.bit_one_view, &course.nibble, &course.nibble_one_view] {
                let costs = heuristic.costs(&state).unwrap();
                let best = costs.iter().map(|(_, costs)| costs.iter().sum::<u32>()).max();
                assert_eq!(best, Some(heuristic.walker(&state).unwrap().cost()));
            }
        }
    }
}
