//! The direction of a slide, as a small number for tables.

use tilebase_puzzle::Square;

/// A number below 4 for the direction from a square to its neighbour: odd along the row, 2 more down or to the right.
#[inline]
pub(crate) fn direction(from: Square, to: Square) -> usize {
    usize::from(to > from) << 1 | usize::from(is_along_row(from, to))
}

/// Whether two neighbours are in the same row. Those in a column are at least two apart: no board is narrower.
#[inline]
pub(crate) fn is_along_row(from: Square, to: Square) -> bool {
    from.0.abs_diff(to.0) == 1
}
