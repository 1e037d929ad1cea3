//! A\* (Hart, Nilsson & Raphael 1968).
//!
//! The open node with the smallest f = g + h is expanded next, where g moves lead to it and h more are surely needed; among
//! those the one with most moves made, which is nearest to the goal. When nothing open has a smaller f than a solution that was
//! found, no shorter one exists: some node on a shortest solution is always open, and its f does not exceed that solution's
//! length, if the heuristic is admissible.
//!
//! A heuristic need not be *consistent*: its value may fall by more than one with a move, as those of blank-collapsed tables
//! do. Then a state may be expanded before the shortest path to it is known; it is opened again when that is found, and
//! [`reexpanded`](crate::Effort::reexpanded) counts how often.
//!
//! With a weight W, f = g + W·h. A solution is found with fewer nodes, and is at most W times as long as the shortest (Pohl
//! 1970): what was said of open nodes holds with W·C\* for C\*.
//!
//! **Cost.** Every state is kept. With the Manhattan distance on 16 squares that takes about 22.5 bytes each, all included; what
//! the heuristic knows is kept with each state, so that large ones take more. `examples/astar-speed.rs` measures it.
//!
//! **All solutions.** The search goes on until all nodes with f ≤ C\* are expanded. Then all states on shortest solutions are
//! known with their true g, and all paths back over states with g − 1 are the shortest solutions.

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::{self, End};
use crate::request::{Outcome, Request};
use crate::space::Space;

/// A\*: fewest expansions of all searches that are sure of the shortest solution, but every state is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Astar;

impl Algorithm for Astar {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("astar", "A* with open and closed lists: the fewest nodes, all of them kept")
            .keeping_nodes()
            .weighted("weighted-astar", "astar with a --weight: sooner there, by a longer way")
    }

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        best_first::search(space, state, request, End::Proven)
    }
}
