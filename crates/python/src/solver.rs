//! Solvers of Python.

use std::collections::TryReserveError;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use numpy::ndarray::{Ix1, Ix3};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use tilebase::puzzle::{FrameError, Symmetry};
use tilebase::solve::batch;
use tilebase::{
    Board, Event, Limits, ManyBoards, ManyError, Metric, Outcome, Request, Search, SolveError, Solver, Tables, Views,
    Wanted, Watch, Weight, memory_for_nodes,
};

use crate::board::letter;
use crate::boards::{Boards, RowError, Rows, board, boards, goal, size, zeros};
use crate::errors::{bad_input, frame_error, limit_reached, many_error, solve_error, solver_error};
use crate::solution::Solution;
use crate::store::source;
use crate::work;

/// So few boards are looked up one by one, on the thread that asks.
const FEW_BOARDS: usize = 64;

/// Boards that are looked at between two questions whether to go on.
const BOARDS_BETWEEN_LOOKS: usize = 4096;

/// What makes two solvers the same: the goal, the search, and tables by name and hash.
#[derive(Clone, PartialEq, Eq)]
struct Identity {
    goal: Board,
    search: &'static str,
    metric: Metric,
    views: Views,
    tables: String,
    hashes: Vec<[u8; 32]>,
}

/// Solvers that somebody has, so that others share their tables, unpacked ones included.
static SHARED: Mutex<Vec<(Identity, Weak<Solver>)>> = Mutex::new(Vec::new());

/// The solver that somebody has already, if it is the same, or this one from now on.
fn shared(solver: Solver, search: Search, views: Views) -> Arc<Solver> {
    let identity = Identity {
        goal: *solver.frame().goal(),
        search: search.about().name,
        metric: solver.metric(),
        views,
        tables: solver.name().to_owned(),
        hashes: solver.tables().iter().map(|table| table.header().hash()).collect(),
    };
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.retain(|(_, solver)| solver.strong_count() > 0);
    let known = shared.iter().find(|(known, _)| *known == identity).and_then(|(_, solver)| solver.upgrade());
    known.unwrap_or_else(|| {
        let solver = Arc::new(solver);
        shared.push((identity, Arc::downgrade(&solver)));
        solver
    })
}

/// Solves boards of one size with one goal, by certain tables. Any number of threads may use it at once.
///
/// tables: "auto" (the strongest that are there and fit into memory), a catalogue such as "7-8", a heuristic such as "manhattan", or
/// several with "+" between them, of which the largest counts. Small tables that are not there are built on the spot.
/// size: (width, height), or a text such as "4x4".
/// goal: "blank-last", "blank-first" (Korf's), "snail", or a board.
/// threads: how many work at a time; one on each core by default.
/// algorithm: "ida", "astar", … as `tilebase solve --help` lists them.
/// metric: what counts as one move: "stm" (a single tile) or "mtm" (one tile or several in a line).
/// views: "all" (patterns are seen straight and reflected, and the largest sum counts) or "one".
/// `table_dir`: a directory with tables, before the usual ones. Tables of more than a megabyte are mapped; do not change their files in
/// place while a solver uses them.
/// `max_memory`: the most bytes that tables may take for "auto" to choose them, and that searches take that keep their nodes, such as
/// "astar"; what the machine has free by default. At the end of it they give up.
/// progress: True for a bar while tables are unpacked or built, or a function of (what, done, total).
#[pyclass(name = "Solver", module = "tilebase", frozen)]
pub(crate) struct PySolver {
    solver: Arc<Solver>,
    threads: usize,
    max_memory: Option<u64>,
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (
        tables = "auto", size = None, goal = None, threads = None, *,
        algorithm = "ida", metric = "stm", views = "all", table_dir = None, max_memory = None, progress = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "that is how Python has options")]
    fn new(
        py: Python<'_>,
        tables: &str,
        size: Option<&Bound<'_, PyAny>>,
        goal: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        algorithm: &str,
        metric: &str,
        views: &str,
        table_dir: Option<PathBuf>,
        max_memory: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolver> {
        let goal = goal_of(size, goal)?;
        let search = search_named(algorithm)?;
        let threads = work::threads(threads)?;
        let metric: Metric = metric.parse().map_err(bad_input)?;
        let views = match views {
            "all" => Views::All,
            "one" => Views::One,
            other => return Err(bad_input(format!("{other:?} are no views: expected views=\"all\" or \"one\""))),
        };
        let solver = work::run(py, progress, ("making tables ready", 0), Some(threads), |watch| {
            let source = source(table_dir).with_threads(threads).fitting_into(max_memory);
            let builder = Solver::builder(&goal).tables(Tables::of(tables)).search(search).metric(metric).views(views);
            builder.source(&source).watch(watch).open()
        })?;
        let solver = shared(solver.map_err(|error| solver_error(&error))?, search, views);
        Ok(PySolver { solver, threads, max_memory })
    }

    /// What its tables or heuristics are called.
    #[getter]
    fn tables(&self) -> &str {
        self.solver.name()
    }

    /// Width and height of the boards.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let size = self.solver.frame().size();
        (size.width(), size.height())
    }

    /// The board that solutions lead to.
    #[getter]
    fn goal(&self) -> crate::board::PyBoard {
        crate::board::PyBoard(*self.solver.frame().goal())
    }

    /// What counts as one move: "stm" or "mtm".
    #[getter]
    fn metric(&self) -> String {
        self.solver.metric().to_string()
    }

    /// How many threads work at a time.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// What `costs` are made of: for each sum its view, and the tiles of each pattern.
    #[getter]
    fn patterns(&self) -> Vec<(String, Vec<Vec<u32>>)> {
        let sum = |(view, patterns): (Symmetry, Vec<Vec<u8>>)| {
            let numbers = |mut labels: Vec<u8>| {
                labels.sort_unstable();
                labels.into_iter().map(u32::from).collect()
            };
            (view.to_string(), patterns.into_iter().map(numbers).collect())
        };
        self.solver.patterns_of_costs().into_iter().map(sum).collect()
    }

    /// A shortest solution of a board; with a weight above 1 one that is found sooner, and is at most that many times as long.
    ///
    /// Raises `UnsolvableError` when there is none, and `LimitReached` when a limit is.
    #[pyo3(signature = (board, *, time_limit = None, max_nodes = None, weight = None))]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        max_nodes: Option<u64>,
        weight: Option<f64>,
    ) -> PyResult<Solution> {
        let limits = limits(time_limit, max_nodes)?;
        let weight = weight.map_or(Ok(Weight::ONE), self::weight)?;
        let request = Request::default().limits(limits).weight(weight);
        let mut solutions = self.search(py, board, &request)?;
        Ok(solutions.remove(0))
    }

    /// Every shortest solution of a board, or the first `most` that are found.
    #[pyo3(signature = (board, *, most = None, time_limit = None, max_nodes = None))]
    fn all(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        most: Option<usize>,
        time_limit: Option<f64>,
        max_nodes: Option<u64>,
    ) -> PyResult<Vec<Solution>> {
        let request = Request::default().limits(limits(time_limit, max_nodes)?);
        self.search(py, board, &request.wanted(most.map_or(Wanted::All, Wanted::Several)))
    }

    /// How many shortest solutions a board has.
    #[pyo3(signature = (board, *, time_limit = None, max_nodes = None))]
    fn count(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        max_nodes: Option<u64>,
    ) -> PyResult<u64> {
        let board = self.board(board)?;
        let request = Request::default().limits(limits(time_limit, max_nodes)?).wanted(Wanted::Count);
        match self.outcome(py, &board, &request)? {
            Outcome::Solved(solved) => Ok(solved.count),
            Outcome::Limited(limited) => Err(limit_reached(py, &limited)),
        }
    }

    /// The best solution that is found within a time: a good one at once, better ones later. It ends as soon as the solution is proven
    /// to be shortest, or at most `within` longer (0.05 for 5 %). `at_least` of the solution says how many moves every one has.
    #[pyo3(signature = (board, time_limit, *, within = 0.0))]
    fn improve(&self, py: Python<'_>, board: &Bound<'_, PyAny>, time_limit: f64, within: f64) -> PyResult<Solution> {
        let board = self.board(board)?;
        let limits = limits(Some(time_limit), None)?;
        let limits = limits.memory(self.solver.memory_to_improve(self.max_memory, NonZeroUsize::MIN));
        if within.is_nan() || within < 0.0 {
            return Err(bad_input(format!("within is {within}: expected 0 or more, such as 0.05 for 5 %")));
        }
        let weight = weight(1.0 + within)?;
        let improved = work::run(py, None, ("improving", 0), None, |watch| {
            let request = Request::default().limits(limits).weight(weight).threads(self.all_threads()).watch(watch);
            self.solver.improve(&board, &request, &|_| ControlFlow::Continue(()))
        })?;
        let improved = improved.map_err(|error| solve_error(&error, None))?;
        match improved.best.outcome(improved.limit) {
            Outcome::Solved(solved) => {
                let mut solution = self.solutions(solved, &board);
                Ok(solution.remove(0).with_proof(improved.best.at_least))
            }
            Outcome::Limited(limited) => Err(limit_reached(py, &limited)),
        }
    }

    /// The lengths of shortest solutions of many boards: an array of shape (boards, squares), or a list of boards. (With a search or a
    /// heuristic that promises no shortest solutions, those of the solutions that are found; `at_least` is 0 then.)
    ///
    /// With moves or nodes asked for, or a limit for each board, the answer is a `Results` with `lengths`, `at_least`, `nodes` and `moves`.
    /// A board that reaches a limit has the length −1, and `at_least` says what is proven of it.
    #[pyo3(signature = (boards, *, moves = false, nodes = false, time_limit = None, max_nodes = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "that is how Python has options")]
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        moves: bool,
        nodes: bool,
        time_limit: Option<f64>,
        max_nodes: Option<u64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boards = self.boards(boards)?;
        let limits = limits(time_limit, max_nodes)?;
        let is_detailed = moves || nodes || limits != Limits::default();
        let count = boards.len();
        let lengths = zeros::<i16, Ix1>(py, &[count])?;
        let at_least = zeros::<i16, Ix1>(py, &[if is_detailed { count } else { 0 }])?;
        let nodes = zeros::<u64, Ix1>(py, &[if is_detailed { count } else { 0 }])?;
        let mut kept_moves: Vec<Vec<u8>> = Vec::new();
        if moves {
            let no_memory = |error: TryReserveError| PyMemoryError::new_err(error.to_string());
            kept_moves.try_reserve_exact(count).map_err(no_memory)?;
            kept_moves.resize(count, Vec::new());
        }
        let mut room = (lengths.readwrite(), at_least.readwrite(), nodes.readwrite());
        let mut found = Found {
            lengths: room.0.as_slice_mut()?,
            at_least: room.1.as_slice_mut()?,
            nodes: room.2.as_slice_mut()?,
            moves: kept_moves,
        };
        let (rows, what) = (boards.rows(), ("solving", count as u64));
        work::run(py, progress, what, None, |watch| self.solve_rows(&rows, limits, &mut found, watch))??;
        if !is_detailed {
            return Ok(lengths.into_any());
        }
        let moves = if moves { Some(ragged(py, found.moves)?) } else { None };
        drop(room);
        py.import("tilebase._results")?.getattr("Results")?.call1((lengths, at_least, nodes, moves))
    }

    /// The lower bounds of many boards, an array of shape (boards, squares) or a list: what a search begins with.
    ///
    /// They are bytes without a sign: write `bounds.astype(int)` before you subtract.
    #[pyo3(signature = (boards, *, progress = None))]
    fn heuristic<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        look_up(py, &self.solver, &self.boards(boards)?, self.threads, progress)
    }

    /// The costs of patterns on many boards, of the shape (boards, sums, patterns): `patterns` says what they are. The bound of a board
    /// is its largest sum, or that of a heuristic beside the tables, if there is one and it knows better.
    #[pyo3(signature = (boards, *, progress = None))]
    fn costs<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        let (sums, patterns) = self.solver.shape_of_costs();
        if sums == 0 {
            return Err(bad_input(format!("{} has no patterns: open the solver with tables", self.solver.name())));
        }
        let boards = self.boards(boards)?;
        let costs = zeros::<u8, Ix3>(py, &[boards.len(), sums, patterns])?;
        let mut found = costs.readwrite();
        let (found, rows, what) = (found.as_slice_mut()?, boards.rows(), ("looking up", boards.len() as u64));
        let looked_up =
            work::run(py, progress, what, Some(self.threads), |watch| self.solver.costs_of_many(&rows, found, watch))?;
        looked_up.map_err(many_error)?;
        Ok(costs)
    }

    fn __repr__(&self) -> String {
        let frame = self.solver.frame();
        format!("<Solver of {} boards by {}, goal {}>", frame.size(), self.solver.name(), frame.goal())
    }
}

impl PySolver {
    pub(crate) fn inner(&self) -> &Solver {
        &self.solver
    }

    fn all_threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.threads).unwrap_or(NonZeroUsize::MIN)
    }

    fn board(&self, value: &Bound<'_, PyAny>) -> PyResult<Board> {
        let board = board(value, Some(self.solver.frame().size()))?;
        self.solver.frame().check(&board).map_err(|error| frame_error(&error, None))?;
        Ok(board)
    }

    fn boards<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Boards<'py>> {
        boards(value, Some(self.solver.frame().size()))
    }

    fn outcome(&self, py: Python<'_>, board: &Board, request: &Request<'_>) -> PyResult<Outcome> {
        let (limits, wanted, weight) = (request.limits, request.wanted, request.weight);
        let outcome = work::run(py, None, ("solving", 0), None, |watch| {
            let limits = limits.memory(memory_for_nodes(self.max_memory, NonZeroUsize::MIN));
            let request = Request::default().limits(limits).wanted(wanted).weight(weight);
            self.solver.search(board, &request.threads(self.all_threads()).watch(watch))
        })?;
        outcome.map_err(|error| solve_error(&error, None))
    }

    fn search(&self, py: Python<'_>, board: &Bound<'_, PyAny>, request: &Request<'_>) -> PyResult<Vec<Solution>> {
        let board = self.board(board)?;
        match self.outcome(py, &board, request)? {
            Outcome::Solved(solved) => Ok(self.solutions(solved, &board)),
            Outcome::Limited(limited) => Err(limit_reached(py, &limited)),
        }
    }

    fn solutions(&self, solved: tilebase::Solved, board: &Board) -> Vec<Solution> {
        Solution::of(solved, board, &self.solver)
    }

    /// Solves every row. All of them are looked at first: nobody wants to hear of the last one after an hour.
    fn solve_rows(&self, rows: &Rows<'_>, limits: Limits, found: &mut Found<'_>, watch: Watch<'_>) -> PyResult<()> {
        let (frame, count) = (self.solver.frame(), found.lengths.len());
        for number in 0..count {
            let board = rows.board(number).map_err(|error| many_error(ManyError::Board(number, error)))?;
            frame.check(&board).map_err(|error: FrameError| frame_error(&error, Some(number)))?;
            if number % BOARDS_BETWEEN_LOOKS == 0 && watch(&Event::Poll).is_break() {
                return Ok(());
            }
        }
        let poll = |_: &Event<'_>| watch(&Event::Poll);
        let limits = limits.memory(memory_for_nodes(self.max_memory, self.all_threads()));
        let request = Request::default().limits(limits).watch(&poll);
        let mut error = None;
        let search = |number: usize| {
            // They were boards a moment ago; nobody should have changed the array meanwhile.
            let board = rows.board(number).map_err(|error| many_error(ManyError::Board(number, error)))?;
            let outcome = self.solver.search(&board, &request).map_err(|error| solve_error(&error, Some(number)))?;
            PyResult::Ok((number, outcome))
        };
        batch::run(self.threads, false, 0..count, search, |outcome| {
            match outcome {
                Ok((number, outcome)) => found.put(number, &outcome),
                Err(first) => error = Some(first),
            }
            error.is_none() && watch(&Event::Advance(1)).is_continue()
        });
        error.map_or(Ok(()), Err)
    }
}

/// The lower bounds of many boards.
fn look_up<'py>(
    py: Python<'py>,
    solver: &Solver,
    boards: &Boards<'py>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let bounds = zeros::<u8, Ix1>(py, &[boards.len()])?;
    let mut found = bounds.readwrite();
    let (found, rows) = (found.as_slice_mut()?, boards.rows());
    let looked_up = if boards.len() <= FEW_BOARDS {
        let mut numbered = found.iter_mut().enumerate();
        work::briefly(py, || numbered.try_for_each(|(number, bound)| look_up_one(solver, &rows, number, bound)))?
    } else {
        let what = ("looking up", boards.len() as u64);
        work::run(py, progress, what, Some(threads), |watch| solver.bounds_of_many(&rows, found, watch))?
    };
    looked_up.map_err(many_error)?;
    Ok(bounds)
}

/// The lower bound of one of many boards.
fn look_up_one(solver: &Solver, rows: &Rows<'_>, number: usize, bound: &mut u8) -> Result<(), ManyError<RowError>> {
    let board = rows.board(number).map_err(|error| ManyError::Board(number, error))?;
    let found = solver.bound_of(&board).map_err(|error| match error {
        SolveError::Frame(error) => ManyError::Frame(number, error),
        other => ManyError::Damaged(other),
    })?;
    *bound = found.try_into().map_err(|_| ManyError::TooLarge(number, found))?;
    Ok(())
}

/// The values of the heuristic with a name for many boards.
#[pyfunction]
#[pyo3(signature = (name, boards, size, goal, threads))]
pub(crate) fn heuristic<'py>(
    py: Python<'py>,
    name: &str,
    boards: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    goal: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    /// Heuristics that somebody has asked for, each with its goal: they are small, and some take a moment to make.
    static KNOWN: Mutex<Vec<(String, Board, Arc<Solver>)>> = Mutex::new(Vec::new());
    const MOST_KNOWN: usize = 64;
    let boards = self::boards(boards, size.map(self::size).transpose()?)?;
    let goal = goal_for(boards.size, goal)?;
    let known = || {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., solver)) = known.iter().find(|(other, its, _)| other == name && *its == goal) {
            return Ok(Arc::clone(solver));
        }
        let solver = Arc::new(Solver::builder(&goal).tables(Tables::Named(name)).open()?);
        if known.len() >= MOST_KNOWN {
            known.remove(0);
        }
        known.push((name.to_owned(), goal, Arc::clone(&solver)));
        Ok(solver)
    };
    let solver = work::briefly(py, known)?.map_err(|error| solver_error(&error))?;
    look_up(py, &solver, &boards, work::threads(threads)?, None)
}

/// What was found out about many boards.
struct Found<'a> {
    lengths: &'a mut [i16],
    /// Empty when nobody asked, and so are the others.
    at_least: &'a mut [i16],
    nodes: &'a mut [u64],
    moves: Vec<Vec<u8>>,
}

impl Found<'_> {
    fn put(&mut self, number: usize, outcome: &Outcome) {
        let (length, at_least) = match outcome {
            // Where nothing is proven, every solution has 0 moves at least.
            Outcome::Solved(solved) => (solved.length as i16, if solved.optimal { solved.length as i16 } else { 0 }),
            Outcome::Limited(limited) => (-1, limited.at_least as i16),
        };
        self.lengths[number] = length;
        if let Some(place) = self.at_least.get_mut(number) {
            *place = at_least;
        }
        if let Some(place) = self.nodes.get_mut(number) {
            *place = outcome.effort().generated;
        }
        if let (Some(place), Outcome::Solved(solved)) = (self.moves.get_mut(number), outcome) {
            *place = solved.solutions.iter().flatten().map(|&slide| letter(slide) as u8).collect();
        }
    }
}

/// Moves of many boards: all letters in one array, and where those of each board begin.
fn ragged(py: Python<'_>, moves: Vec<Vec<u8>>) -> PyResult<Bound<'_, PyAny>> {
    let offsets = zeros::<i64, Ix1>(py, &[moves.len() + 1])?;
    let mut end = 0;
    for (moves, offset) in moves.iter().zip(&mut offsets.readwrite().as_slice_mut()?[1..]) {
        end += moves.len();
        *offset = end as i64;
    }
    let letters = zeros::<u8, Ix1>(py, &[end])?;
    let mut room = letters.readwrite();
    let mut rest = room.as_slice_mut()?;
    for moves in moves {
        let (here, others) = rest.split_at_mut(moves.len());
        here.copy_from_slice(&moves);
        rest = others;
    }
    drop(room);
    py.import("tilebase._results")?.getattr("Moves")?.call1((letters, offsets))
}

/// The goal of boards of a size: of 4×4, when nothing else is said.
pub(crate) fn goal_of(size: Option<&Bound<'_, PyAny>>, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
    let size = size.map(self::size).transpose()?;
    goal.map_or_else(|| tilebase::Goal::BlankLast.board_of(size).map_err(bad_input), |goal| self::goal(goal, size))
}

/// The goal of boards whose size is known.
pub(crate) fn goal_for(size: tilebase::Size, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
    match goal {
        Some(goal) => self::goal(goal, Some(size)),
        None => tilebase::Goal::BlankLast.board(size).map_err(bad_input),
    }
}

/// The search that has a name.
fn search_named(name: &str) -> PyResult<Search> {
    let searches = Search::all();
    let found = searches.iter().find(|search| search.about().name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = searches.iter().map(|search| search.about().name).collect();
        bad_input(format!("no search is called {name:?}: expected one of {}", names.join(", ")))
    })
}

/// A weight from a number, exact to a thousandth.
fn weight(weight: f64) -> PyResult<Weight> {
    if weight < 1.0 {
        return Err(bad_input(format!("{weight} is not a weight: expected a number from 1 to 1000")));
    }
    format!("{weight:.3}").parse().map_err(bad_input)
}

/// When a search gives up.
fn limits(time: Option<f64>, nodes: Option<u64>) -> PyResult<Limits> {
    let time = time.map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| bad_input(format!("{seconds} is not a time limit: expected seconds, 0 or more")))
    });
    Ok(Limits::default().nodes(nodes).time(time.transpose()?))
}
