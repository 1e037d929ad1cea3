//! A build: planned first, then run.

use std::fmt;
use std::io;

use rayon::prelude::*;
use tilebase_format::layout::{HEADER_LEN, HISTOGRAM_LEN, UNREACHED_NIBBLE};
use tilebase_format::{BlockHashes, HeaderError};
use tilebase_index::{BuilderIndex, Extent, Index, IndexError, Kind, MAX_TILES, binomial, rotations_len};
use tilebase_puzzle::Pattern;

use crate::ideas::Idea;
use crate::progress::{Progress, Together};
use crate::search;
use crate::tables::Table;

/// What the program takes before it builds anything: code, stacks, small tables.
const OF_THE_PROGRAM: u64 = 6_400_000;

/// A build of at most this many states takes well under a second, and leaves threads idle.
const SMALL: u64 = 1 << 24;

/// A thread's time for a state of a large pattern, and for an entry of its nibble table.
const SECONDS_PER_STATE: f64 = 5e-9;
const SECONDS_PER_NIBBLE: f64 = 6e-9;

/// The kinds of tables that one search gives.
const FROM_ONE_SEARCH: [&[Kind]; 4] = [&[Kind::Bit], &[Kind::Nibble], &[Kind::Bit, Kind::Nibble], &[Kind::AllMoves]];

/// A build that is ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pattern: Pattern,
    kinds: &'static [Kind],
    extent: Extent,
    without: Option<Idea>,
}

impl Build {
    /// Plans tables of a pattern, all from one search.
    ///
    /// # Errors
    /// [`BuildError::Index`] when the pattern has too many tiles for any table; [`BuildError::Kinds`] when there is no kind, or
    /// they count different moves.
    pub fn new(pattern: &Pattern, kinds: &[Kind]) -> Result<Build, BuildError> {
        if pattern.len() > MAX_TILES {
            return Err(BuildError::Index(IndexError::TooManyTiles { tiles: pattern.len() }));
        }
        let same =
            |set: &&&[Kind]| kinds.iter().all(|kind| set.contains(kind)) && set.iter().all(|kind| kinds.contains(kind));
        let kinds = FROM_ONE_SEARCH.iter().find(same).ok_or(BuildError::Kinds)?;
        let extent = Extent::of(pattern.size(), pattern.len(), kinds[0]);
        Ok(Build { pattern: *pattern, kinds, extent, without: None })
    }

    /// The same build without one of the ideas that make it fast. The tables are the same.
    #[must_use]
    pub fn without(self, idea: Idea) -> Build {
        Build { without: Some(idea), ..self }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The kinds of tables.
    pub fn kinds(&self) -> &'static [Kind] {
        self.kinds
    }

    /// Whether a blank-aware table is among them.
    pub(crate) fn has_bits(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_blank_aware())
    }

    /// Whether a collapsed table is among them.
    pub(crate) fn has_nibbles(&self) -> bool {
        self.kinds.contains(&Kind::Nibble)
    }

    /// Entries of the collapsed table.
    pub fn entries(&self) -> u64 {
        self.extent.entries as u64
    }

    /// States of the search, which are the entries of the blank-aware table.
    pub fn states(&self) -> u64 {
        self.extent.states as u64
    }

    /// States that can be reached from the goal: all, or half of them when at most one tile is left out of the pattern.
    pub fn reachable(&self) -> u64 {
        if self.pattern.reaches_half() { self.states() / 2 } else { self.states() }
    }

    /// Bytes of all files that the build makes.
    pub fn disk(&self) -> u64 {
        let payloads = self.kinds.iter().map(|&kind| self.payload(kind));
        payloads.map(|payload| HEADER_LEN as u64 + payload + BlockHashes::len_for(payload)).sum()
    }

    /// The most bytes of memory that the build has in use at once, on so many threads.
    pub fn memory(&self, threads: usize) -> u64 {
        let perms = self.states() / self.extent.rows;
        let set_of_states = self.extent.rows * perms.div_ceil(64) * 8;
        let costs = if self.has_bits() { set_of_states } else { 0 };
        let excess = if self.has_nibbles() { self.extent.maps * perms.div_ceil(64) * 4 * 8 } else { 0 };
        let during_search = 2 * set_of_states + costs + excess;
        // Frontier and seen states are gone when the payloads are written, one after the other.
        let (bits, nibbles) = self.payloads();
        let afterwards = (costs + excess + bits).max(bits + excess + nibbles);
        OF_THE_PROGRAM + self.bookkeeping() + self.moving_rows(threads) + during_search.max(afterwards)
    }

    /// Bytes for moving rows: the rotations, where runs of bits come from, and for each thread the row that is moved, the
    /// next one, what of a map has been reached, and nibbles and Manhattan distances of a map.
    fn moving_rows(&self, threads: usize) -> u64 {
        let (perms, tiles) = (self.states() / self.extent.rows, self.pattern.len() as u64);
        let runs = (4..tiles - 1).map(|left| (1..=left).product::<u64>());
        let sources: u64 = runs.map(|run| perms / run * 4).sum();
        let rotations = rotations_len(self.pattern.len(), self.pattern.size().width()) as u64 * 4;
        let distances = if self.has_nibbles() { perms + perms / 2 } else { 0 };
        rotations + sources + threads as u64 * (3 * perms.div_ceil(64) * 8 + distances)
    }

    /// Roughly how many seconds the build takes on so many threads of a machine of today. The constants are what
    /// `tilebase bench generate` gave for large patterns.
    pub fn seconds(&self, threads: usize) -> f64 {
        let nibbles = if self.has_nibbles() { self.entries() } else { 0 };
        (self.states() as f64 * SECONDS_PER_STATE + nibbles as f64 * SECONDS_PER_NIBBLE) / threads as f64
    }

    /// The largest pattern of the same board for which a build of the same kinds needs at most `limit` bytes, and how many
    /// that are; `memory` tells what a build needs.
    pub fn largest_within(&self, limit: u64, memory: impl Fn(&Build) -> u64) -> Option<(usize, u64)> {
        let size = self.pattern.size();
        let smaller = (1..self.pattern.len()).rev().map(|tiles| {
            let extent = Extent::of(size, tiles, self.kinds[0]);
            let some = self.pattern.tiles().take(tiles).fold(0, |mask, tile| mask | tile.bit());
            let pattern = Pattern::from_mask(size, self.pattern.home(), some).expect("a part of a pattern is one");
            (tiles, memory(&Build { pattern, extent, ..*self }))
        });
        smaller.into_iter().find(|&(_, needed)| needed <= limit)
    }

    /// The most bytes of memory that auditing the tables takes, the tables included.
    pub fn memory_of_audit(&self, threads: usize) -> u64 {
        let (bits, nibbles) = self.payloads();
        let rebuilt = Build { kinds: &[Kind::Bit], ..*self };
        let for_nibbles = if self.has_nibbles() { rebuilt.memory(threads) } else { 0 };
        // A byte for each state, and the rows that are being worked out, before they are put in their place.
        OF_THE_PROGRAM + bits + nibbles + self.bookkeeping() + (self.states() * 5 / 4).max(for_nibbles)
    }

    /// Builds the tables, on `threads` threads or, when that is 0, on all cores.
    ///
    /// # Errors
    /// [`BuildError`]; the tables do not depend on the number of threads.
    pub fn run(&self, threads: usize, progress: &dyn Progress) -> Result<Vec<Table>, BuildError> {
        thread_pool(threads)?.install(|| self.run_here(progress))
    }

    /// Builds the tables on the threads of the current pool.
    fn run_here(&self, progress: &dyn Progress) -> Result<Vec<Table>, BuildError> {
        let index = Index::new(self.pattern.size(), self.pattern.len(), self.kinds[0]);
        let index = BuilderIndex::new(index.map_err(BuildError::Index)?);
        let found = search::search(&index, self, progress)?;
        Table::all(&index, &self.pattern, found)
    }

    /// Runs several builds at the same time, on the same threads: small ones alone cannot keep many threads busy. The
    /// progress is that of all together.
    ///
    /// # Errors
    /// [`BuildError`] of the first build that has one.
    pub fn run_side_by_side(
        builds: &[Build],
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<Table>>, BuildError> {
        let together = Together::new(builds, progress);
        thread_pool(threads)?.install(|| {
            let builds = builds.par_iter().enumerate().with_max_len(1);
            let built: Vec<_> = builds.map(|(number, build)| build.run_here(&together.part(number))).collect();
            built.into_iter().collect()
        })
    }

    /// Cuts a list of builds into groups that may run side by side: small builds go together as long as `memory` bytes are
    /// enough for them, and each large one is a group of its own.
    pub fn groups(builds: &[Build], threads: usize, memory: u64) -> Vec<&[Build]> {
        let mut groups = Vec::new();
        let mut rest = builds;
        while !rest.is_empty() {
            let small = rest.iter().take_while(|build| build.states() <= SMALL).count();
            let all_at_once = |count| Build::memory_for_searches(&rest[..count], threads, count);
            let fit = (1..=small).rev().find(|&count| all_at_once(count) <= memory);
            let (group, others) = rest.split_at(fit.unwrap_or(1));
            groups.push(group);
            rest = others;
        }
        groups
    }

    /// About the most bytes of memory that several builds have in use at once when they run side by side: a thread that waits for
    /// another may begin one search more than there are threads.
    pub fn memory_together(builds: &[Build], threads: usize) -> u64 {
        Build::memory_for_searches(builds, threads, threads.max(1))
    }

    /// The most bytes of memory that several builds have in use while so many of them search: the tables of all of them, and what
    /// the largest searches need.
    fn memory_for_searches(builds: &[Build], threads: usize, searches: usize) -> u64 {
        let payloads = |build: &Build| build.payloads().0 + build.payloads().1;
        let to_search = |build: &Build| build.memory(threads) - OF_THE_PROGRAM - payloads(build);
        let mut all_to_search: Vec<u64> = builds.iter().map(to_search).collect();
        all_to_search.sort_unstable_by_key(|&bytes| std::cmp::Reverse(bytes));
        let of_searches = all_to_search.iter().take(searches).sum::<u64>();
        OF_THE_PROGRAM + builds.iter().map(payloads).sum::<u64>() + of_searches
    }

    /// Bytes for the index, for the rows and for their sources.
    fn bookkeeping(&self) -> u64 {
        let size = self.pattern.size();
        let (width, height, tiles) = (size.width(), size.height(), self.pattern.len());
        let edges = ((width - 1) * height + width * (height - 1)) as u64;
        // Each end of an edge may have a tile of the pattern and the other end the blank, the other tiles being anywhere;
        // where all moves count, both ends may be free.
        let others = size.count() - 2;
        let blank_moves = match self.kinds[0] {
            Kind::AllMoves => binomial(others, tiles),
            _ => 0,
        };
        let sources = 2 * edges * (binomial(others, tiles - 1) + blank_moves);
        // Index: squares, first row and regions of a map, map of a row. Search: maps with the number of their rows; row,
        // active, unseen and first source of a row.
        self.extent.maps * (4 + 4 + 16 + 16) + self.extent.rows * (4 + 4 * 4) + sources * 8
    }

    /// Bytes of the payloads: blank-aware and collapsed.
    fn payloads(&self) -> (u64, u64) {
        let kinds = |aware: bool| self.kinds.iter().filter(move |kind| kind.is_blank_aware() == aware);
        (kinds(true).map(|&kind| self.payload(kind)).sum(), kinds(false).map(|&kind| self.payload(kind)).sum())
    }

    /// Whether the build makes use of an idea.
    pub(crate) fn uses(&self, idea: Idea) -> bool {
        self.without != Some(idea)
    }

    fn payload(&self, kind: Kind) -> u64 {
        kind.payload_len(kind.entries(&self.extent) as u64)
    }
}

/// A pool of so many threads; of one for each core when the number is 0.
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, BuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| BuildError::Threads(error.to_string()))
}

/// A build that cannot be planned or did not finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The pattern has too many tiles.
    Index(IndexError),
    /// No kind of table was asked for, or kinds that no single search gives.
    Kinds,
    /// An entry exceeds its Manhattan distance by more than a nibble holds.
    Overflow {
        /// The pattern.
        pattern: Pattern,
        /// The excess.
        value: u32,
    },
    /// Some state costs more than the format's histogram can count.
    TooDeep {
        /// The pattern.
        pattern: Pattern,
    },
    /// Somebody stopped it.
    Cancelled,
    /// The system gave us no memory.
    Memory(String),
    /// The system gave us no threads.
    Threads(String),
    /// What was built makes no table.
    Header(HeaderError),
}

impl BuildError {
    pub(crate) fn memory(error: &io::Error) -> BuildError {
        BuildError::Memory(error.to_string())
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Index(error) => error.fmt(f),
            BuildError::Kinds => {
                write!(
                    f,
                    "expected kinds of tables that count the same moves, at least one: build the others on their own"
                )
            }
            BuildError::Overflow { pattern, value } => write!(
                f,
                "pattern {pattern} has no nibble table: an entry exceeds its Manhattan distance by {value}, and a nibble \
                 holds at most {}; build a bit table instead",
                2 * (UNREACHED_NIBBLE - 1)
            ),
            BuildError::TooDeep { pattern } => write!(
                f,
                "pattern {pattern} has states that cost {} moves or more, more than a table can hold: \
                 use smaller patterns",
                HISTOGRAM_LEN - 1
            ),
            BuildError::Cancelled => write!(f, "the build was stopped"),
            BuildError::Memory(why) => write!(f, "cannot get the memory for the build: {why}"),
            BuildError::Threads(why) => write!(f, "cannot start the threads: {why}"),
            BuildError::Header(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}
