//! Sequences of moves without a board: undone, simplified, put together.

use crate::board::Board;
use crate::metric::Metric;
use crate::moves::{MoveForm, MovesError, Played, direction_text, play_tiles, read_directions, read_tiles};
use crate::size::Direction;

/// A sequence of moves, as it was written. Where it is made need not be known to undo it, to simplify it, or to put it behind
/// another one.
///
/// ```
/// use tilebase_puzzle::{MoveForm, Sequence};
/// let there = Sequence::parse("R2UDL", MoveForm::Tile)?;
/// assert_eq!(there.inverse().write(MoveForm::Tile)?, "RUDL2");
/// assert_eq!(there.simplified().write(MoveForm::Tile)?, "R");
/// let tiles = Sequence::parse("12 8 8 7", MoveForm::Tiles)?;
/// assert_eq!(tiles.inverse().write(MoveForm::Tiles)?, "7 8 8 12");
/// assert_eq!(tiles.simplified().write(MoveForm::Tiles)?, "12 7");
/// # Ok::<(), tilebase_puzzle::MovesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sequence {
    /// The directions in which tiles slide.
    Slides(Vec<Direction>),
    /// The numbers of the tiles moved.
    Tiles(Vec<u8>),
}

impl Sequence {
    /// Reads moves, whether or not there is a board where they can be made.
    ///
    /// # Errors
    /// [`MovesError`] names the symbol that is not a move.
    pub fn parse(text: &str, form: MoveForm) -> Result<Sequence, MovesError> {
        match form {
            MoveForm::Tiles => read_tiles(text).map(Sequence::Tiles),
            _ => read_directions(text, form).map(Sequence::Slides),
        }
    }

    /// Writes the moves. Tiles can be written as tiles only, and directions not as tiles; [`slides`](Sequence::slides) turns them
    /// into directions where the board is known.
    ///
    /// # Errors
    /// [`MovesError::NeedsBoard`] when only a board could tell.
    pub fn write(&self, form: MoveForm) -> Result<String, MovesError> {
        match (self, form) {
            (Sequence::Tiles(tiles), MoveForm::Tiles) => {
                Ok(tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(" "))
            }
            (Sequence::Slides(slides), form) if form != MoveForm::Tiles => Ok(direction_text(slides, form)),
            _ => Err(MovesError::NeedsBoard(form)),
        }
    }

    /// How many moves of a metric there are. The numbers of tiles do not tell which of them slide together; from the board that the
    /// moves are made on that can be told.
    ///
    /// ```
    /// use tilebase_puzzle::{Metric, MoveForm, Sequence};
    /// let slides = Sequence::parse("R2U3L", MoveForm::Tile)?;
    /// assert_eq!((slides.length(Metric::Stm, None)?, slides.length(Metric::Mtm, None)?), (6, 3));
    /// # Ok::<(), tilebase_puzzle::MovesError>(())
    /// ```
    ///
    /// # Errors
    /// [`MovesError::LengthNeedsBoard`] when only a board could tell, and any other when the moves cannot be made on the board.
    pub fn length(&self, metric: Metric, start: Option<&Board>) -> Result<u32, MovesError> {
        match (self, metric, start) {
            (Sequence::Slides(slides), ..) => Ok(metric.length(slides)),
            (Sequence::Tiles(tiles), Metric::Stm, _) => Ok(tiles.len() as u32),
            (Sequence::Tiles(_), _, Some(start)) => Ok(metric.length(&self.slides(start)?)),
            (Sequence::Tiles(_), _, None) => Err(MovesError::LengthNeedsBoard(metric)),
        }
    }

    /// How many slides of single tiles there are.
    pub fn len(&self) -> usize {
        match self {
            Sequence::Slides(slides) => slides.len(),
            Sequence::Tiles(tiles) => tiles.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moves that lead back: the last one first, each in the opposite direction.
    #[must_use]
    pub fn inverse(&self) -> Sequence {
        match self {
            Sequence::Slides(slides) => {
                Sequence::Slides(slides.iter().rev().map(|direction| direction.opposite()).collect())
            }
            Sequence::Tiles(tiles) => Sequence::Tiles(tiles.iter().rev().copied().collect()),
        }
    }

    /// The same without moves that undo each other, until there are none: it leads where the whole sequence leads.
    #[must_use]
    pub fn simplified(&self) -> Sequence {
        match self {
            Sequence::Slides(slides) => Sequence::Slides(cancelled(slides, |&a, &b| a == b.opposite())),
            // A tile that moves twice in a row goes back.
            Sequence::Tiles(tiles) => Sequence::Tiles(cancelled(tiles, |a, b| a == b)),
        }
    }

    /// This sequence, and then another one of the same kind.
    ///
    /// # Errors
    /// [`MovesError::NeedsBoard`] when one has directions and the other tiles.
    pub fn then(mut self, other: Sequence) -> Result<Sequence, MovesError> {
        match (&mut self, other) {
            (Sequence::Slides(slides), Sequence::Slides(more)) => slides.extend(more),
            (Sequence::Tiles(tiles), Sequence::Tiles(more)) => tiles.extend(more),
            (_, Sequence::Tiles(_)) => return Err(MovesError::NeedsBoard(MoveForm::Tile)),
            (_, Sequence::Slides(_)) => return Err(MovesError::NeedsBoard(MoveForm::Tiles)),
        }
        Ok(self)
    }

    /// The directions in which tiles slide when the moves are made from `start`.
    ///
    /// # Errors
    /// [`MovesError`] names the move that cannot be made there.
    pub fn slides(&self, start: &Board) -> Result<Vec<Direction>, MovesError> {
        let played = self.play(start);
        played.illegal.map_or(Ok(played.slides), Err)
    }

    /// The moves made from `start`, as far as that is possible.
    pub fn play(&self, start: &Board) -> Played {
        match self {
            Sequence::Tiles(tiles) => play_tiles(tiles, start),
            Sequence::Slides(slides) => {
                let stop = start.replay(slides).err();
                let made = stop.as_ref().map_or(slides.len(), |(number, _)| *number);
                let illegal = stop.map(|(number, why)| MovesError::Blocked { number, why });
                Played { slides: slides[..made].to_vec(), length: slides.len(), illegal }
            }
        }
    }
}

/// Leaves out neighbours that cancel each other, and those that become neighbours by that.
fn cancelled<T: Copy>(moves: &[T], cancels: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut left: Vec<T> = Vec::with_capacity(moves.len());
    for next in moves {
        if left.last().is_some_and(|last| cancels(last, next)) {
            left.pop();
        } else {
            left.push(*next);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::size::Size;
    use proptest::prelude::*;

    /// A board and a walk from it that often turns back.
    fn walk(seed: u64, moves: usize) -> (Board, Vec<Direction>) {
        let mut random = Random::new(seed);
        let size = Size::new(2 + random.below(4) as usize, 2 + random.below(4) as usize).unwrap();
        let start = random.any_board(size);
        let mut board = start;
        let step = |_| {
            let choices: Vec<Direction> = board.slides().collect();
            let direction = choices[random.below(choices.len() as u64) as usize];
            board.slide(direction).unwrap();
            direction
        };
        (start, (0..moves).map(step).collect())
    }

    proptest! {
        #[test]
        fn sequences_do_in_every_form_what_they_do_on_the_board(seed in any::<u64>(), moves in 0usize..60) {
            let (start, slides) = walk(seed, moves);
            let end = start.replay(&slides).unwrap();
            for form in MoveForm::ALL {
                let text = form.write(&slides, &start).unwrap();
                let sequence = Sequence::parse(&text, form).unwrap();
                prop_assert_eq!(&sequence.write(form).unwrap(), &text);
                prop_assert_eq!(&sequence.slides(&start).unwrap(), &slides);
                prop_assert_eq!(sequence.len(), moves);

                let inverse = sequence.inverse();
                prop_assert_eq!(end.replay(&inverse.slides(&end).unwrap()).unwrap(), start);
                prop_assert_eq!(&inverse.inverse(), &sequence);

                let simplified = sequence.simplified();
                let shorter = simplified.slides(&start).unwrap();
                prop_assert_eq!(start.replay(&shorter).unwrap(), end);
                prop_assert!(shorter.windows(2).all(|pair| pair[0] != pair[1].opposite()));
                prop_assert_eq!(&simplified.simplified(), &simplified);

                for metric in Metric::ALL {
                    let length = sequence.length(metric, Some(&start)).unwrap();
                    prop_assert_eq!(length, metric.length(&slides));
                    prop_assert_eq!(inverse.length(metric, Some(&end)).unwrap(), length);
                    prop_assert!(simplified.length(metric, Some(&start)).unwrap() <= length);
                }
                // What goes on in the same line is one move.
                let across = |slides: &[Direction]| matches!(slides[0], Direction::Left | Direction::Right);
                let lines: Vec<bool> = Metric::Mtm.moves(&shorter).map(across).collect();
                prop_assert!(lines.windows(2).all(|pair| pair[0] != pair[1]));

                let there_and_back = sequence.clone().then(inverse).unwrap();
                prop_assert_eq!(there_and_back.len(), 2 * moves);
                prop_assert!(there_and_back.simplified().is_empty());
            }
        }

        #[test]
        fn random_text_never_panics(text in ".{0,40}") {
            for form in MoveForm::ALL {
                if let Ok(sequence) = Sequence::parse(&text, form) {
                    prop_assert_eq!(Sequence::parse(&sequence.write(form).unwrap(), form), Ok(sequence));
                }
            }
        }
    }

    #[test]
    fn what_only_a_board_can_tell_is_refused() {
        let tiles = Sequence::parse("3 2", MoveForm::Tiles).unwrap();
        let slides = Sequence::parse("RU", MoveForm::Tile).unwrap();
        assert_eq!(tiles.write(MoveForm::Arrows), Err(MovesError::NeedsBoard(MoveForm::Arrows)));
        assert_eq!(slides.write(MoveForm::Tiles), Err(MovesError::NeedsBoard(MoveForm::Tiles)));
        assert_eq!(tiles.length(Metric::Mtm, None), Err(MovesError::LengthNeedsBoard(Metric::Mtm)));
        assert_eq!((tiles.length(Metric::Stm, None), slides.length(Metric::Mtm, None)), (Ok(2), Ok(2)));
        assert!(tiles.then(slides).is_err());
        assert!(Sequence::parse("3 0", MoveForm::Tiles).is_err(), "the blank is no tile");
    }
}
