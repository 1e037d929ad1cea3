//! Sums of pattern databases, the best of several.
//!
//! The patterns of a partition share no tile, and a table counts only moves of its own tiles. So the sum of the costs never
//! exceeds the true distance. A reflection that leaves the blank's goal square alone turns a board into another one that
//! is equally far from the goal; the same tables, asked about that one, often know better. The bound is the largest sum of
//! all partitions and views.
//!
//! A table that counts every move is a lower bound by itself (Culberson & Schaeffer 1998): nothing is counted twice because
//! nothing is added. Each view of such a table is a sum of its own.

use tilebase_index::{Map, PatternCosts, Standing};
use tilebase_puzzle::{Partition, PatternError, Slide, Square, State, Symmetry, View};

use crate::heuristic::{Heuristic, PatternCostsOfViews};

/// The largest sum of the costs of disjoint patterns, over all partitions and views.
///
/// A node follows at most `SLOTS` patterns, those of every view and partition counted; the fewer, the faster.
#[derive(Debug)]
pub struct Additive<T, const SLOTS: usize = 4> {
    /// How many of the sums there are. Those that follow, and the lanes after the last, are never used: with as many of them
    /// as slots no access need be checked.
    stages: usize,
    sums: [Sum; SLOTS],
    lanes: [Lane<T>; SLOTS],
}

/// The largest cost of several tables that count all moves, made by [`of_all_moves`](Additive::of_all_moves).
pub type AllMoves<T, const VIEWS: usize = 8> = Additive<T, VIEWS>;

/// What a slot follows: the table of a pattern, and how it sees the board.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Lane<T> {
    view: View,
    table: T,
}

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
        let mut sums = Vec::new();
        for tables in partitions {
            if tables.iter().any(|table| table.kind().counts_all_moves()) {
                return Err(PatternError::NotAdditive);
            }
            let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
            sums.extend(views(&partition).into_iter().map(|symmetry| (tables.clone(), symmetry)));
        }
        Additive::of_sums(sums)
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
    fn of_sums(tables_and_views: Vec<(Vec<T>, Symmetry)>) -> Result<Additive<T, SLOTS>, PatternError> {
        let mut sums = Vec::new();
        let mut lanes = Vec::new();
        for (tables, symmetry) in tables_and_views {
            let first = lanes.len();
            let mut slot_of_tile = [0; 32];
            for table in tables {
                let size = table.pattern().size();
                let view = View::new(size, symmetry);
                let counts = |tile| table.kind().counts_all_moves() || table.pattern().contains(view.tile(tile));
                let tiles = size.squares().filter(|&tile| counts(tile));
                tiles.for_each(|tile| slot_of_tile[tile.index()] = lanes.len() as u8);
                let view = view.then(size, table.reflection());
                lanes.push(Lane { view, table });
            }
            sums.push(Sum { symmetry, slots: first..lanes.len(), slot_of_tile });
        }
        if lanes.len() > SLOTS {
            return Err(PatternError::TooMany(SLOTS));
        }
        Ok(Additive { stages: sums.len(), sums: filled(&sums)?, lanes: filled(&lanes)? })
    }

    /// Those that there are.
    fn sums(&self) -> &[Sum] {
        &self.sums[..self.stages]
    }
}

/// As many items as there are slots: those given, and the last of them again.
fn filled<I: Clone, const SLOTS: usize>(items: &[I]) -> Result<[I; SLOTS], PatternError> {
    let last = items.last().ok_or(PatternError::Empty)?;
    Ok(std::array::from_fn(|slot| items.get(slot).unwrap_or(last).clone()))
}

/// Every pattern followed through every view.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveNode<D, const SLOTS: usize> {
    standings: [Standing; SLOTS],
    costs: [u8; SLOTS],
    /// Manhattan distances, where tables need them.
    distances: [D; SLOTS],
    /// The sum of each view.
    sums: [u8; SLOTS],
}

/// A slide moves one tile, so one pattern of each view: where it stands then, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveStep<D> {
    standing: Standing,
    /// The blank's square, as the table sees it.
    blank: Square,
    /// The number of the tiles' squares, and from [`locate`](Heuristic::locate) on that of the entry.
    entry: u64,
    slot: u8,
    distance: D,
    /// Before the stage is finished, what they were before the slide.
    cost: u8,
    sum: u8,
}

impl<T: PatternCosts, const SLOTS: usize> Heuristic for Additive<T, SLOTS> {
    type Node = AdditiveNode<T::Distance, SLOTS>;
    type Step = AdditiveStep<T::Distance>;

    const IS_FAR: bool = true;
    const MOST_SQUARES: usize = T::MOST_SQUARES;

    fn root(&self, state: &State) -> Option<AdditiveNode<T::Distance, SLOTS>> {
        let mut node = AdditiveNode {
            standings: [Standing::default(); SLOTS],
            costs: [0; SLOTS],
            distances: [T::Distance::default(); SLOTS],
            sums: [0; SLOTS],
        };
        for (number, sum) in self.sums().iter().enumerate() {
            let seen = state.seen_through(sum.symmetry);
            for slot in sum.slots.clone() {
                let table = &self.lanes[slot].table;
                let place = table.locate(&seen);
                node.standings[slot] = Standing::from(&place);
                node.distances[slot] = table.distance(&place);
                node.costs[slot] = table.cost(&place)?.try_into().ok()?;
                node.sums[number] = node.sums[number].checked_add(node.costs[slot])?;
            }
        }
        Some(node)
    }

    /// Costs of all moves are not added up, so that they are not told one by one either.
    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        let node = self.root(state)?;
        let added = self.sums().iter().filter(|sum| !self.lanes[sum.slots.start].table.kind().counts_all_moves());
        let costs = |sum: &Sum| node.costs[sum.slots.clone()].iter().copied().map(u32::from).collect();
        Some(added.map(|sum| (sum.symmetry, costs(sum))).collect())
    }

    fn cost(&self, node: &AdditiveNode<T::Distance, SLOTS>) -> u32 {
        node.sums.iter().copied().max().map_or(0, u32::from)
    }

    #[inline(always)]
    fn stages(&self) -> usize {
        self.stages
    }

    #[inline(always)]
    fn begin(&self, stage: usize, node: &AdditiveNode<T::Distance, SLOTS>, slide: Slide) -> AdditiveStep<T::Distance> {
        let mut step = self.start(stage, node, slide);
        self.locate(stage, &mut step);
        step
    }

    #[inline(always)]
    fn start(&self, stage: usize, node: &AdditiveNode<T::Distance, SLOTS>, slide: Slide) -> AdditiveStep<T::Distance> {
        let number = self.sums[stage % SLOTS].slot_of_tile[slide.tile.index() % 32];
        let slot = number as usize % SLOTS;
        let Lane { table, view } = &self.lanes[slot];
        let slide = view.slide(slide);
        let mut standing = node.standings[slot];
        let map = table.follow(&mut standing, slide);
        // At once, where nothing has to be waited for.
        let entry = if T::IS_NEAR { table.entry(&standing, map, slide.from) } else { map.0.into() };
        let distance = table.distance_after(node.distances[slot], slide);
        let (cost, sum) = (node.costs[slot], node.sums[stage % SLOTS]);
        AdditiveStep { standing, blank: slide.from, entry, slot: number, distance, cost, sum }
    }

    #[inline(always)]
    fn locate(&self, _stage: usize, step: &mut AdditiveStep<T::Distance>) {
        if !T::IS_NEAR {
            let table = &self.lanes[step.slot as usize % SLOTS].table;
            step.entry = table.entry(&step.standing, Map(step.entry as u32), step.blank);
        }
    }

    #[inline(always)]
    fn prefetch(&self, _stage: usize, step: &AdditiveStep<T::Distance>) {
        self.lanes[step.slot as usize % SLOTS].table.prefetch(step.entry);
    }

    #[inline(always)]
    fn finish(&self, _stage: usize, step: &mut AdditiveStep<T::Distance>) -> u32 {
        let table = &self.lanes[step.slot as usize % SLOTS].table;
        let before = step.cost;
        step.cost = table.cost_after(step.entry, step.distance, before);
        step.sum = step.sum.wrapping_add(step.cost).wrapping_sub(before);
        step.sum.into()
    }

    #[inline(always)]
    fn apply(&self, stage: usize, node: &mut AdditiveNode<T::Distance, SLOTS>, step: &AdditiveStep<T::Distance>) {
        let slot = step.slot as usize % SLOTS;
        node.standings[slot] = step.standing;
        node.costs[slot] = step.cost;
        node.distances[slot] = step.distance;
        node.sums[stage % SLOTS] = step.sum;
    }
}
