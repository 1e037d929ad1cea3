//! Lower bounds on the number of moves to the goal.
//!
//! * [`Heuristic`] is what any of them is: searches follow it from slide to slide;
//! * [`Manhattan`] looks at every tile alone;
//! * [`Additive`] is the sum of pattern databases seen through all symmetries that help, and [`AllMoves`] the maximum of
//!   those that count all moves; both take tables as [`PatternCosts`](tilebase_puzzle::PatternCosts), wherever they are;
//! * the [`Larger`] of any two is one again.
//!
//! ```
//! use tilebase_heuristics::{Heuristic, Manhattan};
//! use tilebase_puzzle::{Board, Frame, Goal};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
//! let manhattan = Manhattan::new(board.size());
//! let node = manhattan.root(&frame.state(&board)?).unwrap();
//! assert_eq!(manhattan.cost(&node), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod additive;
mod all_moves;
mod heuristic;
mod larger;
mod manhattan;

pub use additive::Additive;
pub use all_moves::AllMoves;
pub use heuristic::Heuristic;
pub use larger::Larger;
pub use manhattan::Manhattan;
