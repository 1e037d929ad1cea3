//! Searches: the shortest solution, the best within a time, the next move.

#![allow(unsafe_code, reason = "names are exported to C, which gives pointers")]

use std::ffi::c_char;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use tilebase::{Effort, Event, Limit, Outcome, Request};

use crate::board::{Board, letter};
use crate::failure::{Code, Failure, call};
use crate::limits::{Limited, Limits};
use crate::pointers::{In, Out};
use crate::registry;
use crate::solution::Solution;
use crate::solver::Solver;

/// What a search found, and what it cost. It is written when TILEBASE_OK, TILEBASE_LIMIT or TILEBASE_CANCELLED is returned.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Report {
    /// Moves of the solution; -1 when none was found.
    pub length: i32,
    /// Every solution has at least this many moves: proven. A solution of this length is a shortest one.
    pub at_least: u32,
    /// Nodes generated.
    pub nodes: u64,
    /// Time from start to end.
    pub seconds: f64,
}

/// The next move.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The direction in which a tile is to slide: 'U' up, 'L' left, 'R' right, 'D' down; 0 when the board is solved.
    pub letter: c_char,
    /// The number of the tile; 0 when the board is solved.
    pub tile: u8,
    /// Moves of a shortest solution, this one included.
    pub moves_left: u32,
}

/// A search that C has asked for.
struct Asked {
    solver: Arc<Solver>,
    board: tilebase::Board,
    limited: Limited,
}

/// How a search ended, and how many moves every solution has at least.
type Found = (Outcome, u32);

impl Asked {
    fn new(solver: *const Solver, board: In<Board>, limits: In<Limits>) -> Result<Asked, Failure> {
        Ok(Asked { solver: registry::get(solver)?, board: board.board()?, limited: limits.limits()? })
    }

    /// Searches for a shortest solution.
    fn solve(&self) -> Result<Found, Failure> {
        let watch = |event: &Event<'_>| self.limited.follow(event);
        let request = Request::default().limits(self.limited.limits).threads(self.solver.threads).watch(&watch);
        let outcome = self.solver.inner.search(&self.board, &request)?;
        let at_least = match &outcome {
            Outcome::Solved(shortest) => shortest.length,
            Outcome::Limited(limited) => limited.at_least,
        };
        Ok((outcome, at_least))
    }

    /// Searches for better and better solutions.
    fn improve(&self) -> Result<Found, Failure> {
        let watch = |event: &Event<'_>| self.limited.follow(event);
        let memory = self.solver.inner.memory_to_improve(self.solver.memory, NonZeroUsize::MIN);
        let limits = self.limited.limits.memory(memory);
        let request = Request::default().limits(limits).threads(self.solver.threads).watch(&watch);
        let improved = self.solver.inner.improve(&self.board, &request, &|_| ControlFlow::Continue(()))?;
        let at_least = improved.best.at_least;
        // Who cancels does not want an answer.
        if improved.limit == Some(Limit::Cancelled) {
            let limited = tilebase::Limited { limit: Limit::Cancelled, at_least, effort: improved.best.effort };
            return Ok((Outcome::Limited(limited), at_least));
        }
        Ok((improved.best.outcome(improved.limit), at_least))
    }
}

/// Does what `tilebase_solve` and `tilebase_improve` have in common.
///
/// # Safety
/// The pointers are what the header says of them.
unsafe fn search(
    (solver, board, limits): (*const Solver, *const Board, *const Limits),
    report: *mut Report,
    solution: *mut *mut Solution,
    search: impl FnOnce(&Asked) -> Result<Found, Failure>,
) -> Code {
    // SAFETY: the caller promises it.
    let (board, limits) = unsafe { (In::new(board, "board"), In::new(limits, "limits")) };
    // SAFETY: as above.
    let (report, solution) = unsafe { (Out::new(report, "report"), Out::new(solution, "solution")) };
    call(|| {
        let (report, solution) = (report.place_if_wanted()?, solution.place_if_wanted()?);
        if let Some(place) = solution {
            place.write(std::ptr::null_mut());
        }
        let asked = Asked::new(solver, board, limits)?;
        let (outcome, at_least) = search(&asked)?;
        let Effort { generated: nodes, time, .. } = outcome.effort();
        let length = if let Outcome::Solved(solved) = &outcome { solved.length as i32 } else { -1 };
        if let Some(place) = report {
            place.write(Report { length, at_least, nodes, seconds: time.as_secs_f64() });
        }
        let slides = slides_of(outcome)?;
        if let Some(place) = solution {
            place.write(registry::insert(Solution { board: asked.board, slides })?);
        }
        Ok(())
    })
}

/// The solution of a search.
fn slides_of(outcome: Outcome) -> Result<Vec<tilebase::Direction>, Failure> {
    match outcome {
        Outcome::Solved(mut solved) => Ok(solved.solutions.swap_remove(0)),
        Outcome::Limited(tilebase::Limited { limit: Limit::Cancelled, at_least, .. }) => {
            let text = format!("the search was cancelled; every solution has at least {at_least} moves");
            Err(Failure::new(Code::CANCELLED, text))
        }
        Outcome::Limited(tilebase::Limited { limit, at_least, .. }) => {
            let text = format!(
                "the limit of {limit} was reached; every solution has at least {at_least} moves; allow more, or ask for a solution \
                 that need not be shortest"
            );
            Err(Failure::new(Code::LIMIT, text))
        }
    }
}

/// Finds a shortest solution of a board. No solution is shorter.
///
/// limits may be NULL: then it takes as long as it takes, which is milliseconds for most 4×4 boards and hours for most 5×5 boards.
/// report may be NULL, and so may solution, when nobody wants them. `*solution` is to be freed by tilebase_solution_free(); it is NULL
/// unless TILEBASE_OK is returned.
///
/// Returns TILEBASE_UNSOLVABLE when there is no solution; TILEBASE_LIMIT, TILEBASE_CANCELLED when it gave up, with what is proven in
/// the report; TILEBASE_BAD_SIZE when the board is of another size than the solver's boards; TILEBASE_BAD_BOARD,
/// TILEBASE_BAD_TABLES, TILEBASE_BAD_ARGUMENT, TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solve(
    solver: *const Solver,
    board: *const Board,
    limits: *const Limits,
    report: *mut Report,
    solution: *mut *mut Solution,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    unsafe { search((solver, board, limits), report, solution, Asked::solve) }
}

/// Finds the best solution of a board within the limits: a good one at once, better ones as time goes on. It ends when the best is
/// proven to be shortest, or at a limit. For boards that take too long for tilebase_solve(), such as most 5×5 boards. Everything
/// else is as for tilebase_solve().
///
/// Returns TILEBASE_OK when there is a solution; it is a shortest one if the report's length is its at_least. TILEBASE_LIMIT when no
/// solution was found within the limits. For the rest see tilebase_solve().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_improve(
    solver: *const Solver,
    board: *const Board,
    limits: *const Limits,
    report: *mut Report,
    solution: *mut *mut Solution,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    unsafe { search((solver, board, limits), report, solution, Asked::improve) }
}

/// The next move: the first one of a shortest solution. Who follows every hint solves the board by the fewest moves. Where a shortest
/// solution takes too long, as on most 5×5 boards, follow a solution of tilebase_improve() instead: hints of different solutions may
/// lead to and fro.
///
/// limits may be NULL.
///
/// Returns what tilebase_solve() returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_hint(
    solver: *const Solver,
    board: *const Board,
    limits: *const Limits,
    hint: *mut Hint,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (board, limits, hint) = unsafe { (In::new(board, "board"), In::new(limits, "limits"), Out::new(hint, "hint")) };
    call(|| {
        let place = hint.place()?;
        let asked = Asked::new(solver, board, limits)?;
        let (outcome, _) = asked.solve()?;
        let slides = slides_of(outcome)?;
        let first = slides.first().map(|&slide| {
            let mut after = asked.board;
            let tile = after.slide(slide).expect("solutions have been replayed");
            (letter(slide) as c_char, tile)
        });
        let (letter, tile) = first.unwrap_or_default();
        place.write(Hint { letter, tile, moves_left: slides.len() as u32 });
        Ok(())
    })
}
