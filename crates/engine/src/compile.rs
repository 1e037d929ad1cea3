//! Searches of single tiles, compiled for the bounds at hand: for few and for many patterns, for small and for large boards, and the
//! usual ones for each heuristic of the list.

use thiserror::Error;
use tilebase_heuristics::{
    Additive, AllMoves, Largest, LargestError, ListError, Listed, PatternCostsOfViews, SharedSums, Visitor,
};
use tilebase_lookup::{
    AdditiveTable, AllMovesTable, AnyBitTable, Coding, NibbleTable, SmallBitTable, Table, TypedTable,
};
use tilebase_puzzle::{Board, Frame, Metric, Partition, PatternError, State};
use tilebase_solve::{Algorithm, Ida, Outcome, Request, Search, SearchVisitor, SolveError, Space};

use crate::bounds::{Bounds, Member, Views};
use crate::runs;

/// The most patterns, those of every view counted, that any set of tables can have: eight views of one-tile patterns.
const MOST_SLOTS: usize = 256;

/// As many as the usual sets of several partitions have, those that several of them share counted once.
const MANY_SLOTS: usize = 32;

/// More than the usual partitions have.
const FEW_SLOTS: usize = 16;

/// The most heuristics of which the largest counts.
const MOST_MEMBERS: usize = 4;

/// A search that is compiled for certain bounds.
pub trait Compiled: Send + Sync {
    /// The goal's frame.
    fn frame(&self) -> &Frame;

    /// What counts as one move.
    fn metric(&self) -> Metric;

    /// Searches as asked. Every solution has been replayed on the board and leads to the goal.
    ///
    /// # Errors
    /// [`SolveError`] when the board is of another size or cannot be solved, or the search cannot do what is asked.
    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError>;

    /// The lower bound for a state. `None` when a table is damaged.
    fn bound(&self, state: &State) -> Option<u32>;

    /// For each view, the cost of each pattern; nothing without tables. `None` when a table is damaged.
    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews>;

    /// Whether no bound ever exceeds the distance.
    fn is_admissible(&self) -> bool;

    /// The depths of the automata that iterative-deepening A\* uses.
    fn automaton_depths(&self) -> Vec<usize>;
}

impl<S: Space, A: Algorithm> Compiled for tilebase_solve::Solver<S, A> {
    fn frame(&self) -> &Frame {
        self.frame()
    }

    fn metric(&self) -> Metric {
        S::METRIC
    }

    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.solve(board, request)
    }

    fn bound(&self, state: &State) -> Option<u32> {
        self.space().bound(state)
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        self.space().costs_of_patterns(state)
    }

    fn is_admissible(&self) -> bool {
        self.space().has_admissible_bounds()
    }

    fn automaton_depths(&self) -> Vec<usize> {
        S::automaton_depths(self.frame().size())
    }
}

/// Compiles a search by the largest of any bounds, counting in a metric.
///
/// # Errors
/// [`BoundsError`] when the patterns of some tables are not a partition, or there are no bounds, too many of them, or some of another
/// metric.
pub fn compile(metric: Metric, frame: Frame, bounds: Bounds, search: Search) -> Result<Box<dyn Compiled>, BoundsError> {
    match metric {
        Metric::Mtm => runs::compile(frame, &bounds, search),
        _ => compile_tiles(frame, bounds, search),
    }
}

fn compile_tiles(frame: Frame, bounds: Bounds, search: Search) -> Result<Box<dyn Compiled>, BoundsError> {
    let Bounds { mut listed, partitions, all_moves, lines, views } = bounds;
    if !lines.is_empty() {
        return Err(BoundsError::OtherMetric);
    }
    match (search, listed.len(), partitions.is_empty(), all_moves.is_empty()) {
        (Search::Ida(algorithm), 1, true, true) => return Ok(listed.remove(0).visit(Compile { frame, algorithm })),
        (Search::Astar(algorithm), 1, true, true) => return Ok(listed.remove(0).visit(Compile { frame, algorithm })),
        (Search::Ida(ida), 0, false, true) => return sums(frame, &partitions, ida, views),
        (Search::Beam(beam), 0, false, true) => return any_sums(frame, &partitions, beam, views),
        // It keeps its nodes, so that they should be small.
        (Search::Astar(astar), 0, false, true) if slots(&partitions, views)? <= 4 => {
            let partitions = AdditiveTable::ready_partitions(&partitions).ok_or(PatternError::NotAdditive)?;
            return Ok(solver::<_, _, 4>(frame, partitions, astar, views)?);
        }
        _ => {}
    }
    let members = listed.len() + partitions.len().min(1) + all_moves.len().min(1);
    let bounds = Bounds { listed, partitions, all_moves, lines, views };
    match members {
        1 => general::<1>(frame, bounds, search),
        _ => general::<MOST_MEMBERS>(frame, bounds, search),
    }
}

/// Iterative-deepening A\* by sums of tables, compiled for the kind and the number of tables.
fn sums(frame: Frame, partitions: &[Vec<Table>], ida: Ida, views: Views) -> Result<Box<dyn Compiled>, BoundsError> {
    let slots = slots(partitions, views)?;
    let compiled = if slots <= 16
        && let Some(partitions) = SmallBitTable::ready_partitions(partitions)
    {
        match slots {
            ..=4 => solver::<_, _, 4>(frame, partitions, ida, views),
            5..=8 => solver::<_, _, 8>(frame, partitions, ida, views),
            _ => solver::<_, _, 16>(frame, partitions, ida, views),
        }
    } else if slots <= 8
        && let Some(partitions) = NibbleTable::ready_partitions(partitions)
    {
        solver::<_, _, 8>(frame, partitions, ida, views)
    } else {
        return any_sums(frame, partitions, ida, views);
    };
    Ok(compiled?)
}

/// Any search by sums of tables, compiled for few patterns, for partitions that share patterns, and for anything.
fn any_sums<A: Algorithm + 'static>(
    frame: Frame,
    partitions: &[Vec<Table>],
    algorithm: A,
    views: Views,
) -> Result<Box<dyn Compiled>, BoundsError> {
    let few = slots(partitions, views)? <= 8;
    if let Some(partitions) = AnyBitTable::ready_partitions(partitions) {
        if few {
            return Ok(solver::<_, _, 8>(frame, partitions, algorithm, views)?);
        }
        if let Ok(sums) = SharedSums::<_, MANY_SLOTS>::of_partitions(partitions, |partition| views.of(partition)) {
            return Ok(Box::new(tilebase_solve::Solver::with_algorithm(frame, sums, algorithm)));
        }
    }
    let partitions = AdditiveTable::ready_partitions(partitions).ok_or(PatternError::NotAdditive)?;
    Ok(solver::<_, _, MOST_SLOTS>(frame, partitions, algorithm, views)?)
}

/// How many patterns a node follows, those of every view counted.
fn slots(partitions: &[Vec<Table>], views: Views) -> Result<usize, PatternError> {
    let slots = partitions.iter().map(|tables| {
        let partition = Partition::new(tables.iter().map(|table| *table.pattern()).collect())?;
        Ok(views.of(&partition).len() * tables.len())
    });
    slots.sum()
}

fn solver<C: Coding + 'static, A: Algorithm + 'static, const SLOTS: usize>(
    frame: Frame,
    partitions: Vec<Vec<TypedTable<C>>>,
    algorithm: A,
    views: Views,
) -> Result<Box<dyn Compiled>, PatternError> {
    let sums = Additive::<_, SLOTS>::of_partitions(partitions, |partition| views.of(partition))?;
    Ok(Box::new(tilebase_solve::Solver::with_algorithm(frame, sums, algorithm)))
}

/// Makes a search that is compiled for a heuristic of the list.
struct Compile<A> {
    frame: Frame,
    algorithm: A,
}

impl<A: Algorithm + 'static> Visitor for Compile<A> {
    type Answer = Box<dyn Compiled>;

    fn visit<H: Listed + 'static>(self, heuristic: H) -> Box<dyn Compiled> {
        Box::new(tilebase_solve::Solver::with_algorithm(self.frame, heuristic, self.algorithm))
    }
}

/// Any search by the largest of any bounds. It asks at every step what kind of bound each is.
fn general<const N: usize>(frame: Frame, bounds: Bounds, search: Search) -> Result<Box<dyn Compiled>, BoundsError> {
    // What is only computed comes first: where it prunes, no table is asked.
    let mut members: Vec<Member<FEW_SLOTS>> = bounds.listed.into_iter().map(Member::Listed).collect();
    if !bounds.all_moves.is_empty() {
        let tables = AllMovesTable::ready(&bounds.all_moves).ok_or(PatternError::NotAllMoves)?;
        members.push(Member::AllMoves(AllMoves::of_all_moves(tables)?));
    }
    if !bounds.partitions.is_empty() {
        let views = |partition: &Partition| bounds.views.of(partition);
        let partitions = AdditiveTable::ready_partitions(&bounds.partitions).ok_or(PatternError::NotAdditive)?;
        members.push(Member::Sums(Additive::of_partitions(partitions, views)?));
    }
    let largest = Largest::<_, N>::new(members)?;
    Ok(search.visit(CompileLargest { frame, largest }))
}

/// Makes a search that is compiled for the largest of any bounds.
struct CompileLargest<const N: usize> {
    frame: Frame,
    largest: Largest<Member<FEW_SLOTS>, N>,
}

impl<const N: usize> SearchVisitor for CompileLargest<N> {
    type Answer = Box<dyn Compiled>;

    fn visit<A: Algorithm + 'static>(self, algorithm: A) -> Box<dyn Compiled> {
        Box::new(tilebase_solve::Solver::with_algorithm(self.frame, self.largest, algorithm))
    }
}

/// Bounds that make no search.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BoundsError {
    /// The tables do not belong together.
    #[error("{0}")]
    Patterns(#[from] PatternError),
    /// There are no bounds, or too many.
    #[error("{0}")]
    Count(#[from] LargestError),
    /// The tables count another metric.
    #[error("tables for mtm have lines of states, and those for single tiles have not: give those of the metric")]
    OtherMetric,
    /// A heuristic gives no bound in the metric, or does not suit the board.
    #[error("{0}")]
    Listed(#[from] ListError),
}
