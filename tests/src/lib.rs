//! What the tests across the crates share.
//!
//! * [`naive`] has the references: searches so plain that they can be believed, which know nothing of maps, regions, rows
//!   or ranks;
//! * [`naive_mtm`] has the same for moves of several tiles in a line;
//! * [`plain_heuristics`] has the listed heuristics by their definitions;
//! * [`depth_first`] is the naive twin of the search, node for node;
//! * [`textbook`] is A\* as textbooks have it;
//! * [`cluster`] is a search that leads and searches that follow it, in one process;
//! * [`fixtures`] builds what is held against them;
//! * [`follow`] follows tables and heuristics one slide at a time;
//! * [`skip`] reports tests that cannot run on this machine;
//! * [`larger`] is the larger of two bounds of different types;
//! * [`threads`] are processes that build together, in one program.
//!
//! The tests are in `tests/it`, one subject a file.

pub mod cluster;
pub mod depth_first;
pub mod fixtures;
pub mod follow;
pub mod larger;
pub mod naive;
pub mod naive_mtm;
pub mod plain_heuristics;
pub mod skip;
pub mod textbook;
pub mod threads;

/// The examples of the guides have to run.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../README.md")]
    struct Readme;

    #[doc = include_str!("../../docs/heuristics.md")]
    struct Heuristics;

    #[doc = include_str!("../../docs/searches.md")]
    struct Searches;

    #[doc = include_str!("../../crates/lookup/README.md")]
    struct Lookup;

    #[doc = include_str!("../../crates/puzzle/README.md")]
    struct Puzzle;

    #[doc = include_str!("../../crates/solve/README.md")]
    struct Solve;

    #[doc = include_str!("../../crates/tilebase/README.md")]
    struct Tilebase;
}
