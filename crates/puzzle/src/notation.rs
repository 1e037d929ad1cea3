//! Boards as text: what people type, and every form we print.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, BoardError};
use crate::size::{MAX_SQUARES, Size, SizeError};

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

impl FromStr for Board {
    type Err = ParseError;

    /// Reads a board in any notation, its size taken from its rows or from the number of squares.
    fn from_str(text: &str) -> Result<Board, ParseError> {
        Board::parse(text, None)
    }
}

impl Board {
    /// Reads a board in any notation: rows separated by `/` or line ends, or one flat list; tiles separated by spaces or
    /// commas; the blank as `0`, `_`, `.` or `x`, or as the number of squares when none of these is there.
    ///
    /// The size is `size` if given, else that of the rows, else the square with that many squares.
    ///
    /// # Errors
    /// [`ParseError`] says what was expected and names the token or row that is not.
    pub fn parse(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        let rows: Vec<Vec<u64>> =
            text.split(['/', '\n']).enumerate().map(|(row, text)| tokens(row, text)).collect::<Result<_, _>>()?;
        let in_rows = if rows.len() > 1 { Some(size_of_rows(&rows)?) } else { None };
        let size = match (size, in_rows) {
            (Some(given), Some(found)) if given != found => return Err(ParseError::OtherSize { given, found }),
            (Some(size), _) | (None, Some(size)) => size,
            (None, None) => size_of_flat_list(&rows[0])?,
        };
        let mut labels = rows.concat();
        if !labels.contains(&0) {
            let largest = size.count() as u64;
            labels.iter_mut().filter(|label| **label == largest).for_each(|label| *label = 0);
        }
        Ok(Board::new(size, &labels)?)
    }
}

/// The numbers in one row, 0 for any sign of the blank. Commas must stand between tiles; spaces may stand anywhere.
fn tokens(row: usize, text: &str) -> Result<Vec<u64>, ParseError> {
    let mut tokens = Vec::new();
    let has_commas = text.contains(',');
    for between_commas in text.split(',') {
        let before = tokens.len();
        for token in between_commas.split_whitespace() {
            tokens.push(match token {
                "_" | "." | "x" => 0,
                _ if token.bytes().all(|byte| byte.is_ascii_digit()) => {
                    // A number that does not fit is too large for any board, and reported as such.
                    token.parse().unwrap_or(u64::MAX)
                }
                _ => return Err(ParseError::NotANumber { token: token.to_owned(), row, column: tokens.len() }),
            });
        }
        if has_commas && tokens.len() == before {
            return Err(ParseError::Missing { row, column: before });
        }
    }
    Ok(tokens)
}

fn size_of_rows(rows: &[Vec<u64>]) -> Result<Size, ParseError> {
    let expected = rows[0].len();
    if let Some((row, tokens)) = rows.iter().enumerate().find(|(_, tokens)| tokens.len() != expected) {
        return Err(ParseError::Ragged { row, expected, found: tokens.len() });
    }
    Ok(Size::new(expected, rows.len())?)
}

fn size_of_flat_list(tokens: &[u64]) -> Result<Size, ParseError> {
    let found = tokens.len();
    if found > MAX_SQUARES {
        return Err(ParseError::TooManySquares(found));
    }
    match (2..=5).find(|side| side * side == found) {
        Some(side) => Ok(Size::new(side, side)?),
        None => Err(ParseError::NoSquareCount { found, missing: one_missing(tokens) }),
    }
}

/// When a flat list is one tile short of a square board, the tile that is missing.
fn one_missing(tokens: &[u64]) -> Option<u64> {
    let count = tokens.len() as u64 + 1;
    let is_square = (2..=5).any(|side| side * side == count);
    let mut absent = (0..count).filter(|label| !tokens.contains(label));
    match (absent.next(), absent.next()) {
        (Some(label), None) if is_square => Some(label),
        _ => None,
    }
}

/// A text that is not a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Nothing but white space.
    #[error("the board is empty: expected tiles such as \"1 2 3 / 4 5 6 / 7 8 0\"")]
    Empty,
    /// Nothing between two commas.
    #[error(
        "nothing stands between two commas at row {}, column {}: expected a tile's number there",
        .row + 1, .column + 1
    )]
    Missing {
        /// The row, from 0.
        row: usize,
        /// The place in the row, from 0.
        column: usize,
    },
    /// Something that is neither a tile's number nor the blank.
    #[error(
        "{} at row {}, column {} is not a tile: expected a number, or 0, _, . or x for the blank",
        crate::quoted(.token), .row + 1, .column + 1
    )]
    NotANumber {
        /// What stands there.
        token: String,
        /// Its row, from 0.
        row: usize,
        /// Its place in the row, from 0.
        column: usize,
    },
    /// A row that is longer or shorter than the first.
    #[error(
        "row {} has {found} tile{}, but row 1 has {expected}: all rows must be equally long",
        .row + 1, if *.found == 1 { "" } else { "s" }
    )]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// Tiles in the first row.
        expected: usize,
        /// Tiles in this row.
        found: usize,
    },
    /// A flat list of this many tiles, too long for any board.
    #[error("{0} squares are too many: boards have at most {MAX_SQUARES}")]
    TooManySquares(usize),
    /// A flat list that is not a square board's, and no size given.
    #[error(
        "{}; for a rectangle, separate the rows by / or give its size (--size 3x4: width x height)",
        no_square(*.found, *.missing)
    )]
    NoSquareCount {
        /// Tiles in the list.
        found: usize,
        /// The one tile that is missing from a square board, if that is what is wrong.
        missing: Option<u64>,
    },
    /// Rows that make another size than the one given.
    #[error("expected a board of {given}, found rows that make {found} (width x height)")]
    OtherSize {
        /// The size asked for.
        given: Size,
        /// The size of the rows.
        found: Size,
    },
    /// Rows of an unsupported size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// The right number of tiles, but not each once.
    #[error("{0}")]
    Board(#[from] BoardError),
}

fn no_square(found: usize, missing: Option<u64>) -> String {
    match missing {
        Some(0) => format!("{found} squares are one short of a square board: the blank is missing"),
        Some(tile) => format!("{found} squares are one short of a square board: tile {tile} is missing"),
        None if found == 1 => "1 square is not a board".to_owned(),
        None => format!("{found} squares do not make a square board"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    fn notations() -> Vec<Notation> {
        let mut notations = Vec::new();
        for rows in [Rows::Slashes, Rows::Lines, Rows::Flat] {
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
    }

    #[test]
    fn loose_spacing_is_understood() {
        let board: Board = "1 2 3 / 4 5 6 / 7 8 0".parse().unwrap();
        let lines = "1 2 3\r\n4 5 6\r\n7 8 .\r\n";
        for text in ["1 2 3/4 5 6/7 8 0", " 1, 2 ,3 / 4,5,6 / 7 , 8,_ \n", lines, "1\t2 3 4 5 6 7 8 9"] {
            assert_eq!(text.parse(), Ok(board), "{text}");
        }
    }

    #[test]
    fn each_kind_of_bad_board_has_its_own_message() {
        let cases = [
            ("", "the board is empty"),
            (" \n ", "the board is empty"),
            (
                "1 2 3 / 4 4 6 / 7 8 0",
                "tile 4 is there twice, at row 2, column 1 and at row 2, column 2, and tile 5 is",
            ),
            ("1 2 3 / 4 0 6 / 7 8 0", "two blanks, at row 2, column 2 and at row 3, column 3, and tile 5 is missing"),
            ("1 2 3 / 4 _ 6 / 7 8 .", "two blanks"),
            ("1 2 3 / 4 5 6 / 7 9 0", "tile 9 at row 3, column 2 is too large: a 3x3 board has the tiles 1 to 8"),
            ("1 2 3 / 4 5 6 / 7 8 99999999999999999999999", "too large"),
            ("1 2 3 4 6 7 8 0", "tile 5 is missing"),
            ("1 2 3 4 5 6 7 8", "the blank is missing"),
            ("1 2 3 4 5 6 7 0 9 10", "10 squares do not make a square board"),
            ("1 2 3 / 4 5 / 7 8 0", "row 2 has 2 tiles, but row 1 has 3"),
            ("1 2 3 // 7 8 0", "row 2 has 0 tiles"),
            ("1 2 3 / 4 b 6 / 7 8 0", "\"b\" at row 2, column 2 is not a tile"),
            ("1 2 3 / 4 -5 6 / 7 8 0", "\"-5\" at row 2, column 2 is not a tile"),
            ("1,,3,4", "nothing stands between two commas at row 1, column 2"),
            ("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25", "26 squares are too many"),
            ("0 1 2 3 4 5 6 7 8 9 10 11 12 / 13 14 15 16 17 18 19 20 21 22 23 24 25", "a board of 13x2 squares is not"),
            ("1 2 3 0 / 4 5 6 7 / ", "row 3 has 0 tiles"),
        ];
        for (text, expected) in cases {
            let message = text.parse::<Board>().expect_err(text).to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
        let size = Some(Size::new(3, 4).unwrap());
        for (text, expected) in [
            ("1 2 3 / 4 5 6 / 7 8 0", "expected a board of 3x4, found rows that make 3x3"),
            ("1 2 3 4 5 6 7 8 9 10 0", "expected 12 squares for a 3x4 board, found 11: tile 11 is missing"),
            ("1 2 3 4 5 6 7 8 9 10 11 0 12", "expected 12 squares for a 3x4 board, found 13"),
        ] {
            let message = Board::parse(text, size).expect_err(text).to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = String::from_utf8_lossy(&bytes).parse::<Board>();
        }

        #[test]
        fn random_tokens_never_panic_and_what_parses_prints(
            text in "[0-9_.x/, \n]{0,60}", size in prop::option::of((0usize..9, 0usize..9))
        ) {
            let size = size.and_then(|(w, h)| Size::new(w, h).ok());
            if let Ok(board) = Board::parse(&text, size) {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
