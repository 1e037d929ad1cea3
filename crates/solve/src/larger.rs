//! The larger of two bounds.

use tilebase_puzzle::{Slide, State};

use crate::heuristic::{Heuristic, Walker};

/// At each state the larger bound of two heuristics: of two that never exceed the distance, neither does the larger. The
/// second is only asked where the first does not prune.
#[derive(Clone, Copy, Debug)]
pub struct Larger<A, B>(pub A, pub B);

impl<A: Heuristic, B: Heuristic> Heuristic for Larger<A, B> {
    type Walker<'a>
        = LargerWalker<A::Walker<'a>, B::Walker<'a>>
    where
        Self: 'a;

    fn walker(&self, state: &State) -> Option<Self::Walker<'_>> {
        Some(LargerWalker(self.0.walker(state)?, self.1.walker(state)?))
    }
}

/// Follows both.
#[derive(Clone, Copy, Debug)]
pub struct LargerWalker<A, B>(A, B);

impl<A: Walker, B: Walker> Walker for LargerWalker<A, B> {
    fn cost(&self) -> u32 {
        self.0.cost().max(self.1.cost())
    }

    fn advance(&mut self, slide: Slide, limit: u32) -> Result<(), u32> {
        self.0.advance(slide, limit)?;
        self.1.advance(slide, limit).inspect_err(|_| self.0.retreat())
    }

    fn retreat(&mut self) {
        self.0.retreat();
        self.1.retreat();
    }
}
