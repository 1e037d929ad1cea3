//! Connected parts of the free squares: where the blank can go without moving a tile of the pattern.

use crate::bits;
use tilebase_puzzle::{Size, Square};

/// The regions of a set of free squares, ordered by their first square.
pub fn of(size: Size, free: u32) -> impl Iterator<Item = u32> {
    let neighbours = Neighbours::new(size);
    let mut rest = free;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let region = neighbours.flood(rest & rest.wrapping_neg(), rest);
            rest &= !region;
            region
        })
    })
}

/// The region of a free square.
pub fn around(size: Size, square: Square, free: u32) -> u32 {
    Neighbours::new(size).flood(square.bit(), free)
}

/// All pairs of neighbouring squares with the first in one set and the second in another.
pub fn contacts(size: Size, first: u32, second: u32) -> impl Iterator<Item = (Square, Square)> {
    let neighbours = Neighbours::new(size);
    let width = size.width() as u8;
    let shifts = neighbours.shifted(first).into_iter().zip([1, 1u8.wrapping_neg(), width, width.wrapping_neg()]);
    shifts.flat_map(move |(shifted, by)| {
        bits(shifted & second).map(move |there| (Square(there.0.wrapping_sub(by)), there))
    })
}

/// How many [`contacts`] there are.
pub fn count_contacts(size: Size, first: u32, second: u32) -> u32 {
    let neighbours = Neighbours::new(size);
    neighbours.shifted(first).iter().map(|shifted| (shifted & second).count_ones()).sum()
}

/// Masks to find all neighbours of a set of squares at once.
struct Neighbours {
    width: u32,
    first_column: u32,
    last_column: u32,
}

impl Neighbours {
    fn new(size: Size) -> Neighbours {
        let first_column = (0..size.height()).fold(0, |mask, row| mask | size.square(row, 0).bit());
        let width = size.width() as u32;
        Neighbours { width, first_column, last_column: first_column << (width - 1) }
    }

    /// The set moved by a square to the right, left, down and up. What leaves the board below is not cut off.
    fn shifted(&self, squares: u32) -> [u32; 4] {
        let (right, left) = ((squares & !self.last_column) << 1, (squares & !self.first_column) >> 1);
        [right, left, squares << self.width, squares >> self.width]
    }

    /// Everything in `free` that is connected to `start`.
    fn flood(&self, start: u32, free: u32) -> u32 {
        let mut region = start;
        loop {
            // Sideways first, then up and down from what that reached: half as many rounds as all at once.
            let sideways = (region & !self.last_column) << 1 | (region & !self.first_column) >> 1;
            let row = region | sideways & free;
            let grown = row | (row << self.width | row >> self.width) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::Direction;

    /// The region of a square by walking from square to square.
    fn walk(size: Size, free: u32, square: Square, region: &mut u32) {
        if free & square.bit() == 0 || *region & square.bit() != 0 {
            return;
        }
        *region |= square.bit();
        for direction in Direction::ALL {
            if let Some(next) = size.neighbour(square, direction) {
                walk(size, free, next, region);
            }
        }
    }

    #[test]
    fn regions_are_the_connected_parts_of_every_set_and_around_all_their_squares() {
        for (width, height) in [(2, 2), (3, 3), (2, 5), (5, 2), (4, 3), (4, 4)] {
            let size = Size::new(width, height).unwrap();
            for free in 0..=size.all_squares() {
                let mut expected: Vec<u32> = Vec::new();
                for square in size.squares().filter(|square| free & square.bit() != 0) {
                    let mut region = 0;
                    walk(size, free, square, &mut region);
                    assert_eq!(around(size, square, free), region, "{size} {free:b}");
                    if !expected.contains(&region) {
                        expected.push(region);
                    }
                }
                assert_eq!(of(size, free).collect::<Vec<_>>(), expected, "{size} {free:b}");
            }
        }
    }

    #[test]
    fn contacts_are_the_pairs_of_neighbours() {
        for (width, height) in [(2, 2), (3, 2), (2, 4), (3, 3)] {
            let size = Size::new(width, height).unwrap();
            for first in 0..=size.all_squares() {
                for second in [size.all_squares() & !first, size.all_squares(), 0b1_0110 & size.all_squares()] {
                    let neighbours = |square| {
                        Direction::ALL.into_iter().filter_map(move |direction| size.neighbour(square, direction))
                    };
                    let pairs = bits(first).flat_map(|here| neighbours(here).map(move |there| (here, there)));
                    let mut expected: Vec<_> = pairs.filter(|(_, there)| second & there.bit() != 0).collect();
                    let mut found: Vec<_> = contacts(size, first, second).collect();
                    expected.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{size} {first:b} {second:b}");
                    assert_eq!(count_contacts(size, first, second) as usize, expected.len());
                }
            }
        }
    }
}
