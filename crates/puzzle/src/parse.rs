//! Boards as people write them: one reader for whatever is typed, pasted, piped or sent.

use std::str::FromStr;

use crate::board::{Board, BoardError};
use crate::cut::{Comments, cut, is_number, label};
use crate::drawn;
use crate::forms;
use crate::json;
use crate::size::{MAX_SQUARES, Size, SizeError};
use crate::words;

impl FromStr for Board {
    type Err = ParseError;

    /// Reads a board in any notation, its size taken from its rows or from the number of squares.
    fn from_str(text: &str) -> Result<Board, ParseError> {
        Board::parse(text, None)
    }
}

impl Board {
    /// Reads a board in any notation:
    ///
    /// * rows separated by `/`, `;`, `|`, line ends or brackets of any kind, or one flat list; a separator more at either end does
    ///   no harm;
    /// * tiles separated by spaces, tabs or commas, or a character for each square: `123/456/780`, `FE169B4C0A73D852`;
    /// * the blank as `0`, `_`, `.`, `x`, `-`, `*` or `null`, as an empty cell between tabs, or as the number of squares when no sign
    ///   of the blank appears; [`forms`](crate::forms) has all forms of tiles and of the blank;
    /// * `#` comments up to the line's end, and a first line with the size (`3` or `3x4`), as the n-puzzle exercise's files have
    ///   them;
    /// * JSON: arrays, flat or nested, strings, and objects with a `board`; of their other keys only `size` matters;
    /// * what `tilebase show` draws;
    /// * line ends of any system, a byte-order mark, a terminal's colours.
    ///
    /// The size is `size` if given, else that of the rows, else the square with that many squares. Several boards are read by
    /// [`Boards`](crate::Boards). A text that can be two different boards is refused.
    ///
    /// ```
    /// use tilebase_puzzle::Board;
    /// let board: Board = "1 2 3 / 4 5 6 / 7 0 8".parse()?;
    /// for text in ["[[1,2,3],[4,5,6],[7,0,8]]", "1 2 3;4 5 6;7 _ 8", "123456708", "# solvable\n3\n1 2 3\n4 5 6 # a row\n7 0 8\n"] {
    ///     assert_eq!(text.parse(), Ok(board));
    /// }
    /// assert_eq!(r#"{"id": 7, "board": "1 2 3 4 5 6 7 0 8"}"#.parse(), Ok(board));
    /// # Ok::<(), tilebase_puzzle::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseError`] says what was expected and names the token or row that is not.
    pub fn parse(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
        parse(text, size, Comments::ToLineEnd)
    }

    /// Reads a board as [`parse`](Board::parse) does, from an argument of a command: there `#` begins a comment only where a line
    /// begins with it and the text has several lines. Elsewhere it is a mistake like any other character that no board has.
    ///
    /// ```
    /// use tilebase_puzzle::Board;
    /// assert!(Board::parse_argument("1 2 3 / 4 5 6 / 7 8 0 # solved", None).is_err());
    /// assert!(Board::parse_argument("# solved\n1 2 3\n4 5 6\n7 8 0", None).is_ok());
    /// ```
    ///
    /// # Errors
    /// As for [`parse`](Board::parse).
    pub fn parse_argument(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
        let comments = if text.trim().contains('\n') { Comments::WholeLines } else { Comments::None };
        parse(text, size, comments)
    }

    /// A board from the numbers of its rows, or from one list of all of them. The blank is 0, or the number of squares when there is
    /// no 0. The size is `size` if given, else that of the rows, else the square with that many squares.
    ///
    /// # Errors
    /// [`ParseError`] when the rows are no board, or none of that size.
    pub fn from_rows(rows: &[Vec<u64>], size: Option<Size>) -> Result<Board, ParseError> {
        let in_rows = if rows.len() > 1 { Some(size_of_rows(rows)?) } else { None };
        let size = match (size, in_rows, rows.first()) {
            (Some(given), Some(found), _) if given != found => return Err(ParseError::OtherSize { given, found }),
            (_, _, None) => return Err(ParseError::Empty),
            (Some(size), _, _) | (None, Some(size), _) => size,
            (None, None, Some(row)) => size_of_flat_list(row)?,
        };
        let mut labels = rows.concat();
        if !labels.contains(&0) {
            let largest = size.count() as u64;
            labels.iter_mut().filter(|label| **label == largest).for_each(|label| *label = 0);
        }
        Ok(Board::new(size, &labels)?)
    }
}

fn parse(text: &str, size: Option<Size>, comments: Comments) -> Result<Board, ParseError> {
    let text = drawn::without_colours(text);
    let whole = forms::plain(&text);
    let text = after_comments(&whole, comments);
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    if is_object(text) {
        return of_object(text, size);
    }
    if text.starts_with('"')
        && let Some(text) = json::string(text)
    {
        return Board::parse(&text, size);
    }
    if drawn::is_drawn(text) {
        return of_drawing(text, size);
    }
    of_tiles(text, size, comments).or_else(|refused| {
        let (stated, rest) = size_line(text, comments).unwrap_or((None, text));
        let below = words::read(&cut(rest, comments), size.or(stated)).filter(Result::is_ok);
        let other = below.or_else(|| words::read_table(&whole, comments, size));
        let other = other.or_else(|| words::read(&cut(text, comments), size));
        other.unwrap_or(Err(refused))
    })
}

/// Reads a board of plain numbers.
fn of_tiles(text: &str, size: Option<Size>, comments: Comments) -> Result<Board, ParseError> {
    let (stated, text) = size_line(text, comments)?;
    let size = match (size, stated) {
        (Some(given), Some(found)) if given != found => return Err(ParseError::OtherSize { given, found }),
        (size, stated) => size.or(stated),
    };
    let cut = cut(text, comments);
    if let Some((row, column)) = cut.missing {
        return Err(ParseError::Missing { row, column });
    }
    let labels = |(row, tokens): (usize, &Vec<&str>)| -> Result<Vec<u64>, ParseError> {
        let not = |column, token: &str| ParseError::NotANumber { token: token.to_owned(), row, column };
        let of_token = |(column, token): (usize, &&str)| label(token).ok_or_else(|| not(column, token));
        tokens.iter().enumerate().map(of_token).collect()
    };
    Board::from_rows(&cut.rows.iter().enumerate().map(labels).collect::<Result<Vec<_>, _>>()?, size)
}

/// Whether a text begins with a line that has nothing but the length of a side, as the n-puzzle exercise's files do. The goal of
/// such a board is usually the spiral: [`Goal::usual`](crate::Goal::usual).
///
/// ```
/// use tilebase_puzzle::has_size_line;
/// assert!(has_size_line("# solvable\n3\n1 2 3\n4 5 6\n7 8 0\n"));
/// assert!(!has_size_line("1 2 3\n4 5 6\n7 8 0\n"));
/// ```
pub fn has_size_line(text: &str) -> bool {
    let whole = forms::plain(text);
    let text = after_comments(&whole, Comments::ToLineEnd);
    let first = Comments::ToLineEnd.without(text.lines().next().unwrap_or_default()).trim();
    is_side(first) && matches!(size_line(text, Comments::ToLineEnd), Ok((Some(_), _)))
}

/// The text from the first line on that is no comment, without white space around it.
fn after_comments(text: &str, comments: Comments) -> &str {
    let is_space = |character: char| character.is_whitespace() || character == '\u{feff}';
    let mut text = text.trim_matches(is_space);
    while comments != Comments::None && text.starts_with('#') {
        text = text.split_once('\n').map_or("", |(_, rest)| rest).trim_start_matches(is_space);
    }
    text
}

/// Whether a text begins as an object of JSON does. Other texts in braces are lists, as some languages write them.
pub(crate) fn is_object(text: &str) -> bool {
    let inside = text.strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(['"', '}']))
}

fn of_object(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
    let object = json::object(text)?;
    // Whatever programs call a size without its two sides is not looked at.
    let stated = object.size.filter(|size| !is_number(size)).and_then(|size| size.parse().ok());
    let size = size.or(stated);
    Board::parse(&object.board, size)
}

fn of_drawing(text: &str, size: Option<Size>) -> Result<Board, ParseError> {
    let mut rows = Vec::new();
    for (row, cells) in drawn::cells(text).into_iter().enumerate() {
        let label = |(column, cell): (usize, &str)| match drawn::number(cell) {
            "" if cell.is_empty() => Ok(0),
            number => label(number).ok_or_else(|| ParseError::NotANumber { token: cell.to_owned(), row, column }),
        };
        rows.push(cells.into_iter().enumerate().map(label).collect::<Result<Vec<_>, _>>()?);
    }
    Board::from_rows(&rows, size)
}

/// The size that the first line says, if it has nothing else and rows follow, and those.
fn size_line(text: &str, comments: Comments) -> Result<(Option<Size>, &str), ParseError> {
    let Some((line, rest)) = text.split_once('\n') else { return Ok((None, text)) };
    if cut(rest, comments).rows.is_empty() {
        return Ok((None, text));
    }
    match size_of_line(comments.without(line).trim()) {
        Some(size) => Ok((Some(size?), rest)),
        None => Ok((None, text)),
    }
}

/// Whether a line, without its comment, has nothing but the length of a side.
pub(crate) fn is_side(line: &str) -> bool {
    line.len() == 1 && matches!(size_of_line(line), Some(Ok(_)))
}

/// The size that a line says: `3` or `3x4`. `None` when it says something else.
pub(crate) fn size_of_line(line: &str) -> Option<Result<Size, SizeError>> {
    let (width, height) = forms::sides(line);
    let side = |text: &str| text.parse().unwrap_or(usize::MAX);
    let is_other = |character: char| character == '*' || character.is_whitespace();
    let is_size = is_number(width) && is_number(height) && !line.contains(is_other);
    is_size.then(|| Size::new(side(width), side(height)))
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
        "{} at row {}, column {} is not a tile: expected a number, or 0, _, ., x, - or * for the blank",
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
    /// A text that can be different boards.
    #[error("{} can be several boards: write {}", crate::quoted(.text), with_sizes(.readings))]
    Ambiguous {
        /// The characters of all squares.
        text: String,
        /// The boards that it can be.
        readings: Vec<Board>,
    },
    /// A text that begins as an object of JSON, and is none.
    #[error("this is not JSON: {0}")]
    NotJson(String),
    /// An object of JSON without a board in it.
    #[error(
        "the object has {}: expected a board there, such as {{\"board\": \"1 2 3 / 4 5 6 / 7 8 0\"}} or an array of tiles",
        if *.has_key { "a \"board\" that is neither a text nor an array" } else { "no \"board\"" }
    )]
    NoBoard {
        /// Whether it has something of this name.
        has_key: bool,
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

/// Boards as they can be written so that each is meant.
fn with_sizes(readings: &[Board]) -> String {
    let written: Vec<String> = readings.iter().map(|board| format!("\"{board}\" (--size {})", board.size())).collect();
    written.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn loose_spacing_is_understood() {
        let board: Board = "1 2 3 / 4 5 6 / 7 8 0".parse().unwrap();
        let lines = "1 2 3\r\n4 5 6\r\n7 8 .\r\n";
        let drawing =
            "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5b│ 6 │\n├───┼───┼───┤\n│ 7 │ 8 │   │\n└───┴───┴───┘";
        for text in [
            "\u{feff}1 2 3;4 5 6;7 8 0",
            "1 2 3|4 5 6|7 8 0|",
            "1 2 3/4 5 6/7 8 0/",
            "(1 2 3) (4 5 6) (7 8 0)",
            "[1,2,3,4,5,6,7,8,0]",
            "[[1, 2, 3],\n [4, 5, 6],\n [7, 8, 0]]\n",
            "{{1,2,3},{4,5,6},{7,8,0}}",
            "# This puzzle is solvable\n3\n1 2 3 # first\r\n4 5 6\n\n7 8 0\n",
            "3x3\n1 2 3 4 5 6 7 8 0",
            "\"1 2 3\\n4 5 6\\n7 8 0\"",
            "{\"board\": [[1,2,3],[4,5,6],[7,8,0]], \"seed\": 1}",
            "# of a file\n{\n  \"id\": \"#\",\n  \"board\": \"1 2 3/4 5 6/7 8 _\"\n}",
            drawing,
            &format!("{drawing}\nsolvable: this and that\n"),
            "\x1b[32m1\x1b[0m 2 3 / 4 5 6 / 7 8 0",
        ] {
            assert_eq!(text.parse(), Ok(board), "{text}");
        }
        let flat = "{\"board\": \"1 2 3 4 5 0\", \"size\": \"2x3\"}";
        assert_eq!(flat.parse::<Board>().unwrap().to_string(), "1 2 / 3 4 / 5 0");
        for text in ["1 2 3/4 5 6/7 8 0", " 1, 2 ,3 / 4,5,6 / 7 , 8,_ \n", lines, "1\t2 3 4 5 6 7 8 9"] {
            assert_eq!(text.parse(), Ok(board), "{text}");
        }
    }

    #[test]
    fn each_kind_of_bad_board_has_its_own_message() {
        let cases = [
            ("", "the board is empty"),
            (" \n ", "the board is empty"),
            ("1 2 3 / 4 4 6 / 7 8 0", "tile 4 appears twice, at row 2, column 1 and at row 2, column 2, and tile 5 is"),
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
            ("1 2 3 0 / 4 5 6 7 / / ", "row 3 has 0 tiles"),
            ("# nothing but a remark", "the board is empty"),
            ("/", "the board is empty"),
            ("[1, 2, 3, [4, 5, 6], [7, 8, b]]", "\"b\" at row 3, column 3 is not a tile"),
            ("[1,,3,4]", "nothing stands between two commas at row 1, column 2"),
            ("3\n1 2 3\n4 5 6\n7 8 8", "tile 8 appears twice, at row 3, column 2 and at row 3, column 3"),
            ("3\n1 2 3 0\n4 5 6 7", "expected a board of 3x3, found rows that make 4x2"),
            ("7\n1 2 3\n4 5 6\n7 8 0", "a board of 7x7 squares is not supported"),
            ("3", "1 square is not a board"),
            ("{\"board\": \"1 2 / 3 0\"", "this is not JSON: EOF"),
            ("{\"boards\": []}", "the object has no \"board\": expected"),
            ("{\"board\": 7}", "the object has a \"board\" that is neither a text nor an array: expected"),
            ("{\"board\": \"1 2 / 3 b\"}", "\"b\" at row 2, column 2 is not a tile"),
            ("{\"board\": [[1, 2], [3, {}]]}", "row 2 has 1 tile, but row 1 has 2"),
            ("┌───┬───┐\n│ 1 │ 2 │\n│ 3 │ b │\n└───┴───┘", "\"b\" at row 2, column 2 is not a tile"),
            ("┌───┬───┐", "the board is empty"),
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
            let text = String::from_utf8_lossy(&bytes);
            let _ = text.parse::<Board>();
            let _ = format!("{{\"board\":{text}").parse::<Board>();
            let _ = format!("│{text}").parse::<Board>();
        }

        #[test]
        fn random_tokens_never_panic_and_what_parses_prints(
            text in "[0-9_.x/,;|#\\[\\](){}\"│┌└\x1b \n]{0,60}", size in prop::option::of((0usize..9, 0usize..9))
        ) {
            let size = size.and_then(|(w, h)| Size::new(w, h).ok());
            if let Ok(board) = Board::parse(&text, size) {
                prop_assert_eq!(board.to_string().parse(), Ok(board));
            }
        }
    }
}
