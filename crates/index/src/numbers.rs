//! The numbers of maps, rows and permutations, and places that consist of them.

use tilebase_puzzle::Square;

/// The number of a set of squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Map(pub u32);

/// The number of a (map, region).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row(pub u32);

/// The number of a permutation of the tiles on their map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Perm(pub u32);

/// Where a state stands in a table, with what a search needs to follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The squares of the pattern's tiles.
    pub squares: u32,
    /// Their number.
    pub map: Map,
    /// Map and region.
    pub row: Row,
    /// Which tile is where.
    pub perm: Perm,
    /// The sum of the tiles' Manhattan distances.
    pub manhattan: u32,
}

/// A move that counts, for all states of a row at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowMove {
    /// The square that the tile leaves.
    pub from: Square,
    /// The square that it enters.
    pub to: Square,
    /// The row to which it leads.
    pub row: Row,
    /// The tile's position among the map's squares before the move.
    pub leaves: u8,
    /// Its position among the new map's squares.
    pub enters: u8,
}

/// The squares of a mask, in row-major order.
pub fn bits(mask: u32) -> impl Iterator<Item = Square> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let square = Square(rest.trailing_zeros() as u8);
        (rest != 0).then(|| {
            rest &= rest - 1;
            square
        })
    })
}

/// How many squares of a mask come before a square.
#[inline]
pub(crate) fn below(mask: u32, square: Square) -> u8 {
    (mask & (square.bit() - 1)).count_ones() as u8
}
