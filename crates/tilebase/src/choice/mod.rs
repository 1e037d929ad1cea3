//! Which tables to use for boards of a frame.
//!
//! Tables that count single tiles are added ([`sums`]); tables of lines, in the metric `mtm`, are compared ([`lines`]). A [`Candidate`] is
//! a set of either, and everything else is the same for both.

mod lines;
mod sums;

use tilebase_engine::Bounds;
use tilebase_heuristics::runs::listed_while;
use tilebase_heuristics::{AnyListed, ListError, plain_name};
use tilebase_index::Kind;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Catalogue, Frame, Metric, Pattern};

use crate::builder::SolverError;
use crate::catalogues::catalogue_for;
use crate::room::Shortage;
use crate::solver::TablesUsed;
use crate::source::{Step, TableSource, TablesError};

/// Tables that count all moves are named by this and their tiles.
const ALL_MOVES: &str = "all:";

/// Never suggest building tables of patterns with more states than this: about 200 MB each.
const STATES_TO_MENTION: u128 = 1 << 31;

/// A set of tables that a solver can use by itself.
#[derive(Clone, Debug)]
pub(crate) enum Candidate {
    /// The tables of each partition are added.
    Sums(Catalogue),
    /// The largest of these tables of lines counts.
    Lines(Vec<Pattern>),
}

/// The sets of tables that exist, best first, and one that can be built on the spot: the order in which they are tried.
/// `steps` gets those that are passed over at once.
pub(crate) fn candidates(
    metric: Metric,
    frame: &Frame,
    source: &TableSource,
    steps: &mut Vec<Step>,
) -> Result<Vec<Candidate>, SolverError> {
    match metric {
        Metric::Mtm => lines::candidates(frame, source, steps),
        _ => sums::candidates(source.store(), frame),
    }
}

/// The strongest set of tables that can be built on the spot.
pub(crate) fn on_the_spot(metric: Metric, frame: &Frame) -> Result<Candidate, SolverError> {
    match metric {
        Metric::Mtm => lines::on_the_spot(frame),
        _ => sums::on_the_spot(frame).map(Candidate::Sums),
    }
}

impl Candidate {
    /// The name by which a user asks for it.
    pub(crate) fn name(&self) -> String {
        match self {
            Candidate::Sums(catalogue) => catalogue.name.clone(),
            Candidate::Lines(patterns) => lines::name_of(patterns),
        }
    }

    /// What keeps it from fitting into memory, if it does not.
    pub(crate) fn shortage(&self, source: &TableSource) -> Option<Shortage> {
        match self {
            Candidate::Sums(catalogue) => source.shortage(&catalogue.patterns(), None),
            Candidate::Lines(patterns) => source.shortage(patterns, Some(Kind::Lines)),
        }
    }

    /// Finds, unpacks or builds the tables.
    pub(crate) fn open(
        &self,
        frame: &Frame,
        source: &TableSource,
        watch: Watch<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<Bounds, SolverError> {
        match self {
            Candidate::Sums(catalogue) => sums::tables(catalogue, source, watch, steps).map(Bounds::sums),
            Candidate::Lines(patterns) => lines::tables(patterns, frame, source, watch, steps).map(Bounds::lines),
        }
    }

    /// What a solver says of it.
    pub(crate) fn used(self, frame: &Frame, source: &TableSource, steps: Vec<Step>) -> TablesUsed {
        let name = self.name();
        match self {
            Candidate::Sums(mut catalogue) => {
                let partition = catalogue.partitions.remove(0);
                let stronger = sums::stronger_than(source, &partition);
                TablesUsed { name, partition: Some(partition), stronger, steps }
            }
            Candidate::Lines(patterns) => {
                let stronger = lines::stronger_than(&patterns, frame, source);
                TablesUsed { name, partition: None, stronger, steps }
            }
        }
    }
}

/// The bound that is ready in a moment, without tables.
pub(crate) fn without_tables(metric: Metric) -> &'static str {
    match metric {
        Metric::Mtm => "walking-distance",
        _ => "manhattan",
    }
}

/// The bounds of a search that asks none. Single tiles get some all the same, so that a solver has bounds of boards.
pub(crate) fn unasked(
    metric: Metric,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<(Bounds, TablesUsed), SolverError> {
    match metric {
        Metric::Mtm => Ok((Bounds::default(), TablesUsed::default())),
        _ => by_name(without_tables(metric), metric, frame, source, watch),
    }
}

/// Tables that a user names.
enum Named {
    /// `all:` and tiles.
    Pattern(Pattern),
    /// A catalogue by name, file or drawing.
    Catalogue(Catalogue),
}

/// Bounds by name, several with `+` between them: then the largest counts. Each is a heuristic of the list, a catalogue by
/// name, file or drawing, or `all:` and tiles.
pub(crate) fn by_name(
    text: &str,
    metric: Metric,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<(Bounds, TablesUsed), SolverError> {
    let mut bounds = Bounds::default();
    let mut tables: Vec<Named> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('+') {
        names.push(plain_name(name).unwrap_or(name));
        if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
            tables.push(Named::Pattern(pattern_of(tiles, frame)?));
            continue;
        }
        match listed(name, metric, frame, watch) {
            Ok(heuristic) => bounds.listed.push(heuristic),
            Err(ListError::NoSuchName { names, .. }) => {
                let catalogue = catalogue_for(name, frame).map_err(|error| SolverError::Name(error, names))?;
                tables.push(Named::Catalogue(catalogue));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let mut used = TablesUsed { name: names.join("+"), ..TablesUsed::default() };
    used.partition = tables.iter().find_map(|named| match named {
        Named::Catalogue(catalogue) => Some(catalogue.first().clone()),
        Named::Pattern(_) => None,
    });
    let open_named = if metric == Metric::Mtm { lines::open_named } else { sums::open_named };
    let shortage = open_named(&tables, &mut bounds, frame, source, watch, &mut used.steps)?;
    if let Some(shortage) = shortage {
        used.steps.push(Step::DoNotFit { name: text.to_owned(), shortage, used: true });
    }
    Ok((bounds, used))
}

/// The heuristic of the list with a name, with everything made that its bounds in the metric need.
fn listed(name: &str, metric: Metric, frame: &Frame, watch: Watch<'_>) -> Result<AnyListed, ListError> {
    let go_on = || watch(&Event::Poll).is_continue();
    let heuristic = AnyListed::new_while(name, frame.size(), frame.home(), &go_on)?;
    if metric == Metric::Mtm
        && let Err(stopped @ ListError::Stopped { .. }) = listed_while(name, frame.size(), frame.home(), &go_on)
    {
        return Err(stopped);
    }
    Ok(heuristic)
}

/// The pattern of tiles such as `3,7,11` or `3.7.11`, as the names of files have them, or `fringe`.
fn pattern_of(tiles: &str, frame: &Frame) -> Result<Pattern, SolverError> {
    let (size, home) = (frame.size(), frame.home());
    if tiles == "fringe" {
        return Ok(Pattern::fringe(size, home)?);
    }
    let numbers = tiles.split([',', '.']).map(|tile| tile.trim().parse().ok()).collect::<Option<Vec<u64>>>();
    Ok(Pattern::new(size, home, &numbers.ok_or_else(|| SolverError::Tiles(tiles.to_owned()))?)?)
}

/// The error for tables that cannot be opened, with the command that builds them.
fn unavailable(name: String, command: String, error: TablesError) -> SolverError {
    SolverError::Tables { name, command, error: Box::new(error) }
}
