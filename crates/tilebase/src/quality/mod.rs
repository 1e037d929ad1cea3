//! How good a heuristic is, without a search: η, and partitions that make it small.
//!
//! IDA\* with the bound d expands about b^d · η nodes, where b is the [branching factor](branching_factor) of the search tree
//! and η the mean of b^−h over all boards that can be solved (Korf, Reid & Edelkamp 2001; Clausecker 2020). So η says how
//! many nodes one heuristic costs against another, whatever the board. `docs/eta.md` tells how it is measured and how far it
//! can be trusted.
//!
//! * a [`Sample`] is boards and what each counts;
//! * a [`Rating`] is what a sample says about a heuristic;
//! * [`PartitionSearch`] looks for partitions with a small η, and [`Measured`] is one that it has measured.

mod branching;
mod costs;
mod near;
mod partitions;
mod rating;
mod results;
mod sample;
mod search;

pub use branching::branching_factor;
pub use costs::{CostsError, SampleCosts};
pub use partitions::TooManyPartitions;
pub use rating::{Rating, RatingError, bounds_of, distances_of};
pub use results::{Measured, Results, ResultsError};
pub use sample::{Sample, Sampling};
pub use search::{PartitionSearch, Plan, SearchError};
