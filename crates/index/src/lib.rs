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
//! Rows are numbered along the maps, those of a map in the order of its [`regions`]. To look up a single state, the number of
//! its row is counted (`counts.rs`), so that an index is ready in microseconds. Builders and searches ask about so many rows
//! that tables of all of them pay (`tables.rs`); the first question of that kind makes them.
//!
//! Tables that do not care about the blank have one entry for each (map, permutation); they are called *collapsed*.
//!
//! All that is for tables that count moves of the pattern's tiles only, so that several can be added. A table may instead
//! count every move ([`Kind::AllMoves`]); then it matters where exactly the blank is, each free square is a region of its
//! own, and moving a tile that is not of the pattern is a step to another row with the same permutation.

mod costs;
mod counts;
mod extent;
mod follow;
mod kind;
mod labels;
mod maps;
pub mod perms;
pub mod regions;
mod rotation;
mod tables;
mod walk;

use std::fmt;
use std::sync::{Arc, OnceLock};

use counts::Counts;
use tables::Tables;
use tilebase_puzzle::{Pattern, Size, Square, State};

pub use costs::PatternCosts;
pub use extent::Extent;
pub use follow::{AnyFollower, Follow, SmallFollower, Standing};
pub use kind::Kind;
pub use maps::{Maps, binomial};
pub use rotation::{Rotation, Rotations, rotations_len};

/// The most tiles a pattern with an index may have: 12! permutations still fit in 32 bits.
pub const MAX_TILES: usize = 12;

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
/// Questions about maps and rows by their numbers are answered from tables. The first such question makes them, in 0.4 ms for
/// 7 tiles of 4×4 and in a second for the largest patterns of 5×5.
/// [`map`](Index::map), [`row_of`](Index::row_of), [`locate`](Index::locate) and [`walk_down`](Index::walk_down) count
/// instead as long as there are no tables, and only make them on boards wider than 5, where counting would take too long.
///
/// ```
/// use tilebase_index::{Kind, Index};
/// use tilebase_puzzle::Size;
/// let index = Index::new(Size::new(4, 4)?, 8, Kind::Bit)?;
/// assert_eq!((index.entries(), index.states()), (518_918_400, 1_425_191_040));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Index {
    size: Size,
    tiles: usize,
    kind: Kind,
    perms: u32,
    maps: u32,
    rows: u32,
    dark: u32,
    /// `None` on boards that are too wide.
    counts: Option<Counts>,
    tables: OnceLock<Tables>,
    small_follower: OnceLock<Option<Arc<SmallFollower>>>,
    any_follower: OnceLock<Arc<AnyFollower>>,
}

impl Index {
    /// Sets up the index: 10 µs for 4×4, 30 to 60 µs for 5×5.
    ///
    /// # Errors
    /// [`IndexError`] when the board has no such pattern or the pattern has more than [`MAX_TILES`] tiles.
    pub fn new(size: Size, tiles: usize, kind: Kind) -> Result<Index, IndexError> {
        if !(1..size.count()).contains(&tiles) {
            return Err(IndexError::NoSuchPattern { size, tiles });
        }
        if tiles > MAX_TILES {
            return Err(IndexError::TooManyTiles { tiles });
        }
        let counts = Counts::new(size, tiles, kind);
        let rows = counts.as_ref().map_or_else(|| Extent::of(size, tiles, kind).rows as u32, Counts::rows);
        let dark = size.squares().filter(|&square| size.distance(Square(0), square) % 2 == 1);
        let dark = dark.fold(0, |mask, square| mask | square.bit());
        let (perms, maps) = (perms::factorial(tiles), binomial(size.count(), tiles) as u32);
        Ok(Index {
            size,
            tiles,
            kind,
            perms,
            maps,
            rows,
            dark,
            counts,
            tables: OnceLock::new(),
            small_follower: OnceLock::new(),
            any_follower: OnceLock::new(),
        })
    }

    /// The tables, made if they are not there yet.
    #[inline]
    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::new(self.size, self.tiles, self.kind, self.rows))
    }

    /// The counts, as long as they do instead of the tables.
    #[inline]
    fn counts(&self) -> Option<&Counts> {
        if self.tables.get().is_some() { None } else { self.counts.as_ref() }
    }

    /// The boards' size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many tiles the patterns have.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// What kind of table it numbers the entries of.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Permutations, that is states in a row: k!.
    #[inline]
    pub fn perms(&self) -> u32 {
        self.perms
    }

    /// Number of maps.
    pub fn maps(&self) -> usize {
        self.maps as usize
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
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
        &self.tables().rotations
    }

    /// What follows single states of small patterns; made when it is first asked for. `None` for other patterns.
    pub fn small_follower(&self) -> Option<&Arc<SmallFollower>> {
        self.small_follower.get_or_init(|| SmallFollower::new(self).map(Arc::new)).as_ref()
    }

    /// What follows single states; made when it is first asked for.
    #[inline(always)]
    pub fn any_follower(&self) -> &Arc<AnyFollower> {
        self.any_follower.get_or_init(|| Arc::new(AnyFollower::new(self)))
    }

    /// The squares of a map.
    #[inline]
    pub fn squares(&self, map: Map) -> u32 {
        self.tables().maps.squares(map)
    }

    /// The number of a set of k squares.
    #[inline]
    pub fn map(&self, squares: u32) -> Map {
        self.tables.get().map_or_else(|| maps::rank(squares), |tables| tables.maps.rank(squares))
    }

    /// The map that a row belongs to.
    #[inline]
    pub fn map_of(&self, row: Row) -> Map {
        self.tables().map_of(row)
    }

    /// The rows of a map, one for each region.
    #[inline]
    pub fn rows_of(&self, map: Map) -> std::ops::Range<u32> {
        self.tables().rows_of(map)
    }

    /// The row of a map with the blank on a free square.
    #[inline]
    pub fn row(&self, map: Map, blank: Square) -> Row {
        self.tables().row(map, blank)
    }

    /// The row of tiles on these squares with the blank on a free one.
    #[inline]
    pub fn row_of(&self, squares: u32, blank: Square) -> Row {
        self.map_and_row(squares, blank).1
    }

    /// The number of a set of k squares, and its row with the blank on a free one.
    #[inline]
    fn map_and_row(&self, squares: u32, blank: Square) -> (Map, Row) {
        if let Some(counts) = self.counts() {
            let (map, Row(first_row)) = counts.rank(squares);
            let region = self.regions(squares).position(|region| region & blank.bit() != 0);
            return (map, Row(first_row + region.expect("the blank is on a free square") as u32));
        }
        let tables = self.tables();
        let map = tables.maps.rank(squares);
        (map, tables.row(map, blank))
    }

    /// The free squares where the blank can be in a row.
    pub fn region(&self, row: Row) -> u32 {
        // One who asks about rows by their numbers asks about many.
        self.tables();
        self.squares_and_region(row).1
    }

    /// The tiles' squares in a row, and where the blank can be.
    fn squares_and_region(&self, row: Row) -> (u32, u32) {
        let (squares, number) = if let Some(counts) = self.counts() {
            counts.unrank(row)
        } else {
            let map = self.map_of(row);
            (self.squares(map), row.0 - self.rows_of(map).start)
        };
        (squares, self.regions(squares).nth(number as usize).expect("a row's region is one of its map's"))
    }

    /// The regions around tiles on these squares, in the order of their rows.
    fn regions(&self, squares: u32) -> impl Iterator<Item = u32> {
        let free = self.size.all_squares() & !squares;
        let (connected, single) = match self.kind {
            Kind::Bit | Kind::Nibble => (free, 0),
            Kind::AllMoves => (0, free),
        };
        regions::of(self.size, connected).chain(bits(single).map(Square::bit))
    }

    /// 0 or 1: whether states of this row have an even or an odd cost, up to a constant of the pattern. Every move that
    /// counts takes a tile from a dark square to a light one or back. If only those of pattern tiles count, the number of
    /// these on dark squares tells; if all do, the blank's square does.
    pub fn colour(&self, row: Row) -> u32 {
        match self.kind {
            Kind::Bit | Kind::Nibble => self.colour_of(self.squares(self.map_of(row)), 0),
            Kind::AllMoves => self.colour_of(0, self.region(row)),
        }
    }

    /// The same, for tiles on these squares and the blank in this region.
    fn colour_of(&self, squares: u32, region: u32) -> u32 {
        let squares = match self.kind {
            Kind::Bit | Kind::Nibble => squares,
            Kind::AllMoves => region,
        };
        (squares & self.dark).count_ones() % 2
    }

    /// The moves that count, out of a row, in a fixed order. Each can be taken back, so these are also the rows from which
    /// the row is reached.
    pub fn moves(&self, row: Row) -> impl Iterator<Item = RowMove> + '_ {
        // As in `region`.
        self.tables();
        let (squares, region) = self.squares_and_region(row);
        self.moves_on(squares, region)
    }

    /// The same, for tiles on these squares and the blank in this region.
    fn moves_on(&self, squares: u32, region: u32) -> impl Iterator<Item = RowMove> + '_ {
        regions::contacts(self.size, region, self.movable(squares)).map(move |(to, from)| {
            if squares & from.bit() != 0 {
                self.row_move(squares, from, to)
            } else {
                RowMove { from, to, row: self.row_of(squares, from), leaves: 0, enters: 0 }
            }
        })
    }

    /// How many [`moves`](Index::moves) there are out of a row.
    pub fn move_count(&self, row: Row) -> usize {
        let movable = self.movable(self.squares(self.map_of(row)));
        regions::count_contacts(self.size, self.region(row), movable) as usize
    }

    /// The squares from which something can move that counts, with tiles on these squares.
    fn movable(&self, squares: u32) -> u32 {
        match self.kind {
            Kind::Bit | Kind::Nibble => squares,
            Kind::AllMoves => self.size.all_squares(),
        }
    }

    fn row_move(&self, squares: u32, from: Square, to: Square) -> RowMove {
        let after = squares ^ from.bit() ^ to.bit();
        RowMove { from, to, row: self.row_of(after, from), leaves: below(squares, from), enters: below(after, to) }
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
        let (map, row) = self.map_and_row(squares, state.blank());
        Place { squares, map, row, perm: perms::rank(&order[..found]), manhattan }
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
