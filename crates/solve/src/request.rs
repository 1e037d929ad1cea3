//! Search requests and their outcomes.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use tilebase_progress::{Watch, unwatched};
use tilebase_puzzle::{Direction, names, setters};

use crate::checkpoint::Keep;
use crate::units::{Helpers, Lead};

/// A search request: what to find, how to search, the limits, and the watch.
///
/// ```
/// use std::time::Duration;
/// use tilebase_solve::{Limits, Request, Wanted};
///
/// let limits = Limits::default().nodes(1_000_000).time(Duration::from_secs(10));
/// let request = Request::default().wanted(Wanted::All).limits(limits);
/// assert_eq!(request.limits.nodes, Some(1_000_000));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The number of solutions to find.
    pub wanted: Wanted,
    /// The weight of the heuristic when one solution is wanted. A search for all shortest solutions always uses weight
    /// 1.
    pub weight: Weight,
    /// A lower bound that the caller has already proven: no solution has fewer moves. Iterative-deepening A\* without a
    /// weight starts with this bound; other searches ignore it. If the bound is wrong, the solution may not be
    /// shortest.
    pub at_least: u32,
    /// Whether to search the last bound completely, even after finding a solution. The number of nodes then does not
    /// depend on the position of the solution in the tree. Only for iterative-deepening A\*.
    pub finish_bound: bool,
    /// Saves checkpoints, and provides the checkpoint to resume from. For searches that take hours. Only for one
    /// solution by iterative-deepening A\* without a weight.
    pub keep: Option<&'a dyn Keep>,
    /// Distributes units of large bounds to searches that follow this one, usually in other processes. Their work
    /// counts as if it were done here. Limits apply to the total; units still under way elsewhere may exceed them. Only
    /// for searches that support [checkpoints](Request::keep).
    pub helpers: Option<&'a dyn Helpers>,
    /// Makes this search follow another one. It searches the units that the lead assigns, decides nothing itself, and
    /// ends with [`Limit::Released`]. Only for searches that support [checkpoints](Request::keep); the leading search
    /// saves them.
    pub lead: Option<&'a dyn Lead>,
    /// The number of states that a beam search keeps at each depth. Other searches ignore it.
    pub width: NonZeroUsize,
    /// The limits at which the search gives up.
    pub limits: Limits,
    /// The most threads for a large search.
    pub threads: NonZeroUsize,
    /// Receives the progress about ten times a second ([`Event::Searching`](tilebase_progress::Event::Searching)), and
    /// is polled every fraction of a millisecond. It can cancel the search.
    pub watch: Watch<'a>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            wanted: Wanted::First,
            weight: Weight::ONE,
            at_least: 0,
            finish_bound: false,
            keep: None,
            helpers: None,
            lead: None,
            width: Request::DEFAULT_WIDTH,
            limits: Limits::default(),
            threads: NonZeroUsize::MIN,
            watch: &unwatched,
        }
    }
}

impl<'a> Request<'a> {
    /// The default width of a beam search. With it, a search on 5×5 takes a tenth of a second.
    pub const DEFAULT_WIDTH: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

    setters! {
        /// Sets the number of solutions to find.
        wanted(wanted: Wanted) => wanted: wanted;
        /// Sets the weight of the heuristic.
        weight(weight: Weight) => weight: weight;
        /// Sets a lower bound that the caller has already proven.
        at_least(moves: u32) => at_least: moves;
        /// Sets whether to search the last bound completely.
        finish_bound(finish: bool) => finish_bound: finish;
        /// Saves checkpoints, and resumes from the last one.
        keep(keep: &'a dyn Keep) => keep: Some(keep);
        /// Distributes units to searches that follow this one.
        helpers(helpers: &'a dyn Helpers) => helpers: Some(helpers);
        /// Makes the search follow another one.
        lead(lead: &'a dyn Lead) => lead: Some(lead);
        /// Sets the number of states that a beam search keeps at each depth.
        width(states: NonZeroUsize) => width: states;
        /// Sets the limits at which the search gives up.
        limits(limits: Limits) => limits: limits;
        /// Sets the most threads for a large search.
        threads(threads: NonZeroUsize) => threads: threads;
        /// Sets the watch, which receives the progress and can cancel the search.
        watch(watch: Watch<'a>) => watch: watch;
    }
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { wanted, weight, at_least, finish_bound, keep, helpers, lead, width, limits, threads, watch: _ } =
            self;
        f.debug_struct("Request")
            .field("wanted", wanted)
            .field("weight", weight)
            .field("at_least", at_least)
            .field("finish_bound", finish_bound)
            .field("keep", &keep.is_some())
            .field("helpers", &helpers.is_some())
            .field("lead", &lead.is_some())
            .field("width", width)
            .field("limits", limits)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}

/// The number of shortest solutions to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Wanted {
    /// One solution.
    #[default]
    First,
    /// Every solution.
    All,
    /// Only the number of solutions.
    Count,
    /// The number of solutions, and at most this many of them. For boards with more solutions than fit into memory.
    Several(usize),
}

impl Wanted {
    /// Whether to keep one more solution when this many are already kept.
    pub(crate) fn keeps(self, kept: usize) -> bool {
        match self {
            Wanted::First => kept == 0,
            Wanted::All => true,
            Wanted::Count => false,
            Wanted::Several(most) => kept < most,
        }
    }
}

/// The weight W of f = g + W·h, at least 1. A weight above 1 makes the search faster, but the solution may be up to W
/// times as long as the shortest.
///
/// It is a ratio, so that searches compare integers. With 81/19 they compare 19·g + 81·h: a move made counts 19, and a
/// move that the bound requires counts 81.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    of_bound: u32,
    of_move: u32,
}

impl Weight {
    /// The weight for shortest solutions.
    pub const ONE: Weight = Weight { of_bound: 1, of_move: 1 };

    /// f = h: moves made do not count. For a search that promises nothing about the length of its solution.
    pub(crate) const BOUND_ALONE: Weight = Weight { of_bound: 1, of_move: 0 };

    const LARGEST: u32 = 1000;

    /// The weight `of_bound / of_move`. `None` unless it is from 1 to 1000 and both numbers are at most a million.
    pub fn new(of_bound: u32, of_move: u32) -> Option<Weight> {
        let most = of_move.saturating_mul(Weight::LARGEST).min(1_000_000);
        if of_move == 0 || !(of_move..=most).contains(&of_bound) {
            return None;
        }
        let (mut divisor, mut rest) = (of_bound, of_move);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Some(Weight { of_bound: of_bound / divisor, of_move: of_move / divisor })
    }

    /// The factor of h, the moves that the bound requires.
    pub fn of_bound(self) -> u32 {
        self.of_bound
    }

    /// The factor of g, the moves made.
    pub fn of_move(self) -> u32 {
        self.of_move
    }

    /// The greatest length of a solution found with this weight, if the shortest has `shortest` moves.
    pub fn longest(self, shortest: u32) -> u32 {
        (u64::from(shortest) * u64::from(self.of_bound) / u64::from(self.of_move)) as u32
    }
}

impl Default for Weight {
    fn default() -> Weight {
        Weight::ONE
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    /// Parses a number from 1 to 1000 with up to three decimal places, such as 1.5, or a ratio, such as 81/19.
    fn from_str(text: &str) -> Result<Weight, WeightError> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| text.parse().ok().filter(|_| is_number(text));
        let weight = match (text.split_once('/'), text.split_once('.')) {
            (Some((of_bound, of_move)), _) => number(of_bound).zip(number(of_move)),
            (None, Some((whole, fraction))) if is_number(whole) && fraction.len() <= 3 => {
                number(&format!("{whole}{fraction:0<3}")).map(|thousandths| (thousandths, 1000))
            }
            (None, Some(_)) => None,
            (None, None) => number(text).map(|whole| (whole, 1)),
        };
        let weight = weight.and_then(|(of_bound, of_move)| Weight::new(of_bound, of_move));
        weight.ok_or_else(|| WeightError { found: text.to_owned() })
    }
}

/// A text that is not a weight.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{} is not a weight: expected a number from 1 to 1000 with at most three decimal places, or a ratio such as 81/19",
    tilebase_puzzle::quoted(.found)
)]
#[non_exhaustive]
pub struct WeightError {
    /// The text.
    pub found: String,
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weight { of_bound, of_move } = *self;
        // A ratio whose denominator divides 1000 has a short decimal form.
        if 1000 % of_move == 0 {
            write!(f, "{}", f64::from(of_bound) / f64::from(of_move))
        } else {
            write!(f, "{of_bound}/{of_move}")
        }
    }
}

/// The limits at which a search gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The most generated nodes.
    pub nodes: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
    /// The most bytes for stored nodes. Searches that store no nodes ignore it.
    pub memory: Option<u64>,
    /// The most moves of a solution. Iterative-deepening A\* and best-first searches without a weight end when they
    /// have proven that every solution is longer. A beam search does not look for longer solutions.
    pub length: Option<u32>,
}

impl Limits {
    setters! {
        /// Sets the most generated nodes.
        nodes(most: impl Into<Option<u64>>) => nodes: most.into();
        /// Sets the most time.
        time(most: impl Into<Option<Duration>>) => time: most.into();
        /// Sets the most bytes for stored nodes.
        memory(most: impl Into<Option<u64>>) => memory: most.into();
        /// Sets the most moves of a solution.
        length(most: impl Into<Option<u32>>) => length: most.into();
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The number of nodes.
    Nodes,
    /// The time.
    Time,
    /// The memory for nodes.
    Memory,
    /// The watch cancelled the search.
    Cancelled,
    /// The length: every solution is longer than the request allows or, with a weight, longer than the longest paths
    /// that the search follows.
    Length,
    /// The search that [leads](Request::lead) this one has no more work for it.
    Released,
    /// The search that [leads](Request::lead) this one cut a bound into different units. Both searches need the same
    /// tables, board, algorithm and version of the program.
    OtherUnits,
}

names! {
    Limit: Nodes => "nodes", Time => "time", Memory => "memory", Cancelled => "cancelled", Length => "length",
    Released => "released", OtherUnits => "other units",
}

/// The cost of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes generated in all iterations. The root counts once.
    pub generated: u64,
    /// Nodes generated in bounds that were searched completely. This number depends neither on the position of the
    /// solution nor on the number of threads. Only iterative-deepening A\* counts it.
    pub generated_complete: u64,
    /// Nodes generated before the first solution was found, accurate to some thousands and to the units under way
    /// elsewhere.
    pub generated_to_first: u64,
    /// Nodes expanded: their successors were generated.
    pub expanded: u64,
    /// Nodes expanded again because a shorter path to them was found. Searches that store no nodes cannot recognise
    /// them, and leave this at 0.
    pub reexpanded: u64,
    /// The most nodes stored at one time.
    pub peak_nodes: u64,
    /// The most bytes that stored nodes took, with everything that is needed to store them.
    pub peak_bytes: u64,
    /// Time spent in the heuristic, summed over all threads and estimated from samples. At most `time` multiplied by
    /// the number of threads.
    pub heuristic_time: Duration,
    /// Elapsed time.
    pub time: Duration,
}

impl Effort {
    /// The effective branching factor of a search that ended at `depth`: the b with N + 1 = 1 + b + b² + … + b^depth,
    /// where N is the number of nodes expanded. A uniform tree of this depth and branching factor has as many nodes.
    /// `None` if `depth` is 0, or if fewer than `depth` nodes were expanded.
    ///
    /// ```
    /// use tilebase_solve::Effort;
    /// let effort = Effort { expanded: 52, ..Effort::default() };
    /// let factor = effort.branching_factor(5).unwrap();
    /// assert!((factor - 1.92).abs() < 0.01, "a well-known example of Russell and Norvig");
    /// ```
    pub fn branching_factor(&self, depth: u32) -> Option<f64> {
        let expanded = self.expanded as f64;
        if depth == 0 || self.expanded < u64::from(depth) {
            return None;
        }
        // The sum without its first term grows with b. It is at most N at b = 1, and more than N at b = N + 1.
        let nodes = |factor: f64| (1..=depth).rev().fold(0.0, |sum, _| (sum + 1.0) * factor);
        let (mut low, mut high) = (1.0, expanded + 1.0);
        while high - low > 1e-10 * high {
            let middle = low.midpoint(high);
            if nodes(middle) > expanded {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(low.midpoint(high))
    }
}

/// The outcome of a search. This enum is exhaustive: a match needs these two arms only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The search found a solution.
    Solved(Solved),
    /// The search reached a limit.
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

    /// The cost of the search.
    pub fn effort(&self) -> Effort {
        match self {
            Outcome::Solved(solved) => solved.effort,
            Outcome::Limited(limited) => limited.effort,
        }
    }
}

/// The outcome of a search that found what the request asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The number of moves of each solution.
    pub length: u32,
    /// The solutions, as directions in which tiles slide: as many as the request [wanted](Wanted).
    pub solutions: Vec<Vec<Direction>>,
    /// The number of solutions found.
    pub count: u64,
    /// Whether it is proven that no solution is shorter.
    pub optimal: bool,
    /// The cost of the search.
    pub effort: Effort,
}

/// The outcome of a search that reached a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limited {
    /// The limit.
    pub limit: Limit,
    /// The proven lower bound: every solution has at least this many moves.
    pub at_least: u32,
    /// The cost of the search.
    pub effort: Effort,
}
