//! The bytes of a pattern database file: one header, one payload, checked on the way in and sealed on the way out.
//!
//! `docs/format.md` is the specification; [`layout`] names its fields. [`Header`] is the checked form of a file's first
//! 4,096 bytes: nothing else looks at raw fields. [`BlockHashes`] tell where a payload is damaged. [`TableWriter`] turns a
//! payload that comes in parts into a table, and [`write`](fn@write) puts a whole one into a directory, so that it is there whole or not
//! at all ([`Draft`]). [`pack`](fn@pack) and [`Unpacking`] turn tables into what is shipped, and back.
//!
//! All features are on by default. `blake3` has the hashes: without it tables can be read, but what they say is believed, so leave
//! it out only where tables are part of the program. `threads` hashes on all cores. `write` makes files, and needs both; `zstd` packs
//! them, and needs `write`.
//!
//! ```
//! use tilebase_format::Header;
//! use tilebase_index::Kind;
//! use tilebase_puzzle::{Pattern, Size, Square};
//!
//! let pattern = Pattern::new(Size::new(2, 2)?, Square(0), &[1])?;
//! let payload = [0b0100]; // tile 1 at home, beside it, in the far corner, and beside that: 0, 1, 2, 1 moves
//! let header = Header::new(pattern, Kind::Bit, vec![1, 2, 1], &payload)?;
//! let bytes = header.to_bytes();
//! assert_eq!(Header::parse(&bytes)?, header);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(test, feature = "write"))]
mod blocking;
#[cfg(feature = "blake3")]
mod blocks;
#[cfg(feature = "write")]
mod draft;
mod files;
mod header;
pub mod layout;
#[cfg(feature = "zstd")]
mod pack;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "blake3")]
pub use blocks::{BlockHashes, Hashing, hash_text};
#[cfg(feature = "write")]
pub use draft::{Draft, abandon_drafts, check_writable, leftovers, remove_leftovers};
pub use files::{directory_of, open_file};
pub use header::{Header, HeaderError, file_len, mean};
pub use layout::PACKED;
#[cfg(feature = "zstd")]
pub use pack::{LEVELS, Packed, UnpackError, Unpacking, pack};
#[cfg(feature = "write")]
pub use write::{TableWriter, WriteError, memory_of_writing, write};
