//! How large tables are.

use super::{Counting, MAX_TILES, binomial};
use crate::size::Size;

/// How large a table is, known before anything is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Sets of squares.
    pub maps: u64,
    /// Maps with their regions.
    pub rows: u64,
    /// Entries of a collapsed table: maps × k!.
    pub entries: u128,
    /// Entries of a blank-aware table: rows × k!.
    pub states: u128,
}

impl Extent {
    /// Entries of a collapsed table alone, which costs nothing to know: n·(n−1)·…·(n−k+1).
    pub fn entries_of(size: Size, tiles: usize) -> u128 {
        (0..tiles).map(|placed| (size.count() - placed) as u128).product()
    }

    /// The extent of a pattern of `tiles` tiles on a board.
    ///
    /// # Panics
    /// When a board of this size does not have that many tiles, or they are more than [`MAX_TILES`].
    pub fn of(size: Size, tiles: usize, counting: Counting) -> Extent {
        assert!((1..size.count()).contains(&tiles), "a {size} board has no pattern of {tiles} tiles");
        assert!(tiles <= MAX_TILES, "patterns have at most {MAX_TILES} tiles");
        let maps = binomial(size.count(), tiles);
        let rows: u64 = match counting {
            Counting::All => maps * (size.count() - tiles) as u64,
            Counting::Pattern => {
                let (width, height) = (size.width(), size.height());
                let sides = (width.min(height), width.max(height));
                let (_, _, rows) =
                    ROWS.iter().find(|(short, long, _)| (*short, *long) == sides).expect("all sizes are there");
                u64::from(rows[tiles - 1])
            }
        };
        let perms: u128 = (1..=tiles as u128).product();
        Extent { maps, rows, entries: Extent::entries_of(size, tiles), states: u128::from(rows) * perms }
    }
}

/// For each shape of a board, shorter side first, how many rows patterns of 1, 2, … tiles have when only their own moves
/// count: the regions of all maps. Counting them takes up to a second, far longer than opening a table may; a test does.
#[rustfmt::skip]
const ROWS: [(usize, usize, &[u32]); 21] = [
    (2, 2, &[4, 8, 4]),
    (2, 3, &[6, 20, 32, 23, 6]),
    (2, 4, &[8, 36, 92, 133, 108, 46, 8]),
    (2, 5, &[10, 56, 192, 410, 556, 480, 256, 77, 10]),
    (2, 6, &[12, 80, 340, 950, 1_792, 2_324, 2_080, 1_265, 500, 116, 12]),
    (2, 7, &[14, 108, 544, 1_865, 4_482, 7_728, 9_696, 8_883, 5_890, 2_756, 864, 163]),
    (2, 8, &[16, 140, 812, 3_283, 9_548, 20_482, 33_000, 40_359, 37_576, 26_488, 13_916, 5_285]),
    (2, 9, &[18, 176, 1_152, 5_348, 18_200, 46_592, 91_520, 139_854, 167_596, 157_872, 116_480, 66_612]),
    (2, 10, &[20, 216, 1_572, 8_220, 31_968, 94_920, 219_648, 402_246, 589_160, 694_408, 659_880, 504_348]),
    (2, 11, &[22, 260, 2_080, 12_075, 52_734, 177_888, 473_280, 1_009_290, 1_745_900, 2_469_896, 2_871_232, 2_747_030]),
    (2, 12, &[24, 308, 2_684, 17_105, 82_764, 312_246, 937_992, 2_281_026, 4_547_840, 7_503_936, 10_312_744, 11_849_578]),
    (3, 3, &[9, 40, 124, 230, 256, 168, 60, 9]),
    (3, 4, &[12, 70, 282, 812, 1_596, 2_142, 1_968, 1_221, 490, 115, 12]),
    (3, 5, &[15, 109, 540, 1_991, 5_459, 11_007, 16_371, 18_051, 14_740, 8_811, 3_752, 1_079]),
    (3, 6, &[18, 157, 924, 4_098, 14_038, 37_133, 75_858, 120_267, 148_756, 143_862, 108_472, 63_154]),
    (3, 7, &[21, 214, 1_461, 7_537, 30_607, 98_778, 254_051, 522_780, 865_406, 1_158_292, 1_257_382, 1_107_270]),
    (3, 8, &[24, 280, 2_178, 12_794, 59_728, 225_568, 693_480, 1_743_407, 3_602_384, 6_150_918, 8_719_482, 10_296_074]),
    (4, 4, &[16, 124, 632, 2_442, 7_284, 16_412, 27_748, 35_347, 34_012, 24_618, 13_212, 5_105]),
    (4, 5, &[20, 194, 1_230, 5_826, 21_968, 66_703, 161_742, 311_774, 478_666, 587_495, 577_578, 454_122]),
    (4, 6, &[24, 280, 2_132, 12_062, 54_348, 201_408, 618_556, 1_570_673, 3_291_860, 5_702_332, 8_189_308, 9_778_479]),
    (5, 5, &[25, 304, 2_412, 14_127, 65_594, 251_400, 806_876, 2_166_627, 4_848_748, 9_035_416, 14_046_230, 18_266_748]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{maps, regions};

    #[test]
    fn rows_are_the_regions_of_all_maps_of_every_board() {
        for (short, long, expected) in ROWS {
            let size = Size::new(long, short).unwrap();
            for (tiles, &expected) in (1..).zip(expected) {
                let free = maps::masks(size.count(), tiles).map(|squares| size.all_squares() & !squares);
                let rows: usize = free.map(|free| regions::of(size, free).count()).sum();
                assert_eq!(rows, expected as usize, "{tiles} tiles on {size}");
            }
            assert_eq!(expected.len(), MAX_TILES.min(size.count() - 1));
            assert_eq!(
                Extent::of(size, 1, Counting::Pattern),
                Extent::of(Size::new(short, long).unwrap(), 1, Counting::Pattern)
            );
        }
    }
}
