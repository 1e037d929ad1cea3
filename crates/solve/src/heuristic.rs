//! Lower bounds on the number of moves.

use tilebase_puzzle::{Slide, State};

/// A lower bound on the number of moves to the goal, for every state of a puzzle.
///
/// A search asks for a [`Walker`] at its root and lets it follow every step. A heuristic must never exceed the true
/// distance (it is *admissible*), or solutions may not be shortest.
pub trait Heuristic: Send + Sync {
    /// What follows a search.
    type Walker<'a>: Walker
    where
        Self: 'a;

    /// Starts at a state. `None` when there is no bound for it, which means that a table is damaged or of another puzzle.
    fn walker(&self, state: &State) -> Option<Self::Walker<'_>>;
}

/// Follows a search from state to state and knows the bound at each.
pub trait Walker {
    /// The bound at the current state.
    fn cost(&self) -> u32;

    /// Goes to the state after `slide`, if its bound is at most `limit`.
    ///
    /// # Errors
    /// Some value above `limit` that the bound there has at least; the walker stays where it is.
    fn advance(&mut self, slide: Slide, limit: u32) -> Result<(), u32>;

    /// Goes back to where it was before the last step that has not been taken back.
    fn retreat(&mut self);
}
