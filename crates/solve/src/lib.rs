//! Finds provably shortest solutions.
//!
//! * [`Solver`] is the interface: a goal, a space, and boards to solve;
//! * a [`Space`] is what a search moves through: any [`Heuristic`](tilebase_heuristics::Heuristic), where a move slides one tile, or
//!   [`Runs`], where a move slides one tile or several in a line;
//! * an [`Algorithm`] is a search. [`Ida`] is the usual one: iterative-deepening A\*, which needs almost no memory.
//!   [`Astar`], [`Rbfs`], [`Nbs`], [`Greedy`] and [`Beam`] use bounds as well; [`Bfs`], [`UniformCost`] and [`Ids`] do not.
//!   `docs/searches.md` compares them;
//! * [`Search`] is any of them, found by name. A new one is one file, and one line in the list below;
//! * an [`Automaton`] or a [`RunAutomaton`] keeps [`Ida`] from moves that lead where other moves lead as well;
//! * [`Keep`] saves the progress of a long search: bounds, and the units that a large bound is cut into;
//! * [`Helpers`] have units searched by other processes, and a [`Lead`] gives those their units;
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
mod nothing;
mod packed;
mod request;
mod sample;
mod solver;
mod space;
mod units;

pub use algorithm::{Algorithm, NotPossible, SearchAbout};
pub use automaton::{Automaton, RunAutomaton};
pub use checkpoint::{BoundDone, Checkpoint, CutBound, Keep, KeptSolution, UNITS_VERSION};
pub use list::{SearchNameError, SearchVisitor};
pub use request::{Effort, Limit, Limited, Limits, Outcome, Request, Solved, Wanted, Weight, WeightError};
pub use solver::{SolveError, Solver};
pub use space::{Runs, Space};
pub use units::{Helpers, Lead, SharedBound, UnitEffort, Units};

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
