//! A board as people write it: numbered tiles and one blank on a rectangle.

use std::fmt;

use crate::size::{Direction, MAX_SQUARES, Size, Square};

/// A full board: every tile `1..n` once and one blank, written 0.
///
/// The numbers are the labels printed on the tiles. What they are worth, that is where each belongs, is decided by a
/// [`Goal`](crate::Goal); see [`Frame`](crate::Frame).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    size: Size,
    blank: Square,
    labels: [u8; MAX_SQUARES],
}

impl Board {
    /// A board from its labels in row-major order, 0 being the blank.
    ///
    /// # Errors
    /// [`BoardError`] when the labels are not each of `0..n` exactly once.
    pub fn new(size: Size, labels: &[u64]) -> Result<Board, BoardError> {
        let count = size.count();
        let mut first_place: [Option<Square>; MAX_SQUARES] = [None; MAX_SQUARES];
        let mut cells = [0; MAX_SQUARES];
        for (place, &label) in size.squares().zip(labels) {
            if label >= count as u64 {
                return Err(BoardError::TooLarge { label, size, place });
            }
            if let Some(first) = first_place[label as usize] {
                let missing = (1..count as u8).find(|tile| !labels.contains(&u64::from(*tile)));
                return Err(BoardError::Duplicate { label: label as u8, size, places: [first, place], missing });
            }
            first_place[label as usize] = Some(place);
            cells[place.index()] = label as u8;
        }
        if labels.len() != count {
            let missing = first_place[..count].iter().position(Option::is_none).map(|label| label as u8);
            return Err(BoardError::WrongCount { size, found: labels.len(), missing });
        }
        let blank = first_place[0].expect("n different labels below n include 0");
        Ok(Board { size, blank, labels: cells })
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Where the blank is.
    pub fn blank(&self) -> Square {
        self.blank
    }

    /// The labels in row-major order, 0 being the blank.
    pub fn labels(&self) -> &[u8] {
        &self.labels[..self.size.count()]
    }

    /// The label on a square, 0 being the blank.
    pub fn label(&self, square: Square) -> u8 {
        self.labels[square.index()]
    }

    /// The square of each label, indexed by label.
    pub fn squares_by_label(&self) -> [Square; MAX_SQUARES] {
        let mut squares = [Square(0); MAX_SQUARES];
        for square in self.size.squares() {
            squares[self.label(square) as usize] = square;
        }
        squares
    }

    /// Slides the tile next to the blank in `direction` (the direction in which the **tile** goes) and returns its
    /// label. To undo a slide, slide in the opposite direction.
    ///
    /// # Errors
    /// [`Blocked`], leaving the board as it was, when the board's edge is there instead of a tile.
    pub fn slide(&mut self, direction: Direction) -> Result<u8, Blocked> {
        let from = self.size.neighbour(self.blank, direction.opposite()).ok_or(Blocked(direction))?;
        let label = self.label(from);
        self.labels[self.blank.index()] = label;
        self.labels[from.index()] = 0;
        self.blank = from;
        Ok(label)
    }

    /// The directions in which some tile can slide now, in the order of [`Direction::ALL`].
    pub fn slides(&self) -> impl Iterator<Item = Direction> {
        let (size, blank) = (self.size, self.blank);
        Direction::ALL.into_iter().filter(move |direction| size.neighbour(blank, direction.opposite()).is_some())
    }

    /// The board after all of `slides`.
    ///
    /// # Errors
    /// The number of the slide (from 0) that is blocked, and why.
    pub fn replay(&self, slides: &[Direction]) -> Result<Board, (usize, Blocked)> {
        let mut board = *self;
        for (number, &direction) in slides.iter().enumerate() {
            board.slide(direction).map_err(|blocked| (number, blocked))?;
        }
        Ok(board)
    }

    /// For each of `slides` the tile that slides, and the square that it goes to.
    ///
    /// # Errors
    /// The number of the slide (from 0) that is blocked, and why.
    pub fn tiles_along(&self, slides: &[Direction]) -> Result<Vec<(u8, Square)>, (usize, Blocked)> {
        let mut board = *self;
        let slid = slides.iter().enumerate().map(|(number, &direction)| {
            let to = board.blank();
            let label = board.slide(direction).map_err(|blocked| (number, blocked))?;
            Ok((label, to))
        });
        slid.collect()
    }

    /// All boards from this one to the one after all of `slides`, both included.
    ///
    /// # Errors
    /// The number of the slide (from 0) that is blocked, and why.
    pub fn along(&self, slides: &[Direction]) -> Result<Vec<Board>, (usize, Blocked)> {
        let mut board = *self;
        let after = slides.iter().enumerate().map(|(number, &direction)| {
            board.slide(direction).map_err(|blocked| (number, blocked))?;
            Ok(board)
        });
        std::iter::once(Ok(*self)).chain(after).collect()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// A slide that the board's edge does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no tile can slide {}: the blank is at that edge of the board", format!("{:?}", .0).to_lowercase())]
pub struct Blocked(pub Direction);

/// Labels that do not make a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A label beyond the last tile of this size.
    #[error(
        "tile {label} at {} is too large: a {size} board has the tiles 1 to {} and one blank",
        .size.place(*.place),
        .size.count() - 1
    )]
    TooLarge {
        /// The label found.
        label: u64,
        /// The board's size.
        size: Size,
        /// Where it stands.
        place: Square,
    },
    /// A tile that stands on two squares, or a second blank.
    #[error("{}", twice(*.label, .places.map(|place| .size.place(place)), *.missing))]
    Duplicate {
        /// The label found twice; 0 is the blank.
        label: u8,
        /// The board's size.
        size: Size,
        /// Both squares.
        places: [Square; 2],
        /// A tile that stands nowhere.
        missing: Option<u8>,
    },
    /// Too few or too many labels for the size.
    #[error("expected {} squares for a {size} board, found {found}{}", .size.count(), absent(*.missing))]
    WrongCount {
        /// The board's size.
        size: Size,
        /// How many labels there are.
        found: usize,
        /// A label that stands nowhere; 0 is the blank.
        missing: Option<u8>,
    },
}

fn twice(label: u8, [a, b]: [String; 2], missing: Option<u8>) -> String {
    let missing = missing.map_or(String::new(), |tile| format!(", and tile {tile} is missing"));
    match label {
        0 => format!("there are two blanks, at {a} and at {b}{missing}: expected exactly one"),
        _ => format!("tile {label} appears twice, at {a} and at {b}{missing}"),
    }
}

fn absent(missing: Option<u8>) -> String {
    match missing {
        Some(0) => ": the blank is missing".to_owned(),
        Some(tile) => format!(": tile {tile} is missing"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slide_and_its_opposite_leave_the_board_as_it_was() {
        let start = Board::new(Size::new(3, 3).unwrap(), &[1, 2, 3, 4, 0, 5, 6, 7, 8]).unwrap();
        for direction in start.slides() {
            let mut board = start;
            let tile = board.slide(direction).unwrap();
            assert_ne!(board, start);
            assert_eq!(board.label(start.blank()), tile);
            assert_eq!(board.slide(direction.opposite()), Ok(tile));
            assert_eq!(board, start);
        }
    }

    #[test]
    fn a_slide_names_the_direction_of_the_tile_not_of_the_blank() {
        let mut board = Board::new(Size::new(2, 2).unwrap(), &[1, 2, 3, 0]).unwrap();
        assert_eq!(board.slide(Direction::Right), Ok(3));
        assert_eq!(board.labels(), [1, 2, 0, 3]);
        assert_eq!(board.slide(Direction::Right), Err(Blocked(Direction::Right)));
        assert_eq!(board.labels(), [1, 2, 0, 3]);
    }

    #[test]
    fn replay_stops_at_the_blocked_slide_and_names_it() {
        let board = Board::new(Size::new(2, 2).unwrap(), &[1, 2, 3, 0]).unwrap();
        let slides = [Direction::Right, Direction::Down, Direction::Down];
        assert_eq!(board.replay(&slides), Err((2, Blocked(Direction::Down))));
        assert_eq!(board.tiles_along(&slides), Err((2, Blocked(Direction::Down))));
        assert_eq!(board.tiles_along(&slides[..2]), Ok(vec![(3, Square(3)), (1, Square(2))]));
    }
}
