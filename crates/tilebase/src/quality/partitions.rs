//! Partitions as a search for them sees them: sets of masks, all of them one after the other, and those one step away.

use std::collections::{BTreeSet, HashSet};

use tilebase_puzzle::{Direction, Partition, Pattern, Random, Size, Square, Symmetry, Tile};

/// The patterns of a partition as masks of tiles, the one with the first tile first. Of a partition and its mirror images,
/// which are equally good, the smallest stands for all.
pub(super) type Masks = Vec<u32>;

/// A puzzle whose tiles are divided up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    pub(super) size: Size,
    pub(super) home: Square,
    /// Whether the tiles of a pattern must hang together, side by side.
    pub(super) connected: bool,
}

/// More partitions than anybody can try.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there are more than {0} such partitions: leave --all out to look for good ones only, or try only those whose patterns hang \
     together (--connected)"
)]
pub struct TooManyPartitions(pub usize);

impl Tiles {
    /// All tiles, as a mask.
    pub(super) fn all(&self) -> u32 {
        self.size.all_squares() & !self.home.bit()
    }

    pub(super) fn pattern(&self, mask: u32) -> Pattern {
        Pattern::from_mask(self.size, self.home, mask).expect("a part of the tiles is a pattern")
    }

    pub(super) fn partition(&self, masks: &[u32]) -> Partition {
        let patterns = masks.iter().map(|&mask| self.pattern(mask)).collect();
        Partition::new(patterns).expect("masks divide up the tiles")
    }

    /// The one of some masks and their mirror images that stands for all.
    pub(super) fn canonical(&self, masks: &[u32]) -> Masks {
        let image =
            |symmetry: Symmetry| in_order(masks.iter().map(|&mask| symmetry.squares(self.size, mask)).collect());
        Symmetry::fixing(self.size, self.home).map(image).min().expect("the identity is a symmetry")
    }

    /// How many neighbouring squares belong to the same pattern: what hangs together is usually better.
    pub(super) fn contacts(&self, masks: &[u32]) -> u32 {
        masks
            .iter()
            .map(|&mask| self.neighbours(mask).map(|square| u32::from(mask & square.bit() != 0)).sum::<u32>())
            .sum()
    }

    /// The squares beside each square of a mask; one that is beside two of them comes twice.
    fn neighbours(&self, mask: u32) -> impl Iterator<Item = Square> {
        let size = self.size;
        let squares = size.squares().filter(move |square| mask & square.bit() != 0);
        squares.flat_map(move |square| Direction::ALL.into_iter().filter_map(move |way| size.neighbour(square, way)))
    }

    fn is_connected(&self, mask: u32) -> bool {
        let mut reached = mask & mask.wrapping_neg();
        loop {
            let more = self.neighbours(reached).fold(reached, |reached, square| reached | square.bit() & mask);
            if more == reached {
                return reached == mask;
            }
            reached = more;
        }
    }

    /// Whether patterns may be part of what is looked for.
    pub(super) fn suits(&self, mask: u32) -> bool {
        !self.connected || self.is_connected(mask)
    }

    /// Every partition into patterns of these sizes, of mirror images only one; those that hang together best come first.
    pub(super) fn every(&self, sizes: &[usize], most: usize) -> Result<Vec<Masks>, TooManyPartitions> {
        let different: BTreeSet<usize> = sizes.iter().copied().collect();
        let mut of_size: Vec<Vec<u32>> = vec![Vec::new(); self.size.count()];
        for &tiles in &different {
            of_size[tiles] = self.patterns(tiles);
        }
        let mut found = Vec::new();
        let mut left = sizes.to_vec();
        left.sort_unstable();
        self.divide(self.all(), &mut left, &of_size, &mut Vec::new(), &mut found, most)?;
        found.sort_by_cached_key(|masks| (std::cmp::Reverse(self.contacts(masks)), masks.clone()));
        Ok(found)
    }

    fn divide(
        &self,
        missing: u32,
        left: &mut Vec<usize>,
        of_size: &[Vec<u32>],
        chosen: &mut Masks,
        found: &mut Vec<Masks>,
        most: usize,
    ) -> Result<(), TooManyPartitions> {
        if missing == 0 {
            if self.canonical(chosen) == *chosen {
                found.push(chosen.clone());
            }
            return if found.len() > most { Err(TooManyPartitions(most)) } else { Ok(()) };
        }
        let first = missing & missing.wrapping_neg();
        for at in 0..left.len() {
            if at > 0 && left[at] == left[at - 1] {
                continue;
            }
            let tiles = left.remove(at);
            for &mask in of_size[tiles].iter().filter(|&&mask| mask & first != 0 && mask & !missing == 0) {
                chosen.push(mask);
                self.divide(missing & !mask, left, of_size, chosen, found, most)?;
                chosen.pop();
            }
            left.insert(at, tiles);
        }
        Ok(())
    }

    /// Every pattern of so many tiles that suits.
    fn patterns(&self, tiles: usize) -> Vec<u32> {
        let mut patterns: HashSet<u32> =
            self.size.squares().map(Square::bit).filter(|bit| bit & self.all() != 0).collect();
        for _ in 1..tiles {
            let grown = patterns.iter().flat_map(|&mask| {
                let beside = self.neighbours(mask).fold(0, |beside, square| beside | square.bit());
                let more = if self.connected { beside } else { self.all() } & self.all() & !mask;
                self.size.squares().map(Square::bit).filter(move |bit| bit & more != 0).map(move |bit| mask | bit)
            });
            patterns = grown.collect();
        }
        let mut patterns: Vec<u32> = patterns.into_iter().collect();
        patterns.sort_unstable();
        patterns
    }

    /// Every part of a pattern with so many tiles; where patterns have to hang together, only those that do, unless none does.
    pub(super) fn parts(&self, mask: u32, tiles: usize) -> Vec<u32> {
        let missing = mask.count_ones() as usize - tiles;
        let bits: Vec<u32> = (0..32).map(|bit| 1 << bit).filter(|bit| mask & bit != 0).collect();
        let mut parts: Vec<(usize, u32)> = vec![(0, mask)];
        for _ in 0..missing {
            let without =
                |&(from, part): &(usize, u32)| (from..bits.len()).map(move |at| (at, part)).collect::<Vec<_>>();
            parts = parts.iter().flat_map(without).map(|(at, part)| (at + 1, part & !bits[at])).collect();
        }
        let all = || parts.iter().map(|(_, part)| *part);
        let suitable: Vec<u32> = all().filter(|&part| self.suits(part)).collect();
        if suitable.is_empty() { all().collect() } else { suitable }
    }

    /// The partitions one step away: two patterns exchange a tile or, unless their sizes are `fixed`, one gives a tile to
    /// another. In random order, but those that hang together better come first.
    pub(super) fn one_step_away(&self, masks: &[u32], fixed: bool, random: &mut Random) -> Vec<Masks> {
        let mut found: Vec<Masks> = Vec::new();
        let tiles = |mask: u32| (0..32).map(Tile).filter(move |tile| mask & tile.bit() != 0).map(Tile::bit);
        for (a, &one) in masks.iter().enumerate() {
            for (b, &other) in masks.iter().enumerate().filter(|(b, _)| *b != a) {
                let gifts = tiles(one).filter(|_| !fixed && one.count_ones() > 1).map(|tile| (tile, 0));
                let exchanges =
                    tiles(one).filter(|_| a < b).flat_map(|tile| tiles(other).map(move |back| (tile, back)));
                for (tile, back) in gifts.chain(exchanges) {
                    let mut next = masks.to_vec();
                    next[a] = one & !tile | back;
                    next[b] = other & !back | tile;
                    if self.suits(next[a]) && self.suits(next[b]) {
                        found.push(self.canonical(&next));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        random.shuffle(&mut found);
        found.sort_by_key(|masks| std::cmp::Reverse(self.contacts(masks)));
        found
    }

    /// A random partition into patterns of these sizes that hang together, if there seems to be one.
    pub(super) fn random(&self, sizes: &[usize], random: &mut Random) -> Option<Masks> {
        const TRIES: usize = 100_000;
        let mut sizes = sizes.to_vec();
        let masks = (0..TRIES).find_map(|_| {
            random.shuffle(&mut sizes);
            let mut free = self.all();
            sizes.iter().map(|&tiles| self.grow(tiles, &mut free, random)).collect::<Option<Masks>>()
        })?;
        Some(self.canonical(&masks))
    }

    /// A random pattern of free tiles that hangs together, which takes them. It starts from the tile with fewest free
    /// neighbours, which would else be left alone.
    fn grow(&self, tiles: usize, free: &mut u32, random: &mut Random) -> Option<u32> {
        let mut starts: Vec<Square> = self.size.squares().filter(|square| *free & square.bit() != 0).collect();
        random.shuffle(&mut starts);
        let ways_out = |square: &Square| self.neighbours(square.bit()).filter(|next| *free & next.bit() != 0).count();
        let mut mask = starts.iter().min_by_key(|square| ways_out(square))?.bit();
        while (mask.count_ones() as usize) < tiles {
            let beside: Vec<Square> = self.neighbours(mask).filter(|next| *free & !mask & next.bit() != 0).collect();
            if beside.is_empty() {
                return None;
            }
            mask |= beside[random.below(beside.len() as u64) as usize].bit();
        }
        *free &= !mask;
        Some(mask)
    }
}

/// The one with the first tile first.
fn in_order(mut masks: Masks) -> Masks {
    masks.sort_unstable_by_key(|mask| mask.trailing_zeros());
    masks
}

/// The ways to divide up a number of tiles, the largest pattern first, into as few patterns as `fits` lets us. Those with the
/// largest patterns come first.
pub(super) fn sizes_within(tiles: usize, fits: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    fn divide(left: usize, most: usize, parts: usize, chosen: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        if parts == 0 {
            found.extend((left == 0).then(|| chosen.clone()));
            return;
        }
        for size in (1..=most.min(left)).rev() {
            chosen.push(size);
            divide(left - size, size, parts - 1, chosen, found);
            chosen.pop();
        }
    }
    let with = |parts: usize| {
        let mut found = Vec::new();
        divide(tiles, tiles, parts, &mut Vec::new(), &mut found);
        found.retain(|sizes| fits(sizes));
        found
    };
    (1..=tiles).map(with).find(|found| !found.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(size: &str, connected: bool) -> Tiles {
        Tiles { size: size.parse().unwrap(), home: Square(0), connected }
    }

    #[test]
    fn every_partition_is_found_once_up_to_reflection() {
        // 15 over 7 are 6435, of which 75 are their own mirror images: 3180 pairs, and these.
        let found = tiles("4x4", false).every(&[7, 8], 10_000).unwrap();
        assert_eq!(found.len(), 3255);
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len());
        // 15! / (5!³ 3!) are 126,126.
        let all = tiles("4x4", false);
        let found = all.every(&[5, 5, 5], 100_000).unwrap();
        let both: HashSet<Masks> = found
            .iter()
            .flat_map(|masks| {
                let mirrored = masks.iter().map(|&mask| {
                    let symmetry = Symmetry::fixing(all.size, all.home).nth(1).unwrap();
                    symmetry.squares(all.size, mask)
                });
                [masks.clone(), in_order(mirrored.collect())]
            })
            .collect();
        assert_eq!(both.len(), 126_126);
        assert_eq!(all.every(&[5, 5, 5], 1000), Err(TooManyPartitions(1000)));
        // A rectangle has no mirror image that leaves the corner alone: 5 over 2.
        assert_eq!(tiles("3x2", false).every(&[2, 3], 100).unwrap().len(), 10);
    }

    #[test]
    fn connected_partitions_are_those_of_all_whose_patterns_hang_together() {
        let hangs_together = |mask: u32| tiles("4x4", false).is_connected(mask);
        let all = tiles("4x4", false).every(&[4, 5, 6], 1_000_000).unwrap();
        let expected: BTreeSet<Masks> =
            all.into_iter().filter(|masks| masks.iter().all(|&mask| hangs_together(mask))).collect();
        let found: BTreeSet<Masks> = tiles("4x4", true).every(&[4, 5, 6], 1_000_000).unwrap().into_iter().collect();
        assert!(found.len() > 100);
        assert_eq!(found, expected);
        assert!(hangs_together(0b0011_0010) && !hangs_together(0b0001_1000) && !hangs_together(0b1001));
    }

    #[test]
    fn steps_exchange_tiles_and_random_partitions_hang_together() {
        let all = tiles("5x5", true);
        let mut random = Random::new(4);
        for sizes in [&[6, 6, 6, 6][..], &[7, 7, 7, 3], &[8, 8, 7, 1]] {
            let masks = all.random(sizes, &mut random).unwrap();
            let mut found: Vec<usize> = masks.iter().map(|mask| mask.count_ones() as usize).collect();
            found.sort_unstable_by_key(|&tiles| std::cmp::Reverse(tiles));
            assert_eq!(found, sizes);
            assert!(masks.iter().all(|&mask| all.is_connected(mask)));
            assert!(masks.iter().fold(0, |sum, mask| sum | mask) == all.all());
            let next = all.one_step_away(&masks, true, &mut random);
            assert!(!next.is_empty() && next.iter().all(|next| all.partition(next).sizes() == sizes));
            assert!(all.one_step_away(&masks, false, &mut random).len() > next.len());
        }
        // All exchanges of two tiles of 7-8 are 56.
        let loose = tiles("4x4", false);
        let masks = loose.random(&[7, 8], &mut random).unwrap();
        assert_eq!(loose.one_step_away(&masks, true, &mut random).len(), 56);
    }

    #[test]
    fn parts_of_a_pattern_are_all_of_its_subsets_that_suit() {
        let mask = 0b0111_0011_0110;
        for missing in 1..4u32 {
            let expected: Vec<u32> =
                (0..1u32 << 12).filter(|part| part & !mask == 0 && part.count_ones() == 7 - missing).collect();
            let sorted = |connected: bool| {
                let mut parts = tiles("4x4", connected).parts(mask, 7 - missing as usize);
                parts.sort_unstable();
                parts
            };
            assert_eq!(sorted(false), expected);
            let together: Vec<u32> =
                expected.into_iter().filter(|&part| tiles("4x4", false).is_connected(part)).collect();
            assert!(!together.is_empty() && together.len() < sorted(false).len());
            assert_eq!(sorted(true), together);
        }
        assert_eq!(tiles("4x4", true).parts(0b1010_0000_1010, 3).len(), 4, "nothing hangs together");
    }

    #[test]
    fn sizes_are_as_large_as_fit() {
        let within = |most: usize| sizes_within(15, |sizes| sizes.iter().all(|&size| size <= most));
        assert_eq!(within(8), [[8, 7]]);
        assert_eq!(within(6), [[6, 6, 3], [6, 5, 4], [5, 5, 5]]);
        assert!(sizes_within(15, |_| false).is_empty());
    }
}
