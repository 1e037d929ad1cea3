//! A board of Python.

use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tilebase::Board;
use tilebase::puzzle::{Direction, Goal, MoveForm, Parity};
use tilebase_plot::BoardPicture;

use crate::errors::bad_input;

/// A board: every tile once, and one blank, which is 0.
///
/// Made of a text in any notation, rows of numbers, one list of them, or an array. A rectangle without rows needs its size, (width,
/// height). It shows itself as a picture in a notebook.
#[pyclass(name = "Board", module = "tilebase", frozen, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard(pub(crate) Board);

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (board, size = None))]
    fn new(board: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<PyBoard> {
        crate::boards::board(board, size.map(crate::boards::size).transpose()?).map(PyBoard)
    }

    /// Width and height.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.0.size().width(), self.0.size().height())
    }

    /// The numbers, row by row, as an array of shape (height, width).
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (width, height) = self.size();
        PyArray1::from_slice(py, self.0.labels()).reshape([height, width])
    }

    /// The numbers in one list, row after row.
    #[getter]
    fn tiles(&self) -> Vec<u32> {
        self.0.labels().iter().copied().map(u32::from).collect()
    }

    /// What numpy makes of it: the rows.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(bad_input("a board is no array, so that one has to be made: expected copy=True or None"));
        }
        let rows = self.rows(py)?;
        match dtype {
            Some(dtype) => rows.call_method1("astype", (dtype,)),
            None => Ok(rows.into_any()),
        }
    }

    /// Whether the goal can be reached: "blank-last", "blank-first", "snail", or a board.
    #[pyo3(signature = (goal = None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        Ok(self.parity(goal)?.is_solvable())
    }

    /// Why the goal can be reached, or why not.
    #[pyo3(signature = (goal = None))]
    fn why(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.parity(goal)?.to_string())
    }

    /// The board after some moves, such as "R2U3L": letters are the directions in which tiles slide.
    fn after(&self, moves: &str) -> PyResult<PyBoard> {
        let slides = MoveForm::detect(moves).parse(moves, &self.0).map_err(bad_input)?;
        Ok(PyBoard(self.0.replay(&slides).map_err(|(_, blocked)| bad_input(blocked))?))
    }

    /// The boards that are a move away, by the direction in which a tile slides: "U", "D", "L", "R".
    fn neighbours<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let neighbours = pyo3::types::PyDict::new(py);
        for direction in self.0.slides() {
            let after = self.0.replay(&[direction]).expect("a listed slide is not blocked");
            neighbours.set_item(letter(direction), PyBoard(after))?;
        }
        Ok(neighbours)
    }

    fn _repr_svg_(&self) -> String {
        picture(&self.0, None, &[]).svg()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board(\"{}\")", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyBoard>().is_ok_and(|other| other.get() == self)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// How it is pickled: as its text, which every process can read.
    fn __reduce__<'py>(slf: &Bound<'py, PyBoard>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = PyTuple::new(slf.py(), [slf.get().0.to_string()])?;
        Ok((slf.get_type().into_any(), text))
    }
}

impl PyBoard {
    fn parity(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Parity> {
        let goal =
            goal.map_or_else(|| Ok(default_goal(&self.0)), |goal| crate::boards::goal(goal, Some(self.0.size())))?;
        Ok(Parity::between(&self.0, &goal))
    }
}

/// The goal that is meant when none is named.
pub(crate) fn default_goal(board: &Board) -> Board {
    Goal::BlankLast.board(board.size()).expect("any size has this goal")
}

/// The letter of a direction in which a tile slides.
pub(crate) fn letter(direction: Direction) -> char {
    MoveForm::Tile.sign(direction).expect("directions of tiles have signs")
}

/// A board that stands still, or plays moves.
pub(crate) fn picture(board: &Board, goal: Option<&Board>, slides: &[Direction]) -> BoardPicture {
    let goal = goal.copied().unwrap_or_else(|| default_goal(board));
    let mut picture = BoardPicture::chequered(board.size().width(), board.labels(), goal.labels());
    let slid = board.tiles_along(slides).expect("solutions have been replayed");
    picture.slides = slid.into_iter().map(|(label, to)| (label, to.index())).collect();
    picture
}
