//! Where tables come from: found, unpacked, or built.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tilebase_format::Header;
use tilebase_generate::{Build, BuildError, Directory, Memory};
use tilebase_index::Kind;
use tilebase_lookup::{Bytes, Location, OpenError, Store, Table};
use tilebase_progress::Watch;
use tilebase_puzzle::{Pattern, setters};

use crate::builder::SolverError;
use crate::directory::{DirectoryError, prepare_directory, watch_piece};
use crate::manifest::{ManifestError, check_manifest};
#[cfg(feature = "zstd")]
use crate::packed::{PackedError, Unpacked, unpack_for};
use crate::room::{self, Shortage};

/// Tables with at most this many states together are built on the spot, without being asked: about half a second on two cores.
pub const STATES_ON_THE_SPOT: u64 = 60_000_000;

/// Finds tables, unpacks those that are packed, and builds those that are missing.
///
/// What it did on the way comes back as [`Step`]s.
#[derive(Debug)]
pub struct TableSource {
    store: Store,
    threads: usize,
    most_states: u64,
    kept_in: Option<PathBuf>,
    trusts: bool,
    most_memory: Option<u64>,
}

impl TableSource {
    /// Tables of a store; small ones that are missing are [built on the spot](STATES_ON_THE_SPOT), in memory, on all cores.
    pub fn new(store: Store) -> TableSource {
        TableSource {
            store,
            threads: 0,
            most_states: STATES_ON_THE_SPOT,
            kept_in: None,
            trusts: false,
            most_memory: None,
        }
    }

    /// Tables where the user keeps them: in the directory that `TILEBASE_TABLES` names, in the user's cache directory, and in the
    /// program itself.
    pub fn of_user() -> TableSource {
        TableSource::new(Store::of_user())
    }

    setters! {
        /// The same, building on this many threads; 0 means one for each core.
        with_threads(threads: usize) => threads: threads;
        /// The same, building missing tables when they have at most this many states together; none at all with 0.
        building_at_most(states: u64) => most_states: states;
        /// The same, keeping what is built in a directory, which should be one of the store's.
        keeping_built_in(directory: PathBuf) => kept_in: Some(directory);
        /// The same, believing files whose bytes nobody has compared with their hashes.
        trusting(trusts: bool) => trusts: trusts;
        /// The same, choosing only tables that fit into this many bytes of memory; otherwise into what the machine has available.
        fitting_into(bytes: impl Into<Option<u64>>) => most_memory: bytes.into();
    }

    /// Bytes of memory that tables may take: as many as were said, or as the system says are available; `None` when it does not tell.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.most_memory.or_else(tilebase_memory::available)
    }

    /// Bytes of memory that tables may take, if that was said.
    pub(crate) fn most_memory(&self) -> Option<u64> {
        self.most_memory
    }

    /// On how many threads tables are built and copied.
    pub(crate) fn threads(&self) -> usize {
        if self.threads > 0 { self.threads } else { std::thread::available_parallelism().map_or(1, usize::from) }
    }

    /// What keeps the tables of some patterns from fitting into memory, if they do not. They are of one kind, if one is given.
    pub(crate) fn shortage(&self, patterns: &[Pattern], kind: Option<Kind>) -> Option<Shortage> {
        match room::bytes_of_files(&self.store_of(kind), patterns) {
            0 => None,
            bytes => room::shortage(bytes, self.memory()),
        }
    }

    /// The same, with no files: everything is built, or part of the program.
    pub(crate) fn without_files(&self) -> TableSource {
        TableSource { store: Store::compiled_in(), kept_in: None, ..*self }
    }

    /// Where tables are looked for.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The tables of some patterns. They are of one kind, if one is given; otherwise each is the best there is of those that can
    /// be added. Packed ones are unpacked first, missing ones built, and those in files [verified](Store::find_verified).
    pub fn tables(
        &self,
        patterns: &[Pattern],
        kind: Option<Kind>,
        watch: Watch<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<Vec<Table>, TablesError> {
        let store = self.store_of(kind);
        let mut found: Vec<Result<Table, Build>> = Vec::new();
        for pattern in patterns {
            #[cfg(feature = "zstd")]
            if store.locate(pattern).is_none() {
                steps.extend(unpack_for(pattern, &store, watch)?.map(Step::Unpacked));
            }
            found.push(match self.find(pattern, &store, watch)? {
                Some(table) => {
                    steps.extend(store.locate(pattern).map(|location| Step::Found(*pattern, location)));
                    Ok(table)
                }
                None => Err(plan(pattern, kind)?),
            });
        }
        let missing: Vec<Build> = found.iter().filter_map(|table| table.as_ref().err().copied()).collect();
        self.check_size(&missing)?;
        found.into_iter().map(|table| table.or_else(|plan| self.build(&plan, &store, watch, steps))).collect()
    }

    /// The table of a pattern, if it is there: whole, and not one that the manifest contradicts.
    fn find(&self, pattern: &Pattern, store: &Store, watch: Watch<'_>) -> Result<Option<Table>, TablesError> {
        if self.trusts {
            return Ok(store.find_unverified(pattern)?);
        }
        let table = store.find_verified(pattern, watch)?;
        if let Some((table, path)) = table.as_ref().and_then(|table| table.path().map(|path| (table, path))) {
            check_manifest(table.header()).map_err(|error| TablesError::Manifest(path.to_owned(), error))?;
        }
        Ok(table)
    }

    /// The builds of those of some patterns whose tables are not there, packed or not.
    pub fn missing(&self, patterns: &[Pattern], kind: Option<Kind>) -> Result<Vec<Build>, BuildError> {
        let store = self.store_of(kind);
        let is_missing = |pattern: &&Pattern| store.locate(pattern).is_none() && store.find_packed(pattern).is_none();
        patterns.iter().filter(is_missing).map(|pattern| plan(pattern, kind)).collect()
    }

    /// Whether the tables of some patterns are there, or may be built.
    pub fn offers(&self, patterns: &[Pattern], kind: Option<Kind>) -> bool {
        self.missing(patterns, kind).is_ok_and(|missing| self.check_size(&missing).is_ok())
    }

    /// The store, finding only tables of one kind if that is given.
    fn store_of(&self, kind: Option<Kind>) -> Store {
        let store = self.store.clone();
        if let Some(kind) = kind { store.with_only(kind) } else { store }
    }

    fn check_size(&self, missing: &[Build]) -> Result<(), TablesError> {
        if missing.iter().map(Build::states).sum::<u64>() <= self.most_states {
            return Ok(());
        }
        let patterns = missing.iter().map(|build| *build.pattern()).collect();
        Err(TablesError::TooLarge(patterns, self.store.directories().to_vec()))
    }

    /// Builds one table: into the directory where it is kept, or else in memory.
    fn build(
        &self,
        plan: &Build,
        store: &Store,
        watch: Watch<'_>,
        steps: &mut Vec<Step>,
    ) -> Result<Table, TablesError> {
        let started = Instant::now();
        let what = format!("building {}", plan.pattern());
        let table = watch_piece(watch, &what, plan.reachable(), |watch| -> Result<Table, TablesError> {
            let Some(directory) = &self.kept_in else {
                let table = plan.run(self.threads, &Memory, watch)?.remove(0);
                return Ok(Table::new(Bytes::Owned(table.into_bytes()))?);
            };
            prepare_directory(directory)?;
            let table = plan.run(self.threads, &Directory(directory), watch)?.remove(0);
            table.seal().map_err(|error| DirectoryError { directory: directory.clone(), error })?;
            self.find(plan.pattern(), store, watch)?.ok_or(TablesError::Vanished(*plan.pattern()))
        })?;
        steps.push(Step::Built(table.header().clone(), started.elapsed()));
        Ok(table)
    }
}

/// The build of a pattern's table: of bits, unless another kind is given.
fn plan(pattern: &Pattern, kind: Option<Kind>) -> Result<Build, BuildError> {
    Build::new(pattern, &[kind.unwrap_or(Kind::Bit)])
}

/// Something that was done to have tables.
#[derive(Debug)]
#[non_exhaustive]
pub enum Step {
    /// The table of a pattern was found.
    Found(Pattern, Location),
    /// A packed table was unpacked.
    #[cfg(feature = "zstd")]
    Unpacked(Unpacked),
    /// A table was built, in this time.
    Built(Header, Duration),
    /// The tables of a catalogue were passed over, because something is wrong with them.
    PassedOver(String, SolverError),
    /// The tables of a catalogue do not fit into memory. They were passed over when there were others to choose from, and are used all
    /// the same when they were asked for.
    DoNotFit {
        /// The catalogue.
        name: String,
        /// How much is missing.
        shortage: Shortage,
        /// Whether they are used.
        used: bool,
    },
}

/// Tables that cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablesError {
    /// A table is there and cannot be opened.
    #[error("{0}")]
    Open(#[from] OpenError),
    /// A file is not the table in the manifest.
    #[error("{file}: {1}", file = .0.display())]
    Manifest(PathBuf, #[source] ManifestError),
    /// A packed table cannot be unpacked.
    #[cfg(feature = "zstd")]
    #[error("{0}")]
    Packed(#[from] PackedError),
    /// A table cannot be built.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// A table that was built cannot be kept.
    #[error("{0}")]
    Directory(#[from] DirectoryError),
    /// The tables of these patterns are not in these directories, and are too large to be built without being asked.
    #[error(
        "not there (looked in {places}) and take longer than a moment to build",
        places = .1.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(" and ")
    )]
    TooLarge(Vec<Pattern>, Vec<PathBuf>),
    /// The table of a pattern was there a moment ago and is not any more.
    #[error("the table of {0} was there and is not any more")]
    Vanished(Pattern),
}
