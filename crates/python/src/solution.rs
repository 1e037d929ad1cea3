//! A solution of Python.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use base64::Engine;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use tilebase::puzzle::{Direction, MoveForm};
use tilebase::{Board, Effort, Metric, Solved, Solver};

use crate::board::{PyBoard, letter, picture};
use crate::errors::bad_input;

/// A solution: its moves, and what it took to find them. Going through it gives the moves, one by one.
///
/// It shows itself in a notebook, playing.
#[pyclass(name = "Solution", module = "tilebase", frozen)]
pub(crate) struct Solution {
    board: Board,
    goal: Board,
    slides: Vec<Direction>,
    optimal: bool,
    at_least: u32,
    effort: Effort,
    tables: String,
    metric: Metric,
}

impl Solution {
    /// Those that a search has found.
    pub(crate) fn of(solved: Solved, board: &Board, by: &Solver) -> Vec<Solution> {
        let Solved { solutions, optimal, effort, length, .. } = solved;
        let at_least = if optimal { length } else { 0 };
        let (board, goal, metric) = (*board, *by.frame().goal(), by.metric());
        let tables = || by.name().to_owned();
        let solution = |slides| Solution { board, goal, slides, optimal, at_least, effort, tables: tables(), metric };
        solutions.into_iter().map(solution).collect()
    }

    /// The same, when it is proven that every solution has at least this many moves.
    pub(crate) fn with_proof(self, at_least: u32) -> Solution {
        Solution { at_least, ..self }
    }
}

#[pymethods]
impl Solution {
    /// The number of moves, in the metric of the solver. `len` is the number of slides of single tiles.
    #[getter]
    fn length(&self) -> u32 {
        self.metric.length(&self.slides)
    }

    /// What counts as one move: "stm" (a single tile) or "mtm" (one tile or several in a line).
    #[getter]
    fn metric(&self) -> String {
        self.metric.to_string()
    }

    /// The moves as speed-solvers write them: "R2U3L" means two tiles slide right, three up, one left.
    #[getter]
    fn moves(&self) -> String {
        MoveForm::Tile.write(&self.slides, &self.board).expect("solutions have been replayed")
    }

    /// The numbers of the tiles that slide, one after the other.
    #[getter]
    fn tiles(&self) -> Vec<u32> {
        let slid = self.board.tiles_along(&self.slides).expect("solutions have been replayed");
        slid.into_iter().map(|(label, _)| label.into()).collect()
    }

    /// How many nodes the search generated.
    #[getter]
    fn nodes(&self) -> u64 {
        self.effort.generated
    }

    /// How many nodes the search expanded.
    #[getter]
    fn expanded(&self) -> u64 {
        self.effort.expanded
    }

    /// How long the search took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.effort.time.as_secs_f64()
    }

    /// Whether no solution can be shorter.
    #[getter]
    fn optimal(&self) -> bool {
        self.optimal
    }

    /// How many moves every solution has, as far as that is proven: `length` when the solution is optimal.
    #[getter]
    fn at_least(&self) -> u32 {
        self.at_least
    }

    /// The tables or heuristics that the search used.
    #[getter]
    fn tables(&self) -> &str {
        &self.tables
    }

    /// The board that is solved.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.board)
    }

    /// The board that is reached.
    #[getter]
    fn goal(&self) -> PyBoard {
        PyBoard(self.goal)
    }

    /// All boards from the first to the last, both included.
    fn boards(&self) -> Vec<PyBoard> {
        let along = self.board.along(&self.slides).expect("solutions have been replayed");
        along.into_iter().map(PyBoard).collect()
    }

    /// The moves in another notation: "tile" (directions of tiles), "blank" (directions of the blank), "tiles" (their numbers),
    /// "arrows".
    fn written(&self, form: &str) -> PyResult<String> {
        let form: MoveForm = form.parse().map_err(bad_input)?;
        form.write(&self.slides, &self.board).map_err(bad_input)
    }

    fn __len__(&self) -> usize {
        self.slides.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.slides.iter().map(|&slide| letter(slide)))?.try_iter()
    }

    fn __str__(&self) -> String {
        let what = if self.length() == 1 { "move" } else { "moves" };
        format!("{} {what}: {}", self.length(), self.moves()).trim_end_matches(": ").to_owned()
    }

    fn __repr__(&self) -> String {
        let optimal = if self.optimal { "" } else { ", not proven to be shortest" };
        format!("<Solution of {} moves{optimal}: {}>", self.length(), self.moves())
    }

    /// A solution is there, however short it is.
    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let is_same =
            |other: &Solution| (other.board, other.goal, &other.slides) == (self.board, self.goal, &self.slides);
        other.cast::<Solution>().is_ok_and(|other| is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.board, self.goal, self.moves()).hash(&mut hasher);
        hasher.finish()
    }

    /// How it is pickled: as what `_restored` takes.
    fn __reduce__<'py>(slf: &Bound<'py, Solution>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let this = slf.get();
        let (board, goal) = (this.board.to_string(), this.goal.to_string());
        let proof = (this.optimal, this.at_least);
        let effort = (this.effort.generated, this.effort.expanded, this.effort.time.as_secs_f64());
        let (tables, metric) = (this.tables.clone(), this.metric());
        let parts = (board, goal, this.moves(), proof, effort, tables, metric).into_pyobject(slf.py())?;
        Ok((slf.get_type().getattr("_restored")?, parts.into_any()))
    }

    /// The solution that was pickled as this. Its moves are replayed.
    #[staticmethod]
    #[pyo3(signature = (board, goal, moves, proof, effort, tables, metric = "stm"))]
    fn _restored(
        board: &str,
        goal: &str,
        moves: &str,
        proof: (bool, u32),
        effort: (u64, u64, f64),
        tables: String,
        metric: &str,
    ) -> PyResult<Solution> {
        let ((optimal, at_least), (generated, expanded, seconds)) = (proof, effort);
        let read = |text: &str| text.parse::<Board>().map_err(bad_input);
        let (board, goal) = (read(board)?, read(goal)?);
        let slides = MoveForm::Tile.parse(moves, &board).map_err(bad_input)?;
        if board.replay(&slides).ok() != Some(goal) {
            return Err(bad_input("the moves do not lead to the goal"));
        }
        let time = Duration::try_from_secs_f64(seconds).map_err(bad_input)?;
        let effort = Effort { generated, expanded, time, ..Effort::default() };
        let metric = metric.parse().map_err(bad_input)?;
        Ok(Solution { board, goal, slides, optimal, at_least, effort, tables, metric })
    }

    /// A picture of its own, so that several in a notebook do not get in each other's way.
    fn _repr_html_(&self) -> String {
        let svg = picture(&self.board, Some(&self.goal), &self.slides).svg();
        let data = base64::engine::general_purpose::STANDARD.encode(svg);
        format!("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{data}\">", self.__str__())
    }
}
