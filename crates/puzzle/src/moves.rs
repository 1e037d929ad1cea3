//! Sequences of moves as text, written and read in the four forms that people use.

use std::str::FromStr;

use crate::board::{Blocked, Board};
use crate::forms;
use crate::metric::Metric;
use crate::names;
use crate::sequence::Sequence;
use crate::size::{Direction, MAX_SQUARES};

/// How a sequence of moves is written.
///
/// ```
/// use tilebase_puzzle::{Board, MoveForm};
/// let board: Board = "1 2 3 / 0 4 5 / 7 8 6".parse()?;
/// let slides = MoveForm::Tile.parse("L2U", &board)?;
/// assert_eq!(MoveForm::Blank.write(&slides, &board)?, "R2D");
/// assert_eq!(MoveForm::Tiles.write(&slides, &board)?, "4 5 6");
/// assert_eq!(MoveForm::Arrows.write(&slides, &board)?, "←←↑");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum MoveForm {
    /// Letters for the direction in which the tile slides, repeats counted: `R2U3L`.
    #[default]
    Tile,
    /// Letters for the direction in which the blank goes, repeats counted.
    Blank,
    /// The numbers of the tiles moved: `12 8 7`.
    Tiles,
    /// An arrow for the direction in which each tile slides: `→→↑`.
    Arrows,
}

impl MoveForm {
    /// All forms.
    pub const ALL: [MoveForm; 4] = [MoveForm::Tile, MoveForm::Blank, MoveForm::Tiles, MoveForm::Arrows];

    /// Writes the slides made from `start`.
    ///
    /// # Errors
    /// [`MovesError::Blocked`] when they cannot be made there.
    pub fn write(self, slides: &[Direction], start: &Board) -> Result<String, MovesError> {
        let mut board = *start;
        let mut tiles = Vec::with_capacity(slides.len());
        for (number, &direction) in slides.iter().enumerate() {
            let blocked = |why| MovesError::Blocked { number, why };
            tiles.push(board.slide(direction).map_err(blocked)?.to_string());
        }
        Ok(if self == MoveForm::Tiles { tiles.join(" ") } else { direction_text(slides, self) })
    }

    /// Reads moves made from `start`. Directions may be counted (`R2`) in any form that has directions, letters may be small, and
    /// white space and commas may stand between moves.
    ///
    /// # Errors
    /// [`MovesError`] names the symbol that is not a move, or the move that cannot be made.
    pub fn parse(self, text: &str, start: &Board) -> Result<Vec<Direction>, MovesError> {
        Sequence::parse(text, self)?.slides(start)
    }

    /// Reads moves like [`parse`](MoveForm::parse), but those that cannot be made are no error: the moves before them are made.
    ///
    /// ```
    /// use tilebase_puzzle::{Board, MoveForm};
    /// let board: Board = "1 2 / 3 0".parse()?;
    /// let played = MoveForm::Tile.play("R2D", &board)?;
    /// assert_eq!((played.slides.len(), played.length), (1, 3));
    /// assert!(played.illegal.unwrap().to_string().starts_with("move 2: no tile can slide right"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MovesError`] names the symbol that is not a move.
    pub fn play(self, text: &str, start: &Board) -> Result<Played, MovesError> {
        Ok(Sequence::parse(text, self)?.play(start))
    }

    /// How a slide in a direction is written, whether it can be made or not; tiles are written by their numbers instead.
    pub fn sign(self, slide: Direction) -> Option<char> {
        match self {
            MoveForm::Tile => Some(LETTERS[slide as usize]),
            MoveForm::Blank => Some(LETTERS[slide.opposite() as usize]),
            MoveForm::Arrows => Some(ARROWS[slide as usize]),
            MoveForm::Tiles => None,
        }
    }

    /// The form that a text seems to be in: its first sign is an arrow, a digit or something else. Letters are taken for the
    /// directions of tiles, because nothing tells them from those of the blank.
    pub fn detect(text: &str) -> MoveForm {
        match text.chars().find(|sign| !sign.is_whitespace() && *sign != ',') {
            Some(sign) if ARROWS.contains(&sign) => MoveForm::Arrows,
            Some(sign) if sign.is_ascii_digit() => MoveForm::Tiles,
            _ => MoveForm::Tile,
        }
    }
}

/// Moves that were read, and made as far as that was possible.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Played {
    /// Those that can be made, up to the first that cannot.
    pub slides: Vec<Direction>,
    /// How many there are, those that cannot be made counted too.
    pub length: usize,
    /// Why the next one cannot be made, if there is one.
    pub illegal: Option<MovesError>,
}

impl FromStr for MoveForm {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<MoveForm, MovesError> {
        let names = ["tile", "blank", "tiles", "arrows"];
        let name = forms::known_name(text, names, &[]);
        let form = MoveForm::ALL.into_iter().find(|form| name.is_some_and(|name| form.to_string() == name));
        form.ok_or_else(|| MovesError::NoSuchForm(text.to_owned()))
    }
}

names! { MoveForm: Tile => "tile", Blank => "blank", Tiles => "tiles", Arrows => "arrows" }

/// More moves than any text we read may stand for; a typo such as `R99999999999` must not fill the memory.
const MOST_MOVES: usize = 1_000_000;

/// Slides in a form that has directions.
pub(crate) fn direction_text(slides: &[Direction], form: MoveForm) -> String {
    match form {
        MoveForm::Tile | MoveForm::Tiles => counted_letters(slides),
        MoveForm::Blank => counted_letters(&opposites(slides)),
        MoveForm::Arrows => slides.iter().map(|&direction| ARROWS[direction as usize]).collect(),
    }
}

/// Reads slides in a form that has directions.
pub(crate) fn read_directions(text: &str, form: MoveForm) -> Result<Vec<Direction>, MovesError> {
    match form {
        MoveForm::Tile | MoveForm::Tiles => directions(text, LETTERS),
        MoveForm::Blank => directions(text, LETTERS).map(|directions| opposites(&directions)),
        MoveForm::Arrows => directions(text, ARROWS),
    }
}

fn opposites(directions: &[Direction]) -> Vec<Direction> {
    directions.iter().map(|direction| direction.opposite()).collect()
}

fn counted_letters(directions: &[Direction]) -> String {
    let runs = directions.chunk_by(|a, b| a == b).map(|run| match (LETTERS[run[0] as usize], run.len()) {
        (letter, 1) => letter.to_string(),
        (letter, count) => format!("{letter}{count}"),
    });
    runs.collect()
}

fn directions(text: &str, all: Symbols) -> Result<Vec<Direction>, MovesError> {
    let mut slides: Vec<Direction> = Vec::new();
    let mut symbols = text.char_indices().peekable();
    while let Some((place, symbol)) = symbols.next() {
        if symbol.is_whitespace() || symbol == ',' {
            continue;
        }
        let Some(direction) =
            Direction::ALL.into_iter().find(|&direction| all[direction as usize] == symbol.to_ascii_uppercase())
        else {
            return Err(MovesError::NotAMove { symbol: symbol.to_string(), place });
        };
        let mut count = String::new();
        while let Some((_, digit)) = symbols.next_if(|(_, symbol)| symbol.is_ascii_digit()) {
            count.push(digit);
        }
        let count: usize = if count.is_empty() { 1 } else { count.parse().unwrap_or(usize::MAX) };
        if count > MOST_MOVES - slides.len() {
            return Err(MovesError::TooMany);
        }
        slides.extend(std::iter::repeat_n(direction, count));
    }
    Ok(slides)
}

/// Reads the numbers of tiles.
pub(crate) fn read_tiles(text: &str) -> Result<Vec<u8>, MovesError> {
    let words = text.split(|symbol: char| symbol.is_whitespace() || symbol == ',').filter(|word| !word.is_empty());
    let tile = |(place, word): (usize, &str)| {
        let tile = word.parse().ok().filter(|&tile| tile != 0 && usize::from(tile) < MAX_SQUARES);
        tile.ok_or_else(|| MovesError::NotAMove { symbol: word.to_owned(), place })
    };
    words.enumerate().map(tile).collect()
}

/// Moves tiles from `start`, as far as that is possible.
pub(crate) fn play_tiles(tiles: &[u8], start: &Board) -> Played {
    let mut board = *start;
    let mut played = Played { slides: Vec::with_capacity(tiles.len()), length: tiles.len(), illegal: None };
    for (number, &tile) in tiles.iter().enumerate() {
        let next_to_blank = |direction: Direction| {
            let from = board.size().neighbour(board.blank(), direction.opposite());
            from.is_some_and(|from| board.label(from) == tile)
        };
        let Some(direction) = Direction::ALL.into_iter().find(|&direction| next_to_blank(direction)) else {
            played.illegal = Some(MovesError::NotBesideBlank { number, tile });
            break;
        };
        board.slide(direction).expect("a tile beside the blank can slide");
        played.slides.push(direction);
    }
    played
}

/// Symbols of the directions, in the order of [`Direction::ALL`].
type Symbols = [char; 4];

const LETTERS: Symbols = ['U', 'L', 'R', 'D'];
const ARROWS: Symbols = ['↑', '←', '→', '↓'];

/// A text that is not a sequence of moves, or not one that can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MovesError {
    /// Not the name of a [`MoveForm`].
    #[error("{form} is not a form of moves: expected tile, blank, tiles or arrows", form = crate::quoted(.0))]
    NoSuchForm(String),
    /// A symbol that stands for no move.
    #[error("{} (place {}) is not a move", crate::quoted(.symbol), .place + 1)]
    NotAMove {
        /// The symbol.
        symbol: String,
        /// Where it stands: its byte in the text, or its number among the tiles.
        place: usize,
    },
    /// A tile that is not beside the blank when it should move.
    #[error("move {}: tile {tile} is not beside the blank", .number + 1)]
    NotBesideBlank {
        /// The number of the move, from 0.
        number: usize,
        /// The tile.
        tile: u8,
    },
    /// A direction in which no tile can slide.
    #[error("move {}: {why}", .number + 1)]
    Blocked {
        /// The number of the move, from 0.
        number: usize,
        /// The direction.
        #[source]
        why: Blocked,
    },
    /// Directions are to be written as tiles, or tiles as directions.
    #[error("moves cannot be written as {0} without the board that they are made on: give the board")]
    NeedsBoard(MoveForm),
    /// Tiles are to be counted where those that slide together are one move.
    #[error(
        "numbers of tiles do not tell which of them slide together, so the moves cannot be counted in {0} without the board that \
         they are made on: give the board"
    )]
    LengthNeedsBoard(Metric),
    /// More than a million moves.
    #[error("more than {MOST_MOVES} moves")]
    TooMany,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::size::Size;
    use proptest::prelude::*;

    #[test]
    fn every_form_reads_back_what_it_writes() {
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let start = random.any_board(Size::new(3 + seed as usize % 3, 4).unwrap());
            let mut slides = Vec::new();
            let mut board = start;
            for _ in 0..60 {
                let choices: Vec<Direction> = board.slides().collect();
                slides.push(choices[random.below(choices.len() as u64) as usize]);
                board.slide(slides[slides.len() - 1]).unwrap();
            }
            for form in MoveForm::ALL {
                let text = form.write(&slides, &start).unwrap();
                assert_eq!(form.parse(&text, &start).as_ref(), Ok(&slides), "{form}: {text}");
            }
        }
    }

    #[test]
    fn repeats_are_counted_as_speed_solvers_write_them() {
        let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0".parse().unwrap();
        let slides = MoveForm::Tile.parse("R2D3 L,R", &board).unwrap();
        assert_eq!(MoveForm::Tile.write(&slides, &board).unwrap(), "R2D3LR");
        assert_eq!(MoveForm::Blank.write(&slides, &board).unwrap(), "L2U3RL");
        assert_eq!(MoveForm::Arrows.write(&slides, &board).unwrap(), "→→↓↓↓←→");
        assert_eq!(MoveForm::Tiles.write(&slides, &board).unwrap(), "15 14 10 6 2 3 3");
        assert_eq!(MoveForm::Tile.write(&[], &board).unwrap(), "");
    }

    #[test]
    fn bad_moves_are_named() {
        let board: Board = "1 2 / 3 0".parse().unwrap();
        for (form, text, expected) in [
            (MoveForm::Tile, "RQ", "\"Q\" (place 2) is not a move"),
            (MoveForm::Tile, "RR", "move 2: no tile can slide right: the blank is at that edge of the board"),
            (MoveForm::Tile, "R99999999999999999999", "more than 1000000 moves"),
            (MoveForm::Tiles, "3 2", "move 2: tile 2 is not beside the blank"),
            (MoveForm::Tiles, "3 x", "\"x\" (place 2) is not a move"),
        ] {
            assert_eq!(form.parse(text, &board).unwrap_err().to_string(), expected);
        }
        let message = "letters".parse::<MoveForm>().unwrap_err().to_string();
        assert_eq!(message, "\"letters\" is not a form of moves: expected tile, blank, tiles or arrows");
    }

    #[test]
    fn what_cannot_be_made_ends_the_moves_and_is_no_error() {
        let board: Board = "1 2 / 3 0".parse().unwrap();
        let texts = [
            (MoveForm::Tile, "RDRU"),
            (MoveForm::Blank, "LULD"),
            (MoveForm::Arrows, "→↓→↑"),
            (MoveForm::Tiles, "3 1 3 2"),
        ];
        for (form, text) in texts {
            let played = form.play(text, &board).unwrap();
            assert_eq!((played.slides.len(), played.length), (2, 4), "{form}");
            assert!(played.illegal.unwrap().to_string().starts_with("move 3: "), "{form}");
            assert_eq!(MoveForm::detect(text), if form == MoveForm::Blank { MoveForm::Tile } else { form });
        }
        let played = MoveForm::Tiles.play("3 2 2", &board).unwrap();
        assert_eq!((played.slides.len(), played.length), (1, 3));
        assert_eq!(played.illegal, Some(MovesError::NotBesideBlank { number: 1, tile: 2 }));
        // What is no move at all is an error wherever it stands.
        assert!(MoveForm::Tiles.play("3 2 x", &board).is_err());
        assert!(MoveForm::Tile.play("RRQ", &board).is_err());
        assert_eq!(MoveForm::detect(" ,12 8"), MoveForm::Tiles);
        assert_eq!(MoveForm::detect(""), MoveForm::Tile);
    }

    proptest! {
        #[test]
        fn random_text_never_panics(text in ".{0,40}") {
            let board: Board = "1 2 3 / 4 0 5 / 6 7 8".parse().unwrap();
            for form in MoveForm::ALL {
                let _ = form.parse(&text, &board);
            }
        }
    }
}
