//! The search for partitions with a small η.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use tilebase_generate::Build;
use tilebase_index::Kind;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Pattern, Random, Size, Square, Symmetry};

use super::costs::{CostsError, SampleCosts};
use super::partitions::{Masks, Tiles, TooManyPartitions, sizes_within};
use super::rating::Rating;
use super::results::{Measured, Results, ResultsError};
use super::sample::Sample;
use crate::source::TableSource;

/// The most partitions that are tried one after the other.
const MOST_PARTITIONS: usize = 1_000_000;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The boards' size. The blank belongs in a corner.
    pub size: Size,
    /// How many tiles each pattern has; `None` for as few patterns as fit, of any sizes.
    pub sizes: Option<Vec<usize>>,
    /// The most bytes of tables.
    pub max_bytes: u64,
    /// The most bytes of memory that a build may take.
    pub memory: u64,
    /// Threads for builds.
    pub threads: usize,
    /// Patterns with more tiles than this are not built: of all ways to divide one into a part of this many tiles and the
    /// rest, that which costs most counts. What refines the search builds them.
    pub screen: Option<usize>,
    /// Whether every partition is tried, rather than random ones improved.
    pub every: bool,
    /// Whether the tiles of a pattern must hang together, side by side.
    pub connected: bool,
    /// How many random partitions are improved.
    pub restarts: usize,
    /// The seed of random partitions.
    pub seed: u64,
}

/// A search for partitions, and what it has found.
#[derive(Debug)]
pub struct PartitionSearch<'a> {
    plan: Plan,
    tiles: Tiles,
    source: &'a TableSource,
    sample: Sample,
    costs: SampleCosts,
    results: Results,
}

impl<'a> PartitionSearch<'a> {
    /// Makes a search ready. `sample` has boards with their blank's goal in a corner; `results` has what was measured on them
    /// before; costs of patterns are kept in a directory, if one is given.
    pub fn new(
        plan: Plan,
        sample: Sample,
        source: &'a TableSource,
        results: Results,
        costs: Option<&Path>,
    ) -> PartitionSearch<'a> {
        let tiles = Tiles { size: plan.size, home: Square(0), connected: plan.connected };
        let costs = SampleCosts::new(&sample, costs);
        PartitionSearch { plan, tiles, source, sample, costs, results }
    }

    /// Boards of the sample.
    fn samples(&self) -> usize {
        self.sample.boards().len()
    }

    /// The best partitions found so far, of those that are looked for: the results may be of other sizes and limits, too.
    pub fn best(&self, count: usize) -> Vec<&Measured> {
        let mut sizes = self.plan.sizes.clone();
        sizes.iter_mut().for_each(|sizes| sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size)));
        let is_wanted = |one: &&Measured| {
            let masks: Vec<u32> = one.partition.patterns().iter().map(Pattern::mask).collect();
            one.bytes <= self.plan.max_bytes
                && sizes.as_ref().is_none_or(|sizes| *sizes == one.partition.sizes())
                && masks.iter().all(|&mask| self.tiles.suits(mask))
        };
        let mut best = self.results.best(self.samples(), usize::MAX);
        best.retain(is_wanted);
        best.truncate(count);
        best
    }

    /// How many partitions have been measured.
    pub fn measured(&self) -> usize {
        self.results.count(self.samples())
    }

    /// How many tables were needed for that, this time.
    pub fn tables(&self) -> usize {
        self.costs.tables()
    }

    /// Searches. What was measured is kept, whatever comes.
    ///
    /// # Errors
    /// [`SearchError`] when no partition fits, when there are too many, or when it was stopped.
    pub fn run(&mut self, watch: Watch<'_>) -> Result<(), SearchError> {
        let all_sizes = self.sizes()?;
        if self.plan.every {
            self.try_every(&all_sizes, watch)?;
        } else {
            for restart in 0..self.plan.restarts {
                let what = format!("restart {} of {}{}", restart + 1, self.plan.restarts, self.best_so_far());
                let _ = watch(&Event::Begin { what: &what, total: 0 });
                let improved = self.improve(restart, &all_sizes, watch);
                let _ = watch(&Event::End);
                improved?;
            }
        }
        Ok(())
    }

    fn best_so_far(&self) -> String {
        self.best(1)
            .first()
            .map(|best| format!(", best {} with {:.3e}", best.partition.drawing(), best.badness()))
            .unwrap_or_default()
    }

    /// The sizes of patterns that are asked for or fit.
    fn sizes(&self) -> Result<Vec<Vec<usize>>, SearchError> {
        let tiles = self.plan.size.count() - 1;
        let fits = |sizes: &[usize]| {
            let bytes: u64 = sizes.iter().map(|&size| self.bytes_of(size).unwrap_or(u64::MAX / 32)).sum();
            bytes <= self.plan.max_bytes && sizes.iter().all(|&size| self.can_have(size))
        };
        let Some(sizes) = &self.plan.sizes else {
            let found = sizes_within(tiles, fits);
            return if found.is_empty() { Err(SearchError::NothingFits(self.plan.max_bytes)) } else { Ok(found) };
        };
        if sizes.contains(&0) || sizes.iter().sum::<usize>() != tiles {
            return Err(SearchError::Sizes { sizes: sizes.clone(), tiles });
        }
        Ok(vec![sizes.clone()])
    }

    /// Whether tables of so many tiles can be had, or need not be.
    fn can_have(&self, tiles: usize) -> bool {
        let tiles = self.plan.screen.map_or(tiles, |most| most.min(tiles));
        let some = self.plan.size.squares().skip(1).take(tiles).fold(0, |mask, square| mask | square.bit());
        self.costs.can_have(&self.tiles.pattern(some), self.source, self.plan.threads, self.plan.memory)
    }

    /// Bytes of the table of a pattern with so many tiles.
    fn bytes_of(&self, tiles: usize) -> Option<u64> {
        let some = self.plan.size.squares().skip(1).take(tiles).fold(0, |mask, square| mask | square.bit());
        Build::new(&self.tiles.pattern(some), &[Kind::Bit]).ok().map(|build| build.disk())
    }

    fn try_every(&mut self, all_sizes: &[Vec<usize>], watch: Watch<'_>) -> Result<(), SearchError> {
        let mut partitions = Vec::new();
        for sizes in all_sizes {
            partitions.extend(self.tiles.every(sizes, MOST_PARTITIONS)?);
        }
        let mut best = self.best_so_far();
        let begin = |best: &str, total: usize| {
            let what = format!("measuring partitions{best}");
            let _ = watch(&Event::Begin { what: &what, total: total as u64 });
        };
        begin(&best, partitions.len());
        let mut tried = Ok(());
        for (number, masks) in partitions.iter().enumerate() {
            tried = self.badness(masks, watch).map(|_| ());
            let going_on = watch(&Event::Advance(1));
            if tried.is_ok() && going_on == ControlFlow::Break(()) {
                tried = Err(SearchError::Stopped);
            }
            if tried.is_err() {
                break;
            }
            // Looking for the best takes as long as measuring some.
            if number % 1000 == 999 && self.best_so_far() != best {
                best = self.best_so_far();
                let _ = watch(&Event::End);
                begin(&best, partitions.len() - number - 1);
            }
        }
        let _ = watch(&Event::End);
        tried
    }

    /// Improves a random partition step by step until no step makes it better.
    fn improve(&mut self, restart: usize, all_sizes: &[Vec<usize>], watch: Watch<'_>) -> Result<(), SearchError> {
        // Far apart, so that restarts of neighbouring seeds are not the same.
        let mut random = Random::new(self.plan.seed.wrapping_add((restart as u64) << 32));
        let sizes = &all_sizes[restart % all_sizes.len()];
        let mut here = self.tiles.random(sizes, &mut random).ok_or_else(|| SearchError::NotTogether(sizes.clone()))?;
        let Some(mut badness) = self.badness(&here, watch)? else { return Ok(()) };
        'steps: loop {
            for next in self.tiles.one_step_away(&here, self.plan.sizes.is_some(), &mut random) {
                if watch(&Event::Poll) == ControlFlow::Break(()) {
                    return Err(SearchError::Stopped);
                }
                if let Some(better) = self.badness(&next, watch)?.filter(|&other| other < badness) {
                    (here, badness) = (next, better);
                    continue 'steps;
                }
            }
            return Ok(());
        }
    }

    /// Measures the best partitions again on the boards of another sample, and puts that into other results.
    ///
    /// # Errors
    /// [`SearchError`] as for [`run`](PartitionSearch::run).
    pub fn refine(
        &self,
        count: usize,
        sample: &Sample,
        results: &mut Results,
        watch: Watch<'_>,
    ) -> Result<(), SearchError> {
        let best = self.best(count);
        let mut costs = SampleCosts::new(sample, None);
        let _ = watch(&Event::Begin { what: "measuring the best again", total: best.len() as u64 });
        let measured = best.iter().try_for_each(|one| {
            if results.get(&one.partition, sample.boards().len()).is_none() {
                let masks: Masks = one.partition.patterns().iter().map(Pattern::mask).collect();
                let of_pattern = |pattern: &Pattern| costs.of(pattern, self.source, watch);
                results.add(&measure(&self.tiles, &masks, sample, of_pattern)?)?;
            }
            if watch(&Event::Advance(1)) == ControlFlow::Break(()) { Err(SearchError::Stopped) } else { Ok(()) }
        });
        let _ = watch(&Event::End);
        measured
    }

    /// How bad a partition is; `None` when its tables take too many bytes, or cannot be had.
    fn badness(&mut self, masks: &[u32], watch: Watch<'_>) -> Result<Option<f64>, SearchError> {
        let partition = self.tiles.partition(masks);
        if bytes(&self.tiles, masks) > self.plan.max_bytes {
            return Ok(None);
        }
        if let Some(known) = self.results.get(&partition, self.samples()) {
            return Ok(Some(known.badness()));
        }
        let (threads, memory, screen) = (self.plan.threads, self.plan.memory, self.plan.screen);
        let is_divided = |pattern: &Pattern| screen.is_some_and(|most| pattern.len() > most);
        let can_have =
            |pattern: &Pattern| is_divided(pattern) || self.costs.can_have(pattern, self.source, threads, memory);
        if !partition.patterns().iter().all(can_have) {
            return Ok(None);
        }
        let (tiles, costs, source) = (&self.tiles, &mut self.costs, self.source);
        let of_pattern = |pattern: &Pattern| match screen {
            Some(most) if is_divided(pattern) => costs_of_parts(tiles, pattern, most, costs, source, watch),
            _ => costs.of(pattern, source, watch),
        };
        let measured = measure(tiles, masks, &self.sample, of_pattern)?;
        Ok(Some(self.results.add(&measured)?.badness()))
    }
}

/// What a pattern costs at least on each board: the most that a part of so many tiles and the rest cost together.
fn costs_of_parts(
    tiles: &Tiles,
    pattern: &Pattern,
    most: usize,
    costs: &mut SampleCosts,
    source: &TableSource,
    watch: Watch<'_>,
) -> Result<Arc<[u8]>, CostsError> {
    let mut largest: Option<Vec<u8>> = None;
    for part in tiles.parts(pattern.mask(), most) {
        let rest = tiles.pattern(pattern.mask() & !part);
        let part = costs.of(&tiles.pattern(part), source, watch)?;
        let rest = if rest.len() > most {
            costs_of_parts(tiles, &rest, most, costs, source, watch)?
        } else {
            costs.of(&rest, source, watch)?
        };
        let both = part.iter().zip(&*rest).map(|(part, rest)| part + rest);
        match &mut largest {
            None => largest = Some(both.collect()),
            Some(largest) => largest.iter_mut().zip(both).for_each(|(largest, both)| *largest = both.max(*largest)),
        }
    }
    Ok(largest.expect("a pattern has parts").into())
}

/// Bytes of the tables of a partition. A pattern and its mirror image share one.
fn bytes(tiles: &Tiles, masks: &[u32]) -> u64 {
    let tables: BTreeSet<Pattern> = masks.iter().filter_map(|&mask| tiles.pattern(mask).images().min()).collect();
    let builds = tables.iter().map(|pattern| Build::new(pattern, &[Kind::Bit]));
    builds.map(|build| build.map_or(u64::MAX / 32, |build| build.disk())).sum()
}

/// Measures a partition: its bounds on all boards of a sample, all views counted, given what patterns cost.
fn measure(
    tiles: &Tiles,
    masks: &[u32],
    sample: &Sample,
    mut costs_of: impl FnMut(&Pattern) -> Result<Arc<[u8]>, CostsError>,
) -> Result<Measured, CostsError> {
    let partition = tiles.partition(masks);
    let mut largest = vec![0u32; sample.boards().len()];
    for symmetry in partition.views() {
        let mut of_view = vec![0u32; largest.len()];
        for pattern in partition.patterns() {
            let costs = costs_of(&seen(pattern, symmetry))?;
            of_view.iter_mut().zip(&*costs).for_each(|(sum, &cost)| *sum += u32::from(cost));
        }
        largest.iter_mut().zip(&of_view).for_each(|(largest, sum)| *largest = (*largest).max(*sum));
    }
    let rating = Rating::new(&largest, sample);
    Ok(Measured { partition, samples: largest.len(), rating, bytes: bytes(tiles, masks) })
}

/// A board seen through a symmetry costs what the board itself costs the pattern seen through its inverse.
fn seen(pattern: &Pattern, symmetry: Symmetry) -> Pattern {
    pattern.seen_through(symmetry.inverse())
}

/// A search for partitions that came to no end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// No partition has tables of so few bytes.
    #[error("no partition has tables that fit into {0} bytes, or into memory while they are built: allow more")]
    NothingFits(u64),
    /// Sizes that are not those of a partition.
    #[error(
        "patterns of {text} tiles have {sum} together: expected {tiles}, such as {example}",
        text = joined(.sizes), sum = .sizes.iter().sum::<usize>(), example = example(*.tiles)
    )]
    Sizes {
        /// The sizes.
        sizes: Vec<usize>,
        /// Tiles of the puzzle.
        tiles: usize,
    },
    /// No partition was found whose patterns hang together.
    #[error("no partition into patterns of {} tiles was found that hang together: try other sizes", joined(.0))]
    NotTogether(Vec<usize>),
    /// More partitions than can be tried.
    #[error("{0}")]
    TooMany(#[from] TooManyPartitions),
    /// What patterns cost cannot be had.
    #[error("{0}")]
    Costs(CostsError),
    /// What was measured cannot be kept.
    #[error("{0}")]
    Results(#[from] ResultsError),
    /// Whoever watched said to stop.
    #[error("stopped; what was measured is kept")]
    Stopped,
}

impl From<CostsError> for SearchError {
    fn from(error: CostsError) -> SearchError {
        match error {
            CostsError::Stopped => SearchError::Stopped,
            other => SearchError::Costs(other),
        }
    }
}

fn joined(sizes: &[usize]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

fn example(tiles: usize) -> String {
    joined(&[tiles - tiles / 2, tiles / 2])
}
