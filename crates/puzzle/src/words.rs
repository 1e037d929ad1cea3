//! Boards that are written with a character for each square, and tables with an empty cell: what a text may be that is no board
//! of plain numbers.
//!
//! Nothing that is a board of plain numbers is read here, so that no other reading can replace that one.

use crate::board::Board;
use crate::cut::{Comments, Cut, is_number, label};
use crate::forms::{is_blank_character, sides};
use crate::parse::{ParseError, size_of_line};
use crate::size::{MAX_SQUARES, Size};

/// What the characters of tiles are.
#[derive(Clone, Copy)]
enum Alphabet {
    /// Digits, and letters after 9, as in hexadecimal numbers: A is 10.
    Digits,
    /// Letters alone: A is 1, and there is a sign of the blank, because many words would be boards without one.
    Letters,
}

impl Alphabet {
    /// The label of a character on a board of some squares: 0 for the blank.
    fn label(self, character: char, squares: usize) -> Option<u64> {
        let squares = squares as u64;
        let value = u64::from(character.to_digit(36).unwrap_or(0));
        let label = match self {
            Alphabet::Digits => value,
            Alphabet::Letters if character.is_ascii_alphabetic() => value - 9,
            Alphabet::Letters => 0,
        };
        // X is a tile of large boards, and the blank of others. The blank may have the number of squares.
        let is_tile = (1..=squares).contains(&label);
        let is_blank = character == '0' || is_blank_character(character);
        if is_tile { Some(label) } else { is_blank.then_some(0) }
    }

    fn labels(self, rows: &[Vec<char>], squares: usize) -> Option<Vec<Vec<u64>>> {
        rows.iter().map(|row| row.iter().map(|&character| self.label(character, squares)).collect()).collect()
    }
}

/// Reads rows whose squares are single characters: each row a word, all of them one word, or characters with something between them.
/// `None` for another text.
pub(crate) fn read(cut: &Cut<'_>, size: Option<Size>) -> Option<Result<Board, ParseError>> {
    let rows = characters(cut)?;
    let squares = rows.iter().map(Vec::len).sum();
    if !(4..=MAX_SQUARES).contains(&squares) {
        return None;
    }
    let mut readings: Vec<Board> = Vec::new();
    let mut error = None;
    for alphabet in [Alphabet::Digits, Alphabet::Letters] {
        let Some(labels) = alphabet.labels(&rows, squares) else { continue };
        if matches!(alphabet, Alphabet::Letters) && !labels.iter().flatten().any(|&label| label == 0) {
            continue;
        }
        let found = match &labels[..] {
            [flat] if size.is_none() => boards_of_any_size(flat),
            _ => Board::from_rows(&labels, size).map(|board| vec![board]),
        };
        match (found, alphabet) {
            (Ok(boards), _) => readings.extend(boards),
            (Err(why), Alphabet::Digits) => error = Some(why),
            // Most words of letters are no boards, right or wrong.
            (Err(_), Alphabet::Letters) => {}
        }
    }
    match &readings[..] {
        [] => error.map(Err),
        [only] => Some(Ok(*only)),
        _ => Some(Err(ParseError::Ambiguous { text: rows.concat().into_iter().collect(), readings })),
    }
}

/// The boards that a flat list can be: the square one, or else those of every size that has as many squares.
fn boards_of_any_size(labels: &[u64]) -> Result<Vec<Board>, ParseError> {
    let rows = [labels.to_vec()];
    let refused = match Board::from_rows(&rows, None) {
        Ok(board) => return Ok(vec![board]),
        // A square board without its blank is more likely than a rectangle.
        Err(refused @ ParseError::NoSquareCount { missing: Some(_), .. }) => return Err(refused),
        Err(refused) => refused,
    };
    let widths = (2..labels.len()).rev().filter(|width| labels.len().is_multiple_of(*width));
    let sizes = widths.filter_map(|width| Size::new(width, labels.len() / width).ok());
    let boards: Vec<Board> = sizes.filter_map(|size| Board::from_rows(&rows, Some(size)).ok()).collect();
    if boards.is_empty() { Err(refused) } else { Ok(boards) }
}

/// The characters of each row.
fn characters(cut: &Cut<'_>) -> Option<Vec<Vec<char>>> {
    let rows: Vec<&[&str]> = cut.rows.iter().map(Vec::as_slice).collect();
    let words: Vec<&str> = match &rows[..] {
        _ if cut.missing.is_some() => return None,
        // Characters one by one. Plain numbers have been looked at before.
        _ if rows.concat().iter().all(|token| is_word(token, 1)) => {
            let is_plain = rows.concat().into_iter().all(|token| label(token).is_some());
            let characters = |row: &&[&str]| row.concat().chars().collect();
            return (!is_plain).then(|| rows.iter().map(characters).collect());
        }
        // A size is no board.
        [[only]] if is_size(only) => return None,
        [row] => row.to_vec(),
        rows => rows.iter().map(|row| if let [only] = row { Some(*only) } else { None }).collect::<Option<_>>()?,
    };
    let length = words.first()?.chars().count();
    let are_words = length > 1 && words.iter().all(|word| is_word(word, length));
    are_words.then(|| words.iter().map(|word| word.chars().collect()).collect())
}

/// Whether a token can stand for this many squares. `-5` is a negative number, not squares.
fn is_word(token: &str, length: usize) -> bool {
    let mut characters = token.chars();
    let is_square = |character: char| character.is_ascii_alphanumeric() || is_blank_character(character);
    let is_negative = characters.next() == Some('-') && characters.next().is_some_and(|digit| digit.is_ascii_digit());
    token.chars().count() == length && token.chars().all(is_square) && !is_negative
}

/// Whether a token may as well be the size of a board, such as 13x2, supported or not.
pub(crate) fn is_size(token: &str) -> bool {
    let (width, height) = sides(token);
    let is_side = |side: &str| is_number(side) && side.len() <= 2;
    width.len() < token.len() && is_side(width) && is_side(height)
}

/// How many squares a line is that has nothing but a word with a character for each. Those of a board are different; a word of
/// letters in which one is repeated is nothing of that kind.
pub(crate) fn length(line: &str) -> Option<usize> {
    let word = of_line(line);
    let length = word.chars().count();
    ((2..=MAX_SQUARES).contains(&length) && is_word(word, length) && are_different(word)).then_some(length)
}

/// A line without its comment and white space.
pub(crate) fn of_line(line: &str) -> &str {
    Comments::ToLineEnd.without(line).trim()
}

/// Whether no character appears twice, ignoring case.
pub(crate) fn are_different(word: &str) -> bool {
    let mut characters: Vec<char> = word.chars().map(|character| character.to_ascii_lowercase()).collect();
    characters.sort_unstable();
    characters.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether a line is a row of a table, a token in each cell but one, which is empty.
pub(crate) fn has_empty_cell(line: &str, tokens: usize) -> bool {
    let cells = || Comments::ToLineEnd.without(line).split('\t');
    line.contains('\t') && cells().count() == tokens + 1 && cells().filter(|cell| cell.trim().is_empty()).count() == 1
}

/// Reads a table with tabs between its cells, of which one is empty: that is the blank. `None` for another text.
pub(crate) fn read_table(text: &str, comments: Comments, size: Option<Size>) -> Option<Result<Board, ParseError>> {
    if !text.contains('\t') {
        return None;
    }
    let lines = text.lines().map(|line| comments.without(line));
    let mut lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    let stated = lines.first().and_then(|line| size_of_line(line.trim())).and_then(Result::ok);
    if stated.is_some() {
        lines.remove(0);
    }
    let mut empty = 0;
    let mut cell = |cell: &str| match cell.trim() {
        "" => {
            empty += 1;
            Some(0)
        }
        cell => label(cell),
    };
    let rows: Vec<Vec<u64>> =
        lines.iter().map(|line| line.split('\t').map(&mut cell).collect()).collect::<Option<_>>()?;
    let is_table = empty == 1 && rows.iter().all(|row| row.len() == rows[0].len());
    let size = match (size, stated) {
        (Some(given), Some(found)) if given != found => return None,
        (size, stated) => size.or(stated),
    };
    Board::from_rows(&rows, size).ok().filter(|_| is_table).map(Ok)
}
