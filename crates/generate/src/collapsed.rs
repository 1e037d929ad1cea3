//! A collapsed table against the levels of a blank-aware one, while these are replayed.
//!
//! The first level at which a permutation on a map is found with the blank in any region is its smallest cost. All rows of a map
//! have the same colour, so a level finds those of all regions at once.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::perms::factorial;
use tilebase_index::{BuilderIndex, MAX_TILES, Map, Perm, bits};
use tilebase_memory::{ones, or};

use crate::audit::{AuditError, Condition};
use crate::replay::{FoundOnMap, Observer, Wrong, bytes_of_row};
use crate::steps::words;

/// Bytes of a table that are counted at a time.
const PART: usize = 1 << 16;

/// The costs that a histogram counts.
const COSTS: usize = 256;

/// Compares the entries of a nibble table.
pub(crate) struct Collapsed<'a> {
    index: &'a BuilderIndex,
    header: &'a Header,
    payload: &'a [u8],
    /// How many entries were found at each level.
    found: Vec<AtomicU64>,
}

impl<'a> Collapsed<'a> {
    pub(crate) fn new(index: &'a BuilderIndex, header: &'a Header, payload: &'a [u8]) -> Collapsed<'a> {
        Collapsed { index, header, payload, found: (0..COSTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The numbers of entries against the header's, when all that can be found has been. No entry that was found says that it cannot
    /// be reached; so if as many say so as were not found, it is these.
    pub(crate) fn compare_counts(&self) -> Result<(), AuditError> {
        let found: Vec<u64> = self.found.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let is_unreached = |nibble: u8| u64::from(nibble == UNREACHED_NIBBLE);
        let count =
            |bytes: &[u8]| bytes.iter().map(|byte| is_unreached(byte & 15) + is_unreached(byte >> 4)).sum::<u64>();
        let said: u64 = self.payload.par_chunks(PART).map(count).sum();
        let unreached = self.header.entries() - found.iter().sum::<u64>();
        if said != unreached {
            return Err(AuditError::Unreached(said, unreached));
        }
        let expected = self.header.histogram().iter().chain(std::iter::repeat(&0));
        if found.iter().zip(expected).all(|(found, expected)| found == expected) {
            Ok(())
        } else {
            Err(AuditError::Histogram)
        }
    }

    /// The cost that the table has for a permutation on a map, if it has one.
    fn cost(&self, map: Map, perm: Perm, distances: &Distances) -> Option<u32> {
        let entry = self.index.entry_number(map, perm);
        let half = self.payload[(entry / 2) as usize] >> (entry % 2 * 4) & 15;
        (half != UNREACHED_NIBBLE).then(|| distances.sum(perm) + 2 * u32::from(half))
    }
}

impl Observer for Collapsed<'_> {
    type Buffers = [Vec<u8>; 2];
    const LOOKS: bool = true;

    fn buffers(&self) -> [Vec<u8>; 2] {
        std::array::from_fn(|_| vec![0; bytes_of_row(self.index.perms())])
    }

    fn look(&self, [seen, new]: &mut [Vec<u8>; 2], found: &FoundOnMap<'_>) -> Option<Wrong> {
        for (any, rows) in [(&mut *seen, found.seen), (&mut *new, found.new)] {
            any.fill(0);
            rows.chunks_exact(any.len()).for_each(|row| or(any, row));
        }
        new.iter_mut().zip(seen).for_each(|(new, seen)| *new &= !*seen);
        let FoundOnMap { level, map, .. } = *found;
        let distances = Distances::new(self.index, self.header, map);
        let mut count = 0;
        let mut wrong = None;
        for perm in ones(words(new)).map(Perm) {
            count += 1;
            if wrong.is_none() && self.cost(map, perm, &distances) != Some(level) {
                wrong = Some(Wrong { map, perm, condition: Condition::SmallestOverRegions(level) });
            }
        }
        self.found[level as usize % COSTS].fetch_add(count, Ordering::Relaxed);
        wrong
    }
}

/// Manhattan distances on a map: of each position of a permutation, for each item.
struct Distances {
    k: usize,
    of: [[u32; 16]; MAX_TILES],
}

impl Distances {
    fn new(index: &BuilderIndex, header: &Header, map: Map) -> Distances {
        let mut of = [[0; 16]; MAX_TILES];
        for (of, square) in of.iter_mut().zip(bits(index.squares(map))) {
            let tiles = header.pattern().tiles();
            of.iter_mut().zip(tiles).for_each(|(of, tile)| *of = index.size().distance(square, tile.goal()));
        }
        Distances { k: index.tiles(), of }
    }

    /// The sum of all items, unranked on the way: the items not yet placed are four bits each, in order.
    fn sum(&self, perm: Perm) -> u32 {
        let (mut unused, mut rest, mut sum) = (0xba98_7654_3210_u64, perm.0, 0);
        for (position, of) in self.of[..self.k].iter().enumerate() {
            let weight = factorial(self.k - 1 - position);
            let shift = rest / weight * 4;
            rest %= weight;
            sum += of[(unused >> shift & 15) as usize];
            unused = unused & ((1 << shift) - 1) | unused >> 4 >> shift << shift;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::{Index, Kind};
    use tilebase_puzzle::{Pattern, Size, Square};

    #[test]
    fn distances_are_the_sums_of_every_permutation() {
        let size = Size::new(4, 3).unwrap();
        for tiles in [&[5][..], &[1, 2, 11], &[1, 3, 4, 5, 8, 10]] {
            let pattern = Pattern::new(size, Square(0), tiles).unwrap();
            let index = BuilderIndex::new(Index::new(size, pattern.len(), Kind::Bit).unwrap());
            let header = Header::new(pattern, Kind::Nibble, vec![1], &vec![0; index.entries().div_ceil(2) as usize]);
            let header = header.unwrap();
            for map in (0..index.maps() as u32).map(Map) {
                let distances = Distances::new(&index, &header, map);
                for perm in (0..index.perms()).map(Perm) {
                    let squares = index.tile_squares(map, perm);
                    let expected =
                        pattern.tiles().zip(squares).map(|(tile, square)| size.distance(tile.goal(), square));
                    assert_eq!(distances.sum(perm), expected.sum::<u32>());
                }
            }
        }
    }
}
