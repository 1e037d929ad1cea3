//! What patterns cost on the boards of a sample.
//!
//! A partition's bounds are sums of what its patterns cost, the largest over all views. Partitions that differ in two
//! patterns share the others, so costs are kept by pattern: a byte for each board. The table is needed only once, to fill
//! them.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use rayon::prelude::*;
use tilebase_generate::{Build, BuildError};
use tilebase_index::{Kind, PatternCosts};
use tilebase_lookup::{AdditiveTable, AnyBitTable, Coding, SmallBitTable, Table, TypedTable};
use tilebase_progress::threads::prepare_pool;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Pattern, State, Symmetry};

use super::sample::Sample;
use crate::source::{TableSource, TablesError};

/// The costs of patterns on the boards of a sample, each worked out once.
#[derive(Debug)]
pub struct SampleCosts {
    states: Vec<State>,
    /// By the pattern's tiles, as a mask.
    known: HashMap<u32, Arc<[u8]>>,
    /// Where costs are kept between runs.
    directory: Option<PathBuf>,
    /// How many tables were needed.
    tables: usize,
}

impl SampleCosts {
    /// Nothing is known yet but, if there is a directory, what is kept there. Costs of samples that differ in anything are
    /// kept apart.
    pub fn new(sample: &Sample, directory: Option<&Path>) -> SampleCosts {
        let (states, size) = (sample.states(), sample.boards().first().map(|board| board.size().to_string()));
        let name = format!("{}-{}-{}-{}", size.unwrap_or_default(), sample.sampling(), sample.seed(), states.len());
        let directory = directory.map(|directory| directory.join(name));
        SampleCosts { states, known: HashMap::new(), directory, tables: 0 }
    }

    /// How many tables were needed so far.
    pub fn tables(&self) -> usize {
        self.tables
    }

    /// What a pattern costs on each board. Its table comes from the source where that has not been worked out before.
    ///
    /// # Errors
    /// [`CostsError`] when there is no table, or the costs cannot be kept.
    pub fn of(&mut self, pattern: &Pattern, source: &TableSource, watch: Watch<'_>) -> Result<Arc<[u8]>, CostsError> {
        if let Some(costs) = self.known.get(&pattern.mask()) {
            return Ok(Arc::clone(costs));
        }
        if let Some(costs) = self.kept(pattern) {
            self.known.insert(pattern.mask(), Arc::clone(&costs));
            return Ok(costs);
        }
        // Tables of the smallest image only, so that none is built that is there.
        let first = pattern.images().min().unwrap_or(*pattern);
        // A search has a bar of its own.
        let quiet = |_: &Event<'_>| watch(&Event::Poll);
        let table = source.tables(&[first], None, &quiet, &mut Vec::new())?.remove(0);
        self.tables += 1;
        for symmetry in first.views() {
            let image = first.seen_through(symmetry);
            let costs: Arc<[u8]> = self.read(&table, symmetry.inverse(), watch)?.into();
            self.keep(&image, &costs)?;
            self.known.insert(image.mask(), costs);
        }
        Ok(Arc::clone(&self.known[&pattern.mask()]))
    }

    /// Whether costs are known, or their table can be had within this much memory.
    pub fn can_have(&self, pattern: &Pattern, source: &TableSource, threads: usize, memory: u64) -> bool {
        let is_kept = || self.file(pattern).is_some_and(|file| file.exists());
        let is_there = || source.store().locate(pattern).is_some();
        let fits =
            || Build::new(pattern, &[Kind::Bit]).is_ok_and(|build| build.memory(threads) + build.disk() <= memory);
        self.known.contains_key(&pattern.mask()) || fits() || is_kept() || is_there()
    }

    /// The costs in a table of all boards, each seen through a symmetry.
    fn read(&self, table: &Table, symmetry: Symmetry, watch: Watch<'_>) -> Result<Vec<u8>, CostsError> {
        let tables = std::slice::from_ref(table);
        if let Some(ready) = SmallBitTable::ready(tables) {
            self.walk(&ready[0], symmetry, watch)
        } else if let Some(ready) = AnyBitTable::ready(tables) {
            self.walk(&ready[0], symmetry, watch)
        } else {
            let ready = AdditiveTable::ready(tables).expect("a table that can be added is of bits or of nibbles");
            self.walk(&ready[0], symmetry, watch)
        }
    }

    fn walk<C: Coding>(
        &self,
        table: &TypedTable<C>,
        symmetry: Symmetry,
        watch: Watch<'_>,
    ) -> Result<Vec<u8>, CostsError> {
        let cost = |state: &State| table.cost(&table.locate(&state.seen_through(symmetry)));
        prepare_pool();
        let costs = self.states.par_chunks(256).map(|states| {
            if watch(&Event::Poll) == ControlFlow::Break(()) {
                return Err(CostsError::Stopped);
            }
            let costs = states.iter().map(|state| cost(state).and_then(|cost| cost.try_into().ok()));
            costs.collect::<Option<Vec<u8>>>().ok_or_else(|| CostsError::Damaged(*table.pattern()))
        });
        Ok(costs.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn file(&self, pattern: &Pattern) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{pattern}.costs")))
    }

    /// What is kept of a pattern, if it is whole.
    fn kept(&self, pattern: &Pattern) -> Option<Arc<[u8]>> {
        let costs = fs::read(self.file(pattern)?).ok()?;
        (costs.len() == self.states.len()).then(|| costs.into())
    }

    fn keep(&self, pattern: &Pattern, costs: &[u8]) -> Result<(), CostsError> {
        let (Some(directory), Some(file)) = (&self.directory, self.file(pattern)) else { return Ok(()) };
        let draft = file.with_extension("draft");
        let kept = fs::create_dir_all(directory)
            .and_then(|()| fs::write(&draft, costs))
            .and_then(|()| fs::rename(&draft, &file));
        kept.map_err(|error| CostsError::Keep(file, error))
    }
}

/// Costs that cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CostsError {
    /// There is no table.
    #[error("{0}")]
    Tables(TablesError),
    /// The table of a pattern has no cost for a board that must have one.
    #[error("the table of {0} is damaged: run tilebase tables verify, and build it again")]
    Damaged(Pattern),
    /// The costs of a pattern cannot be kept in this file.
    #[error("cannot write {file}: {1}", file = .0.display())]
    Keep(PathBuf, #[source] io::Error),
    /// Whoever watched said to stop.
    #[error("stopped")]
    Stopped,
}

impl From<TablesError> for CostsError {
    fn from(error: TablesError) -> CostsError {
        match error {
            TablesError::Build(BuildError::Stopped) => CostsError::Stopped,
            other => CostsError::Tables(other),
        }
    }
}
