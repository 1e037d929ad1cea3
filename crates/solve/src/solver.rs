//! The friendly face: boards in, solutions out.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Board, Frame, FrameError};

use crate::algorithm::{Algorithm, NotPossible};
use crate::ida::Ida;
use crate::request::{Outcome, Request};

/// Solves boards with one goal by one heuristic and one search. It can be shared by any number of threads.
#[derive(Debug)]
pub struct Solver<H, A = Ida> {
    frame: Frame,
    heuristic: H,
    algorithm: A,
}

impl<H: Heuristic> Solver<H> {
    /// A solver for the goal of a frame, by [`Ida`].
    pub fn new(frame: Frame, heuristic: H) -> Solver<H> {
        Solver::with_algorithm(frame, heuristic, Ida::default())
    }
}

impl<H: Heuristic, A: Algorithm> Solver<H, A> {
    /// A solver for the goal of a frame, by a certain search.
    pub fn with_algorithm(frame: Frame, heuristic: H, algorithm: A) -> Solver<H, A> {
        Solver { frame, heuristic, algorithm }
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The heuristic.
    pub fn heuristic(&self) -> &H {
        &self.heuristic
    }

    /// Solves a board. Every solution has been replayed on the board and leads to the goal.
    ///
    /// # Errors
    /// Before any search: [`SolveError::NotPossible`] when the search cannot do what is asked, [`SolveError::Frame`] when the
    /// board is of another size or cannot be solved.
    pub fn solve(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.algorithm.check(request, self.heuristic.is_admissible())?;
        let state = self.frame.state(board)?;
        let outcome = self.algorithm.search(&self.heuristic, &state, request).ok_or(SolveError::Damaged(None))?;
        replayed(&self.frame, board, outcome)
    }
}

fn table(file: Option<&Path>) -> String {
    file.map_or("a table".to_owned(), |file| file.display().to_string())
}

/// The same outcome with the directions of a board, if every solution leads to the goal.
pub(crate) fn replayed(frame: &Frame, board: &Board, mut outcome: Outcome) -> Result<Outcome, SolveError> {
    if let Outcome::Solved(solved) = &mut outcome {
        for solution in &mut solved.solutions {
            solution.iter_mut().for_each(|direction| *direction = frame.direction_on_board(*direction));
            if board.replay(solution).as_ref() != Ok(frame.goal()) {
                return Err(SolveError::WrongSolution);
            }
        }
    }
    Ok(outcome)
}

/// A board that was not solved.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The search cannot do what is asked.
    #[error("{0}")]
    NotPossible(#[from] NotPossible),
    /// Another size, or unsolvable.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// A table is not what it was, or gives no cost for a board that must have one. Its file, where that is known.
    #[error("{} is damaged, so that no answer can be trusted: tilebase generate builds it again", table(.0.as_deref()))]
    Damaged(Option<PathBuf>),
    /// A solution did not lead to the goal: a mistake of ours.
    #[error("the solution found does not lead to the goal: this is a mistake in tilebase, please report it")]
    WrongSolution,
}
