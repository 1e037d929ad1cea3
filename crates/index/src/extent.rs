//! How large tables are.

use crate::counts::Counts;
use crate::{Kind, MAX_TILES, binomial};
use tilebase_puzzle::Size;

/// How large a table is, known before anything is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Sets of squares.
    pub maps: u64,
    /// Maps with their regions.
    pub rows: u64,
    /// Entries of a collapsed table: maps × k!; or those of a table of [lines](Kind::Lines): rows × k!.
    pub entries: u128,
    /// States, which are the entries of a blank-aware table: rows × k!. There are more of them than [lines](Kind::Lines).
    pub states: u128,
}

impl Extent {
    /// Entries of a collapsed table alone, which costs nothing to know: n·(n−1)·…·(n−k+1).
    pub fn entries_of(size: Size, tiles: usize) -> u128 {
        (0..tiles).map(|placed| (size.count() - placed) as u128).product()
    }

    /// The extent of a pattern of `tiles` tiles on a board, in 10 µs for 4×4 and 30 to 60 µs for 5×5.
    ///
    /// # Panics
    /// When a board of this size does not have that many tiles, or they are more than [`MAX_TILES`].
    pub fn of(size: Size, tiles: usize, kind: Kind) -> Extent {
        assert!((1..size.count()).contains(&tiles), "a {size} board has no pattern of {tiles} tiles");
        assert!(tiles <= MAX_TILES, "patterns have at most {MAX_TILES} tiles");
        if kind == Kind::Lines {
            return Extent::of_lines(size, tiles);
        }
        let maps = binomial(size.count(), tiles);
        // A board has as many rows as when it is turned by a quarter, and counting takes least time when it is narrow.
        let (width, height) = (size.width(), size.height());
        let narrow = Size::new(width.min(height), width.max(height)).expect("it has as many squares");
        let counts = Counts::new(narrow, tiles, kind).expect("no board is wider than 5 in both directions");
        let rows = u64::from(counts.rows());
        let perms: u128 = (1..=tiles as u128).product();
        Extent { maps, rows, entries: Extent::entries_of(size, tiles), states: u128::from(rows) * perms }
    }

    /// The extent of a table of [lines](Kind::Lines): its maps leave out the blank's square, and it has a row for each of them and each
    /// row and column of the board.
    fn of_lines(size: Size, tiles: usize) -> Extent {
        let maps = binomial(size.count() - 1, tiles);
        let rows = maps * (size.width() + size.height()) as u64;
        let perms: u128 = (1..=tiles as u128).product();
        let [lines, states] = [rows, maps * size.count() as u64].map(|rows| u128::from(rows) * perms);
        Extent { maps, rows, entries: lines, states }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{maps, regions};
    use tilebase_puzzle::MAX_SQUARES;

    #[test]
    fn rows_are_the_regions_of_all_maps_of_every_board() {
        for (width, height) in
            (2..=5).flat_map(|width| (width..=MAX_SQUARES / width).map(move |height| (width, height)))
        {
            let size = Size::new(width, height).unwrap();
            for tiles in 1..=MAX_TILES.min(size.count() - 1) {
                let free = maps::masks(size.count(), tiles).map(|squares| size.all_squares() & !squares);
                let rows: usize = free.map(|free| regions::of(size, free).count()).sum();
                let extent = Extent::of(size, tiles, Kind::Bit);
                assert_eq!(extent.rows, rows as u64, "{tiles} tiles on {size}");
                assert_eq!(Extent::of(Size::new(height, width).unwrap(), tiles, Kind::Bit), extent);
                let of_all_moves = Extent::of(size, tiles, Kind::AllMoves).rows;
                assert_eq!(of_all_moves, binomial(size.count(), tiles) * (size.count() - tiles) as u64);
            }
        }
    }
}
