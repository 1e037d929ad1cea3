//! The largest of tables of lines, for the metric `mtm`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tilebase_engine::Bounds;
use tilebase_generate::Build;
use tilebase_index::{Kind, MAX_TILES};
use tilebase_lookup::Table;
use tilebase_progress::Watch;
use tilebase_puzzle::{Frame, Pattern, Square};

use super::{ALL_MOVES, Candidate, Named, STATES_TO_MENTION, unavailable};
use crate::builder::SolverError;
use crate::room::{self, Shortage};
use crate::source::{STATES_ON_THE_SPOT, Step, TableSource};

/// The most tables that are chosen together. Each one more is only asked where those before do not rule a node out.
const MOST_TABLES: usize = 3;

/// The most views of all tables together that a search can ask.
const MOST_VIEWS: usize = 16;

/// The strongest tables that exist and fit into memory, if they are not weaker than what can be built on the spot, and then those.
pub(super) fn candidates(
    frame: &Frame,
    source: &TableSource,
    steps: &mut Vec<Step>,
) -> Result<Vec<Candidate>, SolverError> {
    let mut chosen: Vec<Pattern> = Vec::new();
    for pattern in existing(frame, source) {
        // A table of more tiles knows everything that a table of some of them knows.
        let is_part = |other: &Pattern| pattern.images().any(|image| image.mask() & !other.mask() == 0);
        if chosen.iter().any(is_part) {
            continue;
        }
        let with_it = [&chosen[..], &[pattern]].concat();
        if let Some(shortage) = source.shortage(&with_it, Some(Kind::Lines)) {
            steps.push(Step::DoNotFit { name: name_of(&[pattern]), shortage, used: false });
        } else if with_it.len() <= MOST_TABLES && views(&with_it) <= MOST_VIEWS {
            chosen = with_it;
        }
    }
    let on_the_spot = pattern_on_the_spot(frame)?;
    let is_weaker = chosen.iter().all(|pattern| pattern.len() < on_the_spot.len());
    let chosen = Some(chosen).filter(|_| !is_weaker);
    Ok(chosen.into_iter().chain([vec![on_the_spot]]).map(Candidate::Lines).collect())
}

/// The strongest table that can be built on the spot.
pub(super) fn on_the_spot(frame: &Frame) -> Result<Candidate, SolverError> {
    Ok(Candidate::Lines(vec![pattern_on_the_spot(frame)?]))
}

/// The number of symmetries through which the tables of some patterns see a board, at most.
fn views(patterns: &[Pattern]) -> usize {
    patterns.iter().map(|pattern| pattern.images().count()).sum()
}

/// The name of the tables of some patterns.
pub(super) fn name_of(patterns: &[Pattern]) -> String {
    let names: Vec<String> = patterns.iter().map(|pattern| format!("{ALL_MOVES}{pattern}")).collect();
    names.join("+")
}

/// The patterns whose tables exist, those with the largest mean cost first; of mirror images only the first.
fn existing(frame: &Frame, source: &TableSource) -> Vec<Pattern> {
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
fn pattern_on_the_spot(frame: &Frame) -> Result<Pattern, SolverError> {
    let most = (frame.size().count() - 1).min(MAX_TILES);
    (1..=most)
        .rev()
        .map(|tiles| pattern_with(frame, tiles))
        .find(|pattern| Build::new(pattern, &[Kind::Lines]).is_ok_and(|build| build.states() <= STATES_ON_THE_SPOT))
        .ok_or(SolverError::NothingOnTheSpot)
}

/// A pattern of some tiles that is good for a search: those of the first row and of the last column, then the others above the
/// diagonal from the first corner to the last, and then the diagonal. Its mirror image has those below, so that the two views of its
/// table cover all tiles; `docs/mtm.md` compares it with others.
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

/// The options of `tilebase generate` for a larger pattern, if it is worth it and its table would fit into memory.
pub(super) fn stronger_than(chosen: &[Pattern], frame: &Frame, source: &TableSource) -> Option<String> {
    let largest = chosen.iter().map(Pattern::len).max().unwrap_or(0);
    let all = frame.size().count() - 1;
    let worth = ((largest + 1)..=all.min(MAX_TILES)).rev().map(|tiles| pattern_with(frame, tiles)).find(|pattern| {
        Build::new(pattern, &[Kind::Lines]).is_ok_and(|build| {
            u128::from(build.states()) <= STATES_TO_MENTION && room::shortage(build.disk(), source.memory()).is_none()
        })
    })?;
    Some(format!("--metric mtm --tiles {worth} --size {}", frame.size()))
}

/// Opens tables that a user names: one for each pattern, also for those of catalogues. Returns what keeps them from fitting into memory.
pub(super) fn open_named(
    named: &[Named],
    bounds: &mut Bounds,
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Option<Shortage>, SolverError> {
    let patterns = named.iter().flat_map(|named| match named {
        Named::Pattern(pattern) => vec![*pattern],
        Named::Catalogue(catalogue) => catalogue.patterns(),
    });
    let patterns: Vec<Pattern> = patterns.collect();
    bounds.lines = tables(&patterns, frame, source, watch, steps)?;
    Ok(source.shortage(&patterns, Some(Kind::Lines)))
}

/// The tables of some patterns: found, unpacked or built.
pub(super) fn tables(
    patterns: &[Pattern],
    frame: &Frame,
    source: &TableSource,
    watch: Watch<'_>,
    steps: &mut Vec<Step>,
) -> Result<Vec<Table>, SolverError> {
    source.tables(patterns, Some(Kind::Lines), watch, steps).map_err(|error| {
        let command = |pattern| format!("tilebase generate --metric mtm --tiles {pattern} --size {}", frame.size());
        let commands: Vec<String> = patterns.iter().map(command).collect();
        unavailable(name_of(patterns), commands.join(" && "), error)
    })
}
