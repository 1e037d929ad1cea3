//! Which tables to use for boards of a frame.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_format::Header;
use tilebase_generate::Build;
use tilebase_heuristics::{AnyListed, ListError, plain_name};
use tilebase_index::{Extent, Kind};
use tilebase_lookup::{Store, Table};
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Catalogue, Frame, Partition, Pattern};

use crate::builder::SolverError;
use crate::catalogues::{catalogue_for, known_catalogues};
use crate::room;
use crate::solver::TablesUsed;
use crate::source::{STATES_ON_THE_SPOT, Step, TableSource, TablesError};

/// Tables that count all moves are named by this and their tiles.
pub(crate) const ALL_MOVES: &str = "all:";

/// Catalogues with which searches are smaller than with another one, as `docs/lab/partitions` shows, whatever the means of their
/// costs say: what counts is the larger of both views, and no header has that.
const BETTER_THAN: [(&str, &str); 2] = [("5-5-5b", "5-5-5"), ("6-6-3b", "6-6-3")];

/// All partitions of which there are tables, and one that can be built on the spot, in the order in which they are tried. Several
/// partitions have fewer nodes, each of which takes longer: they are for those who name them.
///
/// Those with the larger sum of mean costs are searched faster, as `docs/solving.md` shows, but for some that
/// [searches have shown](BETTER_THAN) to be better; of equal ones those that take fewer bytes, and then those of a known catalogue. How
/// strong tables are that cannot be read, or are not there yet, is not known: they come after those with patterns as large as
/// theirs.
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
    Ok(candidates)
}

/// Nobody is told to build tables with patterns of more states than this: 200 MB each. Those are for people who ask for them.
const STATES_TO_MENTION: u128 = 1 << 31;

/// The known catalogue with the largest patterns of the same puzzle whose tables would fit into memory, if they are larger than
/// these and not there.
pub(crate) fn stronger_than(source: &TableSource, partition: &Partition) -> Option<String> {
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
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('+') {
        names.push(plain_name(name).unwrap_or(name));
        if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
            bounds.all_moves.push(table_of_all_moves(tiles, frame, source, watch, &mut used.steps)?);
            continue;
        }
        match AnyListed::new_while(name, frame.size(), frame.home(), &|| watch(&Event::Poll).is_continue()) {
            Ok(heuristic) => bounds.listed.push(heuristic),
            Err(ListError::NoSuchName { names, .. }) => {
                let mut catalogue = catalogue_for(name, frame).map_err(|error| SolverError::Name(error, names))?;
                bounds.partitions.extend(tables(&catalogue, source, watch, &mut used.steps)?);
                patterns.extend(catalogue.patterns());
                used.partition.get_or_insert(catalogue.partitions.remove(0));
            }
            Err(error) => return Err(error.into()),
        }
    }
    used.name = names.join("+");
    if let Some(shortage) = source.shortage(&patterns) {
        used.steps.push(Step::DoNotFit { name: text.to_owned(), shortage, used: true });
    }
    Ok((bounds, used))
}

/// The tables of each partition of a catalogue.
pub(crate) fn tables(
    catalogue: &Catalogue,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Vec<Vec<Table>>, SolverError> {
    // All at once, so that what is missing of any is known before anything is built, and each pattern's table is opened once.
    let patterns = catalogue.patterns();
    let tables = source.tables(&patterns, None, watch, steps);
    let tables = tables.map_err(|error| without_tables(&catalogue.name, error))?;
    let table = |pattern: &Pattern| tables[patterns.iter().position(|known| known == pattern).unwrap_or(0)].clone();
    Ok(catalogue.partitions.iter().map(|partition| partition.patterns().iter().map(table).collect()).collect())
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
    let (size, pattern) = (frame.size(), pattern_of(tiles, frame)?);
    let mut tables = source.tables(&[pattern], Some(Kind::AllMoves), watch, steps).map_err(|error| {
        let command = format!("tilebase generate --tiles {pattern} --size {size} --count all");
        SolverError::Tables { name: format!("{ALL_MOVES}{pattern}"), command, error: Box::new(error) }
    })?;
    Ok(tables.remove(0))
}

/// The pattern of tiles such as `3,7,11` or `3.7.11`, as the names of files have them, or `fringe`.
pub(crate) fn pattern_of(tiles: &str, frame: &Frame) -> Result<Pattern, SolverError> {
    let (size, home) = (frame.size(), frame.home());
    if tiles == "fringe" {
        return Ok(Pattern::fringe(size, home)?);
    }
    let numbers = tiles.split([',', '.']).map(|tile| tile.trim().parse().ok()).collect::<Option<Vec<u64>>>();
    Ok(Pattern::new(size, home, &numbers.ok_or_else(|| SolverError::Tiles(tiles.to_owned()))?)?)
}

/// A partition with the name of the known catalogue that it is, or else its drawing.
fn named(partition: Partition) -> Catalogue {
    let is_it = |known: &Catalogue| known.only().is_some_and(|known| known.same_patterns(&partition));
    known_catalogues().find(is_it).unwrap_or_else(|| Catalogue::of_one(&partition.drawing(), partition))
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
            return Ok(Catalogue::of_one(&name, partition));
        }
    }
    Err(SolverError::NothingOnTheSpot)
}
