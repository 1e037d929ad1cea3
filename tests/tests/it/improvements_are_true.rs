//! Better and better solutions: each is one, none is shorter than can be, no bound is above what is true, whenever it ends.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tilebase::{Best, Board, Event, Improved, Limit, Limits, Request, Search, SolveError, Solver, Tables, Weight};
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Frame, Random, Square};
use tilebase_solve::NotPossible;
use tilebase_tests::fixtures::{blank_first, compiled_in, frame, size};
use tilebase_tests::naive::distances;

fn threads(count: usize) -> Request<'static> {
    Request::default().threads(NonZeroUsize::new(count).unwrap())
}

/// A solver that looks for better and better solutions at once, so that there is something to see.
fn at_once(frame: &Frame, heuristic: &str) -> Solver {
    let builder = Solver::builder(frame.goal()).tables(Tables::Named(heuristic));
    builder.head_start(Duration::ZERO).open().unwrap()
}

/// Improves, and holds everything that is told against the true distance; returns how it ended and how often something was told.
fn improve(solver: &Solver, board: &Board, distance: u32, request: &Request<'_>) -> (Improved, usize) {
    let told: Mutex<Vec<Best>> = Mutex::default();
    let improved = solver.improve(board, request, &|best| {
        told.lock().unwrap().push(best.clone());
        ControlFlow::Continue(())
    });
    let improved = improved.unwrap();
    let told = told.into_inner().unwrap();
    for best in told.iter().chain([&improved.best]) {
        assert_true(solver, board, distance, best);
    }
    for pair in told.windows(2) {
        let [before, after] = pair else { unreachable!("they are pairs") };
        let is_better = (after.length(), before.at_least) < (before.length(), after.at_least);
        assert!(after.length() <= before.length() && before.at_least <= after.at_least && is_better, "{pair:?}");
    }
    if let Some(last) = told.last() {
        let ended = &improved.best;
        assert!(
            ended.length() <= last.length() && ended.at_least >= last.at_least,
            "{last:?}, but in the end {ended:?}"
        );
        // Only what was found while it was being stopped is not told.
        assert!(improved.limit.is_some() || (ended.length(), ended.at_least) == (last.length(), last.at_least));
    }
    (improved, told.len())
}

fn assert_true(solver: &Solver, board: &Board, distance: u32, best: &Best) {
    assert!(best.at_least <= distance, "{board}: {best:?}");
    if let Some(solution) = &best.solution {
        assert_eq!(board.replay(solution).as_ref(), Ok(solver.frame().goal()), "{board}");
        assert!(solution.len() as u32 >= distance, "{board}: {best:?}");
        assert_eq!(best.is_optimal(), best.at_least == solution.len() as u32);
    }
}

/// Every board of 3×3 takes minutes: `TILEBASE_ALL_IMPROVED=1`.
#[test]
fn on_boards_of_3x3_the_end_is_the_proof_and_everything_before_is_true() {
    let step = if std::env::var_os("TILEBASE_ALL_IMPROVED").is_some() { 1 } else { 37 };
    for home in [0, 4] {
        let frame = frame(size(3, 3), Square(home));
        let known = distances(size(3, 3), frame.home(), u32::MAX);
        let solver = at_once(&frame, "manhattan");
        known.states().par_iter().step_by(step).for_each(|state| {
            let (board, distance) = (frame.board(state), known.get(state).unwrap());
            let (improved, _) = improve(&solver, &board, distance, &threads(1 + distance as usize % 3));
            assert_eq!((improved.best.length(), improved.limit), (Some(distance), None), "{board}");
            assert!(improved.best.is_optimal());
        });
    }
}

#[test]
fn korfs_boards_end_with_the_published_lengths_with_a_head_start_and_without() {
    let mut told = 0;
    let builder = Solver::builder(blank_first().goal()).tables(Tables::Named("6-6-3"));
    let without = builder.head_start(Duration::ZERO).open().unwrap();
    for (solver, count) in [(&compiled_in(), 2), (&without, 1), (&without, 2)] {
        for korf in &korf15() {
            let (improved, times) = improve(solver, &korf.board, korf.length, &threads(count));
            assert_eq!((improved.best.length(), improved.limit), (Some(korf.length), None), "board {}", korf.id);
            told += times;
        }
    }
    assert!(told > 450, "some boards had more than one solution: {told}");
}

#[test]
fn a_thousand_walks_of_5x5_end_with_the_proof() {
    let frame = frame(size(5, 5), Square(0));
    let solver = at_once(&frame, "linear-conflict");
    (0..1000_u64).into_par_iter().for_each(|seed| {
        let board = Random::new(seed).walk(frame.goal(), 10 + seed as usize % 40);
        let distance = solver.solve(&board).unwrap().length;
        let (improved, _) = improve(&solver, &board, distance, &threads(1 + seed as usize % 2));
        assert_eq!((improved.best.length(), improved.limit), (Some(distance), None), "{board}");
    });
}

/// Boards whose distance is known, and a solver that does not prove it before our patience ends.
fn hard() -> (Solver, Vec<KnownBoard>) {
    let mut boards = korf15();
    boards.retain(|korf| korf.nodes > 1_000_000_000);
    (at_once(&blank_first(), "manhattan"), boards)
}

#[test]
fn stopped_at_any_moment_there_is_a_legal_solution_and_a_true_bound() {
    let (solver, boards) = hard();
    let mut random = Random::new(1);
    let mut with_solution = 0;
    for moment in 0..200_usize {
        let korf = &boards[moment % boards.len()];
        let time = Duration::from_micros(random.below(40_000));
        let request = threads(1 + moment % 3);
        let started = Instant::now();
        let (improved, expected) = match moment % 4 {
            0 => (
                improve(&solver, &korf.board, korf.length, &request.limits(Limits::default().time(time))).0,
                Limit::Time,
            ),
            1 => {
                let nodes = random.below(2_000_000);
                let limits = Limits::default().nodes(nodes);
                let improved = improve(&solver, &korf.board, korf.length, &request.limits(limits)).0;
                let generated = improved.best.effort.generated;
                assert!(generated <= nodes.max(2), "{generated} of {nodes}");
                (improved, Limit::Nodes)
            }
            2 => {
                let watch = |_: &Event<'_>| {
                    if started.elapsed() < time { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                (improve(&solver, &korf.board, korf.length, &request.watch(&watch)).0, Limit::Cancelled)
            }
            _ => {
                let left = AtomicU64::new(1 + random.below(4));
                let improved = solver.improve(&korf.board, &request, &|best| {
                    assert_true(&solver, &korf.board, korf.length, best);
                    if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                let improved = improved.unwrap();
                assert_true(&solver, &korf.board, korf.length, &improved.best);
                assert!(improved.best.solution.is_some(), "it was stopped by whom it was told");
                (improved, Limit::Cancelled)
            }
        };
        assert_eq!(improved.limit, Some(expected), "moment {moment}");
        // Much longer than it takes, because the machine has other things to do.
        assert!(started.elapsed() < time + Duration::from_secs(5), "moment {moment}");
        with_solution += u32::from(improved.best.solution.is_some());
    }
    assert!(with_solution > 150, "{with_solution} of 200 had a solution by then");
}

#[test]
fn memory_stays_within_its_limit_and_the_proof_goes_on_without_beams() {
    let (solver, boards) = hard();
    let korf = &boards[0];
    for megabytes in [1, 3, 20] {
        let limits = Limits::default().memory(megabytes << 20).time(Duration::from_millis(700));
        let (improved, _) = improve(&solver, &korf.board, korf.length, &threads(2).limits(limits));
        let peak = improved.best.effort.peak_bytes;
        assert!(peak <= megabytes << 20 && peak > megabytes << 14, "{peak} of {megabytes} MiB");
        assert!(improved.best.solution.is_some());
    }
}

#[test]
fn near_enough_is_an_end_without_a_limit() {
    let (solver, boards) = hard();
    for korf in boards.iter().take(5) {
        let weight: Weight = "1.5".parse().unwrap();
        let (improved, _) = improve(&solver, &korf.board, korf.length, &threads(2).weight(weight));
        let best = &improved.best;
        assert_eq!(improved.limit, None);
        assert!(best.is_within(weight) && best.gap().unwrap() <= 0.5, "{best:?}");
        assert!(!best.is_optimal(), "that would have taken much longer");
    }
}

#[test]
fn what_cannot_be_proven_is_refused() {
    let goal = *blank_first().goal();
    let open = |name, search: &str| {
        let search: Search = search.parse().unwrap();
        Solver::builder(&goal).tables(Tables::Named(name)).search(search).open().unwrap()
    };
    let improve =
        |solver: Solver| solver.improve(&korf15()[0].board, &Request::default(), &|_| ControlFlow::Continue(()));
    let too_large = improve(open("blank-aware", "ida")).unwrap_err();
    assert_eq!(too_large, SolveError::NotPossible(NotPossible::Shortest));
    let without_bounds = improve(open("manhattan", "astar")).unwrap_err();
    assert_eq!(without_bounds, SolveError::NotPossible(NotPossible::Bounds("astar")));
}
