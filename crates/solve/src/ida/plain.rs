//! One iteration as the papers describe it: depth first, a node at a time, in the order up, left, right, down.
//!
//! It generates the same nodes as a [`Worker`](super::worker::Worker) while nothing is found; the last iteration, which ends
//! with the first solution, has exactly as many nodes as published ones have.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Direction, Slide, State};

use super::team::{NODES_BETWEEN_LOOKS, Team};
use crate::automaton::Automaton;
use crate::request::Limit;

/// A node on the way from the root to the current one.
pub(super) struct Node<N> {
    heuristic: N,
    state: State,
    automaton: u16,
    /// The next way to try.
    way: usize,
}

impl<N> Node<N> {
    /// The root of a search.
    pub(super) fn root(heuristic: N, state: &State, automaton: u16) -> Node<N> {
        Node { heuristic, state: *state, automaton, way: 0 }
    }
}

/// What an iteration is about.
pub(super) struct Iteration<'a, H> {
    pub(super) heuristic: &'a H,
    pub(super) automaton: &'a Automaton,
    pub(super) bound: u64,
    pub(super) unit: u64,
    pub(super) weight: u64,
}

impl<H: Heuristic> Iteration<'_, H> {
    /// Searches everything up to the bound. Returns how many nodes were expanded, and the smallest value above the bound.
    pub(super) fn run(&self, team: &Team<'_, Node<H::Node>>) -> (u64, u64) {
        let (mut expanded, mut next_bound, mut allowed) = (0_u64, u64::MAX, 0);
        let mut nodes = Vec::new();
        let mut ways: Vec<Direction> = Vec::new();
        team.take_work(&mut nodes);
        while let Some(node) = nodes.last_mut() {
            let Some(&way) = Direction::ALL.get(node.way) else {
                nodes.pop();
                ways.pop();
                continue;
            };
            if node.way == 0 {
                if expanded.is_multiple_of(NODES_BETWEEN_LOOKS) && !team.goes_on() {
                    break;
                }
                expanded += 1;
            }
            node.way += 1;
            let next = self.automaton.next(node.automaton)[way as usize];
            if next == Automaton::FORBIDDEN {
                continue;
            }
            if allowed == 0 {
                allowed = team.allow(1);
                if allowed == 0 {
                    team.reach(Limit::Nodes);
                    break;
                }
            }
            allowed -= 1;
            let slide = node.state.slide_in(way.opposite()).expect("the automaton keeps to the board");
            let made = (ways.len() as u64 + 1) * self.unit;
            match self.child(&node.heuristic, slide, made) {
                Err(value) => next_bound = next_bound.min(value),
                Ok(heuristic) => {
                    let mut state = node.state;
                    state.make(slide);
                    ways.push(way);
                    if !state.is_solved() {
                        nodes.push(Node { heuristic, state, automaton: next, way: 0 });
                        continue;
                    }
                    if !team.found(ways.iter().copied()) {
                        break;
                    }
                    ways.pop();
                }
            }
        }
        team.give_back(allowed);
        (expanded, next_bound)
    }

    /// What is known about the state after a slide, or its value, which is above the bound.
    fn child(&self, node: &H::Node, slide: Slide, made: u64) -> Result<H::Node, u64> {
        let mut child = *node;
        for stage in 0..self.heuristic.stages() {
            let mut step = self.heuristic.begin(stage, node, slide);
            let value = made + u64::from(self.heuristic.finish(stage, &mut step)) * self.weight;
            if value > self.bound {
                return Err(value);
            }
            self.heuristic.apply(stage, &mut child, &step);
        }
        Ok(child)
    }
}
