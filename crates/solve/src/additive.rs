//! The sum of pattern databases, the best of several views.
//!
//! The patterns of a partition share no tile, and a table counts only moves of its own tiles. So the sum of the costs never
//! exceeds the true distance. A reflection that leaves the blank's goal square alone turns a board into another one that
//! is equally far from the goal; the same tables, asked about that one, often know better. The bound is the largest sum of
//! all views.

use tilebase_puzzle::index::{Counting, Place};
use tilebase_puzzle::{MAX_SQUARES, Partition, PatternCosts, PatternError, Slide, State, Symmetry, View};

use crate::heuristic::{Heuristic, Walker};

/// The largest sum, over all views, of the costs of disjoint patterns.
#[derive(Debug)]
pub struct Additive<T> {
    tables: Vec<T>,
    views: Vec<View>,
    /// The table that has each tile.
    owner: [u8; MAX_SQUARES],
}

impl<T: PatternCosts> Additive<T> {
    /// The sum of these tables, seen through every symmetry that gives another view.
    ///
    /// # Errors
    /// [`PatternError`] when their patterns are not a partition.
    pub fn new(tables: Vec<T>) -> Result<Additive<T>, PatternError> {
        Additive::with_views(tables, Partition::views)
    }

    /// The sum of these tables, seen straight only.
    ///
    /// # Errors
    /// As for [`new`](Additive::new).
    pub fn one_view(tables: Vec<T>) -> Result<Additive<T>, PatternError> {
        Additive::with_views(tables, |_| vec![Symmetry::IDENTITY])
    }

    fn with_views(tables: Vec<T>, views: impl Fn(&Partition) -> Vec<Symmetry>) -> Result<Additive<T>, PatternError> {
        if tables.iter().any(|table| table.counting() == Counting::All) {
            return Err(PatternError::NotAdditive);
        }
        let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
        let size = partition.size();
        let mut owner = [0; MAX_SQUARES];
        for (number, pattern) in partition.patterns().iter().enumerate() {
            pattern.tiles().for_each(|tile| owner[tile.index()] = number as u8);
        }
        let views = views(&partition).into_iter().map(|symmetry| View::new(size, symmetry)).collect();
        Ok(Additive { tables, views, owner })
    }

    /// For each view, the cost of each pattern. `None` when a table is damaged.
    pub fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        let costs = self.views.iter().map(|view| {
            let followed = self.follow(view, state)?;
            Some((view.symmetry(), followed.iter().map(|followed| followed.cost).collect()))
        });
        costs.collect()
    }

    fn follow(&self, view: &View, state: &State) -> Option<Vec<Followed>> {
        let seen = state.seen_through(view.symmetry());
        let followed = self.tables.iter().map(|table| {
            let place = table.locate(&seen);
            Some(Followed { place, cost: table.cost(&place)? })
        });
        followed.collect()
    }
}

impl<T: PatternCosts> Heuristic for Additive<T> {
    type Walker<'a>
        = AdditiveWalker<'a, T>
    where
        T: 'a;

    fn walker(&self, state: &State) -> Option<AdditiveWalker<'_, T>> {
        let followed: Vec<Vec<Followed>> =
            self.views.iter().map(|view| self.follow(view, state)).collect::<Option<_>>()?;
        let sums = followed.iter().map(|view| view.iter().map(|followed| followed.cost).sum()).collect();
        Some(AdditiveWalker { additive: self, followed: followed.concat(), sums, before: Vec::new() })
    }
}

/// A pattern followed through a view.
#[derive(Clone, Copy, Debug)]
struct Followed {
    place: Place,
    cost: u32,
}

/// Follows every pattern through every view. A slide moves one tile, so one pattern of each view.
#[derive(Debug)]
pub struct AdditiveWalker<'a, T> {
    additive: &'a Additive<T>,
    /// The patterns of the first view, then those of the second, and so on.
    followed: Vec<Followed>,
    /// The sum of each view.
    sums: Vec<u32>,
    /// What the steps so far replaced: one pattern of each view for each step.
    before: Vec<(usize, Followed)>,
}

impl<T> AdditiveWalker<'_, T> {
    /// Puts back what the last steps of the first views replaced.
    #[inline]
    fn restore(&mut self, views: usize) {
        for view in (0..views).rev() {
            let (place, followed) = self.before.pop().expect("a step was made that is not yet taken back");
            self.sums[view] = self.sums[view] + followed.cost - self.followed[place].cost;
            self.followed[place] = followed;
        }
    }
}

impl<T: PatternCosts> Walker for AdditiveWalker<'_, T> {
    fn cost(&self) -> u32 {
        self.sums.iter().copied().max().expect("there is at least one view")
    }

    #[inline]
    fn advance(&mut self, slide: Slide, limit: u32) -> Result<(), u32> {
        for (number, view) in self.additive.views.iter().enumerate() {
            let slide = view.slide(slide);
            let owner = self.additive.owner[slide.tile.index()] as usize;
            let table = &self.additive.tables[owner];
            let at = number * self.additive.tables.len() + owner;
            let before = self.followed[at];
            let place = table.step(&before.place, slide);
            let cost = table.cost_after(&place, before.cost);
            let sum = self.sums[number] + cost - before.cost;
            if sum > limit {
                self.restore(number);
                return Err(sum);
            }
            self.before.push((at, before));
            self.followed[at] = Followed { place, cost };
            self.sums[number] = sum;
        }
        Ok(())
    }

    #[inline]
    fn retreat(&mut self) {
        self.restore(self.sums.len());
    }
}
