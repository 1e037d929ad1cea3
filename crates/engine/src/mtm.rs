//! Searches of runs of tiles, in the metric `mtm`, compiled for few and for many tables of lines.

use tilebase_heuristics::LargestError;
use tilebase_heuristics::mtm::{self, LargerInMtm, LineTables, MtmHeuristic, NoBoundInMtm};
use tilebase_lookup::{LineTable, Table};
use tilebase_puzzle::{Frame, PatternError};
use tilebase_solve::{Algorithm, Runs, Search, Solver};

use crate::bounds::{Bounds, Views};
use crate::compile::{BoundsError, Compiled};

/// The most tables of lines, counting those of every view.
const MOST_LINES: usize = 16;

/// Compiles a search by the largest of tables of lines, and of walking distance if it is among the heuristics.
///
/// # Errors
/// [`BoundsError`] when there are no bounds, too many, or some of another metric.
pub(crate) fn compile(frame: Frame, bounds: &Bounds, search: Search) -> Result<Box<dyn Compiled>, BoundsError> {
    if !bounds.partitions.is_empty() || !bounds.all_moves.is_empty() {
        return Err(BoundsError::OtherMetric);
    }
    let mut walking = None;
    for heuristic in &bounds.listed {
        walking = Some(mtm::listed(heuristic.about().name, frame.size(), frame.home())?);
    }
    let tables = tables(&bounds.lines, bounds.views)?;
    Ok(match (search, tables.len(), walking) {
        // Only the usual search is compiled for the number of tables.
        (Search::Ida(ida), 1..=2, None) => solver(frame, largest::<2>(tables), ida),
        (Search::Ida(ida), 3..=4, None) => solver(frame, largest::<4>(tables), ida),
        (_, 1..=MOST_LINES, None) => solver(frame, largest::<MOST_LINES>(tables), search),
        (_, 1..=MOST_LINES, Some(walking)) => {
            solver(frame, LargerInMtm(largest::<MOST_LINES>(tables), walking), search)
        }
        (_, 0, Some(walking)) => solver(frame, walking, search),
        (_, 0, None) if !search.about().uses_heuristic => solver(frame, NoBoundInMtm, search),
        (_, found, _) => return Err(LargestError { found, most: MOST_LINES }.into()),
    })
}

fn solver<H, A>(frame: Frame, heuristic: H, algorithm: A) -> Box<dyn Compiled>
where
    H: MtmHeuristic + 'static,
    A: Algorithm + 'static,
{
    Box::new(Solver::with_algorithm(frame, Runs(heuristic), algorithm))
}

fn largest<const N: usize>(tables: Vec<LineTable>) -> LineTables<LineTable, N> {
    LineTables::new(tables).expect("there are few enough")
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
