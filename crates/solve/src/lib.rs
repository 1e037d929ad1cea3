//! Finds provably shortest solutions.
//!
//! * [`Solver`] is the face: a goal, a heuristic, and boards to solve;
//! * [`Heuristic`] is what it asks for lower bounds: [`Manhattan`]; [`Additive`], the sum of pattern databases seen through
//!   all symmetries that help; [`AllMoves`], the maximum of those that count all moves; the [`Larger`] of any two; or one
//!   of your own;
//! * [`Ida`] is the search: iterative-deepening A\*, which needs no memory to speak of; [`Algorithm`] is what any search is;
//! * [`Automaton`] keeps it from moves that lead where others lead as well;
//! * [`batch`] spreads many boards over all cores.
//!
//! This crate knows neither files nor maps: tables come as [`PatternCosts`](tilebase_puzzle::PatternCosts).
//!
//! ```
//! use tilebase_puzzle::{Board, Frame, Goal, MoveForm};
//! use tilebase_solve::{Manhattan, Request, Solver};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
//! let solver = Solver::new(frame, Manhattan::new(board.size()));
//! let solved = solver.solve(&board, &Request::default())?.solved().unwrap();
//! assert_eq!(solved.length, 3);
//! assert_eq!(MoveForm::Tile.write(&solved.solutions[0], &board)?, "LUL");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod additive;
mod algorithm;
mod all_moves;
mod automaton;
pub mod batch;
mod heuristic;
pub mod ida;
mod larger;
mod manhattan;
mod request;
mod solver;

pub use additive::Additive;
pub use algorithm::Algorithm;
pub use all_moves::AllMoves;
pub use automaton::Automaton;
pub use heuristic::Heuristic;
pub use ida::Ida;
pub use larger::Larger;
pub use manhattan::Manhattan;
pub use request::{Bound, Effort, Limit, Limited, Limits, Order, Outcome, Progress, Request, Solved, Wanted, Weight};
pub use solver::{SolveError, Solver};
