//! Sums of tables that count single tiles.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_format::Header;
use tilebase_generate::Build;
use tilebase_index::{Extent, Kind};
use tilebase_lookup::{Store, Table};
use tilebase_progress::Watch;
use tilebase_puzzle::{Catalogue, Frame, Partition, Pattern};

use super::{ALL_MOVES, Candidate, Named, STATES_TO_MENTION, unavailable};
use crate::builder::SolverError;
use crate::catalogues::known_catalogues;
use crate::room::{self, Shortage};
use crate::source::{STATES_ON_THE_SPOT, Step, TableSource, TablesError};

/// Catalogues with smaller searches than another one, as `docs/lab/partitions` shows, although their costs have smaller means: the
/// larger of both views counts, which no header tells.
const BETTER_THAN: [(&str, &str); 2] = [("5-5-5b", "5-5-5"), ("6-6-3b", "6-6-3")];

/// All partitions whose tables exist, and one that can be built on the spot, in the order in which they are tried. Several
/// partitions together have fewer nodes, each of which takes longer: a user has to name them.
///
/// A larger sum of mean costs makes faster searches, as `docs/solving.md` shows, except for some that
/// [searches have shown](BETTER_THAN) to be better. Of equal ones those with fewer bytes come first, and then those of a known
/// catalogue. The strength of tables that cannot be read, or do not exist yet, is unknown: they come after those with patterns as
/// large as theirs.
pub(super) fn candidates(store: &Store, frame: &Frame) -> Result<Vec<Candidate>, SolverError> {
    let patterns = store.patterns(frame.size(), frame.home()).into_iter();
    let headers = patterns.filter_map(|pattern| match store.header(&pattern) {
        // Its table has another name, and is not found by this one.
        Ok(None) => None,
        Ok(header) => Some((pattern, header)),
        // Kept, so that the user is told when it is opened.
        Err(_) => Some((pattern, None)),
    });
    let headers: BTreeMap<Pattern, Option<Header>> = headers.collect();
    let patterns: Vec<Pattern> = headers.keys().copied().collect();
    let readable = |catalogue: &Catalogue| -> Option<Vec<&Header>> {
        catalogue.patterns().iter().map(|pattern| headers.get(pattern)?.as_ref()).collect()
    };
    let there = Partition::from_among(&patterns).into_iter().map(named);
    let (mut candidates, mut unknown): (Vec<_>, Vec<_>) = there.partition(|there| readable(there).is_some());
    candidates.sort_by_cached_key(|catalogue| {
        let mean: f64 = readable(catalogue).into_iter().flatten().map(Header::mean).sum();
        // Tables whose means differ by less than a tenth are as good as each other.
        let mean = (mean * 10.0).round() as u64;
        let bytes = room::bytes_of_files(store, &catalogue.patterns());
        let is_known = Catalogue::known(&catalogue.name).is_some();
        Reverse((mean, Reverse(bytes), is_known))
    });
    for (better, other) in BETTER_THAN {
        let place = |name: &str| candidates.iter().position(|there| there.name == name);
        if let (Some(from), Some(to)) = (place(better), place(other)) {
            candidates[to.min(from)..=from].rotate_right(1);
        }
    }
    let to_build = on_the_spot(frame)?;
    let is_to_build = |there: &Catalogue| there.only().is_some_and(|there| there.same_patterns(to_build.first()));
    if !candidates.iter().any(is_to_build) {
        unknown.push(to_build);
    }
    unknown.sort_by_key(|catalogue| catalogue.first().sizes());
    for catalogue in unknown {
        let as_large = |there: &Catalogue| there.first().sizes() >= catalogue.first().sizes();
        let before = candidates.iter().rposition(as_large).map_or(0, |last| last + 1);
        candidates.insert(before, catalogue);
    }
    Ok(candidates.into_iter().map(Candidate::Sums).collect())
}

/// The known catalogue with the largest patterns of the same puzzle whose tables would fit into memory, if they are larger than
/// these and not there.
pub(super) fn stronger_than(source: &TableSource, partition: &Partition) -> Option<String> {
    let same_puzzle =
        known_catalogues().filter(|known| (known.size(), known.home()) == (partition.size(), partition.home()));
    let is_small = |pattern: &Pattern| Extent::of(pattern.size(), pattern.len(), Kind::Bit).states <= STATES_TO_MENTION;
    let larger = same_puzzle.filter(|known| known.first().sizes() > partition.sizes());
    let larger = larger.filter(|known| known.patterns().iter().all(is_small));
    let mut larger: Vec<Catalogue> = larger.collect();
    larger.sort_by_key(|known| Reverse(known.first().sizes()));
    let strongest = larger.into_iter().find(|known| would_fit(known, source))?;
    let is_there = strongest.patterns().iter().all(|pattern| source.store().locate(pattern).is_some());
    (!is_there).then_some(strongest.name)
}

/// Whether the tables of a catalogue would fit into memory, wherever they are.
fn would_fit(catalogue: &Catalogue, source: &TableSource) -> bool {
    let mut tables: Vec<Pattern> = catalogue.patterns().iter().filter_map(|pattern| pattern.images().min()).collect();
    tables.sort_unstable();
    tables.dedup();
    let builds = tables.iter().filter_map(|pattern| Build::new(pattern, &[Kind::Bit]).ok());
    room::shortage(builds.map(|build| build.disk()).sum(), source.memory()).is_none()
}

/// Opens tables that a user names: those of a catalogue are added, and those of single patterns count all moves. Returns what keeps
/// catalogues from fitting into memory.
pub(super) fn open_named(
    named: &[Named],
    bounds: &mut Bounds,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Option<Shortage>, SolverError> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for named in named {
        match named {
            Named::Pattern(pattern) => {
                bounds.all_moves.push(table_of_all_moves(pattern, frame, source, watch, steps)?);
            }
            Named::Catalogue(catalogue) => {
                bounds.partitions.extend(tables(catalogue, source, watch, steps)?);
                patterns.extend(catalogue.patterns());
            }
        }
    }
    Ok(source.shortage(&patterns, None))
}

/// The tables of each partition of a catalogue.
pub(super) fn tables(
    catalogue: &Catalogue,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Vec<Vec<Table>>, SolverError> {
    // All at once, so that what is missing of any is known before anything is built, and each pattern's table is opened once.
    let patterns = catalogue.patterns();
    let tables = source.tables(&patterns, None, watch, steps);
    let tables = tables.map_err(|error| without_catalogue(&catalogue.name, error))?;
    let table = |pattern: &Pattern| tables[patterns.iter().position(|known| known == pattern).unwrap_or(0)].clone();
    Ok(catalogue.partitions.iter().map(|partition| partition.patterns().iter().map(table).collect()).collect())
}

/// The error for the tables of a catalogue.
fn without_catalogue(name: &str, error: TablesError) -> SolverError {
    unavailable(name.to_owned(), format!("tilebase generate \"{name}\""), error)
}

/// The table of a pattern that counts all moves.
fn table_of_all_moves(
    pattern: &Pattern,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Table, SolverError> {
    let mut tables = source.tables(&[*pattern], Some(Kind::AllMoves), watch, steps).map_err(|error| {
        let command = format!("tilebase generate --tiles {pattern} --size {} --count all", frame.size());
        unavailable(format!("{ALL_MOVES}{pattern}"), command, error)
    })?;
    Ok(tables.remove(0))
}

/// A partition with the name of the known catalogue that it is, or else its drawing.
fn named(partition: Partition) -> Catalogue {
    let is_it = |known: &Catalogue| known.only().is_some_and(|known| known.same_patterns(&partition));
    known_catalogues().find(is_it).unwrap_or_else(|| Catalogue::of_one(&partition.drawing(), partition))
}

/// A catalogue of the largest patterns whose tables can be built on the spot.
pub(super) fn on_the_spot(frame: &Frame) -> Result<Catalogue, SolverError> {
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
        let builds = builds.collect::<Result<Vec<_>, _>>().map_err(|error| without_catalogue(&name, error.into()))?;
        if builds.iter().map(Build::states).sum::<u64>() <= STATES_ON_THE_SPOT {
            return Ok(Catalogue::of_one(&name, partition));
        }
    }
    Err(SolverError::NothingOnTheSpot)
}
