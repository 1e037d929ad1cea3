//! Following single states: what a search needs of an index, small enough to stay in the second-level cache.
//!
//! With each slide of a pattern's tile a search needs the number of one entry. For 8 tiles on 4×4 the tables below take
//! 150 kB: the halves of the maps' numbers, a word for each map, and the rotations.

use super::{Counting, Index, Map, Perm, Place, Rotations, below};
use crate::size::{MAX_SQUARES, Square};

/// Where a state stands among those of a pattern: which squares the tiles occupy, and which tile is where. As small as can
/// be, because searches copy it with every node.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standing {
    squares: u32,
    perm: Perm,
}

impl From<&Place> for Standing {
    fn from(place: &Place) -> Standing {
        Standing { squares: place.squares, perm: place.perm }
    }
}

/// Follows states from slide to slide.
#[derive(Debug)]
pub struct Follower {
    perms: u64,
    /// What the lower and the upper half of the squares add to the number of a map.
    low: Box<[u32; 1 << HALF]>,
    high: Box<[u32; 1 << HALF]>,
    low_bits: u32,
    rows: Rows,
    /// By where the tile leaves and enters the order of the tiles, four bits each.
    turns: Box<[Turn; 256]>,
    /// What the turns add to numbers of permutations, one turn after the other.
    added: Box<[i32]>,
    /// For turns whose additions would take too much room.
    rotations: Rotations,
}

/// The most squares that half a board can have.
const HALF: usize = MAX_SQUARES.div_ceil(2);

/// How the row of a map and a square of the blank is found.
#[derive(Debug)]
enum Rows {
    /// A word for each map: its first row, and above that the region of each square.
    Words { words: Box<[u64]>, row_bits: u32, label_bits: u32 },
    /// The same where it does not fit into 64 bits.
    LongWords { words: Box<[u128]>, row_bits: u32, label_bits: u32 },
    /// Every free square has a row of its own.
    EachSquare { free: u64 },
}

/// A [`Rotation`](super::Rotation), ready to be applied without dividing.
#[derive(Clone, Copy, Default, Debug)]
struct Turn {
    /// What keeps the head: its unit, and the reciprocal of that.
    unit: u32,
    of_unit: Reciprocal,
    /// The reciprocal of the length of runs.
    of_run: Reciprocal,
    /// Where the additions of the middles start, or [`TOO_LARGE`].
    added: u32,
}

/// A turn that is worked out each time. Only wide boards have them.
const TOO_LARGE: u32 = u32::MAX;

/// Divides by multiplying: exact for all numbers of permutations, which are below 2³⁰.
#[derive(Clone, Copy, Default, Debug)]
struct Reciprocal(u64);

impl Reciprocal {
    const BITS: u32 = 63;

    fn of(divisor: u32) -> Reciprocal {
        Reciprocal((1u64 << Reciprocal::BITS).div_ceil(u64::from(divisor)))
    }

    #[inline(always)]
    fn divide(self, number: u32) -> u32 {
        (u128::from(number) * u128::from(self.0) >> Reciprocal::BITS) as u32
    }
}

impl Follower {
    /// The follower of an index.
    pub(super) fn new(index: &Index) -> Follower {
        let tiles = index.tiles();
        let mut added = Vec::new();
        let mut turns = Box::new([Turn::default(); 256]);
        for (leaves, enters) in (0..tiles as u8).flat_map(|leaves| (0..tiles as u8).map(move |enters| (leaves, enters)))
        {
            let rotation = index.rotations().get(leaves, enters);
            let unit = if rotation.stays() { 1 } else { rotation.unit() };
            let start = if rotation.is_too_large() { TOO_LARGE } else { added.len() as u32 };
            let (of_unit, of_run) = (Reciprocal::of(unit), Reciprocal::of(rotation.run()));
            turns[(leaves << 4 | enters) as usize] = Turn { unit, of_unit, of_run, added: start };
            if rotation.stays() {
                added.push(0);
            } else if start != TOO_LARGE {
                let middles = (0..unit).step_by(rotation.run() as usize);
                added.extend(middles.map(|middle| rotation.apply(Perm(middle)).0 as i32 - middle as i32));
            }
        }
        let (low_bits, low, high) = index.tables().maps.halves();
        let whole = |half: &[u32]| Box::new(std::array::from_fn(|squares| half.get(squares).copied().unwrap_or(0)));
        Follower {
            perms: index.perms().into(),
            low: whole(low),
            high: whole(high),
            low_bits,
            rows: Rows::new(index),
            turns,
            added: added.into(),
            rotations: Rotations::new(tiles, index.size().width()),
        }
    }

    /// Moves a tile of the pattern from one square to another.
    #[inline(always)]
    pub fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        let squares = standing.squares ^ from.bit() ^ to.bit();
        let (leaves, enters) = (below(standing.squares, from), below(squares, to));
        let turn = &self.turns[(leaves << 4 | enters) as usize];
        let perm = standing.perm.0;
        standing.squares = squares;
        if turn.added == TOO_LARGE {
            standing.perm = self.rotations.get(leaves, enters).apply(standing.perm);
            return;
        }
        let head = turn.of_unit.divide(perm) * turn.unit;
        let middle = turn.of_run.divide(perm - head);
        let added = self.added[(turn.added + middle) as usize];
        standing.perm = Perm(perm.wrapping_add_signed(added));
    }

    #[inline(always)]
    fn map(&self, squares: u32) -> Map {
        // The last mask changes nothing; it tells the compiler that nothing is out of bounds.
        const MASK: u32 = (1 << HALF) - 1;
        let low = squares & ((1 << self.low_bits) - 1) & MASK;
        Map(self.low[low as usize] + self.high[(squares >> self.low_bits & MASK) as usize])
    }

    /// The number of the entry in a collapsed table.
    #[inline(always)]
    pub fn entry_number(&self, standing: &Standing) -> u64 {
        u64::from(self.map(standing.squares).0) * self.perms + u64::from(standing.perm.0)
    }

    /// The number of the state with the blank on a square.
    #[inline(always)]
    pub fn state_number(&self, standing: &Standing, blank: Square) -> u64 {
        let map = self.map(standing.squares).0 as usize;
        let row = match &self.rows {
            Rows::Words { words, row_bits, label_bits } => {
                let word = words[map];
                let label = word >> (row_bits + label_bits * u32::from(blank.0)) & ((1 << label_bits) - 1);
                (word & ((1 << row_bits) - 1)) + label
            }
            Rows::LongWords { words, row_bits, label_bits } => {
                let word = words[map];
                let label = (word >> (row_bits + label_bits * u32::from(blank.0))) as u64 & ((1 << label_bits) - 1);
                (word as u64 & ((1 << row_bits) - 1)) + label
            }
            Rows::EachSquare { free } => map as u64 * free + u64::from(below(!standing.squares, blank)),
        };
        row * self.perms + u64::from(standing.perm.0)
    }
}

impl Rows {
    fn new(index: &Index) -> Rows {
        let squares = index.size().count();
        if index.counting() == Counting::All {
            return Rows::EachSquare { free: (squares - index.tiles()) as u64 };
        }
        let maps = (0..index.maps() as u32).map(Map);
        let most_regions = maps.clone().map(|map| index.rows_of(map).len() as u32).max().expect("there is a map");
        let row_bits = (index.rows() as u32).ilog2() + 1;
        let label_bits = (most_regions - 1).checked_ilog2().map_or(0, |bits| bits + 1);
        let words = maps.map(|map| {
            let first = index.rows_of(map).start;
            let free = super::bits(index.size().all_squares() & !index.squares(map));
            free.fold(u128::from(first), |word, square| {
                let label = index.row(map, square).0 - first;
                word | u128::from(label) << (row_bits + label_bits * u32::from(square.0))
            })
        });
        if row_bits + label_bits * squares as u32 <= u64::BITS {
            Rows::Words { words: words.map(|word| word as u64).collect(), row_bits, label_bits }
        } else {
            Rows::LongWords { words: words.collect(), row_bits, label_bits }
        }
    }
}
