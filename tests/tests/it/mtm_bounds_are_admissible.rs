//! Bounds in the metric `mtm` never exceed the number of moves, on every board of small sizes, whichever axis the next move is along.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rayon::prelude::*;
use tilebase_heuristics::runs::{self, LargerOfRuns, LineTables, Position, RunHeuristic, RunWalkingDistance};
use tilebase_heuristics::{AnyListed, ListError, Promise};
use tilebase_lookup::LineTable;
use tilebase_puzzle::known::korf15;
use tilebase_puzzle::{Axis, Metric, Pattern, Size, Square, State};
use tilebase_tests::fixtures::{blank_first, line_tables, size};
use tilebase_tests::follow::bound;
use tilebase_tests::naive_mtm::Distances;

/// The largest of tables through all symmetries.
type Tables = LineTables<LineTable, 16>;

/// The tables of patterns of the first and of the last `tiles` tiles of a puzzle.
fn tables(size: Size, home: Square, tiles: usize) -> Tables {
    let others: Vec<u64> = size.squares().filter(|&square| square != home).map(|square| u64::from(square.0)).collect();
    let patterns = [&others[..tiles], &others[others.len() - tiles..]].map(|tiles| Pattern::new(size, home, tiles));
    let tables: Vec<LineTable> = patterns.iter().flat_map(|pattern| line_tables(pattern.as_ref().unwrap())).collect();
    Tables::new(tables).unwrap()
}

fn walking_distance(size: Size, home: Square) -> RunWalkingDistance {
    RunWalkingDistance::new_for(size, home).expect("the boards of these tests are small")
}

/// What a bound says about each state and axis. Every value is followed from the goal along every move of every state, as a search follows
/// it, and held against the true numbers; every `step`th is also asked for from nothing.
fn check<H: RunHeuristic>(heuristic: &H, known: &Distances, step: usize) -> Vec<[u32; 2]> {
    let goal = &known.states()[0];
    let mut nodes: Vec<[Option<H::Node>; 2]> = vec![[None; 2]; known.states().len()];
    nodes[0] = Axis::BOTH.map(|axis| heuristic.root(&Position::of(goal), axis));
    let mut queue: VecDeque<(usize, Axis)> = Axis::BOTH.map(|axis| (0, axis)).into();
    while let Some((number, axis)) = queue.pop_front() {
        let node = nodes[number][axis as usize].expect("what is in the queue has a node");
        for next in known.along(number, axis) {
            let (position, other) = (Position::of(&known.states()[next]), axis.other());
            let begun = heuristic.begin(&position, other);
            let after = heuristic.finish(&node, begun, &position, other, u32::MAX).expect("nothing is more than that");
            let place = &mut nodes[next][other as usize];
            if let Some(known) = place {
                assert_eq!(heuristic.cost(known), heuristic.cost(&after), "the way does not matter");
            } else {
                *place = Some(after);
                queue.push_back((next, other));
            }
        }
    }
    let cost = |node: Option<H::Node>| heuristic.cost(&node.expect("every state is reached along both axes"));
    let costs: Vec<[u32; 2]> = nodes.iter().map(|nodes| nodes.map(cost)).collect();
    for (number, state) in known.states().iter().enumerate().skip(1) {
        for axis in Axis::BOTH {
            let (says, needed) = (costs[number][axis as usize], known.beginning_along(number, axis));
            assert!((1..=needed).contains(&says), "{says} for {needed} along {axis:?} from {state:?}");
        }
    }
    known.states().par_iter().enumerate().step_by(step).for_each(|(number, state)| {
        let costs = costs[number];
        let position = Position::of(state);
        let fresh = Axis::BOTH.map(|axis| cost(heuristic.root(&position, axis)));
        let least = if number == 0 { 0 } else { costs[0].min(costs[1]) };
        assert_eq!((fresh, heuristic.bound(state)), (costs, Some(least)), "{state:?}");
        assert!(least <= known.distance(number), "{state:?}");
        for axis in Axis::BOTH {
            for before in known.along(number, axis.other()) {
                let node = nodes[before][axis.other() as usize].unwrap();
                for most in 0..costs[axis as usize] + 2 {
                    let begun = heuristic.begin(&position, axis);
                    match heuristic.finish(&node, begun, &position, axis, most) {
                        Ok(after) => assert!(heuristic.cost(&after) == costs[axis as usize]),
                        Err(part) => assert!(most < part && part <= costs[axis as usize], "{part}, at most {most}"),
                    }
                }
            }
        }
    });
    costs
}

/// What walking distance adds up along each axis, by its definition: the fewest moves along the axis of a puzzle that knows of each tile only
/// the line across the axis that it is in, and the one where it belongs.
struct PlainWalk {
    axis: Axis,
    moves: BTreeMap<Crowd, u32>,
}

/// For each line across the axis the goal lines of its tiles, in order; and the blank's line.
type Crowd = (Vec<Vec<usize>>, usize);

impl PlainWalk {
    fn new(size: Size, home: Square, axis: Axis) -> PlainWalk {
        let goal = PlainWalk::crowd(axis, &State::solved(size, home));
        let mut moves = BTreeMap::from([(goal.clone(), 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(crowd) = queue.pop_front() {
            let count = moves[&crowd];
            for is_back in [true, false] {
                let mut passing = BTreeSet::from([crowd.clone()]);
                while !passing.is_empty() {
                    passing = passing.iter().flat_map(|crowd| PlainWalk::steps(crowd, is_back)).collect();
                    for next in &passing {
                        if !moves.contains_key(next) {
                            moves.insert(next.clone(), count + 1);
                            queue.push_back(next.clone());
                        }
                    }
                }
            }
        }
        PlainWalk { axis, moves }
    }

    fn line(axis: Axis, size: Size, square: Square) -> usize {
        let (row, column) = size.row_column(square);
        if axis == Axis::Vertical { row } else { column }
    }

    fn crowd(axis: Axis, state: &State) -> Crowd {
        let size = state.size();
        let mut lines = vec![Vec::new(); if axis == Axis::Vertical { size.height() } else { size.width() }];
        for (square, tile) in state.tiles() {
            lines[PlainWalk::line(axis, size, square)].push(PlainWalk::line(axis, size, tile.goal()));
        }
        lines.iter_mut().for_each(|line| line.sort_unstable());
        (lines, PlainWalk::line(axis, size, state.blank()))
    }

    /// The blank goes to the line beside its own, and any tile of that one comes back.
    fn steps((lines, blank): &Crowd, is_back: bool) -> Vec<Crowd> {
        let to = if is_back { blank.checked_sub(1) } else { Some(blank + 1).filter(|&to| to < lines.len()) };
        let Some(to) = to else { return Vec::new() };
        let step = |tile: usize| {
            let mut lines = lines.clone();
            let tile = lines[to].remove(tile);
            lines[*blank].push(tile);
            lines[*blank].sort_unstable();
            (lines, to)
        };
        (0..lines[to].len()).map(step).collect()
    }

    fn of(&self, state: &State) -> u32 {
        self.moves[&PlainWalk::crowd(self.axis, state)]
    }
}

/// Holds walking distance against its definition and against the true numbers.
fn check_walking_distance(known: &Distances, step: usize) -> Vec<[u32; 2]> {
    let (size, home) = (known.states()[0].size(), known.states()[0].home());
    let costs = check(&walking_distance(size, home), known, step);
    let plain = Axis::BOTH.map(|axis| PlainWalk::new(size, home, axis));
    known.states().par_iter().zip(&costs).enumerate().skip(1).for_each(|(number, (state, costs))| {
        let along @ [horizontal, vertical] = [0, 1].map(|axis: usize| plain[axis].of(state));
        for axis in Axis::BOTH {
            let (along, across) = (along[axis as usize], along[axis.other() as usize]);
            let expected = (along + across).max((2 * along).saturating_sub(1)).max(2 * across).max(1);
            assert_eq!(costs[axis as usize], expected, "{axis:?} from {state:?}");
        }
        let of_state = (horizontal + vertical).max((2 * horizontal.max(vertical)).saturating_sub(1)).max(1);
        assert_eq!(costs[0].min(costs[1]), of_state, "the better axis: {state:?}");
        assert!(of_state <= known.distance(number), "{state:?}");
    });
    costs
}

/// Holds all bounds against the true numbers on all boards of a puzzle.
fn check_puzzle(size: Size, home: Square, tiles: usize, step: usize) {
    let known = Distances::new(size, home);
    let walking = check_walking_distance(&known, step);
    let tables = tables(size, home, tiles);
    let by_tables = check(&tables, &known, step);
    let larger = check(&LargerOfRuns(tables, walking_distance(size, home)), &known, step);
    for ((walking, by_tables), larger) in walking.iter().zip(&by_tables).zip(&larger) {
        assert_eq!(*larger, [0, 1].map(|axis| walking[axis].max(by_tables[axis])));
    }
}

#[test]
fn no_bound_exceeds_the_number_of_moves_on_any_board_of_small_sizes_wherever_the_blank_belongs() {
    for (width, height, tiles) in [(2, 2, 2), (3, 2, 3), (2, 3, 3)] {
        size(width, height).squares().for_each(|home| check_puzzle(size(width, height), home, tiles, 1));
    }
    for (width, height) in [(4, 2), (2, 4)] {
        size(width, height).squares().for_each(|home| check_puzzle(size(width, height), home, 4, 37));
    }
}

#[test]
fn no_bound_exceeds_the_number_of_moves_on_any_3x3_board_wherever_the_blank_belongs() {
    size(3, 3).squares().for_each(|home| check_puzzle(size(3, 3), home, 4, 499));
}

#[test]
fn a_table_of_all_tiles_knows_the_number_of_moves_along_each_axis() {
    for (width, height, home) in [(2, 2, 1), (3, 2, 4), (2, 4, 0), (3, 3, 0), (3, 3, 1), (3, 3, 4)] {
        let (size, home) = (size(width, height), Square(home));
        let known = Distances::new(size, home);
        let table = Tables::new(line_tables(&Pattern::from_mask(size, home, size.all_squares() ^ home.bit()).unwrap()));
        let costs = check(&table.unwrap(), &known, 997);
        for (number, costs) in costs.iter().enumerate().skip(1) {
            for axis in Axis::BOTH {
                // The entry of a line does not know which of its states the board is: the move along it may be none at all.
                let expected = known.beginning_along(number, axis).min(known.distance(number) + 1);
                assert_eq!(costs[axis as usize], expected, "{:?}", known.states()[number]);
            }
        }
    }
}

/// By how much moves change the bound of the better axis, and by how much a move along an axis lowers the bound of a search, at most.
fn changes(known: &Distances, costs: &[[u32; 2]]) -> (u32, u32) {
    let bound = |number: usize| if number == 0 { 0 } else { costs[number][0].min(costs[number][1]) };
    let (mut of_states, mut of_searches) = (0, 0);
    for number in 0..costs.len() {
        for axis in Axis::BOTH {
            for next in known.along(number, axis) {
                of_states = of_states.max(bound(number).abs_diff(bound(next)));
                let left = if next == 0 { 0 } else { costs[next][axis.other() as usize] };
                if number != 0 {
                    of_searches = of_searches.max(costs[number][axis as usize].saturating_sub(left));
                }
            }
        }
    }
    (of_states, of_searches)
}

#[test]
fn on_every_3x3_board_promises_of_the_list_in_mtm_are_kept_and_no_smaller_ones_would_do() {
    for home in [Square(0), Square(1), Square(4)] {
        let known = Distances::new(size(3, 3), home);
        let costs = check_walking_distance(&known, 997);
        let (of_states, of_searches) = changes(&known, &costs);
        for about in AnyListed::abouts() {
            let promise = about.promise_in(Metric::Mtm);
            assert_eq!(about.promise_in(Metric::Stm), about.promise);
            assert_eq!(promise.is_admissible(), runs::listed(about.name, size(3, 3), home).is_ok(), "{}", about.name);
            if promise == Promise::Nothing {
                let heuristic = AnyListed::new(about.name, size(3, 3), home).unwrap();
                let exceeds = |number: usize| bound(&heuristic, &known.states()[number]) > known.distance(number);
                let excesses = (0..costs.len()).into_par_iter().filter(|&number| exceeds(number)).count();
                assert!(excesses > 0, "{} seems to be admissible in mtm", about.name);
            } else {
                assert_eq!(about.name, "walking-distance");
                assert_eq!(promise == Promise::Consistent, of_states <= 1, "a move changes it by up to {of_states}");
            }
        }
        // A search that knows the axis of the next move has a bound that never falls by more than the move.
        assert_eq!((of_states, of_searches), (2, 1));
    }
}

#[test]
fn on_korfs_hundred_boards_bounds_are_what_the_guide_says() {
    let frame = blank_first();
    let states: Vec<State> = korf15().iter().map(|korf| frame.state(&korf.board).unwrap()).collect();
    let sum = |bound: &(dyn Fn(&State) -> Option<u32> + Sync)| -> u32 {
        states.par_iter().map(|state| bound(state).unwrap()).sum()
    };
    let walking_distance = walking_distance(frame.size(), frame.home());
    let tables = [5, 6].map(|tiles| {
        let first: Vec<u64> = (1..=tiles).collect();
        let views = line_tables(&Pattern::new(frame.size(), frame.home(), &first).unwrap());
        assert_eq!(views.len(), 2, "the pattern and the transposed one");
        Tables::new(views).unwrap()
    });
    let of_tables = tables.map(|tables| {
        // Each table may choose its better axis; a bound has both tables look along the same one.
        let each = |state: &State| tables.pattern_costs(state)?.into_iter().flat_map(|(_, costs)| costs).max();
        (sum(&each), sum(&|state| tables.bound(state)))
    });
    assert_eq!(of_tables, [(2_160, 2_162), (2_311, 2_312)]);
    assert_eq!(sum(&|state| walking_distance.bound(state)), 1_732);
}

#[test]
fn names_that_count_single_tiles_are_refused_in_mtm_with_what_to_do() {
    let error = runs::listed("linear-conflict", size(4, 4), Square(0)).unwrap_err();
    assert_eq!(error, ListError::NotInMtm { name: "linear-conflict" });
    let text = error.to_string();
    assert!(text.starts_with("linear-conflict counts slides of single tiles, and so may exceed"), "{text}");
    assert!(text.ends_with("use walking-distance there, or tables of lines"), "{text}");
    let unknown = runs::listed("manhatten", size(4, 4), Square(0)).unwrap_err();
    assert_eq!(unknown, AnyListed::new("manhatten", size(4, 4), Square(0)).unwrap_err());
    let too_large = runs::listed("walking-distance", size(5, 5), Square(0)).unwrap_err();
    assert_eq!(too_large, AnyListed::new("walking-distance", size(5, 5), Square(0)).unwrap_err());
}
