//! The search does what a plain depth-first search does: bound for bound it generates as many nodes, whatever the number of
//! threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;

use rayon::prelude::*;
use tilebase_heuristics::{Additive, Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::{AdditiveTable, AnyBitTable, NibbleTable, SmallBitTable};
use tilebase_progress::{Bound, Event};
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Random, State};
use tilebase_solve::{Algorithm, Automaton, Ida, Limit, Limits, Outcome, Request, Wanted};
use tilebase_tests::depth_first::{self, Searched};
use tilebase_tests::fixtures::{drawn, frame, ready, size};
use tilebase_tests::larger::Larger;

/// Puzzles with partitions, and how many random boards of each are searched.
const PUZZLES: [(&str, usize); 7] = [
    (".AA/BAA/BBB", 40),
    ("A.B/AAB/ABB", 40),
    ("AAB/A.B/ABB", 40),
    (".A/AA/AB/BB", 40),
    ("AA/.A/BB/AB", 40),
    (".AAB/AABB/CCCB", 6),
    (".AAC/AACC/ABCC/BBBB", 6),
];

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

fn search<H: Heuristic>(heuristic: &H, state: &State, automaton: bool, request: &Request<'_>) -> Outcome {
    Ida { automaton, ..Ida::FAST }.search(heuristic, state, request).expect("a solvable board has a bound")
}

/// Searches for all solutions end with a complete iteration: all their nodes are those of the plain search.
fn check_all<H: Heuristic>(heuristic: &H, state: &State) {
    let plain = depth_first::search(heuristic, state, None, usize::MAX);
    for threads in [1, 2, 4].map(threads) {
        let request = Request::default().wanted(Wanted::All).threads(threads);
        let solved = search(heuristic, state, true, &request).solved().expect("there is no limit");
        assert_eq!(Some(solved.length), plain.length, "{state:?}");
        assert_eq!(solved.count, plain.solutions, "{state:?}");
        assert_eq!(solved.effort.generated, plain.generated(), "{threads} threads, {state:?}: {plain:?}");
    }
}

/// With exactly the nodes of the first bounds, those are searched to their end and the next is begun. With one node less, they
/// are not.
fn check_first<H: Heuristic>(heuristic: &H, state: &State, use_automaton: bool) {
    let automaton = use_automaton.then(|| Automaton::of(state.size()));
    let plain = depth_first::search(heuristic, state, automaton, usize::MAX);
    let mut most = 1;
    for (number, Bound { bound, generated }) in plain.bounds.iter().enumerate() {
        most += generated;
        let limited = |nodes| {
            let limits = Limits::default().nodes(nodes);
            search(heuristic, state, use_automaton, &Request::default().limits(limits))
        };
        if let Some(next) = plain.bounds.get(number + 1) {
            let Outcome::Limited(reached) = limited(most) else { panic!("{state:?}: solved in spite of the limit") };
            assert_eq!((reached.limit, reached.at_least), (Limit::Nodes, next.bound), "{state:?}: {plain:?}");
            assert_eq!(reached.effort.generated, most, "{state:?}: {plain:?}");
            let Outcome::Limited(before) = limited(most - 1) else { panic!("{state:?}: solved in spite of the limit") };
            assert_eq!((before.limit, before.at_least), (Limit::Nodes, *bound), "{state:?}: {plain:?}");
        } else {
            let solved = limited(most).solved().expect("the nodes of the last bound are enough");
            assert_eq!(Some(solved.length), plain.length, "{state:?}");
        }
    }
}

fn check<H: Heuristic>(heuristic: &H, state: &State) {
    check_all(heuristic, state);
    check_first(heuristic, state, false);
    check_first(heuristic, state, true);
}

#[test]
fn every_bound_has_the_nodes_of_a_plain_search() {
    for (drawing, count) in PUZZLES {
        let partition = drawn(drawing);
        let frame = frame(partition.size(), partition.home());
        let bits = || ready(&partition, Kind::Bit);
        let nibbles = || ready(&partition, Kind::Nibble);
        let bit_one_view = Additive::<AdditiveTable, 4>::one_view(bits()).unwrap();
        let bit = Additive::<SmallBitTable, 16>::new(ready(&partition, Kind::Bit)).unwrap();
        let any = Additive::<AnyBitTable, 16>::new(ready(&partition, Kind::Bit)).unwrap();
        let nibble_one_view = Additive::<AdditiveTable, 4>::one_view(nibbles()).unwrap();
        let nibble = Additive::<NibbleTable, 16>::new(ready(&partition, Kind::Nibble)).unwrap();
        let both = Larger(
            Additive::<AdditiveTable, 4>::one_view(nibbles()).unwrap(),
            Additive::<AdditiveTable, 16>::new(bits()).unwrap(),
        );
        let manhattan = Manhattan::new(partition.size());
        let mut random = Random::new(count as u64);
        let boards: Vec<State> = (0..count)
            .map(|_| match partition.size().count() {
                // Near the goal, or a plain search takes too long.
                12.. => random.walk(frame.goal(), 70),
                _ => random.solvable_board(frame.goal()),
            })
            .map(|board| frame.state(&board).unwrap())
            .collect();
        boards.par_iter().for_each(|state| {
            check(&bit_one_view, state);
            check(&bit, state);
            check(&any, state);
            check(&nibble_one_view, state);
            check(&nibble, state);
            check(&both, state);
            check(&manhattan, state);
        });
    }
}

/// Watches a search until some large bounds are done, and returns them.
fn watched<H: Heuristic>(
    heuristic: &H,
    state: &State,
    threads: NonZeroUsize,
    automaton: bool,
    most: u64,
) -> Vec<Bound> {
    let done = Mutex::new(Vec::new());
    let watch = |event: &Event<'_>| {
        let Event::Searching(progress) = event else { return ControlFlow::Continue(()) };
        *done.lock().unwrap() = progress.done.to_vec();
        let generated: u64 = progress.done.iter().map(|bound| bound.generated).sum();
        assert!(progress.generated >= generated, "{progress:?}");
        if generated >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let request = Request::default().threads(threads).watch(&watch);
    let outcome = search(heuristic, state, automaton, &request);
    assert!(matches!(outcome, Outcome::Limited(_)), "the board is too hard to be solved");
    done.into_inner().unwrap()
}

#[test]
fn large_bounds_have_the_nodes_of_a_plain_search_with_any_number_of_threads() {
    let boards = korf15();
    let frame = frame(size(4, 4), tilebase_puzzle::Square(0));
    let hard = boards.iter().max_by_key(|korf| korf.nodes).unwrap();
    let state = frame.state(&hard.board).unwrap();
    let manhattan = Manhattan::new(size(4, 4));
    for automaton in [true, false] {
        let searches: Vec<Vec<Bound>> =
            [1, 2, 4].map(|count| watched(&manhattan, &state, threads(count), automaton, 1_000_000)).to_vec();
        let most_bounds = searches.iter().map(Vec::len).max().unwrap();
        let used = automaton.then(|| Automaton::of(size(4, 4)));
        let Searched { bounds, length, .. } = depth_first::search(&manhattan, &state, used, most_bounds);
        assert_eq!(length, None);
        for done in searches {
            assert_eq!(done, bounds[..done.len()]);
            assert!(done.iter().any(|bound| bound.generated > 300_000), "large enough for threads: {done:?}");
        }
    }
}
