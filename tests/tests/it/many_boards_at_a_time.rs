//! Many boards at a time have the bounds that each has by itself, whether tables are walked or unpacked.

use std::ops::ControlFlow;

use tilebase::{
    Board, Bounds, Event, Goal, ManyBoards, ManyError, Random, Size, SolveError, Solver, Tables, Views, unwatched,
};
use tilebase_index::{Index, Kind};
use tilebase_lookup::{Bytes, Table, UnpackError, UnpackedTable};
use tilebase_puzzle::{FrameError, Pattern, Square};
use tilebase_tests::fixtures::{drawn, size, table, tables};

/// Every entry of a table has the cost that a walk finds from there.
fn check_unpacked(size: Size, home: u8, tiles: &[u64], kind: Kind) {
    let pattern = Pattern::new(size, Square(home), tiles).unwrap();
    let table = table(&pattern, kind);
    let unpacked = UnpackedTable::new(&table, &unwatched).unwrap();
    let index = Index::new(size, tiles.len(), kind).unwrap();
    let goal = index.row_of(pattern.mask(), pattern.home());
    let second_bit = |entry: u64| u32::from(table.payload()[(entry / 8) as usize] >> (entry % 8) & 1);
    let mut reached = 0;
    for row in 0..index.rows() as u32 {
        for perm in 0..index.perms() {
            let (row, perm) = (tilebase_index::Row(row), tilebase_index::Perm(perm));
            let walked = index.walk_down(goal, (row, perm), table.header().max(), second_bit);
            assert_eq!(
                unpacked.cost(index.state_number(row, perm)).map(u32::from),
                walked,
                "{pattern}: {row:?} {perm:?}"
            );
            reached += u64::from(walked.is_some());
        }
    }
    let expected = if pattern.reaches_half() { index.states() / 2 } else { index.states() };
    assert_eq!(reached, expected, "{pattern}");
}

#[test]
fn every_entry_is_unpacked_as_a_walk_finds_it() {
    check_unpacked(size(3, 3), 0, &[1, 2, 3], Kind::Bit);
    check_unpacked(size(3, 3), 4, &[0, 1, 2, 5, 8], Kind::Bit);
    check_unpacked(size(3, 2), 0, &[1, 2, 3, 4, 5], Kind::Bit);
    check_unpacked(size(3, 2), 1, &[0, 2, 3, 4], Kind::Bit);
    check_unpacked(size(4, 4), 0, &[1, 4, 5, 8], Kind::Bit);
    check_unpacked(size(7, 2), 3, &[0, 5, 12], Kind::Bit);
    check_unpacked(size(3, 3), 1, &[0, 3, 8], Kind::AllMoves);
    check_unpacked(size(2, 3), 0, &[1, 2, 3, 4], Kind::AllMoves);
}

#[test]
fn a_table_whose_costs_are_not_those_of_its_header_is_not_unpacked() {
    let pattern = Pattern::new(size(3, 3), Square(0), &[1, 2, 3, 4]).unwrap();
    let good = table(&pattern, Kind::Bit);
    let mut random = Random::new(3);
    for _ in 0..50 {
        let mut bytes = good.bytes().as_ref().to_vec();
        bytes[4096 + random.below(good.payload().len() as u64) as usize] ^= 1 << random.below(8);
        let damaged = Table::new(Bytes::Owned(bytes)).unwrap();
        assert!(matches!(UnpackedTable::new(&damaged, &unwatched), Err(UnpackError::Damaged)));
    }
    assert!(matches!(UnpackedTable::new(&good, &|_: &Event<'_>| ControlFlow::Break(())), Err(UnpackError::Stopped)));
}

/// Compares all answers about some boards with those about each.
fn check_solver(solver: &Solver, boards: &[Board]) {
    let expected: Vec<u32> = boards.iter().map(|board| solver.bound_of(board).unwrap()).collect();
    let (sums, patterns) = solver.shape_of_costs();
    let mut costs_expected = vec![0; boards.len() * sums * patterns];
    if sums > 0 {
        for (board, costs) in boards.iter().zip(costs_expected.chunks_mut(sums * patterns)) {
            let of_views = solver.costs(&solver.frame().state(board).unwrap()).unwrap();
            assert_eq!(of_views.len(), sums);
            for ((_, of_view), costs) in of_views.iter().zip(costs.chunks_mut(patterns)) {
                of_view.iter().zip(costs).for_each(|(&cost, place)| *place = cost as u8);
            }
        }
    }
    // A few are walked; by and by the tables are unpacked.
    for part in [1, 70, boards.len(), boards.len()] {
        let mut bounds = vec![0u16; part];
        solver.bounds_of_many(&boards[..part], &mut bounds, &unwatched).unwrap();
        assert!(bounds.iter().map(|&bound| u32::from(bound)).eq(expected[..part].iter().copied()), "{}", solver.name());
        if sums > 0 {
            let mut costs = vec![99; part * sums * patterns];
            solver.costs_of_many(&boards[..part], &mut costs, &unwatched).unwrap();
            assert_eq!(costs, costs_expected[..costs.len()], "{}", solver.name());
        }
    }
}

fn boards(goal: &Board, count: usize) -> Vec<Board> {
    let mut random = Random::new(5);
    (0..count).map(|_| random.solvable_board(goal)).collect()
}

#[test]
fn many_boards_have_the_bounds_of_each() {
    let goals = [Goal::BlankLast, Goal::BlankFirst, Goal::Snail];
    let named = [
        ((4, 4), &goals[..2], &["6-6-3", "manhattan", "6-6-3+linear-conflict", "5-5-5", "6-6-3+5-5-5"][..]),
        ((3, 3), &goals[..], &["manhattan", "walking-distance", "blank-aware"][..]),
        ((3, 4), &goals[1..2], &[".AA/AAB/BBB/CCC", "all:fringe"][..]),
        ((5, 5), &goals[..1], &[".AABB/CCCBB/CDDEE/DDDEE/FFFFE"][..]),
        ((12, 2), &goals[..1], &["blank-aware"][..]),
    ];
    for ((width, height), goals, names) in named {
        for goal in goals.iter().map(|goal| goal.board(size(width, height)).unwrap()) {
            let boards = boards(&goal, 4000);
            for name in names {
                check_solver(&Solver::builder(&goal).tables(Tables::Named(name)).open().unwrap(), &boards);
            }
        }
    }
}

#[test]
fn tables_of_nibbles_one_view_and_goals_with_the_blank_inside_are_looked_up_as_well() {
    let goal: Board = "1 2 3 / 4 0 5 / 6 7 8".parse().unwrap();
    let labelled: Board = "3 1 7 / 8 5 0 / 2 6 4".parse().unwrap();
    for goal in [goal, labelled] {
        let drawing = if goal.blank() == Square(4) { "AAB/A.B/CCB" } else { "A.B/AAB/CCB" };
        for kind in [Kind::Bit, Kind::Nibble] {
            for views in [Views::All, Views::One] {
                let mut bounds = Bounds::sum(tables(&drawn(drawing), kind));
                bounds.views = views;
                let solver = Solver::builder(&goal).tables(Tables::Given(bounds)).open().unwrap();
                check_solver(&solver, &boards(&goal, 500));
            }
        }
    }
}

/// Boards of which some are not.
struct Faulty(Vec<Result<Board, &'static str>>);

impl ManyBoards for Faulty {
    type Error = &'static str;

    fn board(&self, number: usize) -> Result<Board, &'static str> {
        self.0[number]
    }
}

#[test]
fn the_first_board_that_has_no_bound_is_named_whatever_the_threads() {
    let goal = Goal::BlankLast.board(size(4, 4)).unwrap();
    let good = boards(&goal, 5000);
    let unsolvable: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0".parse().unwrap();
    let small: Board = "1 2 / 3 0".parse().unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for name in ["6-6-3", "manhattan"] {
            let solver = Solver::builder(&goal).tables(Tables::Named(name)).open().unwrap();
            let found = |faults: &[(usize, Result<Board, &'static str>)]| {
                let mut all: Vec<_> = good.iter().copied().map(Ok).collect();
                faults.iter().for_each(|&(number, fault)| all[number] = fault);
                let mut bounds = vec![0u8; all.len()];
                pool.install(|| solver.bounds_of_many(&Faulty(all), &mut bounds, &unwatched))
            };
            assert_eq!(found(&[]), Ok(()));
            assert_eq!(found(&[(4500, Err("none")), (70, Err("no board"))]), Err(ManyError::Board(70, "no board")));
            assert!(matches!(found(&[(4999, Ok(unsolvable))]), Err(ManyError::Frame(4999, FrameError::Unsolvable(_)))));
            assert!(matches!(found(&[(0, Ok(small))]), Err(ManyError::Frame(0, FrameError::OtherSize(_)))));
            let mut bounds = vec![0u8; good.len()];
            let stopped = solver.bounds_of_many(&*good, &mut bounds, &|_: &Event<'_>| ControlFlow::Break(()));
            assert_eq!(stopped, Err(ManyError::Stopped));
        }
    }
}

#[test]
fn a_bound_for_which_there_is_no_room_and_a_damaged_table_are_told() {
    let goal = Goal::BlankLast.board(size(12, 2)).unwrap();
    let far: Board = "24 23 22 21 20 19 18 17 16 15 14 13 / 12 11 10 9 8 7 6 5 4 3 2 1".parse().unwrap();
    let solver = Solver::builder(&goal).tables(Tables::Named("blank-aware")).open().unwrap();
    let expected = solver.bound_of(&far).unwrap();
    assert!(expected > 255);
    let few = solver.bounds_of_many(&[far][..], &mut [0u8], &unwatched);
    assert_eq!(few, Err(ManyError::TooLarge(0, expected)));

    let goal = Goal::BlankFirst.board(size(3, 3)).unwrap();
    let mut damaged = tables(&drawn(".AA/AAB/BBB"), Kind::Bit);
    let mut bytes = damaged[0].bytes().as_ref().to_vec();
    bytes[4096..][..damaged[0].payload().len()].fill(0xff);
    damaged[0] = Table::new(Bytes::Owned(bytes)).unwrap();
    let solver = Solver::builder(&goal).tables(Tables::Given(Bounds::sum(damaged))).open().unwrap();
    let boards = boards(&goal, 1000);
    let found = solver.bounds_of_many(&*boards, &mut vec![0u8; 1000], &unwatched);
    assert_eq!(found, Err(ManyError::Damaged(SolveError::Damaged(None))));
}
