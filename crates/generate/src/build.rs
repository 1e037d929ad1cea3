//! A build: planned first, then run.

use std::fmt;

use tilebase_format::layout::{HEADER_LEN, HISTOGRAM_LEN};
use tilebase_format::{Encoding, HeaderError};
use tilebase_puzzle::Pattern;
use tilebase_puzzle::index::{Extent, Index, IndexError, MAX_TILES};

use crate::progress::Progress;
use crate::search::{self, UNREACHED};
use crate::tables::Table;

/// Which kinds of tables a build makes; both come out of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encodings {
    /// A blank-aware table with one bit an entry.
    pub bit: bool,
    /// A collapsed table with four bits an entry.
    pub nibble: bool,
}

impl Encodings {
    /// Only the bit table.
    pub const BIT: Encodings = Encodings { bit: true, nibble: false };
    /// Only the nibble table.
    pub const NIBBLE: Encodings = Encodings { bit: false, nibble: true };
    /// Both.
    pub const BOTH: Encodings = Encodings { bit: true, nibble: true };

    /// The kinds, one by one.
    pub fn iter(self) -> impl Iterator<Item = Encoding> {
        let kinds = [(self.bit, Encoding::Bit), (self.nibble, Encoding::Nibble)];
        kinds.into_iter().filter_map(|(wanted, encoding)| wanted.then_some(encoding))
    }

    /// Only these of the kinds.
    #[must_use]
    pub fn only(self, keep: impl Fn(Encoding) -> bool) -> Encodings {
        Encodings { bit: self.bit && keep(Encoding::Bit), nibble: self.nibble && keep(Encoding::Nibble) }
    }

    /// Whether there is nothing to build.
    pub fn is_empty(self) -> bool {
        self == Encodings { bit: false, nibble: false }
    }
}

/// A build that is ready to run. Making one costs nothing to speak of.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pattern: Pattern,
    encodings: Encodings,
    extent: Extent,
}

impl Build {
    /// Plans the tables of a pattern.
    ///
    /// # Errors
    /// [`BuildError::Index`] when the pattern has too many tiles for any table.
    pub fn new(pattern: &Pattern, encodings: Encodings) -> Result<Build, BuildError> {
        if pattern.len() > MAX_TILES {
            return Err(BuildError::Index(IndexError::TooManyTiles { tiles: pattern.len() }));
        }
        Ok(Build { pattern: *pattern, encodings, extent: Extent::of(pattern.size(), pattern.len()) })
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The kinds of tables.
    pub fn encodings(&self) -> Encodings {
        self.encodings
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
        let left_out = self.pattern.size().count() - 1 - self.pattern.len();
        if left_out <= 1 { self.states() / 2 } else { self.states() }
    }

    /// Bytes of all files that the build makes.
    pub fn disk(&self) -> u64 {
        let files = self.encodings.iter();
        files.map(|encoding| HEADER_LEN as u64 + self.payload(encoding)).sum()
    }

    /// The most bytes of memory that the build has in use at once.
    pub fn memory(&self) -> u64 {
        let (rows, maps) = (self.extent.rows, self.extent.maps);
        let perms = self.states() / rows;
        let set_of_states = rows * perms.div_ceil(64) * 8;
        let costs = if self.encodings.bit { set_of_states } else { 0 };
        let excess = if self.encodings.nibble { maps * perms.div_ceil(2) } else { 0 };
        let payloads: u64 = self.encodings.iter().map(|encoding| self.payload(encoding)).sum();
        let during_search = 2 * set_of_states + costs + excess;
        let afterwards = costs + excess + payloads;
        self.bookkeeping() + during_search.max(afterwards)
    }

    /// The most bytes of memory that auditing the tables takes, the tables included.
    pub fn memory_of_audit(&self) -> u64 {
        let payloads: u64 = self.encodings.iter().map(|encoding| self.payload(encoding)).sum();
        let rebuilt = Build { encodings: Encodings::BIT, ..*self };
        let for_nibbles = if self.encodings.nibble { rebuilt.memory() } else { 0 };
        payloads + self.bookkeeping() + (self.states() * 5 / 4).max(for_nibbles)
    }

    /// Builds the tables, on `threads` threads or, when that is 0, on all cores.
    ///
    /// # Errors
    /// [`BuildError`]; the tables do not depend on the number of threads.
    pub fn run(&self, threads: usize, progress: &dyn Progress) -> Result<Vec<Table>, BuildError> {
        let index = Index::of(&self.pattern).map_err(BuildError::Index)?;
        thread_pool(threads)?.install(|| {
            let found = search::search(&index, &self.pattern, self.encodings, self.reachable(), progress)?;
            Table::all(&index, &self.pattern, found)
        })
    }

    /// The index has 28 bytes for a map and 4 for a row. A row has a counter of what is active and one of what is unseen, a
    /// slot, and its sources: on average fewer than 12 rows of 8 bytes.
    fn bookkeeping(&self) -> u64 {
        self.extent.maps * 28 + self.extent.rows * (16 + 12 * 8)
    }

    fn payload(&self, encoding: Encoding) -> u64 {
        encoding.payload_len(encoding.entries(&self.extent) as u64)
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
    /// The system gave us no threads.
    Threads(String),
    /// What was built makes no table.
    Header(HeaderError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Index(error) => error.fmt(f),
            BuildError::Overflow { pattern, value } => write!(
                f,
                "pattern {pattern} has no nibble table: an entry exceeds its Manhattan distance by {value}, and a nibble \
                 holds at most {}; build a bit table instead",
                2 * (UNREACHED - 1)
            ),
            BuildError::TooDeep { pattern } => write!(
                f,
                "pattern {pattern} has states that cost {HISTOGRAM_LEN} moves or more, more than a table can hold: \
                 use smaller patterns"
            ),
            BuildError::Cancelled => write!(f, "the build was stopped"),
            BuildError::Threads(why) => write!(f, "cannot start the threads: {why}"),
            BuildError::Header(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}
