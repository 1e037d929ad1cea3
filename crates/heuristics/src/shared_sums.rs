//! Sums of pattern databases of several partitions, in which patterns that several sums share are followed once.
//!
//! Good partitions resemble each other: the seven of `small`, seen through both views, are fourteen sums of 56 patterns, of which
//! only 28 differ. A slide moves one tile, which is in about seven of these. So half of the lookups that one for each sum would
//! take are enough, and half of the room in every node.

use tilebase_index::{Map, PatternCosts, Standing};
use tilebase_puzzle::{Partition, PatternError, Slide, Square, State, Symmetry, View};

use crate::heuristic::{Heuristic, PatternCostsOfViews};

/// The most sums.
const MOST_SUMS: usize = 16;

/// No pattern: the tile that slides is in fewer patterns than other tiles.
const NONE: u8 = u8::MAX;

/// The largest of several sums of the costs of disjoint patterns: what [`Additive`](crate::Additive) is, made for several
/// partitions that share patterns. A node follows at most `SLOTS` patterns, each counted once.
#[derive(Debug)]
pub struct SharedSums<T, const SLOTS: usize> {
    /// As many as there are slots, the last of them again and again, so that no access need be checked.
    lanes: Vec<Lane<T>>,
    /// For each sum how it sees the board, and the slots of its patterns.
    sums: Vec<(Symmetry, Vec<u8>)>,
    /// For each stage, by tile, the slot of the pattern that is looked at.
    slots_of_tile: Vec<[u8; 32]>,
}

/// What a slot follows: the table of a pattern, and how it sees the board.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Lane<T> {
    view: View,
    table: T,
    /// 255 for each sum that the pattern is part of, and 0 for the others.
    members: [u8; MOST_SUMS],
    symmetry: Symmetry,
    /// The tiles, as they are called before they are seen through the symmetry.
    tiles: u32,
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
        let mut sums: Vec<(Symmetry, Vec<u8>)> = Vec::new();
        for tables in partitions {
            if tables.iter().any(|table| table.kind().counts_all_moves()) {
                return Err(PatternError::NotAdditive);
            }
            let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
            for symmetry in views(&partition) {
                if sums.len() == MOST_SUMS {
                    return Err(PatternError::TooMany(MOST_SUMS));
                }
                let mut slots = Vec::new();
                for table in &tables {
                    let slot = slot_of(&mut lanes, table, symmetry);
                    lanes[slot].members[sums.len()] = u8::MAX;
                    slots.push(slot as u8);
                }
                sums.push((symmetry, slots));
            }
        }
        if lanes.len() > SLOTS {
            return Err(PatternError::TooMany(SLOTS));
        }
        let slots_of = |tile: usize| {
            // Those of the first sums first.
            let slots = sums.iter().flat_map(|(_, slots)| slots.iter().copied());
            let mut distinct: Vec<u8> = Vec::new();
            slots.filter(|&slot| lanes[slot as usize].tiles >> tile & 1 == 1).for_each(|slot| {
                if !distinct.contains(&slot) {
                    distinct.push(slot);
                }
            });
            distinct
        };
        let by_tile: Vec<Vec<u8>> = (0..32).map(slots_of).collect();
        let stages = by_tile.iter().map(Vec::len).max().unwrap_or(0);
        let of_stage = |stage: usize| std::array::from_fn(|tile| by_tile[tile].get(stage).copied().unwrap_or(NONE));
        let slots_of_tile = (0..stages).map(of_stage).collect();
        let last = lanes.last().ok_or(PatternError::Empty)?.clone();
        lanes.resize(SLOTS, last);
        Ok(SharedSums { lanes, sums, slots_of_tile })
    }

    #[inline(always)]
    fn lane(&self, slot: u8) -> &Lane<T> {
        &self.lanes[slot as usize % SLOTS]
    }
}

/// The slot of a table seen through a symmetry. A pattern has the same costs whichever way it is come by.
fn slot_of<T: PatternCosts>(lanes: &mut Vec<Lane<T>>, table: &T, symmetry: Symmetry) -> usize {
    let size = table.pattern().size();
    let view = View::new(size, symmetry);
    let tiles = size.squares().filter(|&tile| table.pattern().contains(view.tile(tile)));
    let tiles = tiles.fold(0, |mask, tile| mask | tile.bit());
    lanes.iter().position(|lane| lane.tiles == tiles).unwrap_or_else(|| {
        let view = view.then(size, table.reflection());
        lanes.push(Lane { view, table: table.clone(), members: [0; MOST_SUMS], symmetry, tiles });
        lanes.len() - 1
    })
}

/// Every pattern followed, and every sum.
#[derive(Clone, Copy, Debug)]
pub struct SharedNode<D, const SLOTS: usize> {
    standings: [Standing; SLOTS],
    costs: [u8; SLOTS],
    /// Manhattan distances, where tables need them.
    distances: [D; SLOTS],
    sums: [u8; MOST_SUMS],
}

/// What a slide does to one pattern: where it stands then, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct SharedStep<D> {
    standing: Standing,
    /// The blank's square, as the table sees it.
    blank: Square,
    /// The number of the tiles' squares, and from [`locate`](Heuristic::locate) on that of the entry.
    entry: u64,
    slot: u8,
    distance: D,
    /// Before the stage is finished, what it was before the slide.
    cost: u8,
    /// By how much the cost changed, modulo 256.
    change: u8,
    /// The largest sum that the pattern is part of, before the slide.
    largest: u8,
}

impl<T: PatternCosts, const SLOTS: usize> Heuristic for SharedSums<T, SLOTS> {
    type Node = SharedNode<T::Distance, SLOTS>;
    type Step = SharedStep<T::Distance>;

    const IS_FAR: bool = true;
    const MOST_SQUARES: usize = T::MOST_SQUARES;

    fn root(&self, state: &State) -> Option<Self::Node> {
        let mut node = SharedNode {
            standings: [Standing::default(); SLOTS],
            costs: [0; SLOTS],
            distances: [T::Distance::default(); SLOTS],
            sums: [0; MOST_SUMS],
        };
        let used = self.sums.iter().flat_map(|(_, slots)| slots).max().map_or(0, |&last| usize::from(last) + 1);
        for (slot, lane) in self.lanes[..used].iter().enumerate() {
            let place = lane.table.locate(&state.seen_through(lane.symmetry));
            node.standings[slot] = Standing::from(&place);
            node.distances[slot] = lane.table.distance(&place);
            node.costs[slot] = lane.table.cost(&place)?.try_into().ok()?;
        }
        for (sum, (_, slots)) in node.sums.iter_mut().zip(&self.sums) {
            *sum = slots.iter().try_fold(0u8, |sum, &slot| sum.checked_add(node.costs[slot as usize]))?;
        }
        Some(node)
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        let node = self.root(state)?;
        let costs = |slots: &[u8]| slots.iter().map(|&slot| u32::from(node.costs[slot as usize])).collect();
        Some(self.sums.iter().map(|(symmetry, slots)| (*symmetry, costs(slots))).collect())
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        node.sums.iter().copied().max().map_or(0, u32::from)
    }

    #[inline(always)]
    fn stages(&self) -> usize {
        self.slots_of_tile.len()
    }

    #[inline(always)]
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        let mut step = self.start(stage, node, slide);
        self.locate(stage, &mut step);
        step
    }

    #[inline(always)]
    fn start(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        let slot = self.slots_of_tile[stage][slide.tile.index() % 32];
        let Lane { table, view, members, .. } = self.lane(slot);
        let at = slot as usize % SLOTS;
        let slide = view.slide(slide);
        let mut standing = node.standings[at];
        let (mut entry, mut largest) = (0, 0);
        let mut distance = node.distances[at];
        if slot != NONE {
            entry = table.follow(&mut standing, slide).0.into();
            distance = table.distance_after(distance, slide);
            largest = members.iter().zip(node.sums).map(|(member, sum)| member & sum).max().unwrap_or(0);
        }
        SharedStep { standing, blank: slide.from, entry, slot, distance, cost: node.costs[at], change: 0, largest }
    }

    #[inline(always)]
    fn locate(&self, _stage: usize, step: &mut Self::Step) {
        if step.slot != NONE {
            step.entry = self.lane(step.slot).table.entry(&step.standing, Map(step.entry as u32), step.blank);
        }
    }

    #[inline(always)]
    fn prefetch(&self, _stage: usize, step: &Self::Step) {
        if step.slot != NONE {
            self.lane(step.slot).table.prefetch(step.entry);
        }
    }

    #[inline(always)]
    fn finish(&self, _stage: usize, step: &mut Self::Step) -> u32 {
        if step.slot != NONE {
            let cost = self.lane(step.slot).table.cost_after(step.entry, step.distance, step.cost);
            step.change = cost.wrapping_sub(step.cost);
            step.cost = cost;
        }
        step.largest.wrapping_add(step.change).into()
    }

    #[inline(always)]
    fn apply(&self, _stage: usize, node: &mut Self::Node, step: &Self::Step) {
        if step.slot != NONE {
            let slot = step.slot as usize % SLOTS;
            node.standings[slot] = step.standing;
            node.costs[slot] = step.cost;
            node.distances[slot] = step.distance;
            let members = &self.lane(step.slot).members;
            node.sums.iter_mut().zip(members).for_each(|(sum, member)| *sum = sum.wrapping_add(member & step.change));
        }
    }
}
