//! Builds pattern databases: how many moves of a pattern's tiles are needed at least, for every way they can stand.
//!
//! The search goes backwards from the goal, level by level. It never touches a single state: it works on rows of k! bits
//! (one for each map and region, see [`tilebase_index`]), and each row of the next level collects what its
//! neighbouring rows of this level send it. `docs/algorithms.md` tells the whole story.
//!
//! ```
//! use tilebase_generate::{Build, Silent};
//! use tilebase_index::Kind;
//! use tilebase_puzzle::{Pattern, Size, Square};
//!
//! let pattern = Pattern::new(Size::new(3, 3)?, Square(0), &[1, 2, 3, 4])?;
//! let tables = Build::new(&pattern, &[Kind::Bit])?.run(1, &Silent)?;
//! assert_eq!(tables[0].header.histogram()[..3], [1, 2, 6]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Build`] is a build that has been planned: it knows what memory and disk it takes before it allocates anything;
//! * [`Progress`] is told how far it is, and may stop it;
//! * [`Table`] is what comes out: header and payload, ready to be written;
//! * [`audit`](fn@audit) proves that a table is right, without trusting the builder;
//! * [`excess`](fn@excess) counts what a table adds to the Manhattan distance.

mod audit;
mod build;
mod excess;
mod exchange;
mod ideas;
mod manhattan;
mod nibbles;
mod progress;
mod search;
mod tables;

pub use audit::{AuditError, Condition, audit};
pub use build::{Build, BuildError};
pub use excess::excess;
pub use ideas::Idea;
pub use progress::{Level, Progress, Silent};
pub use tables::Table;
