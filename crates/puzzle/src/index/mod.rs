//! The index of a pattern database: map × region × permutation.
//!
//! Where do the k tiles of a pattern stand, and where can the blank go without moving them? The answer is a *state*, and
//! a table has one entry for each:
//!
//! * the **map** is the set of k squares that the tiles occupy, numbered 0 … C(n,k)−1 ([`Maps`]);
//! * the **region** is the connected part of the free squares that holds the blank ([`regions`]);
//! * the **permutation** says which tile stands on which square of the map, numbered 0 … k!−1 ([`perms`]).
//!
//! One (map, region) is a **row** of k! states. Moving a tile that is not of the pattern changes nothing here. Moving one
//! that is leads all k! states of a row to the same other row, and does the same to their permutations: a rotation of a
//! few neighbouring positions ([`Rotation`]), which is none at all when the tile moves sideways. Builders move whole rows
//! that way, and searches follow single states, neither ever ranking a permutation from scratch.
//!
//! Tables that do not care about the blank have one entry for each (map, permutation); they are called *collapsed*.
//!
//! All that is for tables that count moves of the pattern's tiles only, so that several can be added. A table may instead
//! count every move ([`Counting::All`]); then it matters where exactly the blank is, each free square is a region of its
//! own, and moving a tile that is not of the pattern is a step to another row with the same permutation.

mod extent;
mod follow;
mod labels;
mod maps;
pub mod perms;
pub mod regions;
mod rotation;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::frame::State;
use crate::pattern::Pattern;
use crate::size::{Direction, Size, Square};
use labels::Labels;

pub use extent::Extent;
pub use follow::{Follower, Standing};
pub use maps::{Maps, binomial};
pub use rotation::{Rotation, Rotations, rotations_len};

/// The most tiles a pattern with an index may have: 12! permutations still fit in 32 bits.
pub const MAX_TILES: usize = 12;

/// Which moves a table counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Counting {
    /// Those of the pattern's tiles: costs of disjoint patterns can be added.
    Pattern,
    /// All: costs of several patterns can only be compared.
    All,
}

/// The number of a set of squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Map(pub u32);

/// The number of a (map, region).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row(pub u32);

/// The number of a permutation of the tiles on their map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Perm(pub u32);

/// The index of all patterns with the same number of tiles on boards of the same size.
///
/// ```
/// use tilebase_puzzle::index::{Counting, Index};
/// use tilebase_puzzle::Size;
/// let index = Index::new(Size::new(4, 4)?, 8, Counting::Pattern)?;
/// assert_eq!((index.entries(), index.states()), (518_918_400, 1_425_191_040));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Index {
    size: Size,
    tiles: usize,
    counting: Counting,
    perms: u32,
    maps: Maps,
    /// The first row of each map, and the number of rows at the end.
    first_row: Vec<u32>,
    /// For each map the region of each square, four bits a square; occupied squares have 15. Empty when every free square
    /// is a region of its own.
    labels: Vec<u128>,
    map_of_row: Vec<u32>,
    rotations: Rotations,
    dark: u32,
    follower: OnceLock<Arc<Follower>>,
}

impl Index {
    /// Sets up the index; a fraction of a millisecond for 4×4, a second for the largest patterns of 5×5.
    ///
    /// # Errors
    /// [`IndexError`] when the board has no such pattern or the pattern has more than [`MAX_TILES`] tiles.
    pub fn new(size: Size, tiles: usize, counting: Counting) -> Result<Index, IndexError> {
        if !(1..size.count()).contains(&tiles) {
            return Err(IndexError::NoSuchPattern { size, tiles });
        }
        if tiles > MAX_TILES {
            return Err(IndexError::TooManyTiles { tiles });
        }
        let maps = Maps::new(size.count(), tiles);
        let free = (size.count() - tiles) as u8;
        let Labels { of_map: labels, regions } = match counting {
            Counting::Pattern => Labels::new(size, tiles),
            Counting::All => Labels { of_map: Vec::new(), regions: vec![free; maps.len()] },
        };
        let mut first_row = Vec::with_capacity(maps.len() + 1);
        let mut map_of_row = Vec::with_capacity(Extent::of(size, tiles, counting).rows as usize);
        for (map, &regions) in regions.iter().enumerate() {
            first_row.push(map_of_row.len() as u32);
            map_of_row.extend(std::iter::repeat_n(map as u32, regions.into()));
        }
        first_row.push(map_of_row.len() as u32);
        let rotations = Rotations::new(tiles, size.width());
        let dark = size.squares().filter(|&square| size.distance(Square(0), square) % 2 == 1);
        let dark = dark.fold(0, |mask, square| mask | square.bit());
        let perms = perms::factorial(tiles);
        Ok(Index {
            size,
            tiles,
            counting,
            perms,
            maps,
            first_row,
            labels,
            map_of_row,
            rotations,
            dark,
            follower: OnceLock::new(),
        })
    }

    /// The boards' size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many tiles the patterns have.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Which moves count.
    pub fn counting(&self) -> Counting {
        self.counting
    }

    /// Permutations, that is states in a row: k!.
    #[inline]
    pub fn perms(&self) -> u32 {
        self.perms
    }

    /// Number of maps.
    pub fn maps(&self) -> usize {
        self.maps.len()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.map_of_row.len()
    }

    /// Entries of a collapsed table.
    pub fn entries(&self) -> u64 {
        self.maps() as u64 * u64::from(self.perms)
    }

    /// Entries of a blank-aware table.
    pub fn states(&self) -> u64 {
        self.rows() as u64 * u64::from(self.perms)
    }

    /// The rotations of all moves.
    pub fn rotations(&self) -> &Rotations {
        &self.rotations
    }

    /// What follows single states; made when it is first asked for.
    pub fn follower(&self) -> &Arc<Follower> {
        self.follower.get_or_init(|| Arc::new(Follower::new(self)))
    }

    /// The squares of a map.
    #[inline]
    pub fn squares(&self, map: Map) -> u32 {
        self.maps.squares(map)
    }

    /// The number of a set of k squares.
    #[inline]
    pub fn map(&self, squares: u32) -> Map {
        self.maps.rank(squares)
    }

    /// The map that a row belongs to.
    #[inline]
    pub fn map_of(&self, row: Row) -> Map {
        Map(self.map_of_row[row.0 as usize])
    }

    /// The rows of a map, one for each region.
    #[inline]
    pub fn rows_of(&self, map: Map) -> std::ops::Range<u32> {
        self.first_row[map.0 as usize]..self.first_row[map.0 as usize + 1]
    }

    /// The row of a map with the blank on a free square.
    #[inline]
    pub fn row(&self, map: Map, blank: Square) -> Row {
        let region = match self.counting {
            Counting::Pattern => (self.labels[map.0 as usize] >> (4 * blank.0)) as u32 & 15,
            Counting::All => u32::from(below(!self.squares(map), blank)),
        };
        debug_assert_eq!(self.squares(map) & blank.bit(), 0, "the blank is on a free square");
        Row(self.first_row[map.0 as usize] + region)
    }

    /// The free squares where the blank can be in a row.
    pub fn region(&self, row: Row) -> u32 {
        let map = self.map_of(row);
        let number = (row.0 - self.first_row[map.0 as usize]) as usize;
        let free = self.size.all_squares() & !self.squares(map);
        let region = match self.counting {
            Counting::Pattern => regions::of(self.size, free).nth(number),
            Counting::All => bits(free).nth(number).map(Square::bit),
        };
        region.expect("a row's region is one of its map's")
    }

    /// 0 or 1: whether states of this row have an even or an odd cost, up to a constant of the pattern. Every move that
    /// counts takes a tile from a dark square to a light one or back. If only those of pattern tiles count, the number of
    /// these on dark squares tells; if all do, the blank's square does.
    pub fn colour(&self, row: Row) -> u32 {
        let squares = match self.counting {
            Counting::Pattern => self.squares(self.map_of(row)),
            Counting::All => self.region(row),
        };
        (squares & self.dark).count_ones() % 2
    }

    /// The moves that count, out of a row, in a fixed order. Each can be taken back, so these are also the rows from which
    /// the row is reached.
    pub fn moves(&self, row: Row) -> impl Iterator<Item = RowMove> + '_ {
        let map = self.map_of(row);
        let squares = self.squares(map);
        bits(self.region(row)).flat_map(move |to| {
            let neighbours = Direction::ALL.into_iter().filter_map(move |direction| self.size.neighbour(to, direction));
            neighbours.filter_map(move |from| {
                if squares & from.bit() != 0 {
                    return Some(self.row_move(squares, from, to));
                }
                let row = self.row(map, from);
                (self.counting == Counting::All).then_some(RowMove { from, to, row, leaves: 0, enters: 0 })
            })
        })
    }

    /// How many [`moves`](Index::moves) there are out of a row.
    pub fn move_count(&self, row: Row) -> usize {
        let region = self.region(row);
        let movable = match self.counting {
            Counting::Pattern => self.squares(self.map_of(row)),
            Counting::All => self.size.all_squares(),
        };
        regions::contacts(self.size, region, movable) as usize
    }

    fn row_move(&self, squares: u32, from: Square, to: Square) -> RowMove {
        let after = squares ^ from.bit() ^ to.bit();
        RowMove {
            from,
            to,
            row: self.row(self.map(after), from),
            leaves: below(squares, from),
            enters: below(after, to),
        }
    }

    /// The cost of a state in a table that has the second bit of every cost, by walking downhill to the goal, a step at a
    /// time. `None` when the way ends elsewhere or is longer than `max`: the state cannot be reached from the goal, or the
    /// table is damaged.
    ///
    /// The first bit of a cost follows from the row's [`colour`](Index::colour), so costs are known modulo 4; neighbours
    /// differ by one, which tells the cheaper ones from the others.
    pub fn walk_down(
        &self,
        goal: Row,
        (mut row, mut perm): (Row, Perm),
        max: u32,
        second_bit: impl Fn(Row, Perm) -> u32,
    ) -> Option<u32> {
        let goal_colour = self.colour(goal);
        let mod_4 = |row: Row, perm: Perm| 2 * second_bit(row, perm) + (self.colour(row) ^ goal_colour);
        for steps in 0..=max {
            if (row, perm) == (goal, Perm(0)) {
                return Some(steps);
            }
            let cheaper = (mod_4(row, perm) + 3) % 4;
            let mut neighbours = self.moves(row).map(|step| {
                let rotation = self.rotations.get(step.leaves, step.enters);
                (step.row, rotation.apply(perm))
            });
            (row, perm) = neighbours.find(|&(row, perm)| mod_4(row, perm) == cheaper)?;
        }
        None
    }

    /// Where a state of the whole puzzle is in the table of a pattern.
    pub fn locate(&self, pattern: &Pattern, state: &State) -> Place {
        debug_assert_eq!((pattern.size(), pattern.len()), (self.size, self.tiles));
        let mut squares = 0;
        let mut manhattan = 0;
        let mut order = [0; MAX_TILES];
        let mut found = 0;
        for square in self.size.squares() {
            let tile = state.tile(square);
            if square != state.blank() && pattern.contains(tile) {
                squares |= square.bit();
                manhattan += self.size.distance(square, tile.goal());
                order[found] = below(pattern.mask(), tile.goal());
                found += 1;
            }
        }
        let map = self.map(squares);
        Place { squares, map, row: self.row(map, state.blank()), perm: perms::rank(&order[..found]), manhattan }
    }

    /// The squares of the pattern's tiles, in the order of the tiles, for a permutation on a map.
    pub fn tile_squares(&self, map: Map, perm: Perm) -> Vec<Square> {
        let mut squares = vec![Square(0); self.tiles];
        for (square, tile) in bits(self.squares(map)).zip(perms::unrank(self.tiles, perm)) {
            squares[tile as usize] = square;
        }
        squares
    }

    /// The number of a state among all states.
    #[inline]
    pub fn state_number(&self, row: Row, perm: Perm) -> u64 {
        u64::from(row.0) * u64::from(self.perms) + u64::from(perm.0)
    }

    /// The number of an entry among all entries of a collapsed table.
    #[inline]
    pub fn entry_number(&self, map: Map, perm: Perm) -> u64 {
        u64::from(map.0) * u64::from(self.perms) + u64::from(perm.0)
    }
}

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
fn below(mask: u32, square: Square) -> u8 {
    (mask & (square.bit() - 1)).count_ones() as u8
}

/// A pattern for which there is no index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexError {
    /// No tiles, or more than the board has.
    NoSuchPattern {
        /// The board's size.
        size: Size,
        /// The tiles asked for.
        tiles: usize,
    },
    /// More than [`MAX_TILES`].
    TooManyTiles {
        /// The tiles asked for.
        tiles: usize,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::NoSuchPattern { size, tiles } => write!(
                f,
                "a pattern of {tiles} tiles does not exist on a {size} board: expected 1 to {}",
                size.count() - 1
            ),
            IndexError::TooManyTiles { tiles } => {
                write!(f, "a pattern of {tiles} tiles is too large for any table: expected at most {MAX_TILES}")
            }
        }
    }
}

impl std::error::Error for IndexError {}

#[cfg(test)]
mod tests;
