//! What several benchmarks measure with.

use tilebase_lookup::{Store, Table};
use tilebase_puzzle::{Direction, Pattern, Random, Slide, State};
use tilebase_tests::fixtures::{drawn, frame};

/// Half of the 15-puzzle: 8 tiles.
pub(crate) fn eight_of_15() -> Pattern {
    drawn(".ABB/AABB/AABB/AABB").patterns()[1]
}

/// A quarter of the 24-puzzle: 6 tiles.
pub(crate) fn six_of_24() -> Pattern {
    drawn(".AABB/AAABB/CAABB/CCDDD/CCCDD").patterns()[0]
}

/// Two fifths of the 15-puzzle: 6 tiles, a pattern of 6-6-3.
pub(crate) fn six_of_15() -> Pattern {
    drawn(".AAB/AABB/AABB/CCCB").patterns()[0]
}

/// Random states of a pattern's puzzle that can be solved.
pub(crate) fn random_states(pattern: &Pattern, count: usize) -> Vec<State> {
    let frame = frame(pattern.size(), pattern.home());
    let mut random = Random::new(1);
    let mut state = || frame.state(&random.solvable_board(frame.goal())).expect("the board can be solved");
    (0..count).map(|_| state()).collect()
}

/// The slides of a pattern's tiles along a random walk from the goal that never turns back, this many of them, and the state after the
/// last.
pub(crate) fn walk(pattern: &Pattern, count: usize) -> (Vec<Slide>, State) {
    let mut random = Random::new(1);
    let mut state = State::solved(pattern.size(), pattern.home());
    let mut slides = Vec::with_capacity(count);
    let mut before = None;
    while slides.len() < count {
        let possible = Direction::ALL.into_iter().filter_map(|direction| state.slide_in(direction));
        let possible: Vec<Slide> = possible.filter(|slide| Some(slide.tile) != before).collect();
        let slide = possible[random.below(possible.len() as u64) as usize];
        state.make(slide);
        before = Some(slide.tile);
        if pattern.contains(slide.tile) {
            slides.push(slide);
        }
    }
    (slides, state)
}

/// The table of [`six_of_15`] that is part of the program: bits.
pub(crate) fn compiled_in() -> Table {
    let table = Store::compiled_in().find_unverified(&six_of_15()).expect("the program's own table can be opened");
    table.expect("6-6-3 is compiled in")
}
