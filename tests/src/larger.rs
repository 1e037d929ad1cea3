//! The larger of two bounds of different types: a heuristic with the stages of both, which searches and tables meet in tests.

use tilebase_heuristics::{Heuristic, PatternCostsOfViews};
use tilebase_puzzle::{Slide, State};

/// At each state the larger bound of two heuristics. If neither exceeds the distance, the larger does not either. The second is asked only
/// where the first does not prune.
#[derive(Clone, Copy, Debug)]
pub struct Larger<A, B>(pub A, pub B);

/// A step of the first or of the second.
#[derive(Clone, Copy, Debug)]
pub enum LargerStep<A, B> {
    /// Of the first.
    First(A),
    /// Of the second.
    Second(B),
}

impl<A: Heuristic, B: Heuristic> Heuristic for Larger<A, B> {
    type Node = (A::Node, B::Node);
    type Step = LargerStep<A::Step, B::Step>;

    const IS_FAR: bool = A::IS_FAR || B::IS_FAR;
    const MOST_SQUARES: usize = if A::MOST_SQUARES < B::MOST_SQUARES { A::MOST_SQUARES } else { B::MOST_SQUARES };

    fn is_far(&self) -> bool {
        self.0.is_far() || self.1.is_far()
    }

    fn is_admissible(&self) -> bool {
        self.0.is_admissible() && self.1.is_admissible()
    }

    fn root(&self, state: &State) -> Option<Self::Node> {
        Some((self.0.root(state)?, self.1.root(state)?))
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        Some([self.0.pattern_costs(state)?, self.1.pattern_costs(state)?].concat())
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        self.0.cost(&node.0).max(self.1.cost(&node.1))
    }

    #[inline]
    fn stages(&self) -> usize {
        self.0.stages() + self.1.stages()
    }

    #[inline]
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        match stage.checked_sub(self.0.stages()) {
            None => LargerStep::First(self.0.begin(stage, &node.0, slide)),
            Some(stage) => LargerStep::Second(self.1.begin(stage, &node.1, slide)),
        }
    }

    #[inline]
    fn prefetch(&self, stage: usize, step: &Self::Step) {
        match step {
            LargerStep::First(step) => self.0.prefetch(stage, step),
            LargerStep::Second(step) => self.1.prefetch(stage - self.0.stages(), step),
        }
    }

    #[inline]
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
        match step {
            LargerStep::First(step) => self.0.finish(stage, step),
            LargerStep::Second(step) => self.1.finish(stage - self.0.stages(), step),
        }
    }

    #[inline]
    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
        match step {
            LargerStep::First(step) => self.0.apply(stage, &mut node.0, step),
            LargerStep::Second(step) => self.1.apply(stage - self.0.stages(), &mut node.1, step),
        }
    }
}
