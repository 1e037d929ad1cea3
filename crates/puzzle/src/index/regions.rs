//! Connected parts of the free squares: where the blank can go without moving a tile of the pattern.

use crate::size::Size;

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

/// How many pairs of neighbouring squares there are with the first in one set and the second in another.
pub fn contacts(size: Size, first: u32, second: u32) -> u32 {
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
    use crate::size::{Direction, Square};

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
    fn regions_are_the_connected_parts_of_every_set() {
        for (width, height) in [(2, 2), (3, 3), (2, 5), (5, 2), (4, 3), (4, 4)] {
            let size = Size::new(width, height).unwrap();
            for free in 0..=size.all_squares() {
                let mut expected: Vec<u32> = Vec::new();
                for square in size.squares().filter(|square| free & square.bit() != 0) {
                    let mut region = 0;
                    walk(size, free, square, &mut region);
                    if !expected.contains(&region) {
                        expected.push(region);
                    }
                }
                assert_eq!(of(size, free).collect::<Vec<_>>(), expected, "{size} {free:b}");
            }
        }
    }
}
