//! Looks costs up in pattern databases.
//!
//! * [`Table`] is an open table: its header is checked, its entries are wherever they are ([`Bytes`]): compiled into the
//!   program, read into memory, copied onto huge pages, or mapped from a file, which takes no time whatever its size.
//! * [`Copier`] copies mapped tables onto huge pages, for searches that take long.
//! * [`TypedTable`] is a table made ready for a search: its kind is part of its type, and it has what follows its states.
//! * [`UnpackedTable`] has the costs of a table of bits, a byte each, for many boards that have nothing to do with each other.
//! * [`Store`] finds tables: in a directory of one's choice, in the user's cache directory, in the program itself. It reads them
//!   into memory unless the program promises ([`Mapping`]) that they can be mapped.
//!
//! The tables of 6-6-3 come with this crate, so that a hint for any 15-puzzle needs no file at all:
//!
//! ```
//! use tilebase_lookup::Store;
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
//!     let table = Store::compiled_in().find_unverified(&pattern)?.expect("6-6-3 is compiled in");
//!     sum += table.cost(&table.locate(&state)).unwrap();
//! }
//! assert_eq!(sum, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod coding;
mod copying;
mod entries;
#[cfg(unix)]
mod lost;
mod store;
mod table;
mod typed;
mod unpacked;
mod verified;

pub use bytes::{Bytes, Mapped, Mapping, OpenError};
pub use coding::{Bits, BitsOrNibbles, Coding, Nibbles};
pub use copying::Copier;
pub use store::{Loading, Location, Store, TableFile, directory_of_environment, user_directory};
pub use table::{Table, Verified, VerifyError, read_header};
pub use typed::{AdditiveTable, AllMovesTable, AnyBitTable, NibbleTable, SmallBitTable, TypedTable};
pub use unpacked::{UnpackError, UnpackedTable};
pub use verified::VerifiedFiles;
