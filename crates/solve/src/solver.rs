//! The interface: boards in, solutions out.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilebase_puzzle::{Board, Frame, FrameError};

use crate::algorithm::{Algorithm, NotPossible};
use crate::ida::Ida;
use crate::request::{Outcome, Request};
use crate::space::Space;

/// Solves boards with one goal, through one space, by one search. Any number of threads can share it.
#[derive(Debug)]
pub struct Solver<S, A = Ida> {
    frame: Frame,
    space: S,
    algorithm: A,
}

impl<S: Space> Solver<S> {
    /// A solver for the goal of a frame, by [`Ida`].
    pub fn new(frame: Frame, space: S) -> Solver<S> {
        Solver::with_algorithm(frame, space, Ida::default())
    }
}

impl<S: Space, A: Algorithm> Solver<S, A> {
    /// A solver for the goal of a frame, by a certain search.
    pub fn with_algorithm(frame: Frame, space: S, algorithm: A) -> Solver<S, A> {
        Solver { frame, space, algorithm }
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// What it searches: the heuristic, or [`Runs`](crate::Runs) of one.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Solves a board. Every solution has been replayed on the board, leads to the goal, and has the length that is given.
    ///
    /// # Errors
    /// Before any search: [`SolveError::NotPossible`] when the search cannot do what is asked, [`SolveError::Frame`] when the
    /// board is of another size or cannot be solved.
    pub fn solve(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.algorithm.check(request, self.space.has_admissible_bounds())?;
        let state = self.frame.state(board)?;
        let outcome = self.algorithm.search(&self.space, &state, request).ok_or(SolveError::Damaged(None))?;
        self.replayed(board, outcome)
    }

    /// The same outcome with the directions of a board, if every solution leads to the goal.
    fn replayed(&self, board: &Board, mut outcome: Outcome) -> Result<Outcome, SolveError> {
        if let Outcome::Solved(solved) = &mut outcome {
            for solution in &mut solved.solutions {
                solution.iter_mut().for_each(|direction| *direction = self.frame.direction_on_board(*direction));
                let leads_to_goal = board.replay(solution).as_ref() == Ok(self.frame.goal());
                if !leads_to_goal || S::METRIC.length(solution) != solved.length {
                    return Err(SolveError::WrongSolution);
                }
            }
        }
        Ok(outcome)
    }
}

fn table(file: Option<&Path>) -> String {
    file.map_or("a table".to_owned(), |file| file.display().to_string())
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
