//! A\* as textbooks have it, and heuristics that are harder on a search than usual ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_puzzle::{Size, Slide, State};

use crate::follow::bound;
use crate::naive::{FixedMap, FixedSet, successors};

/// What A\* has to do with a consistent heuristic, whatever the order of nodes that are equally good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Astar {
    /// Moves of a shortest solution, C\*.
    pub length: u32,
    /// States with f < C\*: every one has to be expanded.
    pub below: u64,
    /// States with f ≤ C\*: no other may be.
    pub up_to: u64,
}

/// A\* with a map and a heap, until all states with f ≤ C\* are expanded.
///
/// # Panics
/// When the goal cannot be reached.
pub fn astar(heuristic: &impl Heuristic, start: &State) -> Astar {
    let mut moves: FixedMap<State, u32> = FixedMap::default();
    let mut closed: FixedSet<State> = FixedSet::default();
    let mut states = vec![*start];
    let mut open = BinaryHeap::from([Reverse((bound(heuristic, start), 0))]);
    moves.insert(*start, 0);
    let mut values = Vec::new();
    let mut length = u32::MAX;
    while let Some(Reverse((value, number))) = open.pop() {
        let state: State = states[number];
        if value > length {
            break;
        }
        if !closed.insert(state) {
            continue;
        }
        values.push(value);
        if state.is_solved() {
            length = moves[&state];
        }
        let made = moves[&state] + 1;
        for next in successors(&state) {
            if moves.get(&next).is_none_or(|&known| made < known) {
                moves.insert(next, made);
                open.push(Reverse((made + bound(heuristic, &next), states.len())));
                states.push(next);
            }
        }
    }
    assert_ne!(length, u32::MAX, "the goal is not reached");
    let below = values.iter().filter(|&&value| value < length).count() as u64;
    Astar { length, below, up_to: values.len() as u64 }
}

/// The Manhattan distance, which now and then forgets everything and says 0: admissible, but not consistent.
#[derive(Clone, Debug)]
pub struct Forgetful {
    manhattan: Manhattan,
    /// Whether what it forgets depends on the way that leads to a state, not on the state.
    by_path: bool,
}

impl Forgetful {
    /// For boards of a size.
    pub fn new(size: Size, by_path: bool) -> Forgetful {
        Forgetful { manhattan: Manhattan::new(size), by_path }
    }

    fn mix(number: u64) -> u64 {
        let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
    }

    fn place(slide: Slide, square: tilebase_puzzle::Square) -> u64 {
        Forgetful::mix(u64::from(slide.tile.0) << 8 | u64::from(square.0))
    }
}

/// The distance, and a number from which it is decided whether it is forgotten.
impl Heuristic for Forgetful {
    type Node = (u32, u64);
    type Step = (u32, u64);

    fn root(&self, state: &State) -> Option<(u32, u64)> {
        let tiles = state.size().squares().filter(|&square| square != state.blank());
        let places =
            tiles.map(|square| Forgetful::place(Slide { tile: state.tile(square), from: square, to: square }, square));
        let mixed = places.fold(0, |all, place| all ^ place);
        Some((self.manhattan.root(state)?, mixed))
    }

    fn cost(&self, &(distance, mixed): &(u32, u64)) -> u32 {
        if (mixed >> 20).is_multiple_of(4) { 0 } else { distance }
    }

    fn begin(&self, stage: usize, (distance, mixed): &(u32, u64), slide: Slide) -> (u32, u64) {
        let mixed = if self.by_path {
            Forgetful::mix(mixed ^ u64::from(slide.tile.0))
        } else {
            mixed ^ Forgetful::place(slide, slide.from) ^ Forgetful::place(slide, slide.to)
        };
        (self.manhattan.begin(stage, distance, slide), mixed)
    }

    fn finish(&self, _stage: usize, step: &mut (u32, u64)) -> u32 {
        self.cost(step)
    }

    fn apply(&self, _stage: usize, node: &mut (u32, u64), step: &(u32, u64)) {
        *node = *step;
    }
}
