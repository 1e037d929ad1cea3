//! Every search against true distances, and against the others.

use rayon::prelude::*;
use tilebase_heuristics::{Additive, Heuristic, Manhattan};
use tilebase_index::Kind;
use tilebase_lookup::AdditiveTable;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Direction, Frame, Goal, Random, Square, State};
use tilebase_solve::{
    Algorithm, Astar, Bfs, Greedy, Ida, Ids, Nbs, Rbfs, Request, Solved, Solver, UniformCost, Wanted,
};
use tilebase_tests::fixtures::{blank_first, drawn, frame, ready, size};
use tilebase_tests::naive::{Ball, Distances, distances};
use tilebase_tests::textbook::Forgetful;

fn solve<H: Heuristic, A: Algorithm>(solver: &Solver<H, A>, state: &State, request: &Request<'_>) -> Solved {
    let board = solver.frame().board(state);
    solver
        .solve(&board, request)
        .unwrap_or_else(|error| panic!("{board}: {error}"))
        .solved()
        .expect("there is no limit")
}

/// Solves every so-manieth of the states, and looks at length, promise and counters.
fn check<H: Heuristic, A: Algorithm>(solver: &Solver<H, A>, known: &Distances, first: usize, step: usize) {
    known.states().par_iter().skip(first).step_by(step).for_each(|state| {
        let answer = solve(solver, state, &Request::default());
        assert_eq!((Some(answer.length), answer.optimal), (known.get(state), true), "{state:?}");
        assert_eq!((answer.count, answer.solutions.len()), (1, 1));
        assert_eq!(answer.solutions[0].len() as u32, answer.length);
        let effort = answer.effort;
        assert!(effort.generated >= effort.expanded && effort.expanded >= effort.reexpanded, "{effort:?}");
        assert!(effort.expanded >= u64::from(answer.length), "every state before the goal is expanded: {effort:?}");
        assert!(effort.peak_nodes > 0 || answer.length == 0, "{effort:?}");
        assert!(effort.peak_bytes >= effort.peak_nodes, "{effort:?}");
    });
}

/// The goals of 3×3 with the blank in a corner, at an edge and in the middle.
fn frames() -> [Frame; 3] {
    [0, 1, 4].map(|home| frame(size(3, 3), Square(home)))
}

fn by<A: Algorithm>(frame: &Frame, algorithm: A) -> Solver<Manhattan, A> {
    Solver::with_algorithm(frame.clone(), Manhattan::new(frame.size()), algorithm)
}

#[test]
fn searches_with_a_heuristic_find_the_true_distance_of_boards_of_every_goal() {
    for frame in frames() {
        let known = distances(size(3, 3), frame.home(), u32::MAX);
        check(&by(&frame, Astar), &known, 0, 31);
        check(&by(&frame, Nbs), &known, 1, 31);
        // It goes back and forth between far boards.
        check(&by(&frame, Rbfs), &distances(size(3, 3), frame.home(), 18), 2, 199);
    }
}

#[test]
fn searches_without_a_heuristic_find_the_true_distance_of_boards_of_every_goal() {
    for frame in frames() {
        let known = distances(size(3, 3), frame.home(), u32::MAX);
        check(&by(&frame, Bfs), &known, 0, 9007);
        check(&by(&frame, UniformCost), &known, 3, 9007);
        check(&by(&frame, Ids { graph: true }), &known, 1, 30_011);
        let near = distances(size(3, 3), frame.home(), 17);
        check(&by(&frame, Ids { graph: false }), &near, 2, 199);
    }
}

#[test]
fn searches_find_the_true_distance_with_tables() {
    let frame = frame(size(3, 3), Square(0));
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    // Those of the second kind are not consistent.
    for encoding in [Kind::Bit, Kind::Nibble] {
        let heuristic = || Additive::<AdditiveTable, 4>::new(ready(&drawn(".AA/BAA/BBB"), encoding)).unwrap();
        check(
            &Solver::with_algorithm(frame.clone(), heuristic(), Astar),
            &known,
            0,
            if encoding == Kind::Bit { 1 } else { 7 },
        );
        check(&Solver::with_algorithm(frame.clone(), heuristic(), Nbs), &known, 1, 307);
        check(&Solver::with_algorithm(frame.clone(), heuristic(), Rbfs), &known, 2, 4001);
    }
}

#[test]
fn boards_of_all_shapes_near_their_goal_are_solved() {
    for (width, height) in [(2, 2), (2, 3), (4, 3), (5, 5), (12, 2), (3, 8), (4, 5)] {
        let size = size(width, height);
        for home in size.squares().step_by(size.count().div_ceil(3)) {
            let frame = frame(size, home);
            let near = distances(size, frame.home(), 9);
            let step = (near.states().len() / 60).max(1);
            check(&by(&frame, Astar), &near, 0, step);
            check(&by(&frame, Bfs), &near, 0, step);
            check(&by(&frame, UniformCost), &near, 0, step);
            check(&by(&frame, Nbs), &near, 0, step);
            check(&by(&frame, Rbfs), &near, 0, step);
            check(&by(&frame, Ids { graph: false }), &near, 0, step);
            check(&by(&frame, Ids { graph: true }), &near, 0, step);
        }
    }
}

#[test]
fn walks_of_the_15_puzzle_are_solved_as_short_as_searches_that_meet_say() {
    let frame = blank_first();
    let ball = Ball::new(size(4, 4), frame.home(), 13);
    let mut random = Random::new(15);
    let states: Vec<State> = (0..24)
        .map(|_| {
            let mut state = State::solved(size(4, 4), frame.home());
            for _ in 0..70 {
                if let Some(slide) = state.slide_in(Direction::ALL[random.below(4) as usize]) {
                    state.make(slide);
                }
            }
            state
        })
        .collect();
    states.par_iter().for_each(|state| {
        let length = ball.meet(state);
        assert_eq!(solve(&by(&frame, Astar), state, &Request::default()).length, length);
        assert_eq!(solve(&by(&frame, Nbs), state, &Request::default()).length, length);
        assert_eq!(solve(&by(&frame, Rbfs), state, &Request::default()).length, length);
        if length <= 20 {
            assert_eq!(solve(&by(&frame, Bfs), state, &Request::default()).length, length);
            assert_eq!(solve(&by(&frame, Ids { graph: true }), state, &Request::default()).length, length);
        }
        if length <= 16 {
            assert_eq!(solve(&by(&frame, Ids { graph: false }), state, &Request::default()).length, length);
        }
    });
}

#[test]
fn easy_boards_of_korf_have_the_known_lengths() {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    let frame = blank_first();
    boards[..8].par_iter().for_each(|korf| {
        let state = frame.state(&korf.board).unwrap();
        assert_eq!(solve(&by(&frame, Astar), &state, &Request::default()).length, korf.length, "board {}", korf.id);
        assert_eq!(solve(&by(&frame, Nbs), &state, &Request::default()).length, korf.length, "board {}", korf.id);
    });
}

/// The same solutions as another search has, in the same order, and as many.
fn check_all<A: Algorithm>(frame: &Frame, algorithm: A, known: &Distances, step: usize) {
    assert!(algorithm.about().finds_all);
    let (solver, ida) = (by(frame, algorithm), by(frame, Ida::default()));
    known.states().par_iter().step_by(step).for_each(|state| {
        let wanted = |wanted| Request::default().wanted(wanted);
        let (all, expected) = (solve(&solver, state, &wanted(Wanted::All)), solve(&ida, state, &wanted(Wanted::All)));
        assert_eq!((all.length, all.count, &all.solutions), (expected.length, expected.count, &expected.solutions));
        let count = solve(&solver, state, &wanted(Wanted::Count));
        assert_eq!((count.length, count.count, count.solutions.len()), (all.length, all.count, 0));
        assert!(all.optimal && count.optimal);
        let several = solve(&solver, state, &wanted(Wanted::Several(3)));
        assert_eq!((several.count, several.solutions.len()), (all.count, all.solutions.len().min(3)));
        assert!(several.solutions.iter().all(|solution| all.solutions.contains(solution)));
    });
}

#[test]
fn searches_that_find_all_solutions_find_the_same() {
    for frame in frames() {
        let known = distances(size(3, 3), frame.home(), u32::MAX);
        check_all(&frame, Astar, &known, 997);
        check_all(&frame, Bfs, &known, 30_011);
        check_all(&frame, UniformCost, &known, 30_011);
        check_all(&frame, Ids { graph: false }, &distances(size(3, 3), frame.home(), 15), 31);
    }
    assert!(
        !Greedy.about().finds_all
            && !Nbs.about().finds_all
            && !Rbfs.about().finds_all
            && !Ids { graph: true }.about().finds_all
    );
}

#[test]
fn a_heuristic_that_forgets_costs_expansions_but_no_moves() {
    let frame = Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap());
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    let paths = known.shortest_paths();
    for by_path in [false, true] {
        let heuristic = || Forgetful::new(size(3, 3), by_path);
        let astar = Solver::with_algorithm(frame.clone(), heuristic(), Astar);
        check(&astar, &known, 3, 997);
        check(&Solver::with_algorithm(frame.clone(), heuristic(), Nbs), &known, 4, 997);
        check(
            &Solver::with_algorithm(frame.clone(), heuristic(), Rbfs),
            &distances(size(3, 3), frame.home(), 12),
            5,
            41,
        );
        let again: u64 = known
            .states()
            .par_iter()
            .step_by(3001)
            .map(|state| {
                let solved = solve(&astar, state, &Request::default().wanted(Wanted::Count));
                assert_eq!((Some(solved.length), solved.count), (known.get(state), paths[state]));
                solved.effort.reexpanded
            })
            .sum();
        assert!(again > 0, "some states are expanded before the shortest way to them is known");
    }
}

#[test]
fn weighted_solutions_are_at_most_that_many_times_too_long() {
    let frame = Frame::new(&Goal::BlankLast.board(size(3, 3)).unwrap());
    let known = distances(size(3, 3), frame.home(), u32::MAX);
    for text in ["1.1", "81/19", "2", "5", "1000"] {
        let request = Request::default().weight(text.parse().unwrap());
        let check = |solved: Solved, state: &State| {
            let shortest = known.get(state).unwrap();
            assert!(
                shortest <= solved.length && solved.length <= request.weight.longest(shortest),
                "{text}: {state:?}"
            );
            assert_eq!(solved.optimal, shortest == 0);
        };
        known.states().par_iter().step_by(997).for_each(|state| {
            check(solve(&by(&frame, Astar), state, &request), state);
            if known.get(state) <= Some(16) && request.weight.of_bound() <= 5 {
                check(solve(&by(&frame, Rbfs), state, &request), state);
            }
        });
    }
    assert!(Astar.about().uses_weight && Rbfs.about().uses_weight && !Nbs.about().uses_weight);
}
