//! What can be asked of a search, and what it answers.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tilebase_puzzle::Direction;

/// What to search for, and when to give up.
#[derive(Clone)]
pub struct Request<'a> {
    /// How many solutions.
    pub wanted: Wanted,
    /// How much the bound counts against the moves made, when one solution is wanted. All shortest solutions are always
    /// searched with the weight 1.
    pub weight: Weight,
    /// When to give up.
    pub limits: Limits<'a>,
    /// How many threads may work on a large search.
    pub threads: NonZeroUsize,
    /// In which order nodes are searched.
    pub order: Order,
    /// Whether moves are left out that lead where other moves lead as well. Only to compare: without them a search does the
    /// same with more nodes.
    pub automaton: bool,
    /// Told about ten times a second how a search gets on.
    pub watch: Option<&'a (dyn Fn(&Progress<'_>) + Sync)>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            wanted: Wanted::First,
            weight: Weight::ONE,
            limits: Limits::default(),
            threads: NonZeroUsize::MIN,
            order: Order::Fast,
            automaton: true,
            watch: None,
        }
    }
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { wanted, weight, limits, threads, order, automaton, watch } = self;
        f.debug_struct("Request")
            .field("wanted", wanted)
            .field("weight", weight)
            .field("limits", limits)
            .field("threads", threads)
            .field("order", order)
            .field("automaton", automaton)
            .field("is_watched", &watch.is_some())
            .finish()
    }
}

/// In which order nodes are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Many nodes at a time, on all threads.
    #[default]
    Fast,
    /// Depth first, a node at a time, in the order up, left, right, down: slower, but with the nodes that papers count.
    Plain,
}

/// How a search gets on.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Solutions of up to so many moves are being searched for.
    pub bound: u32,
    /// Nodes generated so far.
    pub generated: u64,
    /// Those of them within this bound.
    pub generated_in_bound: u64,
    /// Time since the start.
    pub time: Duration,
    /// The bounds before this one.
    pub done: &'a [Bound],
}

impl Progress<'_> {
    /// How many nodes this bound will have, if the number grows as it did from the second last bound to the last.
    pub fn expected_in_bound(&self) -> Option<u64> {
        let [.., before, last] = self.done else { return None };
        let growth = last.generated as f64 / before.generated.max(1) as f64;
        Some((last.generated as f64 * growth) as u64)
    }
}

/// A bound that has been searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// There is no solution of so many moves or fewer.
    pub bound: u32,
    /// Nodes generated.
    pub generated: u64,
}

/// How many of the shortest solutions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// One.
    #[default]
    First,
    /// Every one.
    All,
    /// Every one, but only how many there are.
    Count,
}

/// The weight W of f = g + W·h, at least 1. With a larger one than 1 the search is faster, and a solution may be up to W
/// times as long as the shortest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Weight {
    thousandths: u64,
}

impl Weight {
    /// The weight that gives shortest solutions.
    pub const ONE: Weight = Weight { thousandths: 1000 };

    pub(crate) fn thousandths(self) -> u64 {
        self.thousandths
    }
}

impl Default for Weight {
    fn default() -> Weight {
        Weight::ONE
    }
}

impl FromStr for Weight {
    type Err = String;

    /// Reads a number from 1 to 1000, with up to three digits behind the point.
    fn from_str(text: &str) -> Result<Weight, String> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let thousandths = format!("{whole}{fraction:0<3}").parse().ok();
        let sound = !whole.is_empty() && fraction.len() <= 3 && digits(whole) && digits(fraction);
        let thousandths = thousandths.filter(|thousandths| sound && (1_000..=1_000_000).contains(thousandths));
        thousandths.map(|thousandths| Weight { thousandths }).ok_or_else(|| {
            format!(
                "\"{text}\" is not a weight: expected a number from 1 to 1000 with at most three digits behind the point"
            )
        })
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.thousandths as f64 / 1000.0)
    }
}

/// When a search gives up.
#[derive(Clone, Debug, Default)]
pub struct Limits<'a> {
    /// After this many generated nodes.
    pub nodes: Option<u64>,
    /// After this time.
    pub time: Option<Duration>,
    /// As soon as this is set.
    pub cancel: Option<&'a AtomicBool>,
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The number of nodes.
    Nodes,
    /// The time.
    Time,
    /// It was cancelled.
    Cancelled,
    /// Weighted solutions of more than a thousand moves are not followed.
    Length,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "nodes",
            Limit::Time => "time",
            Limit::Cancelled => "cancelled",
            Limit::Length => "length",
        })
    }
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes generated, over all iterations; the root is counted once.
    pub generated: u64,
    /// Nodes expanded: their successors were generated.
    pub expanded: u64,
    /// Time from start to end.
    pub time: Duration,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With a solution.
    Solved(Solved),
    /// At a limit.
    Limited(Limited),
}

impl Outcome {
    /// The solution, if there is one.
    pub fn solved(self) -> Option<Solved> {
        match self {
            Outcome::Solved(solved) => Some(solved),
            Outcome::Limited(_) => None,
        }
    }

    /// What the search cost.
    pub fn effort(&self) -> Effort {
        match self {
            Outcome::Solved(solved) => solved.effort,
            Outcome::Limited(limited) => limited.effort,
        }
    }
}

/// A search that found what it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Moves of the solutions.
    pub length: u32,
    /// The solutions, as directions in which tiles slide: one, or all, or none when only their number was wanted.
    pub solutions: Vec<Vec<Direction>>,
    /// How many solutions were found.
    pub count: u64,
    /// Whether there is provably no shorter one.
    pub optimal: bool,
    /// What it cost.
    pub effort: Effort,
}

/// A search that reached a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limited {
    /// Which.
    pub limit: Limit,
    /// Every solution has at least this many moves; proven so far.
    pub at_least: u32,
    /// What it cost.
    pub effort: Effort,
}
