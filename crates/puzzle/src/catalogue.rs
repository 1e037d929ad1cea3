//! Catalogues: one partition or several with a name, drawn as the solved board with a letter for each pattern.

use crate::pattern::{Partition, Pattern, PatternError};
use crate::size::{Size, SizeError, Square};
use crate::symmetry::Symmetry;

/// The catalogues that come with the program: name and drawing, from `catalog`.
const KNOWN: [(&str, &str); 10] = [
    ("5-5-5", include_str!("../catalog/5-5-5.txt")),
    ("6-6-3", include_str!("../catalog/6-6-3.txt")),
    ("7-8", include_str!("../catalog/7-8.txt")),
    ("6-6-6-6", include_str!("../catalog/6-6-6-6.txt")),
    ("small", include_str!("../catalog/small.txt")),
    ("8-8-7-1", include_str!("../catalog/8-8-7-1.txt")),
    ("8-8-8", include_str!("../catalog/8-8-8.txt")),
    ("5-5-5b", include_str!("../catalog/5-5-5b.txt")),
    ("6-6-3b", include_str!("../catalog/6-6-3b.txt")),
    ("7-7-7-3", include_str!("../catalog/7-7-7-3.txt")),
];

/// A partition, or several of one puzzle of which the largest sum counts, and what they are called.
///
/// ```
/// use tilebase_puzzle::Catalogue;
/// let known = Catalogue::known("7-8").unwrap();
/// let drawn = Catalogue::draw("mine", ".ABB/AABB/AABB/AABB")?;
/// assert_eq!(known.partitions, drawn.partitions);
/// assert_eq!(Catalogue::known("small").unwrap().partitions.len(), 7);
/// # Ok::<(), tilebase_puzzle::DrawingError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Catalogue {
    /// What it is called.
    pub name: String,
    /// Its partitions: at least one, all of one puzzle.
    pub partitions: Vec<Partition>,
}

impl Catalogue {
    /// The names of the catalogues that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, _)| *name)
    }

    /// A catalogue that comes with the program.
    pub fn known(name: &str) -> Option<Catalogue> {
        let (name, drawing) = KNOWN.iter().find(|(known, _)| *known == name)?;
        Some(Catalogue::draw(name, drawing).expect("the drawings in our own files are tested"))
    }

    /// A catalogue of one partition.
    pub fn of_one(name: &str, partition: Partition) -> Catalogue {
        Catalogue { name: name.to_owned(), partitions: vec![partition] }
    }

    /// The first partition.
    pub fn first(&self) -> &Partition {
        &self.partitions[0]
    }

    /// The partition of a catalogue that has no other.
    pub fn only(&self) -> Option<&Partition> {
        if let [partition] = &self.partitions[..] { Some(partition) } else { None }
    }

    /// The patterns of all partitions, each once, in order. Mirror images are different patterns.
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        for pattern in self.partitions.iter().flat_map(Partition::patterns) {
            if !patterns.contains(pattern) {
                patterns.push(*pattern);
            }
        }
        patterns
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.first().size()
    }

    /// The blank's goal square.
    pub fn home(&self) -> Square {
        self.first().home()
    }

    /// Reads a drawing: one character for each square of the solved board, `.` for the blank, a letter for the pattern
    /// that has the square's tile. Rows are lines or separated by `/`; spaces and lines that start with `#` are skipped.
    /// Patterns come in alphabetical order. The blank may be drawn anywhere; the drawing is turned into the canonical
    /// frame, where it is as near to the first corner as can be. Several drawings have an empty line between them.
    ///
    /// # Errors
    /// [`DrawingError`] names the square that is wrong, and of several drawings the one.
    pub fn draw(name: &str, drawing: &str) -> Result<Catalogue, DrawingError> {
        let lines: Vec<&str> = drawing.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        let drawings = lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
        let partitions: Vec<_> = drawings.map(partition).collect();
        let is_single = partitions.len() == 1;
        let mut read: Vec<Partition> = Vec::new();
        for (number, partition) in partitions.into_iter().enumerate() {
            let expected = read.first().map(|first| (first.size(), first.home()));
            let partition = partition.and_then(|found| match expected {
                Some(expected) if expected != (found.size(), found.home()) => {
                    Err(DrawingError::OtherPuzzle { expected, found: (found.size(), found.home()) })
                }
                _ => Ok(found),
            });
            let of_several = |error| DrawingError::OfSeveral { number: number + 1, error: Box::new(error) };
            read.push(partition.map_err(|error| if is_single { error } else { of_several(error) })?);
        }
        if read.is_empty() {
            return Err(DrawingError::Empty);
        }
        Ok(Catalogue { name: name.to_owned(), partitions: read })
    }
}

/// Reads one drawing from its lines.
fn partition(lines: &[&str]) -> Result<Partition, DrawingError> {
    let rows = lines.iter().flat_map(|line| line.split('/'));
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
    Ok(patterns.and_then(Partition::new)?)
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
    /// A drawing of another puzzle than the first.
    #[error(
        "it is of {}, the blank on square {}, but the first drawing is of {}, the blank on square {}: all have to be of one puzzle",
        .found.0, .found.1.0, .expected.0, .expected.1.0
    )]
    OtherPuzzle {
        /// Size and blank's goal square of the first.
        expected: (Size, Square),
        /// Those of this one.
        found: (Size, Square),
    },
    /// One of several drawings that is wrong.
    #[error("drawing {number}: {error}")]
    OfSeveral {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        error: Box<DrawingError>,
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
        Catalogue::known(name).unwrap().patterns().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_known_catalogues_have_the_designed_patterns() {
        assert_eq!(tiles("5-5-5"), ["1,2,4,5,8", "9,12,13,14,15", "3,6,7,10,11"]);
        assert_eq!(tiles("5-5-5b"), ["1,2,3,4,5", "6,7,10,11,15", "8,9,12,13,14"]);
        assert_eq!(tiles("6-6-3"), ["1,2,4,5,8,9", "3,6,7,10,11,15", "12,13,14"]);
        assert_eq!(tiles("6-6-3b"), ["1,2,3,4,5,6", "7,11,15", "8,9,10,12,13,14"]);
        assert_eq!(tiles("7-8"), ["1,4,5,8,9,12,13", "2,3,6,7,10,11,14,15"]);
        assert_eq!(tiles("6-6-6-6"), ["1,2,5,6,7,12", "3,4,8,9,13,14", "10,11,15,16,20,21", "17,18,19,22,23,24"]);
        assert_eq!(tiles("7-7-7-3"), ["1,2,3,5,6,7,10", "4,8,9", "11,15,16,17,20,21,22", "12,13,14,18,19,23,24"]);
        assert_eq!(tiles("8-8-8"), ["1,2,5,6,10,11,15,20", "3,4,7,8,9,12,13,14", "16,17,18,19,21,22,23,24"]);
        assert_eq!(tiles("8-8-7-1"), ["1,2,5,6,10,11,15,20", "3,4,7,8,9,12,13,14", "17,18,19,21,22,23,24", "16"]);
        for name in Catalogue::names() {
            let known = Catalogue::known(name).unwrap();
            for partition in &known.partitions {
                assert_eq!(partition.views().first(), Some(&Symmetry::IDENTITY));
                assert_eq!(Catalogue::draw(name, &partition.drawing()).unwrap().only(), Some(partition));
            }
            let drawings: Vec<String> = known.partitions.iter().map(Partition::drawing).collect();
            assert_eq!(Catalogue::draw(name, &drawings.join("\n\n")).unwrap(), known);
        }
    }

    #[test]
    fn the_small_collection_has_seven_partitions_of_fourteen_tables() {
        let small = Catalogue::known("small").unwrap();
        assert_eq!(small.only(), None);
        assert_eq!(small.first(), Catalogue::known("6-6-6-6").unwrap().first());
        // As published, but for the first, which is drawn as its mirror image.
        let drawings: Vec<String> = small.partitions[1..].iter().map(Partition::drawing).collect();
        let published = [
            ".AABB/AABBB/AABCC/DDDCC/DDDCC",
            ".ABBB/AABBB/AAACC/CCCCD/DDDDD",
            ".AABB/AABBB/AABCC/CCCCD/DDDDD",
            ".ABBB/AABBB/ACCDD/ACCDD/ACCDD",
            ".AABB/AACCB/AACCB/DDDCB/DDDCB",
            ".ABBB/AABBB/ACCCD/ACCCD/ADDDD",
        ];
        assert_eq!(drawings, published);
        let mirrored = Catalogue::draw("", ".ABBB/AABBB/AAACC/DDDCC/DDDCC").unwrap();
        let look = |partition: &Partition| {
            let mut images: Vec<_> = partition.patterns().iter().map(|pattern| pattern.images().min()).collect();
            images.sort();
            images
        };
        assert_eq!(look(small.first()), look(mirrored.first()));
        let mut tables: Vec<_> = small.patterns().iter().map(|pattern| pattern.images().min()).collect();
        tables.sort();
        tables.dedup();
        assert_eq!(tables.len(), 14);
    }

    #[test]
    fn several_drawings_have_empty_lines_between_them_and_comments_separate_nothing() {
        let text = "\n# two\n. A B\nA A B\n# still the first\nA B B\n \n\n.AA/AAB/BBB\n\n";
        let several = Catalogue::draw("two", text).unwrap();
        let drawings: Vec<String> = several.partitions.iter().map(Partition::drawing).collect();
        assert_eq!(drawings, [".AB/AAB/ABB", ".AA/AAB/BBB"]);
        assert_eq!(several.patterns().len(), 4);
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
            (".AB/AAB/ABB\n\n.AB/AA/AAB", "drawing 2: row 2 of the drawing has 2 squares, but row 1 has 3"),
            (
                ".AB/AAB/ABB\n\nA.B/AAB/ABB",
                "drawing 2: it is of 3x3, the blank on square 1, but the first drawing is of 3x3",
            ),
            (".ABBBB/AABBBB/AABBBB/AABBBB/AABBBB", "a board of 6x5 squares is not supported"),
        ];
        for (drawing, expected) in cases {
            let message = Catalogue::draw("bad", drawing).expect_err(drawing).to_string();
            assert!(message.contains(expected), "{drawing}: {message}");
        }
    }
}
