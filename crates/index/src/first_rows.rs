//! The first row of each map: counted, or listed where that would take too long.

use tilebase_puzzle::Size;

use crate::counts::Counts;
use crate::labels::Labels;
use crate::{Kind, Map, Row, maps};

/// Turns maps into their first rows, and rows into their maps.
#[derive(Debug)]
pub(crate) enum FirstRows {
    /// On boards up to 5 wide, and wherever every free square is a region of its own.
    Counted(Counts),
    /// For each map, and at the end the number of all rows.
    Listed { squares: usize, tiles: usize, first_rows: Vec<u32> },
}

impl FirstRows {
    pub(crate) fn new(size: Size, tiles: usize, kind: Kind) -> FirstRows {
        Counts::new(size, tiles, kind).map_or_else(
            || FirstRows::Listed {
                squares: size.count(),
                tiles,
                first_rows: Labels::new(size, tiles).first_rows().collect(),
            },
            FirstRows::Counted,
        )
    }

    /// Heap memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            FirstRows::Counted(counts) => counts.bytes(),
            FirstRows::Listed { first_rows, .. } => size_of_val(&**first_rows),
        }
    }

    /// Rows of all maps together.
    pub(crate) fn rows(&self) -> u32 {
        match self {
            FirstRows::Counted(counts) => counts.rows(),
            FirstRows::Listed { first_rows, .. } => first_rows[first_rows.len() - 1],
        }
    }

    /// The number of a set of squares, and its first row.
    pub(crate) fn rank(&self, squares: u32) -> (Map, Row) {
        match self {
            FirstRows::Counted(counts) => counts.rank(squares),
            FirstRows::Listed { first_rows, .. } => {
                let map = maps::rank(squares);
                (map, Row(first_rows[map.0 as usize]))
            }
        }
    }

    /// The set of squares that a row belongs to, and which of its rows it is.
    pub(crate) fn unrank(&self, row: Row) -> (u32, u32) {
        match self {
            FirstRows::Counted(counts) => counts.unrank(row),
            FirstRows::Listed { squares, tiles, first_rows } => {
                let map = first_rows.partition_point(|&first| first <= row.0) - 1;
                (maps::unrank(*squares, *tiles, Map(map as u32)), row.0 - first_rows[map])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_TILES, regions};
    use std::ops::RangeInclusive;
    use tilebase_puzzle::MAX_SQUARES;

    #[test]
    fn rows_are_listed_only_where_counting_would_take_long() {
        for (width, height) in [(2, 2), (3, 3), (2, 5), (5, 2), (4, 4), (2, 8), (5, 4), (5, 5), (6, 2), (8, 2), (12, 2)]
        {
            for kind in Kind::ALL {
                let first_rows = FirstRows::new(Size::new(width, height).unwrap(), 3, kind);
                let is_wide = width > 5 && !kind.counts_all_moves();
                assert_eq!(matches!(first_rows, FirstRows::Listed { .. }), is_wide, "{width}x{height} {kind}");
            }
        }
    }

    /// Counts along all maps, one after the other.
    fn check(size: Size, tiles: usize, kind: Kind) {
        let first_rows = FirstRows::new(size, tiles, kind);
        let mut rows = 0;
        for (squares, map) in maps::masks(size.count(), tiles).zip(0..) {
            assert_eq!(first_rows.rank(squares), (Map(map), Row(rows)), "{size} {squares:b}");
            let regions = regions::of(size, size.all_squares() & !squares).count();
            let of_map = if kind == Kind::AllMoves { size.count() - tiles } else { regions };
            for number in 0..of_map as u32 {
                assert_eq!(first_rows.unrank(Row(rows)), (squares, number), "{size} {squares:b}");
                rows += 1;
            }
        }
        assert_eq!(first_rows.rows(), rows, "{tiles} tiles on {size}");
    }

    fn narrow_boards(squares: RangeInclusive<usize>) -> impl Iterator<Item = Size> {
        let sizes =
            (2..=5).flat_map(|width| (2..=MAX_SQUARES / width).map(move |height| Size::new(width, height).unwrap()));
        sizes.filter(move |size| squares.contains(&size.count()))
    }

    #[test]
    fn every_map_and_row_has_its_number_on_every_small_board() {
        for size in narrow_boards(4..=16) {
            for tiles in 1..=MAX_TILES.min(size.count() - 1) {
                check(size, tiles, Kind::Bit);
                check(size, tiles, Kind::AllMoves);
            }
        }
    }

    #[test]
    fn every_map_and_row_has_its_number_on_large_boards() {
        for size in narrow_boards(17..=MAX_SQUARES) {
            (3..=6).for_each(|tiles| check(size, tiles, Kind::Bit));
        }
        check(Size::new(12, 2).unwrap(), 4, Kind::AllMoves);
    }

    #[test]
    fn every_map_and_row_has_its_number_on_wide_boards() {
        for (width, height, most) in [(6, 2, 11), (7, 2, 12), (8, 2, 12), (6, 3, 6), (6, 4, 4), (8, 3, 4), (12, 2, 4)] {
            (1..=most).for_each(|tiles| check(Size::new(width, height).unwrap(), tiles, Kind::Bit));
        }
    }
}
