//! Breadth-first search (Moore 1959).
//!
//! All states one move away, then all states two moves away … until the goal is among them. No heuristic is asked; it is A\*
//! with the bound 0, which expands states in the order of their moves, and may end as soon as the goal is reached.
//!
//! **Cost.** Every state up to the length of the solution is kept: 10 bytes on 16 squares, and its share of table and queue. Good for all boards of 3×3
//! (181,440 states) and for boards near the goal; random boards of the 15-puzzle are far out of reach.
//!
//! **All solutions.** When the goal is reached by the first, all states with one move less are known.

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::End;
use crate::nothing;
use crate::request::{Outcome, Request};
use crate::space::Space;

/// Breadth-first search. The heuristic is not asked, and a weight changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bfs;

impl Algorithm for Bfs {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("bfs", "breadth first, without a heuristic").without_heuristic().keeping_nodes()
    }

    fn search<S: Space>(&self, _space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        nothing::search::<S>(state, request, End::Reached)
    }
}
