//! Manhattan distances of all permutations on a map at once.

use tilebase_index::perms::{factorial, unrank};
use tilebase_index::{BuilderIndex, MAX_TILES, Map, Perm, bits};
use tilebase_puzzle::{Pattern, Square, Tile};

/// The last positions of a permutation are taken together: their sums are worked out once for each set of tiles.
const TOGETHER: usize = 4;

/// Works out, for one map after another, the Manhattan distance of every permutation.
#[derive(Debug)]
pub(crate) struct ManhattanRows {
    k: usize,
    together: usize,
    /// Orders of the tiles that are taken together.
    orders: Vec<Vec<u8>>,
    /// For each set of tiles taken together (as a mask), the sums for all orders.
    ends: Vec<u8>,
    /// Distance of each tile (second index) from each position of the map (first).
    distances: Vec<Vec<u8>>,
    /// The distances of the current map, by permutation.
    row: Vec<u8>,
}

impl ManhattanRows {
    pub(crate) fn new(k: usize) -> ManhattanRows {
        let together = k.min(TOGETHER);
        let orders: Vec<Vec<u8>> = (0..factorial(together)).map(|number| unrank(together, Perm(number))).collect();
        let ends = vec![0; orders.len() << k];
        ManhattanRows { k, together, orders, ends, distances: Vec::new(), row: vec![0; factorial(k) as usize] }
    }

    /// The Manhattan distance of the pattern's tiles for every permutation on the map.
    pub(crate) fn of(&mut self, index: &BuilderIndex, pattern: &Pattern, map: Map) -> &[u8] {
        self.distances = bits(index.squares(map))
            .map(|square| pattern.tiles().map(|tile| index.size().distance(square, tile.goal()) as u8).collect())
            .collect();
        let (first_positions, last_positions) = self.distances.split_at(self.k - self.together);
        for tiles in (0..1usize << self.k).filter(|tiles| tiles.count_ones() as usize == self.together) {
            let tile: Vec<usize> = (0..self.k).filter(|tile| tiles & (1 << tile) != 0).collect();
            let sums = &mut self.ends[tiles * self.orders.len()..][..self.orders.len()];
            for (sum, order) in sums.iter_mut().zip(&self.orders) {
                *sum = order.iter().zip(last_positions).map(|(&item, distance)| distance[tile[item as usize]]).sum();
            }
        }
        fill(first_positions, &self.ends, self.orders.len(), (1 << self.k) - 1, 0, &mut self.row);
        &self.row
    }
}

/// A distance that no permutation on the map goes below: rows and columns apart, no pairing of squares with goals is shorter
/// than the one in order.
pub(crate) fn least_distance(index: &BuilderIndex, pattern: &Pattern, map: Map) -> u32 {
    let coordinates = |square| <[usize; 2]>::from(index.size().row_column(square));
    let in_order = |squares: &mut dyn Iterator<Item = Square>, axis: usize| {
        let mut sorted = [usize::MAX; MAX_TILES];
        sorted.iter_mut().zip(squares).for_each(|(place, square)| *place = coordinates(square)[axis]);
        sorted.sort_unstable();
        sorted
    };
    let apart = |axis: usize| -> usize {
        let squares = in_order(&mut bits(index.squares(map)), axis);
        let goals = in_order(&mut pattern.tiles().map(Tile::goal), axis);
        squares.iter().zip(goals).map(|(square, goal)| square.abs_diff(goal)).sum()
    };
    (apart(0) + apart(1)) as u32
}

/// Fills the distances of all orders of `tiles` on the remaining positions, `before` being the sum so far.
fn fill(positions: &[Vec<u8>], ends: &[u8], orders: usize, tiles: usize, before: u8, row: &mut [u8]) {
    let Some((distance, positions)) = positions.split_first() else {
        for (sum, end) in row.iter_mut().zip(&ends[tiles * orders..][..orders]) {
            *sum = before + end;
        }
        return;
    };
    let part = row.len() / tiles.count_ones() as usize;
    let mut rest = tiles;
    for row in row.chunks_exact_mut(part) {
        let tile = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        fill(positions, ends, orders, tiles & !(1 << tile), before + distance[tile], row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::Kind;
    use tilebase_puzzle::Size;

    #[test]
    fn rows_hold_the_sum_of_every_permutation() {
        let size = Size::new(3, 3).unwrap();
        for tiles in [&[5][..], &[1, 2], &[8, 1, 4], &[1, 2, 3, 5], &[1, 3, 4, 5, 8], &[1, 2, 3, 4, 6, 7, 8]] {
            let pattern = Pattern::new(size, Square(0), tiles).unwrap();
            let index = BuilderIndex::new(tilebase_index::Index::new(size, pattern.len(), Kind::Bit).unwrap());
            let mut rows = ManhattanRows::new(pattern.len());
            for map in (0..index.maps() as u32).map(Map) {
                let row = rows.of(&index, &pattern, map);
                let least = u32::from(*row.iter().min().unwrap());
                assert!(least_distance(&index, &pattern, map) <= least);
                for (perm, &sum) in row.iter().enumerate() {
                    let squares = index.tile_squares(map, Perm(perm as u32));
                    let expected: u32 =
                        pattern.tiles().zip(squares).map(|(tile, square)| size.distance(tile.goal(), square)).sum();
                    assert_eq!(u32::from(sum), expected);
                }
            }
        }
    }
}
