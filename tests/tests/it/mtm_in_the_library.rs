//! What the library says in the metric `mtm`, held against a plain breadth-first search over boards: losses of solutions, better and better
//! solutions, bounds of many boards, boards at a distance.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use tilebase::lookup::Store;
use tilebase::{
    Board, Direction, Goal, Limits, Metric, MoveForm, Random, Request, Review, Size, Solver, TableSource, Tables,
    unwatched,
};

/// The boards one move away.
fn neighbours(board: &Board) -> Vec<Board> {
    let mut all = Vec::new();
    for direction in Direction::ALL {
        let mut after = *board;
        while after.slide(direction).is_ok() {
            all.push(after);
        }
    }
    all
}

/// How far every board is from a goal.
fn distances(goal: Board) -> HashMap<Board, u32> {
    let mut found = HashMap::from([(goal, 0)]);
    let mut level = vec![goal];
    for distance in 1.. {
        let mut next: Vec<Board> = level.iter().flat_map(neighbours).collect();
        next.retain(|board| {
            let is_new = !found.contains_key(board);
            found.entry(*board).or_insert(distance);
            is_new
        });
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

fn solver(goal: &Board, tables: &str) -> Solver {
    let source = TableSource::new(Store::compiled_in());
    Solver::builder(goal).metric(Metric::Mtm).tables(Tables::Named(tables)).source(&source).open().unwrap()
}

#[test]
fn reviews_find_every_move_that_loses_some() {
    let goal = Goal::BlankLast.board(Size::new(3, 3).unwrap()).unwrap();
    let distance = distances(goal);
    let solver = solver(&goal, "all:1,2,3,4");
    let mut random = Random::new(3);
    for _ in 0..60 {
        let board = random.solvable_board(&goal);
        // Moves of one or several tiles, good and bad ones, to the goal or not.
        let (mut here, mut slides) = (board, Vec::new());
        while distance[&here] > 0 && slides.len() < 60 {
            let direction = Direction::ALL[random.below(4) as usize];
            let mut there = here;
            let tiles = 1 + random.below(2) as usize;
            let made = (0..tiles).take_while(|_| there.slide(direction).is_ok()).count();
            if made > 0 && (distance[&there] < distance[&here] || random.below(8) == 0) {
                slides.extend(vec![direction; made]);
                here = there;
            }
        }
        let text = MoveForm::Tile.write(&slides, &board).unwrap();
        let mut review = Review::in_metric(Metric::Mtm, board, goal, &text, None).unwrap();
        review.find_losses(&solver, &Request::default()).unwrap();
        let losses = review.losses.as_ref().unwrap();
        let (mut here, mut expected) = (board, Vec::new());
        for (number, made) in (1..).zip(Metric::Mtm.moves(&slides)) {
            let after = here.replay(made).unwrap();
            let lost = distance[&after] + 1 - distance[&here];
            if lost > 0 {
                expected.push((number, here, distance[&here], made.to_vec(), lost));
            }
            here = after;
        }
        let found = losses.found.iter().map(|loss| (loss.number, loss.board, loss.left, loss.made.clone(), loss.lost));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{board} {text}");
        assert_eq!((losses.shortest(), losses.left), (Some(distance[&board]), Some(distance[&here])));
        assert_eq!(review.length, Metric::Mtm.length(&slides));
        if let Some(better) = review.better_moves() {
            assert_eq!((Metric::Mtm.length(&better), board.replay(&better)), (distance[&board], Ok(goal)));
        }
    }
}

#[test]
fn the_bounds_of_many_boards_are_those_of_each_and_never_too_large() {
    let goal = Goal::BlankLast.board(Size::new(3, 3).unwrap()).unwrap();
    let distance = distances(goal);
    let boards: Vec<Board> = distance.keys().copied().take(5000).collect();
    for (tables, is_exact) in [("all:1,2,3,4,5,6,7,8", true), ("all:1,2,3", false), ("walking-distance", false)] {
        let solver = solver(&goal, tables);
        let mut bounds = vec![0u8; boards.len()];
        solver.bounds_of_many(&boards[..], &mut bounds, &unwatched).unwrap();
        for (board, bound) in boards.iter().zip(bounds) {
            let bound = u32::from(bound);
            assert_eq!(bound, solver.bound_of(board).unwrap());
            assert!(if is_exact { bound == distance[board] } else { bound <= distance[board] }, "{board} by {tables}");
        }
    }
}

#[test]
fn better_and_better_solutions_end_with_a_shortest_one_or_say_how_far_they_can_be() {
    let goal = Goal::BlankLast.board(Size::new(3, 3).unwrap()).unwrap();
    let distance = distances(goal);
    let source = TableSource::new(Store::compiled_in());
    let mut random = Random::new(8);
    // No head start, and weak bounds: both searches have something to do.
    let builder = Solver::builder(&goal).metric(Metric::Mtm).tables(Tables::Named("all:1,2")).source(&source);
    let solver = builder.head_start(Duration::ZERO).open().unwrap();
    for _ in 0..20 {
        let board = random.solvable_board(&goal);
        let told = |best: &tilebase::Best| {
            let solution = best.solution.as_ref().unwrap();
            assert_eq!((best.length(), board.replay(solution)), (Some(Metric::Mtm.length(solution)), Ok(goal)));
            assert!(best.at_least <= distance[&board] && best.length().unwrap() >= distance[&board]);
            ControlFlow::Continue(())
        };
        let improved = solver.improve(&board, &Request::default(), &told).unwrap();
        assert_eq!((improved.best.length(), improved.limit), (Some(distance[&board]), None));
        let few = Request::default().limits(Limits::default().nodes(200));
        let improved = solver.improve(&board, &few, &|_| ControlFlow::Continue(())).unwrap();
        assert!(improved.best.at_least <= distance[&board]);
    }
}

#[test]
fn boards_at_a_distance_are_that_far() {
    for (width, height) in [(3, 3), (4, 3)] {
        let goal = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
        let solver = solver(&goal, "all:1,2,3,4,5");
        for distance in [0, 1, 7, 15] {
            let board = solver.board_at(distance, &mut Random::new(2), Duration::from_secs(60), &unwatched).unwrap();
            assert_eq!(solver.solve(&board).unwrap().length, distance, "{board}");
        }
    }
}
