//! The tables of the papers: from the user's directories or, if they are not there, built and kept beside the results.

use std::time::Instant;

use tilebase::generate::BuildError;
use tilebase::lookup::{Loading, Table};
use tilebase::puzzle::Pattern;
use tilebase::{Catalogue, STATES_ON_THE_SPOT, TableSource, TablesError, Watch};

use crate::error::LabError;
use crate::lab::Options;
use crate::run::Tables;

/// Finds and builds the tables of the papers.
pub(crate) struct PaperTables<'a> {
    source: TableSource,
    threads: usize,
    watch: Watch<'a>,
}

impl<'a> PaperTables<'a> {
    /// Tables of a store; missing ones are built and kept beside the results, large ones only if all boards are searched.
    pub(crate) fn new(options: &Options<'a>) -> PaperTables<'a> {
        let built = options.table_directory();
        let store = options.store.clone().with_directory(built.clone());
        let (threads, watch) = (options.threads, options.watch);
        let most = if options.quick { STATES_ON_THE_SPOT } else { u64::MAX };
        let source = TableSource::new(store).with_threads(threads).building_at_most(most).keeping_built_in(built);
        PaperTables { source, threads, watch }
    }

    /// Whether tables are there, or may be built.
    pub(crate) fn offers(&self, tables: Tables) -> bool {
        self.source.offers(&patterns(tables), Some(tables.kind))
    }

    /// Roughly how many seconds it takes to build what is not there.
    pub(crate) fn seconds(&self, tables: Tables) -> f64 {
        let missing = self.source.missing(&patterns(tables), Some(tables.kind)).unwrap_or_default();
        missing.iter().map(|build| build.seconds(self.threads)).sum()
    }

    /// The tables; built before if they are not there.
    pub(crate) fn get(&self, tables: Tables) -> Result<Vec<Table>, LabError> {
        let got = self.source.tables(&patterns(tables), Some(tables.kind), self.watch, &mut Vec::new());
        got.map_err(|error| match error {
            TablesError::Build(BuildError::Stopped) => LabError::Interrupted { left: 0 },
            error => LabError::Tables(tables.catalogue, error),
        })
    }

    /// How many seconds it takes to read the tables into memory, as the papers did, and to map them, if the store maps. They are
    /// there.
    pub(crate) fn time_loading(&self, tables: Tables) -> Result<(f64, Option<f64>), LabError> {
        let time = |loading| -> Result<f64, LabError> {
            let mut best = f64::INFINITY;
            for _ in 0..3 {
                let started = Instant::now();
                let store = self.source.store().clone().with_only(tables.kind).with_loading(loading);
                for pattern in patterns(tables) {
                    store
                        .find_unverified(&pattern)
                        .map_err(|error| LabError::Tables(tables.catalogue, TablesError::Open(error)))?;
                }
                best = best.min(started.elapsed().as_secs_f64());
            }
            Ok(best)
        };
        let mapped = match self.source.store().loading() {
            Loading::Map | Loading::CopyUpTo(_) => Some(time(Loading::Map)?),
            _ => None,
        };
        Ok((time(Loading::Read)?, mapped))
    }
}

fn patterns(tables: Tables) -> Vec<Pattern> {
    let catalogue = Catalogue::known(tables.catalogue).expect("the papers' catalogues are known");
    catalogue.patterns()
}
