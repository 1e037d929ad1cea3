//! Uniform-cost search (Dijkstra 1959).
//!
//! The open state that the fewest moves lead to is expanded next; the search ends when the goal is the next one to be expanded. No
//! heuristic is asked: it is A\* with the bound 0. All moves of this puzzle cost the same, so that states are expanded in the order
//! of breadth-first search. That one may end as soon as the goal is *reached*, one level earlier; with moves of different costs, a
//! shorter path to the goal might still come, and this search waits for it.
//!
//! **Cost.** Exactly the states that are nearer than the goal are expanded, and all of them and their neighbours are kept.
//!
//! **All solutions.** All states with one move less than the goal have been expanded.

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::End;
use crate::nothing;
use crate::request::{Outcome, Request};
use crate::space::Space;

/// Uniform-cost search. The heuristic is not asked, and a weight changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct UniformCost;

impl Algorithm for UniformCost {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("uniform-cost", "fewest moves made first, without a heuristic")
            .without_heuristic()
            .keeping_nodes()
    }

    fn search<S: Space>(&self, _space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        nothing::search::<S>(state, request, End::Proven)
    }
}
