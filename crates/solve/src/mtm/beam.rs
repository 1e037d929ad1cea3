//! Beam search in the metric `mtm`: of each depth only the most promising states are kept.
//!
//! What promises most is a small sum of the tiles' distances along rows and columns. That is no bound here, where a move slides several
//! tiles, but it says better than any single pattern how far a board has come. The heuristic only rules out what cannot lead to a
//! solution within a limit of its length. Solutions are found soon and prove nothing.

use std::collections::HashSet;

use tilebase_heuristics::mtm::{MtmHeuristic, Position};
use tilebase_puzzle::{Axis, Direction, Metric, Size, Square, State};

use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request};

/// No solution of any board that anybody has seen needs as many moves.
const MOST_MOVES: u32 = 1000;

/// A state that is kept.
#[derive(Clone, Copy)]
struct Kept<N> {
    position: Position,
    heuristic: N,
    /// The axis of the next move.
    axis: Axis,
    /// The sum of the tiles' distances.
    distance: u32,
    /// Where it comes from: a place in the layer before, and the move, as the direction of the blank and its squares.
    parent: u32,
    moved: (Direction, u8),
}

/// Where the states of a layer come from.
type Steps = Vec<(u32, (Direction, u8))>;

/// Positions of a layer, each with the axis of its next move.
type Seen = HashSet<(u128, Axis)>;

pub(super) fn search<H: MtmHeuristic>(heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
    let bound = heuristic.bound(state)?;
    let beam = Beam { heuristic, size: state.size(), request };
    Some(timed(state, request, |clock, effort| beam.run(state, bound, clock, effort)))
}

struct Beam<'a, H> {
    heuristic: &'a H,
    size: Size,
    request: &'a Request<'a>,
}

impl<H: MtmHeuristic> Beam<'_, H> {
    fn run(
        &self,
        start: &State,
        bound: u32,
        clock: &mut Clock<'_>,
        effort: &mut Effort,
    ) -> Result<Found, (Limit, u32)> {
        let position = Position::of(start);
        let squares = start.tiles().map(|(square, tile)| self.size.distance(square, tile.goal()));
        let distance = squares.sum();
        let root = |axis| {
            let heuristic = self.heuristic.root(&position, axis).expect("it has a bound");
            Kept { position, heuristic, axis, distance, parent: 0, moved: (Direction::Up, 0) }
        };
        let mut layer = Axis::BOTH.map(root).to_vec();
        let mut layers: Vec<Steps> = Vec::new();
        let mut before = Seen::new();
        let most = self.request.limits.length.unwrap_or(MOST_MOVES);
        for made in 1..=most {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for (kept, parent) in layer.iter().zip(0..) {
                clock.look(effort).map_err(|limit| (limit, bound))?;
                effort.expanded += 1;
                if let Some(moved) = self.expand(kept, parent, most - made, (&before, &mut seen), &mut next, effort) {
                    return Ok(self.found(&layers, kept, moved));
                }
                if clock.nodes_left(effort) == 0 {
                    return Err((Limit::Nodes, bound));
                }
            }
            layers.push(layer.iter().map(|kept| (kept.parent, kept.moved)).collect());
            layer = nearest(next, self.request.width.get());
            before = seen;
            let kept = layers.iter().map(Vec::len).sum::<usize>();
            effort.peak_nodes = effort.peak_nodes.max((kept + layer.len()) as u64);
            let bytes = kept * size_of::<(u32, (Direction, u8))>() + layer.len() * size_of::<Kept<H::Node>>() * 4;
            effort.peak_bytes = effort.peak_bytes.max(bytes as u64);
            if self.request.limits.memory.is_some_and(|most| bytes as u64 > most) {
                return Err((Limit::Memory, bound));
            }
            if layer.is_empty() {
                break;
            }
        }
        Err((Limit::Length, bound))
    }

    /// Adds the states one move away. Returns the move that solves the board, if one does.
    fn expand(
        &self,
        kept: &Kept<H::Node>,
        parent: u32,
        left: u32,
        (before, seen): (&Seen, &mut Seen),
        next: &mut Vec<Kept<H::Node>>,
        effort: &mut Effort,
    ) -> Option<(Direction, u8)> {
        let axis = kept.axis.other();
        for direction in kept.axis.directions() {
            let (mut position, mut distance, mut squares) = (kept.position, kept.distance, 0);
            while let Some(from) = self.size.neighbour(position.blank(), direction) {
                let (tile, to) = (position.tile(from), position.blank());
                distance = distance + self.size.distance(to, tile.goal()) - self.size.distance(from, tile.goal());
                position.slide(from);
                squares += 1;
                effort.generated += 1;
                if position.is_solved() {
                    return Some((direction, squares));
                }
                let key = (self.key(&position), axis);
                if before.contains(&key) || !seen.insert(key) {
                    continue;
                }
                let begun = self.heuristic.begin(&position, axis);
                if let Ok(heuristic) = self.heuristic.finish(&kept.heuristic, begun, &position, axis, left) {
                    next.push(Kept { position, heuristic, axis, distance, parent, moved: (direction, squares) });
                }
            }
        }
        None
    }

    /// The whole position in one number.
    fn key(&self, position: &Position) -> u128 {
        let tiles = self.size.squares().filter(|&square| square != position.blank());
        // No tile has the number 31, and 25 squares of five bits fit.
        let blank = 31 << (5 * position.blank().0);
        tiles.fold(blank, |key, square: Square| key | u128::from(position.tile(square).0) << (5 * square.0))
    }

    /// The way to a state of the last layer, and one move more.
    fn found(&self, layers: &[Steps], last: &Kept<H::Node>, moved: (Direction, u8)) -> Found {
        let mut way = vec![moved];
        let mut step = (last.parent, last.moved);
        for layer in layers.iter().rev() {
            way.push(step.1);
            step = layer[step.0 as usize];
        }
        let slides = way.iter().rev().flat_map(|&(direction, squares)| std::iter::repeat_n(direction, squares.into()));
        let slides: Vec<Direction> = slides.collect();
        let mut found = Found::default();
        found.add(Metric::Mtm, &slides, self.request.wanted);
        Found { length: layers.len() as u32 + 1, ..found }
    }
}

/// Those with the smallest distances, in the order in which they were found.
fn nearest<N: Copy>(states: Vec<Kept<N>>, width: usize) -> Vec<Kept<N>> {
    if states.len() <= width {
        return states;
    }
    let mut counts = vec![0; states.iter().map(|state| state.distance as usize + 1).max().unwrap_or(0)];
    states.iter().for_each(|state| counts[state.distance as usize] += 1);
    let mut room: Vec<usize> = Vec::with_capacity(counts.len());
    let mut left = width;
    for count in counts {
        room.push(left.min(count));
        left -= left.min(count);
    }
    let fits = |state: &Kept<N>| {
        let room = &mut room[state.distance as usize];
        *room = room.checked_sub(1)?;
        Some(*state)
    };
    states.iter().filter_map(fits).collect()
}
