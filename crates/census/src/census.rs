//! A census, and how it is come by.

use std::{fmt, io};

use serde_json::{Map, Value, json};
use tilebase_progress::{Watch, unwatched};
use tilebase_puzzle::{Board, Metric, Size, Square};

use crate::place::Place;
use crate::published::Published;
use crate::{near, search};

/// Boards of this many squares are counted on the spot: 3×4 takes a second or two in either metric.
const COUNTED_ON_THE_SPOT: usize = 12;

/// Boards of this many squares are counted in a few milliseconds.
const COUNTED_AT_ONCE: usize = 9;

/// How many boards are 0, 1, 2 … moves from a goal: all boards, or those up to some distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    goal: Board,
    metric: Metric,
    counts: Vec<u64>,
    /// How far the farthest boards are and how many there are, where that is known.
    farthest: Option<(u32, u64)>,
    source: Source,
}

/// Where a census comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// It was counted here.
    Counted,
    /// It was published; see the head of `crates/census/data/census.tsv`.
    Published,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Counted => "counted",
            Source::Published => "published",
        })
    }
}

impl Census {
    /// Counts all boards, on the threads of rayon's current pool. [`memory`](Census::memory) says what that takes.
    ///
    /// # Errors
    /// [`CensusError`], when there are too many boards, too little memory, or when the watch stops it.
    pub fn count(goal: &Board, metric: Metric, watch: Watch<'_>) -> Result<Census, CensusError> {
        let counts = search::counts(goal.size(), goal.blank(), metric, watch)?;
        Ok(Census::counted(goal, metric, counts))
    }

    /// Counts the boards that are up to `depth` moves away, on the threads of rayon's current pool, however many others there are.
    ///
    /// It takes up to 8 bytes for each board at the last distance and each that is reached from there, 16 if there are more than 16
    /// squares. It ends before `depth` where the next distance would take more than `memory` bytes, and of course where there are no
    /// more boards: [`counts`](Census::counts) tells how far it came.
    ///
    /// ```
    /// use tilebase_census::Census;
    /// use tilebase_progress::unwatched;
    /// use tilebase_puzzle::{Goal, Metric, Size};
    ///
    /// let goal = Goal::BlankLast.board(Size::new(5, 5)?)?;
    /// let census = Census::count_to(&goal, Metric::Mtm, 5, None, &unwatched)?;
    /// assert_eq!(census.counts(), [1, 8, 32, 128, 512, 2048]);
    /// assert!(!census.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CensusError`], when the system gives no memory, or when the watch stops it.
    pub fn count_to(
        goal: &Board,
        metric: Metric,
        depth: u32,
        memory: Option<u64>,
        watch: Watch<'_>,
    ) -> Result<Census, CensusError> {
        let counts = near::counts(goal, metric, depth, memory, watch)?;
        Ok(Census::counted(goal, metric, counts))
    }

    fn counted(goal: &Board, metric: Metric, counts: Vec<u64>) -> Census {
        let is_complete = sum(&counts) == Census::boards(goal.size());
        let last = counts.last().map(|&count| (counts.len() as u32 - 1, count));
        Census { goal: *goal, metric, farthest: last.filter(|_| is_complete), counts, source: Source::Counted }
    }

    /// The published census, where there is one: for some sizes, and goals with the blank in a corner. That of the 15-puzzle in
    /// [`Metric::Mtm`] is not [complete](Census::is_complete).
    pub fn published(goal: &Board, metric: Metric) -> Option<Census> {
        let size = goal.size();
        let (row, column) = size.row_column(goal.blank());
        let is_corner = [0, size.height() - 1].contains(&row) && [0, size.width() - 1].contains(&column);
        let Published { counts, farthest, .. } = is_corner.then(|| Published::find(size, metric)).flatten()?;
        Some(Census { goal: *goal, metric, counts, farthest: Some(farthest), source: Source::Published })
    }

    /// What can be told in a moment: the published census, or that of a board with few squares, counted.
    pub fn at_once(goal: &Board, metric: Metric) -> Option<Census> {
        let count = || {
            let is_small = goal.size().count() <= COUNTED_AT_ONCE;
            is_small.then(|| Census::count(goal, metric, &unwatched).ok()).flatten()
        };
        Census::published(goal, metric).or_else(count)
    }

    /// Whether boards of a size are few enough to be counted whenever somebody asks.
    pub fn is_counted_on_the_spot(size: Size) -> bool {
        size.count() <= COUNTED_ON_THE_SPOT
    }

    /// About the most bytes of memory that [`count`](Census::count) has in use, beside the program; `None` when they are more than
    /// 64 bits can tell.
    pub fn memory(size: Size, metric: Metric) -> Option<u64> {
        search::memory(size, metric)
    }

    /// How many boards of a size can reach a goal.
    pub fn boards(size: Size) -> u128 {
        (1..=size.count() as u128).product::<u128>() / 2
    }

    /// The goal.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The blank's square in the goal, on which alone the counts depend.
    pub fn home(&self) -> Square {
        self.goal.blank()
    }

    /// What counts as one move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many boards are 0, 1, 2 … moves away, as far as that is known.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Where the counts come from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Whether all boards are counted.
    pub fn is_complete(&self) -> bool {
        sum(&self.counts) == Census::boards(self.goal.size())
    }

    /// How far the farthest boards are, where that is known: if all boards are counted, or somebody has published it.
    pub fn farthest(&self) -> Option<u32> {
        Some(self.farthest?.0)
    }

    /// How many boards are that far.
    pub fn farthest_boards(&self) -> Option<u64> {
        Some(self.farthest?.1)
    }

    /// How far boards are on average, if all are counted.
    pub fn mean(&self) -> Option<f64> {
        let moves: u128 = (0..).zip(&self.counts).map(|(distance, &count)| distance * u128::from(count)).sum();
        self.is_complete().then(|| moves as f64 / sum(&self.counts) as f64)
    }

    /// How a board at a distance compares with all others; `None` if no board is that far, or nobody knows how many are.
    pub fn place(&self, distance: u32) -> Option<Place> {
        let all = Census::boards(self.goal.size());
        let last = self.farthest.filter(|&(farthest, _)| farthest == distance);
        last.map_or_else(
            || Place::new(&self.counts, all, distance),
            |(_, count)| Some(Place::last(distance, count, all)),
        )
    }

    /// The census as JSON, with the keys of `census --json`. `farthest` is there where it is known, with `farthest_boards` if `counts`
    /// end before it; `mean` if all boards are counted.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("size", json!(self.goal.size().to_string()));
        put("goal", json!(self.goal.to_string()));
        put("metric", json!(self.metric.to_string()));
        put("complete", json!(self.is_complete()));
        put("counts", json!(self.counts));
        if let Some((distance, boards)) = self.farthest {
            put("farthest", json!(distance));
            if !self.is_complete() {
                put("farthest_boards", json!(boards));
            }
        }
        if let Some(mean) = self.mean() {
            put("mean", json!(mean));
        }
        put("source", json!(self.source.to_string()));
        object
    }
}

/// All counts together.
fn sum(counts: &[u64]) -> u128 {
    counts.iter().map(|&count| u128::from(count)).sum()
}

/// Boards that were not counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CensusError {
    /// Nobody can count that many boards.
    #[error("{0} has too many boards to be counted: {boards:.3e}", boards = Census::boards(*.0) as f64)]
    TooLarge(Size),
    /// Whoever watches it stopped it.
    #[error("the count was stopped")]
    Stopped,
    /// The system gave us no memory.
    #[error("cannot get the memory for the count: {0}")]
    Memory(#[source] io::Error),
}
