//! Long solutions made shorter, piece by piece.

use std::ops::Range;

use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Direction, Frame, Metric, MovesError, Sequence};
use tilebase_solve::{Limits, Outcome, Request};

use crate::builder::{SolverError, Tables};
use crate::solver::Solver;

/// A search for a shorter way within a window ends after this many nodes, which take less than a tenth of a second.
const MOST_NODES: u64 = 5_000_000;

/// The same in the metric `mtm`, where a node takes longer.
const MOST_NODES_IN_MTM: u64 = 1_000_000;

/// A sequence of moves that was made shorter.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shortened {
    /// The moves. They lead from the same board to the same board as those before.
    pub slides: Vec<Direction>,
    /// How many moves there were.
    pub before: u32,
    /// How many there are.
    pub after: u32,
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
/// boards of 5×5 whose shortest solutions nobody finds; it does not tell how far from a shortest one the result is. In the metric `mtm` a
/// window has as many moves of that metric, and is searched with a small table, which is built for each.
///
/// ```
/// use tilebase::{Board, Metric, MoveForm, shorten, unwatched};
///
/// let board: Board = "1 2 3 / 4 5 6 / 7 0 8".parse()?;
/// let slides = MoveForm::Tile.parse("DLUR DLUR DLURL", &board)?;
/// let shortened = shorten(&board, &slides, Metric::Stm, 16, &unwatched)?;
/// assert_eq!(MoveForm::Tile.write(&shortened.slides, &board)?, "L");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ShortenError`] when the moves cannot be made on the board.
pub fn shorten(
    board: &Board,
    slides: &[Direction],
    metric: Metric,
    window: usize,
    watch: Watch<'_>,
) -> Result<Shortened, ShortenError> {
    let sequence = Sequence::Slides(slides.to_vec());
    sequence.slides(board)?;
    let before = metric.length(slides);
    let mut done = Shortened { slides: Vec::new(), before, after: 0, replaced: 0, undecided: 0, is_stopped: false };
    let mut left = Moves::new(metric, board, slides);
    let mut start = 0;
    // Within a window no shorter one need be looked at: a part of a shortest way is a shortest way.
    while start < left.len() && left.len() - start > 2 {
        if watch(&Event::Poll).is_break() {
            done.is_stopped = true;
            break;
        }
        let end = left.len().min(start + window);
        match way(&left.boards[start], &left.boards[end], metric, end - start, watch)? {
            Way::Shorter(way) => {
                let slides = [left.slides(0..start), &way, left.slides(end..left.len())].concat();
                left = Moves::new(metric, board, &slides);
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
    (done.after, done.slides) = (left.len() as u32, left.slides);
    Ok(done)
}

/// Moves that do not undo each other, with the boards between them.
struct Moves {
    slides: Vec<Direction>,
    /// Where each move begins among the slides, and at last their number.
    starts: Vec<usize>,
    /// The boards before each move, and at last the one after all.
    boards: Vec<Board>,
}

impl Moves {
    fn new(metric: Metric, board: &Board, slides: &[Direction]) -> Moves {
        let Sequence::Slides(slides) = Sequence::Slides(slides.to_vec()).simplified() else {
            unreachable!("slides stay slides")
        };
        let along = board.along(&slides).expect("the moves have been made before");
        let ends = metric.moves(&slides).scan(0, |end, made| {
            *end += made.len();
            Some(*end)
        });
        let starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let boards = starts.iter().map(|&start| along[start]).collect();
        Moves { slides, starts, boards }
    }

    /// How many moves there are.
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The slides of some moves.
    fn slides(&self, moves: Range<usize>) -> &[Direction] {
        &self.slides[self.starts[moves.start]..self.starts[moves.end]]
    }
}

enum Way {
    Shorter(Vec<Direction>),
    /// There is none.
    Shortest,
    /// None was found before the search had to end.
    Unknown,
}

/// A way between two boards with fewer moves.
fn way(from: &Board, to: &Board, metric: Metric, moves: usize, watch: Watch<'_>) -> Result<Way, ShortenError> {
    let builder = Solver::builder(to).metric(metric);
    let few_tiles = format!("all:{}", few_tiles(to));
    let (tables, nodes) = match metric {
        Metric::Mtm => (&*few_tiles, MOST_NODES_IN_MTM),
        _ => ("linear-conflict", MOST_NODES),
    };
    let solver = builder.tables(Tables::Named(tables)).open()?;
    let at_least = solver.bound_of(from).expect("moves lead from one board to the other") as usize;
    // Where ways between two boards are all odd or all even, a shorter one is shorter by two.
    let least = if metric.keeps_parity() { 2 } else { 1 };
    if at_least + least > moves {
        return Ok(Way::Shortest);
    }
    let request = Request::default().limits(Limits::default().nodes(nodes)).watch(watch);
    Ok(match solver.search(from, &request).expect("moves lead from one board to the other") {
        Outcome::Solved(found) if (found.length as usize) < moves => {
            Way::Shorter(found.solutions.into_iter().next().expect("a solution was asked for"))
        }
        Outcome::Limited(limited) if (limited.at_least as usize) + least <= moves => Way::Unknown,
        Outcome::Solved(_) | Outcome::Limited(_) => Way::Shortest,
    })
}

/// So few tiles that their table for `mtm` takes a moment: those next to the blank's home.
fn few_tiles(goal: &Board) -> String {
    let frame = Frame::new(goal);
    let tiles = frame.size().squares().filter(|&square| square != frame.home());
    let tiles = tiles.take(4.min(frame.size().count() - 1));
    tiles.map(|square| square.0.to_string()).collect::<Vec<_>>().join(",")
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
