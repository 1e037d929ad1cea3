//! Sums of pattern databases, the best of several.
//!
//! The patterns of a partition share no tile, and a table counts only moves of its own tiles. So the sum of the costs never
//! exceeds the true distance. A reflection that leaves the blank's goal square alone turns a board into another one that
//! is equally far from the goal; the same tables, asked about that one, often know better. The bound is the largest sum of
//! all partitions and views.
//!
//! A table that counts every move is a lower bound by itself (Culberson & Schaeffer 1998): nothing is counted twice because
//! nothing is added. Each view of such a table is a sum of its own.

use tilebase_index::PatternCosts;
use tilebase_puzzle::{Partition, PatternError, Slide, State, Symmetry};

use crate::heuristic::{Heuristic, PatternCostsOfViews};
use crate::lanes::{Followed, Lane, LaneStep, TablesOfSums, filled, sums_of_partitions};

/// The largest sum of the costs of disjoint patterns, over all partitions and views.
///
/// A node follows at most `SLOTS` patterns, those of every view and partition counted; the fewer, the faster.
#[derive(Clone, Debug)]
pub struct Additive<T, const SLOTS: usize = 4> {
    /// How many of the sums there are. Those that follow, and the lanes after the last, are never used: with as many of them
    /// as slots no access need be checked.
    stages: usize,
    sums: [Sum; SLOTS],
    lanes: [Lane<T>; SLOTS],
}

/// The largest cost of several tables that count all moves, made by [`of_all_moves`](Additive::of_all_moves).
pub type AllMoves<T, const VIEWS: usize = 8> = Additive<T, VIEWS>;

/// One partition seen through one symmetry.
#[derive(Clone, Debug)]
struct Sum {
    symmetry: Symmetry,
    slots: std::ops::Range<usize>,
    /// The slot whose pattern has a tile, as the tile is called before it is seen through the symmetry.
    slot_of_tile: [u8; 32],
}

impl<T: PatternCosts, const SLOTS: usize> Additive<T, SLOTS> {
    /// The sum of these tables, seen through every symmetry that gives another view.
    ///
    /// # Errors
    /// [`PatternError`] when their patterns are not a partition, or there are more than `SLOTS`, those of every view counted.
    pub fn new(tables: Vec<T>) -> Result<Additive<T, SLOTS>, PatternError> {
        Additive::of_partitions(vec![tables], Partition::views)
    }

    /// The sum of these tables, seen straight only.
    pub fn one_view(tables: Vec<T>) -> Result<Additive<T, SLOTS>, PatternError> {
        Additive::of_partitions(vec![tables], |_| vec![Symmetry::IDENTITY])
    }

    /// The largest sum of several partitions, each seen through its own views.
    pub fn of_partitions(
        partitions: Vec<Vec<T>>,
        views: impl Fn(&Partition) -> Vec<Symmetry>,
    ) -> Result<Additive<T, SLOTS>, PatternError> {
        Additive::of_sums(sums_of_partitions(partitions, views)?)
    }

    /// The largest of these tables, which count all moves, each seen through every symmetry that gives another view.
    ///
    /// # Errors
    /// [`PatternError`] when there are none, or they are of different puzzles, or one counts only its own tiles' moves: that
    /// one belongs into a sum; or there are more than `SLOTS`, those of every view counted.
    pub fn of_all_moves(tables: Vec<T>) -> Result<Additive<T, SLOTS>, PatternError> {
        let first = *tables.first().ok_or(PatternError::Empty)?.pattern();
        let mut sums = Vec::new();
        for table in tables {
            let pattern = *table.pattern();
            if (pattern.size(), pattern.home()) != (first.size(), first.home()) {
                return Err(PatternError::OtherPuzzle);
            }
            if !table.kind().counts_all_moves() {
                return Err(PatternError::NotAllMoves);
            }
            sums.extend(pattern.views().into_iter().map(|symmetry| (vec![table.clone()], symmetry)));
        }
        Additive::of_sums(sums)
    }

    /// The largest of these sums, each with the symmetry through which its tables see the board.
    fn of_sums(tables_and_views: TablesOfSums<T>) -> Result<Additive<T, SLOTS>, PatternError> {
        let mut sums = Vec::new();
        let mut lanes = Vec::new();
        for (tables, symmetry) in tables_and_views {
            let first = lanes.len();
            let mut slot_of_tile = [0; 32];
            for table in tables {
                Lane::tiles(&table, symmetry).for_each(|tile| slot_of_tile[tile.index()] = lanes.len() as u8);
                lanes.push(Lane::new(table, symmetry));
            }
            sums.push(Sum { symmetry, slots: first..lanes.len(), slot_of_tile });
        }
        Ok(Additive { stages: sums.len(), lanes: filled(&lanes)?, sums: filled(&sums)? })
    }

    #[inline(always)]
    fn lane(&self, slot: u8) -> &Lane<T> {
        &self.lanes[slot as usize % SLOTS]
    }

    /// Those that there are.
    fn sums(&self) -> &[Sum] {
        &self.sums[..self.stages]
    }
}

/// Every pattern followed through every view.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveNode<D, const SLOTS: usize> {
    followed: Followed<D, SLOTS>,
    /// The sum of each view.
    sums: [u8; SLOTS],
}

impl<T: PatternCosts, const SLOTS: usize> Heuristic for Additive<T, SLOTS> {
    type Node = AdditiveNode<T::Distance, SLOTS>;
    /// A slide moves one tile, so one pattern of each view.
    type Step = LaneStep<T::Distance>;

    const IS_FAR: bool = true;
    const MOST_SQUARES: usize = T::MOST_SQUARES;

    fn root(&self, state: &State) -> Option<Self::Node> {
        let mut node = AdditiveNode { followed: Followed::new(), sums: [0; SLOTS] };
        for (number, sum) in self.sums().iter().enumerate() {
            let seen = state.seen_through(sum.symmetry);
            for slot in sum.slots.clone() {
                let cost = node.followed.locate(slot, &self.lanes[slot].table, &seen)?;
                node.sums[number] = node.sums[number].checked_add(cost)?;
            }
        }
        Some(node)
    }

    /// Costs of all moves are not added up, so that they are not told one by one either.
    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        let node = self.root(state)?;
        let added = self.sums().iter().filter(|sum| !self.lanes[sum.slots.start].table.kind().counts_all_moves());
        let costs = |sum: &Sum| node.followed.costs[sum.slots.clone()].iter().copied().map(u32::from).collect();
        Some(added.map(|sum| (sum.symmetry, costs(sum))).collect())
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        node.sums.iter().copied().max().map_or(0, u32::from)
    }

    #[inline(always)]
    fn stages(&self) -> usize {
        self.stages
    }

    #[inline(always)]
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        let mut step = LaneStep::nothing();
        self.start(stage, node, slide, &mut step);
        self.locate(stage, &mut step);
        step
    }

    #[inline(always)]
    fn start(&self, stage: usize, node: &Self::Node, slide: Slide, step: &mut Self::Step) {
        let slot = self.sums[stage % SLOTS].slot_of_tile[slide.tile.index() % 32];
        *step = self.lane(slot).start(slot, &node.followed, node.sums[stage % SLOTS], slide);
    }

    #[inline(always)]
    fn locate(&self, _stage: usize, step: &mut Self::Step) {
        self.lane(step.slot).locate(step);
    }

    #[inline(always)]
    fn prefetch(&self, _stage: usize, step: &Self::Step) {
        self.lane(step.slot).prefetch(step);
    }

    #[inline(always)]
    fn finish(&self, _stage: usize, step: &mut Self::Step) -> u32 {
        self.lane(step.slot).finish(step).into()
    }

    #[inline(always)]
    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
        node.followed.apply(step);
        node.sums[stage % SLOTS] = step.sum();
    }
}
