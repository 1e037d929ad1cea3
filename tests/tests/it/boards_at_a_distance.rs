//! Random boards at an exact distance are at that distance.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tilebase::{Event, NotAtDistance, Solver, Tables, unwatched};
use tilebase_puzzle::{Board, Frame, Goal, Random, Size};
use tilebase_tests::naive::distances;

const TIME: Duration = Duration::from_secs(60);

fn solver(goal: &Goal, width: usize, height: usize, heuristic: &str) -> Solver {
    let frame = Frame::new(&goal.board(Size::new(width, height).unwrap()).unwrap());
    Solver::builder(frame.goal()).tables(Tables::Named(heuristic)).open().unwrap()
}

fn board_at(solver: &Solver, distance: u32, seed: u64) -> Result<Board, NotAtDistance> {
    solver.board_at(distance, &mut Random::new(seed), TIME, &unwatched)
}

#[test]
fn small_boards_are_as_far_as_a_naive_search_says_up_to_the_farthest() {
    for (goal, width, height) in [
        (Goal::BlankLast, 3, 3),
        (Goal::Snail, 3, 3),
        (Goal::BlankFirst, 2, 4),
        (Goal::BlankLast, 3, 2),
        (Goal::Snail, 2, 2),
    ] {
        let solver = solver(&goal, width, height, "manhattan");
        let frame = solver.frame();
        let known = distances(frame.size(), frame.home(), u32::MAX);
        let farthest = known.states().iter().filter_map(|state| known.get(state)).max().unwrap();
        for distance in 0..=farthest {
            for seed in 0..3 {
                let board = board_at(&solver, distance, seed).unwrap();
                assert_eq!(known.get(&frame.state(&board).unwrap()), Some(distance), "{board}");
            }
        }
        for distance in [farthest + 1, farthest + 2, 1000] {
            assert_eq!(board_at(&solver, distance, 0), Err(NotAtDistance::TooFar { distance, farthest }));
        }
    }
}

#[test]
fn the_watch_and_the_time_also_end_the_count_of_small_boards() {
    let solver = solver(&Goal::BlankLast, 3, 3, "manhattan");
    let polls = AtomicU32::new(0);
    let watch = |_: &Event<'_>| {
        if polls.fetch_add(1, Ordering::Relaxed) < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = solver.board_at(20, &mut Random::new(1), TIME, &watch).unwrap_err();
    assert!(matches!(stopped, NotAtDistance::NotFound { distance: 20, farthest: 4, .. }), "{stopped}");
    let late = solver.board_at(20, &mut Random::new(1), Duration::ZERO, &unwatched).unwrap_err();
    assert!(matches!(late, NotAtDistance::NotFound { farthest: 0, .. }), "{late}");
}

#[test]
fn every_small_board_at_a_distance_comes_up() {
    let solver = solver(&Goal::BlankLast, 3, 3, "manhattan");
    let boards: HashSet<Board> = (0..400).map(|seed| board_at(&solver, 5, seed).unwrap()).collect();
    assert_eq!(boards.len(), 20, "so many boards are five moves from the goal");
}

#[test]
fn boards_of_the_15_puzzle_are_at_any_distance_from_1_to_80() {
    let solver = solver(&Goal::BlankLast, 4, 4, "6-6-3");
    for distance in [0, 1, 2, 15, 30, 45, 53] {
        let board = board_at(&solver, distance, u64::from(distance)).unwrap();
        assert_eq!(solver.solve(&board).unwrap().length, distance, "{board}");
    }
    // Beyond 60 they are on the known ways from the farthest boards, whose ends are checked where they are read; here that they
    // have the right parity and a bound that allows the distance.
    for distance in 61..=80 {
        let board = board_at(&solver, distance, u64::from(distance)).unwrap();
        let bound = solver.bound(&solver.frame().state(&board).unwrap()).unwrap();
        assert!(bound <= distance && (distance - bound).is_multiple_of(2), "{board}");
        assert!(bound + 30 > distance, "{board} is far away");
    }
    let too_far = NotAtDistance::TooFar { distance: 81, farthest: 80 };
    assert_eq!(board_at(&solver, 81, 0), Err(too_far));
    let board = board_at(&solver, 61, 3).unwrap();
    assert_eq!(solver.solve(&board).unwrap().length, 61, "{board}");
}

#[test]
fn other_goals_and_sizes_have_boards_at_a_distance_too() {
    for (goal, width, height, distance) in [
        (Goal::Snail, 4, 4, 33),
        (Goal::BlankFirst, 4, 4, 40),
        (Goal::BlankLast, 5, 5, 30),
        (Goal::BlankLast, 2, 5, 40),
        (Goal::Snail, 4, 3, 35),
    ] {
        let solver = solver(&goal, width, height, "linear-conflict");
        let board = board_at(&solver, distance, 7).unwrap();
        assert_eq!(solver.solve(&board).unwrap().length, distance, "{board}");
    }
}

#[test]
fn a_seed_gives_the_same_board_by_any_heuristic() {
    let (a, b) = (solver(&Goal::BlankLast, 4, 4, "linear-conflict"), solver(&Goal::BlankLast, 4, 4, "6-6-3"));
    for seed in 0..5 {
        assert_eq!(board_at(&a, 30, seed), board_at(&b, 30, seed));
    }
    let boards: HashSet<Board> = (0..20).map(|seed| board_at(&b, 30, seed).unwrap()).collect();
    assert_eq!(boards.len(), 20);
}

#[test]
fn boards_of_the_24_puzzle_60_moves_away_are_found() {
    let solver = Solver::builder(&Goal::BlankLast.board(Size::new(5, 5).unwrap()).unwrap()).open().unwrap();
    for seed in [13, 34] {
        let board = board_at(&solver, 60, seed).unwrap();
        assert_eq!(solver.solve(&board).unwrap().length, 60, "{board}");
    }
}

#[test]
fn a_hunt_that_fails_has_not_seen_what_it_hunted_for() {
    let solver = solver(&Goal::BlankLast, 5, 5, "manhattan");
    let mut failed = 0;
    for seed in 0..30 {
        let time = Duration::from_millis(1 + 3 * seed);
        match solver.board_at(44, &mut Random::new(seed), time, &unwatched) {
            Err(NotAtDistance::NotFound { farthest, .. }) => {
                failed += 1;
                assert!(farthest < 44);
            }
            Err(other) => panic!("{other}"),
            Ok(board) => assert_eq!(solver.solve(&board).unwrap().length, 44),
        }
    }
    assert!(failed > 0, "the times are short");
}

#[test]
fn the_hunt_ends_when_told_and_says_how_far_it_came() {
    let solver = solver(&Goal::BlankLast, 5, 5, "manhattan");
    let short = Duration::from_millis(100);
    match solver.board_at(150, &mut Random::new(1), short, &unwatched) {
        Err(NotAtDistance::NotFound { distance: 150, farthest, time }) => {
            assert!(farthest < 150 && time >= short);
        }
        other => panic!("{other:?}"),
    }
    for distance in [1000, u32::MAX] {
        let ended = solver.board_at(distance, &mut Random::new(1), short, &unwatched);
        assert!(matches!(ended, Err(NotAtDistance::NotFound { .. })), "no walk is longer than it need be");
    }
    let patient = solver.board_at(10, &mut Random::new(1), Duration::MAX, &unwatched);
    assert!(patient.is_ok(), "however long one is ready to wait");
    let stop = |_: &Event<'_>| ControlFlow::Break(());
    let ended = solver.board_at(150, &mut Random::new(1), Duration::from_secs(3600), &stop);
    assert!(matches!(ended, Err(NotAtDistance::NotFound { .. })));
}
