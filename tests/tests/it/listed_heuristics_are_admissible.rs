//! What the heuristics of the list promise, on every board of small sizes and on many of 4×4.

use rayon::prelude::*;
use std::collections::BTreeMap;
use tilebase_heuristics::{AnyListed, Heuristic, ListError, Promise};
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Direction, Random, Size, Slide, Square, State};
use tilebase_tests::fixtures::{blank_first, size};
use tilebase_tests::follow::{after, bound};
use tilebase_tests::naive::{Ball, Distances, FixedMap, distances};

fn slides(state: &State) -> impl Iterator<Item = Slide> {
    Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction))
}

fn named(name: &str, size: Size, home: Square) -> AnyListed {
    AnyListed::new(name, size, home).unwrap_or_else(|error| panic!("{error}"))
}

/// All values of all heuristics on all boards of a puzzle.
struct Values {
    distances: Vec<u32>,
    of: BTreeMap<&'static str, Vec<u32>>,
}

impl Values {
    /// Whether one is nowhere below another.
    fn dominates(&self, large: &str, small: &str) -> bool {
        self.of[large].iter().zip(&self.of[small]).all(|(large, small)| large >= small)
    }

    /// At how many boards it exceeds the true distance.
    fn excesses(&self, name: &str) -> usize {
        self.of[name].iter().zip(&self.distances).filter(|(value, distance)| value > distance).count()
    }
}

/// By how much slides change the values of a heuristic, at most. Its followed nodes know what fresh ones know, except for pairs
/// that depend on the way.
fn largest_change(name: &str, values: &[u32], known: &Distances, numbers: &FixedMap<State, usize>) -> u32 {
    let goal = known.states()[0];
    let heuristic = named(name, goal.size(), goal.home());
    let changes = known.states().par_iter().zip(values).map(|(state, &value)| {
        let node = heuristic.root(state).unwrap();
        let changes = slides(state).map(|slide| {
            let mut next = *state;
            next.make(slide);
            let afresh = values[numbers[&next]];
            let followed = heuristic.cost(&after(&heuristic, &node, slide).0);
            assert!(followed == afresh || name == "pair-distance", "{name}: {followed} at {next:?}, afresh {afresh}");
            value.abs_diff(afresh).max(value.abs_diff(followed))
        });
        changes.max().unwrap_or(0)
    });
    changes.max().unwrap()
}

/// Checks that promises are kept on all boards of a puzzle; returns the values, and the largest changes.
fn check(size: Size, home: Square) -> (Values, BTreeMap<&'static str, u32>) {
    let known = distances(size, home, u32::MAX);
    let numbers: FixedMap<State, usize> = known.states().iter().copied().zip(0..).collect();
    let true_distances = known.states().iter().map(|state| known.get(state).unwrap()).collect();
    let mut values = Values { distances: true_distances, of: BTreeMap::new() };
    let mut changes = BTreeMap::new();
    for about in AnyListed::abouts() {
        let heuristic = named(about.name, size, home);
        let of: Vec<u32> = known.states().par_iter().map(|state| bound(&heuristic, state)).collect();
        let change = largest_change(about.name, &of, &known, &numbers);
        values.of.insert(about.name, of);
        changes.insert(about.name, change);
        if about.promise.is_admissible() {
            assert_eq!(values.excesses(about.name), 0, "{} on {size}, home {home:?}", about.name);
        }
        if about.promise == Promise::Consistent {
            assert!(change <= 1, "{} changes by {change} on {size}, home {home:?}", about.name);
        }
    }
    let orders = [
        ("linear-conflict", "manhattan"),
        ("manhattan", "euclidean"),
        ("euclidean", "hamming"),
        ("gaschnig", "hamming"),
        ("linear-conflict", "pair-distance-full"),
        ("linear-conflict", "pair-distance"),
        ("pair-distance-full", "manhattan"),
        ("corner-tiles", "linear-conflict"),
        ("walking-distance", "manhattan"),
    ];
    for (large, small) in orders {
        assert!(values.dominates(large, small), "{large} is below {small} on {size}, home {home:?}");
    }
    assert_eq!(values.of["pair-distance"], values.of["pair-distance-full"], "both begin by Definition 4");
    (values, changes)
}

#[test]
fn on_every_3x3_board_promises_are_kept_and_no_smaller_ones_would_do() {
    for home in [Square(0), Square(1), Square(4)] {
        let (values, changes) = check(size(3, 3), home);
        assert_eq!(values.distances.len(), 181_440);
        for about in AnyListed::abouts() {
            match about.promise {
                Promise::Consistent => {}
                // Afresh, the pairs of three are consistent: what a node knows depends on the way, see the test below.
                Promise::Admissible if about.name == "pair-distance" => assert_eq!(changes[about.name], 1),
                Promise::Admissible => assert!(changes[about.name] > 1, "{} seems to be consistent", about.name),
                Promise::Nothing => assert!(values.excesses(about.name) > 0, "{} seems to be admissible", about.name),
            }
        }
        // Everything sees something that others do not.
        for (one, other) in [
            ("gaschnig", "manhattan"),
            ("gaschnig", "euclidean"),
            ("walking-distance", "corner-tiles"),
            ("corner-tiles", "walking-distance"),
            ("corner-tiles", "linear-conflict"),
            ("linear-conflict", "pair-distance-full"),
        ] {
            assert!(!values.dominates(other, one), "{one} is never above {other}, home {home:?}");
        }
    }
}

#[test]
fn on_every_small_board_with_every_home_promises_are_kept() {
    for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2), (2, 4)] {
        size(width, height).squares().for_each(|home| {
            check(size(width, height), home);
        });
    }
}

#[test]
fn what_bauers_pairs_know_depends_on_the_way_so_a_slide_can_change_it_by_three() {
    let heuristic = named("pair-distance", size(3, 3), Square(0));
    let mut random = Random::new(1);
    let mut state = State::solved(size(3, 3), Square(0));
    let mut node = heuristic.root(&state).unwrap();
    let jump = (0..1_000_000).find_map(|_| {
        let all: Vec<Slide> = slides(&state).collect();
        let slide = all[random.below(all.len() as u64) as usize];
        let before = heuristic.cost(&node);
        state.make(slide);
        node = after(&heuristic, &node, slide).0;
        (heuristic.cost(&node).abs_diff(before) > 1).then_some((before, heuristic.cost(&node)))
    });
    let (before, after) = jump.expect("a tile that was left alone finds a partner when it shifts");
    assert_eq!(after, before + 3);
}

#[test]
fn the_blank_aware_sum_exceeds_the_distance_already_one_move_from_the_goal() {
    let known = distances(size(3, 3), Square(0), u32::MAX);
    let heuristic = named("blank-aware", size(3, 3), Square(0));
    assert!(!heuristic.is_admissible());
    let witness = known.states().iter().find(|state| bound(&heuristic, state) > known.get(state).unwrap());
    let witness = witness.expect("it is not admissible");
    // One move away: 1 to come home, and the blank beside the tile.
    assert_eq!((known.get(witness), bound(&heuristic, witness)), (Some(1), 2));
    let excess = |state| bound(&heuristic, state).saturating_sub(known.get(state).unwrap());
    let worst = known.states().iter().map(excess).max();
    assert!(worst >= Some(10), "{worst:?}");
}

#[test]
fn on_korfs_hundred_boards_no_admissible_one_exceeds_the_shortest_solution() {
    let frame = blank_first();
    let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
    for about in AnyListed::abouts().into_iter().filter(|about| about.promise.is_admissible()) {
        let heuristic = named(about.name, frame.size(), frame.home());
        for korf in korf15() {
            let value = bound(&heuristic, &frame.state(&korf.board).unwrap());
            assert!(value <= korf.length, "{} on board {}", about.name, korf.id);
            assert!(about.name != "manhattan" || value == korf.manhattan());
            *sums.entry(about.name).or_default() += value;
        }
    }
    let expected = [
        ("hamming", 1_391),
        ("gaschnig", 1_533),
        ("euclidean", 3_024),
        ("manhattan", 3_705),
        ("pair-distance", 3_905),
        ("pair-distance-full", 3_905),
        ("linear-conflict", 3_909),
        ("walking-distance", 3_957),
        ("corner-tiles", 3_961),
    ];
    assert_eq!(sums, BTreeMap::from(expected), "as docs/heuristics.md has them; the solutions have 5,305 moves");
}

#[test]
fn on_short_walks_of_4x4_no_admissible_one_exceeds_the_true_distance() {
    for home in [Square(0), Square(5)] {
        let ball = Ball::new(size(4, 4), home, 13);
        let abouts = AnyListed::abouts();
        let all: Vec<AnyListed> = abouts.iter().map(|about| named(about.name, size(4, 4), home)).collect();
        (0..5_000_u64).into_par_iter().for_each(|seed| {
            let mut random = Random::new(seed);
            let mut state = State::solved(size(4, 4), home);
            let mut nodes: Vec<_> = all.iter().map(|heuristic| heuristic.root(&state).unwrap()).collect();
            let steps = random.below(24) as u32;
            let mut last = None;
            for _ in 0..steps {
                let ahead: Vec<Slide> = slides(&state).filter(|slide| Some(slide.tile) != last).collect();
                let slide = ahead[random.below(ahead.len() as u64) as usize];
                for (heuristic, node) in all.iter().zip(&mut nodes) {
                    *node = after(heuristic, node, slide).0;
                }
                state.make(slide);
                last = Some(slide.tile);
            }
            let distance = ball.meet(&state);
            assert!(distance <= steps);
            for (heuristic, node) in all.iter().zip(&nodes).filter(|(heuristic, _)| heuristic.is_admissible()) {
                let (followed, afresh) = (heuristic.cost(node), bound(heuristic, &state));
                assert!(followed.max(afresh) <= distance, "{} at {state:?}", heuristic.about().name);
            }
        });
    }
}

#[test]
fn names_and_boards_that_do_not_suit_are_refused_with_what_to_do() {
    let error = AnyListed::new("manhatten", size(4, 4), Square(0)).unwrap_err();
    let text = error.to_string();
    let expected = "no heuristic is called \"manhatten\": did you mean manhattan? expected one of hamming, gaschnig, ";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("manhattan, pair-distance, pair-distance-full, linear-conflict,"), "each name once: {text}");
    let error = AnyListed::new("walking-distance", size(5, 5), Square(0)).unwrap_err();
    assert!(matches!(error, ListError::DoesNotSuit { name: "walking-distance", .. }));
    let text = error.to_string();
    assert!(text.contains("does not suit 5x5 boards whose blank belongs in a corner: it takes boards"), "{text}");
}
