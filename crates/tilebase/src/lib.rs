//! Shortest solutions of sliding-tile puzzles, by pattern databases.
//!
//! A [`Solver`] is opened for a goal; [`Tables`] says where its lower bounds come from, and [`Search`] how it searches. Tables
//! are found in the directory that `TILEBASE_TABLES` names, in the user's cache directory, where `tilebase generate` puts them,
//! and in the program itself (6-6-3 of the 15-puzzle); small ones that are missing are built on the spot.
//!
//! ```
//! use tilebase::{Board, Goal, MoveForm, Solver};
//!
//! let board: Board = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse()?;
//! let solver = Solver::builder(&Goal::BlankLast.board(board.size())?).open()?;
//! let solved = solver.solve(&board)?;
//! assert_eq!(solved.length, 9);
//! println!("{}", MoveForm::Tile.write(&solved.solutions[0], &board)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`plan_builds`] and [`Missing`] say which tables of some patterns are to be built, and [`check_memory`] whether there is memory for it;
//! * [`Metric`] is what counts as one move: a single tile, or several in a line ([`SolverBuilder::metric`]);
//! * [`TableSource`] finds tables, unpacks packed ones and builds missing ones; what it did comes back as [`Step`]s;
//! * `fetch::Fetch`, of the feature `fetch`, brings tables from a web server or a directory;
//! * [`Bounds`] are tables and heuristics of one's own choice, for [`Tables::Given`];
//! * [`Analyser`] and [`Analysis`] say what is known of a board without a search: whether it can be solved, and every heuristic's
//!   value;
//! * [`Review`] is a solution that somebody made, held against the shortest: is it legal, does it solve, where were moves lost;
//! * [`Census`] says how many boards are how far from a goal, and so how hard a board is;
//! * [`shorten`] makes a solution shorter that need not be a shortest one;
//! * [`Solver::improve`] finds a solution soon and better ones later, each with how far from the shortest it can be: a [`Best`];
//! * [`CheckpointFile`] keeps a search that takes hours, so that the next one goes on from there;
//! * [`Solver::bounds_of_many`] gives the bounds of a million boards in less than a second;
//! * [`Rating`] says how good a heuristic is by its η, and [`PartitionSearch`] looks for partitions that make it small;
//! * [`Answer`] is the end of a search as JSON; [`table_list`] and [`catalogue_list`] what tables are there.
//!
//! What a program needs of the crates below is exported here; the crates themselves ([`puzzle`], [`solve`], [`heuristics`],
//! [`lookup`], [`generate`], [`format`](mod@format), [`index`], [`memory`], [`progress`]) have the rest.

mod analysis;
mod answer;
mod boards_at_distance;
mod builder;
mod catalogues;
mod checkpoint;
mod choice;
mod copies;
mod directory;
mod evidence;
#[cfg(feature = "fetch")]
pub mod fetch;
mod generation;
mod improve;
mod list;
mod manifest;
mod many;
#[cfg(feature = "zstd")]
mod packed;
mod quality;
mod review;
mod room;
mod shorten;
mod solver;
mod source;

pub use analysis::{Analyser, Analysis, AnalysisError, HeuristicValue, Values, ViewCosts, least_moves};
pub use answer::{Answer, add_gap, unsolvable_json};
pub use boards_at_distance::NotAtDistance;
pub use builder::{SolverBuilder, SolverError, Tables};
pub use catalogues::{CatalogueError, catalogue_for, find_catalogue};
pub use checkpoint::{CheckpointError, CheckpointFile, Refused};
pub use directory::{DirectoryError, prepare_directory};
pub use generation::{Missing, TooMuchMemory, check_memory, plan_builds};
pub use improve::{Best, Improved, Told};
pub use list::{catalogue_list, catalogues_with, readiness, table_json, table_list, tables_of};
pub use manifest::{ManifestError, check_manifest};
pub use many::{ManyBoards, ManyError};
#[cfg(feature = "zstd")]
pub use packed::{PackedError, Unpacked, check_packed_name, unpack, verify_packed};
pub use quality::{
    CostsError, Measured, PartitionSearch, Plan, Rating, RatingError, Results, ResultsError, Sample, SampleCosts,
    Sampling, SearchError, TooManyPartitions, bounds_of, branching_factor, distances_of,
};
pub use review::{Loss, Losses, Review};
pub use room::{Shortage, memory_for_nodes};
pub use shorten::{ShortenError, Shortened, shorten};
pub use solver::Solver;
pub use source::{STATES_ON_THE_SPOT, Step, TableSource, TablesError};

pub use tilebase_census::{Census, CensusError, Place, Source};
pub use tilebase_engine::{Bounds, BoundsError, Views};
pub use tilebase_progress::{Event, Watch, until, unwatched};
pub use tilebase_puzzle::{Board, Catalogue, Direction, Frame, Goal, Metric, MoveForm, Parity, Random, Sequence, Size};
pub use tilebase_solve::{
    Effort, Limit, Limited, Limits, Outcome, Request, Search, SearchAbout, SolveError, Solved, Wanted, Weight,
};

pub use tilebase_format as format;
pub use tilebase_generate as generate;
pub use tilebase_heuristics as heuristics;
pub use tilebase_index as index;
pub use tilebase_lookup as lookup;
pub use tilebase_memory as memory;
pub use tilebase_progress as progress;
pub use tilebase_puzzle as puzzle;
pub use tilebase_solve as solve;
