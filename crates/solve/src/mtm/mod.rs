//! Solves in the metric `mtm`, where one tile or several that slide together in a line are one move.
//!
//! [`MtmSolver`] is the face, as [`Solver`](crate::Solver) is for single tiles. Of the searches, [`Ida`](crate::Ida),
//! [`Beam`](crate::Beam) and [`Bfs`](crate::Bfs) know the metric ([`SearchAbout::in_mtm`](crate::SearchAbout)). Solutions are slides of single tiles as always;
//! their [length](crate::Solved::length) counts moves of the metric.

mod automaton;
mod beam;
mod bfs;

use tilebase_heuristics::mtm::MtmHeuristic;
use tilebase_puzzle::{Board, Frame, Metric};

use crate::Search;
use crate::algorithm::{Algorithm, NotPossible};
use crate::request::{Outcome, Request};
use crate::solver::{SolveError, replayed};
use crate::space::Runs;

pub use automaton::Automaton;
pub(crate) use automaton::NEVER_FORBIDDEN;

/// Solves boards with one goal in the metric `mtm`, by one heuristic and one search. It can be shared by any number of threads.
#[derive(Debug)]
pub struct MtmSolver<H> {
    frame: Frame,
    space: Runs<H>,
    search: Search,
}

impl<H: MtmHeuristic> MtmSolver<H> {
    /// A solver for the goal of a frame.
    ///
    /// # Errors
    /// [`NotPossible::Metric`] when the search does not know the metric.
    pub fn new(frame: Frame, heuristic: H, search: Search) -> Result<MtmSolver<H>, NotPossible> {
        if !search.about().in_mtm {
            return Err(NotPossible::Metric(search.about().name));
        }
        Ok(MtmSolver { frame, space: Runs(heuristic), search })
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The heuristic.
    pub fn heuristic(&self) -> &H {
        self.space.heuristic()
    }

    /// Solves a board. Every solution has been replayed on the board and leads to the goal, in as many moves as is said.
    ///
    /// # Errors
    /// Before any search: [`SolveError::NotPossible`] when the search cannot do what is asked, [`SolveError::Frame`] when the
    /// board is of another size or cannot be solved.
    pub fn solve(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.search.check(request, true)?;
        let state = self.frame.state(board)?;
        let outcome = match self.search {
            Search::Ida(ida) => ida.search_in(&self.space, &state, request).ok_or(SolveError::Damaged(None))?,
            Search::Beam(_) => {
                beam::search(self.space.heuristic(), &state, request).ok_or(SolveError::Damaged(None))?
            }
            _ => bfs::search(&state, request),
        };
        let outcome = replayed(&self.frame, board, outcome)?;
        if let Outcome::Solved(solved) = &outcome
            && !solved.solutions.iter().all(|solution| Metric::Mtm.length(solution) == solved.length)
        {
            return Err(SolveError::WrongSolution);
        }
        Ok(outcome)
    }
}
