//! A solver for whatever tables there are.

use std::fmt;

use tilebase_heuristics::{Additive, Heuristic, Manhattan};
use tilebase_lookup::{AnyBitTable, OpenError, SmallBitTable, Store, Table};
use tilebase_puzzle::{
    Board, Catalogue, Frame, Goal, GoalError, Partition, PatternCosts, PatternError, State, Symmetry,
};
use tilebase_solve::{Outcome, Request, SolveError, Solved};

/// The most patterns, those of every view counted, that any set of tables can have: eight views of one-tile patterns.
const MOST_SLOTS: usize = 256;

/// Solves boards with one goal by certain tables, or without any.
///
/// Searches are compiled for few and for many patterns, for small and for large boards; this picks the one that fits.
pub struct Solver {
    compiled: Box<dyn Compiled>,
}

/// A search that is compiled for certain tables.
trait Compiled: Send + Sync {
    fn frame(&self) -> &Frame;
    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError>;
    fn bound(&self, state: &State) -> Option<u32>;
    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>>;
}

/// What is the same for all heuristics.
macro_rules! compiled {
    () => {
        fn frame(&self) -> &Frame {
            self.frame()
        }

        fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
            self.solve(board, request)
        }

        fn bound(&self, state: &State) -> Option<u32> {
            self.heuristic().root(state).map(|node| self.heuristic().cost(&node))
        }
    };
}

impl<T: PatternCosts, const SLOTS: usize> Compiled for tilebase_solve::Solver<Additive<T, SLOTS>> {
    compiled!();

    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.heuristic().costs(state)
    }
}

impl Compiled for tilebase_solve::Solver<Manhattan> {
    compiled!();

    fn costs(&self, _state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        Some(Vec::new())
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("frame", self.frame()).finish_non_exhaustive()
    }
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
        let compiled: Box<dyn Compiled> = if slots <= 4 && all(SmallBitTable::suits) {
            Box::new(solver::<_, 4>(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 8 && all(SmallBitTable::suits) {
            Box::new(solver::<_, 8>(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 16 && all(SmallBitTable::suits) {
            Box::new(solver::<_, 16>(frame, partitions, SmallBitTable::new, views)?)
        } else if slots <= 8 && all(AnyBitTable::suits) {
            Box::new(solver::<_, 8>(frame, partitions, AnyBitTable::new, views)?)
        } else if slots <= 8 {
            Box::new(solver::<_, 8>(frame, partitions, |table| table, views)?)
        } else {
            Box::new(solver::<_, MOST_SLOTS>(frame, partitions, |table| table, views)?)
        };
        Ok(Solver { compiled })
    }

    /// A solver without tables, by the Manhattan distance.
    pub fn manhattan(frame: Frame) -> Solver {
        let heuristic = Manhattan::new(frame.size());
        Solver { compiled: Box::new(tilebase_solve::Solver::new(frame, heuristic)) }
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        self.compiled.frame()
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
        self.compiled.search(board, request)
    }

    /// The lower bound for a state. `None` when a table is damaged.
    pub fn bound(&self, state: &State) -> Option<u32> {
        self.compiled.bound(state)
    }

    /// For each view, the cost of each pattern; nothing without tables. `None` when a table is damaged.
    pub fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.compiled.costs(state)
    }
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
