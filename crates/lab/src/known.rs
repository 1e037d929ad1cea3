//! Korf's hundred boards, in the orders that the papers need them.

use tilebase::puzzle::Goal;
use tilebase::puzzle::known::{KnownBoard, korf15};

/// What the boards are to reach.
pub(crate) const GOAL: Goal = Goal::BlankFirst;

/// The ones with the fewest nodes.
pub(crate) fn easiest(count: usize) -> Vec<KnownBoard> {
    let mut boards = by_nodes();
    boards.truncate(count);
    boards
}

/// All of them, those with the fewest nodes first.
pub(crate) fn by_nodes() -> Vec<KnownBoard> {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    boards
}
