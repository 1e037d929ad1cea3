//! Patterns without an index.

use tilebase_puzzle::Size;

use crate::MAX_TILES;

/// A pattern for which there is no index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// No tiles, or more than the board has.
    #[error("a pattern of {tiles} tiles does not exist on a {size} board: expected 1 to {}", .size.count() - 1)]
    NoSuchPattern {
        /// The board's size.
        size: Size,
        /// The tiles asked for.
        tiles: usize,
    },
    /// More than [`MAX_TILES`].
    #[error("a pattern of {tiles} tiles is too large for any table: expected at most {MAX_TILES}")]
    TooManyTiles {
        /// The tiles asked for.
        tiles: usize,
    },
    /// The entries of such tables are lines, not states.
    #[error("the entries of a table of lines are numbered by a LineIndex")]
    Lines,
}
