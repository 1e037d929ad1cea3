//! What Python raises.

use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use tilebase::puzzle::FrameError;
use tilebase::{Limited, ManyError, SolveError, SolverError, TablesError};

pyo3::create_exception!(
    tilebase,
    UnsolvableError,
    PyValueError,
    "A board from which the goal cannot be reached. The message says why."
);
pyo3::create_exception!(
    tilebase,
    LimitReached,
    pyo3::exceptions::PyException,
    "A search that gave up at a limit. `at_least` moves are proven to be needed; `nodes` and `seconds` are what that took."
);
pyo3::create_exception!(
    tilebase,
    TableError,
    pyo3::exceptions::PyException,
    "A table that is damaged, wrong, or not there."
);

/// Something is wrong with what was given.
pub(crate) fn bad_input(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Something is wrong with a table.
pub(crate) fn bad_table(message: impl ToString) -> PyErr {
    TableError::new_err(message.to_string())
}

/// A file or directory cannot be read or written.
pub(crate) fn bad_file(message: impl ToString) -> PyErr {
    PyOSError::new_err(message.to_string())
}

/// A board of another size, or one that cannot be solved; of many, the one with a number.
pub(crate) fn frame_error(error: &FrameError, number: Option<usize>) -> PyErr {
    let number = number.map_or(String::new(), |number| format!(" (board {number})"));
    match error {
        FrameError::Unsolvable(_) => UnsolvableError::new_err(format!("{error}{number}")),
        other => bad_input(format!("{other}{number}")),
    }
}

/// A board that could not be searched.
pub(crate) fn solve_error(error: &SolveError, number: Option<usize>) -> PyErr {
    match error {
        SolveError::Frame(error) => frame_error(error, number),
        SolveError::Damaged(_) | SolveError::WrongSolution => bad_table(error),
        other => bad_input(other),
    }
}

/// Many boards that could not be looked up.
pub(crate) fn many_error<E: std::fmt::Display>(error: ManyError<E>) -> PyErr {
    match error {
        ManyError::Board(number, error) => bad_input(format!("{error} (board {number})")),
        ManyError::Frame(number, error) => frame_error(&error, Some(number)),
        ManyError::Damaged(error) => bad_table(error),
        ManyError::TooLarge(number, bound) => {
            PyOverflowError::new_err(format!("the bound of board {number} is {bound}: a byte has room for 255 at most"))
        }
        other => bad_input(other.to_string()),
    }
}

/// A solver that could not be opened.
pub(crate) fn solver_error(error: &SolverError) -> PyErr {
    match error {
        SolverError::Tables { name, error, .. } if matches!(**error, TablesError::TooLarge(..)) => {
            bad_table(format!("the tables of {name} are {error}: tilebase.generate(\"{name}\") builds them"))
        }
        SolverError::Tables { .. } | SolverError::NoTables(_) => bad_table(error),
        other => bad_input(other),
    }
}

/// A search that gave up.
pub(crate) fn limit_reached(py: Python<'_>, limited: &Limited) -> PyErr {
    let Limited { limit, at_least, effort } = *limited;
    let message = format!("the limit of {limit} was reached: at least {at_least} moves are needed");
    at_limit(py, message, at_least, effort.generated, effort.time)
}

/// Something that gave up, and what is known by then.
pub(crate) fn at_limit(py: Python<'_>, message: String, at_least: u32, nodes: u64, time: Duration) -> PyErr {
    let error = LimitReached::new_err(message);
    let value = error.value(py);
    let told = value
        .setattr("at_least", at_least)
        .and_then(|()| value.setattr("nodes", nodes))
        .and_then(|()| value.setattr("seconds", time.as_secs_f64()));
    told.err().unwrap_or(error)
}
