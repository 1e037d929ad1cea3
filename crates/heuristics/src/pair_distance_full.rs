//! The Manhattan pair distance with all pairs made anew in every line that changes.
//!
//! What Bauer's Definition 4 says of a state, at every state: see [`PairDistance`](crate::PairDistance) for the rule, which
//! saves this work and knows a little less. [`LinearConflict`](crate::LinearConflict) knows more: of three tiles in reverse
//! order two have to leave, and there is only one pair.
//!
//! It is consistent. Pairs are made one after the other, in an order that depends on no third tile. Take
//! one tile away: its partner, if it had one, may now find another, whose former partner is alone, and so on. Along such a
//! chain pairs are lost and won in turn, beginning with a loss, so in the end there are as many or one less. A tile that
//! leaves its line goes one further from home: + 1, or + 1 − 2. A tile that comes is the same backwards.

use crate::about::{About, Promise};
use crate::line::{InLine, Line, Rule};
use crate::lines::Lines;
use crate::long_lines::LongLines;
use crate::pair_distance::make_pairs;

/// Manhattan distance plus two moves for each [pair](FullPairs), whatever path led here.
pub type PairDistanceFull = Lines<FullPairs>;

/// [`PairDistanceFull`] for sides longer than five.
pub type LongPairDistanceFull = LongLines<FullPairs>;

/// Bauer's Definition 4, applied to every line that changes.
#[derive(Clone, Debug)]
pub enum FullPairs {}

impl Rule for FullPairs {
    const ABOUT: About = About {
        name: "pair-distance-full",
        summary: "manhattan, and pairs in the wrong order, all made anew",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn begin(line: &mut Line) {
        make_pairs(line);
    }

    fn changed(line: &mut Line, _moved: Option<InLine>) {
        make_pairs(line);
    }
}
