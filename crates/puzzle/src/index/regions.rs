//! Connected parts of the free squares: where the blank can go without moving a tile of the pattern.

use crate::size::{MAX_SQUARES, Size};

/// The regions of a set of free squares, ordered by their first square.
pub fn of(size: Size, free: u32) -> impl Iterator<Item = u32> {
    Neighbours::new(size).regions(free)
}

/// How many pairs of neighbouring squares there are with the first in one set and the second in another.
pub fn contacts(size: Size, first: u32, second: u32) -> u32 {
    let neighbours = Neighbours::new(size);
    neighbours.shifted(first).iter().map(|shifted| (shifted & second).count_ones()).sum()
}

/// The most regions that any board has: every second square of 5×5.
const MAX_REGIONS: usize = MAX_SQUARES.div_ceil(2);

/// The regions of one set of free squares after another: fast where only the first row of the board changes from one to the
/// next, as it mostly does along all maps in order.
pub(super) struct InOrder {
    neighbours: Neighbours,
    first_row: u32,
    /// The free squares behind the first row, and their regions.
    behind: u32,
    of_behind: Few,
    found: Few,
}

/// A short list of regions.
#[derive(Clone, Copy, Default)]
struct Few {
    regions: [u32; MAX_REGIONS],
    count: usize,
}

impl Few {
    fn push(&mut self, region: u32) {
        self.regions[self.count] = region;
        self.count += 1;
    }

    fn as_slice(&self) -> &[u32] {
        &self.regions[..self.count]
    }
}

impl InOrder {
    pub(super) fn new(size: Size) -> InOrder {
        InOrder {
            neighbours: Neighbours::new(size),
            first_row: (1 << size.width()) - 1,
            behind: 0,
            of_behind: Few::default(),
            found: Few::default(),
        }
    }

    /// The regions of a set of free squares, ordered by their first square.
    #[inline]
    pub(super) fn of(&mut self, free: u32) -> &[u32] {
        let behind = free & !self.first_row;
        if behind != self.behind {
            self.behind = behind;
            self.of_behind.count = 0;
            self.neighbours.regions(behind).for_each(|region| self.of_behind.push(region));
        }
        // Regions of the first row, each with all that it touches behind.
        self.found.count = 0;
        let mut rest = free & self.first_row;
        while rest != 0 {
            // Squares side by side: adding the lowest carries through them.
            let run = rest & !(rest + (rest & rest.wrapping_neg()));
            rest &= !run;
            let mut region = run;
            let touched = run << self.neighbours.width;
            for &other in self.of_behind.as_slice() {
                region |= if other & touched == 0 { 0 } else { other };
            }
            // What meets behind is one: the first takes the others in.
            let mut kept = 0;
            let mut first = None;
            for place in 0..self.found.count {
                let other = self.found.regions[place];
                match first {
                    _ if other & region == 0 => {}
                    None => first = Some(kept),
                    Some(first) => {
                        self.found.regions[first] |= other;
                        continue;
                    }
                }
                self.found.regions[kept] = other;
                kept += 1;
            }
            self.found.count = kept;
            match first {
                Some(first) => self.found.regions[first] |= region,
                None => self.found.push(region),
            }
        }
        let with_first_row = self.found.as_slice().iter().fold(0, |all, region| all | region);
        for place in 0..self.of_behind.count {
            let region = self.of_behind.regions[place];
            if region & with_first_row == 0 {
                self.found.push(region);
            }
        }
        self.found.as_slice()
    }
}

/// Masks to find all neighbours of a set of squares at once.
#[derive(Clone, Copy)]
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

    /// The regions of a set of free squares, ordered by their first square.
    #[inline]
    fn regions(self, free: u32) -> impl Iterator<Item = u32> {
        let mut rest = free;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let region = self.flood(rest & rest.wrapping_neg(), rest);
                rest &= !region;
                region
            })
        })
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
            let grown = self.shifted(region).iter().fold(region, |grown, shifted| grown | shifted) & free;
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
            let mut in_order = InOrder::new(size);
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
                assert_eq!(in_order.of(free), expected, "{size} {free:b}");
            }
        }
    }
}
