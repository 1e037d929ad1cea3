//! Searches of runs of tiles, in the metric `mtm`: iterative-deepening A\* is compiled for the usual numbers of tables of lines and for
//! walking distance alone, every other search once for any bounds.

use tilebase_heuristics::LargestError;
use tilebase_heuristics::runs::{self, LargerOfRuns, LineTables, RunHeuristic};
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
        walking = Some(runs::listed(heuristic.about().name, frame.size(), frame.home())?);
    }
    let tables = tables(&bounds.lines, bounds.views)?;
    Ok(match (search, tables.len(), walking) {
        (Search::Ida(ida), 1..=2, None) => solver(frame, largest::<2>(tables), ida),
        (Search::Ida(ida), 3..=4, None) => solver(frame, largest::<4>(tables), ida),
        (Search::Ida(ida), 0, Some(walking)) => solver(frame, walking, ida),
        (_, found, walking) => {
            let has_bounds = found > 0 || walking.is_some();
            if found > MOST_LINES || !has_bounds && search.about().uses_heuristic {
                return Err(LargestError { found, most: MOST_LINES }.into());
            }
            let lines = (found > 0).then(|| largest::<MOST_LINES>(tables));
            solver(frame, LargerOfRuns(lines, walking), search)
        }
    })
}

fn solver<H, A>(frame: Frame, heuristic: H, algorithm: A) -> Box<dyn Compiled>
where
    H: RunHeuristic + 'static,
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
