//! Sums of pattern databases of several partitions, in which patterns that several sums share are followed once.
//!
//! Good partitions resemble each other: the seven of `small`, seen through both views, are fourteen sums of 56 patterns, of which
//! only 28 differ. A slide moves one tile, which is in about seven of these. So half of the lookups that one for each sum would
//! take are enough, and half of the room in every node.

use std::array::from_fn;

use tilebase_index::PatternCosts;
use tilebase_puzzle::{Partition, PatternError, Slide, State, Symmetry};

use crate::heuristic::{Heuristic, PatternCostsOfViews};
use crate::lanes::{Followed, Lane, LaneStep, filled, sums_of_partitions};

/// The most sums.
const MOST_SUMS: usize = 16;

/// The most patterns that can have a tile beside the one that is looked at first.
const MOST_OTHERS: usize = 11;

/// The largest of several sums of the costs of disjoint patterns: what [`Additive`](crate::Additive) is, made for several
/// partitions that share patterns. A node follows at most `SLOTS` patterns, each counted once.
///
/// It has two stages. The first looks at the tile's pattern in one of the largest sums: what lies above the bound after a slide was mostly
/// the largest before it. All sums that have this pattern change alike, so that this one stays the largest of them. The second stage
/// looks at all other patterns of the tile, and has the largest of the other sums.
#[derive(Debug)]
pub struct SharedSums<T, const SLOTS: usize> {
    lanes: [Lane<T>; SLOTS],
    /// For each pattern that there is, the symmetry through which its table sees the board.
    symmetries: Vec<Symmetry>,
    /// For each slot, 1 for each sum that its pattern is part of.
    members: [ByteForEachSum; SLOTS],
    /// For each sum how it sees the board, and the slots of its patterns.
    sums: Vec<(Symmetry, Vec<u8>)>,
    /// By tile and sum, the slots of the patterns that have the tile.
    slots: Box<[[SlotsOfTile; MOST_SUMS]; 32]>,
}

/// The slots of the patterns that have a tile: the one that is part of a certain sum, and the others.
#[derive(Clone, Copy, Default, Debug)]
struct SlotsOfTile {
    first: u8,
    others: [u8; MOST_OTHERS],
    count: u8,
}

impl<T: PatternCosts, const SLOTS: usize> SharedSums<T, SLOTS> {
    /// The largest sum of several partitions, each seen through its own views.
    ///
    /// # Errors
    /// [`PatternError`] when the patterns of some tables are not a partition, when tables count all moves, or there are too many
    /// different patterns or sums.
    pub fn of_partitions(
        partitions: Vec<Vec<T>>,
        views: impl Fn(&Partition) -> Vec<Symmetry>,
    ) -> Result<SharedSums<T, SLOTS>, PatternError> {
        let mut lanes: Vec<Lane<T>> = Vec::new();
        // The tiles of each pattern. It has the same costs whichever way it is come by.
        let mut patterns: Vec<u32> = Vec::new();
        let mut symmetries: Vec<Symmetry> = Vec::new();
        let mut sums: Vec<(Symmetry, Vec<u8>)> = Vec::new();
        for (tables, symmetry) in sums_of_partitions(partitions, views)? {
            let slots = tables.into_iter().map(|table| {
                let tiles = Lane::tiles(&table, symmetry).fold(0, |mask, tile| mask | tile.bit());
                let slot = patterns.iter().position(|&known| known == tiles).unwrap_or_else(|| {
                    lanes.push(Lane::new(table, symmetry));
                    patterns.push(tiles);
                    symmetries.push(symmetry);
                    lanes.len() - 1
                });
                slot as u8
            });
            let slots = slots.collect();
            sums.push((symmetry, slots));
        }
        if sums.len() > MOST_SUMS {
            return Err(PatternError::TooMany(MOST_SUMS));
        }
        let has = |sum: usize, slot: u8| sums.get(sum).is_some_and(|(_, slots)| slots.contains(&slot));
        let slots_of = |tile: usize, sum: usize| {
            let (first, others): (Vec<u8>, Vec<u8>) = (0..patterns.len() as u8)
                .filter(|&slot| patterns[slot as usize] >> tile & 1 == 1)
                .partition(|&slot| has(sum, slot));
            let mut found = SlotsOfTile {
                first: first.first().copied().unwrap_or(0),
                count: others.len() as u8,
                ..Default::default()
            };
            let room = found.others.get_mut(..others.len()).ok_or(PatternError::TooMany(MOST_OTHERS + 1))?;
            room.copy_from_slice(&others);
            Ok(found)
        };
        let mut slots = Box::new([[SlotsOfTile::default(); MOST_SUMS]; 32]);
        for (tile, of_tile) in slots.iter_mut().enumerate() {
            for (sum, of_sum) in of_tile.iter_mut().enumerate().take(sums.len()) {
                *of_sum = slots_of(tile, sum)?;
            }
        }
        Ok(SharedSums {
            lanes: filled(&lanes)?,
            symmetries,
            members: from_fn(|slot| ByteForEachSum::new(from_fn(|sum| has(sum, slot as u8).into()))),
            slots,
            sums,
        })
    }

    /// The slots that are looked at when a tile slides.
    #[inline(always)]
    fn slots(&self, node: &SharedNode<T::Distance, SLOTS>, slide: Slide) -> &SlotsOfTile {
        &self.slots[slide.tile.index() % 32][usize::from(node.best) % MOST_SUMS]
    }

    #[inline(always)]
    fn lane(&self, slot: u8) -> &Lane<T> {
        &self.lanes[slot as usize % SLOTS]
    }
}

/// A byte for each sum, eight of them in each word: compilers work on single bytes one after the other.
#[derive(Clone, Copy, Default, Debug)]
struct ByteForEachSum([u64; MOST_SUMS / 8]);

impl ByteForEachSum {
    #[inline(always)]
    fn new(bytes: [u8; MOST_SUMS]) -> ByteForEachSum {
        ByteForEachSum(from_fn(|word| u64::from_le_bytes(from_fn(|byte| bytes[8 * word + byte]))))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; MOST_SUMS] {
        let words = self.0.map(u64::to_le_bytes);
        from_fn(|sum| words[sum / 8][sum % 8])
    }

    /// These changes, and this one of every byte whose member is 1. Bytes may borrow from each other until the changes are
    /// [added](ByteForEachSum::changed) to sums.
    #[inline(always)]
    fn and(self, members: ByteForEachSum, change: i8) -> ByteForEachSum {
        self.changed(ByteForEachSum(members.0.map(|word| word.wrapping_mul(i64::from(change) as u64))))
    }

    /// These sums after changes, which leave every one of them between 0 and 255: then words can be added as numbers.
    #[inline(always)]
    fn changed(self, changes: ByteForEachSum) -> ByteForEachSum {
        ByteForEachSum(from_fn(|word| self.0[word].wrapping_add(changes.0[word])))
    }

    /// The largest of those bytes whose member is 0.
    #[inline(always)]
    fn largest_without(self, members: ByteForEachSum) -> u8 {
        let counted = from_fn(|word| self.0[word] & !members.0[word].wrapping_mul(0xFF));
        ByteForEachSum(counted).bytes().into_iter().fold(0, u8::max)
    }

    /// The largest byte, and the first that is as large.
    #[inline(always)]
    fn largest(self) -> (u8, u8) {
        let bytes = self.bytes();
        let largest = bytes.into_iter().fold(0, u8::max);
        let [low, high] = ByteForEachSum::new(bytes.map(|byte| if byte == largest { u8::MAX } else { 0 })).0;
        let bits = if low == 0 { 64 + high.trailing_zeros() } else { low.trailing_zeros() };
        (largest, (bits / 8) as u8)
    }
}

/// Every pattern followed, and every sum.
#[derive(Clone, Copy, Debug)]
pub struct SharedNode<D, const SLOTS: usize> {
    followed: Followed<D, SLOTS>,
    sums: ByteForEachSum,
    largest: u8,
    /// One of the sums that are as large.
    best: u8,
}

/// What a slide does to the pattern that is looked at first, or to all others that have the tile.
#[derive(Clone, Copy, Debug)]
pub struct SharedStep<D> {
    lanes: [LaneStep<D>; MOST_OTHERS],
    count: u8,
    /// Of the second stage: the slot that the first has looked at, the sums before the slide, and how the others change them.
    first: u8,
    sums: ByteForEachSum,
    changes: ByteForEachSum,
}

impl<D> SharedStep<D> {
    #[inline(always)]
    fn lanes(&self) -> &[LaneStep<D>] {
        &self.lanes[..(self.count as usize).min(MOST_OTHERS)]
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [LaneStep<D>] {
        &mut self.lanes[..(self.count as usize).min(MOST_OTHERS)]
    }
}

impl<T: PatternCosts, const SLOTS: usize> Heuristic for SharedSums<T, SLOTS> {
    type Node = SharedNode<T::Distance, SLOTS>;
    type Step = SharedStep<T::Distance>;

    const IS_FAR: bool = true;
    const MOST_SQUARES: usize = T::MOST_SQUARES;

    fn root(&self, state: &State) -> Option<Self::Node> {
        let (mut followed, mut sums) = (Followed::new(), [0u8; MOST_SUMS]);
        for (slot, symmetry) in self.symmetries.iter().enumerate() {
            followed.locate(slot, &self.lanes[slot].table, &state.seen_through(*symmetry))?;
        }
        for (sum, (_, slots)) in sums.iter_mut().zip(&self.sums) {
            *sum = slots.iter().try_fold(0u8, |sum, &slot| sum.checked_add(followed.costs[slot as usize]))?;
        }
        let sums = ByteForEachSum::new(sums);
        let (largest, best) = sums.largest();
        Some(SharedNode { followed, sums, largest, best })
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        let node = self.root(state)?;
        let costs = |slots: &[u8]| slots.iter().map(|&slot| u32::from(node.followed.costs[slot as usize])).collect();
        Some(self.sums.iter().map(|(symmetry, slots)| (*symmetry, costs(slots))).collect())
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        node.largest.into()
    }

    #[inline(always)]
    fn stages(&self) -> usize {
        2
    }

    #[inline(always)]
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        let (lanes, sums) = ([LaneStep::nothing(); MOST_OTHERS], ByteForEachSum::default());
        let mut step = SharedStep { lanes, count: 0, first: 0, sums, changes: sums };
        self.start(stage, node, slide, &mut step);
        self.locate(stage, &mut step);
        step
    }

    #[inline(always)]
    fn start(&self, stage: usize, node: &Self::Node, slide: Slide, step: &mut Self::Step) {
        let slots = self.slots(node, slide);
        if stage == 0 {
            step.count = 1;
            step.lanes[0] = self.lane(slots.first).start(slots.first, &node.followed, node.largest, slide);
        } else {
            (step.count, step.first, step.sums) = (slots.count, slots.first, node.sums);
            for (lane, &slot) in step.lanes_mut().iter_mut().zip(&slots.others) {
                *lane = self.lane(slot).start(slot, &node.followed, 0, slide);
            }
        }
    }

    #[inline(always)]
    fn locate(&self, _stage: usize, step: &mut Self::Step) {
        step.lanes_mut().iter_mut().for_each(|lane| self.lane(lane.slot).locate(lane));
    }

    #[inline(always)]
    fn prefetch(&self, _stage: usize, step: &Self::Step) {
        step.lanes().iter().for_each(|lane| self.lane(lane.slot).prefetch(lane));
    }

    #[inline(always)]
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
        if stage == 0 {
            let lane = &mut step.lanes[0];
            return self.lane(lane.slot).finish(lane).into();
        }
        let mut changes = ByteForEachSum::default();
        for lane in step.lanes_mut() {
            // The sum was 0.
            let change = self.lane(lane.slot).finish(lane) as i8;
            changes = changes.and(self.members[lane.slot as usize % SLOTS], change);
        }
        step.changes = changes;
        // The first stage has told the largest of the sums that have the first pattern.
        step.sums.changed(changes).largest_without(self.members[step.first as usize % SLOTS]).into()
    }

    #[inline(always)]
    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
        if stage == 0 {
            let lane = &step.lanes[0];
            let change = lane.sum().wrapping_sub(node.largest) as i8;
            node.sums = node.sums.and(self.members[lane.slot as usize % SLOTS], change);
            node.followed.apply(lane);
        } else {
            step.lanes().iter().for_each(|lane| node.followed.apply(lane));
            node.sums = node.sums.changed(step.changes);
            (node.largest, node.best) = node.sums.largest();
        }
    }
}
