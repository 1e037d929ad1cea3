//! Finds provably shortest solutions.
//!
//! * [`Solver`] is the face: a goal, a heuristic, and boards to solve;
//! * a [`Heuristic`](tilebase_heuristics::Heuristic) is what it asks for lower bounds: one of [`tilebase_heuristics`], or one
//!   of your own;
//! * [`Ida`] is the search: iterative-deepening A\*, which needs no memory to speak of; [`Algorithm`] is what any search is;
//! * [`Automaton`] keeps it from moves that lead where others lead as well;
//! * [`Astar`], [`Rbfs`] and [`Nbs`] are others with a heuristic, [`Bfs`] and [`Ids`] without; `docs/searches.md` compares them;
//! * [`batch`] spreads many boards over all cores.
//!
//! ```
//! use tilebase_puzzle::{Board, Frame, Goal, MoveForm};
//! use tilebase_heuristics::Manhattan;
//! use tilebase_solve::{Request, Solver};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
//! let solver = Solver::new(frame, Manhattan::new(board.size()));
//! let solved = solver.solve(&board, &Request::default())?.solved().unwrap();
//! assert_eq!(solved.length, 3);
//! assert_eq!(MoveForm::Tile.write(&solved.solutions[0], &board)?, "LUL");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod astar;
mod automaton;
pub mod batch;
mod best_first;
mod bfs;
pub mod ida;
mod ids;
mod nbs;
mod packed;
mod rbfs;
mod request;
mod sample;
mod solver;
mod tiles;
mod watch;

pub use algorithm::Algorithm;
pub use astar::Astar;
pub use automaton::Automaton;
pub use bfs::Bfs;
pub use ida::Ida;
pub use ids::Ids;
pub use nbs::Nbs;
pub use rbfs::Rbfs;
pub use request::{Bound, Effort, Limit, Limited, Limits, Order, Outcome, Progress, Request, Solved, Wanted, Weight};
pub use solver::{SolveError, Solver};
