//! Where solutions lose moves, held against the distances of all boards, which a plain breadth-first search knows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::json;
use tilebase::lookup::Store;
use tilebase::puzzle::{Board, Direction, Goal, MoveForm, Random, Size};
use tilebase::solve::{Limit, Limits, Outcome, Request, Weight, batch};
use tilebase::{Losses, Metric, Review, Solver, TableSource, Tables};

/// How far every board is from a goal.
struct Distances {
    boards: Vec<Board>,
    distance: HashMap<Board, u32>,
}

fn slid(board: &Board, direction: Direction) -> Board {
    let mut after = *board;
    after.slide(direction).unwrap();
    after
}

impl Distances {
    fn new(goal: Board) -> Distances {
        let mut found = Distances { boards: vec![goal], distance: HashMap::from([(goal, 0)]) };
        let mut next = 0;
        while let Some(board) = found.boards.get(next).copied() {
            next += 1;
            let distance = found.distance[&board] + 1;
            for after in board.slides().map(|direction| slid(&board, direction)) {
                if let Entry::Vacant(unseen) = found.distance.entry(after) {
                    unseen.insert(distance);
                    found.boards.push(after);
                }
            }
        }
        found
    }

    /// Random moves from a board, some of them taken back; then, if it is to be solved, moves to the goal of which one in ten is
    /// any move.
    fn attempt(&self, board: &Board, solved: bool, random: &mut Random) -> Vec<Direction> {
        let mut moves = Vec::new();
        let mut here = *board;
        for _ in 0..random.below(12) {
            let choices: Vec<Direction> = here.slides().collect();
            moves.push(choices[random.below(choices.len() as u64) as usize]);
            here = slid(&here, moves[moves.len() - 1]);
        }
        while solved && self.distance[&here] > 0 {
            let is_nearer = |direction: &Direction| self.distance[&slid(&here, *direction)] < self.distance[&here];
            let any = random.below(10) == 0;
            let choices: Vec<Direction> = here.slides().filter(|direction| any || is_nearer(direction)).collect();
            moves.push(choices[random.below(choices.len() as u64) as usize]);
            here = slid(&here, moves[moves.len() - 1]);
        }
        moves
    }

    /// Compares a review with the distances of all boards on the way.
    fn check(&self, review: &Review) {
        let losses = review.losses.as_ref().unwrap();
        let moves = &review.moves.slides;
        let mut expected = Vec::new();
        let mut here = review.board;
        for (number, &made) in (1..).zip(moves) {
            let after = slid(&here, made);
            if self.distance[&after] > self.distance[&here] {
                expected.push((number, here, self.distance[&here], vec![made], 2));
            }
            here = after;
        }
        let (start, end) = (self.distance[&review.board], self.distance[&here]);
        let found = losses.found.iter().map(|loss| (loss.number, loss.board, loss.left, loss.made.clone(), loss.lost));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{} {:?}", review.board, moves);
        assert_eq!((losses.shortest(), losses.left, losses.limit), (Some(start), Some(end), None));
        // Each loss adds up to the difference.
        assert_eq!(losses.lost(), Some(losses.found.iter().map(|loss| loss.lost).sum()));
        assert_eq!(losses.lost(), Some(moves.len() as u32 + end - start));
        assert_eq!((losses.lost_at_least(), losses.lost_at_most()), (losses.lost().unwrap(), losses.lost()));
        assert_eq!((losses.known_from, review.solves()), (1, end == 0));
        for loss in &losses.found {
            let better = loss.better.as_ref().unwrap();
            assert_eq!((better.len() as u32, loss.better_move(Metric::Stm)), (loss.left, better.get(..1)));
            assert_eq!(loss.board.replay(better).as_ref(), Ok(&review.goal));
        }
        assert_eq!(review.better_moves().is_some(), !expected.is_empty());
        if let Some(better) = review.better_moves() {
            assert_eq!(better.len() as u32, start);
            assert_eq!(review.board.replay(&better), Ok(review.goal));
        }
    }
}

fn solver(goal: &Board, heuristic: &str) -> Solver {
    let source = TableSource::new(Store::compiled_in());
    Solver::builder(goal).tables(Tables::Named(heuristic)).source(&source).open().unwrap()
}

/// Random walks from every `step`th board, solved and not, by some heuristics.
fn check_every(goal: &Board, heuristics: &[&str], step: usize, seed: u64) {
    let distances = Distances::new(*goal);
    let solvers: Vec<Solver> = heuristics.iter().map(|heuristic| solver(goal, heuristic)).collect();
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let numbered = distances.boards.iter().enumerate().skip(seed as usize % step).step_by(step);
    let check = |(number, board): (usize, &Board)| {
        let mut random = Random::new(seed + number as u64);
        let moves = distances.attempt(board, !number.is_multiple_of(3), &mut random);
        let form = MoveForm::ALL[number % 4];
        let text = form.write(&moves, board).unwrap();
        let mut review = Review::new(*board, *goal, &text, Some(form)).unwrap();
        assert_eq!((review.is_legal(), &review.moves.slides), (true, &moves));
        review.find_losses(&solvers[number % solvers.len()], &Request::default()).unwrap();
        distances.check(&review);
        review.losses.unwrap().searches
    };
    let (mut searches, mut reviews) = (0, 0);
    batch::run(threads, false, numbered, check, |more| {
        searches += more;
        reviews += 1;
        true
    });
    assert_eq!(reviews, (distances.boards.len() - seed as usize % step).div_ceil(step));
    println!("{reviews} solutions, {searches} searches");
    assert!(searches > 0, "bounds alone prove nothing here");
}

/// Of the 181,440 boards every 16th, another one of them for each seed; `TILEBASE_ALL_WALKS=1` checks all.
#[test]
fn losses_of_3x3_are_where_the_distances_say() {
    let step = if std::env::var_os("TILEBASE_ALL_WALKS").is_some() { 1 } else { 16 };
    let size = Size::new(3, 3).unwrap();
    check_every(
        &Goal::BlankLast.board(size).unwrap(),
        &["manhattan", "linear-conflict", "walking-distance", "hamming"],
        step,
        5,
    );
}

#[test]
fn losses_of_other_sizes_and_goals_are_where_the_distances_say() {
    for (width, height) in [(2, 2), (2, 3), (3, 2)] {
        let size = Size::new(width, height).unwrap();
        for goal in [Goal::BlankLast, Goal::BlankFirst, Goal::Snail] {
            check_every(&goal.board(size).unwrap(), &["hamming", "manhattan"], 1, 9);
        }
    }
    let size = Size::new(4, 2).unwrap();
    check_every(&Goal::BlankFirst.board(size).unwrap(), &["manhattan", ".AAB/AABB"], 3, 1);
}

/// On 4×4 no list of all distances is there: each board of a solution is solved by itself.
#[test]
fn losses_of_4x4_are_where_solving_each_board_says() {
    let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
    let solver = solver(&goal, "6-6-3");
    let mut random = Random::new(3);
    for _ in 0..4 {
        let board = random.walk(&goal, 70);
        let request = Request::default().weight(Weight::new(4, 1).unwrap());
        let Outcome::Solved(found) = solver.search(&board, &request).unwrap() else { panic!("there is no limit") };
        let text = MoveForm::Tile.write(&found.solutions[0], &board).unwrap();
        let mut review = Review::new(board, goal, &text, None).unwrap();
        review.find_losses(&solver, &Request::default()).unwrap();
        let mut distances = Distances { boards: Vec::new(), distance: HashMap::new() };
        for made in 0..=found.solutions[0].len() {
            let here = board.replay(&found.solutions[0][..made]).unwrap();
            distances.distance.insert(here, solver.solve(&here).unwrap().length);
        }
        distances.check(&review);
        assert!(review.losses.unwrap().searches <= found.length, "some boards need no search");
    }
}

fn reviewed(board: &str, moves: &str, request: &Request<'_>) -> (Review, Losses) {
    let board: Board = board.parse().unwrap();
    let goal = Goal::BlankLast.board(board.size()).unwrap();
    let mut review = Review::new(board, goal, moves, None).unwrap();
    review.find_losses(&solver(&goal, "manhattan"), request).unwrap();
    let losses = review.losses.clone().unwrap();
    (review, losses)
}

#[test]
fn moves_that_cannot_be_made_end_the_review_there() {
    let (review, losses) = reviewed("1 2 3 / 4 0 6 / 7 5 8", "DUULLL", &Request::default());
    assert!(!review.is_legal() && !review.solves());
    assert_eq!((review.moves.length, review.moves.slides.len()), (6, 4));
    assert_eq!(review.illegal_move(), Some((5, "L".to_owned())));
    assert_eq!(review.end.to_string(), "1 2 3 / 4 5 6 / 7 8 0");
    assert_eq!((losses.shortest(), losses.lost(), losses.left), (Some(2), Some(2), Some(0)));
    assert_eq!((losses.found[0].number, losses.found.len()), (1, 1));
}

/// Three tiles cannot slide left where one can: the move is none, and the tile that could slide stays.
#[test]
fn in_mtm_the_illegal_move_is_counted_in_the_metric_and_no_part_of_it_is_judged() {
    let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
    let goal = Goal::BlankLast.board(board.size()).unwrap();
    let solver = Solver::builder(&goal).metric(Metric::Mtm).open().unwrap();
    for (moves, form, illegal, why) in [
        ("DUULLLRDL", MoveForm::Tile, "L3", "move 3: only 1 of 3 tiles can slide left"),
        ("UDDRRRLUR", MoveForm::Blank, "R3", "move 3: only 1 of 3 tiles can slide left"),
        ("↓↑↑←←←→", MoveForm::Arrows, "←←←", "move 3: only 1 of 3 tiles can slide left"),
        ("D U2 UL", MoveForm::Tile, "U3", "move 2: only 2 of 3 tiles can slide up"),
        ("2 2 5 4 5", MoveForm::Tiles, "4", "move 3: tile 4 is not beside the blank"),
    ] {
        let mut review = Review::in_metric(Metric::Mtm, board, goal, moves, Some(form)).unwrap();
        review.find_losses(&solver, &Request::default()).unwrap();
        let (number, made) = review.illegal_move().unwrap();
        assert_eq!((made.as_str(), review.why_illegal().as_deref()), (illegal, Some(why)), "{moves}");
        assert_eq!(Metric::Mtm.length(&review.moves.slides) as usize, number - 1, "{moves}");
        assert_eq!(review.moves.illegal.as_ref().unwrap().to_string().split(':').next(), why.split(':').next());
        assert_eq!(board.replay(&review.moves.slides), Ok(review.end));
        let losses = review.losses.as_ref().unwrap();
        assert!(losses.found.iter().all(|loss| loss.number < number), "{moves}: {losses:?}");
        assert_eq!((losses.found[0].number, losses.lost()), (1, Some(1)), "{moves}");
        let json = review.json();
        assert_eq!((&json["illegal"]["move"], &json["illegal"]["made"]), (&json!(number), &json!(illegal)));
        assert_eq!(
            (&json["illegal"]["reason"], &json["illegal"]["board"]),
            (&json!(why), &json!(review.end.to_string()))
        );
    }
}

#[test]
fn circles_are_followed_once() {
    let circles = "RL".repeat(5000);
    let (review, losses) = reviewed("1 2 3 / 4 5 6 / 7 8 0", &circles, &Request::default());
    assert!(review.solves());
    assert_eq!((losses.lost(), losses.found.len()), (Some(10_000), 5000));
    assert!(losses.searches <= 1, "{}", losses.searches);
    let (_, losses) = reviewed("8 6 7 / 2 5 4 / 3 0 1", &"RLLR".repeat(500), &Request::default());
    assert_eq!((losses.shortest(), losses.left, losses.lost()), (Some(31), Some(31), Some(2000)));
    assert!(losses.searches < 20, "{}", losses.searches);
}

/// A board of the 24-puzzle that no search by the Manhattan distance solves in time, with moves that lead elsewhere; and one with a
/// solution, the end of which is easy.
#[test]
fn what_is_proven_until_a_limit_is_told() {
    let hard = "14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13";
    let limits = Limits::default().time(Duration::from_millis(50));
    let (_, losses) = reviewed(hard, "LR", &Request::default().limits(limits));
    assert_eq!((losses.limit, losses.shortest(), losses.lost(), losses.left), (Some(Limit::Time), None, None, None));
    assert_eq!((losses.known_from, losses.found.len()), (3, 0));

    let goal = Goal::BlankLast.board(Size::new(5, 5).unwrap()).unwrap();
    let mut random = Random::new(8);
    let mut here = goal;
    let mut back = Vec::new();
    for _ in 0..400 {
        let last = back.last().copied();
        let choices: Vec<Direction> = here.slides().filter(|&direction| Some(direction) != last).collect();
        let direction = choices[random.below(choices.len() as u64) as usize];
        here = slid(&here, direction);
        back.push(direction.opposite());
    }
    back.reverse();
    let text = MoveForm::Tile.write(&back, &here).unwrap();
    let limits = Limits::default().nodes(2_000_000);
    let (review, losses) = reviewed(&here.to_string(), &text, &Request::default().limits(limits));
    assert!(review.solves());
    assert_eq!((losses.limit, losses.shortest(), losses.total), (Some(Limit::Nodes), None, Some(400)));
    assert!(losses.known_from > 1 && losses.known_from < 390, "{}", losses.known_from);
    assert!(losses.found.iter().all(|loss| loss.number >= losses.known_from));
    let lost: u32 = losses.found.iter().map(|loss| loss.lost).sum();
    assert!(losses.lost_at_least() >= lost && losses.lost_at_least() <= losses.lost_at_most().unwrap());
    assert!(losses.at_least >= review.manhattan && losses.at_least <= losses.at_most.unwrap());
    // Without a limit on it, that part is what it is.
    let from = losses.known_from - 1;
    let (start, rest) = (here.replay(&back[..from]).unwrap(), &back[from..]);
    let rest = MoveForm::Tile.write(rest, &start).unwrap();
    let (_, again) = reviewed(&start.to_string(), &rest, &Request::default());
    assert_eq!(again.lost(), Some(lost));
}

#[test]
fn heuristics_that_promise_nothing_are_refused() {
    let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
    let goal = Goal::BlankLast.board(board.size()).unwrap();
    let mut review = Review::new(board, goal, "UL", None).unwrap();
    let refused = review.find_losses(&solver(&goal, "blank-aware"), &Request::default());
    assert!(refused.unwrap_err().to_string().contains("may exceed the distance"));
}
