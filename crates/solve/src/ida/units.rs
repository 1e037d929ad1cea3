//! Bounds that are kept and shared: what is done is noted, large ones are cut into units, and a search that follows another
//! one is told them.

use tilebase_heuristics::Heuristic;

use super::Search;
use super::cut::{self, Cut};
use super::depth_first;
use super::iteration::Iteration;
use super::team::Work;
use crate::checkpoint::{BoundDone, Checkpoint, CutBound, KeptSolution};
use crate::packed::Packed;
use crate::request::Limit;
use crate::units::{Lead, SharedBound};

impl<H: Heuristic> Search<'_, H> {
    /// Searches what it is told, bound after bound, until that is over. Returns why it ended.
    pub(super) fn follow(&mut self, lead: &dyn Lead) -> Limit {
        while let Some(led) = lead.next_bound() {
            self.led = Some(led);
            (self.bound, self.generated_last) = (led.bound.into(), led.generated_before);
            self.clock.raise(led.bound, &self.effort);
            if let Some(limit) = self.iterate().limit {
                return limit;
            }
        }
        Limit::Released
    }

    /// Goes on after the bounds that were searched before this search began.
    pub(super) fn go_on(&mut self) {
        let Some(kept) = &self.kept else { return };
        let bounds = kept.now().bounds;
        // What belongs to another search is of no use; whoever keeps it has compared more than this.
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

    /// Has a bound kept that is done. One with a solution stays as it is, so that a search that goes on finds the solution there.
    pub(super) fn keep(&self, done: BoundDone, is_solved: bool) {
        let Some(kept) = &self.kept else { return };
        kept.change(true, |checkpoint| {
            if !is_solved {
                checkpoint.bounds.push(done);
                checkpoint.cut = None;
            }
        });
    }

    /// The work of an iteration: its root, or, when it is large and somebody keeps what is done, the units.
    ///
    /// # Errors
    /// [`Limit::OtherUnits`] when the search that leads has others.
    pub(super) fn work<B: Packed, N>(
        &mut self,
        iteration: &Iteration<'_, H, B>,
        root: depth_first::Node<H::Node, B>,
        node: impl Fn(&depth_first::Node<H::Node, B>) -> N,
    ) -> Result<Work<N>, Limit> {
        let nodes_of_unit = match (self.led, &self.kept) {
            (Some(led), _) => led.nodes_of_unit.max(1),
            (None, Some(kept)) => kept.nodes_of_unit(),
            (None, None) => u64::MAX,
        };
        let cut = cut::units_for(self.generated_last, nodes_of_unit).map(|enough| Cut::new(iteration, root, enough));
        let (bound, generated) = (self.moves_of_bound(), self.effort.generated);
        let is_shared = self.led.is_some() || self.request.helpers.is_some();
        let shared = cut.as_ref().filter(|_| is_shared).map(|cut| SharedBound {
            bound,
            generated_before: self.generated_last,
            nodes_of_unit,
            units: cut.units.len(),
            digest: cut.digest(self.heuristic),
        });
        if self.led.is_some() && self.led != shared {
            return Err(Limit::OtherUnits);
        }
        let Some(cut) = cut else {
            return Ok(Work { nodes: vec![node(&root)], units: None, shared, solution: None, next_bound: u64::MAX });
        };
        let nodes = cut.units.iter().map(node).collect();
        let Some(kept) = &self.kept else {
            self.clock.cut(0, cut.units.len());
            self.effort.generated += cut.generated;
            self.effort.expanded += cut.expanded;
            // It is told which are left, and who leads knows what cutting finds.
            return Ok(Work { nodes, units: Some(Vec::new()), shared, solution: None, next_bound: u64::MAX });
        };
        let now = kept.change(false, |checkpoint| {
            let is_this_one = |known: &CutBound| known.bound == bound && known.done.len() == cut.units.len();
            if !checkpoint.cut.as_ref().is_some_and(is_this_one) {
                checkpoint.cut = Some(CutBound {
                    bound,
                    done: vec![false; cut.units.len()],
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
        // They are taken from the end.
        let units = (0..now.done.len()).filter(left).rev().collect();
        let next_bound = now.next.map_or(u64::MAX, u64::from);
        Ok(Work { nodes, units: Some(units), shared, solution: now.solution, next_bound })
    }
}
