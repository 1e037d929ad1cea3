//! What the tests across the crates share.
//!
//! * [`naive`] has the references: searches so plain that they can be believed, which know nothing of maps, regions, rows
//!   or ranks;
//! * [`depth_first`] is the naive twin of the search, node for node;
//! * [`korf15`] has known answers: a hundred boards of the 15-puzzle with the lengths of their shortest solutions;
//! * [`fixtures`] builds what is held against them;
//! * [`follow`] follows tables and heuristics one slide at a time.
//!
//! The tests are in `tests/`, one subject a file.

pub mod depth_first;
pub mod fixtures;
pub mod follow;
mod korf;
pub mod naive;

pub use korf::{KorfBoard, korf15};
