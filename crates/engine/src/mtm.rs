//! Searches in the metric `mtm`, compiled for few and for many tables of lines.

use tilebase_heuristics::PatternCostsOfViews;
use tilebase_heuristics::mtm::{LargerInMtm, LineTables, MtmHeuristic, MtmWalkingDistance, NoBoundInMtm};
use tilebase_lookup::{LineTable, Table};
use tilebase_puzzle::{Board, Frame, Metric, PatternError, State};
use tilebase_solve::mtm::MtmSolver;
use tilebase_solve::{Outcome, Request, Search, SolveError};

use crate::bounds::{Bounds, Views};
use crate::compile::{BoundsError, Compiled, MOST_LINES};

impl<H: MtmHeuristic> Compiled for MtmSolver<H> {
    fn frame(&self) -> &Frame {
        self.frame()
    }

    fn metric(&self) -> Metric {
        Metric::Mtm
    }

    fn search(&self, board: &Board, request: &Request<'_>) -> Result<Outcome, SolveError> {
        self.solve(board, request)
    }

    fn bound(&self, state: &State) -> Option<u32> {
        self.heuristic().bound(state)
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        self.heuristic().pattern_costs(state)
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

/// Compiles a search in `mtm` by the largest of tables of lines, and walking distance if it is among the heuristics.
///
/// # Errors
/// [`BoundsError`] when there are no bounds for this metric, too many, or some of another one; or the search does not know it.
pub fn compile_mtm(frame: Frame, bounds: &Bounds, search: Search) -> Result<Box<dyn Compiled>, BoundsError> {
    if !bounds.partitions.is_empty() || !bounds.all_moves.is_empty() {
        return Err(BoundsError::OtherMetric);
    }
    let mut walking = None;
    for heuristic in &bounds.listed {
        let name = heuristic.about().name;
        let found = (name == "walking-distance").then(|| MtmWalkingDistance::new_for(frame.size(), frame.home()));
        walking = Some(found.flatten().ok_or(BoundsError::NotInMtm(name))?);
    }
    let tables = tables(&bounds.lines, bounds.views)?;
    Ok(match (tables.len(), walking) {
        (0, Some(walking)) => Box::new(MtmSolver::new(frame, walking, search)?),
        (0, None) if !search.about().uses_heuristic => Box::new(MtmSolver::new(frame, NoBoundInMtm, search)?),
        (0, None) => return Err(BoundsError::NothingInMtm),
        (1..=2, None) => compiled::<2>(frame, tables, search)?,
        (3..=4, None) => compiled::<4>(frame, tables, search)?,
        (5..=MOST_LINES, None) => compiled::<MOST_LINES>(frame, tables, search)?,
        (1..=MOST_LINES, Some(walking)) => {
            let tables = LineTables::<_, MOST_LINES>::new(tables).expect("they are few enough");
            Box::new(MtmSolver::new(frame, LargerInMtm(tables, walking), search)?)
        }
        (count, _) => return Err(BoundsError::TooManyLines(count)),
    })
}

fn compiled<const N: usize>(
    frame: Frame,
    tables: Vec<LineTable>,
    search: Search,
) -> Result<Box<dyn Compiled>, BoundsError> {
    let tables = LineTables::<_, N>::new(tables).expect("they are few enough");
    Ok(Box::new(MtmSolver::new(frame, tables, search)?))
}

/// Every view of some tables, each pattern once.
pub(crate) fn tables(tables: &[Table], views: Views) -> Result<Vec<LineTable>, BoundsError> {
    let mut all: Vec<LineTable> = Vec::new();
    for table in tables {
        let seen = match views {
            Views::All => LineTable::views(table),
            Views::One => LineTable::new(table).map(|table| vec![table]),
        };
        let seen = seen.ok_or(PatternError::NotAllMoves)?;
        let is_new = |table: &LineTable| !all.iter().any(|known| known.table().pattern() == table.table().pattern());
        let new: Vec<LineTable> = seen.into_iter().filter(is_new).collect();
        all.extend(new);
    }
    Ok(all)
}
