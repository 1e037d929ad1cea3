//! The units of a bound that is cut. The threads of this process and helpers elsewhere take them one after the other; a search that
//! follows gets them from its lead.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tilebase_puzzle::Direction;

use super::{Tally, Team};
use crate::request::Limit;
use crate::units::{Helpers, SharedBound, UnitEffort, Units};

/// A thread that waits for units of helpers checks the limits this often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The unit of a worker, and what the worker had done before.
#[derive(Default)]
pub(in crate::ida) struct Unit {
    number: Option<usize>,
    before: Tally,
}

impl Unit {
    /// Its number, and what was done in it, given all that the worker has done.
    fn effort(&self, tally: &Tally) -> Option<(usize, UnitEffort)> {
        let effort = UnitEffort {
            generated: tally.generated - self.before.generated,
            expanded: tally.expanded - self.before.expanded,
            // It may be that of an earlier unit of this worker, which makes no difference.
            next: tally.next_bound.try_into().ok(),
        };
        self.number.map(|number| (number, effort))
    }
}

/// The units that are not done.
pub(super) struct Places {
    /// Not taken; the last is taken first.
    left: Vec<usize>,
    /// Taken by helpers.
    elsewhere: Vec<usize>,
    /// What helpers did: units that are done, and in vain.
    pub(super) done: UnitEffort,
    pub(super) wasted: UnitEffort,
}

impl Places {
    pub(super) fn new(left: Vec<usize>) -> Places {
        Places { left, elsewhere: Vec::new(), done: UnitEffort::default(), wasted: UnitEffort::default() }
    }

    /// Takes a unit from a helper. Returns false if no helper has it.
    fn fetch(&mut self, unit: usize) -> bool {
        let at = self.elsewhere.iter().position(|&known| known == unit);
        at.map(|at| self.elsewhere.swap_remove(at)).is_some()
    }
}

impl Team<'_> {
    /// Records a worker's unit as done, unless the team was stopped, and returns the number of the next one, of so many.
    pub(super) fn take_unit(&self, units: usize, unit: &mut Unit, tally: &Tally) -> Option<usize> {
        let lead = self.request.lead;
        let last = std::mem::take(unit).effort(tally);
        if self.is_stopped() {
            // It may have been finished, but that is not known.
            if let Some((lead, (number, wasted))) = lead.zip(last) {
                lead.stopped(number, wasted);
            }
            return None;
        }
        if let Some((number, effort)) = last {
            self.finish_unit(number, &effort);
        }
        let number = lead.map_or_else(|| self.next_unit(), |lead| lead.next_unit(last))?;
        if number >= units {
            // Only the lead can have given such a number.
            self.reach(Limit::OtherUnits);
            return None;
        }
        *unit = Unit { number: Some(number), before: *tally };
        Some(number)
    }

    /// The next unit that is left. Waits for helpers that have units: they may put some back.
    fn next_unit(&self) -> Option<usize> {
        loop {
            let mut shared = self.shared();
            if self.is_stopped() {
                return None;
            }
            if let Some(unit) = shared.places.left.pop() {
                return Some(unit);
            }
            if shared.places.elsewhere.is_empty() {
                return None;
            }
            let waited = self.work_is_there.wait_timeout(shared, BETWEEN_LOOKS);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            self.goes_on();
        }
    }

    /// Records a unit as done in the checkpoint.
    fn finish_unit(&self, number: usize, effort: &UnitEffort) {
        if let Some(kept) = self.kept {
            kept.change(false, |checkpoint| {
                let Some(cut) = &mut checkpoint.cut else { return };
                cut.done[number] = true;
                cut.generated += effort.generated;
                cut.expanded += effort.expanded;
                cut.next = cut.next.into_iter().chain(effort.next).min();
            });
        }
        self.clock.finish_unit();
    }

    /// Whether any units are left.
    pub(in crate::ida) fn has_units(&self) -> bool {
        !self.is_stopped() && !self.shared().places.left.is_empty()
    }

    /// Runs helpers until they return. Units that they leave unfinished are put back.
    pub(in crate::ida) fn help_from(&self, helpers: &dyn Helpers, bound: &SharedBound) {
        let _all_is_put_back = PutBackAll(self);
        helpers.help(bound, self);
    }

    /// Counts nodes that helpers generated without asking.
    fn count_elsewhere(&self, nodes: u64) {
        let take = |left: u64| Some(left.saturating_sub(nodes));
        let left = self.nodes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
        if nodes > left {
            self.reach(Limit::Nodes);
        }
    }
}

impl Units for Team<'_> {
    fn take(&self) -> Option<usize> {
        let mut shared = self.shared();
        if self.is_stopped() {
            return None;
        }
        let unit = shared.places.left.pop()?;
        shared.places.elsewhere.push(unit);
        Some(unit)
    }

    fn finish(&self, unit: usize, effort: &UnitEffort) {
        let mut shared = self.shared();
        if !shared.places.fetch(unit) {
            return;
        }
        shared.places.done.add(effort);
        // Threads may be waiting for it.
        self.work_is_there.notify_all();
        drop(shared);
        self.finish_unit(unit, effort);
        self.count_elsewhere(effort.generated);
    }

    fn put_back(&self, unit: usize, wasted: &UnitEffort) {
        let mut shared = self.shared();
        if !shared.places.fetch(unit) {
            return;
        }
        shared.places.left.push(unit);
        shared.places.wasted.add(wasted);
        self.work_is_there.notify_all();
        drop(shared);
        self.count_elsewhere(wasted.generated);
    }

    fn found(&self, moves: &[Direction]) {
        Team::found(self, moves);
    }

    fn goes_on(&self) -> bool {
        Team::goes_on(self)
    }
}

/// Puts back unfinished units when helpers return, and stops the search when they panic.
struct PutBackAll<'a>(&'a Team<'a>);

impl Drop for PutBackAll<'_> {
    fn drop(&mut self) {
        let mut shared = self.0.shared();
        let places = &mut shared.places;
        places.left.append(&mut places.elsewhere);
        self.0.work_is_there.notify_all();
        if std::thread::panicking() {
            self.0.stop(&shared);
        }
    }
}
