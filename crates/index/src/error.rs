//! Patterns without an index.

use std::fmt;

use tilebase_puzzle::Size;

use crate::MAX_TILES;

/// A pattern for which there is no index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// No tiles, or more than the board has.
    NoSuchPattern {
        /// The board's size.
        size: Size,
        /// The tiles asked for.
        tiles: usize,
    },
    /// More than [`MAX_TILES`].
    TooManyTiles {
        /// The tiles asked for.
        tiles: usize,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::NoSuchPattern { size, tiles } => write!(
                f,
                "a pattern of {tiles} tiles does not exist on a {size} board: expected 1 to {}",
                size.count() - 1
            ),
            IndexError::TooManyTiles { tiles } => {
                write!(f, "a pattern of {tiles} tiles is too large for any table: expected at most {MAX_TILES}")
            }
        }
    }
}

impl std::error::Error for IndexError {}
