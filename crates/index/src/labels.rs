//! The regions of all maps, square by square.
//!
//! Finding the regions of each map on its own would take longer than opening a table may. So the squares are taken one after
//! the other, occupied or free: a free square continues the region on its left, or the one above it, or joins both, or
//! starts a new one. What is known about the first squares then serves all maps that begin like that.

use crate::binomial;
use crate::maps::CHOOSE;
use tilebase_puzzle::{MAX_SQUARES, Size};

/// The label of a square that a tile occupies.
pub(crate) const OCCUPIED: u64 = 15;

/// The labels of up to 32 squares, four bits each, in two halves.
type Packed = [u64; 2];

/// For each map, by its number, the region of each square, four bits a square, and how many regions there are.
pub(crate) struct Labels {
    pub(crate) of_map: Vec<u128>,
    pub(crate) regions: Vec<u8>,
}

impl Labels {
    /// The labels of all maps of `tiles` tiles.
    pub(crate) fn new(size: Size, tiles: usize) -> Labels {
        let maps = binomial(size.count(), tiles) as usize;
        let mut walk = Walk {
            width: size.width(),
            squares: size.count(),
            tiles,
            is_first: std::array::from_fn(|square| square % size.width() == 0),
            labels: Labels { of_map: vec![0; maps], regions: vec![0; maps] },
        };
        walk.go_on(0, 0, 0, [u64::MAX; 2], 0);
        walk.labels
    }

    /// The first row of each map, and at the end the number of all rows.
    pub(crate) fn first_rows(&self) -> impl Iterator<Item = u32> + '_ {
        let ends = self.regions.iter().scan(0, |end, &regions| {
            *end += u32::from(regions);
            Some(*end)
        });
        std::iter::once(0).chain(ends)
    }
}

struct Walk {
    width: usize,
    squares: usize,
    tiles: usize,
    /// Whether a square is the first of its row.
    is_first: [bool; MAX_SQUARES],
    labels: Labels,
}

impl Walk {
    /// Takes the squares from `square` on, `placed` tiles standing on those before. They still have the label of occupied
    /// ones.
    fn go_on(&mut self, square: usize, mut placed: usize, mut number: u32, mut labels: Packed, mut regions: u64) {
        for square in square..self.squares {
            if placed < self.tiles {
                let with_tile = number + CHOOSE[square][placed + 1];
                if self.squares - square == self.tiles - placed {
                    // Only tiles from here on.
                    (placed, number) = (placed + 1, with_tile);
                    continue;
                }
                self.go_on(square + 1, placed + 1, with_tile, labels, regions);
            }
            let left = if self.is_first[square] { OCCUPIED } else { label_of(labels, square - 1) };
            let above = if square < self.width { OCCUPIED } else { label_of(labels, square - self.width) };
            let (mut label, other) = (left.min(above), left.max(above));
            if label == OCCUPIED {
                label = regions;
                regions += 1;
            } else if label != other && other != OCCUPIED {
                labels = labels.map(|half| joined(half, label, other));
                regions -= 1;
            }
            labels[square / 16] ^= (OCCUPIED ^ label) << (square % 16 * 4);
        }
        self.labels.of_map[number as usize] = u128::from(labels[0]) | u128::from(labels[1]) << 64;
        self.labels.regions[number as usize] = regions as u8;
    }
}

fn label_of(labels: Packed, square: usize) -> u64 {
    labels[square / 16] >> (square % 16 * 4) & 15
}

/// Labels after the region `other` has become a part of `label`, and those behind it have moved up by one.
///
/// All at once, every second label in a byte of its own: adding 128 − c to a byte sets its highest bit where it is c or more.
fn joined(labels: u64, label: u64, other: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let join = |bytes: u64| {
        let at_least = |least: u64| (bytes + ONES * (128 - least)) >> 7 & ONES;
        let (from, behind, occupied) = (at_least(other), at_least(other + 1), at_least(OCCUPIED));
        bytes - (behind ^ occupied) - (from ^ behind) * (other - label)
    };
    let low_halves = ONES * 15;
    join(labels & low_halves) | join(labels >> 4 & low_halves) << 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bits, maps, regions};

    #[test]
    fn labels_are_the_regions_of_every_map() {
        for (width, height) in [(2, 2), (3, 3), (2, 5), (5, 2), (4, 3), (4, 4), (12, 2), (5, 4)] {
            let size = Size::new(width, height).unwrap();
            for tiles in [1, 2, 3, 4, 5, 6, 7, 8, 11].into_iter().filter(|&tiles| tiles < size.count()) {
                let labels = Labels::new(size, tiles);
                for (map, squares) in maps::masks(size.count(), tiles).enumerate() {
                    let mut expected = u128::MAX;
                    let mut count = 0;
                    for region in regions::of(size, size.all_squares() & !squares) {
                        bits(region).for_each(|square| expected ^= u128::from(OCCUPIED ^ count) << (4 * square.0));
                        count += 1;
                    }
                    assert_eq!(labels.of_map[map], expected, "{size} {squares:b}");
                    assert_eq!(u64::from(labels.regions[map]), count, "{size} {squares:b}");
                }
            }
        }
    }
}
