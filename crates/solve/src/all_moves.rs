//! Tables that count all moves, combined by their maximum.
//!
//! A table that counts every move is a lower bound by itself (Culberson & Schaeffer 1998): nothing is counted twice because
//! nothing is added. Several such tables, and several views of each, are compared, and the largest cost is the bound.

use tilebase_puzzle::index::{Counting, Place};
use tilebase_puzzle::{PatternCosts, PatternError, Slide, State, View};

use crate::heuristic::{Heuristic, Walker};

/// The largest cost of several tables that count all moves, each seen through every symmetry that helps.
#[derive(Debug)]
pub struct AllMoves<T> {
    tables: Vec<T>,
    /// Each table with each of its views: the table's number and the view.
    views: Vec<(usize, View)>,
}

impl<T: PatternCosts> AllMoves<T> {
    /// The maximum of these tables.
    ///
    /// # Errors
    /// [`PatternError`] when there are none, or they are of different puzzles, or one counts only its own tiles' moves:
    /// that one belongs into a sum.
    pub fn new(tables: Vec<T>) -> Result<AllMoves<T>, PatternError> {
        let first = *tables.first().ok_or(PatternError::Empty)?.pattern();
        let mut views = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let pattern = table.pattern();
            if (pattern.size(), pattern.home()) != (first.size(), first.home()) {
                return Err(PatternError::OtherPuzzle);
            }
            if table.counting() == Counting::Pattern {
                return Err(PatternError::NotAllMoves);
            }
            views.extend(pattern.views().into_iter().map(|symmetry| (number, View::new(pattern.size(), symmetry))));
        }
        Ok(AllMoves { tables, views })
    }
}

impl<T: PatternCosts> Heuristic for AllMoves<T> {
    type Walker<'a>
        = AllMovesWalker<'a, T>
    where
        T: 'a;

    fn walker(&self, state: &State) -> Option<AllMovesWalker<'_, T>> {
        let followed = self.views.iter().map(|(table, view)| {
            let table = &self.tables[*table];
            let place = table.locate(&state.seen_through(view.symmetry()));
            Some((place, table.cost(&place)?))
        });
        Some(AllMovesWalker { all_moves: self, followed: followed.collect::<Option<_>>()?, before: Vec::new() })
    }
}

/// Follows every table through every view; each slide changes all of them by one.
#[derive(Debug)]
pub struct AllMovesWalker<'a, T> {
    all_moves: &'a AllMoves<T>,
    /// For each view the place and its cost.
    followed: Vec<(Place, u32)>,
    /// What the steps so far replaced: all of it for each step.
    before: Vec<(Place, u32)>,
}

impl<T: PatternCosts> Walker for AllMovesWalker<'_, T> {
    fn cost(&self) -> u32 {
        self.followed.iter().map(|(_, cost)| *cost).max().expect("there is at least one view")
    }

    fn advance(&mut self, slide: Slide, limit: u32) -> Result<(), u32> {
        let start = self.before.len();
        self.before.extend_from_slice(&self.followed);
        for ((table, view), followed) in self.all_moves.views.iter().zip(&mut self.followed) {
            let table = &self.all_moves.tables[*table];
            let place = table.step(&followed.0, view.slide(slide));
            let cost = table.cost_after(&place, followed.1);
            *followed = (place, cost);
            if cost > limit {
                self.followed.copy_from_slice(&self.before[start..]);
                self.before.truncate(start);
                return Err(cost);
            }
        }
        Ok(())
    }

    fn retreat(&mut self) {
        let start = self.before.len() - self.followed.len();
        self.followed.copy_from_slice(&self.before[start..]);
        self.before.truncate(start);
    }
}
