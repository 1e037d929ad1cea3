//! Greedy best-first search (Doran & Michie 1966).
//!
//! The open state with the smallest bound is expanded next, however many moves lead to it; among those, the one with most moves made.
//! The search ends as soon as the goal is reached. So a solution is found by few expansions, and nothing is promised of its length.
//!
//! A state is expanded once, by the path that was found first. Moves made count for nothing, so that a shorter path to it would change
//! neither the order nor the end.
//!
//! **Cost.** Every state is kept, as by A\*; there are far fewer of them.
//!
//! **At a limit** nothing is proven but what the bound of the start says.

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::{self, End};
use crate::request::{Outcome, Request, Wanted, Weight};
use crate::space::Space;

/// Greedy best-first search: soon there, by a way of any length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Greedy;

impl Algorithm for Greedy {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("greedy", "smallest bound first: soon there, by a way of any length")
            .without_weight()
            .finding_one()
            .keeping_nodes()
            .without_promise()
    }

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let request = request.wanted(Wanted::First).weight(Weight::BOUND_ALONE);
        best_first::search(space, state, &request, End::Reached)
    }
}
