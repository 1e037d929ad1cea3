//! Limits: nodes, time, cancellation and length.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tilebase::Solver;
use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_progress::{Event, until, unwatched};
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Frame, Goal, Slide, State};
use tilebase_solve::{Algorithm, Ida, Limit, Limited, Limits, Outcome, Request, Wanted, Weight};
use tilebase_tests::fixtures::{blank_first, by_tables, compiled_in, drawn, frame, manhattan, size, tables};
use tilebase_tests::naive::distances;

/// A board that the Manhattan distance does not solve before our patience ends.
fn hard() -> (Solver, KnownBoard) {
    let hardest = korf15().into_iter().max_by_key(|korf| korf.nodes).unwrap();
    (manhattan(&blank_first()), hardest)
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

fn nodes(most: u64) -> Limits {
    Limits::default().nodes(most)
}

fn limited(outcome: Outcome) -> Limited {
    match outcome {
        Outcome::Limited(limited) => limited,
        Outcome::Solved(answer) => panic!("solved in {} moves in spite of the limit", answer.length),
    }
}

#[test]
fn a_limit_of_length_ends_the_search_when_shorter_solutions_are_ruled_out_and_what_is_known_is_not_proven_again() {
    let solver = compiled_in();
    korf15().par_iter().take(20).for_each(|korf| {
        let search = |known: u32, most: u32| {
            let request = Request::default().at_least(known).limits(Limits::default().length(most));
            solver.search(&korf.board, &request).unwrap()
        };
        let shorter = limited(search(0, korf.length - 1));
        assert_eq!((shorter.limit, shorter.at_least), (Limit::Length, korf.length), "board {}", korf.id);
        let all = search(0, korf.length);
        let last = search(korf.length, korf.length);
        // The last iteration and those before it make the whole search; the root is counted in both.
        let (all_nodes, last_nodes) = (all.effort().generated, last.effort().generated);
        assert_eq!(all_nodes, last_nodes + shorter.effort.generated - 1, "board {}", korf.id);
        for outcome in [all, last] {
            assert_eq!(outcome.solved().unwrap().length, korf.length);
        }
    });
}

#[test]
fn a_node_limit_ends_the_search_with_a_lower_bound_that_is_true_and_grows() {
    let solver = compiled_in();
    korf15().par_iter().for_each(|korf| {
        let mut at_least = korf.manhattan();
        for most in [0, 1, 2, 10, 100, 1_000, 10_000, 100_000] {
            let outcome = solver.search(&korf.board, &Request::default().limits(nodes(most))).unwrap();
            match outcome {
                Outcome::Limited(limited) => {
                    assert_eq!(limited.limit, Limit::Nodes);
                    // The root is always there.
                    assert!(limited.effort.generated <= most.max(1), "board {}", korf.id);
                    assert!(at_least <= limited.at_least && limited.at_least <= korf.length, "board {}", korf.id);
                    at_least = limited.at_least;
                }
                Outcome::Solved(answer) => {
                    assert!(answer.effort.generated <= most && answer.length == korf.length, "board {}", korf.id);
                }
            }
        }
        assert!(at_least > korf.manhattan(), "board {}", korf.id);
    });
}

#[test]
fn no_node_is_generated_beyond_the_limit() {
    let solver = manhattan(&Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap()));
    let known = distances(size(3, 3), solver.frame().home(), u32::MAX);
    let board = solver.frame().board(&known.states()[100_000]);
    let search = |limits| solver.search(&board, &Request::default().limits(limits)).unwrap();
    let needed = search(Limits::default()).effort().generated;
    for most in 1..needed {
        let generated = limited(search(nodes(most))).effort.generated;
        // A batch of nodes is expanded together or not at all.
        assert!(generated <= most && most < generated + 32, "{generated} of {most}, {needed} needed");
    }
    assert!(search(nodes(needed)).solved().is_some(), "{needed} nodes are enough");
}

#[test]
fn no_node_is_generated_beyond_the_limit_with_any_number_of_threads() {
    let (solver, korf) = hard();
    for count in [1, 2, 7] {
        let mut at_least = 0;
        for most in [1, 1_000, 100_000, 1_000_000, 5_000_000] {
            for wanted in [Wanted::First, Wanted::Count] {
                let request = Request::default().limits(nodes(most)).threads(threads(count)).wanted(wanted);
                let limited = limited(solver.search(&korf.board, &request).unwrap());
                assert_eq!(limited.limit, Limit::Nodes);
                assert!(limited.effort.generated <= most, "{most} nodes, {count} threads");
                // What some threads were given others may have missed.
                assert!(limited.effort.generated + 5_000 * count as u64 > most, "{most} nodes, {count} threads");
                assert!(limited.effort.expanded <= limited.effort.generated);
                assert!(korf.manhattan() <= limited.at_least && limited.at_least <= korf.length);
                if wanted == Wanted::First {
                    assert!(at_least <= limited.at_least, "{most} nodes prove more than fewer");
                    at_least = limited.at_least;
                }
            }
        }
    }
}

#[test]
fn no_time_and_a_flag_that_is_set_end_the_search_before_it_begins() {
    let solver = compiled_in();
    let set = AtomicBool::new(true);
    let cancelled = until(&set);
    for korf in korf15() {
        let no_time = Limits::default().time(Duration::ZERO);
        let (no_time, cancelled) = (Request::default().limits(no_time), Request::default().watch(&cancelled));
        for (request, limit) in [(no_time, Limit::Time), (cancelled, Limit::Cancelled)] {
            let request = request.threads(threads(2));
            let limited = limited(solver.search(&korf.board, &request).unwrap());
            assert_eq!((limited.limit, limited.effort.generated), (limit, 1));
            assert!(korf.manhattan() <= limited.at_least && limited.at_least <= korf.length, "board {}", korf.id);
        }
        let request = cancelled.limits(nodes(0).time(Duration::ZERO));
        let outcome = solver.search(solver.frame().goal(), &request).unwrap();
        assert_eq!(outcome.solved().expect("a solved board needs no search").length, 0);
    }
}

/// Searches must end in a few milliseconds; a machine that has other things to do may take longer.
const SOON: Duration = Duration::from_secs(1);

#[test]
fn a_hard_search_ends_soon_after_its_time_is_over() {
    let (solver, korf) = hard();
    for count in [1, 2, 7] {
        let time = Duration::from_millis(100);
        let limits = Limits::default().time(time);
        let request = Request::default().limits(limits).threads(threads(count));
        let started = Instant::now();
        let limited = limited(solver.search(&korf.board, &request).unwrap());
        assert_eq!(limited.limit, Limit::Time);
        assert!((time..time + SOON).contains(&started.elapsed()), "{count} threads: {:?}", started.elapsed());
        assert!(limited.effort.time >= time && limited.at_least <= korf.length);
    }
}

#[test]
fn a_hard_search_ends_soon_after_it_is_cancelled() {
    let (solver, korf) = hard();
    for count in [1, 2, 7] {
        let when = std::sync::OnceLock::new();
        // Cancelled from within, at the first sign of life.
        let watch = |event: &Event<'_>| {
            if matches!(event, Event::Searching(_)) {
                when.get_or_init(Instant::now);
            }
            if when.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let request = Request::default().threads(threads(count)).watch(&watch);
        let limited = limited(solver.search(&korf.board, &request).unwrap());
        assert_eq!(limited.limit, Limit::Cancelled);
        let took = when.get().expect("it was watched").elapsed();
        assert!(took < SOON, "{count} threads: {took:?}");
    }
}

/// Starts and stops many searches whose threads often wait for work: none may wait for ever.
#[test]
fn threads_that_wait_for_work_hear_that_the_search_is_over() {
    let (solver, korf) = hard();
    (0..400_u64).into_par_iter().for_each(|number| {
        let limits = nodes(90_000 + 137 * number);
        let request = Request::default().limits(limits).threads(threads(2 + number as usize % 6));
        assert_eq!(limited(solver.search(&korf.board, &request).unwrap()).limit, Limit::Nodes);
    });
}

#[test]
fn what_a_search_tells_while_it_runs_is_true() {
    let (solver, korf) = hard();
    for count in [1, 2] {
        let told = AtomicU32::new(0);
        let last_bound = AtomicU32::new(0);
        let watch = |event: &Event<'_>| {
            let Event::Searching(progress) = event else { return unwatched(event) };
            told.fetch_add(1, Ordering::Relaxed);
            assert!(progress.bound >= last_bound.swap(progress.bound, Ordering::Relaxed));
            assert!(progress.bound <= korf.length && progress.generated >= progress.generated_in_bound);
            assert!(progress.done.iter().all(|done| done.bound < progress.bound));
            assert!(progress.done.is_sorted_by(|before, after| before.bound < after.bound));
            ControlFlow::Continue(())
        };
        let limits = Limits::default().time(Duration::from_millis(700));
        let request = Request::default().limits(limits).threads(threads(count)).watch(&watch);
        let limited = limited(solver.search(&korf.board, &request).unwrap());
        assert!(told.into_inner() > 0);
        assert!(last_bound.into_inner() <= limited.at_least);
    }
}

#[test]
fn large_weights_end_too() {
    let frame = frame(size(3, 3), tilebase_puzzle::Square(0));
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    let bits = by_tables(&frame, tables(&drawn(".AA/BAA/BBB"), Kind::Bit));
    for solver in [&bits, &manhattan(&frame)] {
        for weight in ["20", "100", "1000"] {
            let weight: Weight = weight.parse().unwrap();
            known.states().par_iter().step_by(499).for_each(|state| {
                let board = solver.frame().board(state);
                match solver.search(&board, &Request::default().weight(weight)).unwrap() {
                    Outcome::Solved(solved) => assert!(solved.length <= 1024, "{board}"),
                    Outcome::Limited(limited) => {
                        assert_eq!(limited.limit, Limit::Length, "{board}");
                        assert!(Some(limited.at_least) <= known.get(state), "{board}");
                    }
                }
            });
        }
    }
}

/// A heuristic of somebody who made a mistake.
struct Panics {
    manhattan: Manhattan,
    left: AtomicU32,
}

impl Heuristic for Panics {
    type Node = u32;
    type Step = u32;

    fn root(&self, state: &State) -> Option<u32> {
        self.manhattan.root(state)
    }

    fn cost(&self, node: &u32) -> u32 {
        *node
    }

    fn begin(&self, stage: usize, node: &u32, slide: Slide) -> u32 {
        self.manhattan.begin(stage, node, slide)
    }

    fn finish(&self, _stage: usize, step: &mut u32) -> u32 {
        assert_ne!(self.left.fetch_sub(1, Ordering::Relaxed), 0, "the mistake");
        *step
    }

    fn apply(&self, stage: usize, node: &mut u32, step: &u32) {
        self.manhattan.apply(stage, node, step);
    }
}

#[test]
fn a_panic_in_a_heuristic_ends_the_search_and_does_not_hang_it() {
    let (solver, korf) = hard();
    let state = solver.frame().state(&korf.board).unwrap();
    for count in [1, 2, 4] {
        let heuristic = Panics { manhattan: Manhattan::new(size(4, 4)), left: AtomicU32::new(1_000_000) };
        let request = Request::default().threads(threads(count));
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Ida::default().search(&heuristic, &state, &request)
        }));
        assert!(ended.is_err(), "{count} threads");
    }
}

#[test]
fn every_weight_with_three_digits_behind_the_point_is_read() {
    for thousandths in 1000..=10_000 {
        let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
        let weight: Weight = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let shown = text.trim_end_matches('0').trim_end_matches('.');
        assert_eq!(weight.to_string(), shown);
    }
}
