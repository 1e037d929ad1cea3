//! Long solutions made shorter, piece by piece.

use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Direction, MovesError, Sequence};
use tilebase_solve::{Limits, Outcome, Request};

use crate::builder::{SolverError, Tables};
use crate::solver::Solver;

/// A search for a shorter way within a window ends after this many nodes, which take less than a tenth of a second.
const MOST_NODES: u64 = 5_000_000;

/// A sequence of moves that was made shorter.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shortened {
    /// The moves. They lead from the same board to the same board as those before.
    pub slides: Vec<Direction>,
    /// How many moves there were.
    pub before: usize,
    /// How many pieces were replaced by shorter ones, those that undid each other not counted.
    pub replaced: usize,
    /// Windows for which it is not known whether there is a shorter way, because the search took too long.
    pub undecided: usize,
    /// Whether the watch ended it before all windows had been looked at.
    pub is_stopped: bool,
}

/// Makes a sequence of moves shorter: moves that undo each other are left out, and every piece of `window` moves is replaced by a
/// shortest way between its ends, until no window gets shorter. It never gets longer, and it ends where it ended.
///
/// A window needs no tables: what it changes is near at hand, and the conflicts of the tiles concerned say most of it. So this works on
/// boards of 5×5 whose shortest solutions nobody finds; it does not tell how far from a shortest one the result is.
///
/// ```
/// use tilebase::{Board, MoveForm, shorten, unwatched};
///
/// let board: Board = "1 2 3 / 4 5 6 / 7 0 8".parse()?;
/// let slides = MoveForm::Tile.parse("DLUR DLUR DLURL", &board)?;
/// let shortened = shorten(&board, &slides, 16, &unwatched)?;
/// assert_eq!(MoveForm::Tile.write(&shortened.slides, &board)?, "L");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ShortenError`] when the moves cannot be made on the board.
pub fn shorten(
    board: &Board,
    slides: &[Direction],
    window: usize,
    watch: Watch<'_>,
) -> Result<Shortened, ShortenError> {
    let sequence = Sequence::Slides(slides.to_vec());
    sequence.slides(board)?;
    let Sequence::Slides(mut left) = sequence.simplified() else { unreachable!("slides stay slides") };
    let mut done = Shortened { slides: Vec::new(), before: slides.len(), replaced: 0, undecided: 0, is_stopped: false };
    let mut boards = board.along(&left).expect("the moves have been made before");
    let mut start = 0;
    // Within a window no shorter one need be looked at: a part of a shortest way is a shortest way.
    while start < left.len() && left.len() - start > 2 {
        if watch(&Event::Poll).is_break() {
            done.is_stopped = true;
            break;
        }
        let end = left.len().min(start + window);
        match way(&boards[start], &boards[end], end - start, watch)? {
            Way::Shorter(way) => {
                left.splice(start..end, way);
                let Sequence::Slides(simplified) = Sequence::Slides(left).simplified() else {
                    unreachable!("slides stay slides")
                };
                left = simplified;
                boards = board.along(&left).expect("the moves have been made before");
                done.replaced += 1;
                // Windows that reach into the new piece are looked at again.
                start = start.saturating_sub(window.max(1) - 1);
                continue;
            }
            Way::Unknown => done.undecided += 1,
            Way::Shortest => {}
        }
        if end == left.len() {
            break;
        }
        start += 1;
    }
    done.slides = left;
    Ok(done)
}

enum Way {
    Shorter(Vec<Direction>),
    /// There is none.
    Shortest,
    /// None was found before the search had to end.
    Unknown,
}

/// A way between two boards with fewer moves.
fn way(from: &Board, to: &Board, moves: usize, watch: Watch<'_>) -> Result<Way, ShortenError> {
    let solver = Solver::builder(to).tables(Tables::Named("linear-conflict")).open()?;
    let at_least = solver.bound_of(from).expect("moves lead from one board to the other") as usize;
    // Ways between two boards are all odd or all even.
    if at_least + 2 > moves {
        return Ok(Way::Shortest);
    }
    let request = Request::default().limits(Limits::default().nodes(MOST_NODES)).watch(watch);
    Ok(match solver.search(from, &request).expect("moves lead from one board to the other") {
        Outcome::Solved(found) if (found.length as usize) < moves => {
            Way::Shorter(found.solutions.into_iter().next().expect("a solution was asked for"))
        }
        Outcome::Limited(limited) if (limited.at_least as usize) + 2 <= moves => Way::Unknown,
        Outcome::Solved(_) | Outcome::Limited(_) => Way::Shortest,
    })
}

/// Moves that were not made shorter.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShortenError {
    /// They cannot be made.
    #[error("{0}")]
    Moves(#[from] MovesError),
    /// There is no search for this board.
    #[error("{0}")]
    Solver(#[from] SolverError),
}
