//! Which tables to use in the metric `mtm`: their costs are compared, never added.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_generate::Build;
use tilebase_heuristics::{AnyListed, ListError};
use tilebase_index::Kind;
use tilebase_lookup::Table;
use tilebase_progress::Watch;
use tilebase_puzzle::{Frame, Pattern, Square};

use crate::builder::SolverError;
use crate::catalogues::catalogue_for;
use crate::choice::{ALL_MOVES, pattern_of};
use crate::room;
use crate::solver::TablesUsed;
use crate::source::{STATES_ON_THE_SPOT, Step, TableSource, TablesError};

/// The most tables that are used together when nobody says which. Each one more is asked only where those before do not rule a node
/// out.
const MOST_TABLES: usize = 3;

/// Bounds by name, several with `+` between them: then the largest counts. Each is a heuristic of the list, a catalogue by name, file
/// or drawing, of whose patterns each has a table, or `all:` and tiles.
pub(crate) fn by_name(
    text: &str,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<(Bounds, TablesUsed), SolverError> {
    let mut bounds = Bounds::default();
    let mut used = TablesUsed { name: text.to_owned(), ..TablesUsed::default() };
    let mut patterns: Vec<Pattern> = Vec::new();
    for name in text.split('+') {
        if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
            patterns.push(pattern_of(tiles, frame)?);
            continue;
        }
        match AnyListed::new(name, frame.size(), frame.home()) {
            Ok(heuristic) => bounds.listed.push(heuristic),
            Err(ListError::NoSuchName { names, .. }) => {
                let catalogue = catalogue_for(name, frame).map_err(|error| SolverError::Name(error, names))?;
                patterns.extend(catalogue.patterns());
                used.partition.get_or_insert(catalogue.first().clone());
            }
            Err(error) => return Err(error.into()),
        }
    }
    bounds.lines = tables(&patterns, frame, source, watch, &mut used.steps)?;
    if let Some(shortage) = source.shortage_of(Kind::Lines, &patterns) {
        used.steps.push(Step::DoNotFit { name: text.to_owned(), shortage, used: true });
    }
    Ok((bounds, used))
}

/// The strongest tables that are there and fit into memory, or else those that can be built on the spot.
pub(crate) fn strongest(
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<(Bounds, TablesUsed), SolverError> {
    let mut used = TablesUsed::default();
    let mut chosen: Vec<Pattern> = Vec::new();
    for pattern in there(frame, source) {
        let with_it = [&chosen[..], &[pattern]].concat();
        if let Some(shortage) = source.shortage_of(Kind::Lines, &with_it) {
            let name = format!("{ALL_MOVES}{pattern}");
            used.steps.push(Step::DoNotFit { name, shortage, used: false });
        } else if chosen.len() < MOST_TABLES {
            chosen = with_it;
        }
    }
    let on_the_spot = on_the_spot(frame);
    // What is there may be less than what a moment gives.
    let is_weaker = chosen.iter().all(|pattern| on_the_spot.iter().any(|other| pattern.len() < other.len()));
    let mut tables_there = None;
    if !is_weaker {
        match tables(&chosen, frame, source, watch, &mut used.steps) {
            Ok(tables) => tables_there = Some(tables),
            Err(error) => used.steps.push(Step::PassedOver(name_of(&chosen), error)),
        }
    }
    let lines = match tables_there {
        Some(tables) => tables,
        None => {
            chosen = on_the_spot;
            // Damaged files keep nobody from building what can be built in a moment.
            match tables(&chosen, frame, source, watch, &mut used.steps) {
                Ok(tables) => tables,
                Err(_) => tables(&chosen, frame, &source.without_files(), watch, &mut used.steps)?,
            }
        }
    };
    used.name = name_of(&chosen);
    used.stronger = stronger_than(&chosen, frame, source);
    Ok((Bounds::lines(lines), used))
}

/// What tables of these patterns are called.
fn name_of(patterns: &[Pattern]) -> String {
    let names: Vec<String> = patterns.iter().map(|pattern| format!("{ALL_MOVES}{pattern}")).collect();
    names.join("+")
}

/// The patterns of which there are tables, those with the largest mean cost first; of mirror images only the first.
fn there(frame: &Frame, source: &TableSource) -> Vec<Pattern> {
    let store = source.store().clone().with_only(Kind::Lines);
    let mut means: BTreeMap<Pattern, u64> = BTreeMap::new();
    for pattern in store.patterns_of_lines(frame.size(), frame.home()) {
        let smallest = pattern.images().min().expect("a pattern is its own image");
        let mean = store.header(&pattern).ok().flatten().map_or(0, |header| (header.mean() * 1000.0) as u64);
        means.entry(smallest).or_insert(mean);
    }
    let mut patterns: Vec<Pattern> = means.keys().copied().collect();
    patterns.sort_by_key(|pattern| Reverse((pattern.len(), means[pattern])));
    patterns
}

/// The patterns whose tables can be built on the spot: as many tiles as that allows.
pub(crate) fn on_the_spot(frame: &Frame) -> Vec<Pattern> {
    let most = frame.size().count() - 1;
    let patterns = (1..=most).rev().filter_map(|tiles| {
        let patterns = patterns_of(frame, tiles);
        let builds = patterns.iter().map(|pattern| Build::new(pattern, &[Kind::Lines]).ok());
        let states: u64 = builds.map(|build| build.map_or(u64::MAX / 4, |build| build.states())).sum();
        (states <= STATES_ON_THE_SPOT).then_some(patterns)
    });
    patterns.into_iter().next().unwrap_or_default()
}

/// The tiles nearest to the blank's home in reading order, and from the other end.
fn patterns_of(frame: &Frame, tiles: usize) -> Vec<Pattern> {
    let squares: Vec<Square> = frame.size().squares().filter(|&square| square != frame.home()).collect();
    let mask = |squares: &[Square]| squares.iter().fold(0, |mask, square| mask | square.bit());
    let first = mask(&squares[..tiles]);
    vec![Pattern::from_mask(frame.size(), frame.home(), first).expect("these are tiles of the board")]
}

/// The names of larger patterns of the board whose tables are worth building, if they are not there.
fn stronger_than(chosen: &[Pattern], frame: &Frame, source: &TableSource) -> Option<String> {
    let largest = chosen.iter().map(Pattern::len).max().unwrap_or(0);
    let pattern = patterns_of(frame, (largest + 1).max(7).min(frame.size().count() - 1)).remove(0);
    let build = Build::new(&pattern, &[Kind::Lines]).ok()?;
    let fits = room::shortage(build.disk(), source.memory()).is_none();
    (largest < 7 && pattern.len() > largest && build.states() <= STATES_TO_MENTION && fits)
        .then(|| format!("{ALL_MOVES}{pattern}"))
}

/// Nobody is told to build a table with more states than this.
const STATES_TO_MENTION: u64 = 1 << 31;

/// The tables of some patterns: found, unpacked or built.
fn tables(
    patterns: &[Pattern],
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Vec<Table>, SolverError> {
    source.tables(patterns, Some(Kind::Lines), watch, steps).map_err(|error: TablesError| {
        let command: Vec<String> = patterns
            .iter()
            .map(|pattern| format!("tilebase generate --metric mtm --tiles {pattern} --size {}", frame.size()))
            .collect();
        SolverError::Tables { name: name_of(patterns), command: command.join(" && "), error: Box::new(error) }
    })
}
