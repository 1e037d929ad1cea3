//! How many boards are how far from the goal.
//!
//! A [`Census`] has the number of boards that are 0, 1, 2 … single moves from a goal. It is counted by a breadth-first search over
//! all boards that keeps **one bit a board** (3×4: 30 MB), or it is one of the published ones, of which the 15-puzzle's is the
//! largest that will be needed for a while.
//!
//! ```
//! use tilebase_census::Census;
//! use tilebase_progress::unwatched;
//! use tilebase_puzzle::{Goal, Size};
//!
//! let census = Census::count(&Goal::BlankLast.board(Size::new(3, 3)?)?, &unwatched)?;
//! assert_eq!(census.counts()[..5], [1, 2, 4, 8, 16]);
//! assert_eq!((census.farthest(), census.counts()[31]), (31, 2));
//!
//! let census = Census::published(&Goal::BlankLast.board(Size::new(4, 4)?)?).expect("it has been counted");
//! assert_eq!(census.place(60).unwrap().to_string(), "farther than 90 % of all boards");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Only the blank's square in the goal matters, and that only up to turns and reflections of the board.

mod census;
mod index;
mod links;
mod place;
mod published;
mod search;

pub use census::{Census, CensusError, Source};
pub use place::Place;
