//! What a search moves through: which moves there are, and a lower bound on the number of them.
//!
//! Every search is generic over a [`Space`]. Two things implement it:
//!
//! * any [`Heuristic`](tilebase_heuristics::Heuristic): a move slides one tile;
//! * [`Runs`] of any [`MtmHeuristic`](tilebase_heuristics::mtm::MtmHeuristic): a move slides a run of tiles, one or several in a
//!   line.

use tilebase_heuristics::mtm::MtmHeuristic;
use tilebase_puzzle::{Metric, State};

use crate::ida;

/// What a search moves through.
pub(crate) trait Space: Sized + Send + Sync {
    /// What counts as one move.
    const METRIC: Metric;

    /// What the heuristic knows of the first state of a search.
    type Root: Copy + Send + Sync;

    /// Whether no bound ever exceeds the distance.
    fn is_admissible(&self) -> bool;

    /// What is known of a state. `None` when the heuristic has no bound for it.
    fn root(&self, state: &State) -> Option<Self::Root>;

    /// The lower bound there.
    fn bound_at(&self, root: &Self::Root) -> u32;

    /// Searches everything up to the bound of an iterative-deepening search, by the fastest worker for this space.
    fn iterate(search: &mut ida::Search<'_, Self>) -> ida::Iterated;
}

/// The space of moves that slide a run of tiles: one tile or several in a line.
///
/// Two moves along the same line are one, so moves along rows and along columns alternate. A node is a state and the axis of the
/// next move, and a search starts from two of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<H>(pub(crate) H);

impl<H: MtmHeuristic> Runs<H> {
    /// The heuristic.
    pub(crate) fn heuristic(&self) -> &H {
        &self.0
    }
}
