//! Which tables and heuristics to use for a board.

use std::cmp::Reverse;
use std::collections::HashMap;

use tilebase_answer::Chosen;
use tilebase_engine::{Bounds, Search, Solver};
use tilebase_format::Header;
use tilebase_generate::{Build, Memory};
use tilebase_heuristics::{AnyListed, ListError};
use tilebase_index::{Extent, Kind};
use tilebase_lookup::{Bytes, Store, Table};
use tilebase_progress::unwatched;
use tilebase_puzzle::{Catalogue, Frame, Partition, Pattern};

use crate::catalogues;
use crate::failure::Failure;
use crate::options::use_threads;
use crate::output::Output;
use crate::packed;

/// Tables are built on the spot when they have at most this many states together: about half a second on two cores.
const STATES_ON_THE_SPOT: u64 = 60_000_000;

/// Tables that count all moves are asked for by this and their tiles.
const ALL_MOVES: &str = "all:";

/// Finds tables and heuristics for boards of a frame.
#[derive(Debug)]
pub(crate) struct Chooser<'a> {
    pub(crate) store: &'a Store,
    /// The search that will use them.
    pub(crate) search: Search,
    pub(crate) threads: usize,
    pub(crate) output: &'a Output,
}

impl Chooser<'_> {
    /// The strongest tables that are there or can be built on the spot.
    pub(crate) fn strongest(&self, frame: &Frame) -> Result<Chosen, Failure> {
        let candidates = self.candidates(frame)?;
        for catalogue in candidates {
            let opened = self.tables(&catalogue).and_then(|tables| {
                let bounds = Bounds { partitions: vec![tables], ..Bounds::default() };
                Solver::with(frame.clone(), bounds, self.search).map_err(Failure::new)
            });
            match opened {
                Ok(solver) => {
                    let Catalogue { name, partition } = catalogue;
                    let stronger = self.stronger_than(&partition);
                    return Ok(Chosen { name, partition: Some(partition), solver, stronger });
                }
                Err(failure) => {
                    self.output.warning(format!("the tables of {} are not used: {failure}", catalogue.name));
                }
            }
        }
        Err(Failure::new("no tables can be used: mend or remove the damaged ones, or use --tables none"))
    }

    /// All partitions of which there are tables, and one that can be built in a moment, in the order in which they are tried.
    ///
    /// Those with the larger sum of mean costs are searched faster, as `docs/solving.md` shows; of equal ones those that take
    /// fewer bytes, and then those of a known catalogue. How strong tables are that cannot be read, or are not there yet,
    /// nobody knows: they come after those with patterns as large as theirs.
    fn candidates(&self, frame: &Frame) -> Result<Vec<Catalogue>, Failure> {
        let mut headers: HashMap<Pattern, Option<Header>> = HashMap::new();
        for pattern in self.store.patterns(frame.size(), frame.home()) {
            match self.store.header(&pattern) {
                // Its table has another name, by which nobody finds it.
                Ok(None) => {}
                Ok(header) => drop(headers.insert(pattern, header)),
                // Kept, so that the user is told when it is opened.
                Err(_) => drop(headers.insert(pattern, None)),
            }
        }
        let mut patterns: Vec<Pattern> = headers.keys().copied().collect();
        patterns.sort_unstable();
        let readable = |catalogue: &Catalogue| -> Option<Vec<&Header>> {
            catalogue.partition.patterns().iter().map(|pattern| headers.get(pattern)?.as_ref()).collect()
        };
        let there = Partition::from_among(&patterns).into_iter().map(named);
        let (mut candidates, mut unknown): (Vec<_>, Vec<_>) = there.partition(|there| readable(there).is_some());
        candidates.sort_by_cached_key(|catalogue| {
            let headers = readable(catalogue).unwrap_or_default();
            let mean: f64 = headers.iter().map(|header| header.mean()).sum();
            let bytes: u64 = headers.iter().map(|header| header.file_len()).sum();
            // Tables whose means differ by less than a tenth are as good as each other.
            Reverse(((mean * 10.0).round() as u64, Reverse(bytes), is_known(catalogue)))
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

    /// The known catalogue with the largest patterns of the same puzzle, if they are larger than these and not there.
    fn stronger_than(&self, partition: &Partition) -> Option<String> {
        let same_puzzle = known_catalogues()
            .filter(|known| (known.partition.size(), known.partition.home()) == (partition.size(), partition.home()));
        let strongest = same_puzzle.max_by_key(|known| known.partition.sizes())?;
        let is_there = || strongest.partition.patterns().iter().all(|pattern| self.store.locate(pattern).is_some());
        (strongest.partition.sizes() > partition.sizes() && !is_there()).then_some(strongest.name)
    }

    /// Bounds by name, several with `+` between them: then the largest counts. Each is a heuristic of the list, a catalogue by
    /// name, file or drawing, or `all:` and tiles. Tables that are there packed are unpacked; small ones that are not there are
    /// built on the spot.
    pub(crate) fn named(&self, text: &str, frame: &Frame) -> Result<Chosen, Failure> {
        let mut bounds = Bounds::default();
        let mut partition = None;
        for name in text.split('+') {
            if let Some(tiles) = name.strip_prefix(ALL_MOVES) {
                bounds.all_moves.push(self.table_of_all_moves(tiles, frame)?);
                continue;
            }
            match AnyListed::new(name, frame.size(), frame.home()) {
                Ok(heuristic) => bounds.listed.push(heuristic),
                Err(error @ ListError::DoesNotSuit { .. }) => return Err(Failure::new(error)),
                Err(ListError::NoSuchName { names, .. }) => {
                    let known = || format!("; heuristics are {}", names.join(", "));
                    let catalogue =
                        catalogue_for(name, frame).map_err(|failure| Failure::new(format!("{failure}{}", known())))?;
                    self.unpack(&catalogue)?;
                    bounds.partitions.push(self.tables(&catalogue)?);
                    partition.get_or_insert(catalogue.partition);
                }
            }
        }
        let solver = Solver::with(frame.clone(), bounds, self.search).map_err(Failure::new)?;
        Ok(Chosen { name: text.to_owned(), partition, solver, stronger: None })
    }

    /// Unpacks the tables of a catalogue that are there packed only.
    fn unpack(&self, catalogue: &Catalogue) -> Result<(), Failure> {
        for pattern in catalogue.partition.patterns() {
            if self.store.locate(pattern).is_none() {
                use_threads(self.threads);
                packed::unpack_for(pattern, self.store, self.output)?;
            }
        }
        Ok(())
    }

    /// The tables of a catalogue. Small ones that are not there are built on the spot.
    fn tables(&self, catalogue: &Catalogue) -> Result<Vec<Table>, Failure> {
        let how = format!("tilebase generate \"{}\"", catalogue.name);
        self.find_or_build(self.store, catalogue.partition.patterns(), &[Kind::Bit], &catalogue.name, &how)
    }

    /// A table that counts all moves, of tiles such as `3,7,11` or `fringe`.
    fn table_of_all_moves(&self, tiles: &str, frame: &Frame) -> Result<Table, Failure> {
        let (size, home) = (frame.size(), frame.home());
        let pattern = if tiles == "fringe" {
            Pattern::fringe(size, home)
        } else {
            let numbers = tiles.split(',').map(|tile| tile.trim().parse().ok()).collect::<Option<Vec<u64>>>();
            let numbers = numbers.ok_or_else(|| {
                Failure::new(format!(
                    "\"{tiles}\" are not tiles: expected {ALL_MOVES}fringe, or such as {ALL_MOVES}3,7,11"
                ))
            })?;
            Pattern::new(size, home, &numbers)
        };
        let pattern = pattern.map_err(Failure::new)?;
        let tiles: Vec<String> = pattern.tiles().map(|tile| tile.0.to_string()).collect();
        let how = format!("tilebase generate --tiles {} --size {size} --count all", tiles.join(","));
        let store = Store::new(self.store.directories().to_vec()).with_only(Kind::AllMoves);
        let name = format!("{ALL_MOVES}{}", tiles.join(","));
        let mut tables = self.find_or_build(&store, &[pattern], &[Kind::AllMoves], &name, &how)?;
        Ok(tables.remove(0))
    }

    /// The tables of some patterns. Small ones that are not there are built on the spot.
    fn find_or_build(
        &self,
        store: &Store,
        patterns: &[Pattern],
        kinds: &[Kind],
        name: &str,
        how: &str,
    ) -> Result<Vec<Table>, Failure> {
        let mut tables: Vec<Option<Table>> = Vec::new();
        let mut missing: Vec<Build> = Vec::new();
        for pattern in patterns {
            let table = store.find(pattern).map_err(Failure::new)?;
            if table.is_none() {
                missing.push(Build::new(pattern, kinds).map_err(Failure::new)?);
            }
            tables.push(table);
        }
        if missing.iter().map(Build::states).sum::<u64>() > STATES_ON_THE_SPOT {
            let places: Vec<String> =
                self.store.directories().iter().map(|place| place.display().to_string()).collect();
            return Err(Failure::new(format!(
                "the tables of {name} are not there (looked in {}) and take longer than a moment to build: run {how}",
                places.join(" and ")
            )));
        }
        let mut built = missing.iter().map(|build| self.build(build));
        let tables = tables.into_iter().map(|table| table.map_or_else(|| built.next().expect("one for each"), Ok));
        tables.collect()
    }

    fn build(&self, build: &Build) -> Result<Table, Failure> {
        let table = build.run(self.threads, &Memory, &unwatched).map_err(Failure::new)?.remove(0);
        Table::new(Bytes::Owned(table.into_bytes())).map_err(Failure::new)
    }
}

/// A catalogue by name, file or drawing, if it is one for boards of a frame.
fn catalogue_for(text: &str, frame: &Frame) -> Result<Catalogue, Failure> {
    let catalogue = catalogues::find(text)?;
    let partition = &catalogue.partition;
    if partition.size() != frame.size() {
        return Err(Failure::new(format!(
            "the tables of {} are for boards of {}, but this board is {}",
            catalogue.name,
            partition.size(),
            frame.size()
        )));
    }
    if partition.home() != frame.home() {
        return Err(Failure::new(format!(
            "the tables of {} are for goals with the blank on square {} of the canonical frame, but this goal has it \
             on square {}: use --tables auto",
            catalogue.name,
            partition.home().0,
            frame.home().0
        )));
    }
    Ok(catalogue)
}

fn known_catalogues() -> impl Iterator<Item = Catalogue> {
    Catalogue::names().filter_map(Catalogue::known)
}

fn is_known(catalogue: &Catalogue) -> bool {
    Catalogue::known(&catalogue.name).is_some()
}

/// A partition with the name of the known catalogue that it is, or else its drawing.
fn named(partition: Partition) -> Catalogue {
    let known = known_catalogues().find(|known| known.partition.same_patterns(&partition));
    known.unwrap_or_else(|| Catalogue { name: partition.drawing(), partition })
}

/// A catalogue of the largest patterns that can be built in a moment.
fn on_the_spot(frame: &Frame) -> Result<Catalogue, Failure> {
    let tiles = frame.size().count() - 1;
    for largest in (1..=tiles).rev() {
        let partition = Partition::winding(frame.size(), frame.home(), largest);
        // There are at least as many states as entries, and those are known without counting anything.
        let entries = partition.patterns().iter().map(|pattern| Extent::entries_of(frame.size(), pattern.len()));
        if entries.sum::<u128>() > u128::from(STATES_ON_THE_SPOT) {
            continue;
        }
        let builds = partition.patterns().iter().map(|pattern| Build::new(pattern, &[Kind::Bit]));
        let builds = builds.collect::<Result<Vec<_>, _>>().map_err(Failure::new)?;
        if builds.iter().map(Build::states).sum::<u64>() <= STATES_ON_THE_SPOT {
            return Ok(Catalogue { name: partition.drawing(), partition });
        }
    }
    Err(Failure::new("no tables for this board can be built in a moment: use --tables none"))
}
