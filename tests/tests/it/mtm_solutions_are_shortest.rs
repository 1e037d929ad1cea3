//! Solutions in the metric `mtm` lead to the goal, none is shorter, and where all are wanted all are found.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use rayon::prelude::*;
use tilebase_heuristics::runs::{LargerOfRuns, LineTables, NoBoundOfRuns, RunHeuristic, RunWalkingDistance};
use tilebase_lookup::LineTable;
use tilebase_progress::Event;
use tilebase_puzzle::{Board, Direction, Frame, Metric, Pattern, Random, Size, Square, State};
use tilebase_solve::{
    Beam, Bfs, Ida, Limit, Limited, Limits, Outcome, Request, Runs, Search, Solved, Solver, Wanted, Weight,
};
use tilebase_tests::fixtures::{frame, line_tables, size, threads};
use tilebase_tests::naive_mtm::{Ball, Distances, board, random_walk};

/// The largest of tables through all symmetries.
type Tables = LineTables<LineTable, 16>;

const WITHOUT_AUTOMATON: Ida = Ida { automaton: false, ..Ida::FAST };

/// The tables of patterns of the first and of the last tiles of a puzzle, in a frame's order.
fn tables(size: Size, home: Square, tiles: usize) -> Tables {
    let others: Vec<u64> = size.squares().filter(|&square| square != home).map(|square| u64::from(square.0)).collect();
    let patterns = [&others[..tiles], &others[others.len() - tiles..]].map(|tiles| Pattern::new(size, home, tiles));
    let tables: Vec<LineTable> = patterns.iter().flat_map(|pattern| line_tables(pattern.as_ref().unwrap())).collect();
    Tables::new(tables).unwrap()
}

fn walking_distance(frame: &Frame) -> RunWalkingDistance {
    RunWalkingDistance::new_for(frame.size(), frame.home()).expect("the boards of these tests are small")
}

type MtmSolver<H> = Solver<Runs<H>, Search>;

fn solver<H: RunHeuristic>(frame: &Frame, heuristic: H, search: impl Into<Search>) -> MtmSolver<H> {
    Solver::with_algorithm(frame.clone(), Runs(heuristic), search.into())
}

fn solve<H: RunHeuristic>(solver: &MtmSolver<H>, board: &Board, request: &Request<'_>) -> Solved {
    solver.solve(board, request).unwrap().solved().expect("there is no limit")
}

fn limited<H: RunHeuristic>(solver: &MtmSolver<H>, board: &Board, request: &Request<'_>) -> Limited {
    match solver.solve(board, request).unwrap() {
        Outcome::Limited(limited) => limited,
        Outcome::Solved(answer) => panic!("solved in {} moves in spite of the limit", answer.length),
    }
}

/// Solves a board and looks at the solution.
fn check_first<H: RunHeuristic>(solver: &MtmSolver<H>, board: &Board, length: u32, request: &Request<'_>) {
    let answer = solve(solver, board, request);
    assert_eq!((answer.length, answer.optimal, answer.count), (length, true, 1), "{board}");
    assert_eq!(answer.solutions.len(), 1, "{board}");
    assert_eq!(Metric::Mtm.length(&answer.solutions[0]), length, "{board}");
    assert_eq!(board.replay(&answer.solutions[0]).as_ref(), Ok(solver.frame().goal()), "{board}");
}

/// Finds all solutions of a board, and counts them.
fn check_all<H: RunHeuristic>(solver: &MtmSolver<H>, board: &Board, (length, ways): (u32, u64), count: usize) {
    let request = Request::default().threads(threads(count));
    let all = solve(solver, board, &request.wanted(Wanted::All));
    assert_eq!((all.length, all.optimal, all.count), (length, true, ways), "{board}");
    let different: HashSet<&Vec<Direction>> = all.solutions.iter().collect();
    assert_eq!((different.len() as u64, all.solutions.len() as u64), (ways, ways), "{board}");
    for solution in &all.solutions {
        assert_eq!(Metric::Mtm.length(solution), length, "{board}");
        assert_eq!(board.replay(solution).as_ref(), Ok(solver.frame().goal()), "{board}");
    }
    let counted = solve(solver, board, &request.wanted(Wanted::Count));
    assert_eq!((counted.length, counted.count, counted.solutions), (length, ways, vec![]), "{board}");
    let several = solve(solver, board, &request.wanted(Wanted::Several(2)));
    assert_eq!((several.count, several.solutions.len() as u64), (ways, ways.min(2)), "{board}");
}

/// A puzzle with the tiles in order and the blank on a square, with the true numbers. These are of states with the blank's home where it
/// is, so that nothing depends on how a solver turns boards.
struct Puzzle {
    frame: Frame,
    known: Distances,
}

impl Puzzle {
    fn new(size: Size, home: Square) -> Puzzle {
        let puzzle = Puzzle { frame: frame(size, home), known: Distances::new(size, home) };
        assert_eq!(puzzle.frame.goal().blank(), home);
        puzzle
    }

    /// Every `step`th board with its number.
    fn boards(&self, first: usize, step: usize) -> impl ParallelIterator<Item = (usize, Board)> {
        let numbers = (first..self.known.states().len()).into_par_iter().step_by(step);
        numbers.map(|number| (number, board(self.frame.goal(), &self.known.states()[number])))
    }

    fn check_lengths<H: RunHeuristic>(&self, solver: &MtmSolver<H>, step: usize) {
        self.boards(0, step).for_each(|(number, board)| {
            check_first(solver, &board, self.known.distance(number), &Request::default());
        });
    }

    fn check_counts<H: RunHeuristic>(&self, solver: &MtmSolver<H>, step: usize) {
        self.boards(step / 2, step).for_each(|(number, board)| {
            check_all(solver, &board, (self.known.distance(number), self.known.ways(number)), 1);
        });
    }

    /// Tables of some tiles, walking distance, and the larger of both, in both orders of searching: lengths of every `lengths`th board, all
    /// solutions of every `counts`th, and of fewer by what takes longer.
    fn check(&self, tiles: usize, [lengths, counts, fewer, few]: [usize; 4]) {
        let frame = &self.frame;
        let tables = tables(frame.size(), frame.home(), tiles);
        let larger = || LargerOfRuns(tables.clone(), walking_distance(frame));
        self.check_lengths(&solver(frame, tables.clone(), Ida::FAST), lengths);
        self.check_lengths(&solver(frame, tables.clone(), Ida::PLAIN), lengths);
        self.check_lengths(&solver(frame, larger(), WITHOUT_AUTOMATON), counts);
        self.check_counts(&solver(frame, tables.clone(), Ida::FAST), counts);
        self.check_counts(&solver(frame, larger(), Ida::PLAIN), counts);
        self.check_lengths(&solver(frame, walking_distance(frame), Ida::FAST), fewer);
        self.check_counts(&solver(frame, walking_distance(frame), Ida::FAST), fewer);
        self.check_lengths(&solver(frame, NoBoundOfRuns, Bfs), few);
        self.check_counts(&solver(frame, NoBoundOfRuns, Bfs), few);
    }
}

#[test]
fn every_board_of_small_sizes_has_its_true_length_and_all_its_solutions_wherever_the_blank_belongs() {
    for (width, height, tiles) in [(2, 2, 2), (3, 2, 3), (2, 3, 3)] {
        size(width, height).squares().for_each(|home| Puzzle::new(size(width, height), home).check(tiles, [1; 4]));
    }
}

#[test]
fn every_board_of_2x4_and_4x2_has_its_true_length_wherever_the_blank_belongs() {
    for (width, height) in [(2, 4), (4, 2)] {
        size(width, height)
            .squares()
            .for_each(|home| Puzzle::new(size(width, height), home).check(4, [1, 41, 401, 2011]));
    }
}

#[test]
fn every_3x3_board_has_its_true_length_by_tables() {
    let puzzle = Puzzle::new(size(3, 3), Square(8));
    assert_eq!(puzzle.known.states().len(), 181_440);
    puzzle.check_lengths(&solver(&puzzle.frame, tables(size(3, 3), puzzle.frame.home(), 4), Ida::FAST), 1);
}

#[test]
fn hundreds_of_3x3_boards_have_their_true_length_and_all_their_solutions_wherever_the_blank_belongs() {
    size(3, 3).squares().for_each(|home| Puzzle::new(size(3, 3), home).check(4, [97, 601, 6007, 60_013]));
}

/// With `TILEBASE_ALL_IN_MTM`, which `scripts/prove-mtm` sets, every single board.
#[test]
fn boards_of_2x4_and_3x3_have_their_true_length_and_all_their_solutions_wherever_the_blank_belongs() {
    let step = if std::env::var_os("TILEBASE_ALL_IN_MTM").is_some() { 1 } else { 499 };
    for (width, height) in [(2, 4), (4, 2), (3, 3)] {
        for home in size(width, height).squares() {
            let puzzle = Puzzle::new(size(width, height), home);
            let solver = solver(&puzzle.frame, tables(puzzle.frame.size(), puzzle.frame.home(), 6), Ida::FAST);
            puzzle.check_lengths(&solver, step);
            puzzle.check_counts(&solver, step);
        }
    }
}

/// Boards of 4×4 with their lengths and numbers of solutions, by searches in both directions.
struct Walks {
    frame: Frame,
    boards: Vec<(Board, (u32, u64))>,
}

impl Walks {
    /// The ends of random walks of some moves, as many as there are numbers.
    fn new(home: Square, moves: impl IntoIterator<Item = u32>) -> Walks {
        let (size, mut random) = (size(4, 4), Random::new(u64::from(home.0)));
        let (frame, ball) = (frame(size, home), Ball::new(size, home, 8));
        let boards = moves.into_iter().map(|moves| {
            let state = random_walk(&State::solved(size, home), moves, &mut random);
            let known = ball.meet(&state);
            assert!(known.0 <= moves);
            (board(frame.goal(), &state), known)
        });
        let boards = boards.collect();
        Walks { frame, boards }
    }

    /// Those that are really that far.
    fn at(mut self, distance: u32) -> Walks {
        self.boards.retain(|board| board.1.0 == distance);
        assert!(!self.boards.is_empty(), "some walks are the shortest way");
        self
    }

    fn tables(&self) -> Tables {
        tables(self.frame.size(), self.frame.home(), 5)
    }
}

#[test]
fn hundreds_of_4x4_boards_near_the_goal_have_their_true_lengths_and_all_solutions_on_any_number_of_threads() {
    for home in [Square(0), Square(14), Square(6)] {
        let walks = Walks::new(home, (0..130).map(|number| number % 13));
        let frame = &walks.frame;
        let by_tables = solver(frame, walks.tables(), Ida::FAST);
        let by_walking_distance = solver(frame, walking_distance(frame), Ida::FAST);
        let plain = solver(frame, LargerOfRuns(walks.tables(), walking_distance(frame)), Ida::PLAIN);
        let breadth_first = solver(frame, NoBoundOfRuns, Bfs);
        walks.boards.par_iter().enumerate().for_each(|(number, &(ref board, known))| {
            for count in [1, 3] {
                let request = Request::default().threads(threads(count));
                check_first(&by_tables, board, known.0, &request);
                check_first(&by_walking_distance, board, known.0, &request);
                check_all(&by_tables, board, known, count);
            }
            check_first(&plain, board, known.0, &Request::default());
            check_all(&by_walking_distance, board, known, 3);
            // Some 1,000 states at 6 moves, 400,000 at 12.
            if known.0 <= 9 || number == 12 {
                check_first(&breadth_first, board, known.0, &Request::default());
                check_all(&breadth_first, board, known, 1);
            }
        });
    }
}

#[test]
fn large_searches_find_the_same_with_the_same_nodes_on_any_number_of_threads() {
    let walks = Walks::new(Square(15), [12; 8]).at(12);
    let frame = &walks.frame;
    for (board, known) in &walks.boards {
        let solver = solver(frame, NoBoundOfRuns, Ida::FAST);
        let nodes = [1, 2, 3].map(|count| {
            let request = Request::default().threads(threads(count));
            check_first(&solver, board, known.0, &request);
            check_all(&solver, board, *known, count);
            let finished = solve(&solver, board, &request.finish_bound(true));
            assert_eq!((finished.length, finished.count), (known.0, 1), "{board}");
            assert_eq!(finished.effort.generated, finished.effort.generated_complete + 1, "{board}");
            (finished.effort.generated, finished.effort.expanded)
        });
        assert!(nodes[0].0 > 500_000, "the last bounds are for several threads");
        assert_eq!(nodes, [nodes[0]; 3], "{board}");
    }
}

/// Solves a board without a bound to speak of, with and without the automaton, on some threads. Returns the nodes of all bounds of both.
fn check_automaton(frame: &Frame, board: &Board, known: (u32, u64)) -> [u64; 2] {
    [Ida::FAST, WITHOUT_AUTOMATON].map(|ida| {
        let solver = solver(frame, NoBoundOfRuns, ida);
        let nodes = [1, 3].map(|count| {
            let request = Request::default().threads(threads(count));
            check_first(&solver, board, known.0, &request);
            let finished = solve(&solver, board, &request.finish_bound(true));
            assert_eq!(finished.length, known.0, "{board}");
            finished.effort.generated
        });
        assert_eq!(nodes, [nodes[0]; 2], "{board}");
        nodes[0]
    })
}

#[test]
fn large_searches_find_the_same_with_and_without_the_automaton() {
    for home in [Square(0), Square(5)] {
        let walks = Walks::new(home, [14; 6]).at(14);
        for (board, known) in &walks.boards[..2] {
            let [with, without] = check_automaton(&walks.frame, board, *known);
            assert!(with < without, "an automaton is for searches as large as this");
        }
    }
    for home in [Square(0), Square(1), Square(4)] {
        let Puzzle { frame, known } = Puzzle::new(size(3, 3), home);
        let far = (0..known.states().len()).filter(|&number| known.distance(number) == 21);
        for number in far.step_by(1000).take(1) {
            let board = board(frame.goal(), &known.states()[number]);
            let [with, without] = check_automaton(&frame, &board, (known.distance(number), known.ways(number)));
            assert!(with < without, "an automaton is for searches as large as this");
        }
    }
}

#[test]
fn a_limit_of_length_ends_the_search_when_shorter_solutions_are_ruled_out_and_what_is_known_is_not_proven_again() {
    let walks = Walks::new(Square(0), (0..60).map(|number| 1 + number % 12));
    let frame = &walks.frame;
    let check = |search: &dyn Fn(&Board, &Request<'_>) -> Outcome, has_bounds: bool| {
        for (board, (length, _)) in walks.boards.iter().filter(|board| (1..10).contains(&board.1.0)) {
            let search = |known: u32, most: u32| {
                search(board, &Request::default().at_least(known).limits(Limits::default().length(most)))
            };
            let shorter = search(0, length - 1);
            let Outcome::Limited(shorter) = shorter else { panic!("{board}: {shorter:?}") };
            assert_eq!((shorter.limit, shorter.at_least), (Limit::Length, *length), "{board}");
            let [all, last] = [0, *length].map(|known| search(known, *length).solved().expect("that is enough"));
            assert_eq!((all.length, last.length), (*length, *length), "{board}");
            // The last iteration and those before it make the whole search; the root is counted in both.
            if has_bounds {
                let nodes = last.effort.generated + shorter.effort.generated - 1;
                assert_eq!(all.effort.generated, nodes, "{board}");
            }
        }
    };
    let by_tables = solver(frame, walks.tables(), Ida::FAST);
    check(&|board, request| by_tables.solve(board, request).unwrap(), true);
    let by_walking_distance = solver(frame, walking_distance(frame), Ida::PLAIN);
    check(&|board, request| by_walking_distance.solve(board, request).unwrap(), true);
    let breadth_first = solver(frame, NoBoundOfRuns, Bfs);
    check(&|board, request| breadth_first.solve(board, request).unwrap(), false);
}

#[test]
fn a_limit_of_nodes_ends_the_search_with_a_lower_bound_that_is_true_and_grows() {
    let walks = Walks::new(Square(0), [12; 20]);
    let frame = &walks.frame;
    let check = |search: &dyn Fn(&Board, &Request<'_>) -> Outcome, count: usize| {
        for (board, (length, _)) in &walks.boards {
            let mut at_least = 0;
            for most in [0, 1, 2, 10, 100, 1_000, 30_000, 200_000] {
                let limits = Limits::default().nodes(most);
                match search(board, &Request::default().limits(limits).threads(threads(count))) {
                    Outcome::Limited(limited) => {
                        assert_eq!(limited.limit, Limit::Nodes, "{board}");
                        // The root is always there.
                        assert!(limited.effort.generated <= most.max(1), "{board}");
                        assert!((at_least..=*length).contains(&limited.at_least), "{board}: {limited:?}");
                        at_least = limited.at_least;
                    }
                    Outcome::Solved(answer) => {
                        assert!(answer.effort.generated <= most && answer.length == *length, "{board}");
                    }
                }
            }
            assert!(at_least > 1, "{board}");
        }
    };
    let by_tables = solver(frame, walks.tables(), Ida::FAST);
    let without_bound = solver(frame, NoBoundOfRuns, Ida::FAST);
    let breadth_first = solver(frame, NoBoundOfRuns, Bfs);
    for count in [1, 3] {
        check(&|board, request| by_tables.solve(board, request).unwrap(), count);
        check(&|board, request| without_bound.solve(board, request).unwrap(), count);
    }
    check(&|board, request| breadth_first.solve(board, request).unwrap(), 1);
}

#[test]
fn limits_of_time_and_memory_and_who_watches_end_the_search_with_a_lower_bound_that_is_true() {
    // Without a bound that takes a second at least.
    let walks = Walks::new(Square(0), [16; 6]).at(16);
    let frame = &walks.frame;
    for (board, (length, _)) in &walks.boards[..1] {
        let (ida, breadth_first) = (solver(frame, NoBoundOfRuns, Ida::FAST), solver(frame, NoBoundOfRuns, Bfs));
        let time = Limits::default().time(Duration::from_millis(30));
        let cancel = |_: &Event<'_>| ControlFlow::Break(());
        for count in [1, 3] {
            let request = Request::default().threads(threads(count));
            for (request, limit) in [(request.limits(time), Limit::Time), (request.watch(&cancel), Limit::Cancelled)] {
                for limited in [limited(&ida, board, &request), limited(&breadth_first, board, &request)] {
                    assert_eq!(limited.limit, limit, "{board}");
                    assert!((1..=*length).contains(&limited.at_least), "{board}: {limited:?}");
                }
            }
        }
        let memory = Request::default().limits(Limits::default().memory(1_000_000));
        let limited = limited(&breadth_first, board, &memory);
        assert_eq!(limited.limit, Limit::Memory, "{board}");
        assert!((6..=*length).contains(&limited.at_least), "{board}: {limited:?}");
    }
}

#[test]
fn every_search_finds_the_true_lengths_and_all_solutions_it_promises() {
    for (width, height, tiles, step) in [(3, 2, 3, 7), (2, 3, 3, 7), (2, 4, 4, 601), (3, 3, 4, 9001)] {
        let size = size(width, height);
        for home in [Square(0), Square(1)] {
            let puzzle = Puzzle::new(size, home);
            let frame = &puzzle.frame;
            for search in Search::all() {
                let about = search.about();
                let bounds = LargerOfRuns(tables(size, frame.home(), tiles), walking_distance(frame));
                let by_bounds = solver(frame, bounds, search);
                let boards = puzzle
                    .boards(0, step)
                    .map(|(number, board)| (board, (puzzle.known.distance(number), puzzle.known.ways(number))));
                // Without bounds and without memory, a search tries all paths.
                let is_blind = !about.uses_heuristic && !about.keeps_nodes;
                boards.filter(|(_, known)| !is_blind || known.0 <= 11).for_each(|(board, known)| {
                    if about.finds_shortest {
                        check_first(&by_bounds, &board, known.0, &Request::default());
                    }
                    if about.finds_all {
                        check_all(&by_bounds, &board, known, 1);
                    }
                    let answer = solve(&by_bounds, &board, &Request::default());
                    assert!(
                        answer.length >= known.0 && answer.effort.expanded < answer.effort.generated.max(2),
                        "{board}"
                    );
                });
            }
        }
    }
}

#[test]
fn weights_find_solutions_that_are_at_most_that_much_longer() {
    let walks = Walks::new(Square(15), (0..40).map(|number| 4 + number % 9));
    let frame = &walks.frame;
    for search in Search::all().into_iter().filter(|search| search.about().uses_weight) {
        let by_tables = solver(frame, walks.tables(), search);
        for (board, (length, _)) in &walks.boards {
            // In the order of the papers a search with a large weight wanders for long.
            let weights =
                if search == Ida::PLAIN.into() { &["1.2", "1.5"][..] } else { &["1.5", "3", "81/19", "1000"] };
            for weight in weights.iter().map(|weight| weight.parse::<Weight>().unwrap()) {
                for count in [1, 2] {
                    let answer = solve(&by_tables, board, &Request::default().weight(weight).threads(threads(count)));
                    assert!(
                        (*length..=weight.longest(*length)).contains(&answer.length),
                        "{search} {board}: {answer:?}"
                    );
                    assert!(!answer.optimal || *length == 0, "{search} {board}");
                    assert_eq!(board.replay(&answer.solutions[0]).as_ref(), Ok(frame.goal()), "{board}");
                }
            }
        }
    }
}

#[test]
fn wide_beams_find_the_same_on_any_number_of_threads() {
    let walks = Walks::new(Square(0), [16; 3]).at(16);
    let by_tables = solver(&walks.frame, walks.tables(), Beam);
    let width = std::num::NonZeroUsize::new(1 << 17).unwrap();
    let (board, known) = &walks.boards[0];
    let found = [1, 2, 3].map(|count| {
        let request = Request::default().width(width).threads(threads(count));
        let answer = solve(&by_tables, board, &request);
        assert!(answer.length >= known.0, "{board}");
        (answer.length, answer.solutions, answer.effort.generated)
    });
    assert!(found.iter().all(|other| *other == found[0]), "{board}");
    assert!(found[0].2 > 1 << 18, "layers are large enough for several threads");
}
