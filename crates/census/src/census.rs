//! A census, and how it is come by.

use std::{fmt, io};

use serde_json::{Map, Value, json};
use tilebase_progress::{Watch, unwatched};
use tilebase_puzzle::{Board, Size, Square};

use crate::place::Place;
use crate::{published, search};

/// Boards of this many squares are counted on the spot: 3×4 takes a second or two.
const COUNTED_ON_THE_SPOT: usize = 12;

/// Boards of this many squares are counted in a few milliseconds.
const COUNTED_AT_ONCE: usize = 9;

/// How many boards are 0, 1, 2 … single moves from a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    goal: Board,
    counts: Vec<u64>,
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
    pub fn count(goal: &Board, watch: Watch<'_>) -> Result<Census, CensusError> {
        let counts = search::counts(goal.size(), goal.blank(), watch)?;
        Ok(Census { goal: *goal, counts, source: Source::Counted })
    }

    /// The published census, where there is one: for some sizes, and goals with the blank in a corner.
    pub fn published(goal: &Board) -> Option<Census> {
        let size = goal.size();
        let (row, column) = size.row_column(goal.blank());
        let is_corner = [0, size.height() - 1].contains(&row) && [0, size.width() - 1].contains(&column);
        let counts = is_corner.then(|| published::counts(size)).flatten()?;
        Some(Census { goal: *goal, counts, source: Source::Published })
    }

    /// What can be told in a moment: the published census, or that of a board with few squares, counted.
    pub fn at_once(goal: &Board) -> Option<Census> {
        let count = || {
            let is_small = goal.size().count() <= COUNTED_AT_ONCE;
            is_small.then(|| Census::count(goal, &unwatched).ok()).flatten()
        };
        Census::published(goal).or_else(count)
    }

    /// Whether boards of a size are few enough to be counted whenever somebody asks.
    pub fn is_counted_on_the_spot(size: Size) -> bool {
        size.count() <= COUNTED_ON_THE_SPOT
    }

    /// About the most bytes of memory that [`count`](Census::count) has in use, beside the program; `None` when they are more than
    /// 64 bits can tell.
    pub fn memory(size: Size) -> Option<u64> {
        search::memory(size)
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

    /// How many boards are 0, 1, 2 … moves away.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Where the counts come from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// How far the farthest boards are.
    pub fn farthest(&self) -> u32 {
        self.counts.len() as u32 - 1
    }

    /// How far boards are on average.
    pub fn mean(&self) -> f64 {
        let moves: u128 = (0..).zip(&self.counts).map(|(distance, &count)| distance * u128::from(count)).sum();
        moves as f64 / self.counts.iter().sum::<u64>() as f64
    }

    /// How a board at a distance compares with all others; `None` if no board is that far.
    pub fn place(&self, distance: u32) -> Option<Place> {
        Place::new(&self.counts, distance)
    }

    /// The census as JSON, with the keys of `census --json`.
    pub fn json(&self) -> Map<String, Value> {
        let pairs = [
            ("size", json!(self.goal.size().to_string())),
            ("goal", json!(self.goal.to_string())),
            ("metric", json!("stm")),
            ("counts", json!(self.counts)),
            ("farthest", json!(self.farthest())),
            ("mean", json!(self.mean())),
            ("source", json!(self.source.to_string())),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
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
