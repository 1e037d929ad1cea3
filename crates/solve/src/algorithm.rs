//! Searches.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::State;

use crate::request::{Outcome, Request};

/// A search: finds a way from a state to the goal, with any heuristic.
///
/// `examples/own_search.rs` has one that is not from this crate.
pub trait Algorithm: Send + Sync {
    /// Searches from a state to the goal, whose squares all have the tile of their own number. `None` when the heuristic has
    /// no bound for the state.
    ///
    /// The directions of solutions are those of the state's frame. Whether a solution is
    /// [optimal](crate::Solved::optimal) is for the search to say.
    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome>;

    /// Whether it can find [all](crate::Wanted::All) shortest solutions, or [count](crate::Wanted::Count) them. One that cannot
    /// finds one, whatever is wanted: callers should refuse.
    fn finds_all(&self) -> bool {
        true
    }

    /// Whether a [weight](crate::Request::weight) makes a difference.
    fn uses_weight(&self) -> bool {
        true
    }

    /// Whether the heuristic is asked at all.
    fn uses_heuristic(&self) -> bool {
        true
    }
}
