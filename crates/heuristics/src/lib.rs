//! Lower bounds on the number of moves to the goal.
//!
//! * [`Heuristic`] is what any of them is: searches follow it from slide to slide;
//! * [`Additive`] is the sum of pattern databases seen through all symmetries that help, and [`AllMoves`] the maximum of
//!   those that count all moves; both take tables as [`PatternCosts`](tilebase_index::PatternCosts), wherever they are;
//! * those that need no files are in a list, where they are found by name: [`AnyListed`] is any of them, and
//!   [`visit_named`] hands one over as the type it is. [`Listed`] is what a new one implements: one file, and one line below;
//! * [`Lines`] and [`LongLines`] make a heuristic of any [`Rule`] for rows and columns, and [`Afresh`] one of anything that can
//!   be [computed](Fresh) from a state;
//! * [`runs`] has those where a move slides a run of tiles: the metric `mtm`;
//! * the [`Largest`] of several of one type is one again.
//!
//! ```
//! use tilebase_heuristics::{AnyListed, Heuristic, Manhattan};
//! use tilebase_puzzle::{Board, Frame, Goal};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
//! let manhattan = Manhattan::new(board.size());
//! let node = manhattan.root(&frame.state(&board)?).unwrap();
//! assert_eq!(manhattan.cost(&node), 3);
//!
//! let exact = AnyListed::new("walking-distance", board.size(), frame.home())?;
//! assert_eq!(exact.cost(&exact.root(&frame.state(&board)?).unwrap()), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use tilebase_puzzle::{Size, Square, State};

#[doc(hidden)]
pub use tilebase_puzzle;

mod about;
mod additive;
mod afresh;
#[macro_use]
mod any;
mod direction;
mod heuristic;
mod lanes;
mod largest;
mod line;
mod lines;
#[macro_use]
mod list;
mod long_lines;
pub mod runs;
mod shared_sums;
mod walks;

pub use about::{About, Finding, FindingKind, GoOn, Listed, NotMade, Promise};
pub use additive::{Additive, AllMoves};
pub use afresh::{Afresh, Fresh};
#[doc(hidden)]
pub use any::OTHERS;
pub use heuristic::{Heuristic, PatternCostsOfViews};
pub use largest::{Largest, LargestError};
pub use line::{InLine, Line, Rule};
pub use lines::Lines;
pub use list::{ListError, Visitor, plain_name, visit_named};
pub use long_lines::LongLines;
pub use shared_sums::SharedSums;

// The list, weak ones first. Of two types with one name the first that suits the board is taken.
listed! {
    hamming: Hamming;
    gaschnig: Gaschnig;
    euclidean: Euclidean;
    manhattan: Manhattan;
    pair_distance: PairDistance, LongPairDistance;
    pair_distance_full: PairDistanceFull, LongPairDistanceFull;
    linear_conflict: LinearConflict, LongLinearConflict;
    corner_tiles: CornerTiles, LongCornerTiles;
    walking_distance: WalkingDistance;
    blank_aware: BlankAware;
}
