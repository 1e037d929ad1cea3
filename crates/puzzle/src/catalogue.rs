//! Catalogues: partitions with a name, drawn as the solved board with a letter for each pattern.

use crate::pattern::{Partition, Pattern, PatternError};
use crate::size::{Size, SizeError, Square};
use crate::symmetry::Symmetry;

/// The catalogues that come with the program: name and drawing, from `pdb/catalog`.
const KNOWN: [(&str, &str); 5] = [
    ("5-5-5", include_str!("../../../pdb/catalog/5-5-5.txt")),
    ("6-6-3", include_str!("../../../pdb/catalog/6-6-3.txt")),
    ("7-8", include_str!("../../../pdb/catalog/7-8.txt")),
    ("6-6-6-6", include_str!("../../../pdb/catalog/6-6-6-6.txt")),
    ("5-5-5b", include_str!("../../../pdb/catalog/5-5-5b.txt")),
];

/// A partition and what it is called.
///
/// ```
/// use tilebase_puzzle::Catalogue;
/// let known = Catalogue::known("7-8").unwrap();
/// let drawn = Catalogue::draw("mine", ".ABB/AABB/AABB/AABB")?;
/// assert_eq!(known.partition, drawn.partition);
/// # Ok::<(), tilebase_puzzle::DrawingError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Catalogue {
    /// What it is called.
    pub name: String,
    /// Its patterns.
    pub partition: Partition,
}

impl Catalogue {
    /// The names of the catalogues that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, _)| *name)
    }

    /// A catalogue that comes with the program.
    pub fn known(name: &str) -> Option<Catalogue> {
        let (name, drawing) = KNOWN.iter().find(|(known, _)| *known == name)?;
        Some(Catalogue::draw(name, drawing).expect("the drawings in pdb/catalog are tested"))
    }

    /// Reads a drawing: one character for each square of the solved board, `.` for the blank, a letter for the pattern
    /// that has the square's tile. Rows are lines or separated by `/`; spaces and lines that start with `#` are skipped.
    /// Patterns come in alphabetical order. The blank may be drawn anywhere; the drawing is turned into the canonical
    /// frame, where it is as near to the first corner as can be.
    ///
    /// # Errors
    /// [`DrawingError`] names the square that is wrong.
    pub fn draw(name: &str, drawing: &str) -> Result<Catalogue, DrawingError> {
        let lines = drawing.lines().filter(|line| !line.trim_start().starts_with('#'));
        let rows = lines.flat_map(|line| line.split('/'));
        let rows = rows.map(|row| row.chars().filter(|symbol| !symbol.is_whitespace()).collect::<Vec<char>>());
        let rows: Vec<Vec<char>> = rows.filter(|row| !row.is_empty()).collect();
        let width = rows.first().ok_or(DrawingError::Empty)?.len();
        if let Some((row, found)) = rows.iter().map(Vec::len).enumerate().find(|(_, found)| *found != width) {
            return Err(DrawingError::Ragged { row, expected: width, found });
        }
        let size = Size::new(width, rows.len())?;

        let mut blank: Option<Square> = None;
        let mut letters: Vec<(char, u32)> = Vec::new();
        for (square, &symbol) in size.squares().zip(rows.iter().flatten()) {
            match symbol {
                '.' => {
                    if let Some(first) = blank.replace(square) {
                        return Err(DrawingError::TwoBlanks { size, places: [first, square] });
                    }
                }
                _ if symbol.is_ascii_alphabetic() => match letters.iter_mut().find(|(letter, _)| *letter == symbol) {
                    Some((_, mask)) => *mask |= square.bit(),
                    None => letters.push((symbol, square.bit())),
                },
                _ => return Err(DrawingError::Hole { symbol, size, place: square }),
            }
        }
        let home = blank.ok_or(DrawingError::NoBlank)?;
        letters.sort_unstable();
        let symmetry = Symmetry::to_smallest(size, home);
        let pattern = |mask| Pattern::from_mask(size, home, mask).map(|pattern| pattern.seen_through(symmetry));
        let patterns = letters.iter().map(|&(_, mask)| pattern(mask)).collect::<Result<_, _>>();
        Ok(Catalogue { name: name.to_owned(), partition: patterns.and_then(Partition::new)? })
    }
}

/// A drawing that is not a partition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawingError {
    /// Nothing drawn.
    #[error("the drawing is empty: expected one such as .ABB/AABB/AABB/AABB")]
    Empty,
    /// A row that is longer or shorter than the first.
    #[error("row {} of the drawing has {found} squares, but row 1 has {expected}", .row + 1)]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// Squares in the first row.
        expected: usize,
        /// Squares in this row.
        found: usize,
    },
    /// A square that is neither the blank nor of a pattern.
    #[error(
        "the drawing has a hole: '{}' at {} is neither the blank (.) nor a pattern's letter (A to Z, a to z)",
        .symbol.escape_debug(),
        .size.place(*.place)
    )]
    Hole {
        /// What stands there.
        symbol: char,
        /// The drawing's size.
        size: Size,
        /// The square.
        place: Square,
    },
    /// No `.` anywhere.
    #[error("the drawing has no blank: expected one . on the blank's goal square")]
    NoBlank,
    /// A second `.`.
    #[error(
        "the drawing has two blanks, at {} and at {}: expected one",
        .size.place(.places[0]),
        .size.place(.places[1])
    )]
    TwoBlanks {
        /// The drawing's size.
        size: Size,
        /// Both squares.
        places: [Square; 2],
    },
    /// An unsupported size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// Letters that do not make a partition.
    #[error("{0}")]
    Pattern(#[from] PatternError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(name: &str) -> Vec<String> {
        Catalogue::known(name).unwrap().partition.patterns().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_known_catalogues_have_the_designed_patterns() {
        assert_eq!(tiles("5-5-5"), ["1,2,4,5,8", "9,12,13,14,15", "3,6,7,10,11"]);
        assert_eq!(tiles("5-5-5b"), ["1,2,3,4,5", "6,7,10,11,15", "8,9,12,13,14"]);
        assert_eq!(tiles("6-6-3"), ["1,2,4,5,8,9", "3,6,7,10,11,15", "12,13,14"]);
        assert_eq!(tiles("7-8"), ["1,4,5,8,9,12,13", "2,3,6,7,10,11,14,15"]);
        assert_eq!(tiles("6-6-6-6"), ["1,2,5,6,7,12", "3,4,8,9,13,14", "10,11,15,16,20,21", "17,18,19,22,23,24"]);
        for name in Catalogue::names() {
            let partition = Catalogue::known(name).unwrap().partition;
            assert_eq!(partition.views().first(), Some(&Symmetry::IDENTITY));
            assert_eq!(Catalogue::draw(name, &partition.drawing()).unwrap().partition, partition);
        }
    }

    #[test]
    fn a_drawing_with_the_blank_last_is_the_one_with_the_blank_first_turned_by_half() {
        let last = Catalogue::draw("7-8", "BBAA/BBAA/BBAA/BBA.").unwrap();
        assert_eq!(last, Catalogue::known("7-8").unwrap());
    }

    #[test]
    fn each_bad_drawing_has_its_own_message() {
        let cases = [
            ("", "the drawing is empty"),
            ("# only a comment\n", "the drawing is empty"),
            (".AB/AAB/A-B", "the drawing has a hole: '-' at row 3, column 2"),
            (".AB/A.B/AAB", "the drawing has two blanks, at row 1, column 1 and at row 2, column 2"),
            ("AAB/AAB/AAB", "the drawing has no blank"),
            (".AB/AA/AAB", "row 2 of the drawing has 2 squares, but row 1 has 3"),
            (".ABBBB/AABBBB/AABBBB/AABBBB/AABBBB", "a board of 6x5 squares is not supported"),
        ];
        for (drawing, expected) in cases {
            let message = Catalogue::draw("bad", drawing).expect_err(drawing).to_string();
            assert!(message.contains(expected), "{drawing}: {message}");
        }
    }
}
