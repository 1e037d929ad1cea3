//! Looks costs up in pattern databases.
//!
//! * [`Table`] is an open table: its header is checked, its entries are wherever they are ([`Bytes`]): compiled into the
//!   program, read into memory, copied onto huge pages, or mapped from a file, which takes no time whatever its size.
//! * [`Copier`] copies mapped tables onto huge pages, for searches that take long.
//! * [`TypedTable`] is a table made ready for a search: its kind is part of its type, and it has what follows its states.
//! * [`UnpackedTable`] has the costs of a table of bits, a byte each, for many boards that have nothing to do with each other.
//! * [`Store`] finds tables: in a directory of one's choice, in the user's cache directory, in the program itself. It reads them
//!   into memory. In directories whose files nothing changes in place, a program may [allow](Store::allow_mapping) that they are mapped.
//! * [`OwnMemory`] adds up the memory that solvers take, for a cache.
//! * [`install_truncation_handler`] is for programs that map tables and own their signals; the library installs no handler unasked.
//!
//! The tables of 6-6-3 come with this crate, so that a hint for any 15-puzzle needs no file at all:
//!
//! ```
//! use tilebase_lookup::Table;
//! use tilebase_puzzle::{Board, Catalogue, Frame, Goal};
//!
//! let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 0 14".parse()?;
//! let state = Frame::new(&Goal::BlankLast.board(board.size())?).state(&board);
//! assert!(state.is_err(), "that one cannot be solved");
//!
//! let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12".parse()?;
//! let state = Frame::new(&Goal::BlankLast.board(board.size())?).state(&board)?;
//! let mut sum = 0;
//! for pattern in Catalogue::known("6-6-3").unwrap().patterns() {
//!     let table = Table::in_program(&pattern).expect("6-6-3 is part of the program");
//!     sum += table.locate(&state).and_then(|place| table.cost(&place)).unwrap();
//! }
//! assert_eq!(sum, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | gives | on by default |
//! |---|---|---|
//! | `6-6-3` | tables in the program: 3.0 MB | yes |
//! | `5-5-5` | smaller ones: 0.3 MB; searches have about twice the nodes | no |
//! | `files` | [`Store`]: tables in files, verified before they are used, read, copied or mapped | yes |
//! | `threads` | files verified on all cores | yes |

mod bytes;
mod coding;
#[cfg(feature = "files")]
mod copying;
mod entries;
mod lines;
#[cfg(all(unix, feature = "files"))]
mod lost;
#[cfg(feature = "files")]
mod open_file;
mod own_memory;
mod program;
#[cfg(feature = "files")]
mod store;
mod table;
mod typed;
mod unpacked;
#[cfg(feature = "files")]
mod verified;

pub use bytes::{Bytes, OpenError, VerifyError};
pub use coding::{Bits, BitsOrNibbles, Coding, Nibbles};
#[cfg(feature = "files")]
pub use copying::Copier;
pub use lines::LineTable;
#[cfg(feature = "files")]
pub use open_file::{Mapped, install_truncation_handler};
pub use own_memory::OwnMemory;
#[cfg(feature = "files")]
pub use store::{Loading, Location, Store, TableFile, directory_of_environment, user_directory};
#[cfg(feature = "files")]
pub use table::whole::read_header;
pub use table::{Table, Verified};
pub use typed::{AdditiveTable, AllMovesTable, AnyBitTable, NibbleTable, SmallBitTable, TypedTable};
pub use unpacked::{UnpackError, UnpackedTable};
#[cfg(feature = "files")]
pub use verified::VerifiedFiles;
