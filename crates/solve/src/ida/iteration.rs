//! What an iteration is about.

use tilebase_puzzle::{Slide, Square};

use crate::automaton::Automaton;
use crate::packed::{Moves, Packed};
use crate::request::Weight;

/// What an iteration is about; the same for all threads.
pub(super) struct Iteration<'a, H, B> {
    pub(super) heuristic: &'a H,
    pub(super) automaton: &'a Automaton,
    pub(super) moves: Moves<B>,
    /// From [`most_costs`].
    pub(super) most: Vec<i32>,
    /// The bound, and what a move made and a move to be made count.
    pub(super) bound: u64,
    pub(super) unit: u32,
    pub(super) weight: u32,
    /// Whether these two differ.
    pub(super) is_weighted: bool,
    /// Whether the search goes first where the goal seems near, because it is weighted and fast.
    pub(super) is_greedy: bool,
}

impl<H, B: Packed> Iteration<'_, H, B> {
    /// The slides that the automaton allows in one of its states.
    pub(super) fn slides(&self, board: B, blank: Square, state: u32) -> Vec<Slide> {
        allowed_slides(self.automaton, &self.moves, board, blank, state)
    }

    /// The bound that would not turn back at a node: its value. A path that is full is over, whatever its value.
    pub(super) fn next_bound(&self, made: usize, cost: u32) -> u64 {
        let value = made as u64 * u64::from(self.unit) + u64::from(cost) * u64::from(self.weight);
        if value > self.bound { value } else { u64::MAX }
    }
}

fn allowed_slides<B: Packed>(
    automaton: &Automaton,
    moves: &Moves<B>,
    board: B,
    blank: Square,
    state: u32,
) -> Vec<Slide> {
    let directions = (0..4).filter(|&direction| automaton.next(state)[direction] != Automaton::FORBIDDEN);
    directions.map(|direction| moves.slide(board, blank, direction)).collect()
}

/// The largest cost that a node within a bound may have, by how many moves were made; negative where none may. A node whose
/// path is full has no children.
pub(super) fn most_costs(bound: u64, weight: Weight, most_moves: usize) -> Vec<i32> {
    let most = (0..most_moves as u64).map(|made| {
        let left = bound.checked_sub(made * u64::from(weight.of_move()));
        left.map_or(-1, |left| (left / u64::from(weight.of_bound())).try_into().unwrap_or(i32::MAX))
    });
    most.chain([-1]).collect()
}
