//! Iterative deepening without a heuristic (Slate & Atkin 1977, Korf 1985).
//!
//! A depth-first search to depth 1, then to depth 2 … until the goal is found, which is then as near as it can be. The *tree*
//! form keeps only the path it is on and never takes back the last move; states that several paths lead to are searched once
//! for each of them.
//!
//! The *graph* form remembers the states it has seen, each with the smallest depth at which it was. A state is searched below
//! only at that depth, and once in an iteration. That loses no shortest solution: take the last state on one that was ever seen
//! at its true depth in an iteration; it was searched below, so that the next state on the solution was seen at its own true
//! depth, unless it was the goal. This covers states on the current path as well, which are known with a smaller depth.
//!
//! **Cost.** The tree form needs memory for the path, and time for all paths: about 2.13 times as many for each move on 4×4.
//! The graph form searches each state once an iteration and needs 12 bytes for it on 16 squares, and its share of the table. When that is more than
//! the request's memory, no further state is remembered, and the search goes on: it is only slower then.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Direction, Metric, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::store::{Mark, Memory, Node, Store};
use crate::clock::{Clock, Found, timed};
use crate::packed::{Moves, Packed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted};

/// Iterative deepening. The heuristic is not asked, and a weight changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ids {
    /// Whether states are remembered, so that none is searched twice in an iteration. Finds one solution then.
    pub graph: bool,
}

impl Algorithm for Ids {
    fn about(&self) -> SearchAbout {
        let about = if self.graph {
            SearchAbout::new("ids-graph", "iterative deepening without a heuristic, remembering where it was")
                .finding_one()
                .keeping_nodes()
        } else {
            SearchAbout::new("ids", "iterative deepening without a heuristic, along all paths")
        };
        about.without_heuristic()
    }

    fn search<H: Heuristic>(&self, _heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let run = if state.size().count() <= u64::MAX_SQUARES { run::<u64> } else { run::<u128> };
        Some(timed(state, request, |clock, effort| run(self.graph, state, request, clock, effort)))
    }
}

/// A state on the path to the current one.
#[derive(Clone, Copy)]
struct Step<W> {
    state: W,
    /// The blank's move to it, and the number of the next direction to try from it.
    last: Option<Direction>,
    next: u8,
}

fn run<W: Packed>(
    graph: bool,
    state: &State,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let moves = Moves::<W>::new(state.size(), state.home());
    let mut memory = Memory::new(request.limits.memory);
    // A store that there is no room for is as good as none.
    let seen = if graph { Store::new(&mut memory).ok().map(|store| Seen { store, memory, depth: 0 }) } else { None };
    let mut search = Search { moves: &moves, wanted: request.wanted, path: Vec::new(), seen, found: Found::default() };
    let root = Step { state: W::of(state), last: None, next: 0 };
    for depth in 1.. {
        clock.raise(depth, effort);
        search.path.push(root);
        let ended = search.iterate(depth, clock, effort);
        let kept = search.path.capacity() as u64;
        let (nodes, bytes) = search.seen.as_ref().map_or((0, 0), |seen| (seen.store.len, seen.memory.peak));
        effort.peak_nodes = effort.peak_nodes.max(u64::from(depth) + nodes);
        effort.peak_bytes = effort.peak_bytes.max(kept * size_of::<Step<W>>() as u64 + bytes);
        ended.map_err(|limit| (limit, depth))?;
        if search.found.count > 0 {
            return Ok(Found { optimal: true, ..search.found });
        }
    }
    unreachable!("a state that can be solved is")
}

struct Search<'a, W: Packed> {
    moves: &'a Moves<W>,
    wanted: Wanted,
    path: Vec<Step<W>>,
    seen: Option<Seen<W>>,
    found: Found,
}

impl<W: Packed> Search<'_, W> {
    /// Searches everything up to a depth below the root, which is on the path.
    fn iterate(&mut self, depth: u32, clock: &mut Clock<'_>, effort: &mut Effort) -> Result<(), Limit> {
        if let Some(seen) = &mut self.seen {
            seen.depth = depth;
            seen.is_worth(self.path[0].state, 0, effort);
        }
        while let Some(step) = self.path.last_mut() {
            if step.next == 0 {
                clock.look(effort)?;
                effort.expanded += 1;
            }
            let Step { state, last, next } = *step;
            let child = self.moves.children(state, last).find(|&(direction, ..)| direction as u8 >= next);
            let Some((direction, child, _)) = child else {
                self.path.pop();
                continue;
            };
            step.next = direction as u8 + 1;
            if clock.nodes_left(effort) == 0 {
                return Err(Limit::Nodes);
            }
            effort.generated += 1;
            let made = self.path.len() as u32;
            if made == depth {
                if child == self.moves.goal && !self.found(direction) {
                    return Ok(());
                }
            } else if self.seen.as_mut().is_none_or(|seen| seen.is_worth(child, made, effort)) {
                self.path.push(Step { state: child, last: Some(direction), next: 0 });
            }
        }
        Ok(())
    }

    /// Notes the solution that the path and a last move are. Returns whether to search for more.
    #[cold]
    fn found(&mut self, last: Direction) -> bool {
        let moves: Vec<_> = self.path.iter().filter_map(|step| step.last).chain([last]).collect();
        self.found.add(Metric::Stm, &moves, self.wanted);
        self.wanted != Wanted::First && self.seen.is_none()
    }
}

/// The states seen, each with its smallest depth and the iteration that saw it last.
struct Seen<W: Packed> {
    store: Store<W, u16>,
    memory: Memory,
    depth: u32,
}

impl<W: Packed> Seen<W> {
    /// Whether a state has to be searched below; it is seen from now on.
    fn is_worth(&mut self, state: W, made: u32, effort: &mut Effort) -> bool {
        let (hash, now) = (state.hash(), self.depth as u16);
        let Some(id) = self.store.find(state, hash) else {
            if made <= Mark::MOST_MOVES {
                let node = Node { state, mark: Mark::new(made, Direction::Up), data: now };
                // What cannot be remembered is searched all the same.
                let _ = self.store.insert(hash, node, &mut self.memory);
            }
            return true;
        };
        let Node { mark, data: seen, .. } = self.store.node(id);
        if made > mark.moves() || (made == mark.moves() && seen == now) {
            return false;
        }
        effort.reexpanded += u64::from(made < mark.moves());
        self.store.set(id, Mark::new(made, Direction::Up), now);
        true
    }
}
