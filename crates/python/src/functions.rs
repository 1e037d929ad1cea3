//! What Python asks without a solver: random boards, solvable or not, neighbours, heuristics by name, and the command.

use std::ffi::OsString;
use std::time::Duration;

use numpy::ndarray::{Ix1, Ix2};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use tilebase::heuristics::AnyListed;
use tilebase::{Board, Event, ManyBoards, ManyError, NotAtDistance, Random};

use crate::boards::{RowError, Rows, boards, size, zeros};
use crate::errors::{at_limit, bad_input, many_error};
use crate::solver::{PySolver, goal_for, goal_of};
use crate::work;

/// A longer walk mixes no better, and could not be stopped soon.
const LONGEST_WALK: usize = 1_000_000;

/// How long a board at a distance is looked for.
const TIME_FOR_A_BOARD: Duration = Duration::from_secs(60);

/// Random boards that can be solved, an array of shape (count, squares): each equally likely, or after `walk` random moves from the
/// goal, or exactly `distance` moves away, for which there has to be a solver. The same seed gives the same boards everywhere.
#[pyfunction]
#[pyo3(signature = (count, size, goal, seed, distance, walk, solver, progress))]
#[expect(clippy::too_many_arguments, reason = "Python's own function has names and defaults for them")]
pub(crate) fn scramble<'py>(
    py: Python<'py>,
    count: usize,
    size: Option<&Bound<'py, PyAny>>,
    goal: Option<&Bound<'py, PyAny>>,
    seed: Option<u64>,
    distance: Option<u32>,
    walk: Option<usize>,
    solver: Option<&Bound<'py, PySolver>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let goal = goal_of(size, goal)?;
    if walk.is_some() && distance.is_some() {
        return Err(bad_input("a walk and a distance were both given: expected one of them, or neither"));
    }
    if walk.is_some_and(|moves| moves > LONGEST_WALK) {
        return Err(bad_input(format!("a walk is too long: expected at most {LONGEST_WALK} moves")));
    }
    let solver = solver.map(|solver| solver.get().inner());
    let squares = goal.size().count();
    let made = zeros::<u8, Ix2>(py, &[count, squares])?;
    let mut rows = made.readwrite();
    let rows = rows.as_slice_mut()?;
    let mut random = Random::new(seed.unwrap_or_else(Random::fresh_seed));
    let what = ("scrambling", count as u64);
    work::run(py, progress, what, None, |watch| -> Result<(), NotAtDistance> {
        for row in rows.chunks_mut(squares) {
            let board = match (walk, distance.zip(solver)) {
                (Some(moves), _) => random.walk(&goal, moves),
                (None, Some((distance, solver))) => {
                    let poll = |_: &Event<'_>| watch(&Event::Poll);
                    solver.board_at(distance, &mut random, TIME_FOR_A_BOARD, &poll)?
                }
                (None, None) => random.solvable_board(&goal),
            };
            row.copy_from_slice(board.labels());
            if watch(&Event::Advance(1)).is_break() {
                break;
            }
        }
        Ok(())
    })?
    .map_err(|error| match error {
        NotAtDistance::NotFound { .. } => at_limit(py, error.to_string(), 0, 0, TIME_FOR_A_BOARD),
        other => bad_input(other),
    })?;
    Ok(made)
}

/// Goes through boards, on a thread of its own, until one is none.
fn each(py: Python<'_>, rows: &Rows<'_>, count: usize, mut with: impl FnMut(usize, Board) + Send) -> PyResult<()> {
    let done = work::run(py, None, ("looking at boards", count as u64), None, |watch| {
        for number in 0..count {
            with(number, rows.board(number).map_err(|error| ManyError::Board(number, error))?);
            if watch(&Event::Advance(1)).is_break() {
                break;
            }
        }
        Result::<(), ManyError<RowError>>::Ok(())
    })?;
    done.map_err(many_error)
}

/// Which of many boards can be solved.
#[pyfunction]
#[pyo3(signature = (boards, size, goal))]
pub(crate) fn is_solvable<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    goal: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let boards = self::boards(boards, size.map(self::size).transpose()?)?;
    let goal = goal_for(boards.size, goal)?;
    let answers = zeros::<bool, Ix1>(py, &[boards.len()])?;
    let mut answered = answers.readwrite();
    let answered = answered.as_slice_mut()?;
    each(py, &boards.rows(), boards.len(), |number, board| {
        answered[number] = tilebase::Parity::between(&board, &goal).is_solvable();
    })?;
    Ok(answers)
}

/// Boards, and the number of the board that each comes from.
type BoardsAndOrigins<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<i64>>);

/// The boards that are one move away from each of many, and the number of the board that each comes from.
#[pyfunction]
#[pyo3(signature = (boards, size))]
pub(crate) fn neighbours<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
) -> PyResult<BoardsAndOrigins<'py>> {
    let boards = self::boards(boards, size.map(self::size).transpose()?)?;
    let squares = boards.size.count();
    let mut count = 0;
    each(py, &boards.rows(), boards.len(), |_, board| count += board.slides().count())?;
    let (found, origins) = (zeros::<u8, Ix2>(py, &[count, squares])?, zeros::<i64, Ix1>(py, &[count])?);
    let mut room = (found.readwrite(), origins.readwrite());
    let mut places = room.0.as_slice_mut()?.chunks_exact_mut(squares).zip(room.1.as_slice_mut()?);
    each(py, &boards.rows(), boards.len(), |number, board| {
        // Somebody who changes the array meanwhile gets what there is room for.
        for (direction, (place, origin)) in board.slides().zip(&mut places) {
            let after = board.replay(&[direction]).expect("a listed slide is not blocked");
            place.copy_from_slice(after.labels());
            *origin = number as i64;
        }
    })?;
    drop(room);
    Ok((found, origins))
}

/// The heuristics of the list: name, summary, and what is promised of their values.
#[pyfunction]
pub(crate) fn listed_heuristics() -> Vec<(&'static str, &'static str, String)> {
    AnyListed::abouts().iter().map(|about| (about.name, about.summary, about.promise.to_string())).collect()
}

/// How many nodes a search tree of boards of a size has at a depth for each at the depth before, moves back left out.
#[pyfunction]
#[pyo3(signature = (size))]
pub(crate) fn branching_factor(size: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(tilebase::branching_factor(self::size(size)?))
}

/// Makes this process report tables that are cut short while they are mapped, by an error with the file's name and exit code 2.
///
/// Without it, the signal SIGBUS kills the process when it reads the lost part. It installs a handler of SIGBUS for the whole process, which
/// passes other faults on to the handler that was installed before. tilebase never does that unasked. Windows does not let a
/// mapped file be cut short; there the function does nothing.
#[pyfunction]
pub(crate) fn install_truncation_handler() {
    tilebase::lookup::install_truncation_handler();
}

/// Runs the command `tilebase` with some words, the first of which is the program's name, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| tilebase_cli::run(words))
}
