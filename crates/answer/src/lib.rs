//! What there is to say about a board, in one place, so that `tilebase … --json` and the page say the same.
//!
//! * [`Answered`] is the end of a search;
//! * [`Sight`] is what can be seen of a board without a search: whether it can be solved, and what each heuristic says;
//! * a [`Lookout`] has what it takes to look at boards with one goal: tables that were [`Chosen`], and all heuristics.

mod answered;
mod lookout;
mod sight;

pub use answered::{Answered, unsolvable};
pub use lookout::{Chosen, Lookout};
pub use sight::{Heard, Sight, Values};
