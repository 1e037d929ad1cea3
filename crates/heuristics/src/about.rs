//! What a heuristic of the list says about itself, and about a board.

use tilebase_puzzle::{Metric, Size, Square, State, names};

use crate::heuristic::Heuristic;

/// A heuristic that can be asked for by name.
///
/// Two types may share a name when each suits boards that the other does not: the list takes the first one that suits.
pub trait Listed: Heuristic + Sized {
    /// Its name, what it sees, and what it promises.
    const ABOUT: About;

    /// Which boards it suits, as the end of the sentence "it takes …".
    const SUITS: &'static str = "any board";

    /// The heuristic for boards of a size whose blank belongs on `home`. `None` when it does not suit them.
    fn new_for(size: Size, home: Square) -> Option<Self>;

    /// The same for one that takes long to make: it stops soon after `go_on` says so.
    ///
    /// # Errors
    /// [`NotMade`] when it does not suit the boards, or was stopped.
    fn new_while(size: Size, home: Square, go_on: GoOn<'_>) -> Result<Self, NotMade> {
        let _ = go_on;
        Self::new_for(size, home).ok_or(NotMade::DoesNotSuit)
    }

    /// What it sees on a board that makes the solution longer than the tiles' own distances.
    fn findings(&self, _state: &State) -> Vec<Finding> {
        Vec::new()
    }

    /// The bytes of memory that its tables take, those included that others share.
    fn bytes(&self) -> usize {
        0
    }
}

/// Called between pieces of work; false cancels.
pub type GoOn<'a> = &'a dyn Fn() -> bool;

/// Why a heuristic was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotMade {
    /// It does not suit the boards.
    DoesNotSuit,
    /// It was stopped.
    Stopped,
}

/// How a heuristic introduces itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// What it is called in the list, such as `linear-conflict`.
    pub name: &'static str,
    /// What it sees, in one line.
    pub summary: &'static str,
    /// What is known of its values where moves are of single tiles; the tests show it on every board of 3×3.
    pub promise: Promise,
    /// What is known of its values where a move slides a run of tiles, shown in the same way. What counts slides of single tiles promises nothing there,
    /// where several of them are one move; for those that promise something, [`runs::listed`](crate::runs::listed) has the values.
    pub promise_of_runs: Promise,
}

impl About {
    /// What is known of its values in a metric.
    pub fn promise_in(&self, metric: Metric) -> Promise {
        match metric {
            Metric::Stm => self.promise,
            Metric::Mtm => self.promise_of_runs,
            // Nothing is known of metrics that are not known.
            _ => Promise::Nothing,
        }
    }
}

/// What is known of a heuristic's values. These are all cases there can be, from the strongest to none, and callers may tell all
/// of them apart: hence it is exhaustive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Promise {
    /// No value exceeds the true distance, and a move changes the value by at most one: once a search has closed a state, it
    /// need not open it again.
    Consistent,
    /// No value exceeds the true distance, so solutions found with it are shortest.
    Admissible,
    /// Values may exceed the true distance, and solutions be longer than need be.
    Nothing,
}

impl Promise {
    /// Whether no value exceeds the true distance.
    pub fn is_admissible(self) -> bool {
        self != Promise::Nothing
    }
}

names! { Promise: Consistent => "consistent", Admissible => "admissible", Nothing => "not admissible" }

/// Something on a board that costs moves beyond the tiles' own distances, ready to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The squares concerned, in the canonical frame.
    pub squares: Vec<Square>,
    /// The moves it adds to the bound.
    pub moves: u32,
}

/// Kinds of [`Finding`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// Tiles in the line where they belong, but in each other's way.
    Conflict,
    /// Two tiles in the line where they belong, in the wrong order.
    Pair,
    /// A tile at home that has to make way for the corner beside it: the tile's square, then the corners'.
    Corner,
}

names! { FindingKind: Conflict => "conflict", Pair => "pair", Corner => "corner" }
