//! Beam search against a plain one, and against true distances.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use rayon::prelude::*;
use tilebase_heuristics::{Additive, Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::AdditiveTable;
use tilebase_progress::Event;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Direction, Square, State};
use tilebase_solve::{Algorithm, Beam, Limit, Limited, Limits, Outcome, Request};
use tilebase_tests::fixtures::{blank_first, drawn, frame, ready, size};
use tilebase_tests::naive::{FixedSet, distances};

fn wide(width: usize) -> Request<'static> {
    Request::default().width(NonZeroUsize::new(width).unwrap())
}

fn limited(outcome: Option<Outcome>) -> Limited {
    match outcome.expect("there is a bound") {
        Outcome::Limited(limited) => limited,
        Outcome::Solved(solved) => panic!("solved in {} moves in spite of the limit", solved.length),
    }
}

/// What each stage says of a state.
fn values<H: Heuristic>(heuristic: &H, before: &State, direction: Direction) -> Vec<u32> {
    let root = heuristic.root(before).unwrap();
    let slide = before.slide_in(direction.opposite()).unwrap();
    let value = |stage| heuristic.finish(stage, &mut heuristic.begin(stage, &root, slide));
    (0..heuristic.stages()).map(value).collect()
}

/// The moves of the solution that a beam finds, and how many nodes it generates on the way: by lists that are searched and sorted.
fn plain_beam<H: Heuristic>(heuristic: &H, start: &State, width: usize, most: u32) -> Option<(u32, u64)> {
    let mut before: Vec<State> = Vec::new();
    let mut layer: Vec<(State, Option<Direction>)> = vec![(*start, None)];
    let mut generated = 1;
    for depth in 1..=most {
        let mut seen: FixedSet<State> = before.iter().copied().collect();
        let mut children: Vec<(u32, State, Direction)> = Vec::new();
        for &(parent, last) in &layer {
            // The blank goes in a direction, unless it came from there.
            for direction in Direction::ALL.into_iter().filter(|&direction| last != Some(direction.opposite())) {
                let Some(slide) = parent.slide_in(direction.opposite()) else { continue };
                generated += 1;
                let mut child = parent;
                child.make(slide);
                let values = values(heuristic, &parent, direction);
                let bound = values.iter().copied().max().unwrap();
                if depth + bound > most {
                    continue;
                }
                if child.is_solved() {
                    return Some((depth, generated));
                }
                if seen.insert(child) {
                    children.push((values.iter().sum::<u32>() + 2 * bound, child, direction));
                }
            }
        }
        // Those that cannot be told apart stay in their order; what is kept is in the order in which it was found.
        let mut ranks: Vec<(u32, usize)> = children.iter().map(|child| child.0).zip(0..).collect();
        ranks.sort_unstable();
        ranks.truncate(width);
        let mut kept: Vec<usize> = ranks.into_iter().map(|(_, place)| place).collect();
        kept.sort_unstable();
        before = layer.into_iter().map(|(state, _)| state).collect();
        layer = kept.into_iter().map(|place| (children[place].1, Some(children[place].2))).collect();
    }
    None
}

/// The plain one counts up to the goal, ours a batch of parents at a time.
fn assert_equal<H: Heuristic>(heuristic: &H, state: &State, width: usize, most: u32) {
    let request = wide(width).limits(Limits::default().length(most));
    match (Beam.search(heuristic, state, &request).unwrap(), plain_beam(heuristic, state, width, most)) {
        (Outcome::Solved(solved), Some((length, generated))) => {
            assert_eq!(solved.length, length, "{state:?} {width} {most}");
            let counted = solved.effort.generated;
            assert!((generated..generated + 4 * 64).contains(&counted), "{state:?} {width}: {generated} {counted}");
        }
        (Outcome::Limited(limited), None) => assert_eq!(limited.limit, Limit::Length),
        (ours, plain) => panic!("{state:?} {width} {most}: {ours:?} but {plain:?}"),
    }
}

#[test]
fn a_beam_finds_what_a_plain_one_finds() {
    let frame = frame(size(3, 3), Square(0));
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    let (manhattan, tables) = (
        Manhattan::new(size(3, 3)),
        Additive::<AdditiveTable, 4>::new(ready(&drawn(".AA/BAA/BBB"), Kind::Bit)).unwrap(),
    );
    assert_eq!(tables.stages(), 2, "two views, which the rank has to have both of");
    known.states().par_iter().skip(1).step_by(1999).for_each(|state| {
        for width in [1, 2, 7, 60, 500] {
            for most in [known.get(state).unwrap() - 1, known.get(state).unwrap() + 4, 60] {
                assert_equal(&manhattan, state, width, most);
                assert_equal(&tables, state, width, most);
            }
        }
    });
    let manhattan = Manhattan::new(size(4, 4));
    korf15().par_iter().step_by(23).for_each(|korf| {
        let state = blank_first().state(&korf.board).unwrap();
        assert_equal(&manhattan, &state, 40, 200);
        assert_equal(&manhattan, &state, 300, korf.length + 2);
    });
}

#[test]
fn a_beam_that_drops_nothing_is_a_proof_and_what_it_does_not_find_is_not_there() {
    let frame = frame(size(3, 3), Square(0));
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    let manhattan = Manhattan::new(size(3, 3));
    known.states().par_iter().skip(1).step_by(2503).for_each(|state| {
        let length = known.get(state).unwrap();
        let solved = Beam.search(&manhattan, state, &wide(200_000)).unwrap().solved().unwrap();
        assert_eq!((solved.length, solved.optimal), (length, true), "{state:?}");
        let shorter = wide(200_000).limits(Limits::default().length(length - 1));
        let none = limited(Beam.search(&manhattan, state, &shorter));
        assert_eq!((none.limit, none.at_least), (Limit::Length, length), "{state:?}");
        // A narrow one promises nothing, and is not shorter either.
        if let Outcome::Solved(narrow) = Beam.search(&manhattan, state, &wide(3)).unwrap() {
            assert!(narrow.length > length || narrow.length == length && !narrow.optimal || length < 4, "{state:?}");
        }
    });
}

#[test]
fn a_wide_beam_finds_the_same_with_any_number_of_threads() {
    let manhattan = Manhattan::new(size(4, 4));
    let korf = korf15().into_iter().min_by_key(|korf| korf.length).unwrap();
    let state = blank_first().state(&korf.board).unwrap();
    let found = |threads: usize| {
        let request = wide(70_000).threads(NonZeroUsize::new(threads).unwrap());
        let solved = Beam.search(&manhattan, &state, &request).unwrap().solved().unwrap();
        (solved.solutions, solved.effort.generated, solved.effort.expanded, solved.effort.peak_nodes)
    };
    let alone = found(1);
    assert!(alone.3 > 2 * 70_000, "it is as wide as it may be");
    for threads in [2, 3, 7] {
        assert_eq!(found(threads), alone, "{threads} threads");
    }
}

#[test]
fn beams_end_at_their_limits_and_take_no_more_memory_than_they_may() {
    let manhattan = Manhattan::new(size(4, 4));
    let korf = korf15().into_iter().max_by_key(|korf| korf.nodes).unwrap();
    let state = blank_first().state(&korf.board).unwrap();
    let search = |width: usize, limits: Limits| Beam.search(&manhattan, &state, &wide(width).limits(limits));
    for most in [0, 1, 10, 1000, 100_000] {
        let limited = limited(search(5000, Limits::default().nodes(most)));
        assert_eq!((limited.limit, limited.at_least), (Limit::Nodes, korf.manhattan()));
        assert!(limited.effort.generated <= most.max(1), "{most}: {:?}", limited.effort);
    }
    assert_eq!(limited(search(5000, Limits::default().time(Duration::ZERO))).limit, Limit::Time);
    let stopped = |_: &Event<'_>| ControlFlow::Break(());
    assert_eq!(limited(Beam.search(&manhattan, &state, &wide(5000).watch(&stopped))).limit, Limit::Cancelled);
    let (mut refused, mut solved) = (0, 0);
    for megabytes in [1, 2, 4, 8, 16, 64] {
        let most = megabytes << 20;
        match search(20_000, Limits::default().memory(most)).unwrap() {
            Outcome::Limited(limited) => {
                assert_eq!((limited.limit, limited.effort.peak_bytes), (Limit::Memory, 0), "before it begins");
                refused += 1;
            }
            Outcome::Solved(found) => {
                assert!(found.effort.peak_bytes <= most && found.effort.peak_bytes > most / 64, "{:?}", found.effort);
                solved += 1;
            }
        }
    }
    assert!(refused > 0 && solved > 0, "{refused} {solved}");
}

#[test]
fn the_wider_a_beam_the_shorter_its_solutions_on_the_whole() {
    let manhattan = Manhattan::new(size(4, 4));
    let boards = korf15();
    let moves = |width: usize| {
        let length = |korf: &tilebase_puzzle::known::KnownBoard| {
            let state = blank_first().state(&korf.board).unwrap();
            let solved = Beam.search(&manhattan, &state, &wide(width)).unwrap().solved().unwrap();
            assert!(solved.length >= korf.length && !solved.optimal && solved.length % 2 == korf.length % 2);
            solved.length
        };
        boards.par_iter().step_by(5).map(length).sum::<u32>()
    };
    let moves = [200, 2000, 20_000].map(moves);
    assert!(moves[0] > moves[1] && moves[1] > moves[2], "{moves:?}");
}
