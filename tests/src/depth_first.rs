//! The naive twin of the search: plain recursion, one node at a time, without batches, stacks or threads.

use tilebase_heuristics::Heuristic;
use tilebase_progress::Bound;
use tilebase_puzzle::{Direction, State};
use tilebase_solve::Automaton;

/// What a plain search did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The bounds that were searched completely, the last of them too, with their generated nodes.
    pub bounds: Vec<Bound>,
    /// Moves of the solutions; `None` when no solution was found within the bounds that were allowed.
    pub length: Option<u32>,
    /// How many solutions were found.
    pub solutions: u64,
}

impl Searched {
    /// The nodes generated in all bounds, and the root.
    pub fn generated(&self) -> u64 {
        1 + self.bounds.iter().map(|bound| bound.generated).sum::<u64>()
    }
}

/// Searches bound after bound, the one with the solutions to its end, but no more than `most_bounds`. Without an automaton only
/// the last move is never taken back.
///
/// # Panics
/// When the heuristic has no bound for the state.
pub fn search<H: Heuristic>(
    heuristic: &H,
    state: &State,
    automaton: Option<&Automaton>,
    most_bounds: usize,
) -> Searched {
    let root = heuristic.root(state).expect("a solvable board has a bound");
    let mut searched = Searched { bounds: Vec::new(), length: None, solutions: 0 };
    let mut bound = heuristic.cost(&root);
    if state.is_solved() {
        return Searched { length: Some(0), solutions: 1, ..searched };
    }
    while searched.bounds.len() < most_bounds && searched.length.is_none() {
        let mut iteration = Iteration { heuristic, automaton, bound, next_bound: u32::MAX, generated: 0, solutions: 0 };
        let start = automaton.map_or(0, |automaton| automaton.start(state.blank()));
        iteration.expand(&root, state, 0, start, None);
        searched.bounds.push(Bound { bound, generated: iteration.generated });
        searched.solutions = iteration.solutions;
        searched.length = (iteration.solutions > 0).then_some(bound);
        bound = iteration.next_bound;
    }
    searched
}

struct Iteration<'a, H> {
    heuristic: &'a H,
    automaton: Option<&'a Automaton>,
    bound: u32,
    next_bound: u32,
    generated: u64,
    solutions: u64,
}

impl<H: Heuristic> Iteration<'_, H> {
    fn expand(&mut self, node: &H::Node, state: &State, made: u32, strings: u32, last: Option<Direction>) {
        for way in Direction::ALL {
            let Some(slide) = state.slide_in(way.opposite()) else { continue };
            let after = match self.automaton {
                Some(automaton) => automaton.next(strings)[way as usize],
                None if last == Some(way.opposite()) => Automaton::FORBIDDEN,
                None => 0,
            };
            if after == Automaton::FORBIDDEN {
                continue;
            }
            self.generated += 1;
            let Some(child) = self.within_bound(node, slide, made + 1) else { continue };
            let mut next = *state;
            next.make(slide);
            if next.is_solved() {
                self.solutions += 1;
            } else {
                self.expand(&child, &next, made + 1, after, Some(way));
            }
        }
    }

    /// The node after a slide, unless a stage says that it is beyond the bound.
    fn within_bound(&mut self, node: &H::Node, slide: tilebase_puzzle::Slide, made: u32) -> Option<H::Node> {
        let mut child = *node;
        for stage in 0..self.heuristic.stages() {
            let mut step = self.heuristic.begin(stage, node, slide);
            let value = made + self.heuristic.finish(stage, &mut step);
            if value > self.bound {
                self.next_bound = self.next_bound.min(value);
                return None;
            }
            self.heuristic.apply(stage, &mut child, &step);
        }
        Some(child)
    }
}
