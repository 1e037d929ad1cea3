//! Iterative deepening without a heuristic (Slate & Atkin 1977, Korf 1985).
//!
//! Searches depth-first to depth 1, then to depth 2, and so on, until it finds the goal. The solution is shortest
//! because all smaller depths were searched completely.
//!
//! The *tree* form stores only the current path, and never reverses the last move. It searches a state once for every
//! path that leads to it.
//!
//! The *graph* form also stores the states it has seen, each with the smallest depth at which it was seen. It searches
//! below a state only at that depth, and only once per iteration. This loses no shortest solution. Take the iteration
//! to the depth of such a solution, and the last state on the solution that it saw at its true depth. It searched below
//! that state. So it saw the next state on the solution at its true depth as well, unless that was the goal. The rule
//! also prevents cycles: a state on the current path is stored with a smaller depth.
//!
//! **Cost.** The tree form needs memory for one path and time for all paths, whose number grows by a factor of about
//! 2.13 with every move on 4×4. The graph form searches each state once per iteration. On 16 squares it needs 12 bytes
//! per state, and space in the hash table. When the request's memory is full, it stores no further states and
//! continues, only more slowly.

use tilebase_puzzle::{Direction, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::store::{Mark, Memory, Node, Store};
use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted};
use crate::space::graph::{Graph, Key, Move, slides_of};
use crate::space::{Space, with_graph};

/// Iterative deepening. It ignores the heuristic and the weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ids {
    /// Whether to store the states seen, so that an iteration searches none of them twice at the same depth. The search
    /// then finds only one solution.
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

/// A node on the current path.
#[derive(Clone, Copy)]
struct Step<K, M> {
    state: K,
    /// The move that led to it; `None` at a root.
    last: Option<M>,
    /// The number of the child to try next.
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
    // Without memory for a store, the graph form searches all paths, as the tree form does.
    let seen =
        if remembers { Store::new(&mut memory).ok().map(|store| Seen { store, memory, depth: 0 }) } else { None };
    let mut search = Search { graph, wanted: request.wanted, path: Vec::new(), seen, found: Found::default() };
    for depth in 1.. {
        clock.raise(depth, effort);
        let roots = graph.roots().into_iter();
        let ended = roots.map(|(state, _)| Step { state, last: None, next: 0 }).try_for_each(|root| {
            // An earlier root may have given enough solutions.
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
    unreachable!("every solvable state has a solution at some depth")
}

struct Search<'a, G: Graph> {
    graph: &'a G,
    wanted: Wanted,
    path: Vec<Step<G::Key, G::Move>>,
    seen: Option<Seen<G::Key>>,
    found: Found,
}

impl<G: Graph> Search<'_, G> {
    /// Whether enough solutions have been found.
    fn is_done(&self) -> bool {
        self.found.count > 0 && (self.wanted == Wanted::First || self.seen.is_some())
    }

    /// Runs one iteration: searches all nodes up to `depth` below the root that is on the path.
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

    /// Records the solution: the moves of the path, then `last`. Returns whether to search for more.
    #[cold]
    fn found(&mut self, last: G::Move) -> bool {
        let moves = slides_of(self.path.iter().filter_map(|step| step.last).chain([last]));
        self.found.add(G::METRIC, &moves, self.wanted);
        !self.is_done()
    }
}

/// The states seen. Each has the smallest depth at which it was seen, and the iteration that last saw it there.
struct Seen<W: Key> {
    store: Store<W, u16>,
    memory: Memory,
    /// The depth of the current iteration.
    depth: u32,
}

impl<W: Key> Seen<W> {
    /// Marks a state as seen, `made` moves from the root. Returns whether to search below it.
    fn is_worth(&mut self, state: W, made: u32, effort: &mut Effort) -> bool {
        let (hash, now) = (state.hash(), self.depth as u16);
        let Some(id) = self.store.find(state, hash) else {
            if made <= Mark::MOST_MOVES {
                let node = Node { state, mark: Mark::new(made, Direction::Up), data: now };
                // A state that does not fit into memory is not stored, but still searched.
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
