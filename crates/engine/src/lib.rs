//! Searches compiled for the bounds at hand.
//!
//! A search is fast when it is compiled for its heuristic: no test of what kind of table a node is looked up in. This crate has one
//! for each kind and number of tables, for each heuristic of the list, and for the largest of several bounds, and picks the one
//! that suits. It is a crate of its own because that takes most of the time of a build: who changes how tables are found, built
//! or shown does not compile the searches again.

mod bounds;
mod compile;
mod runs;

pub use bounds::{Bounds, Views};
pub use compile::{BoundsError, Compiled, compile};
