//! Best-first graph search: every state is kept, and the best open one is expanded next.
//!
//! * a [`Store`](store::Store) has every state once, and a [`Queue`](queue::Queue) the open ones, best first;
//! * a [`Side`](side::Side) is both, for a search from one state outwards, a batch of nodes at a time;
//! * [`Paths`](paths::Paths) are all shortest solutions, walked back at the end of a search.

pub(crate) mod paths;
pub(crate) mod queue;
pub(crate) mod side;
pub(crate) mod store;

use tilebase_puzzle::State;

use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted, Weight};
use crate::space::graph::{Graph, slides_of};
use crate::space::{Space, with_graph};
use paths::Paths;
use queue::Key;
use side::Side;
use store::Memory;

/// When a search from one side may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// When no open node can lead to a better solution.
    Proven,
    /// As soon as the goal is found: only where nodes are expanded in the order of their moves.
    Reached,
}

/// Searches from a state to the goal. `None` when the heuristic has no bound for it.
pub(crate) fn search<S: Space>(space: &S, state: &State, request: &Request<'_>, end: End) -> Option<Outcome> {
    with_graph!(space, state, graph => {
        timed(state, request, |clock, effort| run(&graph, request, end, (clock, effort)))
    })
}

type Ended = Result<Found, (Limit, u32)>;

fn run<G: Graph>(graph: &G, request: &Request<'_>, end: End, (clock, effort): (&mut Clock<'_>, &mut Effort)) -> Ended {
    let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
    let mut memory = Memory::new(request.limits.memory);
    let bound_of = |&(node, ref data): &(G::Key, G::Data)| graph.cost(node, data);
    let root_bound = if graph.is_admissible() { graph.roots().iter().map(bound_of).min().unwrap_or(0) } else { 0 };
    let mut side = Side::new(graph, weight, &mut memory).map_err(|limit| (limit, root_bound))?;
    let mut search = Search {
        side: &mut side,
        weight,
        wanted: request.wanted,
        end,
        most_moves: request.limits.length.filter(|_| weight == Weight::ONE && graph.is_admissible()),
        reached: None,
        last: None,
        at_least: 0,
    };
    let ended = search.run(clock, effort, &mut memory);
    let (reached, at_least) = (search.reached, search.at_least().max(root_bound));
    effort.peak_nodes = side.store.len;
    effort.peak_bytes = memory.peak;
    effort.heuristic_time = side.heuristic_time();
    ended.map_err(|limit| (limit, if graph.is_admissible() { at_least } else { 0 }))?;
    let (target, length) = reached.expect("a state that can be solved is");
    let optimal = weight == Weight::ONE && graph.is_admissible();
    if request.wanted == Wanted::First {
        return Ok(Found::one(G::METRIC, &slides_of(side.path_to(target)), request.wanted, optimal));
    }
    let paths = Paths { graph: graph.back(), moves_to: &|state| side.store.mark(state).map(store::Mark::moves) };
    let solutions = paths.kept(length, request.wanted);
    Ok(Found { length, solutions, count: paths.count(length), optimal })
}

struct Search<'s, 'a, G: Graph> {
    side: &'s mut Side<'a, G>,
    weight: Weight,
    wanted: Wanted,
    end: End,
    /// The search ends when every solution is proven to be longer.
    most_moves: Option<u32>,
    /// The target that the best solution so far ends at, and its moves.
    reached: Option<(G::Key, u32)>,
    /// The nodes that were expanded last, perhaps in part.
    last: Option<Key>,
    /// With the weight 1, every solution has as many moves.
    at_least: u32,
}

impl<G: Graph> Search<'_, '_, G> {
    fn run(&mut self, clock: &mut Clock<'_>, effort: &mut Effort, memory: &mut Memory) -> Result<(), Limit> {
        let graph = self.side.graph;
        while let Some(key) = self.side.queue.first() {
            if self.is_over(&key) {
                break;
            }
            if self.weight == Weight::ONE && key.at_least() > self.at_least {
                self.at_least = key.at_least();
            }
            if self.most_moves.is_some_and(|most| self.at_least > most) {
                return Err(Limit::Length);
            }
            let raised = key.value.checked_div(u64::from(self.weight.of_move()));
            clock.raise(raised.unwrap_or(0) as u32, effort);
            clock.look(effort)?;
            self.last = Some(key);
            let reached = &mut self.reached;
            self.side.expand(&key, clock.nodes_left(effort), effort, memory, |state, _, moves| {
                // Of several targets, each may be reached by a path of its own.
                if graph.is_target(state) && reached.is_none_or(|(target, best)| target == state || moves < best) {
                    *reached = Some((state, moves));
                }
            })?;
        }
        Ok(())
    }

    /// Whether nothing that is wanted is left, when nodes of this key are the best.
    fn is_over(&self, best: &Key) -> bool {
        let Some((_, length)) = self.reached else { return false };
        let value = u64::from(length) * u64::from(self.weight.of_move());
        match (self.end, self.wanted) {
            (End::Reached, _) => true,
            (End::Proven, Wanted::First) => best.value >= value,
            (End::Proven, _) => best.value > value,
        }
    }

    /// Every solution has at least this many moves, if the heuristic is admissible: a shortest one goes through some open node
    /// to which it is a shortest path, or the nodes that were being expanded. Nothing is known when nodes are expanded once only.
    fn at_least(&self) -> u32 {
        if self.weight == Weight::BOUND_ALONE {
            return 0;
        }
        let open = self.side.queue.keys().chain(&self.last).map(Key::at_least).min();
        self.at_least.max(open.unwrap_or(0)).min(self.reached.map_or(u32::MAX, |(_, length)| length))
    }
}
