//! Finds provably shortest solutions.
//!
//! * [`Solver`] is the face: a goal, a heuristic, and boards to solve;
//! * a [`Heuristic`](tilebase_heuristics::Heuristic) is what it asks for lower bounds: one of [`tilebase_heuristics`], or one
//!   of your own;
//! * an [`Algorithm`] is what any search is. [`Ida`] is the usual one: iterative-deepening A\*, which needs no memory to speak
//!   of. [`Astar`], [`Rbfs`], [`Nbs`] and [`Greedy`] are others with a heuristic, [`Bfs`], [`UniformCost`] and [`Ids`] without;
//!   `docs/searches.md` compares them;
//! * [`Search`] is any of them, found by name. A new one is one file, and one line in the list below;
//! * [`Automaton`] keeps [`Ida`] from moves that lead where others lead as well;
//! * [`Keep`] keeps what of a long search is done: bounds, and the units that a large bound is cut into;
//! * [`Helpers`] have units searched by other processes, and a [`Lead`] tells those what to search;
//! * [`mtm`] solves in the metric where several tiles in a line are one move;
//! * [`batch`] spreads many boards over all cores.
//!
//! ```
//! use tilebase_puzzle::{Board, Frame, Goal, MoveForm};
//! use tilebase_heuristics::Manhattan;
//! use tilebase_solve::{Request, Solver};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
//! let solver = Solver::new(frame, Manhattan::new(board.size()));
//! let solved = solver.solve(&board, &Request::default())?.solved().unwrap();
//! assert_eq!(solved.length, 3);
//! assert_eq!(MoveForm::Tile.write(&solved.solutions[0], &board)?, "LUL");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod automaton;
pub mod batch;
mod best_first;
mod checkpoint;
mod clock;
#[macro_use]
mod list;
pub mod mtm;
mod nothing;
mod packed;
mod request;
mod sample;
mod solver;
mod space;
mod units;

pub use algorithm::{Algorithm, NotPossible, SearchAbout};
pub use automaton::Automaton;
pub use checkpoint::{BoundDone, Checkpoint, CutBound, Keep, KeptSolution, UNITS_VERSION};
pub use list::{SearchNameError, SearchVisitor};
pub use request::{Effort, Limit, Limited, Limits, Outcome, Request, Solved, Wanted, Weight, WeightError};
pub use solver::{SolveError, Solver};
pub use units::{Helpers, Lead, SharedBound, UnitEffort, Units};

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::State;

// The list, the most useful first.
listed! {
    ida: Ida = Ida::FAST, Ida::PLAIN;
    astar: Astar = Astar;
    rbfs: Rbfs = Rbfs;
    nbs: Nbs = Nbs;
    greedy: Greedy = Greedy;
    beam: Beam = Beam;
    bfs: Bfs = Bfs;
    uniform_cost: UniformCost = UniformCost;
    ids: Ids = Ids { graph: false }, Ids { graph: true };
}

pub use ida::Order;
