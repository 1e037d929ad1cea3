//! Breadth-first search in the metric `mtm`: all states one move away, then all two moves away, until the goal is among them.
//!
//! It keeps every state with the state that it was first reached from, and asks no heuristic: for small boards, and to hold others
//! against.

use std::collections::HashMap;

use tilebase_puzzle::{Axis, Direction, Metric, State};

use crate::clock::{Clock, Found, timed};
use crate::packed::Packed;
use crate::request::{Effort, Limit, Outcome, Request, Wanted};

/// What is kept of a state beside its key, about: its distance, the places of both in the table.
const BYTES_OF_STATE: u64 = 40;

/// A state that was reached.
struct Reached {
    distance: u32,
    /// How many shortest ways lead here.
    ways: u64,
}

pub(super) fn search(state: &State, request: &Request<'_>) -> Outcome {
    timed(state, request, |clock, effort| run(state, request, clock, effort))
}

fn run(
    start: &State,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let goal = u128::of(&State::solved(start.size(), start.home()));
    let mut reached = HashMap::from([(u128::of(start), Reached { distance: 0, ways: 1 })]);
    let mut level = vec![*start];
    for distance in 1.. {
        clock.raise(distance, effort);
        if request.limits.length.is_some_and(|most| distance > most) {
            return Err((Limit::Length, distance));
        }
        let mut next = Vec::new();
        for state in &level {
            clock.look(effort).map_err(|limit| (limit, distance))?;
            effort.expanded += 1;
            let ways = reached[&u128::of(state)].ways;
            for axis in Axis::BOTH {
                for (after, _) in along(state, axis) {
                    if clock.nodes_left(effort) == 0 {
                        return Err((Limit::Nodes, distance));
                    }
                    effort.generated += 1;
                    let known = reached.entry(u128::of(&after)).or_insert_with(|| {
                        next.push(after);
                        Reached { distance, ways: 0 }
                    });
                    if known.distance == distance {
                        known.ways = known.ways.saturating_add(ways);
                    }
                }
            }
        }
        effort.peak_nodes = reached.len() as u64;
        effort.peak_bytes = effort.peak_nodes * BYTES_OF_STATE;
        if request.limits.memory.is_some_and(|most| effort.peak_bytes > most) {
            return Err((Limit::Memory, distance));
        }
        if let Some(found) = reached.get(&goal) {
            let mut solutions = Solutions {
                start: u128::of(start),
                reached: &reached,
                wanted: request.wanted,
                found: Found::default(),
            };
            let count = found.ways;
            if request.wanted != Wanted::Count {
                solutions.back(&State::solved(start.size(), start.home()), distance, &mut Vec::new());
            }
            return Ok(Found {
                length: distance,
                count: if request.wanted == Wanted::First { 1 } else { count },
                optimal: true,
                ..solutions.found
            });
        }
        level = next;
    }
    unreachable!("a board that can be solved is reached")
}

/// All states one move along an axis away, each with the slides of single tiles that lead there.
fn along(state: &State, axis: Axis) -> impl Iterator<Item = (State, Vec<Direction>)> {
    axis.directions().into_iter().flat_map(move |direction| {
        let mut after = *state;
        let mut slides = Vec::new();
        std::iter::from_fn(move || {
            let slide = after.slide_in(direction)?;
            after.make(slide);
            slides.push(direction);
            Some((after, slides.clone()))
        })
    })
}

/// Collects shortest solutions, from the goal back to the start.
struct Solutions<'a> {
    start: u128,
    reached: &'a HashMap<u128, Reached>,
    wanted: Wanted,
    found: Found,
}

impl Solutions<'_> {
    /// Goes back from a state; `slides` lead from there to the goal, the last first. Returns whether to go on.
    fn back(&mut self, state: &State, distance: u32, slides: &mut Vec<Direction>) -> bool {
        if distance == 0 {
            if u128::of(state) == self.start {
                // The blank goes the other way.
                let blank: Vec<Direction> = slides.iter().rev().map(|direction| direction.opposite()).collect();
                self.found.add(Metric::Mtm, &blank, self.wanted);
            }
            return self.wanted.keeps(self.found.solutions.len());
        }
        for axis in Axis::BOTH {
            for (before, undone) in along(state, axis) {
                if self.reached.get(&u128::of(&before)).is_none_or(|known| known.distance + 1 != distance) {
                    continue;
                }
                let len = slides.len();
                slides.extend(undone.iter().map(|direction| direction.opposite()));
                if !self.back(&before, distance - 1, slides) {
                    return false;
                }
                slides.truncate(len);
            }
        }
        true
    }
}
