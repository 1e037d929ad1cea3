//! Tables and searches put together: a [`Solver`] that is opened by the name of a catalogue.
//!
//! ```
//! use tilebase_engine::Solver;
//!
//! let solver = Solver::open("6-6-3")?;
//! let solved = solver.solve(&"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse()?)?;
//! assert_eq!(solved.length, 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The tables of 6-6-3 are part of the program; others are found in the directory that `TILEBASE_TABLES` names, and in the
//! user's cache directory, where `tilebase generate` puts them. A solver can be shared by any number of threads.
//!
//! Any heuristic and any search of the papers can be paired: [`Solver::with`] takes [`Bounds`] and a [`Search`].
//!
//! The searches themselves, for heuristics of your own, are in [`tilebase_solve`].

mod bounds;
mod exactly;
mod solver;

pub use bounds::Bounds;
pub use exactly::NotAtDistance;
pub use solver::{EngineError, Solver};
pub use tilebase_solve::{NotPossible, Search, SearchAbout, SolveError};
