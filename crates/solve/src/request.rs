//! What can be asked of a search, and what it answers.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use tilebase_progress::{Watch, unwatched};
use tilebase_puzzle::{Direction, names, setters};

use crate::checkpoint::Keep;
use crate::units::{Helpers, Lead};

/// What to search for, when to give up, and whom to tell.
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
    /// How many solutions.
    pub wanted: Wanted,
    /// How much the bound counts against the moves made, when one solution is wanted. All shortest solutions are always
    /// searched with the weight 1.
    pub weight: Weight,
    /// The caller knows that no solution has fewer moves than this, so that it is not proven again: the first bound of
    /// iterative-deepening A\* without a weight; other searches leave it aside. If it is not true, what is found may be longer
    /// than the shortest.
    pub at_least: u32,
    /// Whether the bound at which a solution is found is searched to its end, so that the number of nodes does not depend on
    /// where the solution was. Only for iterative-deepening A\*.
    pub finish_bound: bool,
    /// Keeps what is done, for searches that take hours: what was done before is not done again. Only for one solution by
    /// iterative-deepening A\* without a weight.
    pub keep: Option<&'a dyn Keep>,
    /// Have units of large bounds searched elsewhere, by searches that follow this one. What they do counts as if it were done
    /// here, and limits hold for all together, to within the units under way elsewhere. Only for what can be
    /// [kept](Request::keep).
    pub helpers: Option<&'a dyn Helpers>,
    /// Leads this search, which then decides nothing itself: it searches the units that it is told, and is
    /// [released](Limit::Released) in the end. Only for what can be [kept](Request::keep), which is for the one that leads.
    pub lead: Option<&'a dyn Lead>,
    /// How many states of each depth a beam search keeps; other searches leave it aside.
    pub width: NonZeroUsize,
    /// When to give up.
    pub limits: Limits,
    /// How many threads may work on a large search.
    pub threads: NonZeroUsize,
    /// Told about ten times a second how the search gets on ([`Event::Searching`](tilebase_progress::Event::Searching)), and
    /// polled every fraction of a millisecond; it can cancel the search.
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
    /// How many states of each depth a beam search keeps unless it is told otherwise: a tenth of a second on 5×5.
    pub const DEFAULT_WIDTH: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

    setters! {
        /// The same request for this many solutions.
        wanted(wanted: Wanted) => wanted: wanted;
        /// The same request with a weight.
        weight(weight: Weight) => weight: weight;
        /// The same request, by a caller who knows that no solution has fewer moves than this.
        at_least(moves: u32) => at_least: moves;
        /// The same request, the bound at which a solution is found being searched to its end.
        finish_bound(finish: bool) => finish_bound: finish;
        /// The same request, with somebody who keeps what is done.
        keep(keep: &'a dyn Keep) => keep: Some(keep);
        /// The same request, with somebody who has units searched elsewhere.
        helpers(helpers: &'a dyn Helpers) => helpers: Some(helpers);
        /// The same request, for a search that somebody leads.
        lead(lead: &'a dyn Lead) => lead: Some(lead);
        /// The same request, for a beam search that keeps this many states of each depth.
        width(states: NonZeroUsize) => width: states;
        /// The same request with limits.
        limits(limits: Limits) => limits: limits;
        /// The same request for up to this many threads.
        threads(threads: NonZeroUsize) => threads: threads;
        /// The same request with somebody who watches, and may cancel.
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

/// How many of the shortest solutions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Wanted {
    /// One.
    #[default]
    First,
    /// Every one.
    All,
    /// Every one, but only how many there are.
    Count,
    /// Every one is counted, and at most this many are kept: there may be more than memory is for.
    Several(usize),
}

impl Wanted {
    /// Whether another solution is kept beside this many.
    pub(crate) fn keeps(self, kept: usize) -> bool {
        match self {
            Wanted::First => kept == 0,
            Wanted::All => true,
            Wanted::Count => false,
            Wanted::Several(most) => kept < most,
        }
    }
}

/// The weight W of f = g + W·h, at least 1. With a larger one than 1 the search is faster, and a solution may be up to W
/// times as long as the shortest.
///
/// It is a ratio, so that searches compare whole numbers: with 81/19, a move made counts 19 and a move to be made 81.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    of_bound: u32,
    of_move: u32,
}

impl Weight {
    /// The weight that gives shortest solutions.
    pub const ONE: Weight = Weight { of_bound: 1, of_move: 1 };

    /// Only the bound counts, and moves made do not: for a search that promises nothing of the length.
    pub(crate) const BOUND_ALONE: Weight = Weight { of_bound: 1, of_move: 0 };

    const LARGEST: u32 = 1000;

    /// The ratio of what moves to be made and what moves made count, if it is from 1 to 1000 and both are at most a million.
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

    /// What each move that the bound says is needed counts.
    pub fn of_bound(self) -> u32 {
        self.of_bound
    }

    /// What each move made counts.
    pub fn of_move(self) -> u32 {
        self.of_move
    }

    /// The most moves that a solution found with this weight can have, if the shortest one has `shortest`.
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

    /// Reads a number from 1 to 1000 with up to three digits behind the point, such as 1.5, or a ratio, such as 81/19.
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
    "{} is not a weight: expected a number from 1 to 1000 with at most three digits behind the point, or a ratio such as 81/19",
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
        // Ratios that are not thousandths stay ratios.
        if 1000 % of_move == 0 {
            write!(f, "{}", f64::from(of_bound) / f64::from(of_move))
        } else {
            write!(f, "{of_bound}/{of_move}")
        }
    }
}

/// When a search gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// After this many generated nodes.
    pub nodes: Option<u64>,
    /// After this time.
    pub time: Option<Duration>,
    /// Before nodes take more than this many bytes. Only for searches that keep their nodes.
    pub memory: Option<u64>,
    /// When every solution is proven to have more moves than this: for iterative-deepening A\* and best-first searches, without a
    /// weight. A beam search looks for no longer solution.
    pub length: Option<u32>,
}

impl Limits {
    setters! {
        /// The same limits, and at most this many generated nodes.
        nodes(most: impl Into<Option<u64>>) => nodes: most.into();
        /// The same limits, and at most this time.
        time(most: impl Into<Option<Duration>>) => time: most.into();
        /// The same limits, and at most this many bytes of memory.
        memory(most: impl Into<Option<u64>>) => memory: most.into();
        /// The same limits, and solutions of at most this many moves.
        length(most: impl Into<Option<u32>>) => length: most.into();
    }
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The number of nodes.
    Nodes,
    /// The time.
    Time,
    /// The memory for nodes.
    Memory,
    /// The watch cancelled it.
    Cancelled,
    /// The moves of a solution: no shorter one than asked for, or, with a weight, than the thousand moves that are followed.
    Length,
    /// Who [leads](Request::lead) the search has no more for it to do.
    Released,
    /// Who [leads](Request::lead) the search has cut a bound into other units. The tables, the board, the search and the version
    /// of the program have to be the same in both.
    OtherUnits,
}

names! {
    Limit: Nodes => "nodes", Time => "time", Memory => "memory", Cancelled => "cancelled", Length => "length",
    Released => "released", OtherUnits => "other units",
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes generated, over all iterations; the root is counted once.
    pub generated: u64,
    /// Those of them that belong to bounds that were searched to the end. They do not depend on luck, nor on the threads.
    /// Only iterative-deepening A\* counts them.
    pub generated_complete: u64,
    /// Those that had been generated, to within some thousands and units under way elsewhere, when the first solution was found.
    pub generated_to_first: u64,
    /// Nodes expanded: their successors were generated.
    pub expanded: u64,
    /// Those of them that had been expanded before and were again, because a shorter path to them was found. Searches that keep
    /// no nodes cannot know them, and count nothing here.
    pub reexpanded: u64,
    /// The most nodes kept at a time.
    pub peak_nodes: u64,
    /// The most bytes that they took, everything counted that they need.
    pub peak_bytes: u64,
    /// What the heuristic took of the threads' time, estimated from samples: at most the time from start to end, times the threads
    /// that searched.
    pub heuristic_time: Duration,
    /// Time from start to end.
    pub time: Duration,
}

impl Effort {
    /// The effective branching factor of a search that ended at a depth: the b with N + 1 = 1 + b + b² + … + b^depth, where N
    /// is the number of nodes expanded. A uniform tree with this branching factor has as many nodes. `None` when nothing was
    /// expanded, or fewer nodes than a path has.
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
        // The sum grows with b, is at most N for b = 1, and more than N for b = N + 1.
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

/// How a search ended. It ends in one of these two ways, so that a match may name both.
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
