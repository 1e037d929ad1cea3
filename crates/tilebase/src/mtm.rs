//! Which tables to use in the metric `mtm`: their costs are compared, never added.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_generate::Build;
use tilebase_heuristics::mtm::listed_while;
use tilebase_heuristics::{AnyListed, ListError, plain_name};
use tilebase_index::{Kind, MAX_TILES};
use tilebase_lookup::Table;
use tilebase_progress::{Event, Watch};
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

/// The most views of all tables together that a search can ask.
const MOST_VIEWS: usize = 16;

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
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('+') {
        names.push(plain_name(name).unwrap_or(name));
        if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
            patterns.push(pattern_of(tiles, frame)?);
            continue;
        }
        let go_on = || watch(&Event::Poll).is_continue();
        match AnyListed::new_while(name, frame.size(), frame.home(), &go_on) {
            Ok(heuristic) => {
                // What bounds moves in this metric is made when the search is compiled, which then takes a moment.
                match listed_while(name, frame.size(), frame.home(), &go_on) {
                    Err(error @ ListError::Stopped { .. }) => return Err(error.into()),
                    _ => bounds.listed.push(heuristic),
                }
            }
            Err(ListError::NoSuchName { names, .. }) => {
                let catalogue = catalogue_for(name, frame).map_err(|error| SolverError::Name(error, names))?;
                patterns.extend(catalogue.patterns());
                used.partition.get_or_insert(catalogue.first().clone());
            }
            Err(error) => return Err(error.into()),
        }
    }
    used.name = names.join("+");
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
        // A table of more tiles says all that one of some of them says.
        let is_part = |other: &Pattern| pattern.images().any(|image| image.mask() & !other.mask() == 0);
        if chosen.iter().any(is_part) {
            continue;
        }
        let with_it = [&chosen[..], &[pattern]].concat();
        if let Some(shortage) = source.shortage_of(Kind::Lines, &with_it) {
            let name = format!("{ALL_MOVES}{pattern}");
            used.steps.push(Step::DoNotFit { name, shortage, used: false });
        } else if with_it.len() <= MOST_TABLES && views(&with_it) <= MOST_VIEWS {
            chosen = with_it;
        }
    }
    let on_the_spot = on_the_spot(frame).ok_or(SolverError::NothingOnTheSpot)?;
    // What is there may be less than what a moment gives.
    let is_weaker = chosen.iter().all(|pattern| pattern.len() < on_the_spot.len());
    let mut lines = None;
    if !is_weaker {
        match tables(&chosen, frame, source, watch, &mut used.steps) {
            Ok(tables) => lines = Some(tables),
            Err(error) => used.steps.push(Step::PassedOver(name_of(&chosen), error)),
        }
    }
    let lines = lines.map_or_else(
        || {
            chosen = vec![on_the_spot];
            // Damaged files keep nobody from building what can be built in a moment.
            tables(&chosen, frame, source, watch, &mut used.steps)
                .or_else(|_| tables(&chosen, frame, &source.without_files(), watch, &mut used.steps))
        },
        Ok,
    )?;
    used.name = name_of(&chosen);
    used.stronger = stronger_than(&chosen, frame, source);
    Ok((Bounds::lines(lines), used))
}

/// Through how many symmetries the tables of some patterns are seen, at most.
fn views(patterns: &[Pattern]) -> usize {
    patterns.iter().map(|pattern| pattern.images().count()).sum()
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

/// The pattern whose table can be built on the spot: as many tiles as that allows.
fn on_the_spot(frame: &Frame) -> Option<Pattern> {
    let most = (frame.size().count() - 1).min(MAX_TILES);
    (1..=most)
        .rev()
        .map(|tiles| pattern_with(frame, tiles))
        .find(|pattern| Build::new(pattern, &[Kind::Lines]).is_ok_and(|build| build.states() <= STATES_ON_THE_SPOT))
}

/// A pattern of some tiles that is good for a search: those of the first row and of the last column, then what else is above the
/// diagonal from the first corner to the last, and then the diagonal. Its mirror image has those below, so that the two views of its table
/// say something about all tiles; `docs/mtm.md` compares it with others.
fn pattern_with(frame: &Frame, tiles: usize) -> Pattern {
    let size = frame.size();
    let mut squares: Vec<Square> = size.squares().filter(|&square| square != frame.home()).collect();
    squares.sort_by_key(|&square| {
        let (row, column) = size.row_column(square);
        let above = (column * (size.height() - 1)) as i64 - (row * (size.width() - 1)) as i64;
        let is_outer = row == 0 || column == size.width() - 1;
        Reverse((is_outer, above, square))
    });
    let mask = squares[..tiles].iter().fold(0, |mask, square| mask | square.bit());
    Pattern::from_mask(size, frame.home(), mask).expect("these are tiles of the board")
}

/// What to generate for a larger pattern, if that is worth while and its table would fit into memory.
fn stronger_than(chosen: &[Pattern], frame: &Frame, source: &TableSource) -> Option<String> {
    let largest = chosen.iter().map(Pattern::len).max().unwrap_or(0);
    let all = frame.size().count() - 1;
    let worth = ((largest + 1)..=all.min(MAX_TILES)).rev().map(|tiles| pattern_with(frame, tiles)).find(|pattern| {
        Build::new(pattern, &[Kind::Lines]).is_ok_and(|build| {
            build.states() <= STATES_TO_MENTION && room::shortage(build.disk(), source.memory()).is_none()
        })
    })?;
    Some(format!("--metric mtm --tiles {worth} --size {}", frame.size()))
}

/// Nobody is told to build a table with more states than this: it takes a minute or two, and 200 MB.
const STATES_TO_MENTION: u64 = 1 << 30;

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
