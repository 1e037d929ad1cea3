//! The automaton of 4×4 that is part of the program.

use super::{FEW_STATES, FewRows};

/// The automaton, as [`Automaton::to_bytes`](super::Automaton::to_bytes) writes it. `cargo run --release -p tilebase-solve --example
/// write-automaton` renews it.
pub(super) const FILE: &[u8] = include_bytes!("../../data/automaton-4x4.bin");

/// The rows of the file. The compiler reads it, so that the program has nothing to do when it starts: building this
/// automaton takes 65 ms, solving a board less than one.
pub(super) static FOUR_BY_FOUR: FewRows = {
    let mut rows = [[0; 4]; FEW_STATES];
    let (numbers, _) = FILE.as_chunks();
    let mut place = 0;
    while place < numbers.len() {
        rows[place / 4][place % 4] = u16::from_le_bytes(numbers[place]);
        place += 1;
    }
    rows
};

/// How many states it has.
pub(super) const STATES: usize = FILE.len() / size_of::<[u16; 4]>();
