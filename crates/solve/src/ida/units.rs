//! Bounds that are kept and shared: finished ones are recorded, large ones are cut into units, and a search that follows
//! gets its bounds from the one that leads.

use tilebase_puzzle::Direction;

use super::cut::{self, Cut, Tree};
use super::team::{Nodes, ToDo, Work};
use super::{Iterate, Search};
use crate::checkpoint::{BoundDone, Checkpoint, CutBound, KeptSolution};
use crate::request::Limit;
use crate::units::{Lead, SharedBound};

/// How many nodes a unit should have, and how many units there should be.
struct Wish {
    nodes_of_unit: u64,
    units: usize,
}

/// An iteration that is cut into units, whatever its nodes are.
struct Summary {
    units: usize,
    generated: u64,
    expanded: u64,
    next_bound: u64,
    solution: Option<Vec<Direction>>,
}

impl<'a> Search<'a> {
    /// Searches the bounds that the lead gives, until there are no more. Returns why it ended.
    pub(super) fn follow(&mut self, lead: &dyn Lead, iterate: Iterate<'_, 'a>) -> Limit {
        while let Some(led) = lead.next_bound() {
            self.led = Some(led);
            (self.bound, self.generated_last) = (led.bound.into(), led.generated_before);
            self.clock.raise(led.bound, &self.effort);
            if let Some(limit) = iterate(self).limit {
                return limit;
            }
        }
        Limit::Released
    }

    /// Resumes after the bounds that an earlier search has finished.
    pub(super) fn resume(&mut self) {
        let Some(kept) = &self.kept else { return };
        let bounds = kept.now().bounds;
        // The bounds of another search are of no use. A caller that keeps them compares more than this.
        let follows = |bound: &mut u64, done: &BoundDone| {
            let follows = u64::from(done.bound) == *bound && done.next > done.bound;
            *bound = done.next.into();
            Some(follows)
        };
        if bounds.iter().scan(self.bound, follows).any(|follows| !follows) {
            kept.change(false, |checkpoint| *checkpoint = Checkpoint::default());
            return;
        }
        for done in bounds {
            self.clock.raise(done.bound, &self.effort);
            self.clock.go_on_from(done.generated);
            self.effort.generated += done.generated;
            self.effort.generated_complete += done.generated;
            self.effort.expanded += done.expanded;
            self.generated_last = done.generated;
            self.bound = done.next.into();
        }
    }

    /// Records a finished bound. One with a solution stays unfinished, so that a search that resumes finds the solution there.
    pub(super) fn keep(&self, done: BoundDone, is_solved: bool) {
        let Some(kept) = &self.kept else { return };
        kept.change(true, |checkpoint| {
            if !is_solved {
                checkpoint.bounds.push(done);
                checkpoint.cut = None;
            }
        });
    }

    /// The work of an iteration: the roots of its tree, or its units if it is large and something keeps or shares them.
    ///
    /// # Errors
    /// [`Limit::OtherUnits`] when the units of the search that leads are different.
    pub(super) fn work<T: Tree, N>(
        &mut self,
        tree: &T,
        roots: Cut<T::Node>,
        node: impl Fn(&T::Node) -> N,
    ) -> Result<Work<N>, Limit> {
        let Some(wish) = self.units_wanted()? else {
            // The last node is searched first.
            let nodes: Vec<N> = roots.units.iter().rev().map(node).collect();
            let to_do = ToDo { free: nodes.len(), next_bound: roots.next_bound, ..ToDo::default() };
            return Ok(Work { nodes: Nodes::free(nodes), to_do });
        };
        let cut = roots.until(wish.units, tree);
        let nodes = Nodes::units(cut.units.iter().map(node).collect());
        let digest = || cut.digest(tree);
        let Cut { ref units, generated, expanded, next_bound, ref solution } = cut;
        let solution = solution.clone();
        let summary = Summary { units: units.len(), generated, expanded, next_bound, solution };
        Ok(Work { nodes, to_do: self.units_to_do(&wish, summary, &digest)? })
    }

    /// Into how many units the next iteration is to be cut, if it is large and something keeps or shares units.
    fn units_wanted(&self) -> Result<Option<Wish>, Limit> {
        let nodes_of_unit = match (self.led, &self.kept) {
            (Some(led), _) => led.nodes_of_unit.max(1),
            (None, Some(kept)) => kept.nodes_of_unit(),
            (None, None) => u64::MAX,
        };
        let units = cut::units_for(self.generated_last, nodes_of_unit);
        if units.is_none() && self.led.is_some() {
            return Err(Limit::OtherUnits);
        }
        Ok(units.map(|units| Wish { nodes_of_unit, units }))
    }

    /// The units that are left, after those that the checkpoint has.
    fn units_to_do(&mut self, wish: &Wish, cut: Summary, digest: &dyn Fn() -> u64) -> Result<ToDo, Limit> {
        let (bound, generated) = (self.moves_of_bound(), self.effort.generated);
        let is_shared = self.led.is_some() || self.request.helpers.is_some();
        let shared = is_shared.then(|| SharedBound {
            bound,
            generated_before: self.generated_last,
            nodes_of_unit: wish.nodes_of_unit,
            units: cut.units,
            digest: digest(),
        });
        if self.led.is_some() && self.led != shared {
            return Err(Limit::OtherUnits);
        }
        let Some(kept) = &self.kept else {
            self.clock.cut(0, cut.units);
            self.effort.generated += cut.generated;
            self.effort.expanded += cut.expanded;
            // The lead gives out the units, and knows what cutting found.
            return Ok(ToDo { units: Some(Vec::new()), shared, ..ToDo::default() });
        };
        let now = kept.change(false, |checkpoint| {
            let is_this_one = |known: &CutBound| known.bound == bound && known.done.len() == cut.units;
            if !checkpoint.cut.as_ref().is_some_and(is_this_one) {
                checkpoint.cut = Some(CutBound {
                    bound,
                    done: vec![false; cut.units],
                    generated: cut.generated,
                    expanded: cut.expanded,
                    next: u32::try_from(cut.next_bound).ok(),
                    solution: cut.solution.map(|moves| KeptSolution { moves, generated: generated + cut.generated }),
                });
            }
            checkpoint.cut.clone().expect("it was there or has been put there")
        });
        self.clock.go_on_from(now.generated);
        self.clock.cut(now.units_done(), now.done.len());
        self.effort.generated += now.generated;
        self.effort.expanded += now.expanded;
        let left = |unit: &usize| !now.done[*unit];
        // Units are taken from the end.
        let units = (0..now.done.len()).filter(left).rev().collect();
        let next_bound = now.next.map_or(u64::MAX, u64::from);
        Ok(ToDo { free: 0, units: Some(units), shared, solution: now.solution, next_bound })
    }
}
