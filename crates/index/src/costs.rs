//! What a search asks of a pattern database.

use tilebase_puzzle::{MAX_SQUARES, Pattern, Slide, State, Symmetry};

use crate::{Kind, Place, Standing};

/// The costs of one pattern: how many moves are needed at least.
///
/// The searches know this trait alone; where the numbers come from (a file, a memory map, an array) is not their
/// business.
///
/// A search locates its root once, and from then on follows it: [`step`](PatternCosts::step) tells which entry has the cost
/// after a slide, [`prefetch`](PatternCosts::prefetch) fetches it from memory while the search does something else, and
/// [`cost_after`](PatternCosts::cost_after) reads it.
///
/// A clone shares the numbers: whoever looks at a board in several ways has one for each.
pub trait PatternCosts: Clone + Send + Sync {
    /// The most squares of a board that costs of this type can be for.
    const MOST_SQUARES: usize = MAX_SQUARES;

    /// The pattern.
    fn pattern(&self) -> &Pattern;

    /// What kind of table they come from.
    fn kind(&self) -> Kind;

    /// What turns the pattern into the one that the costs are stored for: a mirror image has the same costs. Slides are seen
    /// through it before they are followed.
    fn reflection(&self) -> Symmetry;

    /// Where a state stands among the costs.
    fn locate(&self, state: &State) -> Place;

    /// The cost at a place, from nothing. `None` when the place cannot be reached from the goal, which is never so for a
    /// solvable board, or when the table is damaged.
    fn cost(&self, place: &Place) -> Option<u32>;

    /// Goes on to where a state stands after a slide that counts, seen through the [reflection](PatternCosts::reflection).
    /// Returns the number of the entry that has its cost.
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64;

    /// Fetches an entry that will be read soon.
    fn prefetch(&self, entry: u64);

    /// The sum of the Manhattan distances of the pattern's tiles after a slide that counts, seen through the reflection, where
    /// that is needed to read an entry; anything where it is not.
    fn distance_after(&self, before: u8, slide: Slide) -> u8;

    /// The cost in an entry, after a slide that counts from a state that costs `before`, with its
    /// [distance](PatternCosts::distance_after).
    fn cost_after(&self, entry: u64, distance: u8, before: u8) -> u8;
}
