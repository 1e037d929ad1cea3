//! A build: which tables of which pattern, and how it is run.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use tilebase_index::{BuilderIndex, Extent, Index, IndexError, Kind, MAX_TILES};
use tilebase_progress::threads::on_pool;
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::Pattern;

use crate::destination::{Built, Destination, Outcome};
use crate::error::BuildError;
use crate::optimisation::Optimisation;
use crate::peers::{Alone, Peers};
use crate::scratch::Scratch;
use crate::shares::Shares;
use crate::{lines, output, search};

/// The kinds of tables that one search gives.
const FROM_ONE_SEARCH: [&[Kind]; 5] =
    [&[Kind::Bit], &[Kind::Nibble], &[Kind::Bit, Kind::Nibble], &[Kind::AllMoves], &[Kind::Lines]];

/// A build that is ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pub(crate) pattern: Pattern,
    pub(crate) kinds: &'static [Kind],
    pub(crate) extent: Extent,
    pub(crate) without: Option<Optimisation>,
}

impl Build {
    /// Plans tables of a pattern, all from one search.
    ///
    /// # Errors
    /// [`BuildError::Index`] when the pattern has too many tiles for any table; [`BuildError::Kinds`] when there is no kind, or
    /// they count different moves.
    pub fn new(pattern: &Pattern, kinds: &[Kind]) -> Result<Build, BuildError> {
        if pattern.len() > MAX_TILES {
            return Err(IndexError::TooManyTiles { tiles: pattern.len() }.into());
        }
        let same =
            |set: &&&[Kind]| kinds.iter().all(|kind| set.contains(kind)) && set.iter().all(|kind| kinds.contains(kind));
        let kinds = FROM_ONE_SEARCH.iter().find(same).ok_or(BuildError::Kinds)?;
        let extent = Extent::of(pattern.size(), pattern.len(), kinds[0]);
        Ok(Build { pattern: *pattern, kinds, extent, without: None })
    }

    /// The same build without one of the optimisations. The tables are the same.
    #[must_use]
    pub fn without(self, optimisation: Optimisation) -> Build {
        Build { without: Some(optimisation), ..self }
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

    /// Entries of all its tables: the costs that are stored.
    pub fn entries(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.entries(&self.extent) as u64).sum()
    }

    /// Entries that a collapsed table has.
    pub(crate) fn collapsed(&self) -> u64 {
        self.extent.entries as u64
    }

    /// States of the search: where the tiles of the pattern are, and the region, or the square, of the blank. A blank-aware table has
    /// an entry for each.
    pub fn states(&self) -> u64 {
        self.extent.states as u64
    }

    /// Whether what is built is a table of lines.
    pub(crate) fn is_of_lines(&self) -> bool {
        self.kinds == [Kind::Lines]
    }

    /// The number of states or, for a table of lines, of lines that the search tells apart.
    pub fn search_size(&self) -> u64 {
        if self.is_of_lines() { self.entries() } else { self.states() }
    }

    /// States, or lines, that can be reached from the goal: all, or half of them when at most one tile is left out of the pattern.
    pub fn reachable(&self) -> u64 {
        if self.pattern.reaches_half() { self.search_size() / 2 } else { self.search_size() }
    }

    /// Builds the tables, on `threads` threads or, when that is 0, on all cores, and writes each to its destination. `watch` is
    /// told of every level, and of the states that are found in between. The tables do not depend on the number of threads.
    pub fn run<D: Destination>(&self, threads: usize, destination: &D, watch: Watch<'_>) -> Outcome<D> {
        on_pool(threads, || self.run_here(&Alone, destination, None, watch))
    }

    /// Builds the tables on the threads of the current pool.
    pub(crate) fn run_here<D: Destination>(
        &self,
        peers: &dyn Peers,
        destination: &D,
        scratch: Option<&Scratch>,
        watch: Watch<'_>,
    ) -> Outcome<D> {
        if self.is_of_lines() {
            return lines::build(self, peers, destination, scratch, watch);
        }
        let index = BuilderIndex::new(Index::new(self.pattern.size(), self.pattern.len(), self.kinds[0])?);
        let shares = &Shares::new(&index, peers.count());
        let found = search::search(&index, self, (peers, shares), scratch, watch)?;
        output::write(&index, self, found, (peers, shares), destination, watch)
    }

    /// Builds the tables together with other processes, which all call this with the same build, each on threads of its own. Each process
    /// has some of the rows. The first writes the tables and returns them; the others return nothing. The tables are the same to the byte
    /// as from one process.
    ///
    /// `watch` gets the levels of all processes together, and what this process finds in between. A build that is saved in a scratch
    /// directory resumes with the same number of processes.
    ///
    /// # Errors
    /// As for [`run_kept`](Build::run_kept); [`BuildError::Peers`] when another process is gone, and [`BuildError::Elsewhere`] when
    /// another one has an error.
    pub fn run_together<D: Destination>(
        &self,
        peers: &dyn Peers,
        threads: usize,
        destination: &D,
        scratch: Option<&Scratch>,
        watch: Watch<'_>,
    ) -> Outcome<D> {
        on_pool(threads, || self.run_here(peers, destination, scratch, watch))
    }

    /// Runs several builds at the same time, on the same threads: small ones alone cannot keep many threads busy. The levels
    /// that `watch` is told of are those of all together; the error is that of the first build that has one.
    pub fn run_side_by_side<D: Destination>(
        builds: &[Build],
        threads: usize,
        destination: &D,
        watch: Watch<'_>,
    ) -> Result<Vec<Vec<Built<D::Sink>>>, BuildError> {
        Build::run_kept(builds, threads, destination, None, watch)
    }

    /// The same, saving the builds in a scratch directory and resuming from what it has. When the tables have their names, the caller
    /// should [remove](Scratch::forget) what was saved.
    ///
    /// # Errors
    /// [`BuildError::Kept`] when nothing can be saved there, before work begins, or when a saved level is damaged or of another build.
    pub fn run_kept<D: Destination>(
        builds: &[Build],
        threads: usize,
        destination: &D,
        scratch: Option<&Scratch>,
        watch: Watch<'_>,
    ) -> Result<Vec<Vec<Built<D::Sink>>>, BuildError> {
        let start = |build: &Build| Level { number: 0, found: 0, total: build.reachable(), touched: 0, sent: 0 };
        let levels: Mutex<Vec<Level>> = Mutex::new(builds.iter().map(start).collect());
        let tell = |number: usize, event: &Event<'_>| {
            let Event::Level(level) = event else { return watch(event) };
            let mut levels = levels.lock().unwrap_or_else(PoisonError::into_inner);
            levels[number] = **level;
            watch(&Event::Level(&Level {
                number: levels.iter().map(|level| level.number).max().unwrap_or(0),
                found: levels.iter().map(|level| level.found).sum(),
                total: levels.iter().map(|level| level.total).sum(),
                touched: levels.iter().map(|level| level.touched).sum(),
                sent: levels.iter().map(|level| level.sent).sum(),
            }))
        };
        on_pool(threads, || {
            let builds = builds.par_iter().enumerate().with_max_len(1);
            let built = builds
                .map(|(number, build)| build.run_here(&Alone, destination, scratch, &|event| tell(number, event)));
            built.collect::<Vec<_>>().into_iter().collect()
        })
    }

    /// Whether the build makes use of an optimisation.
    pub(crate) fn uses(&self, optimisation: Optimisation) -> bool {
        self.without != Some(optimisation)
    }
}
