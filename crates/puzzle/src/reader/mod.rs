//! Boards from a file or a pipe, one after the other, in any notation.
//!
//! Most boards are a line, and are handed over as soon as it is read, so that whoever types or pipes boards gets answers in between.
//! A line that is a row is held back until its board is whole. Which of the two a line is, is mostly plain from the line: one with
//! rows in it is a board, right or wrong; so is a list of 13 or more tiles, because no board is that wide. Of other lists the line
//! after it says: a list that is no board is the first row of one, if more lists follow. Four tiles that make a board of 2×2 are
//! the first row of a larger one if the next line has four others. Nine tiles that make a board of 3×3 are that board: the rare
//! grid of 9×2 whose first row has the tiles 1 to 9 has to be announced by its size.

mod lines;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead};

use crate::board::Board;
use crate::drawn;
use crate::parse::ParseError;
use crate::quote::quoted;
use crate::size::{MAX_SQUARES, Size, SizeError};
use lines::{Kind, Lines, Row, is_count, is_permutation, labels, open_brackets};

/// The most bytes of a line, and of a board on several: some hundred times what the longest board has.
const MOST_BYTES: usize = 1 << 16;

/// No board is wider: it would have more squares than any board in two rows.
const WIDEST: usize = MAX_SQUARES / 2;

/// A list of this many tiles may be a board of 2×2, or the first row of a larger one.
const AMBIGUOUS: usize = 4;

/// A board that was read, or why it is none.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadBoard {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The board, or what is wrong with it.
    pub board: Result<Board, ReadError>,
}

/// Why a part of a file is no board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A text that is no board.
    #[error("{0}")]
    Board(#[from] ParseError),
    /// A line, or the lines of one board, longer than any board.
    #[error("the line has more than {MOST_BYTES} bytes, which no board has: {}", quoted(.start))]
    TooLong {
        /// How it begins.
        start: String,
    },
    /// Bytes that are no text.
    #[error("the line is not text (not UTF-8)")]
    NotText,
    /// More rows below each other than any board has.
    #[error(
        "{rows} lines of {width} tiles each are too many for one board: leave a line empty between boards, or give their size if \
         each line is a board (--size 3x4: width x height)"
    )]
    TooManyRows {
        /// Lines without an empty one between them.
        rows: usize,
        /// Tiles on each.
        width: usize,
    },
    /// The input gives no more lines; nothing comes after this.
    #[error("the boards cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

/// Reads boards, each as soon as it is whole: a board on a line of its own in any notation that [`Board::parse`] knows, or rows on
/// lines of their own, up to an empty line. Comments and empty lines are passed over, and so is what `tilebase show` writes beside
/// the boards that it draws.
///
/// What is no board is one error, however many lines it has, and the boards after it are read all the same.
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
    /// The board that was drawn last; after it, remarks are passed over.
    drawn: Option<Board>,
    passes_remarks: bool,
}

impl<R: BufRead> Boards<R> {
    /// Boards from an input; of a certain size, if it is given.
    pub fn new(input: R, size: Option<Size>) -> Boards<R> {
        Boards { lines: Lines::new(input), size, drawn: None, passes_remarks: false }
    }

    fn parse(&self, text: &str) -> Result<Board, ReadError> {
        Ok(Board::parse(text, self.size)?)
    }

    fn is_board(&self, line: &str) -> bool {
        Board::parse(line, self.size).is_ok()
    }

    /// The board that begins on a line; `None` when it is none that counts.
    fn begin(&mut self, line: String) -> Option<Result<Board, ReadError>> {
        let kind = Kind::of(&line);
        self.passes_remarks &= matches!(kind, Kind::Empty | Kind::Comment) || kind.is_remark();
        if self.passes_remarks {
            return None;
        }
        Some(match kind {
            Kind::Empty | Kind::Comment => return None,
            Kind::Drawing => return self.drawing(line),
            Kind::Open(depth) => self.brackets(line, depth),
            Kind::Whole { .. } | Kind::Words => self.parse(&line),
            Kind::Size(stated) => self.rows_of_stated_size(line, stated),
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
        self.passes_remarks = true;
        // What heuristics found is drawn on the same board once more.
        let before = self.drawn.take();
        self.drawn = board.as_ref().ok().copied();
        let is_repeated = self.drawn.is_some() && self.drawn == before && drawn::is_marked(&block.text);
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
        let mut block = Block::new(first);
        loop {
            match self.lines.next_text() {
                None => return block.parse(self.size),
                Some(next) => match Kind::of(&next.1) {
                    Kind::Empty | Kind::Comment => {}
                    Kind::Row(row) => {
                        block.push(next.1, row.tokens);
                        return self.rows(block, stated.ok());
                    }
                    _ => {
                        self.lines.hold(next);
                        return block.parse(self.size);
                    }
                },
            }
        }
    }

    /// A list without rows: a board, a row of one, or neither.
    fn row(&mut self, first: String, row: Row) -> Result<Board, ReadError> {
        let mut known = None;
        if let Some(size) = self.size {
            if row.tokens == size.count() {
                return self.parse(&first);
            }
            known = (row.tokens == size.width()).then_some(size);
        }
        let is_plain = row.tokens > WIDEST || row.tokens != AMBIGUOUS && self.is_board(&first);
        if is_plain || known.is_none() && !self.begins_a_grid(&first, row) {
            return self.parse(&first);
        }
        let mut block = Block::new(String::new());
        block.push(first, row.tokens);
        self.rows(block, known)
    }

    /// Whether a list and the lines after it are rows of one board. Looks at the next line that is no comment.
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
                // A few tiles can only be a row, even if the next one is spoilt.
                let is_row = row.is_tiles() && row.tokens <= 5 && !self.is_board(first);
                return is_row && matches!(other, Kind::Words | Kind::Size(_));
            }
        };
        let is_next_board = self.is_board(&next.1);
        let is_as_long = row.tokens == next_row.tokens;
        let (tiles, next_tiles) = (labels(first), labels(&next.1));
        let is_apart = tiles.iter().all(|tile| !next_tiles.contains(tile));
        let begins = if !row.is_tiles() {
            is_as_long && !is_next_board
        } else if is_permutation(&tiles) && is_count(row.tokens) {
            // A whole list, right or wrong, or a row that happens to have the smallest tiles.
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

    /// Rows up to an empty line, or as many as a known size has.
    fn rows(&mut self, mut block: Block, known: Option<Size>) -> Result<Board, ReadError> {
        while !known.is_some_and(|size| block.is_whole(size)) {
            let Some(next) = self.lines.next_text() else { break };
            let tokens = match Kind::of(&next.1) {
                Kind::Comment => continue,
                Kind::Row(row) if block.rows[0] == row.tokens || !self.is_board(&next.1) => row.tokens,
                Kind::Size(_) => 1,
                // It is the board's mistake, unless that is whole.
                Kind::Words if block.parse(self.size).is_err() => 1,
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
            let board = match text {
                Ok(text) => self.begin(text),
                Err(error) => Some(Err(error)),
            };
            if let Some(board) = board {
                return Some(ReadBoard { line, board });
            }
        }
    }
}

/// The lines of one board.
struct Block {
    text: String,
    last: String,
    /// Tokens of each row.
    rows: Vec<usize>,
    is_too_long: bool,
}

impl Block {
    fn new(first: String) -> Block {
        Block { text: first.clone(), last: first, rows: Vec::new(), is_too_long: false }
    }

    fn push(&mut self, line: String, tokens: usize) {
        self.rows.push(tokens);
        // Enough to say what is wrong.
        if self.text.len() + line.len() < MOST_BYTES {
            self.text.push('\n');
            self.text.push_str(&line);
        } else {
            self.is_too_long = true;
        }
        self.last = line;
    }

    fn is_whole(&self, size: Size) -> bool {
        let rows_are_whole = self.rows.len() == size.height() && self.rows.iter().all(|&tokens| tokens == size.width());
        rows_are_whole || self.rows == [size.count()]
    }

    fn parse(&self, size: Option<Size>) -> Result<Board, ReadError> {
        let (rows, width) = (self.rows.len(), self.rows.first().copied().unwrap_or(0));
        if rows > 1 && width > 1 && rows * width > MAX_SQUARES && self.rows.iter().all(|&tokens| tokens == width) {
            return Err(ReadError::TooManyRows { rows, width });
        }
        if self.is_too_long {
            return Err(ReadError::TooLong { start: self.text.chars().take(100).collect() });
        }
        Ok(Board::parse(&self.text, size)?)
    }
}
