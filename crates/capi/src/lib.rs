//! tilebase for C and C++: a thin face over the library `tilebase`. What C sees is `include/tilebase.h`, which cbindgen makes of the
//! modules here that export functions; their comments are written for those who read the header.
//!
//! * `pointers` has all pointers that C gives, and everything unsafe that is done with them;
//! * `registry` has the living objects: a handle is a number that is looked up there, and nothing is ever read through it;
//! * `failure` has the codes, the text of the last error, and the border that no panic crosses;
//! * `board`, `options`, `solver`, `limits`, `search`, `solution`, `cancel` and `about` have what C knows by such names.

#![allow(clippy::doc_markdown, reason = "comments become those of the header, where names of C need no marks")]
#![allow(clippy::missing_safety_doc, reason = "what C has to promise is said once, at the top of the header")]

mod about;
mod board;
mod cancel;
mod failure;
mod limits;
mod options;
mod pointers;
mod registry;
mod search;
mod solution;
mod solver;

pub use about::{tilebase_install_truncation_handler, tilebase_living_objects, tilebase_version};
pub use board::{
    Board, MAX_SQUARES, tilebase_board_from_tiles, tilebase_board_parse, tilebase_board_slide, tilebase_board_text,
};
pub use cancel::{Cancellation, tilebase_cancel, tilebase_cancellation_free, tilebase_cancellation_new};
pub use failure::{Code, tilebase_last_error};
pub use limits::{Limits, Progress, ProgressFn};
pub use options::Options;
pub use search::{Hint, Report, tilebase_hint, tilebase_improve, tilebase_solve};
pub use solution::{Solution, tilebase_solution_free, tilebase_solution_moves, tilebase_solution_tiles};
pub use solver::{
    Solver, tilebase_bound, tilebase_check, tilebase_solver_free, tilebase_solver_open, tilebase_solver_tables,
};
