//! Searches that are stopped at any moment and resume find the same, with the same nodes in complete bounds, in either metric.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_heuristics::runs::LineTables;
use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_progress::Event;
use tilebase_puzzle::{Pattern, Random, Size, Square, State};
use tilebase_solve::{Algorithm, Ida, Limit, NotPossible, Outcome, Request, Runs, Solved, Space, Wanted, Weight};
use tilebase_tests::fixtures::{KeptInMemory, line_tables, random_states, sum_of_compiled_in, threads};
use tilebase_tests::naive_mtm::random_walk;

/// Searches from a state.
type Search<'a> = &'a dyn Fn(&State, &Request<'_>) -> Outcome;

fn search_by<S: Space>(ida: Ida, space: &S) -> impl Fn(&State, &Request<'_>) -> Outcome {
    move |state, request| ida.search(space, state, request).unwrap()
}

/// Searches repeatedly, stopped after a random number of polls, on different numbers of threads, until it ends.
/// Returns how it ended and how often it was stopped while a bound was cut.
fn piece_by_piece(
    search: Search<'_>,
    state: &State,
    finish: bool,
    kept: &KeptInMemory,
    random: &mut Random,
) -> (Solved, usize) {
    let mut stopped_in_units = 0;
    for turn in 0.. {
        assert!(turn < 10_000, "it does not end");
        // Longer and longer, so that it ends even if a unit takes long.
        let most = random.below(20 + turn);
        let polls = AtomicU64::new(0);
        let watch = |event: &Event<'_>| {
            let polled = polls.fetch_add(1, Ordering::Relaxed);
            assert!(!matches!(event, Event::Searching(searching) if searching.units_done > searching.units));
            if polled < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let request = Request::default().threads(threads(1 + random.below(3) as usize)).finish_bound(finish);
        match search(state, &request.watch(&watch).keep(kept)) {
            // One that was stopped after the solution was found has not ended before the bound is finished.
            Outcome::Solved(solved) => return (solved, stopped_in_units),
            Outcome::Limited(limited) => {
                assert_eq!(limited.limit, Limit::Cancelled);
                stopped_in_units += usize::from(kept.units_done() > 0);
            }
        }
    }
    unreachable!()
}

fn check(search: Search<'_>, states: &[State], nodes_of_unit: u64) {
    let mut random = Random::new(7);
    let mut stopped_in_units = 0;
    for state in states {
        let at_once = |finish| {
            let request = Request::default().finish_bound(finish);
            search(state, &request).solved().unwrap()
        };
        let expected = at_once(true);
        assert_eq!(expected.effort.generated, expected.effort.generated_complete + 1, "the root, and whole bounds");
        for finish in [true, false] {
            let kept = KeptInMemory::new(nodes_of_unit);
            let (solved, stopped) = piece_by_piece(search, state, finish, &kept, &mut random);
            stopped_in_units += stopped;
            assert_eq!((solved.length, solved.optimal), (expected.length, true));
            let complete = at_once(finish).effort.generated_complete;
            assert_eq!(solved.effort.generated_complete, complete, "finish: {finish}");
            // Asked once more, it knows.
            let again = search(state, &Request::default().finish_bound(finish).keep(&kept)).solved().unwrap();
            assert_eq!(again.length, expected.length);
            if kept.units_done() > 0 {
                assert_eq!(again.effort.generated_to_first, solved.effort.generated_to_first, "finish: {finish}");
            }
        }
    }
    assert!(stopped_in_units >= 10, "it was stopped only {stopped_in_units} times in the middle of a bound");
}

#[test]
fn a_search_in_batches_goes_on() {
    check(&search_by(Ida::FAST, &sum_of_compiled_in()), &random_states(8, 3), 200);
}

#[test]
fn a_search_depth_first_goes_on() {
    let easy = random_states(60, 4);
    let manhattan = Manhattan::new(Size::new(4, 4).unwrap());
    let bound = |state: &&State| manhattan.cost(&manhattan.root(state).unwrap());
    let mut states: Vec<&State> = easy.iter().collect();
    states.sort_by_key(bound);
    let states: Vec<State> = states.into_iter().take(3).copied().collect();
    check(&search_by(Ida::FAST, &manhattan), &states, 5_000);
    check(&search_by(Ida { automaton: false, ..Ida::FAST }, &manhattan), &states[..2], 2_000);
}

#[test]
fn a_search_by_runs_of_tiles_goes_on() {
    let (size, home) = (Size::new(4, 4).unwrap(), Square(15));
    let mut random = Random::new(1);
    let states: Vec<State> = (0..4).map(|_| random_walk(&State::solved(size, home), 32, &mut random)).collect();
    let tables = line_tables(&Pattern::new(size, home, &[0, 1, 2, 3, 7]).unwrap());
    let runs = Runs(LineTables::<_, 16>::new(tables).unwrap());
    for ida in [Ida::FAST, Ida::PLAIN, Ida { automaton: false, ..Ida::FAST }] {
        check(&search_by(ida, &runs), &states, 200);
    }
}

#[test]
fn what_belongs_to_another_search_is_not_used() {
    let heuristic = sum_of_compiled_in();
    let [one, other] = random_states(2, 9)[..] else { panic!("two states were asked for") };
    let kept = KeptInMemory::new(200);
    let request = Request::default().keep(&kept);
    Ida::FAST.search(&heuristic, &one, &request).unwrap();
    let expected = Ida::FAST.search(&heuristic, &other, &Request::default()).unwrap().solved().unwrap();
    let bound = heuristic.cost(&heuristic.root(&other).unwrap());
    assert_ne!(kept.now().bounds[0].bound, bound, "they are told apart by that");
    let solved = Ida::FAST.search(&heuristic, &other, &request).unwrap().solved().unwrap();
    assert_eq!(solved.length, expected.length);
}

#[test]
fn only_one_shortest_solution_is_kept() {
    let kept = KeptInMemory::new(200);
    let request = Request::default().keep(&kept);
    let weight = Weight::new(3, 2).unwrap();
    for request in [request.wanted(Wanted::All), request.wanted(Wanted::Count), request.weight(weight)] {
        assert_eq!(Ida::FAST.check(&request, true), Err(NotPossible::Kept));
    }
    let astar = tilebase_solve::Astar.check(&Request::default().finish_bound(true), true);
    assert_eq!(astar, Err(NotPossible::Bounds("astar")));
}
