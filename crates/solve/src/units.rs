//! Units that are searched elsewhere: by other processes, on this machine or on others.
//!
//! Which units a bound is cut into follows from the board, the heuristic, the automaton and the nodes of the bound before. So
//! processes that have the same of these cut a bound into the same units, and all that they have to tell each other is numbers.
//! One search *leads*: it goes from bound to bound as always, and has [`Helpers`]. Others *follow*: they have a [`Lead`] who
//! tells them bounds and units, and decide nothing themselves. How they talk to each other is for those who implement these
//! two traits; nothing here knows a network.
//!
//! ```text
//! the search that leads ── Units ── Helpers ~~~ messages ~~~ Lead ── a search that follows
//! ```
//!
//! What is done does not depend on who did it: a search with helpers has the nodes of one without, and a checkpoint goes on
//! with them or without.

use tilebase_puzzle::Direction;

/// A bound that is cut into units, as it is told to those who are to cut it into the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedBound {
    /// Solutions of this many moves are being searched for.
    pub bound: u32,
    /// Nodes of the bound before: the number of units and the automaton depend on it.
    pub generated_before: u64,
    /// About how many nodes of the bound before make a unit.
    pub nodes_of_unit: u64,
    /// How many units there are; their numbers are smaller.
    pub units: usize,
    /// The paths to all units and their costs, in one number: another board, other tables or another version of the program
    /// have another one. A unit that meant something else elsewhere would leave a part of the tree unsearched.
    pub digest: u64,
}

/// What searching a unit took, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnitEffort {
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// The smallest value above the bound that was met, in this unit or in others of the same bound.
    pub next: Option<u32>,
}

impl UnitEffort {
    pub(crate) fn add(&mut self, other: &UnitEffort) {
        self.generated += other.generated;
        self.expanded += other.expanded;
        self.next = self.next.into_iter().chain(other.next).min();
    }
}

/// Has units searched elsewhere, for a search that leads.
pub trait Helpers: Sync {
    /// Takes units of a bound and has them searched. Called once for each bound that is cut and has units left, on a thread of its
    /// own beside those of the search; bounds that are too small to be cut are searched without helpers.
    ///
    /// It should return when there is nothing to take and everything taken is [finished](Units::finish) or [put
    /// back](Units::put_back); and soon after the search no longer [goes on](Units::goes_on), when the others have stopped and
    /// told what they did. The search waits for that. What is neither finished nor put back by then is put back.
    ///
    /// A panic ends the search, and goes on in the thread that called it.
    fn help(&self, bound: &SharedBound, units: &dyn Units);
}

/// The units of a bound, as helpers see them.
pub trait Units: Sync {
    /// A unit to be searched elsewhere. `None` when there is none now; one that is put back can be taken again.
    fn take(&self) -> Option<usize>;

    /// A unit that was taken is done: its nodes count, and a checkpoint has it. Units that are not taken are passed over, so
    /// that nothing counts twice. A solution in it has to be [told](Units::found) before.
    fn finish(&self, unit: usize, effort: &UnitEffort);

    /// A unit that was taken is not done, and somebody else has to search all of it: who had it was stopped, or is gone. The
    /// nodes that were generated in vain, if they are known, count towards limits, but not to the bound.
    fn put_back(&self, unit: usize, wasted: &UnitEffort);

    /// A solution was found elsewhere: the directions in which the blank goes, in the frame of the tables.
    fn found(&self, moves: &[Direction]);

    /// Whether the search goes on with this bound. It also looks at the time and asks the watch, so that it has to be called
    /// often while the others search: every few milliseconds.
    fn goes_on(&self) -> bool;
}

/// Leads a search that follows: tells it what to search, and is told what became of it.
///
/// The search ends with [`Limit::Released`](crate::Limit::Released) when there is no bound any more, and with
/// [`Limit::OtherUnits`](crate::Limit::OtherUnits) when it cuts a bound into other units than the search that leads. The
/// request's watch and its limits end it as they end every search.
pub trait Lead: Sync {
    /// The bound that is to be searched now; waits until there is one. `None` when all is over.
    ///
    /// It is asked again when a bound has ended in whatever way, and may tell the same once more, if units were put back. The
    /// watch is not asked while this waits.
    fn next_bound(&self) -> Option<SharedBound>;

    /// The next unit for a thread, and which one it has done, with what that took. May wait. `None` when there is no more for
    /// the thread in this bound.
    fn next_unit(&self, done: Option<(usize, UnitEffort)>) -> Option<usize>;

    /// A solution was found: the directions in which the blank goes, in the frame of the tables. Told once for a bound, before
    /// the unit is done. The search goes on with its units: whether the bound is to be finished is not for it to know.
    fn found(&self, moves: &[Direction]);

    /// A unit was not searched to its end, because the search was to stop.
    fn stopped(&self, unit: usize, wasted: UnitEffort);

    /// Whether to go on with this bound. Asked by every thread every fraction of a millisecond, so it has to be cheap.
    fn goes_on(&self) -> bool;
}
