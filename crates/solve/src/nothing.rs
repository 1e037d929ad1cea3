//! Searches without a heuristic: A\* with the bound 0.

use std::time::Duration;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Slide, State};

use crate::best_first::{self, End};
use crate::request::{Outcome, Request, Weight};

/// Searches in the order of moves made; a weight changes nothing.
pub(crate) fn search(state: &State, request: &Request<'_>, end: End) -> Option<Outcome> {
    let mut outcome = best_first::search(&Nothing, state, &request.weight(Weight::ONE), end)?;
    match &mut outcome {
        Outcome::Solved(solved) => solved.effort.heuristic_time = Duration::ZERO,
        Outcome::Limited(limited) => limited.effort.heuristic_time = Duration::ZERO,
    }
    Some(outcome)
}

/// The heuristic that knows nothing.
struct Nothing;

impl Heuristic for Nothing {
    type Node = ();
    type Step = ();

    fn root(&self, _state: &State) -> Option<()> {
        Some(())
    }

    fn cost(&self, (): &()) -> u32 {
        0
    }

    fn begin(&self, _stage: usize, (): &(), _slide: Slide) {}

    fn finish(&self, _stage: usize, (): &mut ()) -> u32 {
        0
    }

    fn apply(&self, _stage: usize, (): &mut (), (): &()) {}
}
