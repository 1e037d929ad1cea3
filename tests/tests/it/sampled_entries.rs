//! Entries of a table, drawn at random, against a search that knows nothing of tables, rows and levels.
//!
//! From a state, the table's bits lead downhill to the goal; every step is a move made on plain squares, so the state costs at most
//! as many moves. That it does not cost fewer is shown by a depth-first search that looks for any way which is two moves shorter, and
//! finds none. Its lower bounds come from small tables of four or five tiles, made here by naive search.
//!
//! The test draws from a table of six tiles, or from a file of any size, if one is named:
//!
//! ```text
//! TILEBASE_SAMPLED_TABLE=FILE TILEBASE_SAMPLES=100000 cargo test --release -p tilebase-tests --test it sampled_entries -- --nocapture
//! ```
//!
//! With a sample nobody has proved the rest; `tilebase tables audit` does.

use std::collections::VecDeque;
use std::path::Path;

use rayon::prelude::*;
use tilebase_index::{BuilderIndex, Kind, Perm, Row, bits, perms};
use tilebase_lookup::{Bytes, Table};
use tilebase_puzzle::{Pattern, Random, Square};
use tilebase_tests::fixtures::{self, size};
use tilebase_tests::naive::{FixedMap, neighbours};

/// Ways to divide the pattern's tiles; the largest sum counts.
const DIVISIONS: u64 = 4;

/// The most tiles that a pattern may have here.
const MOST: usize = 12;

/// Costs of a few tiles, other tiles being free, by naive search.
struct Few {
    /// Which tiles of the pattern.
    tiles: Vec<usize>,
    /// By the squares of the blank and of the tiles: digits of a number, the blank's first.
    costs: Vec<u8>,
}

impl Few {
    fn new(pattern: &Pattern, tiles: Vec<usize>) -> Few {
        let (size, n) = (pattern.size(), pattern.size().count());
        let goals: Vec<usize> = pattern.tiles().map(|tile| tile.goal().index()).collect();
        let weights: Vec<usize> = (0..=tiles.len() as u32).rev().map(|digit| n.pow(digit)).collect();
        let mut costs = vec![u8::MAX; n * weights[0]];
        let start = tiles.iter().fold(pattern.home().index(), |code, &tile| code * n + goals[tile]);
        costs[start] = 0;
        let mut queue = VecDeque::from([(start as u32, 0)]);
        while let Some((code, cost)) = queue.pop_front() {
            let code = code as usize;
            if costs[code] < cost {
                continue;
            }
            let blank = code / weights[0];
            for from in neighbours(size, Square(blank as u8)).map(Square::index) {
                let tile = weights[1..].iter().find(|&weight| code / weight % n == from);
                let moved = code - blank * weights[0] + from * weights[0];
                let (after, next) = match tile {
                    Some(weight) => (moved - from * weight + blank * weight, cost + 1),
                    None => (moved, cost),
                };
                if next < costs[after] {
                    costs[after] = next;
                    match tile {
                        Some(_) => queue.push_back((after as u32, next)),
                        None => queue.push_front((after as u32, next)),
                    }
                }
            }
        }
        Few { tiles, costs }
    }

    fn cost(&self, n: usize, state: &Standing) -> u32 {
        let code =
            self.tiles.iter().fold(usize::from(state.blank), |code, &tile| code * n + usize::from(state.tiles[tile]));
        self.costs[code].into()
    }
}

/// The squares of the pattern's tiles, in their order, and of the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Standing {
    tiles: [u8; MOST],
    blank: u8,
}

/// The search for shorter ways.
struct Plain {
    n: usize,
    k: usize,
    goal: Standing,
    /// The squares beside each square.
    beside: Vec<u32>,
    divisions: Vec<Vec<Few>>,
}

/// What is known while one sample is searched: with how many moves left each state has been tried.
type Tried = FixedMap<u64, u32>;

impl Plain {
    fn new(pattern: &Pattern, few: usize) -> Plain {
        let divide = |seed| {
            let mut tiles: Vec<usize> = (0..pattern.len()).collect();
            let mut random = Random::new(seed);
            (1..tiles.len()).rev().for_each(|last| tiles.swap(last, random.below(last as u64 + 1) as usize));
            tiles.chunks(few).map(|tiles| Few::new(pattern, tiles.to_vec())).collect()
        };
        let size = pattern.size();
        let beside = size.squares().map(|square| neighbours(size, square).fold(0, |mask, square| mask | square.bit()));
        let mut tiles = [0; MOST];
        tiles.iter_mut().zip(pattern.tiles()).for_each(|(square, tile)| *square = tile.goal().0);
        let goal = Standing { tiles, blank: pattern.home().0 };
        let divisions = (0..DIVISIONS).into_par_iter().map(divide).collect();
        Plain { n: size.count(), k: pattern.len(), goal, beside: beside.collect(), divisions }
    }

    fn occupied(&self, state: &Standing) -> u32 {
        state.tiles[..self.k].iter().fold(0, |mask, square| mask | 1 << square)
    }

    /// The squares that the blank reaches without moving any of the tiles.
    fn region(&self, state: &Standing) -> u32 {
        let occupied = self.occupied(state);
        let (mut region, mut edge) = (1 << state.blank, 1u32 << state.blank);
        while edge != 0 {
            let square = edge.trailing_zeros() as usize;
            edge &= edge - 1;
            let new = self.beside[square] & !occupied & !region;
            region |= new;
            edge |= new;
        }
        region
    }

    /// All states that one move of a tile leads to.
    fn moves<'a>(&'a self, state: &'a Standing, region: u32) -> impl Iterator<Item = Standing> + 'a {
        (0..self.k).flat_map(move |tile| {
            let from = state.tiles[tile];
            bits(self.beside[usize::from(from)] & region).map(move |to| {
                let mut after = Standing { blank: from, ..*state };
                after.tiles[tile] = to.0;
                after
            })
        })
    }

    fn is_more_than(&self, state: &Standing, most: u32) -> bool {
        self.divisions.iter().any(|parts| parts.iter().map(|part| part.cost(self.n, state)).sum::<u32>() > most)
    }

    fn is_goal(&self, state: &Standing, region: u32) -> bool {
        state.tiles == self.goal.tiles && region >> self.goal.blank & 1 == 1
    }

    /// Whether the goal is at most this many moves away.
    fn is_within(&self, state: &Standing, most: u32, tried: &mut Tried) -> bool {
        if self.is_more_than(state, most) {
            return false;
        }
        let region = self.region(state);
        if self.is_goal(state, region) {
            return true;
        }
        let place = u64::from(region.trailing_zeros());
        let key = state.tiles[..self.k].iter().fold(place, |key, &square| key << 5 | u64::from(square));
        if most == 0 || tried.get(&key).is_some_and(|&before| before >= most) {
            return false;
        }
        tried.insert(key, most);
        self.moves(state, region).any(|after| self.is_within(&after, most - 1, tried))
    }
}

/// What the samples came to.
#[derive(Clone, Copy, Default, Debug)]
struct Summary {
    samples: u64,
    by_bound_alone: u64,
    states_tried: u64,
    most_tried: u64,
    moves: u64,
    largest: u32,
}

impl Summary {
    fn and(self, other: Summary) -> Summary {
        Summary {
            samples: self.samples + other.samples,
            by_bound_alone: self.by_bound_alone + other.by_bound_alone,
            states_tried: self.states_tried + other.states_tried,
            most_tried: self.most_tried.max(other.most_tried),
            moves: self.moves + other.moves,
            largest: self.largest.max(other.largest),
        }
    }
}

/// Checks entries of a bit table, drawn at random from all, with lower bounds from tables of a few tiles.
fn check(table: &Table, samples: u64, few: usize) -> Summary {
    let (header, pattern) = (table.header(), table.header().pattern());
    assert_eq!(header.kind(), Kind::Bit);
    let index = BuilderIndex::new(header.index().unwrap());
    let plain = Plain::new(pattern, few);
    let colour = |state: &Standing| {
        let squares = state.tiles[..plain.k].iter().map(|&square| Square(square));
        squares.map(|square| pattern.size().distance(Square(0), square)).sum::<u32>()
    };
    // The cost modulo 4 that the table has for a state, ranked from nothing.
    let modulo_4 = |state: &Standing| {
        let mut order: Vec<u8> = (0..plain.k as u8).collect();
        order.sort_by_key(|&tile| state.tiles[usize::from(tile)]);
        let row = index.row(index.map(plain.occupied(state)), Square(state.blank));
        let number = index.state_number(row, perms::rank(&order));
        let bit = table.payload()[(number / 8) as usize] >> (number % 8) & 1;
        u32::from(bit) * 2 + (colour(state) + colour(&plain.goal)) % 2
    };
    let one = |seed| {
        let mut random = Random::new(seed);
        let row = Row(random.below(index.rows() as u64) as u32);
        let perm = Perm(random.below(index.perms().into()) as u32);
        let mut start = Standing { tiles: [0; MOST], blank: index.region(row).trailing_zeros() as u8 };
        let squares = index.tile_squares(index.map_of(row), perm);
        start.tiles.iter_mut().zip(squares).for_each(|(tile, square)| *tile = square.0);

        let (mut state, mut cost, mut value) = (start, 0, modulo_4(&start));
        loop {
            let region = plain.region(&state);
            if plain.is_goal(&state, region) {
                break;
            }
            value = (value + 3) % 4;
            let cheaper = plain.moves(&state, region).find(|after| modulo_4(after) == value);
            state = cheaper.unwrap_or_else(|| panic!("{start:?}: no way down after {cost} moves"));
            cost += 1;
            assert!(cost <= header.max(), "{start:?}: the way down does not end");
        }
        assert_eq!(value, 0, "{start:?}");
        let mut tried = Tried::default();
        let is_shorter = cost >= 2 && plain.is_within(&start, cost - 2, &mut tried);
        assert!(!is_shorter, "{start:?}: the table says {cost}, but it is less");
        let tried = tried.len() as u64;
        Summary {
            samples: 1,
            by_bound_alone: u64::from(tried == 0),
            states_tried: tried,
            most_tried: tried,
            moves: cost.into(),
            largest: cost,
        }
    };
    (0..samples).into_par_iter().map(one).reduce(Summary::default, Summary::and)
}

/// The table that is drawn from, if one is named, and how many entries.
#[allow(unsafe_code)]
fn named() -> Option<(Table, u64)> {
    let file = std::env::var_os("TILEBASE_SAMPLED_TABLE")?;
    let samples =
        std::env::var("TILEBASE_SAMPLES").map_or(1_000, |number| number.parse().expect("a number of entries"));
    // SAFETY: nothing changes the table that a test was asked to read.
    let bytes = unsafe { Bytes::map(Path::new(&file)) };
    Some((Table::new(bytes.unwrap()).unwrap(), samples))
}

#[test]
fn entries_drawn_at_random_are_what_a_plain_search_finds() {
    if let Some((table, samples)) = named() {
        let states: u64 = table.header().histogram().iter().sum();
        let started = std::time::Instant::now();
        let summary = check(&table, samples, 5);
        assert_eq!(summary.samples, samples);
        println!("{states} states by the histogram; {summary:?} in {:.0?}", started.elapsed());
        return;
    }
    let pattern = Pattern::new(size(4, 4), Square(0), &[1, 2, 4, 5, 8, 9]).unwrap();
    let summary = check(&fixtures::table(&pattern, Kind::Bit), 2_000, 4);
    assert_eq!(summary.samples, 2_000);
    assert!(summary.by_bound_alone < summary.samples && summary.largest >= 22, "{summary:?}");
}
