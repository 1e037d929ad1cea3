//! Tables that count all moves, combined by their maximum.
//!
//! A table that counts every move is a lower bound by itself (Culberson & Schaeffer 1998): nothing is counted twice because
//! nothing is added. Several such tables, and several views of each, are compared, and the largest cost is the bound.

use tilebase_index::{PatternCosts, Standing};
use tilebase_puzzle::{PatternError, Slide, State, Symmetry, View};

use crate::heuristic::Heuristic;

/// The largest cost of several tables that count all moves, each seen through every symmetry that helps.
#[derive(Debug)]
pub struct AllMoves<T, const VIEWS: usize = 8> {
    tables: Vec<T>,
    /// Each table with each of its views: the table's number, how the board is seen, and how the table sees slides.
    views: Vec<(usize, Symmetry, View)>,
}

impl<T: PatternCosts, const VIEWS: usize> AllMoves<T, VIEWS> {
    /// The maximum of these tables.
    ///
    /// # Errors
    /// [`PatternError`] when there are none, or they are of different puzzles, or one counts only its own tiles' moves:
    /// that one belongs into a sum; or there are more than `VIEWS`, those of every symmetry counted.
    pub fn new(tables: Vec<T>) -> Result<AllMoves<T, VIEWS>, PatternError> {
        let first = *tables.first().ok_or(PatternError::Empty)?.pattern();
        let mut views = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let pattern = table.pattern();
            if (pattern.size(), pattern.home()) != (first.size(), first.home()) {
                return Err(PatternError::OtherPuzzle);
            }
            if !table.kind().counts_all_moves() {
                return Err(PatternError::NotAllMoves);
            }
            let reflected = |symmetry| View::new(pattern.size(), symmetry).then(pattern.size(), table.reflection());
            views.extend(pattern.views().into_iter().map(|symmetry| (number, symmetry, reflected(symmetry))));
        }
        if views.len() > VIEWS {
            return Err(PatternError::TooMany { most: VIEWS });
        }
        Ok(AllMoves { tables, views })
    }
}

/// Every table followed through every view; each slide changes all of them by one.
#[derive(Clone, Copy, Debug)]
pub struct AllMovesNode<const VIEWS: usize> {
    standings: [Standing; VIEWS],
    costs: [u8; VIEWS],
}

/// Where a table stands after a slide, and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct AllMovesStep {
    standing: Standing,
    entry: u64,
    /// Before the stage is finished, the cost before the slide.
    cost: u8,
}

impl<T: PatternCosts, const VIEWS: usize> Heuristic for AllMoves<T, VIEWS> {
    type Node = AllMovesNode<VIEWS>;
    type Step = AllMovesStep;

    const IS_FAR: bool = true;
    const MOST_SQUARES: usize = T::MOST_SQUARES;

    fn root(&self, state: &State) -> Option<AllMovesNode<VIEWS>> {
        let mut node = AllMovesNode { standings: [Standing::default(); VIEWS], costs: [0; VIEWS] };
        for (stage, (table, symmetry, _)) in self.views.iter().enumerate() {
            let table = &self.tables[*table];
            let place = table.locate(&state.seen_through(*symmetry));
            node.standings[stage] = Standing::from(&place);
            node.costs[stage] = table.cost(&place)?.try_into().ok()?;
        }
        Some(node)
    }

    fn cost(&self, node: &AllMovesNode<VIEWS>) -> u32 {
        node.costs.iter().copied().max().map_or(0, u32::from)
    }

    #[inline]
    fn stages(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn begin(&self, stage: usize, node: &AllMovesNode<VIEWS>, slide: Slide) -> AllMovesStep {
        let (table, _, view) = &self.views[stage];
        let table = &self.tables[*table];
        let mut standing = node.standings[stage];
        let entry = table.step(&mut standing, view.slide(slide));
        AllMovesStep { standing, entry, cost: node.costs[stage] }
    }

    #[inline]
    fn prefetch(&self, stage: usize, step: &AllMovesStep) {
        self.tables[self.views[stage].0].prefetch(step.entry);
    }

    #[inline]
    fn finish(&self, stage: usize, step: &mut AllMovesStep) -> u32 {
        // The entries of such tables do not depend on Manhattan distances.
        step.cost = self.tables[self.views[stage].0].cost_after(step.entry, 0, step.cost);
        step.cost.into()
    }

    #[inline]
    fn apply(&self, stage: usize, node: &mut AllMovesNode<VIEWS>, step: &AllMovesStep) {
        node.standings[stage] = step.standing;
        node.costs[stage] = step.cost;
    }
}
