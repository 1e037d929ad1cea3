//! One way to follow long work, and to stop it: the same for building, auditing, verifying, packing, unpacking, searching and
//! repeating a paper.
//!
//! Whoever starts long work hands it a [`Watch`]: a callback that is told [`Event`]s and returns [`ControlFlow`]. `Break` stops
//! the work soon afterwards; what was being made is given up, and nothing half made is left.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use tilebase_progress::{Event, Watch};
//!
//! // Long work tells how far it is, and stops when it is told to.
//! fn add_up(numbers: &[u64], watch: Watch<'_>) -> Option<u64> {
//!     let mut sum = 0;
//!     for number in numbers {
//!         sum += number;
//!         watch(&Event::Advance(1)).continue_value()?;
//!     }
//!     Some(sum)
//! }
//!
//! let done = AtomicU64::new(0);
//! let watch = |event: &Event<'_>| {
//!     if let Event::Advance(more) = event {
//!         done.fetch_add(*more, Ordering::Relaxed);
//!     }
//!     if done.load(Ordering::Relaxed) < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//! };
//! assert_eq!(add_up(&[1, 2], &watch), Some(3));
//! assert_eq!(add_up(&[1, 2, 3], &watch), None);
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Is told about long work while it runs, from any of its threads, and says whether to go on.
pub type Watch<'a> = &'a (dyn Fn(&Event<'_>) -> ControlFlow<()> + Sync);

/// The watch of work that nobody follows and nobody stops.
pub fn unwatched(_event: &Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The watch of work that nobody follows, and that stops when a flag is set.
pub fn until(stop: &AtomicBool) -> impl Fn(&Event<'_>) -> ControlFlow<()> + Sync {
    move |_| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// What long work tells.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Nothing is new; work asks now and then whether to go on.
    Poll,
    /// A piece of work begins. It has `total` units (bytes, states, searches …), or an unknown number when that is 0.
    Begin {
        /// What is done to what, such as "unpacking 4x4-0-1.2.4.5.8.bit.tbl".
        what: &'a str,
        /// Units of work.
        total: u64,
    },
    /// So many more units of the current piece of work are done.
    Advance(u64),
    /// The current piece of work is over.
    End,
    /// A build has finished a level.
    Level(&'a Level),
    /// How a search gets on, about ten times a second.
    Searching(&'a Searching<'a>),
}

/// How far a build is: all states that cost up to `number` moves are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The cost of the states found last.
    pub number: u32,
    /// States found so far.
    pub found: u64,
    /// States that there are.
    pub total: u64,
    /// Bytes of rows read and written so far.
    pub touched: u64,
}

impl Level {
    /// How much of the work is done, from 0 to 1.
    ///
    /// The first and the last levels have few states but take long all the same: what takes time are rows, and these have
    /// something to do from the early levels to the last. √f / (√f + √(1−f)), for the fraction f of states found, is close to
    /// the fraction of the time that has passed.
    pub fn work_done(&self) -> f64 {
        let fraction = self.found as f64 / self.total as f64;
        fraction.sqrt() / (fraction.sqrt() + (1.0 - fraction).max(0.0).sqrt())
    }
}

/// How a search gets on.
#[derive(Clone, Copy, Debug)]
pub struct Searching<'a> {
    /// Solutions of up to this many moves are being searched for.
    pub bound: u32,
    /// Nodes generated so far.
    pub generated: u64,
    /// Those of them within this bound.
    pub generated_in_bound: u64,
    /// Time since the start.
    pub time: Duration,
    /// Units of this bound that are done, where it is cut into units.
    pub units_done: u64,
    /// All units of this bound; 0 where it is not cut.
    pub units: u64,
    /// The bounds before this one.
    pub done: &'a [Bound],
}

impl Searching<'_> {
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
    /// There is no solution of this many moves or fewer.
    pub bound: u32,
    /// Nodes generated.
    pub generated: u64,
}
