//! How many boards are how far from the goal.
//!
//! A [`Census`] has the number of boards that are 0, 1, 2 … moves from a goal, in either [`Metric`](tilebase_puzzle::Metric). It is
//! counted by a breadth-first search over all boards that keeps **one bit a board** (3×4: 30 MB), or a bit and a half where
//! several tiles in a line are one move, or it is one of the published ones, of which the 15-puzzle's is the largest that will be
//! needed for a while. Of larger boards those near the goal can be counted.
//!
//! ```
//! use tilebase_census::Census;
//! use tilebase_progress::unwatched;
//! use tilebase_puzzle::{Goal, Metric, Size};
//!
//! let goal = Goal::BlankLast.board(Size::new(3, 3)?)?;
//! let census = Census::count(&goal, Metric::Stm, &unwatched)?;
//! assert_eq!(census.counts()[..5], [1, 2, 4, 8, 16]);
//! assert_eq!((census.farthest(), census.counts()[31]), (Some(31), 2));
//! let census = Census::count(&goal, Metric::Mtm, &unwatched)?;
//! assert_eq!(census.counts()[..5], [1, 4, 8, 16, 32]);
//! assert_eq!((census.farthest(), census.counts()[24]), (Some(24), 1));
//!
//! let goal = Goal::BlankLast.board(Size::new(4, 4)?)?;
//! let census = Census::published(&goal, Metric::Stm).expect("it has been counted");
//! assert_eq!(census.place(60).unwrap().to_string(), "farther than 90 % of all boards");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Only the blank's square in the goal matters, and that only up to turns and reflections of the board.

mod census;
mod index;
mod lines;
mod links;
mod near;
mod place;
mod published;
mod search;
mod single;

pub use census::{Census, CensusError, Source};
pub use place::Place;
