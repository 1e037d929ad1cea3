//! Searches without a heuristic: A\* with bounds that say nothing.

use std::time::Duration;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Slide, State};

use crate::best_first::{self, End};
use crate::request::{Outcome, Request, Weight};
use crate::space::Space;

/// Searches in the order of moves made. A weight changes nothing.
pub(crate) fn search<S: Space>(state: &State, request: &Request<'_>, end: End) -> Option<Outcome> {
    let mut outcome = best_first::search(&S::blind(), state, &request.weight(Weight::ONE), end)?;
    match &mut outcome {
        Outcome::Solved(solved) => solved.effort.heuristic_time = Duration::ZERO,
        Outcome::Limited(limited) => limited.effort.heuristic_time = Duration::ZERO,
    }
    Some(outcome)
}

/// The heuristic whose bounds are 0.
pub struct Nothing;

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
