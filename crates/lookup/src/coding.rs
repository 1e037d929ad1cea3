//! How entries are found and read, for each kind of table.

use std::fmt::Debug;
use std::sync::Arc;

use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{AnyFollower, Follow, Follower, Kind, Map, Place, Standing};
use tilebase_puzzle::{Slide, Square};

use crate::table::Table;

/// How the entries of a kind of table are found and read. Everything that a search calls with each node is here, so that it is
/// compiled for the kind and never has to ask which one it is.
pub trait Coding: Clone + Debug + Send + Sync {
    /// What follows the states.
    type Follower: Follower;

    /// The sum of Manhattan distances, if entries are read with it.
    type Distance: Copy + Default + Debug + Send + Sync;

    /// Whether tables of a kind may be coded like this; whether there is a follower for them decides as well.
    fn suits(kind: Kind) -> bool;

    /// How the entries of a table that [suits](Coding::suits) are found and read.
    fn new(table: &Table, follower: Arc<Self::Follower>) -> Self;

    /// Goes on to where a state stands after a slide that counts, and fetches what [`entry`](Coding::entry) will read. Returns the
    /// number of the squares that the tiles occupy then.
    fn follow(&self, standing: &mut Standing, slide: Slide) -> Map;

    /// The number of the entry that has the cost where a state stands, given the number of the squares of its tiles, with the
    /// blank on a square.
    fn entry(&self, standing: &Standing, map: Map, blank: Square) -> u64;

    /// The byte that has an entry.
    fn byte(&self, entry: u64) -> usize;

    /// The distance at a place.
    fn distance(&self, place: &Place) -> Self::Distance;

    /// The distance after a slide that counts.
    fn distance_after(&self, before: Self::Distance, slide: Slide) -> Self::Distance;

    /// The cost in an entry, after a slide from a state that costs `before`.
    fn cost_after(&self, payload: &[u8], entry: u64, distance: Self::Distance, before: u8) -> u8;

    /// The cost at a place, from nothing.
    fn cost(&self, table: &Table, place: &Place) -> Option<u32>;
}

/// An entry of a table of bits: the second bit of the cost of a state.
#[inline(always)]
pub(crate) fn bit(payload: &[u8], entry: u64) -> u8 {
    payload[(entry / 8) as usize] >> (entry % 8) & 1
}

/// An entry of a table of nibbles: half of the excess of the cost over the Manhattan distance. `None` when no state has it: it is
/// for boards that no solvable one leads to, or of a damaged table.
#[inline(always)]
pub(crate) fn nibble(payload: &[u8], entry: u64) -> Option<u8> {
    let half = payload[(entry / 2) as usize] >> (entry % 2 * 4) & 15;
    (half < UNREACHED_NIBBLE).then_some(half)
}

/// A bit for each state: tables of [`Kind::Bit`] or [`Kind::AllMoves`], as the follower is.
#[derive(Debug)]
pub struct Bits<F> {
    follower: Arc<F>,
}

impl<F> Clone for Bits<F> {
    fn clone(&self) -> Bits<F> {
        Bits { follower: Arc::clone(&self.follower) }
    }
}

impl<F: Follower + Debug> Coding for Bits<F> {
    type Follower = F;
    type Distance = ();

    fn suits(kind: Kind) -> bool {
        matches!(kind, Kind::Bit | Kind::AllMoves)
    }

    fn new(_table: &Table, follower: Arc<F>) -> Bits<F> {
        Bits { follower }
    }

    #[inline(always)]
    fn follow(&self, standing: &mut Standing, slide: Slide) -> Map {
        self.follower.step(standing, slide.from, slide.to);
        let map = self.follower.map(standing);
        self.follower.prefetch(map);
        map
    }

    #[inline(always)]
    fn entry(&self, standing: &Standing, map: Map, blank: Square) -> u64 {
        self.follower.number_of_map(standing, map, blank)
    }

    #[inline(always)]
    fn byte(&self, entry: u64) -> usize {
        (entry / 8) as usize
    }

    fn distance(&self, _place: &Place) {}

    #[inline(always)]
    fn distance_after(&self, (): (), _slide: Slide) {}

    #[inline(always)]
    fn cost_after(&self, payload: &[u8], entry: u64, (): (), before: u8) -> u8 {
        // The two candidates, one more and one less, differ in their second bit.
        let more = (before.wrapping_add(1) >> 1 ^ bit(payload, entry) ^ 1) & 1;
        before.wrapping_add(2 * more).wrapping_sub(1)
    }

    fn cost(&self, table: &Table, place: &Place) -> Option<u32> {
        table.walk_down(&*self.follower, place)
    }
}

/// A nibble for each entry: tables of [`Kind::Nibble`].
#[derive(Clone, Debug)]
pub struct Nibbles {
    follower: Arc<AnyFollower>,
    /// Row and column of each square.
    lines: [(u8, u8); 32],
}

impl Coding for Nibbles {
    type Follower = AnyFollower;
    type Distance = u8;

    fn suits(kind: Kind) -> bool {
        kind == Kind::Nibble
    }

    fn new(table: &Table, follower: Arc<AnyFollower>) -> Nibbles {
        let size = table.pattern().size();
        let mut lines = [(0, 0); 32];
        for square in size.squares() {
            let (row, column) = size.row_column(square);
            lines[square.index()] = (row as u8, column as u8);
        }
        Nibbles { follower, lines }
    }

    #[inline(always)]
    fn follow(&self, standing: &mut Standing, slide: Slide) -> Map {
        self.follower.step(standing, slide.from, slide.to);
        self.follower.map(standing)
    }

    #[inline(always)]
    fn entry(&self, standing: &Standing, map: Map, _blank: Square) -> u64 {
        self.follower.entry_number(standing, map)
    }

    #[inline(always)]
    fn byte(&self, entry: u64) -> usize {
        (entry / 2) as usize
    }

    fn distance(&self, place: &Place) -> u8 {
        place.manhattan as u8
    }

    #[inline(always)]
    fn distance_after(&self, before: u8, slide: Slide) -> u8 {
        let line = |square: Square| self.lines[square.index() % 32];
        let (goal_row, goal_column) = line(slide.tile.goal());
        let distance = |(row, column): (u8, u8)| row.abs_diff(goal_row) + column.abs_diff(goal_column);
        (before + distance(line(slide.to))).wrapping_sub(distance(line(slide.from)))
    }

    #[inline(always)]
    fn cost_after(&self, payload: &[u8], entry: u64, distance: u8, before: u8) -> u8 {
        nibble(payload, entry).map_or(before, |half| distance + 2 * half)
    }

    fn cost(&self, table: &Table, place: &Place) -> Option<u32> {
        table.cost(place)
    }
}

/// Either of them, for sets of tables of both kinds that are added: the only coding that asks each time which one it is.
#[derive(Clone, Debug)]
pub enum BitsOrNibbles {
    /// A bit for each state.
    Bits(Bits<AnyFollower>),
    /// A nibble for each entry.
    Nibbles(Nibbles),
}

/// Methods that do the same with either of them.
macro_rules! either {
    ($($name:ident($($given:ident: $type:ty),+) -> $answer:ty;)+) => {$(
        #[inline(always)]
        fn $name(&self, $($given: $type),+) -> $answer {
            match self {
                BitsOrNibbles::Bits(coding) => coding.$name($($given),+),
                BitsOrNibbles::Nibbles(coding) => coding.$name($($given),+),
            }
        }
    )+};
}

impl Coding for BitsOrNibbles {
    type Follower = AnyFollower;
    type Distance = u8;

    fn suits(kind: Kind) -> bool {
        matches!(kind, Kind::Bit | Kind::Nibble | Kind::AllMoves)
    }

    fn new(table: &Table, follower: Arc<AnyFollower>) -> BitsOrNibbles {
        if Nibbles::suits(table.kind()) {
            BitsOrNibbles::Nibbles(Nibbles::new(table, follower))
        } else {
            BitsOrNibbles::Bits(Bits::new(table, follower))
        }
    }

    either! {
        follow(standing: &mut Standing, slide: Slide) -> Map;
        entry(standing: &Standing, map: Map, blank: Square) -> u64;
        byte(entry: u64) -> usize;
        cost(table: &Table, place: &Place) -> Option<u32>;
    }

    fn distance(&self, place: &Place) -> u8 {
        match self {
            BitsOrNibbles::Bits(_) => 0,
            BitsOrNibbles::Nibbles(nibbles) => nibbles.distance(place),
        }
    }

    #[inline(always)]
    fn distance_after(&self, before: u8, slide: Slide) -> u8 {
        match self {
            BitsOrNibbles::Bits(_) => 0,
            BitsOrNibbles::Nibbles(nibbles) => nibbles.distance_after(before, slide),
        }
    }

    #[inline(always)]
    fn cost_after(&self, payload: &[u8], entry: u64, distance: u8, before: u8) -> u8 {
        match self {
            BitsOrNibbles::Bits(bits) => bits.cost_after(payload, entry, (), before),
            BitsOrNibbles::Nibbles(nibbles) => nibbles.cost_after(payload, entry, distance, before),
        }
    }
}
