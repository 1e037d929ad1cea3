//! The numbers of rows, by counting.
//!
//! Maps are numbered in increasing order of their masks, and the rows of a map follow those of all maps before it. So the
//! first row of a map is the number of regions of all smaller maps, which can be counted without looking at each of them.
//!
//! The squares are taken from the last to the first, occupied or free. What the squares still to come do to the regions
//! depends only on the last `width` squares taken, the *edge*: which of them are free, and which of these are connected so
//! far. A region is *closed* when its last square leaves the edge. There are few edges: 21 between two rows of a board that
//! is 4 wide, 51 if it is 5 wide. For each square, each edge and each number of tiles still to be placed it is counted in
//! advance how many regions are closed from there on, in all ways to go on together.
//!
//! A map is then followed from the last square on. Wherever it has a tile, all maps that agree with it so far but have that
//! square free come before it. They have (regions closed so far) × (ways to go on) rows, and those closed from there on.
//!
//! Two tiles on 2×2, for example: {0,1} {0,2} {1,2} {0,3} {1,3} {2,3}. The map {1,2} leaves 3 free, where nothing comes before
//! it. Had it no tile on 2, it could only be {0,1}, with one region. Had it one there but none on 1, it could only be {0,2},
//! with one region. So its own rows start at 2; there are two, because 0 and 3 are not connected.

use crate::maps::CHOOSE;
use crate::{Kind, Map, Row};
use tilebase_puzzle::{MAX_SQUARES, Size};

/// Wider boards have too many edges: thousands from 8 on.
const WIDEST: usize = 5;

#[derive(Debug)]
pub(crate) struct Counts {
    squares: usize,
    width: usize,
    tiles: usize,
    /// For each column the edges that there may be before a square in it is taken. The first one of the last column is that
    /// of the empty board.
    edges: Vec<Vec<Edge>>,
    /// Regions closed from here on: for each number of squares left, from [`starts`](Counts::starts) on; for each edge; for
    /// 0, 1, … tiles left.
    sums: Vec<u32>,
    starts: [u32; MAX_SQUARES + 1],
}

/// What comes of an edge when the next square is taken.
#[derive(Clone, Copy, Debug)]
struct Edge {
    free: Step,
    tile: Step,
    /// Regions on the edge.
    regions: u8,
}

/// What a square does to an edge.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The next edge, among those of the next column.
    edge: u16,
    /// Regions that are closed.
    closed: u8,
}

impl Counts {
    /// Heap memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.edges.iter().map(|edges| size_of_val(&**edges)).sum::<usize>() + size_of_val(&*self.sums)
    }

    /// Counts the regions of all maps of `tiles` tiles: 10 µs for 4×4, 30 to 60 µs for 5×5. `None` when the board is so wide
    /// that it would take long.
    pub(crate) fn new(size: Size, tiles: usize, kind: Kind) -> Option<Counts> {
        let (squares, width) = (size.count(), size.width());
        let edges = match kind {
            Kind::Bit | Kind::Nibble if width > WIDEST => return None,
            Kind::Bit | Kind::Nibble => Edges::all(width),
            // A free square is a region at once, and there is nothing to remember.
            Kind::AllMoves | Kind::Lines => {
                let step = |closed| Step { edge: 0, closed };
                vec![vec![Edge { free: step(1), tile: step(0), regions: 0 }]; width]
            }
        };
        let mut starts = [0; MAX_SQUARES + 1];
        let mut len = 0;
        for (left, start) in starts.iter_mut().enumerate().take(squares + 1) {
            *start = len as u32;
            len += edges[column_after(left, width)].len() * (tiles + 1);
        }
        let mut counts = Counts { squares, width, tiles, edges, sums: vec![0; len], starts };
        counts.count();
        Some(counts)
    }

    /// Fills in the sums, from the first square on.
    fn count(&mut self) {
        for (edge, number) in self.edges[self.width - 1].iter().zip(0..) {
            let at = self.at(0, number);
            self.sums[at] = edge.regions.into();
        }
        for (square, choose) in CHOOSE[..self.squares].iter().enumerate() {
            for (edge, number) in self.edges[square % self.width].iter().zip(0..) {
                let (free, tile) = (self.at(square, edge.free.edge), self.at(square, edge.tile.edge));
                let [with_free, with_tile] = [edge.free.closed, edge.tile.closed].map(u32::from);
                let at = self.at(square + 1, number);
                let (before, sums) = self.sums.split_at_mut(at);
                let (free, tile) = (&before[free..][..=self.tiles], &before[tile..][..self.tiles]);
                let sums = &mut sums[..=self.tiles];
                for left in 0..=self.tiles {
                    sums[left] = free[left] + with_free * choose[left];
                }
                for left in 0..self.tiles {
                    sums[left + 1] += tile[left] + with_tile * choose[left];
                }
            }
        }
    }

    /// Where the sums are for an edge with this many squares left.
    #[inline]
    fn at(&self, left: usize, edge: u16) -> usize {
        self.starts[left] as usize + edge as usize * (self.tiles + 1)
    }

    /// Rows of all maps together.
    pub(crate) fn rows(&self) -> u32 {
        self.sums[self.at(self.squares, 0) + self.tiles]
    }

    /// The number of a set of squares, and its first row.
    pub(crate) fn rank(&self, squares: u32) -> (Map, Row) {
        let (mut map, mut first_row) = (0, 0);
        let mut scan = Scan::new(self);
        while scan.tiles > 0 {
            let (maps, rows) = scan.if_free();
            let is_free = squares >> (scan.left - 1) & 1 == 0;
            if !is_free {
                map += maps;
                first_row += rows;
            }
            scan.take(is_free);
        }
        (Map(map), Row(first_row))
    }

    /// The set of squares that a row belongs to, and which of its rows it is.
    pub(crate) fn unrank(&self, row: Row) -> (u32, u32) {
        let (mut squares, mut rest) = (0, row.0);
        let mut scan = Scan::new(self);
        while scan.tiles > 0 {
            let (_, rows) = scan.if_free();
            let is_free = rest < rows;
            if !is_free {
                rest -= rows;
                squares |= 1 << (scan.left - 1);
            }
            scan.take(is_free);
        }
        (squares, rest)
    }
}

/// The column of the next square when this many are left; after the first square it is the last one again.
fn column_after(left: usize, width: usize) -> usize {
    (left + width - 1) % width
}

/// Goes through the squares from the last to the first.
struct Scan<'a> {
    counts: &'a Counts,
    /// Squares left.
    left: usize,
    /// The column of the next square.
    column: usize,
    edge: Edge,
    /// Tiles left.
    tiles: usize,
    /// Regions closed so far.
    closed: u32,
}

impl Scan<'_> {
    fn new(counts: &Counts) -> Scan<'_> {
        let column = counts.width - 1;
        let (edge, left) = (counts.edges[column][0], counts.squares);
        Scan { counts, left, column, edge, tiles: counts.tiles, closed: 0 }
    }

    /// How many maps, and how many rows, there are if the next square is free.
    #[inline]
    fn if_free(&self) -> (u32, u32) {
        let (square, step) = (self.left - 1, self.edge.free);
        let maps = CHOOSE[square][self.tiles];
        let later = self.counts.sums[self.counts.at(square, step.edge) + self.tiles];
        (maps, (self.closed + u32::from(step.closed)) * maps + later)
    }

    /// Takes the next square.
    #[inline]
    fn take(&mut self, is_free: bool) {
        let step = if is_free { self.edge.free } else { self.edge.tile };
        self.tiles -= usize::from(!is_free);
        self.closed += u32::from(step.closed);
        self.left -= 1;
        self.column = if self.column == 0 { self.counts.width - 1 } else { self.column - 1 };
        self.edge = self.counts.edges[self.column][step.edge as usize];
    }
}

/// The labels of the squares of an edge, two bits each, the one that was taken last in the lowest: 0 for a tile, 1, 2, 3 for
/// regions in the order in which they appear from there on. A board up to 5 wide has no edge with more.
type Labels = u16;

struct Edges {
    width: usize,
    /// For each column, the edges found so far.
    found: Vec<Vec<Labels>>,
    /// The number of an edge among those of its column, or [`UNKNOWN`].
    numbers: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

impl Edges {
    /// Goes on, row by row, until no edge is new.
    fn all(width: usize) -> Vec<Vec<Edge>> {
        let mut all = Edges { width, found: vec![Vec::new(); width], numbers: vec![UNKNOWN; width << (2 * width)] };
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); width];
        let mut column = width - 1;
        all.number(column, 0);
        while (0..width).any(|column| edges[column].len() < all.found[column].len()) {
            let next_column = column_after(column, width);
            for number in edges[column].len()..all.found[column].len() {
                let labels = all.found[column][number];
                let [free, tile] = [true, false].map(|is_free| {
                    let (labels, closed) = all.after(labels, column, is_free);
                    Step { edge: all.number(next_column, labels), closed: closed.into() }
                });
                let regions = (0..width).map(|square| (labels >> (2 * square) & 3) as u8).max();
                edges[column].push(Edge { free, tile, regions: regions.unwrap_or(0) });
            }
            column = next_column;
        }
        edges
    }

    /// The number of an edge, which may be new.
    fn number(&mut self, column: usize, labels: Labels) -> u16 {
        let number = &mut self.numbers[column << (2 * self.width) | labels as usize];
        if *number == UNKNOWN {
            *number = self.found[column].len() as u16;
            self.found[column].push(labels);
        }
        *number
    }

    /// The edge after a square in a column, and whether a region was closed.
    fn after(&self, labels: Labels, column: usize, is_free: bool) -> (Labels, bool) {
        let is_last = column == self.width - 1;
        let right = if is_last { 0 } else { labels & 3 };
        let below = labels >> (2 * (self.width - 1));
        // The square below leaves the edge.
        let others = (1..self.width).map(|square| labels >> (2 * (square - 1)) & 3);
        if !is_free {
            let closed = below != 0 && others.clone().all(|label| label != below);
            return (in_order(std::iter::once(0).chain(others)), closed);
        }
        let beside = if right != 0 { right } else { NEW };
        let own = if below != 0 { below } else { beside };
        let joined = others.map(|label| if label != 0 && label == right { own } else { label });
        (in_order(std::iter::once(own).chain(joined)), false)
    }
}

/// The label of a region that has just begun.
const NEW: Labels = 4;

/// Packs labels after numbering them in the order in which they appear.
fn in_order(labels: impl Iterator<Item = Labels>) -> Labels {
    let mut renamed = [0; NEW as usize + 1];
    let (mut regions, mut packed) = (0, 0);
    for (label, square) in labels.zip(0..) {
        if label != 0 && renamed[label as usize] == 0 {
            regions += 1;
            renamed[label as usize] = regions;
        }
        packed |= renamed[label as usize] << (2 * square);
    }
    debug_assert!(regions <= 3, "an edge has at most three regions");
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_4_wide_has_21_edges_between_rows_and_one_5_wide_has_51() {
        let between_rows = |width| Edges::all(width)[width - 1].len();
        assert_eq!([2, 3, 4, 5].map(between_rows), [4, 9, 21, 51]);
    }
}
