//! Bounds that are computed anew at every state.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Finding, Listed};
use crate::heuristic::{Heuristic, steps_are_nodes};

/// A bound that looks at a whole state at once, and follows no slides.
pub trait Fresh: Send + Sync + Sized {
    /// What [the heuristic](Afresh) is called, sees and promises.
    const ABOUT: About;

    /// The bound for boards of a size whose blank belongs on `home`. `None` when it does not suit them.
    fn new_for(size: Size, home: Square) -> Option<Self>;

    /// The bound at a state.
    fn value(&self, state: &State) -> u32;

    /// What it sees on a board that makes the path longer than the tiles' own distances.
    fn findings(&self, _state: &State) -> Vec<Finding> {
        Vec::new()
    }
}

/// A [`Fresh`] bound as a heuristic: its nodes carry the state along. The plain way to try an idea out; one that follows
/// slides is faster.
#[derive(Clone, Copy, Debug)]
pub struct Afresh<F>(pub F);

impl<F: Fresh> Listed for Afresh<F> {
    const ABOUT: About = F::ABOUT;

    fn new_for(size: Size, home: Square) -> Option<Afresh<F>> {
        F::new_for(size, home).map(Afresh)
    }

    fn findings(&self, state: &State) -> Vec<Finding> {
        self.0.findings(state)
    }
}

impl<F: Fresh> Heuristic for Afresh<F> {
    /// The state, and its bound.
    type Node = (State, u32);
    steps_are_nodes!();

    fn is_admissible(&self) -> bool {
        F::ABOUT.promise.is_admissible()
    }

    fn root(&self, state: &State) -> Option<(State, u32)> {
        Some((*state, self.0.value(state)))
    }

    fn cost(&self, node: &(State, u32)) -> u32 {
        node.1
    }

    fn begin(&self, _stage: usize, node: &(State, u32), slide: Slide) -> (State, u32) {
        let mut state = node.0;
        state.make(slide);
        (state, self.0.value(&state))
    }
}
