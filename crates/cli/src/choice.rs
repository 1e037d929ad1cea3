//! Which tables to use for a board.

use std::cmp::Reverse;

use tilebase_generate::{Build, Encodings, Silent};
use tilebase_lookup::{Bytes, Store, Table};
use tilebase_puzzle::index::Extent;
use tilebase_puzzle::{Catalogue, Frame, Partition, Pattern};
use tilebase_solve::Additive;

use crate::catalogues;
use crate::failure::Failure;
use crate::output::Output;

/// Tables are built on the spot when they have at most this many states together: about half a second on two cores.
const STATES_ON_THE_SPOT: u64 = 60_000_000;

/// Tables, ready to be used, and what they are called.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) name: String,
    pub(crate) partition: Partition,
    pub(crate) tables: Additive<Table>,
    /// A known catalogue with larger patterns whose tables are not there.
    pub(crate) stronger: Option<String>,
}

/// Finds the tables for boards of a frame.
#[derive(Debug)]
pub(crate) struct Chooser<'a> {
    pub(crate) store: &'a Store,
    pub(crate) threads: usize,
    pub(crate) output: &'a Output,
}

impl Chooser<'_> {
    /// The strongest tables that are there; where there are none, tables built on the spot.
    pub(crate) fn strongest(&self, frame: &Frame) -> Result<Chosen, Failure> {
        let mut stronger = None;
        for catalogue in known_catalogues(frame) {
            let there = catalogue.partition.patterns().iter().all(|pattern| self.store.source(pattern).is_some());
            if !there {
                stronger = stronger.or(Some(catalogue.name));
                continue;
            }
            match self.open(&catalogue) {
                Ok(chosen) => return Ok(Chosen { stronger, ..chosen }),
                Err(failure) => {
                    self.output.warning(format!("the tables of {} are not used: {failure}", catalogue.name));
                }
            }
        }
        Ok(Chosen { stronger, ..self.open(&on_the_spot(frame)?)? })
    }

    /// The tables of a catalogue by name, file or drawing. Small ones that are not there are built on the spot.
    pub(crate) fn named(&self, text: &str, frame: &Frame) -> Result<Chosen, Failure> {
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
        self.open(&catalogue)
    }

    fn open(&self, catalogue: &Catalogue) -> Result<Chosen, Failure> {
        let mut tables: Vec<Option<Table>> = Vec::new();
        let mut missing: Vec<Build> = Vec::new();
        for pattern in catalogue.partition.patterns() {
            let table = self.store.find(pattern).map_err(Failure::new)?;
            if table.is_none() {
                missing.push(Build::new(pattern, Encodings::BIT).map_err(Failure::new)?);
            }
            tables.push(table);
        }
        if missing.iter().map(Build::states).sum::<u64>() > STATES_ON_THE_SPOT {
            let places: Vec<String> =
                self.store.directories().iter().map(|place| place.display().to_string()).collect();
            return Err(Failure::new(format!(
                "the tables of {name} are not there (looked in {}) and take longer than a moment to build: run \
                 tilebase generate \"{name}\"",
                places.join(" and "),
                name = catalogue.name
            )));
        }
        let mut built = missing.iter().map(|build| self.build(build));
        let tables: Vec<Table> = tables
            .into_iter()
            .map(|table| table.map_or_else(|| built.next().expect("one for each"), Ok))
            .collect::<Result<_, _>>()?;
        let tables = Additive::new(tables).map_err(Failure::new)?;
        Ok(Chosen { name: catalogue.name.clone(), partition: catalogue.partition.clone(), tables, stronger: None })
    }

    fn build(&self, build: &Build) -> Result<Table, Failure> {
        let tables = build.run(self.threads, &Silent).map_err(Failure::new)?;
        Table::new(Bytes::Owned(tables[0].to_bytes())).map_err(Failure::new)
    }
}

/// The known catalogues for boards of a frame, those with the largest patterns first.
fn known_catalogues(frame: &Frame) -> Vec<Catalogue> {
    let known = Catalogue::names().filter_map(Catalogue::known);
    let fits = |catalogue: &Catalogue| {
        (catalogue.partition.size(), catalogue.partition.home()) == (frame.size(), frame.home())
    };
    let mut catalogues: Vec<Catalogue> = known.filter(fits).collect();
    catalogues.sort_by_key(|catalogue| {
        let mut sizes: Vec<usize> = catalogue.partition.patterns().iter().map(Pattern::len).collect();
        sizes.sort_unstable_by_key(|&size| Reverse(size));
        Reverse(sizes)
    });
    catalogues
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
        let builds = partition.patterns().iter().map(|pattern| Build::new(pattern, Encodings::BIT));
        let Ok(builds) = builds.collect::<Result<Vec<_>, _>>() else { continue };
        if builds.iter().map(Build::states).sum::<u64>() <= STATES_ON_THE_SPOT {
            return Ok(Catalogue { name: partition.drawing(), partition });
        }
    }
    Err(Failure::new("no tables for this board can be built in a moment: use --tables none"))
}
