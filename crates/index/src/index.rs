//! The index of single states.

use std::sync::{Arc, OnceLock};

use tilebase_puzzle::{Pattern, Size, Square, State};

use crate::first_rows::FirstRows;
use crate::follow::{AnyFollower, SmallFollower};
use crate::numbers::below;
use crate::{IndexError, Kind, MAX_TILES, Map, Perm, Place, Row, binomial, bits, maps, perms, regions};

/// The index of all patterns with the same number of tiles on boards of the same size: finds single states, and nothing is
/// listed for that.
///
/// Whoever asks about most rows, as builders do, makes a [`BuilderIndex`](crate::BuilderIndex) of it; whoever follows states
/// from slide to slide, as searches do, makes a [follower](crate::Follower).
///
/// ```
/// use tilebase_index::{Index, Kind};
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
    /// The dark squares, if the board is coloured like that of chess.
    dark: u32,
    first_rows: FirstRows,
    /// Made when a search first asks for it, and shared by all searches.
    pub(crate) follower: OnceLock<Option<Arc<AnyFollower>>>,
}

impl Index {
    /// Sets up the index: 10 µs for 4×4, 30 to 60 µs for 5×5.
    ///
    /// On boards wider than 5 counting would take longer than making a list of the first rows of all maps, so that is made
    /// instead, unless the [kind](Kind::AllMoves) needs neither: 4 bytes for each map, in 6 ms for 6 tiles of 12×2 and half a
    /// second for 12.
    ///
    /// # Errors
    /// [`IndexError`] when the board has no such pattern, the pattern has more than [`MAX_TILES`] tiles, or the kind is
    /// [`Kind::Lines`].
    pub fn new(size: Size, tiles: usize, kind: Kind) -> Result<Index, IndexError> {
        if kind == Kind::Lines {
            return Err(IndexError::Lines);
        }
        if !(1..size.count()).contains(&tiles) {
            return Err(IndexError::NoSuchPattern { size, tiles });
        }
        if tiles > MAX_TILES {
            return Err(IndexError::TooManyTiles { tiles });
        }
        let first_rows = FirstRows::new(size, tiles, kind);
        let dark = size.squares().filter(|&square| size.distance(Square(0), square) % 2 == 1);
        let dark = dark.fold(0, |mask, square| mask | square.bit());
        let (perms, maps) = (perms::factorial(tiles), binomial(size.count(), tiles) as u32);
        Ok(Index {
            size,
            tiles,
            kind,
            perms,
            maps,
            rows: first_rows.rows(),
            dark,
            first_rows,
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

    /// The bytes of memory that it takes, with what [follows](crate::Follower) its states in a search.
    pub fn bytes(&self) -> usize {
        let any = self.follower.get().and_then(Option::as_ref).map_or(0, |follower| follower.bytes());
        size_of::<Index>() + self.first_rows.bytes() + any + SmallFollower::bytes_for(self)
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

    /// The number of a set of k squares.
    pub fn map(&self, squares: u32) -> Map {
        maps::rank(squares)
    }

    /// The row of tiles on these squares with the blank on a free one.
    pub fn row_of(&self, squares: u32, blank: Square) -> Row {
        self.map_and_row(squares, blank).1
    }

    /// The number of a set of k squares, and its row with the blank on a free one.
    fn map_and_row(&self, squares: u32, blank: Square) -> (Map, Row) {
        let (map, Row(first_row)) = self.first_rows.rank(squares);
        let region = self.regions(squares).position(|region| region & blank.bit() != 0);
        (map, Row(first_row + region.expect("the blank is on a free square") as u32))
    }

    /// The tiles' squares in a row, and where the blank can be.
    pub(crate) fn squares_and_region(&self, row: Row) -> (u32, u32) {
        let (squares, number) = self.first_rows.unrank(row);
        (squares, self.region_of(squares, number))
    }

    /// The region with a number around tiles on these squares.
    pub(crate) fn region_of(&self, squares: u32, number: u32) -> u32 {
        self.regions(squares).nth(number as usize).expect("a row's region is one of its map's")
    }

    /// The regions around tiles on these squares, in the order of their rows.
    fn regions(&self, squares: u32) -> impl Iterator<Item = u32> {
        let free = self.size.all_squares() & !squares;
        let (connected, single) = if self.kind.counts_all_moves() { (0, free) } else { (free, 0) };
        regions::of(self.size, connected).chain(bits(single).map(Square::bit))
    }

    /// 0 or 1: whether states with the tiles on these squares and the blank in this region have an even or an odd cost, up to a
    /// constant of the pattern. Every move that counts takes a tile from a dark square to a light one or back. If only those of
    /// pattern tiles count, the number of these on dark squares tells; if all do, the blank's square does.
    pub(crate) fn colour_of(&self, squares: u32, region: u32) -> u32 {
        let squares = if self.kind.counts_all_moves() { region } else { squares };
        (squares & self.dark).count_ones() % 2
    }

    /// The squares from which something can move that counts, with tiles on these squares.
    pub(crate) fn movable(&self, squares: u32) -> u32 {
        if self.kind.counts_all_moves() { self.size.all_squares() } else { squares }
    }

    /// Where a state of the whole puzzle is in the table of a pattern.
    pub fn locate(&self, pattern: &Pattern, state: &State) -> Place {
        debug_assert_eq!((pattern.size(), pattern.len()), (self.size, self.tiles));
        let (mut squares, mut manhattan) = (0, 0);
        let mut order = [0; MAX_TILES];
        for ((square, tile), place) in state.tiles().filter(|(_, tile)| pattern.contains(*tile)).zip(&mut order) {
            squares |= square.bit();
            manhattan += self.size.distance(square, tile.goal());
            *place = below(pattern.mask(), tile.goal());
        }
        let (map, row) = self.map_and_row(squares, state.blank());
        Place { squares, map, row, perm: perms::rank(&order[..self.tiles]), manhattan }
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
