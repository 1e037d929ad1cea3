//! Following states from slide to slide, one at a time: what a search does, without its batches.

use tilebase_heuristics::Heuristic;
use tilebase_index::{PatternCosts, Standing};
use tilebase_puzzle::{Slide, State, View};

/// Where a state stands in a table, followed as a search follows it.
#[derive(Debug)]
pub struct Followed<'a, T: PatternCosts> {
    table: &'a T,
    view: View,
    standing: Standing,
    distance: T::Distance,
}

impl<'a, T: PatternCosts> Followed<'a, T> {
    /// Starts at a state.
    pub fn new(table: &'a T, state: &State) -> Followed<'a, T> {
        let place = table.locate(state);
        let view = View::new(state.size(), table.reflection());
        Followed { table, view, standing: Standing::from(&place), distance: table.distance(&place) }
    }

    /// Goes on with a slide. Returns the number of the entry that has the cost afterwards, or nothing when the slide does not
    /// count.
    pub fn slide(&mut self, slide: Slide) -> Option<u64> {
        if !self.table.kind().counts_all_moves() && !self.table.pattern().contains(slide.tile) {
            return None;
        }
        let seen = self.view.slide(slide);
        self.distance = self.table.distance_after(self.distance, seen);
        let entry = self.table.step(&mut self.standing, seen);
        self.table.prefetch(entry);
        Some(entry)
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The cost in the entry of the last slide, from the cost before it.
    pub fn cost_after(&self, entry: u64, before: u8) -> u8 {
        self.table.cost_after(entry, self.distance, before)
    }
}

/// The node after a slide, with all stages asked, and the value of each.
pub fn after<H: Heuristic>(heuristic: &H, node: &H::Node, slide: Slide) -> (H::Node, Vec<u32>) {
    let mut next = *node;
    let mut values = Vec::with_capacity(heuristic.stages());
    for stage in 0..heuristic.stages() {
        let mut step = heuristic.begin(stage, node, slide);
        values.push(heuristic.finish(stage, &mut step));
        heuristic.apply(stage, &mut next, &step);
    }
    (next, values)
}

/// The bound of a state from nothing.
///
/// # Panics
/// When there is none.
pub fn bound(heuristic: &impl Heuristic, state: &State) -> u32 {
    heuristic.cost(&heuristic.root(state).expect("a solvable board has a bound"))
}
