//! What a search asks of a pattern database.

use crate::frame::{Slide, State};
use crate::index::{Counting, Place};
use crate::pattern::Pattern;

/// The costs of one pattern: how many moves are needed at least.
///
/// The searches know this trait alone; where the numbers come from (a file, a memory map, an array) is not their
/// business.
pub trait PatternCosts: Send + Sync {
    /// The pattern.
    fn pattern(&self) -> &Pattern;

    /// Which moves the costs count.
    fn counting(&self) -> Counting;

    /// Where a state stands among the costs.
    fn locate(&self, state: &State) -> Place;

    /// The place after a slide.
    fn step(&self, place: &Place, slide: Slide) -> Place;

    /// The cost at a place, from nothing. `None` when the place cannot be reached from the goal, which is never so for a
    /// solvable board, or when the table is damaged.
    fn cost(&self, place: &Place) -> Option<u32>;

    /// The cost at a place that is one move that counts away from one that costs `before`. Cheaper than
    /// [`cost`](PatternCosts::cost): one access.
    fn cost_after(&self, place: &Place, before: u32) -> u32;
}
