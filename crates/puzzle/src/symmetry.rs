//! The symmetries of a board: turns and reflections that map it onto itself.

use std::fmt;

use crate::size::{Direction, Size, Square};

/// A turn or reflection of a board: first mirror left-right and top-bottom as told, then exchange rows and columns as
/// told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symmetry {
    mirror_columns: bool,
    mirror_rows: bool,
    transpose: bool,
}

impl Symmetry {
    /// Everything stays where it is.
    pub const IDENTITY: Symmetry = Symmetry { mirror_columns: false, mirror_rows: false, transpose: false };

    /// The symmetries of a board: eight of a square, four of any other rectangle. The identity comes first, then the
    /// half turn.
    pub fn all(size: Size) -> impl Iterator<Item = Symmetry> {
        let mirrors = [(false, false), (true, true), (true, false), (false, true)];
        let transposes = [false, true].into_iter().take(if size.is_square() { 2 } else { 1 });
        transposes.flat_map(move |transpose| {
            mirrors.map(|(mirror_columns, mirror_rows)| Symmetry { mirror_columns, mirror_rows, transpose })
        })
    }

    /// The symmetries that leave a square where it is, the identity first. Seen through one of these, a board with its
    /// blank's goal on that square is another board of the same puzzle, equally far from the goal.
    pub fn fixing(size: Size, square: Square) -> impl Iterator<Item = Symmetry> {
        Symmetry::all(size).filter(move |symmetry| symmetry.square(size, square) == square)
    }

    /// The symmetry that brings a square to the smallest number that any can: to 0 if it is a corner.
    pub fn to_smallest(size: Size, square: Square) -> Symmetry {
        let symmetries = Symmetry::all(size);
        symmetries.min_by_key(|symmetry| symmetry.square(size, square)).expect("the identity is always there")
    }

    /// Where a square goes.
    pub fn square(self, size: Size, square: Square) -> Square {
        let (mut row, mut column) = size.row_column(square);
        if self.mirror_columns {
            column = size.width() - 1 - column;
        }
        if self.mirror_rows {
            row = size.height() - 1 - row;
        }
        if self.transpose { size.square(column, row) } else { size.square(row, column) }
    }

    /// Where a mask of squares goes.
    pub fn squares(self, size: Size, mask: u32) -> u32 {
        size.squares().filter(|square| mask & square.bit() != 0).fold(0, |image, s| image | self.square(size, s).bit())
    }

    /// Where a direction goes.
    pub fn direction(self, direction: Direction) -> Direction {
        let mirrored = match direction {
            Direction::Left | Direction::Right if self.mirror_columns => direction.opposite(),
            Direction::Up | Direction::Down if self.mirror_rows => direction.opposite(),
            _ => direction,
        };
        if !self.transpose {
            return mirrored;
        }
        match mirrored {
            Direction::Up => Direction::Left,
            Direction::Left => Direction::Up,
            Direction::Right => Direction::Down,
            Direction::Down => Direction::Right,
        }
    }

    /// The symmetry that takes this one back.
    #[must_use]
    pub fn inverse(self) -> Symmetry {
        if self.transpose {
            Symmetry { mirror_columns: self.mirror_rows, mirror_rows: self.mirror_columns, transpose: true }
        } else {
            self
        }
    }
}

/// What is done to the board, in words.
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.transpose, self.mirror_columns, self.mirror_rows) {
            (false, false, false) => "as it is",
            (false, true, false) => "mirrored left to right",
            (false, false, true) => "mirrored top to bottom",
            (false, true, true) => "turned by half",
            (true, false, false) => "reflected on the main diagonal",
            (true, true, true) => "reflected on the other diagonal",
            (true, true, false) => "turned left",
            (true, false, true) => "turned right",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_are_different_bijections_that_keep_neighbours_and_can_be_undone() {
        for (width, height, expected) in [(3, 3, 8), (4, 4, 8), (3, 4, 4), (2, 5, 4)] {
            let size = Size::new(width, height).unwrap();
            let mut images = HashSet::new();
            for symmetry in Symmetry::all(size) {
                let image: Vec<Square> = size.squares().map(|square| symmetry.square(size, square)).collect();
                for square in size.squares() {
                    let there = symmetry.square(size, square);
                    assert_eq!(symmetry.inverse().square(size, there), square);
                    for direction in Direction::ALL {
                        let next = size.neighbour(square, direction).map(|next| symmetry.square(size, next));
                        assert_eq!(size.neighbour(there, symmetry.direction(direction)), next);
                    }
                }
                assert_eq!(symmetry.squares(size, size.all_squares()), size.all_squares());
                images.insert(image);
            }
            assert_eq!(images.len(), expected);
        }
    }

    #[test]
    fn a_corner_of_a_square_is_fixed_by_one_reflection_and_its_middle_by_all() {
        let size = Size::new(3, 3).unwrap();
        assert_eq!(Symmetry::fixing(size, Square(0)).count(), 2);
        assert_eq!(Symmetry::fixing(size, Square(4)).count(), 8);
        assert_eq!(Symmetry::fixing(Size::new(3, 4).unwrap(), Square(0)).count(), 1);
    }
}
