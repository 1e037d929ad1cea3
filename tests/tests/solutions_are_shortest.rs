//! Solutions lead to the goal and none is shorter.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use tilebase_format::Encoding;
use tilebase_lookup::{Store, Table};
use tilebase_puzzle::{Board, Catalogue, Direction, Frame, Goal, Random};
use tilebase_solve::{
    Additive, Heuristic, Limit, Limited, Limits, Manhattan, Outcome, Request, Solved, Solver, Wanted, Weight,
};
use tilebase_tests::fixtures::{drawn, size, tables};
use tilebase_tests::korf15;
use tilebase_tests::naive::{Distances, distances};

fn blank_first() -> Frame {
    Frame::new(&Goal::BlankFirst.board(size(4, 4)).unwrap())
}

/// The 15-puzzle with the tables that are part of the program.
fn compiled_in() -> Solver<Additive<Table>> {
    let store = Store::compiled_in();
    let partition = Catalogue::known("6-6-3").unwrap().partition;
    let tables = partition.patterns().iter().map(|pattern| store.find(pattern).unwrap().expect("6-6-3 is compiled in"));
    Solver::new(blank_first(), Additive::new(tables.collect()).unwrap())
}

/// 3×3 with the usual goal, blank last, and the distance of every state.
fn small<H: Heuristic>(heuristic: H) -> (Solver<H>, Distances) {
    let frame = Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap());
    let known = distances(frame.size(), frame.home(), u32::MAX);
    (Solver::new(frame, heuristic), known)
}

fn small_tables(encoding: Encoding) -> Vec<Table> {
    tables(&drawn(".AA/BAA/BBB"), encoding)
}

fn solve<H: Heuristic>(solver: &Solver<H>, board: &Board, request: &Request<'_>) -> Solved {
    solver.solve(board, request).unwrap().solved().expect("there is no limit")
}

fn wanted(wanted: Wanted) -> Request<'static> {
    Request { wanted, ..Request::default() }
}

fn assert_leads_to_goal<H: Heuristic>(solver: &Solver<H>, board: &Board, solution: &[Direction]) {
    assert_eq!(board.replay(solution).as_ref(), Ok(solver.frame().goal()), "from {board}");
}

/// Solves every `step`th state and compares lengths.
fn check_lengths<H: Heuristic>(solver: &Solver<H>, known: &Distances, step: usize) {
    known.states().par_iter().step_by(step).for_each(|state| {
        let board = solver.frame().board(state);
        let answer = solve(solver, &board, &Request::default());
        assert_eq!((Some(answer.length), answer.optimal), (known.get(state), true), "{board}");
        assert_eq!((answer.count, answer.solutions.len()), (1, 1), "{board}");
        assert_eq!(answer.solutions[0].len() as u32, answer.length, "{board}");
        assert_leads_to_goal(solver, &board, &answer.solutions[0]);
    });
}

#[test]
fn all_hundred_boards_of_korf_have_the_known_lengths() {
    let solver = compiled_in();
    korf15().par_iter().for_each(|korf| {
        let answer = solve(&solver, &korf.board, &Request::default());
        assert_eq!((answer.length, answer.optimal), (korf.length, true), "board {}", korf.id);
        assert_eq!(answer.solutions[0].len() as u32, korf.length, "board {}", korf.id);
        assert_leads_to_goal(&solver, &korf.board, &answer.solutions[0]);
    });
}

#[test]
fn manhattan_distance_generates_exactly_the_known_number_of_nodes() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    let solver = Solver::new(blank_first(), Manhattan::new(size(4, 4)));
    let found: Vec<(u32, u32, u64)> = boards[..20]
        .par_iter()
        .map(|korf| {
            let answer = solve(&solver, &korf.board, &Request::default());
            (korf.id, answer.length, answer.effort.generated)
        })
        .collect();
    let expected: Vec<(u32, u32, u64)> = boards[..20].iter().map(|korf| (korf.id, korf.length, korf.nodes)).collect();
    assert_eq!(found, expected, "number, length and nodes of the boards");
}

#[test]
fn bit_tables_find_the_true_distance_through_one_view_and_through_both() {
    let (one, known) = small(Additive::one_view(small_tables(Encoding::Bit)).unwrap());
    check_lengths(&one, &known, 5);
    let (both, known) = small(Additive::new(small_tables(Encoding::Bit)).unwrap());
    check_lengths(&both, &known, 5);
}

#[test]
fn nibble_tables_find_the_true_distance_through_one_view_and_through_both() {
    let (one, known) = small(Additive::one_view(small_tables(Encoding::Nibble)).unwrap());
    check_lengths(&one, &known, 5);
    let (both, known) = small(Additive::new(small_tables(Encoding::Nibble)).unwrap());
    check_lengths(&both, &known, 5);
}

#[test]
fn manhattan_distance_finds_the_true_distance() {
    let (solver, known) = small(Manhattan::new(size(3, 3)));
    check_lengths(&solver, &known, 53);
}

#[test]
fn goals_with_the_blank_elsewhere_are_reached_by_shortest_ways() {
    let snail = Frame::new(&Goal::Snail.board(size(3, 3)).unwrap());
    let edge = Frame::new(&"8 3 5 / 1 2 0 / 7 6 4".parse().unwrap());
    for (frame, drawing) in [(snail, "AAB/A.B/ABB"), (edge, "A.B/AAB/ABB")] {
        let known = distances(frame.size(), frame.home(), u32::MAX);
        let solver = Solver::new(frame, Additive::new(tables(&drawn(drawing), Encoding::Bit)).unwrap());
        check_lengths(&solver, &known, 11);
    }
}

#[test]
fn every_shortest_solution_is_found_once() {
    let (solver, known) = small(Additive::new(small_tables(Encoding::Bit)).unwrap());
    let paths = known.shortest_paths();
    known.states().par_iter().step_by(41).for_each(|state| {
        let board = solver.frame().board(state);
        let all = solve(&solver, &board, &wanted(Wanted::All));
        assert_eq!((Some(all.length), all.count), (known.get(state), paths[state]), "{board}");
        let different: HashSet<&Vec<Direction>> = all.solutions.iter().collect();
        assert_eq!((different.len() as u64, all.solutions.len() as u64), (all.count, all.count), "{board}");
        for solution in &all.solutions {
            assert_eq!(solution.len() as u32, all.length, "{board}");
            assert_leads_to_goal(&solver, &board, solution);
        }
        let counted = solve(&solver, &board, &wanted(Wanted::Count));
        assert_eq!((counted.length, counted.count, counted.solutions), (all.length, all.count, vec![]), "{board}");
    });
}

#[test]
fn a_weighted_solution_is_at_most_that_many_times_too_long() {
    let (solver, known) = small(Additive::new(small_tables(Encoding::Bit)).unwrap());
    let (plain, _) = small(Manhattan::new(size(3, 3)));
    for (text, thousandths) in [("1.5", 1500), ("2", 2000), ("5", 5000)] {
        let request = Request { weight: text.parse::<Weight>().unwrap(), ..Request::default() };
        known.states().par_iter().step_by(97).for_each(|state| {
            let board = solver.frame().board(state);
            let shortest = known.get(state).unwrap();
            for answer in [solve(&solver, &board, &request), solve(&plain, &board, &request)] {
                assert!(!answer.optimal, "{board}");
                assert!(shortest <= answer.length && 1000 * answer.length <= thousandths * shortest, "{board}: {text}");
                assert_leads_to_goal(&solver, &board, &answer.solutions[0]);
            }
        });
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

fn limited(outcome: Outcome) -> Limited {
    match outcome {
        Outcome::Limited(limited) => limited,
        Outcome::Solved(answer) => panic!("solved in {} moves in spite of the limit", answer.length),
    }
}

#[test]
fn a_node_limit_ends_the_search_with_a_true_lower_bound() {
    let solver = compiled_in();
    korf15().par_iter().for_each(|korf| {
        let mut at_least = korf.manhattan;
        for most in [0, 1, 2, 10, 100, 1_000] {
            let limits = Limits { nodes: Some(most), ..Limits::default() };
            let outcome = solver.solve(&korf.board, &Request { limits, ..Request::default() }).unwrap();
            match outcome {
                Outcome::Limited(limited) => {
                    assert_eq!(limited.limit, Limit::Nodes);
                    assert!(at_least <= limited.at_least && limited.at_least <= korf.length, "board {}", korf.id);
                    at_least = limited.at_least;
                }
                Outcome::Solved(answer) => {
                    assert!(answer.effort.generated <= most && answer.length == korf.length, "board {}", korf.id);
                }
            }
        }
    });
}

#[test]
fn no_node_is_generated_beyond_the_limit() {
    let (solver, known) = small(Manhattan::new(size(3, 3)));
    let board = solver.frame().board(&known.states()[100_000]);
    let needed = solve(&solver, &board, &Request::default()).effort.generated;
    for most in 1..needed {
        let limits = Limits { nodes: Some(most), ..Limits::default() };
        let outcome = solver.solve(&board, &Request { limits, ..Request::default() }).unwrap();
        assert_eq!(limited(outcome).effort.generated, most, "of {needed} needed");
    }
    let limits = Limits { nodes: Some(needed), ..Limits::default() };
    let outcome = solver.solve(&board, &Request { limits, ..Request::default() }).unwrap();
    assert!(outcome.solved().is_some(), "{needed} nodes are enough");
}

#[test]
fn no_time_and_a_flag_that_is_set_end_the_search_before_it_begins() {
    let solver = compiled_in();
    let set = AtomicBool::new(true);
    for korf in korf15() {
        let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let cancelled = Limits { cancel: Some(&set), ..Limits::default() };
        for (limits, limit) in [(no_time, Limit::Time), (cancelled, Limit::Cancelled)] {
            let outcome = solver.solve(&korf.board, &Request { limits, ..Request::default() }).unwrap();
            let limited = limited(outcome);
            assert_eq!(limited.limit, limit);
            assert!(korf.manhattan <= limited.at_least && limited.at_least <= korf.length, "board {}", korf.id);
        }
    }
}

#[test]
fn a_search_without_end_stops_when_told_and_when_its_time_is_over() {
    let goal = Goal::BlankLast.board(size(5, 5)).unwrap();
    let board = Random::new(1).solvable_board(&goal);
    let solver = Solver::new(Frame::new(&goal), Manhattan::new(goal.size()));
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let outcome = solver.solve(&board, &Request { limits, ..Request::default() }).unwrap();
    assert_eq!(limited(outcome).limit, Limit::Time);

    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            cancel.store(true, Ordering::Relaxed);
        });
        let limits = Limits { cancel: Some(&cancel), ..Limits::default() };
        let outcome = solver.solve(&board, &Request { limits, ..Request::default() }).unwrap();
        assert_eq!(limited(outcome).limit, Limit::Cancelled);
    });
}
