//! Every heuristic of the list, followed from slide to slide, knows what it would know afresh, and what its definition says.

use rayon::prelude::*;
use tilebase_heuristics::{
    AnyListed, Heuristic, Largest, LinearConflict, Listed, LongCornerTiles, LongLinearConflict, LongPairDistance,
    LongPairDistanceFull, Manhattan, PairDistance, PairDistanceFull,
};
use tilebase_puzzle::{Direction, Random, Size, Slide, Square, State};
use tilebase_tests::fixtures::{frame, size};
use tilebase_tests::follow::{after, bound};
use tilebase_tests::plain_heuristics::{self as plain, PlainPairs, PlainWalk};

/// Boards on which all are followed, with the squares where their blanks belong.
fn courses() -> Vec<(Size, Square)> {
    let homes = [
        (size(2, 2), vec![0]),
        (size(3, 2), vec![0, 1]),
        (size(3, 3), vec![0, 1, 4, 8]),
        (size(4, 4), vec![0, 1, 5, 15]),
        (size(5, 5), vec![0, 7, 12]),
        (size(2, 12), vec![0, 11]),
        (size(12, 2), vec![0, 5]),
        (size(5, 3), vec![0, 7]),
        (size(3, 4), vec![0, 4]),
        (size(6, 4), vec![0, 8]),
    ];
    homes.into_iter().flat_map(|(size, homes)| homes.into_iter().map(move |home| (size, Square(home)))).collect()
}

fn any_slide(state: &State, random: &mut Random) -> Slide {
    let slides: Vec<Slide> = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction)).collect();
    slides[random.below(slides.len() as u64) as usize]
}

/// A state from which the goal can be reached, near to it or far.
fn start(size: Size, home: Square, random: &mut Random) -> State {
    let mut state = State::solved(size, home);
    for _ in 0..random.below(400) {
        state.make(any_slide(&state, random));
    }
    state
}

/// Walks at random, with side steps that are not kept, and shows each stop: the state, the last slide kept, and the values.
fn walk<H: Heuristic>(heuristic: &H, size: Size, home: Square, mut stop: impl FnMut(&State, Option<Slide>, u32)) {
    let mut random = Random::new(u64::from(home.0) + 1000);
    for _ in 0..30 {
        let mut state = start(size, home, &mut random);
        let mut node = heuristic.root(&state).expect("a solvable board has a bound");
        stop(&state, None, heuristic.cost(&node));
        for _ in 0..60 {
            let slide = any_slide(&state, &mut random);
            let (next, values) = after(heuristic, &node, slide);
            assert_eq!(values.iter().max(), Some(&heuristic.cost(&next)), "{state:?} and {slide:?}");
            if random.below(3) > 0 {
                state.make(slide);
                node = next;
                stop(&state, Some(slide), heuristic.cost(&node));
            }
        }
    }
}

/// Computes a value from a state alone.
type Definition = Box<dyn Fn(&State) -> u32>;

/// The definition of a heuristic whose value depends on the state alone.
fn definition(name: &str, size: Size, home: Square) -> Option<Definition> {
    Some(match name {
        "hamming" => Box::new(plain::hamming),
        "gaschnig" => Box::new(plain::gaschnig),
        "euclidean" => Box::new(plain::euclidean),
        "manhattan" => Box::new(plain::manhattan),
        "pair-distance" => return None,
        "pair-distance-full" => Box::new(plain::pair_distance_full),
        "linear-conflict" => Box::new(plain::linear_conflict),
        "corner-tiles" => Box::new(plain::corner_tiles),
        "blank-aware" => Box::new(plain::blank_aware),
        "walking-distance" => {
            let walk = PlainWalk::new(size, home);
            Box::new(move |state| walk.value(state))
        }
        other => panic!("{other} has no definition here"),
    })
}

#[test]
fn every_listed_heuristic_follows_its_definition() {
    courses().into_par_iter().for_each(|(size, home)| {
        for about in AnyListed::abouts() {
            let Ok(heuristic) = AnyListed::new(about.name, size, home) else {
                assert_eq!(about.name, "walking-distance", "on {size}");
                continue;
            };
            assert_eq!(heuristic.about(), about);
            assert_eq!(heuristic.is_admissible(), about.promise.is_admissible());
            assert_eq!(bound(&heuristic, &State::solved(size, home)), 0, "{} on {size}", about.name);
            let Some(definition) = definition(about.name, size, home) else { continue };
            walk(&heuristic, size, home, |state, _, value| {
                assert_eq!(value, definition(state), "{} at {state:?}", about.name);
                assert_eq!(value, bound(&heuristic, state), "{} afresh at {state:?}", about.name);
            });
        }
    });
}

#[test]
fn the_pair_distance_follows_bauers_rules_and_never_knows_more_than_linear_conflicts() {
    let knows_less: Vec<usize> = courses()
        .into_par_iter()
        .map(|(size, home)| {
            let heuristic = AnyListed::new("pair-distance", size, home).unwrap();
            let mut pairs = PlainPairs::new(&State::solved(size, home));
            let mut less = 0;
            walk(&heuristic, size, home, |state, slide, value| {
                match slide {
                    None => pairs = PlainPairs::new(state),
                    Some(slide) => pairs.slide(slide),
                }
                assert_eq!(value, pairs.value(), "{state:?}");
                assert!(value <= plain::linear_conflict(state), "{state:?}");
                less += usize::from(value < plain::pair_distance_full(state));
            });
            less
        })
        .collect();
    assert!(knows_less.iter().sum::<usize>() > 0, "what is known depends on the way");
}

#[test]
fn lines_with_tables_and_without_know_the_same() {
    fn check<T: Listed, L: Listed>(size: Size, home: Square) {
        let (tables, long) = (T::new_for(size, home).unwrap(), L::new_for(size, home).unwrap());
        let mut random = Random::new(5);
        for _ in 0..20 {
            let mut state = start(size, home, &mut random);
            let (mut a, mut b) = (tables.root(&state).unwrap(), long.root(&state).unwrap());
            for _ in 0..200 {
                assert_eq!(tables.cost(&a), long.cost(&b), "{} at {state:?}", T::ABOUT.name);
                let slide = any_slide(&state, &mut random);
                state.make(slide);
                (a, b) = (after(&tables, &a, slide).0, after(&long, &b, slide).0);
            }
            assert_eq!(tables.findings(&state), long.findings(&state));
        }
    }
    for (size, home) in courses().into_iter().filter(|(size, _)| size.width().max(size.height()) <= 5) {
        check::<LinearConflict, LongLinearConflict>(size, home);
        check::<PairDistance, LongPairDistance>(size, home);
        check::<PairDistanceFull, LongPairDistanceFull>(size, home);
        check::<tilebase_heuristics::CornerTiles, LongCornerTiles>(size, home);
    }
}

#[test]
fn the_largest_of_several_is_the_largest_and_admissible_if_all_are() {
    let (size, home) = (size(4, 4), Square(0));
    let heuristic = |name: &&str| AnyListed::new(name, size, home).unwrap();
    let names = ["manhattan", "gaschnig", "walking-distance", "linear-conflict"];
    let largest = Largest::<AnyListed, 5>::new(names.iter().map(heuristic).collect()).unwrap();
    assert!(largest.is_admissible() && largest.stages() == 4);
    let mut which_is_larger = [0; 2];
    walk(&largest, size, home, |state, _, value| {
        let values = [bound(&heuristic(&names[2]), state), bound(&heuristic(&names[3]), state)];
        assert_eq!(value, names.iter().map(|name| bound(&heuristic(name), state)).max().unwrap());
        which_is_larger[0] += usize::from(values[0] > values[1]);
        which_is_larger[1] += usize::from(values[1] > values[0]);
    });
    assert!(which_is_larger.iter().all(|&count| count > 0), "neither is always the better one: {which_is_larger:?}");
    let inadmissible =
        Largest::<AnyListed, 5>::new(["manhattan", "blank-aware"].iter().map(heuristic).collect()).unwrap();
    assert!(!inadmissible.is_admissible());
}

#[test]
fn the_largest_of_none_or_too_many_is_refused() {
    let of = |count: usize| Largest::<Manhattan, 2>::new(vec![Manhattan::new(size(3, 3)); count]);
    assert!(of(1).is_ok() && of(2).is_ok());
    let expected = "the largest of 3 heuristics cannot be taken: expected one to 2; leave some out";
    assert_eq!(of(3).unwrap_err().to_string(), expected);
    assert!(of(0).unwrap_err().to_string().ends_with("give at least one"));
}

#[test]
fn frames_of_any_goal_are_suited() {
    for (size, home) in courses() {
        let frame = frame(size, home);
        let state = frame.state(&Random::new(1).solvable_board(frame.goal())).unwrap();
        for about in AnyListed::abouts() {
            if let Ok(heuristic) = AnyListed::new(about.name, size, frame.home()) {
                assert!(heuristic.root(&state).is_some(), "{} at {state:?}", about.name);
            }
        }
    }
}
