//! Where a lab gets its tables: from the user's directories or, if they are not there, built and put beside the results.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tilebase_format::WriteError;
use tilebase_generate::{Build, BuildError, Directory};
use tilebase_index::Kind;
use tilebase_lookup::{Loading, Store, Table};
use tilebase_progress::until;
use tilebase_puzzle::{Catalogue, Pattern};

use crate::error::LabError;
use crate::run::Tables;

/// Tables of at most this many states together are built without asking: less than a second on one core.
const SMALL: u64 = 60_000_000;

/// Finds and builds tables.
#[derive(Debug)]
pub(crate) struct Shelf<'a> {
    directories: Vec<PathBuf>,
    built: PathBuf,
    threads: usize,
    /// Whether large tables may be built, too.
    builds_large: bool,
    cancel: &'a AtomicBool,
}

/// How long it took to load tables, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// Read into memory, as the papers did.
    pub(crate) read: f64,
    /// Mapped.
    pub(crate) mapped: f64,
}

impl<'a> Shelf<'a> {
    pub(crate) fn new(
        directories: &[PathBuf],
        built: PathBuf,
        threads: usize,
        builds_large: bool,
        cancel: &'a AtomicBool,
    ) -> Shelf<'a> {
        let mut directories = directories.to_vec();
        directories.push(built.clone());
        Shelf { directories, built, threads, builds_large, cancel }
    }

    /// The patterns of a known catalogue.
    pub(crate) fn patterns(catalogue: &str) -> Vec<Pattern> {
        let catalogue = Catalogue::known(catalogue).expect("the papers' catalogues are known");
        catalogue.partition.patterns().to_vec()
    }

    /// Whether tables are there, or may be built.
    pub(crate) fn offers(&self, tables: Tables) -> bool {
        self.builds_large
            || Shelf::builds(tables).iter().map(Build::states).sum::<u64>() <= SMALL
            || self.missing(tables).is_empty()
    }

    /// Roughly how many seconds it takes to build what is not there.
    pub(crate) fn seconds(&self, tables: Tables) -> f64 {
        self.missing(tables).iter().map(|build| build.seconds(self.threads)).sum()
    }

    /// The tables, mapped; built before if they are not there.
    pub(crate) fn get(&self, tables: Tables) -> Result<Vec<Table>, LabError> {
        let missing = self.missing(tables);
        if !missing.is_empty() {
            std::fs::create_dir_all(&self.built).map_err(LabError::file(&self.built))?;
        }
        for build in missing {
            let built = build.run(self.threads, &Directory(&self.built), &until(self.cancel));
            let built = built.map_err(|error| match error {
                BuildError::Stopped => LabError::Interrupted { left: 0 },
                BuildError::Write(WriteError::Io(error)) => LabError::file(&self.built)(error),
                error => wrong(tables, error),
            })?;
            for table in built {
                table.seal().map_err(LabError::file(&self.built))?;
            }
        }
        self.load(tables, Loading::Map)
    }

    /// How long it takes to load the tables. They are there.
    pub(crate) fn time_loading(&self, tables: Tables) -> Result<Loaded, LabError> {
        let time = |loading| -> Result<f64, LabError> {
            let mut best = f64::INFINITY;
            for _ in 0..3 {
                let started = Instant::now();
                self.load(tables, loading)?;
                best = best.min(started.elapsed().as_secs_f64());
            }
            Ok(best)
        };
        Ok(Loaded { read: time(Loading::Read)?, mapped: time(Loading::Map)? })
    }

    fn load(&self, tables: Tables, loading: Loading) -> Result<Vec<Table>, LabError> {
        let store = self.store(tables.kind).with_loading(loading);
        let patterns = Shelf::patterns(tables.catalogue);
        let found = patterns.iter().map(|pattern| match store.find(pattern) {
            Ok(Some(table)) => Ok(table),
            Ok(None) => Err(wrong(tables, format!("the table of {pattern} was there and is not any more"))),
            Err(error) => Err(wrong(tables, error)),
        });
        found.collect()
    }

    fn store(&self, kind: Kind) -> Store {
        Store::new(self.directories.clone()).with_only(kind)
    }

    fn builds(tables: Tables) -> Vec<Build> {
        let build = |pattern: &Pattern| Build::new(pattern, &[tables.kind]);
        Shelf::patterns(tables.catalogue)
            .iter()
            .map(|pattern| build(pattern).expect("the papers' patterns are small"))
            .collect()
    }

    fn missing(&self, tables: Tables) -> Vec<Build> {
        let store = self.store(tables.kind);
        Shelf::builds(tables).into_iter().filter(|build| store.locate(build.pattern()).is_none()).collect()
    }

    /// Where tables are put that were not there.
    pub(crate) fn built(&self) -> &Path {
        &self.built
    }
}

fn wrong(tables: Tables, why: impl fmt::Display) -> LabError {
    LabError::Tables { catalogue: tables.catalogue.to_owned(), why: why.to_string() }
}
