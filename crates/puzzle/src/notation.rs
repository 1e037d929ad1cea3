//! Boards in writing: every form we print. What people type is read in `parse.rs`.

use std::fmt;

use crate::board::Board;

/// How rows are told apart in a printed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Rows {
    /// `1 2 3 / 4 5 6 / 7 8 0`
    #[default]
    Slashes,
    /// A line of text for each row.
    Lines,
    /// Not at all: `1 2 3 4 5 6 7 8 0`.
    Flat,
    /// `1 2 3/4 5 6/7 8 0`: as slidysim writes boards, and its tools want them.
    Tight,
}

/// What stands between two tiles of a printed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Separator {
    /// `1 2 3`
    #[default]
    Space,
    /// `1,2,3`
    Comma,
}

/// How the blank is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Blank {
    /// `0`
    #[default]
    Zero,
    /// `_`
    Underscore,
    /// `.`
    Dot,
    /// `x`
    X,
    /// The number of squares: 16 on a 4×4 board.
    Largest,
}

/// How a board is written. The default is `1 2 3 / 4 5 6 / 7 8 0`, which is also what [`Board`]'s `Display` gives.
///
/// ```
/// use tilebase_puzzle::{Blank, Board, Notation, Rows, Separator};
/// let board: Board = "1 2 3 / 4 5 6 / 7 8 0".parse()?;
/// let notation = Notation::new(Rows::Flat, Separator::Comma, Blank::Underscore);
/// assert_eq!(notation.write(&board), "1,2,3,4,5,6,7,8,_");
/// # Ok::<(), tilebase_puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Notation {
    /// How rows are told apart.
    pub rows: Rows,
    /// What stands between tiles.
    pub separator: Separator,
    /// How the blank is written.
    pub blank: Blank,
}

impl Notation {
    /// Boards written like this.
    pub fn new(rows: Rows, separator: Separator, blank: Blank) -> Notation {
        Notation { rows, separator, blank }
    }

    /// The board in this notation.
    pub fn write(self, board: &Board) -> String {
        let tile = match self.separator {
            Separator::Space => " ",
            Separator::Comma => ",",
        };
        let row = match self.rows {
            Rows::Slashes => " / ",
            Rows::Lines => "\n",
            Rows::Flat => tile,
            Rows::Tight => "/",
        };
        let blank = match self.blank {
            Blank::Zero => "0",
            Blank::Underscore => "_",
            Blank::Dot => ".",
            Blank::X => "x",
            Blank::Largest => &board.size().count().to_string(),
        };
        let written = |label: &u8| if *label == 0 { blank.to_owned() } else { label.to_string() };
        let rows = board.labels().chunks(board.size().width());
        let rows = rows.map(|labels| labels.iter().map(written).collect::<Vec<_>>().join(tile));
        rows.collect::<Vec<_>>().join(row)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Notation::default().write(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::size::Size;

    fn notations() -> Vec<Notation> {
        let mut notations = Vec::new();
        for rows in [Rows::Slashes, Rows::Lines, Rows::Flat, Rows::Tight] {
            for separator in [Separator::Space, Separator::Comma] {
                for blank in [Blank::Zero, Blank::Underscore, Blank::Dot, Blank::X, Blank::Largest] {
                    notations.push(Notation { rows, separator, blank });
                }
            }
        }
        notations
    }

    #[test]
    fn fifteen_boards_survive_every_notation() {
        let sizes = [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4), (2, 12), (12, 2), (5, 4), (5, 5)];
        for notation in notations() {
            for seed in 0..15 {
                let (width, height) = sizes[seed as usize % sizes.len()];
                let size = Size::new(width, height).unwrap();
                let board = Random::new(seed).any_board(size);
                let text = notation.write(&board);
                assert_eq!(Board::parse(&text, Some(size)), Ok(board), "{text}");
                if notation.rows != Rows::Flat || size.is_square() {
                    assert_eq!(text.parse(), Ok(board), "{text}");
                }
                assert_eq!(notation.write(&Board::parse(&text, Some(size)).unwrap()), text);
            }
        }
    }

    #[test]
    fn notations_print_exactly_what_they_say() {
        let board: Board = "3 1 / 2 0".parse().unwrap();
        let written = |rows, separator, blank| Notation { rows, separator, blank }.write(&board);
        assert_eq!(written(Rows::Slashes, Separator::Space, Blank::Zero), "3 1 / 2 0");
        assert_eq!(written(Rows::Slashes, Separator::Comma, Blank::Underscore), "3,1 / 2,_");
        assert_eq!(written(Rows::Lines, Separator::Space, Blank::Dot), "3 1\n2 .");
        assert_eq!(written(Rows::Lines, Separator::Comma, Blank::X), "3,1\n2,x");
        assert_eq!(written(Rows::Flat, Separator::Space, Blank::Largest), "3 1 2 4");
        assert_eq!(written(Rows::Flat, Separator::Comma, Blank::Zero), "3,1,2,0");
        assert_eq!(written(Rows::Tight, Separator::Space, Blank::Zero), "3 1/2 0");
    }
}
