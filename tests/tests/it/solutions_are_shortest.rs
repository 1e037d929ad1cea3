//! Solutions lead to the goal and none is shorter.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use rayon::prelude::*;
use tilebase::{Solver, Views};
use tilebase_heuristics::{Additive, Heuristic};
use tilebase_index::Kind;
use tilebase_lookup::{AdditiveTable, NibbleTable, Table};
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Board, Catalogue, Direction, Frame, Goal, Partition, Random};
use tilebase_solve::{Ida, Outcome, Request, Solved, Wanted};
use tilebase_tests::fixtures::{
    blank_first, by_heuristic, by_tables, by_tables_in, compiled_in, drawn, frame, manhattan, ready, size, tables,
};
use tilebase_tests::naive::{Ball, Distances, distances};

/// The 15-puzzle with tables of 5-5-5.
fn five_five_five(encoding: Kind) -> Solver {
    by_tables(&blank_first(), tables(Catalogue::known("5-5-5").unwrap().first(), encoding))
}

/// 3×3 with the usual goal, blank last.
fn blank_last() -> Frame {
    Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap())
}

fn small_tables(encoding: Kind) -> Vec<Table> {
    tables(&small(), encoding)
}

fn small() -> Partition {
    drawn(".AA/BAA/BBB")
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// The engine's solver, which chooses a search, or one with a certain heuristic.
trait Solve: Sync {
    fn frame(&self) -> &Frame;
    fn outcome(&self, board: &Board, request: &Request<'_>) -> Outcome;
}

impl Solve for Solver {
    fn frame(&self) -> &Frame {
        self.frame()
    }

    fn outcome(&self, board: &Board, request: &Request<'_>) -> Outcome {
        self.search(board, request).unwrap()
    }
}

impl<H: Heuristic> Solve for tilebase_solve::Solver<H> {
    fn frame(&self) -> &Frame {
        self.frame()
    }

    fn outcome(&self, board: &Board, request: &Request<'_>) -> Outcome {
        self.solve(board, request).unwrap()
    }
}

fn solve(solver: &impl Solve, board: &Board, request: &Request<'_>) -> Solved {
    solver.outcome(board, request).solved().expect("there is no limit")
}

/// Solves every `step`th state and compares lengths. Every solution is replayed once more.
fn check_lengths(solver: &impl Solve, known: &Distances, step: usize, request: &Request<'_>) {
    known.states().par_iter().step_by(step).for_each(|state| {
        let board = solver.frame().board(state);
        let answer = solve(solver, &board, request);
        assert_eq!((Some(answer.length), answer.optimal), (known.get(state), true), "{board}");
        assert_eq!((answer.count, answer.solutions.len()), (1, 1), "{board}");
        assert_eq!(answer.solutions[0].len() as u32, answer.length, "{board}");
        assert_eq!(board.replay(&answer.solutions[0]).as_ref(), Ok(solver.frame().goal()), "{board}");
    });
}

const WITHOUT_AUTOMATON: Ida = Ida { automaton: false, ..Ida::FAST };

/// All boards, with and without the automaton.
fn check_every_board<S: Solve>(by: impl Fn(Ida) -> S) {
    let solver = &by(Ida::default());
    let known = distances(solver.frame().size(), solver.frame().home(), u32::MAX);
    assert_eq!(known.states().len(), 181_440);
    check_lengths(solver, &known, 1, &Request::default());
    check_lengths(&by(WITHOUT_AUTOMATON), &known, 1, &Request::default());
    check_lengths(solver, &known, 59, &Request::default().threads(threads(2)));
}

#[test]
fn every_3x3_board_has_its_true_distance_by_bit_tables_through_one_view() {
    check_every_board(|ida| by_tables_in(&blank_last(), small_tables(Kind::Bit), Views::One, ida));
}

#[test]
fn every_3x3_board_has_its_true_distance_by_bit_tables_through_both_views() {
    check_every_board(|ida| by_tables_in(&blank_last(), small_tables(Kind::Bit), Views::All, ida));
}

#[test]
fn every_3x3_board_has_its_true_distance_by_nibble_tables_through_one_view() {
    check_every_board(|ida| {
        let heuristic = Additive::<NibbleTable, 2>::one_view(ready(&small(), Kind::Nibble)).unwrap();
        tilebase_solve::Solver::with_algorithm(blank_last(), heuristic, ida)
    });
}

#[test]
fn every_3x3_board_has_its_true_distance_by_nibble_tables_through_both_views() {
    check_every_board(|ida| {
        let heuristic = Additive::<AdditiveTable, 4>::new(ready(&small(), Kind::Nibble)).unwrap();
        tilebase_solve::Solver::with_algorithm(blank_last(), heuristic, ida)
    });
}

#[test]
fn manhattan_distance_finds_the_true_distance() {
    let solver = manhattan(&blank_last());
    let known = distances(solver.frame().size(), solver.frame().home(), u32::MAX);
    check_lengths(&solver, &known, 53, &Request::default());
}

/// Goals of 3×3 with the blank in each kind of place, and of rectangles.
fn other_goals(ida: Ida) -> Vec<Solver> {
    let snail = Frame::new(&Goal::Snail.board(size(3, 3)).unwrap());
    let edge = Frame::new(&"8 3 5 / 1 2 0 / 7 6 4".parse().unwrap());
    let high = Frame::new(&"1 2 / 3 0 / 5 6 / 7 4".parse().unwrap());
    let frames = [(snail, "AAB/A.B/ABB"), (edge, "A.B/AAB/ABB"), (high, "AB/.A/BB/AA")];
    let with_tables = frames.into_iter().flat_map(|(frame, drawing)| {
        let [bits, nibbles] =
            [Kind::Bit, Kind::Nibble].map(|kind| by_tables_in(&frame, tables(&drawn(drawing), kind), Views::All, ida));
        vec![bits, nibbles, by_heuristic(&frame, "manhattan", ida)]
    });
    with_tables.collect()
}

#[test]
fn goals_with_the_blank_elsewhere_are_reached_by_shortest_ways() {
    for (solver, without_automaton) in other_goals(Ida::default()).iter().zip(&other_goals(WITHOUT_AUTOMATON)) {
        let known = distances(solver.frame().size(), solver.frame().home(), u32::MAX);
        check_lengths(solver, &known, 29, &Request::default());
        check_lengths(without_automaton, &known, 101, &Request::default());
    }
}

/// Finds all solutions of every `step`th board, and counts them.
fn check_all_solutions(solver: &Solver, step: usize) {
    let known = distances(solver.frame().size(), solver.frame().home(), u32::MAX);
    let paths = known.shortest_paths();
    known.states().par_iter().step_by(step).for_each(|state| {
        let board = solver.frame().board(state);
        let all = solve(solver, &board, &Request::default().wanted(Wanted::All));
        assert_eq!((Some(all.length), all.count), (known.get(state), paths[state]), "{board}");
        let different: HashSet<&Vec<Direction>> = all.solutions.iter().collect();
        assert_eq!((different.len() as u64, all.solutions.len() as u64), (all.count, all.count), "{board}");
        for solution in &all.solutions {
            assert_eq!(solution.len() as u32, all.length, "{board}");
            assert_eq!(board.replay(solution).as_ref(), Ok(solver.frame().goal()), "{board}");
        }
    });
    known.states().par_iter().step_by(7 * step).for_each(|state| {
        let board = solver.frame().board(state);
        let counted = solve(solver, &board, &Request::default().wanted(Wanted::Count));
        let expected = (known.get(state).unwrap(), paths[state], vec![]);
        assert_eq!((counted.length, counted.count, counted.solutions), expected, "{board}");
        let several = solve(solver, &board, &Request::default().wanted(Wanted::Several(2)));
        assert_eq!((several.count, several.solutions.len() as u64), (paths[state], paths[state].min(2)), "{board}");
    });
}

#[test]
fn every_shortest_solution_of_every_3x3_board_is_found_once() {
    check_all_solutions(&by_tables(&blank_last(), small_tables(Kind::Bit)), 1);
}

#[test]
fn every_shortest_solution_is_found_once_wherever_the_blank_belongs() {
    check_all_solutions(&by_tables(&blank_last(), small_tables(Kind::Nibble)), 41);
    other_goals(Ida::default()).iter().for_each(|solver| check_all_solutions(solver, 97));
}

#[test]
fn ten_thousand_boards_near_the_goal_of_4x4_have_the_lengths_of_a_search_in_both_directions() {
    let solver = compiled_in();
    let ball = Ball::new(solver.frame().size(), solver.frame().home(), 19);
    let mut random = Random::new(15);
    // Few long walks: the search in both directions takes a tenth of a second for their ends.
    let moves = |number: usize| if number.is_multiple_of(100) { 40 } else { number % 31 };
    let walks: Vec<Board> = (0..10_000).map(|number| random.walk(solver.frame().goal(), moves(number))).collect();
    let lengths: Vec<u32> = walks
        .par_iter()
        .map(|board| {
            let length = ball.meet(&solver.frame().state(board).unwrap());
            assert_eq!(solve(&solver, board, &Request::default()).length, length, "{board}");
            length
        })
        .collect();
    assert!(lengths.iter().any(|&length| length > 30), "some are far");
}

/// Solves boards of Korf with one and with two threads.
fn check_korf(solver: &Solver, boards: &[KnownBoard]) {
    boards.par_iter().for_each(|korf| {
        for threads in [1, 2].map(threads) {
            let answer = solve(solver, &korf.board, &Request::default().threads(threads));
            assert_eq!((answer.length, answer.optimal), (korf.length, true), "board {}", korf.id);
            assert_eq!(answer.solutions[0].len() as u32, korf.length, "board {}", korf.id);
        }
    });
}

#[test]
fn all_hundred_boards_of_korf_have_the_known_lengths() {
    check_korf(&compiled_in(), &korf15());
}

#[test]
fn all_hundred_boards_of_korf_have_the_known_lengths_by_bit_tables_of_5_5_5() {
    check_korf(&five_five_five(Kind::Bit), &korf15());
}

#[test]
fn all_hundred_boards_of_korf_have_the_known_lengths_by_nibble_tables_of_5_5_5() {
    check_korf(&five_five_five(Kind::Nibble), &korf15());
}

#[test]
fn manhattan_distance_generates_exactly_the_published_number_of_nodes_in_the_plain_order() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    let solver = by_heuristic(&blank_first(), "manhattan", Ida::PLAIN);
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
fn all_threads_find_all_solutions_of_large_searches() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    let (tables, manhattan) = (five_five_five(Kind::Bit), manhattan(&blank_first()));
    for korf in &boards[..6] {
        let all = |solver: &Solver, count| {
            let request = Request::default().wanted(Wanted::All).threads(threads(count));
            let answer = solve(solver, &korf.board, &request);
            assert_eq!(answer.length, korf.length, "board {}", korf.id);
            answer.solutions
        };
        let expected = all(&tables, 1);
        assert!(!expected.is_empty());
        for count in [1, 2, 4, 7] {
            assert_eq!(all(&manhattan, count), expected, "board {} with {count} threads", korf.id);
        }
    }
}

#[test]
fn the_length_does_not_depend_on_the_number_of_threads() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    let solver = manhattan(&blank_first());
    for korf in &boards[5..15] {
        for count in [1, 2, 3, 7] {
            let answer = solve(&solver, &korf.board, &Request::default().threads(threads(count)));
            assert_eq!((answer.length, answer.optimal), (korf.length, true), "board {}", korf.id);
        }
    }
}

#[test]
fn a_weighted_solution_is_at_most_that_many_times_too_long() {
    let known = distances(size(3, 3), blank_last().home(), u32::MAX);
    let with_tables = by_tables(&blank_last(), small_tables(Kind::Bit));
    let plain = manhattan(&blank_last());
    for (text, thousandths) in [("1.1", 1100), ("1.5", 1500), ("2", 2000), ("5", 5000)] {
        let request = Request::default().weight(text.parse().unwrap());
        known.states().par_iter().step_by(97).for_each(|state| {
            let board = plain.frame().board(state);
            let shortest = known.get(state).unwrap();
            for solver in [&with_tables, &plain] {
                let answer = solve(solver, &board, &request);
                assert!(!answer.optimal, "{board}");
                assert!(shortest <= answer.length && 1000 * answer.length <= thousandths * shortest, "{board}: {text}");
                assert_eq!(board.replay(&answer.solutions[0]).as_ref(), Ok(solver.frame().goal()), "{board}");
            }
        });
    }
}

#[test]
fn weights_mean_nothing_where_all_solutions_are_wanted() {
    let solver = manhattan(&blank_last());
    let board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
    for wanted in [Wanted::All, Wanted::Count] {
        let request = Request::default().wanted(wanted).weight("5".parse().unwrap());
        let answer = solve(&solver, &board, &request);
        assert_eq!((answer.length, answer.count, answer.optimal), (31, 40, true));
    }
}

#[test]
fn a_solved_board_needs_no_moves_on_any_size_and_with_any_goal() {
    let sizes = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5), (2, 12), (12, 2), (3, 8), (8, 3)];
    for size in sizes.map(|(width, height)| size(width, height)) {
        for home in size.squares() {
            let solver = manhattan(&frame(size, home));
            for wanted in [Wanted::First, Wanted::All, Wanted::Count] {
                let outcome = solver.search(solver.frame().goal(), &Request::default().wanted(wanted)).unwrap();
                let Outcome::Solved(answer) = outcome else { panic!("{outcome:?}") };
                assert_eq!((answer.length, answer.count, answer.optimal), (0, 1, true), "{size}");
                let expected = if wanted == Wanted::Count { vec![] } else { vec![vec![]] };
                assert_eq!((answer.solutions, answer.effort.generated), (expected, 1), "{size}");
            }
        }
    }
}

#[test]
fn boards_of_all_shapes_near_their_goal_are_solved() {
    for (width, height) in [(2, 2), (2, 3), (3, 2), (2, 12), (12, 2), (5, 5), (3, 8), (8, 3), (4, 5), (6, 4)] {
        let size = size(width, height);
        for home in size.squares().step_by(size.count().div_ceil(5)) {
            let frame = frame(size, home);
            let near = distances(size, frame.home(), 9);
            let partition = Partition::winding(size, frame.home(), 2);
            let bits = by_tables(&frame, tables(&partition, Kind::Bit));
            let nibbles = by_tables_in(&frame, tables(&partition, Kind::Nibble), Views::One, Ida::default());
            let step = (near.states().len() / 300).max(1);
            for solver in [&bits, &nibbles, &manhattan(&frame)] {
                check_lengths(solver, &near, step, &Request::default().threads(threads(7)));
                near.states().par_iter().step_by(step).for_each(|state| {
                    let board = solver.frame().board(state);
                    let request = Request::default().wanted(Wanted::All).threads(threads(7));
                    let all = solve(solver, &board, &request);
                    assert_eq!(Some(all.length), near.get(state), "{board}");
                    assert!(all.count >= 1 && all.count == all.solutions.len() as u64, "{board}");
                });
            }
        }
    }
}
