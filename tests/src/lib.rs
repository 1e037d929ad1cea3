//! What the tests across the crates share.
//!
//! * [`naive`] has the references: searches so plain that they can be believed, which know nothing of maps, regions, rows
//!   or ranks;
//! * [`korf15`] has known answers: a hundred boards of the 15-puzzle with the lengths of their shortest solutions;
//! * [`fixtures`] builds what is held against them.
//!
//! The tests are in `tests/`, one subject a file.

pub mod fixtures;
mod korf;
pub mod naive;

pub use korf::{KorfBoard, korf15};
