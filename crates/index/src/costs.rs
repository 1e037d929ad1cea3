//! What a search asks of a pattern database.

use tilebase_puzzle::{MAX_SQUARES, Pattern, Slide, Square, State, Symmetry};

use crate::{Kind, Map, Place, Standing};

/// The costs of one pattern: how many moves are needed at least.
///
/// The searches know this trait alone; where the numbers come from (a file, a memory map, an array) is not their
/// business.
///
/// A search locates its root once, and from then on follows it: [`follow`](PatternCosts::follow) goes on with a slide,
/// [`entry`](PatternCosts::entry) tells which entry has the cost then, [`prefetch`](PatternCosts::prefetch) fetches it from
/// memory while the search does something else, and [`cost_after`](PatternCosts::cost_after) reads it.
///
/// A clone shares the numbers: whoever looks at a board in several ways has one for each.
pub trait PatternCosts: Clone + Send + Sync {
    /// The most squares of a board that costs of this type can be for.
    const MOST_SQUARES: usize = MAX_SQUARES;

    /// Whether what [`entry`](PatternCosts::entry) reads is always near, so that it need not be fetched ahead.
    const IS_NEAR: bool = false;

    /// The sum of the Manhattan distances of the pattern's tiles, where that is needed to read an entry; nothing where it is not.
    type Distance: Copy + Default + std::fmt::Debug + Send + Sync;

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

    /// Goes on to where a state stands after a slide that counts, seen through the [reflection](PatternCosts::reflection), and
    /// fetches what [`entry`](PatternCosts::entry) will read. Returns the number of the squares that the tiles occupy then.
    fn follow(&self, standing: &mut Standing, slide: Slide) -> Map;

    /// The number of the entry that has the cost where a state stands, given the number of the squares of its tiles, with the
    /// blank on a square.
    fn entry(&self, standing: &Standing, map: Map, blank: Square) -> u64;

    /// Both at once: goes on, and returns the number of the entry.
    #[inline(always)]
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64 {
        let map = self.follow(standing, slide);
        self.entry(standing, map, slide.from)
    }

    /// Fetches an entry that will be read soon.
    fn prefetch(&self, entry: u64);

    /// The distance at a place.
    fn distance(&self, place: &Place) -> Self::Distance;

    /// The distance after a slide that counts, seen through the reflection.
    fn distance_after(&self, before: Self::Distance, slide: Slide) -> Self::Distance;

    /// The cost in an entry, after a slide that counts from a state that costs `before`, with its
    /// [distance](PatternCosts::distance_after).
    fn cost_after(&self, entry: u64, distance: Self::Distance, before: u8) -> u8;
}
