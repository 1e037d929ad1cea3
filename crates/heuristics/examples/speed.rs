//! How many nodes a second a plain depth-first search sees with each heuristic of the list: `speed [WIDTHxHEIGHT]`.
//!
//! IDA* on one thread, without duplicate detection beyond not going back, on the same random boards for all of them.

use std::time::{Duration, Instant};

use tilebase_heuristics::{AnyListed, Heuristic, Listed, Visitor, visit_named};
use tilebase_puzzle::{Frame, Goal, Random, Size, Slide, Square, State, Tile};

/// No neighbour.
const NONE: u8 = u8::MAX;

/// What a search needs to know of the board: tiles by square, and the neighbours of each square.
struct Search<'a, H> {
    heuristic: &'a H,
    neighbours: &'a [[u8; 4]; 32],
    tiles: [u8; 32],
    nodes: u64,
    most: u64,
}

impl<H: Heuristic> Search<'_, H> {
    /// The node after a slide and its bound, unless the bound shows that this many moves are not enough.
    #[inline]
    fn after(&self, node: &H::Node, slide: Slide, left: u32) -> Option<(H::Node, u32)> {
        let (mut next, mut largest) = (*node, 0);
        for stage in 0..self.heuristic.stages() {
            let mut step = self.heuristic.begin(stage, node, slide);
            largest = largest.max(self.heuristic.finish(stage, &mut step));
            if largest >= left {
                return None;
            }
            self.heuristic.apply(stage, &mut next, &step);
        }
        Some((next, largest))
    }

    /// Whether the goal is found within this many moves, or the limit of nodes is reached.
    fn descend(&mut self, node: &H::Node, blank: u8, before: u8, left: u32) -> bool {
        for &from in &self.neighbours[blank as usize % 32] {
            if from == before || from == NONE {
                continue;
            }
            let tile = self.tiles[from as usize % 32];
            let slide = Slide { tile: Tile(tile), from: Square(from), to: Square(blank) };
            self.nodes += 1;
            let Some((next, value)) = self.after(node, slide, left) else { continue };
            self.tiles[blank as usize % 32] = tile;
            let found = value == 0 || self.descend(&next, from, blank, left - 1);
            self.tiles[from as usize % 32] = tile;
            if found || self.nodes > self.most {
                return true;
            }
        }
        false
    }
}

struct Speed(Vec<State>);

impl Visitor for Speed {
    type Answer = (u64, Duration);

    fn visit<H: Listed + 'static>(self, heuristic: H) -> (u64, Duration) {
        let size = self.0[0].size();
        let mut neighbours = [[NONE; 4]; 32];
        for square in size.squares() {
            let near = size.squares().filter(|&other| size.distance(square, other) == 1);
            near.zip(&mut neighbours[square.index()]).for_each(|(other, place)| *place = other.0);
        }
        let (mut nodes, begun) = (0, Instant::now());
        for state in &self.0 {
            let mut search =
                Search { heuristic: &heuristic, neighbours: &neighbours, tiles: [0; 32], nodes: 0, most: 30_000_000 };
            size.squares().for_each(|square| search.tiles[square.index()] = state.tile(square).0);
            let root = heuristic.root(state).expect("a solvable board has a bound");
            let mut bound = heuristic.cost(&root);
            while !search.descend(&root, state.blank().0, NONE, bound) {
                bound += 1;
            }
            nodes += search.nodes;
        }
        (nodes, begun.elapsed())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size: Size = std::env::args().nth(1).as_deref().unwrap_or("4x4").parse()?;
    let frame = Frame::new(&Goal::BlankFirst.board(size)?);
    for about in AnyListed::abouts() {
        let states = (0..10).map(|seed| frame.state(&Random::new(seed).solvable_board(frame.goal())));
        let speed = Speed(states.collect::<Result<_, _>>()?);
        let begun = Instant::now();
        let made = AnyListed::new(about.name, size, frame.home()).map(|_| begun.elapsed());
        match visit_named(about.name, size, frame.home(), speed) {
            Ok((nodes, time)) => println!(
                "{:20} {:6.1} million nodes/s   made in {:.1?}",
                about.name,
                nodes as f64 / time.as_secs_f64() / 1e6,
                made.unwrap_or_default()
            ),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
