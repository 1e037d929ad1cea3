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

use tilebase_puzzle::{Direction, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::store::{Mark, Memory, Node, Store};
use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted};
use crate::space::graph::{Graph, Key, Move, slides_of};
use crate::space::{Space, with_graph};

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

    fn search<S: Space>(&self, _space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        self.search_blindly(&S::blind(), state, request)
    }
}

impl Ids {
    fn search_blindly<S: Space>(self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        with_graph!(space, state, graph => {
            timed(state, request, |clock, effort| run(self.graph, &graph, request, clock, effort))
        })
    }
}

/// A node on the path to the current one.
#[derive(Clone, Copy)]
struct Step<K, M> {
    state: K,
    /// The move to it, and how many of its children have been tried.
    last: Option<M>,
    next: u8,
}

fn run<G: Graph>(
    remembers: bool,
    graph: &G,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let mut memory = Memory::new(request.limits.memory);
    // A store that there is no room for is as good as none.
    let seen =
        if remembers { Store::new(&mut memory).ok().map(|store| Seen { store, memory, depth: 0 }) } else { None };
    let mut search = Search { graph, wanted: request.wanted, path: Vec::new(), seen, found: Found::default() };
    for depth in 1.. {
        clock.raise(depth, effort);
        let roots = graph.roots().into_iter();
        let ended = roots.map(|(state, _)| Step { state, last: None, next: 0 }).try_for_each(|root| {
            // The first solution of one root is enough.
            if search.is_done() {
                return Ok(());
            }
            search.path.push(root);
            let ended = search.iterate(depth, clock, effort);
            let kept = search.path.capacity() as u64;
            let (nodes, bytes) = search.seen.as_ref().map_or((0, 0), |seen| (seen.store.len, seen.memory.peak));
            effort.peak_nodes = effort.peak_nodes.max(u64::from(depth) + nodes);
            let step = size_of::<Step<G::Key, G::Move>>() as u64;
            effort.peak_bytes = effort.peak_bytes.max(kept * step + bytes);
            ended
        });
        ended.map_err(|limit| (limit, depth))?;
        if search.found.count > 0 {
            return Ok(Found { optimal: true, ..search.found });
        }
    }
    unreachable!("a state that can be solved is")
}

struct Search<'a, G: Graph> {
    graph: &'a G,
    wanted: Wanted,
    path: Vec<Step<G::Key, G::Move>>,
    seen: Option<Seen<G::Key>>,
    found: Found,
}

impl<G: Graph> Search<'_, G> {
    /// Whether enough was found.
    fn is_done(&self) -> bool {
        self.found.count > 0 && (self.wanted == Wanted::First || self.seen.is_some())
    }

    /// Searches everything up to a depth below a root, which is on the path.
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
            let child = self.graph.children(state, last.map(Move::direction)).nth(next.into());
            let Some((made, child, _)) = child else {
                self.path.pop();
                continue;
            };
            step.next = next + 1;
            if clock.nodes_left(effort) == 0 {
                return Err(Limit::Nodes);
            }
            effort.generated += 1;
            let moves = self.path.len() as u32;
            if moves == depth {
                if self.graph.is_target(child) && !self.found(made) {
                    return Ok(());
                }
            } else if self.seen.as_mut().is_none_or(|seen| seen.is_worth(child, moves, effort)) {
                self.path.push(Step { state: child, last: Some(made), next: 0 });
            }
        }
        Ok(())
    }

    /// Notes the solution that the path and a last move are. Returns whether to search for more.
    #[cold]
    fn found(&mut self, last: G::Move) -> bool {
        let moves = slides_of(self.path.iter().filter_map(|step| step.last).chain([last]));
        self.found.add(G::METRIC, &moves, self.wanted);
        !self.is_done()
    }
}

/// The nodes seen, each with its smallest depth and the iteration that saw it last.
struct Seen<W: Key> {
    store: Store<W, u16>,
    memory: Memory,
    depth: u32,
}

impl<W: Key> Seen<W> {
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
