//! Builds pattern databases: how many moves of a pattern's tiles are needed at least, for every way they can stand.
//!
//! The search goes backwards from the goal, level by level. It never touches a single state: it works on rows of k! bits
//! (one for each map and region, see [`tilebase_index`]), and each row of the next level collects what its
//! neighbouring rows of this level send it. `docs/algorithms.md` tells the whole story.
//!
//! ```
//! use tilebase_generate::{Build, Memory};
//! use tilebase_index::Kind;
//! use tilebase_progress::unwatched;
//! use tilebase_puzzle::{Pattern, Size, Square};
//!
//! let pattern = Pattern::new(Size::new(3, 3)?, Square(0), &[1, 2, 3, 4])?;
//! let tables = Build::new(&pattern, &[Kind::Bit])?.run(1, &Memory, &unwatched)?;
//! assert_eq!(tables[0].header.histogram()[..3], [1, 2, 6]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Build`] is a build that has been planned: it knows what memory and disk it takes before it allocates anything;
//! * [`Destination`] is where tables go: a [`Directory`], [`Memory`] or [`Nowhere`];
//! * [`Built`] is what comes out: a header, and the sink that the table was written into;
//! * [`Scratch`] saves long builds level by level, and resumes them;
//! * [`audit`](fn@audit) proves that a table is right, without trusting the builder, in the memory of a build;
//! * [`excess`](fn@excess) counts what a table adds to the Manhattan distance.
//!
//! Proofs replay the levels of a table (`replay`) and move rows by code of their own (`steps`).
//!
//! Several processes can build together, each with some of the rows ([`Build::run_together`]): [`Peers`] carries their messages.
//! `shares` assigns rows to processes, `borders` lists the rows that each needs from others, `message` is their form in a message,
//! `traffic` sends and receives them, and `crossing` is a level of such a build.
//!
//! Inside, a build has parts that know little of each other: the store of rows (`store`), one level over them (`level`), the loop over
//! levels (`levels`), and the output, which takes the rows in order.
//!
//! Tables of lines, for the metric `mtm`, have a search and a proof of their own (`lines`). The loop, the traffic, the scratch directory
//! and the output are the same.

mod audit;
mod borders;
mod build;
mod collapsed;
mod crossing;
mod destination;
mod error;
mod excess;
mod exchange;
mod level;
mod levels;
mod lines;
mod manhattan;
mod message;
mod nibbles;
mod optimisation;
mod output;
mod peers;
mod plan;
mod plan_together;
mod replay;
mod scratch;
mod search;
mod shares;
mod sources;
mod steps;
mod store;
mod traffic;

pub use audit::{AuditError, Condition, audit};
pub use build::Build;
pub use destination::{Built, Destination, Directory, Memory, Nowhere};
pub use error::BuildError;
pub use excess::excess;
pub use optimisation::{Optimisation, UnknownOptimisation};
pub use peers::{Lane, Peers, PeersGone};
pub use plan_together::ProcessPlan;
pub use scratch::{KeptError, Refused, Scratch};
