//! The size of a board, its squares, and the four directions on it.

use std::fmt;
use std::str::FromStr;

use crate::cut::is_number;
use crate::forms;

/// The most squares a board may have: 5×5.
pub const MAX_SQUARES: usize = 25;

/// A square of a board, counted in row-major order from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square(pub u8);

impl Square {
    /// The square's number as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The square as a set of one, for masks of squares.
    #[inline]
    pub fn bit(self) -> u32 {
        1 << self.0
    }
}

/// One of the four directions in which a square can have a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All four directions, in the order in which searches try them.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Left, Direction::Right, Direction::Down];

    /// The direction that leads back.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Down => Direction::Up,
        }
    }

    /// The axis that it is along.
    #[inline]
    pub fn axis(self) -> Axis {
        match self {
            Direction::Left | Direction::Right => Axis::Horizontal,
            Direction::Up | Direction::Down => Axis::Vertical,
        }
    }
}

/// The two axes of a board. Moves of several tiles in a line alternate between them: two along the same line are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    /// Along a row.
    Horizontal,
    /// Along a column.
    Vertical,
}

impl Axis {
    /// Both.
    pub const BOTH: [Axis; 2] = [Axis::Horizontal, Axis::Vertical];

    /// The other one.
    #[inline]
    #[must_use]
    pub fn other(self) -> Axis {
        match self {
            Axis::Horizontal => Axis::Vertical,
            Axis::Vertical => Axis::Horizontal,
        }
    }

    /// The two directions along it.
    #[inline]
    pub fn directions(self) -> [Direction; 2] {
        match self {
            Axis::Horizontal => [Direction::Left, Direction::Right],
            Axis::Vertical => [Direction::Up, Direction::Down],
        }
    }
}

/// Width and height of a board: at least 2 each, at most 25 squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// A size, if boards of that size are supported.
    ///
    /// # Errors
    /// [`SizeError`] when a side is shorter than 2 or the board has more than 25 squares.
    pub fn new(width: usize, height: usize) -> Result<Size, SizeError> {
        let supported = width >= 2 && height >= 2 && width.saturating_mul(height) <= MAX_SQUARES;
        if !supported {
            return Err(SizeError { width, height });
        }
        Ok(Size { width: width as u8, height: height as u8 })
    }

    /// Number of columns.
    #[inline]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[inline]
    pub fn height(self) -> usize {
        self.height as usize
    }

    /// Number of squares, one more than the number of tiles.
    #[inline]
    pub fn count(self) -> usize {
        self.width() * self.height()
    }

    /// Whether the board has as many rows as columns.
    #[inline]
    pub fn is_square(self) -> bool {
        self.width == self.height
    }

    /// All squares in row-major order.
    #[inline]
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.width * self.height).map(Square)
    }

    /// All squares as a mask.
    #[inline]
    pub fn all_squares(self) -> u32 {
        (1 << self.count()) - 1
    }

    /// The square in row `row` and column `column`, both counted from 0.
    #[inline]
    pub fn square(self, row: usize, column: usize) -> Square {
        debug_assert!(row < self.height() && column < self.width());
        Square((row * self.width() + column) as u8)
    }

    /// Row and column of a square, both counted from 0.
    #[inline]
    pub fn row_column(self, square: Square) -> (usize, usize) {
        (square.index() / self.width(), square.index() % self.width())
    }

    /// The next square in a direction, or `None` at the board's edge.
    #[inline]
    pub fn neighbour(self, square: Square, direction: Direction) -> Option<Square> {
        let (row, column) = self.row_column(square);
        match direction {
            Direction::Up => (row > 0).then(|| self.square(row - 1, column)),
            Direction::Left => (column > 0).then(|| self.square(row, column - 1)),
            Direction::Right => (column + 1 < self.width()).then(|| self.square(row, column + 1)),
            Direction::Down => (row + 1 < self.height()).then(|| self.square(row + 1, column)),
        }
    }

    /// Steps between two squares along rows and columns (Manhattan distance).
    #[inline]
    pub fn distance(self, a: Square, b: Square) -> u32 {
        let ((ar, ac), (br, bc)) = (self.row_column(a), self.row_column(b));
        (ar.abs_diff(br) + ac.abs_diff(bc)) as u32
    }

    /// A square as people say it: "row 2, column 3", both counted from 1.
    pub fn place(self, square: Square) -> String {
        let (row, column) = self.row_column(square);
        format!("row {}, column {}", row + 1, column + 1)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = SizeTextError;

    /// Reads `WIDTHxHEIGHT`, such as `3x4`: three columns, four rows. One number is the side of a square, and
    /// [`forms`](crate::forms) has what may stand instead of the x.
    fn from_str(text: &str) -> Result<Size, SizeTextError> {
        let plain = forms::plain(text);
        let (width, height) = forms::sides(plain.trim());
        let sides =
            if is_number(width) && is_number(height) { width.parse().ok().zip(height.parse().ok()) } else { None };
        let (width, height) = sides.ok_or_else(|| SizeTextError::Malformed(text.to_owned()))?;
        Ok(Size::new(width, height)?)
    }
}

/// A width and height that no board here can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a board of {width}x{height} squares is not supported: expected at least 2x2 and at most {MAX_SQUARES} squares in all"
)]
pub struct SizeError {
    /// The width asked for.
    pub width: usize,
    /// The height asked for.
    pub height: usize,
}

/// A text that is not the size of a supported board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeTextError {
    /// Not of the form `WIDTHxHEIGHT`.
    #[error("{size} is not a board size: expected WIDTHxHEIGHT, such as 3x4, or the side of a square, such as 4", size = crate::quoted(.0))]
    Malformed(String),
    /// A size, but not a supported one.
    #[error("{0}")]
    Unsupported(#[from] SizeError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_from_2x2_to_25_squares_are_accepted_and_no_others() {
        let mut accepted = 0;
        for width in 0..30 {
            for height in 0..30 {
                let expected = width >= 2 && height >= 2 && width * height <= 25;
                assert_eq!(Size::new(width, height).is_ok(), expected, "{width}x{height}");
                accepted += usize::from(expected);
            }
        }
        assert_eq!(accepted, 38);
        assert!(Size::new(usize::MAX, 3).is_err());
    }

    #[test]
    fn every_neighbour_is_one_step_away_and_knows_the_way_back() {
        for size in [Size::new(2, 3).unwrap(), Size::new(5, 5).unwrap()] {
            for square in size.squares() {
                for direction in Direction::ALL {
                    if let Some(next) = size.neighbour(square, direction) {
                        assert_eq!(size.distance(square, next), 1);
                        assert_eq!(size.neighbour(next, direction.opposite()), Some(square));
                    }
                }
            }
        }
    }

    #[test]
    fn size_text_is_width_by_height() {
        let size: Size = "3x4".parse().unwrap();
        assert_eq!((size.width(), size.height()), (3, 4));
        assert_eq!(size.to_string(), "3x4");
        assert_eq!("4".parse(), Size::new(4, 4).map_err(SizeTextError::from));
        for bad in ["", "x", "x4", "4x", "4x4x4", "axb", "-3x4", "+3x4", "3 4", "four", "99999999999999999999"] {
            assert!(matches!(bad.parse::<Size>(), Err(SizeTextError::Malformed(_))), "{bad}");
        }
        assert!(matches!("6".parse::<Size>(), Err(SizeTextError::Unsupported(_))));
        assert!(matches!("13x2".parse::<Size>(), Err(SizeTextError::Unsupported(_))));
    }
}
