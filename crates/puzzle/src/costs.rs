//! What a search asks of a pattern database.

use crate::index::{Index, Place};
use crate::pattern::Pattern;

/// The costs of one pattern: how many moves of its tiles are needed at least.
///
/// The searches know this trait alone; where the numbers come from (a file, a memory map, an array) is not their
/// business.
pub trait PatternCosts: Send + Sync {
    /// The pattern.
    fn pattern(&self) -> &Pattern;

    /// The index that its places come from.
    fn index(&self) -> &Index;

    /// The cost at a place, from nothing. `None` when the place cannot be reached from the goal, which is never so for a
    /// solvable board, or when the table is damaged.
    fn cost(&self, place: &Place) -> Option<u32>;

    /// The cost at a place that is one move of a pattern tile away from one that costs `before`. Cheaper than
    /// [`cost`](PatternCosts::cost): one access.
    fn cost_after(&self, place: &Place, before: u32) -> u32;
}
