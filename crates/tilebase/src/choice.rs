//! Which tables to use for boards of a frame.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_format::Header;
use tilebase_generate::Build;
use tilebase_heuristics::{AnyListed, ListError};
use tilebase_index::{Extent, Kind};
use tilebase_lookup::{Store, Table};
use tilebase_progress::Watch;
use tilebase_puzzle::{Catalogue, Frame, Partition, Pattern};

use crate::builder::SolverError;
use crate::catalogues::{catalogue_for, known_catalogues};
use crate::solver::TablesUsed;
use crate::source::{STATES_ON_THE_SPOT, Step, TableSource, TablesError};

/// Tables that count all moves are named by this and their tiles.
const ALL_MOVES: &str = "all:";

/// All partitions of which there are tables, and one that can be built on the spot, in the order in which they are tried.
///
/// Those with the larger sum of mean costs are searched faster, as `docs/solving.md` shows; of equal ones those that take
/// fewer bytes, and then those of a known catalogue. How strong tables are that cannot be read, or are not there yet, is not
/// known: they come after those with patterns as large as theirs.
pub(crate) fn candidates(store: &Store, frame: &Frame) -> Result<Vec<Catalogue>, SolverError> {
    let patterns = store.patterns(frame.size(), frame.home()).into_iter();
    let headers = patterns.filter_map(|pattern| match store.header(&pattern) {
        // Its table has another name, by which nobody finds it.
        Ok(None) => None,
        Ok(header) => Some((pattern, header)),
        // Kept, so that the user is told when it is opened.
        Err(_) => Some((pattern, None)),
    });
    let headers: BTreeMap<Pattern, Option<Header>> = headers.collect();
    let patterns: Vec<Pattern> = headers.keys().copied().collect();
    let readable = |catalogue: &Catalogue| -> Option<Vec<&Header>> {
        catalogue.partition.patterns().iter().map(|pattern| headers.get(pattern)?.as_ref()).collect()
    };
    let there = Partition::from_among(&patterns).into_iter().map(named);
    let (mut candidates, mut unknown): (Vec<_>, Vec<_>) = there.partition(|there| readable(there).is_some());
    candidates.sort_by_cached_key(|catalogue| {
        let headers = readable(catalogue).unwrap_or_default();
        let mean: f64 = headers.iter().map(|header| header.mean()).sum();
        let bytes: u64 = headers.iter().map(|header| header.file_len()).sum();
        let is_known = Catalogue::known(&catalogue.name).is_some();
        // Tables whose means differ by less than a tenth are as good as each other.
        Reverse(((mean * 10.0).round() as u64, Reverse(bytes), is_known))
    });
    let to_build = on_the_spot(frame)?;
    if !candidates.iter().any(|there| there.partition.same_patterns(&to_build.partition)) {
        unknown.push(to_build);
    }
    unknown.sort_by_key(|catalogue| catalogue.partition.sizes());
    for catalogue in unknown {
        let as_large = |there: &Catalogue| there.partition.sizes() >= catalogue.partition.sizes();
        let before = candidates.iter().rposition(as_large).map_or(0, |last| last + 1);
        candidates.insert(before, catalogue);
    }
    Ok(candidates)
}

/// Nobody is told to build tables with patterns of more states than this: 200 MB each.
const STATES_TO_MENTION: u128 = 1 << 31;

/// The known catalogue with the largest patterns of the same puzzle, if they are larger than these and not there. Those that take
/// many gigabytes are for people who ask for them.
pub(crate) fn stronger_than(store: &Store, partition: &Partition) -> Option<String> {
    let is_small = |pattern: &Pattern| Extent::of(pattern.size(), pattern.len(), Kind::Bit).states <= STATES_TO_MENTION;
    let same_puzzle = known_catalogues()
        .filter(|known| (known.partition.size(), known.partition.home()) == (partition.size(), partition.home()))
        .filter(|known| known.partition.patterns().iter().all(is_small));
    let strongest = same_puzzle.max_by_key(|known| known.partition.sizes())?;
    let is_there = || strongest.partition.patterns().iter().all(|pattern| store.locate(pattern).is_some());
    (strongest.partition.sizes() > partition.sizes() && !is_there()).then_some(strongest.name)
}

/// Bounds by name, several with `+` between them: then the largest counts. Each is a heuristic of the list, a catalogue by
/// name, file or drawing, or `all:` and tiles.
pub(crate) fn by_name(
    text: &str,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<(Bounds, TablesUsed), SolverError> {
    let mut bounds = Bounds::default();
    let mut used = TablesUsed { name: text.to_owned(), ..TablesUsed::default() };
    for name in text.split('+') {
        if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
            bounds.all_moves.push(table_of_all_moves(tiles, frame, source, watch, &mut used.steps)?);
            continue;
        }
        match AnyListed::new(name, frame.size(), frame.home()) {
            Ok(heuristic) => bounds.listed.push(heuristic),
            Err(ListError::NoSuchName { names, .. }) => {
                let catalogue = catalogue_for(name, frame).map_err(|error| SolverError::Name(error, names))?;
                bounds.partitions.push(tables(&catalogue, source, watch, &mut used.steps)?);
                used.partition.get_or_insert(catalogue.partition);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok((bounds, used))
}

pub(crate) fn tables(
    catalogue: &Catalogue,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Vec<Table>, SolverError> {
    let tables = source.tables(catalogue.partition.patterns(), None, watch, steps);
    tables.map_err(|error| without_tables(&catalogue.name, error))
}

fn without_tables(name: &str, error: TablesError) -> SolverError {
    let command = format!("tilebase generate \"{name}\"");
    SolverError::Tables { name: name.to_owned(), command, error: Box::new(error) }
}

/// A table that counts all moves, of tiles such as `3,7,11` or `fringe`.
fn table_of_all_moves(
    tiles: &str,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Table, SolverError> {
    let (size, home) = (frame.size(), frame.home());
    let pattern = if tiles == "fringe" {
        Pattern::fringe(size, home)?
    } else {
        let numbers = tiles.split(',').map(|tile| tile.trim().parse().ok()).collect::<Option<Vec<u64>>>();
        Pattern::new(size, home, &numbers.ok_or_else(|| SolverError::Tiles(tiles.to_owned()))?)?
    };
    let mut tables = source.tables(&[pattern], Some(Kind::AllMoves), watch, steps).map_err(|error| {
        let command = format!("tilebase generate --tiles {pattern} --size {size} --count all");
        SolverError::Tables { name: format!("{ALL_MOVES}{pattern}"), command, error: Box::new(error) }
    })?;
    Ok(tables.remove(0))
}

/// A partition with the name of the known catalogue that it is, or else its drawing.
fn named(partition: Partition) -> Catalogue {
    let known = known_catalogues().find(|known| known.partition.same_patterns(&partition));
    known.unwrap_or_else(|| Catalogue { name: partition.drawing(), partition })
}

/// A catalogue of the largest patterns whose tables can be built on the spot.
pub(crate) fn on_the_spot(frame: &Frame) -> Result<Catalogue, SolverError> {
    let tiles = frame.size().count() - 1;
    for largest in (1..=tiles).rev() {
        let partition = Partition::winding(frame.size(), frame.home(), largest);
        // There are at least as many states as entries, and those are known without counting anything.
        let entries = partition.patterns().iter().map(|pattern| Extent::entries_of(frame.size(), pattern.len()));
        if entries.sum::<u128>() > u128::from(STATES_ON_THE_SPOT) {
            continue;
        }
        let builds = partition.patterns().iter().map(|pattern| Build::new(pattern, &[Kind::Bit]));
        let name = partition.drawing();
        let builds = builds.collect::<Result<Vec<_>, _>>().map_err(|error| without_tables(&name, error.into()))?;
        if builds.iter().map(Build::states).sum::<u64>() <= STATES_ON_THE_SPOT {
            return Ok(Catalogue { name, partition });
        }
    }
    Err(SolverError::NothingOnTheSpot)
}
