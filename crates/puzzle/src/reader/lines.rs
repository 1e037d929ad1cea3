//! The lines of an input, and what each can be, seen by itself.

use std::io::{self, BufRead, Read};

use super::{MOST_BYTES, ReadError};
use crate::cut::{Comments, Cut, is_closing, is_number, is_opening, label};
use crate::drawn;
use crate::forms;
use crate::parse::{is_object, size_of_line};
use crate::size::{Size, SizeError};
use crate::words;

/// What a line can be, seen by itself.
pub(super) enum Kind {
    Empty,
    Comment,
    /// A line of a drawn board.
    Drawing,
    /// It opens this many brackets more than it closes.
    Open(i64),
    /// It has rows, or is JSON: a board, right or wrong.
    Whole {
        is_tiles: bool,
    },
    /// The size of the board to come.
    Size(Result<Size, SizeError>),
    /// A word with a character for each of some squares: a board, or a row of one.
    Word {
        squares: usize,
        /// It has digits only.
        is_number: bool,
    },
    /// A list with some tile in it.
    Row(Row),
    /// Nothing that a board has.
    Words,
}

#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) tokens: usize,
    /// How many of them are tiles.
    pub(super) tiles: usize,
}

impl Row {
    pub(super) fn is_tiles(self) -> bool {
        self.tiles == self.tokens
    }
}

impl Kind {
    pub(super) fn of(line: &str) -> Kind {
        let line = line.trim();
        if line.is_empty() {
            return Kind::Empty;
        }
        if line.starts_with('#') {
            return Kind::Comment;
        }
        if drawn::is_drawn(line) {
            return Kind::Drawing;
        }
        let depth = if line.starts_with(is_opening) { open_brackets(line) } else { 0 };
        if depth > 0 {
            return Kind::Open(depth);
        }
        if is_object(line) {
            return Kind::Whole { is_tiles: true };
        }
        let cut = cut(line);
        let is_tile = |token: &&&str| label(token).is_some();
        match &cut.rows[..] {
            [] => Kind::Words,
            [row] => {
                let tiles = row.iter().filter(is_tile).count();
                match (&row[..], tiles) {
                    (&[token], _) => Kind::of_token(token),
                    (row, tiles) if row.iter().filter(|token| forms::is_doubtful(token)).count() == tiles => {
                        Kind::Words
                    }
                    _ => Kind::Row(Row { tokens: row.len(), tiles }),
                }
            }
            rows => Kind::Whole { is_tiles: rows.iter().flatten().all(|token| is_tile(&token)) },
        }
    }

    fn of_token(token: &str) -> Kind {
        let is_number = is_number(token);
        match (size_of_line(token), words::length(token)) {
            (None, Some(squares)) => Kind::Word { squares, is_number },
            // A number of two digits is more likely the size of a board that is too large.
            (Some(Err(_)), Some(squares)) if squares > 2 && !words::is_size(token) => Kind::Word { squares, is_number },
            (size, _) => size.map_or(Kind::Words, Kind::Size),
        }
    }

    /// Whether it is something that `tilebase show` may say beside a board.
    pub(super) fn is_remark(&self) -> bool {
        match self {
            Kind::Words | Kind::Whole { is_tiles: false } | Kind::Word { is_number: false, .. } => true,
            Kind::Row(row) => !row.is_tiles(),
            _ => false,
        }
    }
}

fn cut(line: &str) -> Cut<'_> {
    crate::cut::cut(line, Comments::ToLineEnd)
}

/// The labels of all tiles on a line, 0 for the blank.
pub(super) fn labels(line: &str) -> Vec<u64> {
    cut(line).rows.concat().into_iter().filter_map(label).collect()
}

/// Whether a list has each of the smallest tiles once, and the blank as any sign or as its number.
pub(super) fn is_permutation(tiles: &[u64]) -> bool {
    let count = tiles.len() as u64;
    (0..count).all(|tile| tiles.contains(&tile)) || (1..=count).all(|tile| tiles.contains(&tile))
}

/// Whether boards can have this many squares.
pub(super) fn is_count(squares: usize) -> bool {
    (2..squares).any(|width| squares.is_multiple_of(width) && Size::new(width, squares / width).is_ok())
}

/// How many brackets more a line opens than it closes, outside strings and comments.
pub(super) fn open_brackets(line: &str) -> i64 {
    let (mut depth, mut is_string, mut is_escaped) = (0, false, false);
    for character in line.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ if is_string => {}
            '#' => break,
            _ => depth += i64::from(is_opening(character)) - i64::from(is_closing(character)),
        }
    }
    depth
}

/// The lines of an input, of which one may be held back.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    /// How many have been read.
    read: usize,
    held: Option<Line>,
    is_over: bool,
}

pub(super) type Line = (usize, Result<String, ReadError>);

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, read: 0, held: None, is_over: false }
    }

    /// The next line, without its end.
    pub(super) fn next(&mut self) -> Option<Line> {
        if let Some(line) = self.held.take() {
            return Some(line);
        }
        if self.is_over {
            return None;
        }
        self.read += 1;
        let text = match self.read_line() {
            Ok(None) => {
                self.is_over = true;
                return None;
            }
            Ok(Some(line)) if line.len() > MOST_BYTES => {
                let start = String::from_utf8_lossy(&line[..100]).into_owned();
                Err(ReadError::TooLong { start })
            }
            Ok(Some(line)) => String::from_utf8(line).map_err(|_| ReadError::NotText),
            Err(error) => {
                self.is_over = true;
                Err(ReadError::Unreadable(error))
            }
        };
        let is_mark = |character| character == '\u{feff}';
        let plain = |text: String| forms::plain(&drawn::without_colours(text.trim_start_matches(is_mark))).into_owned();
        Some((self.read, text.map(plain)))
    }

    /// The next line, if it is text. Another one is held back.
    pub(super) fn next_text(&mut self) -> Option<(usize, String)> {
        match self.next()? {
            (number, Ok(text)) => Some((number, text)),
            other => {
                self.held = Some(other);
                None
            }
        }
    }

    pub(super) fn hold(&mut self, (number, text): (usize, String)) {
        self.held = Some((number, Ok(text)));
    }

    /// The next line; of one with more than [`MOST_BYTES`] that many and one. `None` when there are no more.
    fn read_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > MOST_BYTES {
            self.input.skip_until(b'\n')?;
        }
        Ok(Some(line))
    }
}
