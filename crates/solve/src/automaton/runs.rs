//! The automaton for moves that slide runs of tiles, in the metric `mtm`.
//!
//! Forbidden strings are defined as for [single tiles](crate::Automaton), and no board loses all its shortest solutions for the same
//! reason, with one addition: where the better string takes the place of the forbidden one, two moves along the same line may meet,
//! which are one move. Then the solution would be shorter still.
//!
//! Strings alternate between the axes, and a move leads to one of the other squares of the blank's line. Nothing keeps parity, so a
//! string may make the same board as one that is shorter by one move.

use std::sync::OnceLock;

use tilebase_puzzle::{Axis, Size, Square};

use super::alphabet::RunMoves;
use super::build::{Machine, NONE};
use super::minimise::minimise;
use super::{GoOn, SIDES, built_once};

/// The state of a search without an automaton.
pub(crate) const NEVER_FORBIDDEN: u32 = 0;

/// Knows, from the moves so far, which may come next.
#[derive(Debug)]
pub struct RunAutomaton {
    /// The numbers of a row: as many as the longer line of the board has other squares.
    moves: usize,
    /// The state before the first move, for each square of the blank and axis of the move.
    starts: Vec<u32>,
    /// For each state the state after each move, in the order in which a search makes them, or [`RunAutomaton::FORBIDDEN`].
    rows: Vec<u32>,
}

impl RunAutomaton {
    /// What a row has for moves that are forbidden.
    pub const FORBIDDEN: u32 = NONE;

    /// Forbids all forbidden strings of at most `depth` moves.
    pub fn new(size: Size, depth: usize) -> RunAutomaton {
        RunAutomaton::new_while(size, depth, &|| true).expect("it is not stopped")
    }

    /// The same. `None` if cancelled; it polls every ten milliseconds or so.
    pub(super) fn new_while(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<RunAutomaton> {
        let machine = minimise(&Machine::new::<RunMoves>(size, depth, go_on)?, go_on)?;
        let moves = size.width().max(size.height()) - 1;
        let rows = machine.rows.iter().flat_map(|row| row[..moves].iter().copied()).collect();
        Some(RunAutomaton { moves, starts: machine.starts, rows })
    }

    /// The automaton that large iterations use, built at first use in a tenth of a second.
    pub fn of(size: Size) -> &'static RunAutomaton {
        RunAutomaton::of_while(size, &|| true).expect("it is not stopped")
    }

    /// The same. `None` if the search is cancelled while it is built.
    pub(crate) fn of_while(size: Size, go_on: GoOn<'_>) -> Option<&'static RunAutomaton> {
        static AUTOMATA: [OnceLock<RunAutomaton>; SIDES * SIDES] = [const { OnceLock::new() }; SIDES * SIDES];
        let place = &AUTOMATA[size.width() * SIDES + size.height()];
        built_once(place, go_on, || RunAutomaton::new_while(size, RunAutomaton::default_depth(size), go_on))
    }

    /// The depth of that automaton.
    pub fn default_depth(size: Size) -> usize {
        if size.count() <= 16 { 9 } else { 7 }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len() / self.moves
    }

    /// The state before the first move, which is along an axis.
    pub fn start(&self, blank: Square, axis: Axis) -> u32 {
        self.starts[RunMoves::place(blank, axis)]
    }

    /// The state after each move, in the order in which a search makes them: along the line in its first direction, nearest first, and
    /// then in the other.
    #[inline(always)]
    pub fn next(&self, state: u32) -> &[u32] {
        &self.rows[state as usize * self.moves..][..self.moves]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tilebase_puzzle::State;

    use super::*;
    use crate::packed::Packed;

    /// The states one move along an axis away, in the order in which a search makes them.
    fn along(state: &State, axis: Axis) -> impl Iterator<Item = State> {
        axis.directions().into_iter().flat_map(move |blank_goes| {
            let mut after = *state;
            std::iter::from_fn(move || {
                after.make(after.slide_in(blank_goes.opposite())?);
                Some(after)
            })
        })
    }

    /// All strings of up to some moves that the automaton allows, by the board that they make from a start square: for each board the
    /// least number of moves.
    fn allowed(automaton: &RunAutomaton, size: Size, start: Square, depth: u32) -> HashMap<u128, u32> {
        let board = State::solved(size, start);
        let mut least = HashMap::from([(u128::of(&board), 0)]);
        let mut level: Vec<(State, Axis, u32)> =
            Axis::BOTH.map(|axis| (board, axis, automaton.start(start, axis))).to_vec();
        for length in 1..=depth {
            let mut next = Vec::new();
            for (board, axis, state) in level {
                for (after, &state) in along(&board, axis).zip(automaton.next(state)) {
                    if state != RunAutomaton::FORBIDDEN {
                        least.entry(u128::of(&after)).or_insert(length);
                        next.push((after, axis.other(), state));
                    }
                }
            }
            level = next;
        }
        least
    }

    #[test]
    fn every_board_is_reached_by_an_allowed_string_that_is_a_shortest_one() {
        for (width, height, depth, longer) in [(2, 2, 5, 9), (3, 2, 5, 9), (3, 3, 6, 8), (2, 4, 6, 8), (4, 4, 6, 7)] {
            let size = Size::new(width, height).unwrap();
            let [some, all] = [depth, 1].map(|depth| RunAutomaton::new(size, depth));
            for start in [Square(0), Square(1), Square(width as u8 + 1)] {
                assert_eq!(allowed(&some, size, start, longer), allowed(&all, size, start, longer), "{size} {start:?}");
            }
        }
    }

    #[test]
    fn building_stops_at_the_next_piece_when_told_to() {
        let size = Size::new(3, 3).unwrap();
        let asked = std::cell::Cell::new(0);
        let go_on = |most: u32| {
            asked.set(asked.get() + 1);
            asked.get() <= most
        };
        let whole = RunAutomaton::new_while(size, 6, &|| go_on(u32::MAX)).unwrap();
        assert_eq!(whole.states(), RunAutomaton::new(size, 6).states());
        let pieces = asked.take();
        assert!(pieces > 6 * 9, "at least one for each square and length, found {pieces}");
        for most in [0, 1, 20, pieces - 1] {
            assert!(RunAutomaton::new_while(size, 6, &|| go_on(most)).is_none());
            assert_eq!(asked.take(), most + 1);
        }
    }

    #[test]
    fn strings_of_six_moves_around_a_block_are_the_first_that_are_forbidden() {
        let size = Size::new(4, 4).unwrap();
        let count = |automaton: &RunAutomaton, moves: u32| {
            let mut level: Vec<(State, Axis, u32)> = Axis::BOTH
                .map(|axis| (State::solved(size, Square(0)), axis, automaton.start(Square(0), axis)))
                .to_vec();
            for _ in 0..moves {
                let strings = level.iter().flat_map(|(board, axis, state)| {
                    let moves = along(board, *axis).zip(automaton.next(*state));
                    moves
                        .filter(|(_, state)| **state != RunAutomaton::FORBIDDEN)
                        .map(|(after, &state)| (after, axis.other(), state))
                });
                level = strings.collect();
            }
            level.len()
        };
        let automaton = RunAutomaton::new(size, 7);
        // As many as there are boards: the published counts.
        for (moves, boards) in [(1, 6), (2, 18), (3, 54), (4, 162), (5, 486), (6, 1457), (7, 4334)] {
            assert_eq!(count(&automaton, moves), boards, "{moves} moves");
        }
    }
}
