//! Every table says what a naive search says, state by state.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Mutex;

use rayon::prelude::*;
use tilebase_generate::{Build, BuildError, Memory, Optimisation};
use tilebase_index::{BuilderIndex, Index, Kind, Map, PatternCosts, Perm, Place, Row, Standing, perms};
use tilebase_lookup::{AdditiveTable, Bytes, Table};
use tilebase_progress::{Event, Level, unwatched};
use tilebase_puzzle::{Pattern, Slide, Square};
use tilebase_tests::fixtures::size;
use tilebase_tests::naive::{self, FixedMap, Placement};

/// Walking downhill takes microseconds, so that large tables are walked from about this many states only.
const WALKS: usize = 2_000;

/// The most that a nibble holds, in halves of the excess over Manhattan distance.
const LARGEST_NIBBLE: u32 = 14;

/// Where a placement is in the tables, ranked from nothing.
fn place(index: &BuilderIndex, pattern: &Pattern, placement: Placement) -> Place {
    let mut standing: Vec<(Square, u8)> = (0..pattern.len()).map(|tile| (placement.tile(tile), tile as u8)).collect();
    standing.sort_unstable();
    let squares = standing.iter().fold(0, |mask, (square, _)| mask | square.bit());
    let order: Vec<u8> = standing.iter().map(|&(_, tile)| tile).collect();
    let map = index.map(squares);
    let row = index.row(map, placement.blank());
    let goals = pattern.tiles().enumerate();
    let manhattan = goals.map(|(tile, name)| index.size().distance(placement.tile(tile), name.goal())).sum();
    Place { squares, map, row, perm: perms::rank(&order), manhattan }
}

/// What the naive search says, in the order of the tables' entries. `None` cannot be reached.
struct Expected {
    index: BuilderIndex,
    pattern: Pattern,
    costs: FixedMap<Placement, u32>,
    states: Vec<Option<u32>>,
    entries: Vec<Option<u32>>,
}

impl Expected {
    fn new(pattern: &Pattern) -> Expected {
        let index = BuilderIndex::new(Index::new(pattern.size(), pattern.len(), Kind::Bit).unwrap());
        let costs = naive::pattern_costs(pattern, Kind::Bit);
        let mut states = vec![None; index.states() as usize];
        let mut entries = vec![None; index.entries() as usize];
        for (&placement, &cost) in &costs {
            let place = place(&index, pattern, placement);
            let state = &mut states[index.state_number(place.row, place.perm) as usize];
            assert_eq!(*state.get_or_insert(cost), cost, "{pattern}: the blank's square matters within its region");
            let entry = &mut entries[index.entry_number(place.map, place.perm) as usize];
            *entry = Some(entry.map_or(cost, |least: u32| least.min(cost)));
        }
        Expected { index, pattern: *pattern, costs, states, entries }
    }

    /// All places of the tables: one for each row and permutation.
    fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let maps = (0..self.index.maps() as u32).map(Map);
        maps.flat_map(move |map| (0..self.index.perms()).map(move |perm| (map, Perm(perm)))).flat_map(
            move |(map, perm)| {
                let squares = self.index.tile_squares(map, perm);
                let goals = self.pattern.tiles().zip(squares);
                let manhattan = goals.map(|(tile, square)| self.index.size().distance(square, tile.goal())).sum();
                let rows = self.index.rows_of(map).map(Row);
                rows.map(move |row| Place { squares: self.index.squares(map), map, row, perm, manhattan })
            },
        )
    }

    fn state(&self, place: &Place) -> Option<u32> {
        self.states[self.index.state_number(place.row, place.perm) as usize]
    }

    fn entry(&self, place: &Place) -> Option<u32> {
        self.entries[self.index.entry_number(place.map, place.perm) as usize]
    }

    /// Half of the largest excess over Manhattan distance.
    fn largest_nibble(&self) -> u32 {
        let excess = self.places().filter_map(|place| Some((self.entry(&place)? - place.manhattan) / 2));
        excess.max().unwrap()
    }
}

fn histogram(costs: &[Option<u32>]) -> Vec<u64> {
    let mut histogram = vec![0; costs.iter().flatten().max().unwrap().to_owned() as usize + 1];
    costs.iter().flatten().for_each(|&cost| histogram[cost as usize] += 1);
    histogram
}

type Built = tilebase_generate::Built<Cursor<Vec<u8>>>;

fn open(built: &Built) -> Table {
    Table::new(Bytes::Owned(built.bytes().to_vec())).unwrap()
}

/// Holds the tables of a pattern against the naive search. Where an entry does not fit into a nibble, the build must say
/// so, and the bit table is checked alone.
fn check(expected: &Expected) {
    let pattern = &expected.pattern;
    let run = |encodings| Build::new(pattern, encodings).unwrap().run(1, &Memory, &unwatched);
    let largest = expected.largest_nibble();
    if largest > LARGEST_NIBBLE {
        let error = run(&[Kind::Nibble]).unwrap_err();
        assert!(matches!(error, BuildError::Overflow { .. }), "{pattern}: {error}");
        check_bit_table(expected, &run(&[Kind::Bit]).unwrap()[0]);
        return;
    }
    let [bit, nibble] = &run(&[Kind::Bit, Kind::Nibble]).unwrap()[..] else { panic!("two tables were asked for") };
    check_bit_table(expected, bit);
    check_nibble_table(expected, nibble);
    assert_eq!(run(&[Kind::Bit]).unwrap(), slice::from_ref(bit), "{pattern}: built alone");
    assert_eq!(run(&[Kind::Nibble]).unwrap(), slice::from_ref(nibble), "{pattern}: built alone");
}

fn check_bit_table(expected: &Expected, built: &Built) {
    let Expected { pattern, states, .. } = expected;
    assert_eq!((built.header.pattern(), built.header.kind()), (pattern, Kind::Bit));
    assert_eq!(built.header.histogram(), histogram(states), "{pattern}");
    let bits = built.payload().iter().flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
    let costs = states.iter().map(|cost| cost.map_or(0, |cost| cost >> 1 & 1)).chain(std::iter::repeat(0));
    assert!(bits.zip(costs).all(|(found, expected)| found == expected), "{pattern}: some bit is wrong");

    let table = open(built);
    for place in expected.places().step_by(states.len() / WALKS + 1) {
        assert_eq!(table.cost(&place), expected.state(&place), "{pattern}: {place:?}");
    }
    check_steps(expected, &table, Expected::state);
}

fn check_nibble_table(expected: &Expected, built: &Built) {
    let Expected { pattern, entries, .. } = expected;
    assert_eq!((built.header.pattern(), built.header.kind()), (pattern, Kind::Nibble));
    assert_eq!(built.header.histogram(), histogram(entries), "{pattern}");
    let table = open(built);
    for place in expected.places() {
        assert_eq!(table.cost(&place), expected.entry(&place), "{pattern}: {place:?}");
    }
    if entries.len() % 2 == 1 {
        assert_eq!(built.payload().last().unwrap() >> 4, 0, "{pattern}: the last nibble belongs to no entry");
    }
    check_steps(expected, &table, Expected::entry);
}

/// Follows moves of single tiles: the standing is the one ranked from nothing, and the cost that of the naive search.
fn check_steps(expected: &Expected, table: &Table, cost: impl Fn(&Expected, &Place) -> Option<u32>) {
    let Expected { index, pattern, costs, .. } = expected;
    let ready = AdditiveTable::ready(std::slice::from_ref(table)).unwrap().remove(0);
    let names: Vec<_> = pattern.tiles().collect();
    for &placement in costs.keys().step_by(costs.len() / (5 * WALKS) + 1) {
        let before = place(index, pattern, placement);
        let before_cost = cost(expected, &before).unwrap();
        for from in naive::neighbours(index.size(), placement.blank()) {
            let Some(tile) = placement.tile_on(from, names.len()) else { continue };
            let slide = Slide { tile: names[tile], from, to: placement.blank() };
            let after = place(index, pattern, placement.after(from, names.len()));
            let mut standing = Standing::from(&before);
            let entry = ready.step(&mut standing, slide);
            let expected_entry = table.entry(&after).unwrap();
            assert_eq!((standing, entry), (Standing::from(&after), expected_entry), "{pattern}: {placement:?}");
            let distance = ready.distance_after(ready.distance(&before), slide);
            let after_cost = u32::from(ready.cost_after(entry, distance, before_cost as u8));
            assert_eq!(Some(after_cost), cost(expected, &after), "{pattern}: {after:?}");
        }
    }
}

fn check_all(patterns: impl IntoIterator<Item = Pattern>) {
    let patterns: Vec<Pattern> = patterns.into_iter().collect();
    patterns.par_iter().for_each(|pattern| check(&Expected::new(pattern)));
}

/// All patterns of up to `most` tiles of 3×3.
fn patterns_of_3x3(home: Square, most: usize) -> impl Iterator<Item = Pattern> {
    let patterns = (1..512).filter_map(move |mask| Pattern::from_mask(size(3, 3), home, mask).ok());
    patterns.filter(move |pattern| pattern.len() <= most)
}

/// Patterns by width, height, home and tiles.
fn check_some(patterns: &[(usize, usize, u8, &[u64])]) {
    let pattern = |&(width, height, home, tiles)| Pattern::new(size(width, height), Square(home), tiles).unwrap();
    check_all(patterns.iter().map(pattern));
}

#[test]
fn all_255_patterns_of_3x3_with_the_blank_in_the_corner() {
    assert_eq!(patterns_of_3x3(Square(0), 8).count(), 255);
    check_all(patterns_of_3x3(Square(0), 8));
}

#[test]
fn all_patterns_of_up_to_5_tiles_of_3x3_with_the_blank_on_an_edge() {
    check_all(patterns_of_3x3(Square(1), 5));
}

#[test]
fn all_patterns_of_up_to_5_tiles_of_3x3_with_the_blank_in_the_middle() {
    check_all(patterns_of_3x3(Square(4), 5));
}

#[test]
fn larger_patterns_of_3x3_with_the_blank_on_an_edge_or_in_the_middle() {
    check_some(&[
        (3, 3, 1, &[0, 2, 3, 4, 5, 6, 7, 8]),
        (3, 3, 1, &[0, 2, 3, 4, 5, 7, 8]),
        (3, 3, 1, &[0, 3, 4, 6, 7, 8]),
        (3, 3, 4, &[0, 1, 2, 3, 5, 6, 7, 8]),
        (3, 3, 4, &[0, 1, 2, 5, 6, 7, 8]),
        (3, 3, 4, &[1, 2, 3, 5, 6, 8]),
    ]);
}

#[test]
fn patterns_of_narrow_boards_to_and_fro() {
    check_some(&[
        (2, 2, 0, &[1, 2, 3]),
        (2, 3, 0, &[1, 2, 3, 4, 5]),
        (3, 2, 1, &[0, 2, 3, 4, 5]),
        (2, 5, 0, &[1, 2, 3, 4, 5]),
        (2, 5, 4, &[0, 1, 8, 9]),
        (2, 5, 0, &[1, 2, 4, 5, 7, 8, 9]),
        (5, 2, 0, &[3, 4, 8, 9]),
        (5, 2, 2, &[0, 1, 5, 6, 7]),
        (5, 2, 2, &[0, 3, 4, 5, 6, 7, 8, 9]),
    ]);
}

#[test]
fn patterns_of_rectangles_and_of_the_15_puzzle() {
    check_some(&[
        (3, 4, 0, &[1, 2, 4, 5]),
        (3, 4, 1, &[0, 3, 6, 9, 10]),
        (3, 4, 4, &[2, 5, 7, 8, 11]),
        (4, 3, 0, &[4, 5, 8, 9, 10]),
        (4, 3, 5, &[2, 3, 6, 7, 11]),
        (3, 4, 0, &[1, 2, 4, 5, 7, 8]),
        (4, 3, 0, &[2, 3, 6, 7, 10, 11]),
        (4, 4, 0, &[12]),
        (4, 4, 0, &[3, 12]),
        (4, 4, 0, &[1, 2, 4, 5, 8]),
        (4, 4, 1, &[0, 4, 5, 8]),
        (4, 4, 5, &[0, 6, 9, 10, 15]),
        (5, 3, 7, &[0, 4, 10, 14]),
        (5, 5, 12, &[11, 13, 24]),
    ]);
}

#[test]
fn a_pattern_that_does_not_fit_into_nibbles_still_has_a_bit_table() {
    let pattern = Pattern::new(size(2, 5), Square(0), &[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let expected = Expected::new(&pattern);
    assert!(expected.largest_nibble() > LARGEST_NIBBLE, "found {}", expected.largest_nibble());
    check(&expected);
}

#[test]
fn tables_depend_neither_on_the_number_of_threads_nor_on_what_makes_builds_fast() {
    let patterns: [(usize, usize, u8, &[u64]); 4] = [
        (3, 3, 0, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (2, 5, 2, &[0, 1, 3, 4]),
        (4, 4, 0, &[1, 2, 4, 5, 8, 9]),
        (5, 5, 12, &[6, 7, 8, 11]),
    ];
    for (width, height, home, tiles) in patterns {
        let pattern = Pattern::new(size(width, height), Square(home), tiles).unwrap();
        let build = Build::new(&pattern, &[Kind::Bit, Kind::Nibble]).unwrap();
        let bytes = |build: Build, threads| -> Vec<Vec<u8>> {
            build.run(threads, &Memory, &unwatched).unwrap().into_iter().map(Built::into_bytes).collect()
        };
        let alone = bytes(build, 1);
        for threads in [2, 7, 0] {
            assert_eq!(alone, bytes(build, threads), "{pattern} on {threads} threads");
        }
        for optimisation in Optimisation::ALL {
            assert_eq!(alone, bytes(build.without(optimisation), 2), "{pattern} without {optimisation}");
        }
    }
}

#[test]
fn builds_side_by_side_make_the_tables_that_each_makes_alone() {
    let patterns: [(usize, usize, &[u64]); 4] =
        [(3, 3, &[1, 2, 3, 4]), (2, 5, &[1, 3, 4]), (4, 4, &[1, 4, 5, 8, 9]), (4, 4, &[7])];
    let builds = patterns.map(|(width, height, tiles)| {
        Build::new(&Pattern::new(size(width, height), Square(0), tiles).unwrap(), &[Kind::Bit, Kind::Nibble]).unwrap()
    });
    let alone: Vec<Vec<Built>> = builds.iter().map(|build| build.run(1, &Memory, &unwatched).unwrap()).collect();
    for threads in [1, 2, 3] {
        let levels: Mutex<Vec<Level>> = Mutex::default();
        let watch = |event: &Event<'_>| {
            if let Event::Level(level) = event {
                levels.lock().unwrap().push(**level);
            }
            ControlFlow::Continue(())
        };
        assert!(Build::run_side_by_side(&builds, threads, &Memory, &watch).unwrap() == alone);
        let levels = levels.into_inner().unwrap();
        assert!(levels.is_sorted_by_key(|level| level.found));
        let reachable = builds.iter().map(Build::reachable).sum::<u64>();
        assert_eq!(levels.last().map(|level| (level.found, level.total)), Some((reachable, reachable)));
    }
}

#[test]
fn small_builds_go_together_as_far_as_memory_allows() {
    let build = |tiles: &[u64]| Build::new(&Pattern::new(size(4, 4), Square(0), tiles).unwrap(), &[Kind::Bit]).unwrap();
    let small = build(&[1, 2, 3, 4]);
    let large = build(&[1, 2, 3, 4, 5, 6, 7]);
    let builds = [small, small, large, small, large];
    let sizes = |memory| Build::groups(&builds, 2, memory).iter().map(|group| group.len()).collect::<Vec<_>>();
    assert_eq!(sizes(u64::MAX), [2, 1, 1, 1]);
    assert_eq!(sizes(Build::memory_together(&[small, small], 2)), [2, 1, 1, 1]);
    assert_eq!(sizes(Build::memory_together(&[small, small], 2) - 1), [1; 5]);
}
