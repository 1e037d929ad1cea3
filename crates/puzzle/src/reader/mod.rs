//! Reads boards in any notation from a file or a pipe, one after the other.
//!
//! Most boards are on one line. The reader returns such a board as soon as it has read the line, so that a user who
//! types or pipes boards gets each answer at once. If a line is one row of a board, the reader waits until the board is
//! complete.
//!
//! These rules decide whether a line is a board or a row:
//!
//! * A line with rows in it is a board, valid or not. So is a list of 13 or more tiles, because no board is that wide.
//! * For a shorter list, the next line decides. A list that is not a board is a first row if more lists follow.
//! * Four tiles that form a 2×2 board are the first row of a larger board if the next line has four other tiles.
//! * Nine tiles that form a 3×3 board are that board. The rare 9×2 board whose first row has the tiles 1 to 9 needs a
//!   line with its size before it.
//! * A word with a character for each square is a board. It is a row if words of the same length with other characters
//!   follow.

mod lines;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead};

use crate::board::Board;
use crate::drawn;
use crate::parse::{ParseError, is_side};
use crate::quote::quoted;
use crate::size::{MAX_SQUARES, Size, SizeError};
use crate::words;
use lines::{Kind, Lines, Row, is_count, is_permutation, labels, open_brackets};

/// The most bytes of a line, and of a board on several lines: about a hundred times the length of the longest board.
const MOST_BYTES: usize = 1 << 16;

/// The width of the widest board. A wider one would have too many squares even with two rows.
const WIDEST: usize = MAX_SQUARES / 2;

/// A list of this many tiles is either a 2×2 board or the first row of a larger board.
const AMBIGUOUS: usize = 4;

/// A board that was read, or the error in its place.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadBoard {
    /// The line where the board begins, counted from 1.
    pub line: usize,
    /// The board, or why the text is not one.
    pub board: Result<Board, ReadError>,
    /// Whether the length of a side is on a line of its own before the rows, as in the files of the n-puzzle exercise.
    /// The goal of such a board is usually the spiral: [`Goal::usual`](crate::Goal::usual).
    pub has_size_line: bool,
}

/// Why a part of the input is not a board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not a board.
    #[error("{0}")]
    Board(#[from] ParseError),
    /// A line, or the lines of one board, have more bytes than any board.
    #[error("the line has more than {MOST_BYTES} bytes, which no board has: {}", quoted(.start))]
    TooLong {
        /// The beginning of the text.
        start: String,
    },
    /// The bytes of a line are not UTF-8.
    #[error("the line is not text (not UTF-8)")]
    NotText,
    /// There are more consecutive rows than any board has.
    #[error(
        "{rows} lines of {width} tiles each are too many for one board: leave a line empty between boards, or give their size if \
         each line is a board (--size 3x4: width x height)"
    )]
    TooManyRows {
        /// The number of lines without an empty line between them.
        rows: usize,
        /// The number of tiles on each line.
        width: usize,
    },
    /// The input cannot be read further. No boards follow.
    #[error("the boards cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

/// An iterator over the boards of an input. It returns each board as soon as it is complete.
///
/// A board is a line in any notation that [`Board::parse`] accepts, or rows on consecutive lines up to an empty line.
/// The reader skips comments and empty lines, and the other text that `tilebase show` prints with the boards that it
/// draws.
///
/// A text that is not a board gives one error, however many lines it has. The boards after it are read as usual.
///
/// ```
/// use tilebase_puzzle::Boards;
/// let text = "1 2 3 / 4 5 6 / 7 0 8\n\n3 # a size, and rows\n1 2 3\n4 5 6\n0 7 8\nnonsense\n[[3,1],[2,0]]\n";
/// let boards: Vec<_> = Boards::new(text.as_bytes(), None).collect();
/// assert_eq!(boards.iter().map(|read| read.line).collect::<Vec<_>>(), [1, 3, 7, 8]);
/// assert_eq!(boards[1].board.as_ref().unwrap().to_string(), "1 2 3 / 4 5 6 / 0 7 8");
/// assert!(boards[2].board.is_err());
/// ```
#[derive(Debug)]
pub struct Boards<R> {
    lines: Lines<R>,
    size: Option<Size>,
    /// The last board that was read from a drawing.
    drawn: Option<Board>,
    /// Whether to skip remarks, which `tilebase show` prints after a drawing.
    skips_remarks: bool,
}

impl<R: BufRead> Boards<R> {
    /// The boards of an input. If `size` is given, all boards must have it.
    pub fn new(input: R, size: Option<Size>) -> Boards<R> {
        Boards { lines: Lines::new(input), size, drawn: None, skips_remarks: false }
    }

    fn parse(&self, text: &str) -> Result<Board, ReadError> {
        Ok(Board::parse(text, self.size)?)
    }

    fn is_board(&self, line: &str) -> bool {
        Board::parse(line, self.size).is_ok()
    }

    /// The board that begins on a line. `None` if the line is to be skipped, or if a drawing repeats the last board.
    fn begin(&mut self, line: String) -> Option<Result<Board, ReadError>> {
        let kind = Kind::of(&line);
        let is_word_of_board = matches!(kind, Kind::Word { .. }) && self.is_board(&line);
        self.skips_remarks &= matches!(kind, Kind::Empty | Kind::Comment) || kind.is_remark() && !is_word_of_board;
        if self.skips_remarks {
            return None;
        }
        Some(match kind {
            Kind::Empty | Kind::Comment => return None,
            Kind::Drawing => return self.drawing(line),
            Kind::Open(depth) => self.brackets(line, depth),
            Kind::Whole { .. } | Kind::Words => self.parse(&line),
            Kind::Size(stated) => self.rows_of_stated_size(line, stated),
            Kind::Word { squares, .. } => self.word(line, squares),
            Kind::Row(row) => self.row(line, row),
        })
    }

    fn drawing(&mut self, first: String) -> Option<Result<Board, ReadError>> {
        let mut block = Block::new(first);
        while !drawn::is_last(&block.last) {
            match self.lines.next_text() {
                Some((_, text)) if drawn::is_drawn(&text) => block.push(text, 0),
                Some(other) => {
                    self.lines.hold(other);
                    break;
                }
                None => break,
            }
        }
        let board = block.parse(self.size);
        self.skips_remarks = true;
        // `tilebase show` draws the same board once more with marks that show what a heuristic found. Skip that
        // drawing.
        let previous = self.drawn.take();
        self.drawn = board.as_ref().ok().copied();
        let is_repeated = self.drawn.is_some() && self.drawn == previous && drawn::is_marked(&block.text);
        (!is_repeated).then_some(board)
    }

    fn brackets(&mut self, first: String, mut depth: i64) -> Result<Board, ReadError> {
        let mut block = Block::new(first);
        while depth > 0 {
            match self.lines.next_text() {
                Some((_, text)) if !text.trim().is_empty() => {
                    depth += open_brackets(&text);
                    block.push(text, 0);
                }
                _ => break,
            }
        }
        block.parse(self.size)
    }

    fn rows_of_stated_size(&mut self, first: String, stated: Result<Size, SizeError>) -> Result<Board, ReadError> {
        let squares = words::length(&first);
        // The line may be a row after all: 1x2 is not a supported size, and 03 is an unusual way to write one.
        let is_perhaps_row = stated.is_err() || !words::is_size(words::of_line(&first));
        let mut block = Block::new(first);
        loop {
            match self.lines.next_text() {
                None => return block.parse(self.size),
                Some(next) => match Kind::of(&next.1) {
                    Kind::Empty | Kind::Comment => {}
                    Kind::Row(row) => {
                        let squares = squares_of(&next.1, row, stated.ok());
                        block.push(next.1, squares);
                        block.unsupported = stated.err();
                        return self.rows(block, stated.ok());
                    }
                    // The line is not a size: the next line has as many single characters, so both are rows.
                    _ if is_perhaps_row && squares.is_some() && squares == words::length(&next.1) => {
                        let mut rows = Block::new(String::new());
                        rows.push(block.text, squares.unwrap_or_default());
                        self.lines.hold(next);
                        return self.rows_of_words(rows, None);
                    }
                    Kind::Word { squares, .. } if stated.is_ok_and(|size| size.width() == squares) => {
                        self.lines.hold(next);
                        return self.rows_of_words(block, stated.ok());
                    }
                    _ => {
                        self.lines.hold(next);
                        return block.parse(self.size);
                    }
                },
            }
        }
    }

    /// Reads a word with a character for each square: a board, the first row of one, or neither.
    fn word(&mut self, first: String, squares: usize) -> Result<Board, ReadError> {
        let known = self.size.filter(|size| size.width() == squares);
        let is_whole = self.is_board(&first) && (squares != AMBIGUOUS || self.size.is_some());
        if is_whole || squares > WIDEST || self.size.is_some() && known.is_none() {
            return self.parse(&first);
        }
        let mut block = Block::new(String::new());
        block.push(first, squares);
        self.rows_of_words(block, known)
    }

    /// Reads the rows of a board that are words. With a known size, reads as many rows as it has. Otherwise reads while
    /// the words are as long as the first and no character repeats.
    fn rows_of_words(&mut self, mut block: Block, known: Option<Size>) -> Result<Board, ReadError> {
        let mut word = if block.rows.is_empty() { String::new() } else { words::of_line(&block.last).to_owned() };
        while !known.is_some_and(|size| block.is_whole(size)) {
            let Some(next) = self.lines.next_text() else { break };
            if matches!(Kind::of(&next.1), Kind::Comment) {
                continue;
            }
            let longer = [&word, words::of_line(&next.1)].concat();
            let squares = words::length(&next.1).filter(|squares| block.rows.first().is_none_or(|row| row == squares));
            let Some(squares) = squares.filter(|_| words::are_different(&longer)) else {
                self.lines.hold(next);
                break;
            };
            word = longer;
            block.push(next.1, squares);
        }
        block.parse(self.size)
    }

    /// Reads a list of tiles on one line: a board, the first row of one, or neither.
    fn row(&mut self, first: String, row: Row) -> Result<Board, ReadError> {
        let mut known = None;
        if let Some(size) = self.size {
            if row.tokens == size.count() {
                return self.parse(&first);
            }
            known = (squares_of(&first, row, self.size) == size.width()).then_some(size);
        }
        let is_one_shorter = row.tokens + 1 == AMBIGUOUS && words::has_empty_cell(&first, row.tokens);
        // "10 23" is a 2×2 board with a word for each row, or a row of a 2×12 board.
        let is_of_words = !is_permutation(&labels(&first));
        let is_ambiguous = row.is_tiles() && (row.tokens == AMBIGUOUS || is_one_shorter || is_of_words);
        let is_plain = row.tokens > WIDEST || !is_ambiguous && self.is_board(&first);
        if is_plain || known.is_none() && !self.begins_a_grid(&first, row) {
            return self.parse(&first);
        }
        let mut block = Block::new(String::new());
        let squares = squares_of(&first, row, known);
        block.push(first, squares);
        self.rows(block, known)
    }

    /// Whether a list and the lines after it are rows of one board. Decides by the next line that is not a comment.
    fn begins_a_grid(&mut self, first: &str, row: Row) -> bool {
        let next = loop {
            match self.lines.next_text() {
                Some((_, text)) if matches!(Kind::of(&text), Kind::Comment) => {}
                Some(next) => break next,
                None => return false,
            }
        };
        let next_row = match Kind::of(&next.1) {
            Kind::Row(next_row) => next_row,
            other => {
                self.lines.hold(next);
                // A list of at most five tiles that is not a board can only be a row, even if the next row is
                // malformed.
                let is_row = row.is_tiles() && row.tokens <= 5 && !self.is_board(first);
                return is_row && matches!(other, Kind::Words | Kind::Size(_) | Kind::Word { .. });
            }
        };
        let is_next_shorter = next_row.tokens + 1 == row.tokens && words::has_empty_cell(&next.1, next_row.tokens);
        let (tiles, next_tiles) = (labels(first), labels(&next.1));
        let is_as_long = row.tokens == next_row.tokens;
        // A row can look like a board of words, as "20 13" does.
        let is_perhaps_row = is_next_shorter || is_as_long && !is_permutation(&next_tiles);
        let is_next_board = self.is_board(&next.1) && (!is_perhaps_row || self.is_board(first));
        let is_one_shorter = row.tokens + 1 == next_row.tokens && words::has_empty_cell(first, row.tokens);
        let is_apart = tiles.iter().all(|tile| !next_tiles.contains(tile));
        let begins = if !row.is_tiles() {
            is_as_long && !is_next_board
        } else if is_one_shorter && next_row.tokens <= WIDEST {
            !is_next_board
        } else if is_permutation(&tiles) && is_count(row.tokens) {
            // The list is a whole board, valid or not, or a row that happens to have the smallest tiles.
            is_apart && !is_next_board && (is_as_long || row.tokens != AMBIGUOUS)
        } else if row.tokens == 9 {
            is_as_long && self.is_board(&format!("{first}\n{}", next.1))
        } else if row.tokens == AMBIGUOUS && tiles.iter().any(|&tile| tile > 4) {
            is_as_long || !is_next_board
        } else {
            !is_next_board
        };
        self.lines.hold(next);
        begins
    }

    /// Reads rows up to an empty line, or as many rows as a known size has.
    fn rows(&mut self, mut block: Block, known: Option<Size>) -> Result<Board, ReadError> {
        while !known.is_some_and(|size| block.is_whole(size)) {
            let Some(next) = self.lines.next_text() else { break };
            let tokens = match Kind::of(&next.1) {
                Kind::Comment => continue,
                Kind::Row(row) if block.fits(&next.1, row.tokens) || !self.is_board(&next.1) => {
                    block.with_empty_cell(&next.1, row.tokens)
                }
                Kind::Size(_) | Kind::Word { is_number: true, .. } => 1,
                // A malformed line belongs to the board, unless the rows before it already form one.
                Kind::Words | Kind::Word { .. } if block.parse(self.size).is_err() => 1,
                Kind::Empty => break,
                _ => {
                    self.lines.hold(next);
                    break;
                }
            };
            block.push(next.1, tokens);
        }
        block.parse(self.size)
    }
}

impl<R: BufRead> Iterator for Boards<R> {
    type Item = ReadBoard;

    fn next(&mut self) -> Option<ReadBoard> {
        loop {
            let (line, text) = self.lines.next()?;
            let mut has_size_line = false;
            let board = match text {
                Ok(text) => {
                    has_size_line = is_side(words::of_line(&text));
                    self.begin(text)
                }
                Err(error) => Some(Err(error)),
            };
            if let Some(board) = board {
                return Some(ReadBoard { line, board, has_size_line });
            }
        }
    }
}

/// The number of squares of a row. One more than its tokens if the row has an empty cell, and a known size requires it.
fn squares_of(line: &str, row: Row, known: Option<Size>) -> usize {
    let is_one_shorter = known.is_some_and(|size| row.tokens + 1 == size.width());
    let is_one_shorter = is_one_shorter && row.is_tiles() && words::has_empty_cell(line, row.tokens);
    row.tokens + usize::from(is_one_shorter)
}

/// The lines of one board.
struct Block {
    text: String,
    last: String,
    /// The number of squares of each row, including an empty cell.
    rows: Vec<usize>,
    /// The error for a stated size that no board can have.
    unsupported: Option<SizeError>,
    is_too_long: bool,
}

impl Block {
    fn new(first: String) -> Block {
        Block { text: first.clone(), last: first, rows: Vec::new(), unsupported: None, is_too_long: false }
    }

    fn push(&mut self, line: String, tokens: usize) {
        self.rows.push(tokens);
        // Keep no more text than the error message needs.
        if self.text.len() + line.len() < MOST_BYTES {
            self.text.push('\n');
            self.text.push_str(&line);
        } else {
            self.is_too_long = true;
        }
        self.last = line;
    }

    /// Whether a row is as long as the first. Counts an empty cell of either row.
    fn fits(&self, line: &str, tokens: usize) -> bool {
        let first = self.rows[0];
        let is_first_shorter = first + 1 == tokens && self.rows.len() == 1 && words::has_empty_cell(&self.last, first);
        tokens == first || is_first_shorter || tokens + 1 == first && words::has_empty_cell(line, tokens)
    }

    /// The number of squares of a row. Counts an empty cell if that makes the row as long as the first.
    fn with_empty_cell(&mut self, line: &str, tokens: usize) -> usize {
        if !self.fits(line, tokens) {
            return tokens;
        }
        self.rows[0] = self.rows[0].max(tokens);
        self.rows[0]
    }

    fn is_whole(&self, size: Size) -> bool {
        let rows_are_whole = self.rows.len() == size.height() && self.rows.iter().all(|&tokens| tokens == size.width());
        rows_are_whole || self.rows == [size.count()]
    }

    fn parse(&self, size: Option<Size>) -> Result<Board, ReadError> {
        if let Some(unsupported) = self.unsupported {
            return Err(ParseError::from(unsupported).into());
        }
        let (rows, width) = (self.rows.len(), self.rows.first().copied().unwrap_or(0));
        if rows > 1 && width > 1 && rows * width > MAX_SQUARES && self.rows.iter().all(|&tokens| tokens == width) {
            let is_one_board = !self.is_too_long && is_permutation(&labels(&self.text));
            return Err(match Size::new(width, rows) {
                Err(unsupported) if is_one_board => ParseError::from(unsupported).into(),
                _ => ReadError::TooManyRows { rows, width },
            });
        }
        if self.is_too_long {
            return Err(ReadError::TooLong { start: self.text.chars().take(100).collect() });
        }
        Ok(Board::parse(&self.text, size)?)
    }
}
