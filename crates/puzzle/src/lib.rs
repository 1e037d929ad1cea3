//! Sliding-tile puzzles: boards, moves, goals, symmetries and patterns.
//!
//! Everything here is about any rectangle from 2×2 to 25 squares. Nothing here builds, stores or searches anything.
//! From the outside in:
//!
//! * a [`Board`] is what people write, in any [`Notation`]; [`Boards`] are read from a file or a pipe; a board moves by
//!   [`Direction`]s, written in any [`MoveForm`]; a [`Sequence`] of moves can do without a board; a [`Metric`] says what one
//!   move is;
//! * a [`Goal`] says what to reach; [`Parity`] says whether it can be reached, and why not;
//! * a [`Frame`] turns a board with its goal into a [`State`], where a [`Tile`] is named by the square it belongs on and
//!   the blank's goal square is as near to the first corner as a [`Symmetry`] can bring it;
//! * a [`Pattern`] is a set of tiles, a [`Partition`] divides all tiles into patterns, a [`Catalogue`] is a partition with
//!   a name, drawn;
//! * [`Random`] makes boards from a seed; [`known`] has those of the literature.
//!
//! What people may write instead of the plain forms is in one table: [`forms`].
//!
//! The feature `json`, on by default, reads boards within objects of JSON.
//!
//! ```
//! use tilebase_puzzle::{Board, Frame, Goal, MoveForm};
//!
//! let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
//! let goal = Goal::BlankLast.board(board.size())?;
//! Frame::new(&goal).state(&board)?; // it can be solved
//!
//! let slides = MoveForm::Tile.parse("LUL", &board)?;
//! assert_eq!(board.replay(&slides).unwrap(), goal);
//! assert_eq!(MoveForm::Tiles.write(&slides, &board)?, "4 5 8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod catalogue;
mod cut;
mod drawn;
pub mod forms;
mod frame;
mod goal;
mod json;
pub mod known;
mod macros;
mod metric;
mod moves;
mod notation;
mod parity;
mod parse;
mod pattern;
mod quote;
mod random;
mod reader;
mod sequence;
mod size;
mod symmetry;
mod words;

pub use board::{Blocked, Board, BoardError};
pub use catalogue::{Catalogue, DrawingError};
pub use frame::{Frame, FrameError, Slide, State, Tile, View};
pub use goal::{Goal, GoalError};
pub use metric::{Metric, MetricError};
pub use moves::{MoveForm, MovesError, Played};
pub use notation::{Blank, Notation, Rows, Separator};
pub use parity::Parity;
pub use parse::{ParseError, has_size_line};
pub use pattern::{Partition, Pattern, PatternError};
pub use quote::quoted;
pub use random::Random;
pub use reader::{Boards, ReadBoard, ReadError};
pub use sequence::Sequence;
pub use size::{Axis, Direction, MAX_SQUARES, Size, SizeError, SizeTextError, Square};
pub use symmetry::Symmetry;
