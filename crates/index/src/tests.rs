use std::cell::RefCell;
use std::collections::HashSet;

use super::*;
use tilebase_puzzle::{Board, Direction, Frame, Goal, Pattern, Random, Size, Slide, Square, State, Tile};

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).unwrap()
}

/// The index with tables.
fn builder_index(size: Size, tiles: usize, kind: Kind) -> BuilderIndex {
    BuilderIndex::new(Index::new(size, tiles, kind).unwrap())
}

/// Calls `visit` with every placement of `k` tiles on different squares.
fn placements(size: Size, k: usize, placed: &mut Vec<Square>, visit: &mut impl FnMut(&[Square])) {
    if placed.len() == k {
        return visit(placed);
    }
    for square in size.squares() {
        if !placed.contains(&square) {
            placed.push(square);
            placements(size, k, placed, visit);
            placed.pop();
        }
    }
}

/// Ranks every placement and every square of the blank without the index's own ranking of moves: each (placement,
/// region) must have a number of its own, and all numbers below the number of states must be used.
fn check_bijection(size: Size, k: usize, kind: Kind) {
    let index = builder_index(size, k, kind);
    let extent = Extent::of(size, k, kind);
    assert_eq!((extent.rows, extent.states), (index.rows() as u64, u128::from(index.states())));
    let mut placement_of_state: Vec<Option<(u128, u32)>> = vec![None; index.states() as usize];
    let mut used = 0;
    placements(size, k, &mut Vec::new(), &mut |placed| {
        let squares = placed.iter().fold(0, |mask, square| mask | square.bit());
        let map = index.map(squares);
        let order: Vec<u8> = bits(squares)
            .map(|square| placed.iter().position(|tile_square| *tile_square == square).unwrap() as u8)
            .collect();
        let perm = perms::rank(&order);
        assert_eq!(index.tile_squares(map, perm), placed);
        assert_eq!(Standing::of_tiles(placed), Standing { squares, perm });
        let placement = placed.iter().fold(0u128, |key, square| key * 25 + u128::from(square.0));
        let free = size.all_squares() & !squares;
        for blank in bits(free) {
            let region = if kind == Kind::AllMoves { blank.bit() } else { regions::around(size, blank, free) };
            let row = index.row(map, blank);
            assert_eq!((index.map_of(row), index.region(row)), (map, region));
            let slot = &mut placement_of_state[index.state_number(row, perm) as usize];
            used += u64::from(slot.is_none());
            assert_eq!(*slot.get_or_insert((placement, region)), (placement, region), "two states share a number");
        }
    });
    assert_eq!(used, index.states());
}

#[test]
fn the_index_is_a_bijection_for_every_pattern_of_3x3_and_up_to_5_tiles_elsewhere() {
    for (width, height) in [(3, 3), (4, 4), (2, 3), (3, 2), (2, 4), (4, 2), (3, 4)] {
        for k in 1..=if (width, height) == (3, 3) { 8 } else { 5 } {
            check_bijection(size(width, height), k, Kind::Bit);
            check_bijection(size(width, height), k, Kind::AllMoves);
        }
    }
}

#[test]
fn the_sizes_of_the_design_are_reproduced() {
    let expected: [(usize, usize, u128, u128); 7] = [
        (4, 5, 524_160, 874_080),
        (4, 6, 5_765_760, 11_816_640),
        (4, 7, 57_657_600, 139_849_920),
        (4, 8, 518_918_400, 1_425_191_040),
        (5, 6, 127_512_000, 181_008_000),
        (5, 7, 2_422_728_000, 4_066_655_040),
        (5, 8, 43_609_104_000, 87_358_400_640),
    ];
    for (side, k, entries, states) in expected {
        let extent = Extent::of(size(side, side), k, Kind::Bit);
        assert_eq!((extent.entries, extent.states), (entries, states), "{side}x{side}, {k} tiles");
        let index = Index::new(size(side, side), k, Kind::Bit).unwrap();
        assert_eq!((u128::from(index.entries()), u128::from(index.states())), (entries, states));
    }
}

/// Boards of every kind: small and large ones, wide and high ones, with the blank at home in a corner, on an edge and inside.
const BOARDS: [(usize, usize, u64); 11] = [
    (2, 2, 0),
    (3, 3, 0),
    (3, 3, 4),
    (2, 5, 3),
    (4, 3, 1),
    (4, 4, 0),
    (4, 4, 5),
    (5, 5, 0),
    (3, 8, 0),
    (2, 12, 0),
    (12, 2, 0),
];

/// A board with a random pattern of `k` tiles, and a random state of it.
fn course(width: usize, height: usize, home: u64, k: usize, random: &mut Random) -> (Pattern, State) {
    let size = size(width, height);
    let mut goal: Vec<u64> = (1..size.count() as u64).collect();
    goal.insert(home as usize, 0);
    let frame = Frame::new(&Board::new(size, &goal).unwrap());
    let tiles = size.squares().filter(|&square| square != frame.home()).map(|square| u64::from(square.0));
    let mut tiles: Vec<u64> = tiles.collect();
    random.shuffle(&mut tiles);
    let pattern = Pattern::new(size, frame.home(), &tiles[..k]).unwrap();
    (pattern, frame.state(&random.solvable_board(frame.goal())).unwrap())
}

fn any_slide(state: &State, random: &mut Random) -> Slide {
    let slides: Vec<Slide> = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction)).collect();
    slides[random.below(slides.len() as u64) as usize]
}

/// Moves of rows against locating the moved board from scratch.
#[test]
fn row_moves_agree_with_ranking_from_scratch() {
    for (width, height, home) in BOARDS {
        let mut random = Random::new(home);
        for k in 1..=(width * height - 1).min(8) {
            let (pattern, mut state) = course(width, height, home, k, &mut random);
            let kind = if k % 2 == 0 { Kind::AllMoves } else { Kind::Bit };
            let index = builder_index(pattern.size(), k, kind);
            let mut place = index.locate(&pattern, &state);
            for _ in 0..300 {
                let slide = any_slide(&state, &mut random);
                state.make(slide);
                let expected = index.locate(&pattern, &state);
                if pattern.contains(slide.tile) || kind == Kind::AllMoves {
                    let row_move = index
                        .moves(place.row)
                        .find(|step| (step.from, step.to) == (slide.from, slide.to))
                        .expect("the row has the move");
                    assert_eq!(row_move.row, expected.row);
                    let rotation = index.rotations().get(row_move.leaves, row_move.enters);
                    assert_eq!(rotation.apply(place.perm), expected.perm);
                    assert_ne!(index.colour(place.row), index.colour(expected.row));
                }
                place = expected;
            }
        }
    }
}

/// Follows a random walk, if there is such a follower for the index, and compares every stop with the state located from
/// scratch.
fn follow<F: Follower>(
    index: &Index,
    (pattern, start): &(Pattern, State),
    random: &mut Random,
    check: impl Fn(&F, &Standing, &Place),
) -> bool {
    let Some(follower) = F::new(index) else { return false };
    let mut state = *start;
    let mut standing = Standing::from(&index.locate(pattern, &state));
    for _ in 0..400 {
        let slide = any_slide(&state, random);
        state.make(slide);
        if pattern.contains(slide.tile) {
            follower.step(&mut standing, slide.from, slide.to);
        }
        let place = index.locate(pattern, &state);
        assert_eq!(standing, Standing::from(&place), "{pattern}: {state:?}");
        let number = follower.state_number(&standing, state.blank());
        assert_eq!(number, index.state_number(place.row, place.perm), "{pattern}: {state:?}");
        check(&follower, &standing, &place);
    }
    true
}

#[test]
fn followers_agree_with_ranking_from_scratch() {
    let mut small = 0;
    for (width, height, home) in BOARDS {
        let mut random = Random::new(home);
        for k in 1..=(width * height - 1).min(if width * height <= 16 { 9 } else { 8 }) {
            for kind in [Kind::Bit, Kind::AllMoves] {
                let course = course(width, height, home, k, &mut random);
                let index = Index::new(course.0.size(), k, kind).unwrap();
                let followed = [
                    follow(&index, &course, &mut random, |_: &SmallFollower, _, _| {}),
                    follow(&index, &course, &mut random, |any: &AnyFollower, standing, place| {
                        assert_eq!(
                            any.entry_number(standing, any.map(standing)),
                            index.entry_number(place.map, place.perm)
                        );
                    }),
                    follow(&index, &course, &mut random, |_: &AllMovesFollower, _, _| {}),
                ];
                let is_small = width * height <= 16 && kind == Kind::Bit;
                let expected = [is_small, kind == Kind::Bit, kind == Kind::AllMoves];
                assert_eq!(followed, expected, "{k} tiles on {width}x{height}, {kind:?}");
                small += u32::from(is_small);
            }
        }
    }
    assert_eq!(small, 3 + 2 * 8 + 9 + 9 + 2 * 9, "every pattern of at most 9 tiles on at most 16 squares");
}

/// With many tiles on a wide board, moves up and down pass so many tiles that their rotations are worked out each time.
#[test]
fn rotations_that_are_too_large_are_followed_right() {
    for (width, height, k) in [(12, 2, 10), (12, 2, 11), (8, 3, 10), (8, 2, 11), (8, 2, 9), (7, 2, 9)] {
        let mut random = Random::new(k as u64);
        let course = course(width, height, 0, k, &mut random);
        let index = builder_index(course.0.size(), k, Kind::Bit);
        let pairs = (0..k as u8).flat_map(|leaves| (0..k as u8).map(move |enters| (leaves, enters)));
        let is_too_large = |(leaves, enters)| index.rotations().get(leaves, enters).is_too_large();
        assert!(pairs.into_iter().any(is_too_large), "{k} tiles on {width}x{height}");
        assert!(follow(&index, &course, &mut random, |_: &AnyFollower, _, _| {}));
        assert!(SmallFollower::new(&index).is_none(), "it looks all rotations up");
    }
}

/// Moves all tiles of a small pattern through all its permutations.
#[test]
fn every_state_of_a_small_pattern_is_followed_right() {
    for (width, height, k) in [(3, 3, 3), (3, 3, 8), (2, 4, 4), (4, 3, 3), (4, 4, 2)] {
        let index = builder_index(size(width, height), k, Kind::Bit);
        let (small, any) = (SmallFollower::new(&index).unwrap(), AnyFollower::new(&index).unwrap());
        for row in (0..index.rows() as u32).map(Row) {
            let map = index.map_of(row);
            for step in index.moves(row) {
                for perm in (0..index.perms()).map(Perm) {
                    let place = Place { squares: index.squares(map), map, row, perm, manhattan: 0 };
                    let perm = index.rotations().get(step.leaves, step.enters).apply(perm);
                    let expected = index.state_number(step.row, perm);
                    let mut standing = Standing::from(&place);
                    small.step(&mut standing, step.from, step.to);
                    assert_eq!(small.state_number(&standing, step.from), expected);
                    let mut standing = Standing::from(&place);
                    any.step(&mut standing, step.from, step.to);
                    assert_eq!(any.state_number(&standing, step.from), expected);
                    assert_eq!(
                        any.entry_number(&standing, any.map(&standing)),
                        index.entry_number(index.map_of(step.row), perm)
                    );
                }
            }
        }
    }
}

#[test]
fn moves_are_counted_right() {
    for (width, height) in [(2, 3), (3, 3), (5, 2), (4, 4)] {
        for k in 1..=(width * height - 1).min(5) {
            for kind in [Kind::Bit, Kind::AllMoves] {
                let index = builder_index(size(width, height), k, kind);
                for row in (0..index.rows() as u32).map(Row) {
                    assert_eq!(index.move_count(row), index.moves(row).count());
                }
            }
        }
    }
}

#[test]
fn the_solved_board_is_permutation_0_on_the_map_of_its_own_tiles() {
    let goal = Goal::BlankFirst.board(size(4, 4)).unwrap();
    let state = Frame::new(&goal).state(&goal).unwrap();
    let pattern = Pattern::new(size(4, 4), Square(0), &[3, 7, 11, 15]).unwrap();
    let place = Index::new(size(4, 4), 4, Kind::Bit).unwrap().locate(&pattern, &state);
    assert_eq!((place.squares, place.perm, place.manhattan), (pattern.mask(), Perm(0), 0));
    assert!(pattern.tiles().eq([3, 7, 11, 15].map(Tile)));
}

#[test]
fn patterns_without_an_index_are_refused() {
    assert!(matches!(Index::new(size(3, 3), 0, Kind::Bit), Err(IndexError::NoSuchPattern { tiles: 0, .. })));
    assert!(matches!(Index::new(size(3, 3), 9, Kind::Bit), Err(IndexError::NoSuchPattern { tiles: 9, .. })));
    assert!(matches!(Index::new(size(5, 5), 13, Kind::AllMoves), Err(IndexError::TooManyTiles { tiles: 13 })));
}

/// Every place is the same whether rows are counted or looked up.
#[test]
fn places_are_the_same_with_and_without_tables() {
    for (width, height) in [(2, 2), (3, 3), (2, 5), (5, 2), (4, 4), (2, 8), (5, 4), (5, 5), (8, 2)] {
        let size = size(width, height);
        let frame = Frame::new(&Goal::BlankFirst.board(size).unwrap());
        let mut random = Random::new(7);
        for k in 1..=(size.count() - 1).min(6) {
            let tiles: Vec<u64> = (1..=k as u64).collect();
            let pattern = Pattern::new(size, frame.home(), &tiles).unwrap();
            for kind in [Kind::Bit, Kind::AllMoves] {
                let counted = Index::new(size, k, kind).unwrap();
                let index = builder_index(size, k, kind);
                for _ in 0..200 {
                    let state = frame.state(&random.solvable_board(frame.goal())).unwrap();
                    let place = counted.locate(&pattern, &state);
                    assert_eq!(index.squares(place.map), place.squares);
                    assert_eq!(place.row, index.row(place.map, state.blank()));
                    assert_eq!(place.squares, index.squares(index.map_of(place.row)));
                    assert_eq!(counted.row_of(place.squares, state.blank()), place.row);
                    assert_eq!(counted.map(place.squares), place.map);
                }
            }
        }
    }
}

/// The costs of all states, by a plain search from the goal.
fn costs(index: &BuilderIndex, goal: Row) -> Vec<Option<u32>> {
    let mut costs = vec![None; index.states() as usize];
    costs[index.state_number(goal, Perm(0)) as usize] = Some(0);
    let mut level = vec![(goal, Perm(0))];
    let mut cost = 0;
    while !level.is_empty() {
        cost += 1;
        let mut next = Vec::new();
        for (row, perm) in level {
            for step in index.moves(row) {
                let perm = index.rotations().get(step.leaves, step.enters).apply(perm);
                let slot = &mut costs[index.state_number(step.row, perm) as usize];
                if slot.is_none() {
                    *slot = Some(cost);
                    next.push((step.row, perm));
                }
            }
        }
        level = next;
    }
    costs
}

#[test]
fn walks_are_the_same_whoever_follows() {
    for (width, height, k) in [(2, 2, 2), (3, 3, 3), (3, 3, 8), (2, 4, 4), (5, 2, 3), (6, 2, 3), (4, 4, 3), (5, 3, 4)] {
        for kind in [Kind::Bit, Kind::AllMoves] {
            let size = size(width, height);
            let index = builder_index(size, k, kind);
            let goal = index.row(index.map((1 << (k + 1)) - 2), Square(0));
            let costs = costs(&index, goal);
            let max = costs.iter().flatten().copied().max().unwrap();
            let mut random = Random::new(3);
            let damaged: Vec<u32> = costs.iter().map(|_| u32::from(random.below(50) == 0)).collect();
            let whole = |number: u64| costs[number as usize].unwrap_or(0) >> 1 & 1;
            let damaged = |number: u64| whole(number) ^ damaged[number as usize];
            let counted = Index::new(size, k, kind).unwrap();
            let (small, any) = (SmallFollower::new(&counted), AnyFollower::new(&counted));
            let of_all_moves = AllMovesFollower::new(&counted);
            let (mut right, mut wrong, mut none) = (0, 0, 0);
            for number in (0..index.states()).step_by(if k == 8 { 97 } else { 7 }) {
                let perms = u64::from(index.perms());
                let start = (Row((number / perms) as u32), Perm((number % perms) as u32));
                let cost = costs[number as usize];
                assert_eq!(counted.walk_down(goal, start, max, whole), cost, "{start:?}");
                assert_eq!(index.walk_down(goal, start, max, whole), cost, "{start:?}");
                let walked = counted.walk_down(goal, start, max, damaged);
                assert_eq!(walked, index.walk_down(goal, start, max, damaged), "{start:?}");
                // A walk reads its start and what it has prefetched.
                let prefetched = RefCell::new(HashSet::new());
                let prefetch = |state| {
                    prefetched.borrow_mut().insert(state);
                };
                let read = |state| {
                    assert!(state == number || prefetched.borrow().contains(&state), "what is read was prefetched");
                    damaged(state)
                };
                if let Some(small) = &small {
                    assert_eq!(counted.walk_down_by(small, goal, start, max, prefetch, read), walked, "{start:?}");
                    prefetched.take();
                }
                if let Some(any) = &any {
                    assert_eq!(counted.walk_down_by(any, goal, start, max, prefetch, read), walked, "{start:?}");
                }
                if let Some(follower) = &of_all_moves {
                    assert_eq!(counted.walk_down_by(follower, goal, start, max, prefetch, read), walked, "{start:?}");
                }
                match walked {
                    None => none += 1,
                    Some(_) if walked == cost => right += 1,
                    Some(_) => wrong += 1,
                }
            }
            if index.states() > 1000 {
                assert!(right > 0 && wrong + none > 0, "{size}, {k} tiles: {right} right, {wrong} wrong, {none} none");
            }
        }
    }
}
