//! A solver for whatever tables there are.

use std::fmt;

use tilebase_lookup::{AnyBitTable, OpenError, SmallBitTable, Store, Table};
use tilebase_puzzle::{
    Board, Catalogue, Frame, Goal, GoalError, Partition, PatternCosts, PatternError, State, Symmetry,
};
use tilebase_solve::{Additive, Heuristic, Manhattan, Outcome, Request, SolveError, Solved};

/// The most patterns, those of every view counted, that any set of tables can have: eight views of one-tile patterns.
const MOST_SLOTS: usize = 256;

/// Solves boards with one goal by certain tables, or without any.
///
/// Searches are compiled for few and for many patterns, for small and for large boards; this picks the one that fits.
#[derive(Debug)]
pub struct Solver {
    search: Search,
}

/// A search that is compiled for certain tables.
#[derive(Debug)]
enum Search {
    Manhattan(tilebase_solve::Solver<Manhattan>),
    Small4(tilebase_solve::Solver<Additive<SmallBitTable, 4>>),
    Small8(tilebase_solve::Solver<Additive<SmallBitTable, 8>>),
    Small16(tilebase_solve::Solver<Additive<SmallBitTable, 16>>),
    Bits8(tilebase_solve::Solver<Additive<AnyBitTable, 8>>),
    Any8(tilebase_solve::Solver<Additive<Table, 8>>),
    Any(tilebase_solve::Solver<Additive<Table, MOST_SLOTS>>),
}

/// Does the same with whatever search there is.
macro_rules! with_search {
    ($search:expr, $solver:ident => $body:expr) => {
        match $search {
            Search::Manhattan($solver) => $body,
            Search::Small4($solver) => $body,
            Search::Small8($solver) => $body,
            Search::Small16($solver) => $body,
            Search::Bits8($solver) => $body,
            Search::Any8($solver) => $body,
            Search::Any($solver) => $body,
        }
    };
}

impl Solver {
    /// A solver for the goal with the blank last, by the tables of a known catalogue.
    ///
    /// # Errors
    /// [`EngineError`] when there is no such catalogue or its tables are not there.
    pub fn open(catalogue: &str) -> Result<Solver, EngineError> {
        let catalogue = Catalogue::known(catalogue).ok_or_else(|| EngineError::Unknown(catalogue.to_owned()))?;
        let store = Store::of_user();
        let tables = catalogue.partition.patterns().iter().map(|pattern| match store.find(pattern) {
            Ok(Some(table)) => Ok(table),
            Ok(None) => Err(EngineError::NotThere(catalogue.name.clone())),
            Err(error) => Err(EngineError::Table(error)),
        });
        let tables = tables.collect::<Result<Vec<Table>, EngineError>>()?;
        let goal = Goal::BlankLast.board(catalogue.partition.size()).map_err(EngineError::Goal)?;
        Solver::new(Frame::new(&goal), vec![tables]).map_err(EngineError::Patterns)
    }

    /// A solver for the goal of a frame, by the largest sum of several partitions, each seen through all its views.
    ///
    /// # Errors
    /// [`PatternError`] when the patterns of some tables are not a partition.
    pub fn new(frame: Frame, partitions: Vec<Vec<Table>>) -> Result<Solver, PatternError> {
        Solver::with_views(frame, partitions, Partition::views)
    }

    /// The same, seen through certain symmetries.
    ///
    /// # Errors
    /// As for [`new`](Solver::new).
    pub fn with_views(
        frame: Frame,
        partitions: Vec<Vec<Table>>,
        views: impl Fn(&Partition) -> Vec<Symmetry>,
    ) -> Result<Solver, PatternError> {
        let mut slots = 0;
        for tables in &partitions {
            let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
            slots += views(&partition).len() * tables.len();
        }
        let all = |suits: fn(&Table) -> bool| partitions.iter().flatten().all(suits);
        let search = if slots <= 4 && all(SmallBitTable::suits) {
            Search::Small4(solver(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 8 && all(SmallBitTable::suits) {
            Search::Small8(solver(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 16 && all(SmallBitTable::suits) {
            Search::Small16(solver(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 8 && all(AnyBitTable::suits) {
            Search::Bits8(solver(frame, partitions, AnyBitTable::new, views)?)
        } else if slots <= 8 {
            Search::Any8(solver(frame, partitions, |table| table, views)?)
        } else {
            Search::Any(solver(frame, partitions, |table| table, views)?)
        };
        Ok(Solver { search })
    }

    /// A solver without tables, by the Manhattan distance.
    pub fn manhattan(frame: Frame) -> Solver {
        let heuristic = Manhattan::new(frame.size());
        Solver { search: Search::Manhattan(tilebase_solve::Solver::new(frame, heuristic)) }
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        with_search!(&self.search, solver => solver.frame())
    }

    /// A shortest solution of a board.
    ///
    /// # Errors
    /// [`SolveError`] when the board is of another size or cannot be solved, before any search.
    pub fn solve(&self, board: &Board) -> Result<Solved, SolveError> {
        let outcome = self.search(board, &Request::default())?;
        Ok(outcome.solved().expect("without limits a search ends with a solution"))
    }

    /// Searches as asked. Every solution has been replayed on the board and leads to the goal.
    ///
    /// # Errors
    /// As for [`solve`](Solver::solve).
    pub fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        with_search!(&self.search, solver => solver.solve(board, request))
    }

    /// The lower bound for a state. `None` when a table is damaged.
    pub fn bound(&self, state: &State) -> Option<u32> {
        with_search!(&self.search, solver => bound(solver.heuristic(), state))
    }

    /// For each view, the cost of each pattern; nothing without tables. `None` when a table is damaged.
    pub fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        match &self.search {
            Search::Manhattan(_) => Some(Vec::new()),
            Search::Small4(solver) => solver.heuristic().costs(state),
            Search::Small8(solver) => solver.heuristic().costs(state),
            Search::Small16(solver) => solver.heuristic().costs(state),
            Search::Bits8(solver) => solver.heuristic().costs(state),
            Search::Any8(solver) => solver.heuristic().costs(state),
            Search::Any(solver) => solver.heuristic().costs(state),
        }
    }
}

fn bound<H: Heuristic>(heuristic: &H, state: &State) -> Option<u32> {
    heuristic.root(state).map(|node| heuristic.cost(&node))
}

fn solver<T: PatternCosts, const SLOTS: usize>(
    frame: Frame,
    partitions: Vec<Vec<Table>>,
    ready: impl Fn(Table) -> T,
    views: impl Fn(&Partition) -> Vec<Symmetry>,
) -> Result<tilebase_solve::Solver<Additive<T, SLOTS>>, PatternError> {
    let partitions = partitions.into_iter().map(|tables| tables.into_iter().map(&ready).collect()).collect();
    Ok(tilebase_solve::Solver::new(frame, Additive::of_partitions(partitions, views)?))
}

/// A solver that cannot be opened.
#[derive(Debug)]
pub enum EngineError {
    /// No catalogue has this name.
    Unknown(String),
    /// The tables of a catalogue are not there.
    NotThere(String),
    /// A table cannot be opened.
    Table(OpenError),
    /// The board has no such goal.
    Goal(GoalError),
    /// The tables do not belong together.
    Patterns(PatternError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Unknown(name) => {
                let names: Vec<&str> = Catalogue::names().collect();
                write!(f, "there is no catalogue \"{name}\": expected one of {}", names.join(", "))
            }
            EngineError::NotThere(name) => {
                write!(f, "the tables of {name} are not there: run tilebase generate {name}")
            }
            EngineError::Table(error) => error.fmt(f),
            EngineError::Goal(error) => error.fmt(f),
            EngineError::Patterns(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {}
