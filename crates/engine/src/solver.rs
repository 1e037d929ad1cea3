//! A solver for whatever tables there are.

use std::fmt;

use tilebase_heuristics::{
    Additive, AllMoves, AnyListed, Heuristic, Largest, LargestError, ListError, Listed, Visitor,
};
use tilebase_index::PatternCosts;
use tilebase_lookup::{
    AdditiveTable, AllMovesTable, AnyBitTable, Coding, NibbleTable, OpenError, SmallBitTable, Store, Table, TypedTable,
};
use tilebase_puzzle::{Board, Catalogue, Frame, Goal, GoalError, Partition, PatternError, State, Symmetry};
use tilebase_solve::{Algorithm, Astar, Bfs, Ida, Ids, Nbs, Outcome, Rbfs, Request, SolveError, Solved, Wanted};

use crate::bounds::{Bounds, Member};
use crate::search::{NotPossible, Search};

/// The most patterns, those of every view counted, that any set of tables can have: eight views of one-tile patterns.
const MOST_SLOTS: usize = 256;

/// More than the usual partitions have.
const FEW_SLOTS: usize = 16;

/// The most heuristics of which the largest counts.
const MOST_MEMBERS: usize = 4;

/// Solves boards with one goal by certain bounds and a certain search.
///
/// Searches are compiled for few and for many patterns, for small and for large boards, and those that are used
/// most for each heuristic of the list; this picks the one that fits.
pub struct Solver {
    compiled: Box<dyn Compiled>,
    search: Search,
}

/// A search that is compiled for certain bounds.
trait Compiled: Send + Sync {
    fn frame(&self) -> &Frame;
    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError>;
    fn bound(&self, state: &State) -> Option<u32>;
    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>>;
    fn is_admissible(&self) -> bool;
}

/// What can tell the costs of patterns.
trait Costs: Heuristic {
    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>>;
}

impl<T: PatternCosts, const SLOTS: usize> Costs for Additive<T, SLOTS> {
    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.costs(state)
    }
}

impl<const SLOTS: usize, const N: usize> Costs for Largest<Member<SLOTS>, N> {
    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.members().iter().map(|member| member.costs(state)).collect::<Option<Vec<_>>>().map(|costs| costs.concat())
    }
}

/// A heuristic of the list, which has no patterns.
struct WithoutPatterns<H, A>(tilebase_solve::Solver<H, A>);

impl<H: Heuristic, A: Algorithm> Compiled for WithoutPatterns<H, A> {
    fn frame(&self) -> &Frame {
        self.0.frame()
    }

    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.0.solve(board, request)
    }

    fn bound(&self, state: &State) -> Option<u32> {
        self.0.heuristic().root(state).map(|node| self.0.heuristic().cost(&node))
    }

    fn costs(&self, _state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        Some(Vec::new())
    }

    fn is_admissible(&self) -> bool {
        self.0.heuristic().is_admissible()
    }
}

impl<H: Costs, A: Algorithm> Compiled for tilebase_solve::Solver<H, A> {
    fn frame(&self) -> &Frame {
        self.frame()
    }

    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.solve(board, request)
    }

    fn bound(&self, state: &State) -> Option<u32> {
        self.heuristic().root(state).map(|node| self.heuristic().cost(&node))
    }

    fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.heuristic().costs(state)
    }

    fn is_admissible(&self) -> bool {
        self.heuristic().is_admissible()
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

    /// A solver for the goal of a frame, by the largest of any bounds and any search.
    ///
    /// # Errors
    /// [`EngineError`] when the patterns of some tables are not a partition, or there are no bounds, or too many of them.
    pub fn with(frame: Frame, bounds: Bounds, search: Search) -> Result<Solver, EngineError> {
        let Bounds { mut listed, partitions, all_moves } = bounds;
        match (search, listed.len(), partitions.is_empty(), all_moves.is_empty()) {
            (Search::Ida | Search::IdaPlain, 1, true, true) => {
                let compiled = listed.remove(0).visit(Compile { frame, algorithm: Ida });
                return Ok(Solver { compiled, search });
            }
            (Search::Astar, 1, true, true) => {
                let compiled = listed.remove(0).visit(Compile { frame, algorithm: Astar });
                return Ok(Solver { compiled, search });
            }
            (Search::Ida | Search::IdaPlain, 0, false, true) => {
                let solver = Solver::new(frame, partitions).map_err(EngineError::Patterns)?;
                return Ok(Solver { search, ..solver });
            }
            _ => {}
        }
        let members = listed.len() + partitions.len().min(1) + all_moves.len().min(1);
        let bounds = Bounds { listed, partitions, all_moves };
        let compiled = match members {
            1 => general::<1>(frame, bounds, search),
            _ => general::<MOST_MEMBERS>(frame, bounds, search),
        };
        compiled.map(|compiled| Solver { compiled, search })
    }

    /// A solver by iterative-deepening A\* and tables that are seen through certain symmetries.
    ///
    /// # Errors
    /// [`PatternError`] when the patterns of some tables are not a partition.
    #[allow(clippy::needless_pass_by_value, reason = "the solver keeps the tables")]
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
        let compiled = if slots <= 16
            && let Some(partitions) = SmallBitTable::ready_partitions(&partitions)
        {
            match slots {
                0..=4 => solver::<_, 4>(frame, partitions, views),
                5..=8 => solver::<_, 8>(frame, partitions, views),
                _ => solver::<_, 16>(frame, partitions, views),
            }
        } else if slots <= 8
            && let Some(partitions) = AnyBitTable::ready_partitions(&partitions)
        {
            solver::<_, 8>(frame, partitions, views)
        } else if slots <= 8
            && let Some(partitions) = NibbleTable::ready_partitions(&partitions)
        {
            solver::<_, 8>(frame, partitions, views)
        } else {
            let partitions = AdditiveTable::ready_partitions(&partitions).ok_or(PatternError::NotAdditive)?;
            solver::<_, MOST_SLOTS>(frame, partitions, views)
        }?;
        Ok(Solver { compiled, search: Search::Ida })
    }

    /// A solver by a heuristic of the list.
    ///
    /// # Errors
    /// [`EngineError`] when there is no such heuristic, or it does not suit the boards.
    pub fn listed(frame: Frame, name: &str, search: Search) -> Result<Solver, EngineError> {
        let heuristic = AnyListed::new(name, frame.size(), frame.home()).map_err(EngineError::List)?;
        Solver::with(frame, Bounds { listed: vec![heuristic], ..Bounds::default() }, search)
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        self.compiled.frame()
    }

    /// A shortest solution of a board.
    ///
    /// # Errors
    /// [`SearchError`] when the board is of another size or cannot be solved, before any search; or when the solver cannot
    /// promise shortest solutions, because its bounds may exceed the distance.
    pub fn solve(&self, board: &Board) -> Result<Solved, SearchError> {
        if !self.compiled.is_admissible() {
            return Err(SearchError::NotPossible(NotPossible::Shortest));
        }
        let outcome = self.search(board, &Request::default())?;
        Ok(outcome.solved().expect("without limits a search ends with a solution"))
    }

    /// Searches as asked. Every solution has been replayed on the board and leads to the goal.
    ///
    /// # Errors
    /// As for [`solve`](Solver::solve), if all shortest solutions are wanted; and when the search cannot do what is asked.
    pub fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SearchError> {
        if request.wanted != Wanted::First && !self.compiled.is_admissible() {
            return Err(SearchError::NotPossible(NotPossible::Shortest));
        }
        let request = self.search.request(request.clone()).map_err(SearchError::NotPossible)?;
        self.compiled.search(board, &request).map_err(SearchError::Solve)
    }

    /// Whether no bound ever exceeds the distance, so that searches can promise shortest solutions.
    pub fn is_admissible(&self) -> bool {
        self.compiled.is_admissible()
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

fn solver<C: Coding + 'static, const SLOTS: usize>(
    frame: Frame,
    partitions: Vec<Vec<TypedTable<C>>>,
    views: impl Fn(&Partition) -> Vec<Symmetry>,
) -> Result<Box<dyn Compiled>, PatternError> {
    let sums = Additive::<_, SLOTS>::of_partitions(partitions, views)?;
    Ok(Box::new(tilebase_solve::Solver::new(frame, sums)))
}

/// Makes a search that is compiled for a heuristic of the list.
struct Compile<A> {
    frame: Frame,
    algorithm: A,
}

impl<A: Algorithm + 'static> Visitor for Compile<A> {
    type Answer = Box<dyn Compiled>;

    fn visit<H: Listed + 'static>(self, heuristic: H) -> Box<dyn Compiled> {
        Box::new(WithoutPatterns(tilebase_solve::Solver::with_algorithm(self.frame, heuristic, self.algorithm)))
    }
}

/// Any search by the largest of any bounds. It asks at every step what kind of bound each is.
fn general<const N: usize>(frame: Frame, bounds: Bounds, search: Search) -> Result<Box<dyn Compiled>, EngineError> {
    // What is only computed comes first: where it prunes, no table is asked.
    let mut members: Vec<Member<FEW_SLOTS>> = bounds.listed.into_iter().map(Member::Listed).collect();
    if !bounds.all_moves.is_empty() {
        let tables = AllMovesTable::ready(&bounds.all_moves).ok_or(EngineError::Patterns(PatternError::NotAllMoves))?;
        members.push(Member::AllMoves(AllMoves::new(tables).map_err(EngineError::Patterns)?));
    }
    if !bounds.partitions.is_empty() {
        let partitions = AdditiveTable::ready_partitions(&bounds.partitions);
        let partitions = partitions.ok_or(EngineError::Patterns(PatternError::NotAdditive))?;
        let sums = Additive::of_partitions(partitions, Partition::views);
        members.push(Member::Sums(sums.map_err(EngineError::Patterns)?));
    }
    let largest = Largest::<_, N>::new(members).map_err(EngineError::Bounds)?;
    Ok(match search {
        Search::Ida | Search::IdaPlain => boxed(frame, largest, Ida),
        Search::Astar => boxed(frame, largest, Astar),
        Search::Rbfs => boxed(frame, largest, Rbfs),
        Search::Bidirectional => boxed(frame, largest, Nbs),
        Search::Bfs => boxed(frame, largest, Bfs),
        Search::Ids => boxed(frame, largest, Ids { graph: false }),
        Search::IdsGraph => boxed(frame, largest, Ids { graph: true }),
    })
}

fn boxed<A: Algorithm + 'static, const N: usize>(
    frame: Frame,
    largest: Largest<Member<FEW_SLOTS>, N>,
    algorithm: A,
) -> Box<dyn Compiled> {
    Box::new(tilebase_solve::Solver::with_algorithm(frame, largest, algorithm))
}

/// A board that was not searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// As for any solver.
    Solve(SolveError),
    /// The search cannot do what is asked.
    NotPossible(NotPossible),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Solve(error) => error.fmt(f),
            SearchError::NotPossible(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {}

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
    /// No heuristic of the list is meant.
    List(ListError),
    /// There are no bounds, or too many.
    Bounds(LargestError),
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
            EngineError::List(error) => error.fmt(f),
            EngineError::Bounds(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {}
