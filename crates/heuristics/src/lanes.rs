//! Patterns that are followed from slide to slide: what all sums of pattern databases have in common.

use tilebase_index::{Map, PatternCosts, Standing};
use tilebase_puzzle::{Partition, PatternError, Slide, Square, State, Symmetry, View};

/// What a slot follows: the table of a pattern, and how it sees the board. What a search needs of it is together in one line of
/// the nearest cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lane<T> {
    view: View,
    pub(crate) table: T,
}

/// For each sum the tables of a partition, and the symmetry through which they see the board.
pub(crate) type TablesOfSums<T> = Vec<(Vec<T>, Symmetry)>;

/// The sums of several partitions, each seen through its own views.
pub(crate) fn sums_of_partitions<T: PatternCosts>(
    partitions: Vec<Vec<T>>,
    views: impl Fn(&Partition) -> Vec<Symmetry>,
) -> Result<TablesOfSums<T>, PatternError> {
    let mut sums = Vec::new();
    for tables in partitions {
        if tables.iter().any(|table| table.kind().counts_all_moves()) {
            return Err(PatternError::NotAdditive);
        }
        let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
        sums.extend(views(&partition).into_iter().map(|symmetry| (tables.clone(), symmetry)));
    }
    Ok(sums)
}

/// As many items as there are slots, so that no access need be checked: those given, and the last of them again.
pub(crate) fn filled<I: Clone, const SLOTS: usize>(items: &[I]) -> Result<[I; SLOTS], PatternError> {
    let last = items.last().ok_or(PatternError::Empty)?;
    if items.len() > SLOTS {
        return Err(PatternError::TooMany(SLOTS));
    }
    Ok(std::array::from_fn(|slot| items.get(slot).unwrap_or(last).clone()))
}

/// Where the patterns of all slots stand, and what they cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed<D, const SLOTS: usize> {
    standings: [Standing; SLOTS],
    pub(crate) costs: [u8; SLOTS],
    /// Manhattan distances, where tables need them.
    distances: [D; SLOTS],
}

impl<D: Copy + Default, const SLOTS: usize> Followed<D, SLOTS> {
    pub(crate) fn new() -> Followed<D, SLOTS> {
        Followed { standings: [Standing::default(); SLOTS], costs: [0; SLOTS], distances: [D::default(); SLOTS] }
    }

    /// Finds out where the pattern of a slot stands in a state, as its table sees that. `None` when it has no cost.
    pub(crate) fn locate<T: PatternCosts<Distance = D>>(&mut self, slot: usize, table: &T, seen: &State) -> Option<u8> {
        let place = table.locate(seen);
        self.standings[slot] = Standing::from(&place);
        self.distances[slot] = table.distance(&place);
        self.costs[slot] = table.cost(&place)?.try_into().ok()?;
        Some(self.costs[slot])
    }

    /// Puts the pattern that a step has moved where it stands then.
    #[inline(always)]
    pub(crate) fn apply(&mut self, step: &LaneStep<D>) {
        let slot = step.slot as usize % SLOTS;
        self.standings[slot] = step.standing;
        self.costs[slot] = step.cost;
        self.distances[slot] = step.distance;
    }
}

/// What a slide does to the pattern of one slot: where it stands then, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct LaneStep<D> {
    standing: Standing,
    /// The blank's square, as the table sees it.
    blank: Square,
    /// The number of the tiles' squares, and from [`locate`](Lane::locate) on that of the entry.
    entry: u64,
    pub(crate) slot: u8,
    distance: D,
    /// Before the stage is finished, what cost and sum were before the slide.
    pub(crate) cost: u8,
    sum: u8,
}

impl<T: PatternCosts> Lane<T> {
    /// A table that sees the board through a symmetry.
    pub(crate) fn new(table: T, symmetry: Symmetry) -> Lane<T> {
        let size = table.pattern().size();
        Lane { view: View::new(size, symmetry).then(size, table.reflection()), table }
    }

    /// The tiles whose slides count, as they are called before they are seen through the symmetry.
    pub(crate) fn tiles(table: &T, symmetry: Symmetry) -> impl Iterator<Item = Square> {
        let size = table.pattern().size();
        let view = View::new(size, symmetry);
        let (pattern, all) = (*table.pattern(), table.kind().counts_all_moves());
        size.squares().filter(move |&tile| all || pattern.contains(view.tile(tile)))
    }

    /// Begins to follow a slide that counts; the pattern is part of a sum that is so large.
    #[inline(always)]
    pub(crate) fn start<const SLOTS: usize>(
        &self,
        slot: u8,
        followed: &Followed<T::Distance, SLOTS>,
        sum: u8,
        slide: Slide,
    ) -> LaneStep<T::Distance> {
        let at = slot as usize % SLOTS;
        let slide = self.view.slide(slide);
        let mut standing = followed.standings[at];
        let map = self.table.follow(&mut standing, slide);
        // At once, where nothing has to be waited for.
        let entry = if T::IS_NEAR { self.table.entry(&standing, map, slide.from) } else { map.0.into() };
        let distance = self.table.distance_after(followed.distances[at], slide);
        LaneStep { standing, blank: slide.from, entry, slot, distance, cost: followed.costs[at], sum }
    }

    /// Finds the entry, if that has not been done.
    #[inline(always)]
    pub(crate) fn locate(&self, step: &mut LaneStep<T::Distance>) {
        if !T::IS_NEAR {
            step.entry = self.table.entry(&step.standing, Map(step.entry as u32), step.blank);
        }
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, step: &LaneStep<T::Distance>) {
        self.table.prefetch(step.entry);
    }

    /// Reads the entry. Returns the sum after the slide.
    #[inline(always)]
    pub(crate) fn finish(&self, step: &mut LaneStep<T::Distance>) -> u8 {
        let before = step.cost;
        step.cost = self.table.cost_after(step.entry, step.distance, before);
        step.sum = step.sum.wrapping_add(step.cost).wrapping_sub(before);
        step.sum
    }
}

impl<D: Default> LaneStep<D> {
    /// Fills the place of a step until one is begun there.
    #[inline(always)]
    pub(crate) fn nothing() -> LaneStep<D> {
        let (standing, distance) = (Standing::default(), D::default());
        LaneStep { standing, blank: Square(0), entry: 0, slot: 0, distance, cost: 0, sum: 0 }
    }

    /// The sum after the slide, when the stage is finished.
    #[inline(always)]
    pub(crate) fn sum(&self) -> u8 {
        self.sum
    }
}
