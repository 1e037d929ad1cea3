//! What counts as one move.

use std::str::FromStr;

use crate::forms;
use crate::names;
use crate::quote::quoted;
use crate::size::{Direction, Size};

/// What counts as one move: everything that counts, bounds or compares moves has one, and says so.
///
/// | metric | one move | every solution of a board |
/// |---|---|---|
/// | `stm` | a single tile slides | has the same parity |
/// | `mtm` | one tile or several slide together in a line, in the same direction | may be even or odd |
///
/// Solutions are sequences of slides of single tiles in either metric; only what they cost differs.
///
/// ```
/// use tilebase_puzzle::{Board, Metric, MoveForm};
/// let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0".parse()?;
/// let slides = MoveForm::Tile.parse("R2D3L", &board)?;
/// assert_eq!((Metric::Stm.length(&slides), Metric::Mtm.length(&slides)), (6, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Metric {
    /// Single tiles.
    #[default]
    Stm,
    /// Several tiles in a line.
    Mtm,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 2] = [Metric::Stm, Metric::Mtm];

    /// The most tiles that slide in one move on boards of a size.
    pub fn most_tiles(self, size: Size) -> usize {
        match self {
            Metric::Stm => 1,
            Metric::Mtm => size.width().max(size.height()) - 1,
        }
    }

    /// How many moves some slides of single tiles are. Several tiles that slide in one direction, one after the other, slide together.
    pub fn length(self, slides: &[Direction]) -> u32 {
        let moves = match self {
            Metric::Stm => slides.len(),
            Metric::Mtm => slides.chunk_by(|one, next| one == next).count(),
        };
        moves as u32
    }

    /// The slides, cut into moves.
    pub fn moves(self, slides: &[Direction]) -> impl Iterator<Item = &[Direction]> {
        slides.chunk_by(move |one, next| self == Metric::Mtm && one == next)
    }

    /// Whether all solutions of a board have the same parity, so that a solution that is not shortest has two moves more at least.
    pub const fn keeps_parity(self) -> bool {
        matches!(self, Metric::Stm)
    }
}

names! { Metric: Stm => "stm", Mtm => "mtm" }

const NAMES: [&str; 2] = ["stm", "mtm"];

/// A name that no metric has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no metric is called {}: {}expected stm (single tiles) or mtm (several tiles in a line are one move)",
    quoted(.found), forms::did_you_mean(.found, NAMES)
)]
#[non_exhaustive]
pub struct MetricError {
    /// The name asked for.
    pub found: String,
}

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Metric, MetricError> {
        let name = forms::known_name(text, NAMES, &[]);
        let found = Metric::ALL.into_iter().find(|metric| name.is_some_and(|name| metric.to_string() == name));
        found.ok_or_else(|| MetricError { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};

    #[test]
    fn slides_in_one_direction_are_one_move_and_those_back_another() {
        for (slides, stm, mtm) in [
            (&[][..], 0, 0),
            (&[Up], 1, 1),
            (&[Right, Right, Up, Up, Up, Left], 6, 3),
            (&[Left, Right, Left], 3, 3),
            (&[Up, Up, Down, Down, Down], 5, 2),
        ] {
            assert_eq!((Metric::Stm.length(slides), Metric::Mtm.length(slides)), (stm, mtm));
            for metric in Metric::ALL {
                let moves: Vec<&[Direction]> = metric.moves(slides).collect();
                assert_eq!((moves.len() as u32, moves.concat()), (metric.length(slides), slides.to_vec()));
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        assert!("htm".parse::<Metric>().unwrap_err().to_string().contains("expected stm"));
    }
}
