//! Bidirectional search: NBS, near-optimal bidirectional search (Chen, Holte, Zilles & Sturtevant 2017, "Front-to-End
//! Bidirectional Heuristic Search with Near-Optimal Node Expansions").
//!
//! One search like A\* runs forward from the start, another backward from the goal. Let u be an open node of the
//! forward search and v one of the backward search. A solution through both has at least
//!
//! > lb(u, v) = max(f→(u), f←(v), g→(u) + g←(v) + 1)
//!
//! moves, because u and v are at least one move apart. NBS expands both nodes of a pair with the smallest lb. It ends
//! when it has found a solution whose length does not exceed the smallest lb.
//!
//! **Why the solution is shortest.** (After the paper.) Take a shortest solution, of C\* moves. Let u be its first
//! state that the forward search has not expanded with its true g→. Let v be its last state that the backward search
//! has not expanded with its true g←. Both are open with these values. Suppose that u comes before v. Then lb(u, v) ≤
//! C\*: f→(u) and f←(v) are at most C\* because both heuristics are admissible, and g→(u) + 1 + g←(v) is at most the
//! number of moves of the solution. Otherwise both searches know some state of the solution with its true g, and the
//! second search to reach that state found a solution of C\* moves. So the smallest lb exceeds C\* only after a
//! solution of C\* moves has been found.
//!
//! The proof does not need consistent heuristics, because a state is opened again when a shorter path to it is found.
//! The paper also proves that, with consistent heuristics, NBS expands at most twice as many nodes as any search of
//! this kind needs. This implementation expands nodes with the same f and g in batches, which adds at most one batch on
//! each side.
//!
//! **Heuristics.** The forward search uses the given heuristic. The backward search needs lower bounds on the moves to
//! the *start*, which tables for the goal do not have. For single-tile moves it always uses the Manhattan distance to
//! the start: the sum of the distances of all tiles from their squares in the start. It is admissible for every start,
//! and the proof requires nothing else. In `mtm` there is no such bound for arbitrary starts, so the backward search
//! uses g alone.
//!
//! **Runs of tiles.** In `mtm`, a node is a state and the axis of the next move, and axes alternate. So the two
//! searches meet in the same state with different axes ([`Graph::opposite`]).
//!
//! **Cost.** Both searches together need memory as [`Astar`](crate::Astar) does. NBS is useful when the heuristic is
//! weak.

use tilebase_puzzle::{Direction, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::queue::{Key, Queue};
use crate::best_first::side::Side;
use crate::best_first::store::{Mark, Memory};
use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request, Weight};
use crate::space::Space;
use crate::space::graph::{Graph, Key as _, slides_of};

/// Bidirectional search by NBS. It finds one solution, and ignores the weight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nbs;

impl Algorithm for Nbs {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("bidirectional", "A* from both ends (NBS) until they provably met on a shortest way")
            .without_weight()
            .finding_one()
            .keeping_nodes()
    }

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let goal = State::solved(state.size(), state.home());
        let backward = S::backward(state);
        if S::is_small(state) {
            Some(search((&space.small(state, &goal)?, &backward.small(&goal, state)?), state, request))
        } else {
            Some(search((&space.large(state, &goal)?, &backward.large(&goal, state)?), state, request))
        }
    }
}

fn search<G: Graph, B: Graph<Key = G::Key>>(graphs: (&G, &B), state: &State, request: &Request<'_>) -> Outcome {
    timed(state, request, |clock, effort| run(graphs, request, clock, effort))
}

/// The shortest solution so far: a forward node that the backward search has also reached, and the length of the
/// solution.
type Meeting<K> = Option<(K, u32)>;

fn run<G: Graph, B: Graph<Key = G::Key>>(
    (ahead, back): (&G, &B),
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let is_admissible = ahead.is_admissible();
    let from_goal = least_cost(back);
    let lower = if is_admissible { least_cost(ahead).max(from_goal) } else { from_goal };
    let mut memory = Memory::new(request.limits.memory);
    let no_room = |limit| (limit, lower);
    let mut forward = Side::new(ahead, Weight::ONE, &mut memory).map_err(no_room)?;
    let mut backward = Side::new(back, Weight::ONE, &mut memory).map_err(no_room)?;
    // The goal is a node too.
    effort.generated += 1;
    let mut search = Search { forward: &mut forward, backward: &mut backward, lower, meeting: None };
    let ended = search.run(clock, effort, &mut memory);
    let (final_lower, meeting) = (search.lower, search.meeting);
    effort.peak_nodes = forward.store.len + backward.store.len;
    effort.peak_bytes = memory.peak;
    effort.heuristic_time = forward.heuristic_time() + backward.heuristic_time();
    // If the given heuristic is not admissible, only the backward heuristic gives a proven bound.
    ended.map_err(|limit| (limit, if is_admissible { final_lower } else { lower }))?;
    let (node, _) = meeting.expect("the two searches meet for every solvable state");
    let mut path = slides_of(forward.path_to(node));
    let back = slides_of(backward.path_to(ahead.opposite(node)));
    path.extend(back.into_iter().rev().map(Direction::opposite));
    Ok(Found::one(G::METRIC, &path, request.wanted, is_admissible))
}

/// The smallest heuristic value of the roots of a graph.
fn least_cost<G: Graph>(graph: &G) -> u32 {
    graph.roots().iter().map(|(node, data)| graph.cost(*node, data)).min().unwrap_or(0)
}

struct Search<'s, 'a, G: Graph, B: Graph> {
    forward: &'s mut Side<'a, G>,
    backward: &'s mut Side<'a, B>,
    /// The lower bound so far: every pair of open nodes has at least this lb.
    lower: u32,
    meeting: Meeting<G::Key>,
}

impl<G: Graph, B: Graph<Key = G::Key>> Search<'_, '_, G, B> {
    fn run(&mut self, clock: &mut Clock<'_>, effort: &mut Effort, memory: &mut Memory) -> Result<(), Limit> {
        while self.meeting.is_none_or(|(_, moves)| moves > self.lower) {
            let (ready, waiting) = look(&self.forward.queue, self.lower);
            let (ready_back, waiting_back) = look(&self.backward.queue, self.lower);
            let pair = ready.zip(ready_back);
            let between = pair.map(|(one, other)| one.moves() + other.moves() + 1);
            if let Some((one, other)) = pair.filter(|_| between <= Some(self.lower)) {
                clock.raise(self.lower, effort);
                clock.look(effort)?;
                let (graph, meeting) = (self.forward.graph, &mut self.meeting);
                let left = clock.nodes_left(effort);
                expand(self.forward, self.backward, &one, (left, effort, memory), |node, moves| {
                    *meeting = better(*meeting, (node, moves));
                })?;
                let left = clock.nodes_left(effort);
                expand(self.backward, self.forward, &other, (left, effort, memory), |node, moves| {
                    *meeting = better(*meeting, (graph.opposite(node), moves));
                })?;
                continue;
            }
            let is_empty = (ready.is_none() && waiting.is_none()) || (ready_back.is_none() && waiting_back.is_none());
            match [waiting, waiting_back, between].into_iter().flatten().min() {
                Some(next) if !is_empty => self.lower = next,
                // One search has no open nodes left, so it has expanded every state that could be on a shorter
                // solution.
                _ => break,
            }
        }
        Ok(())
    }
}

/// Among the open nodes with f ≤ `lower`, those with the smallest g; and the smallest f above `lower`.
fn look(queue: &Queue, lower: u32) -> (Option<Key>, Option<u32>) {
    let ready = queue.keys().take_while(|key| key.at_least() <= lower).min_by_key(|key| key.moves());
    let waiting = queue.first_above(u64::from(lower)).map(Key::at_least);
    (ready.copied(), waiting)
}

/// The shorter of two solutions: the known one if they are equally long.
fn better<K: Copy>(known: Meeting<K>, found: (K, u32)) -> Meeting<K> {
    known.filter(|(_, best)| *best <= found.1).or(Some(found))
}

/// Expands the nodes with a key on one side. For each child that the other side has also reached, calls `met` with the
/// child and the length of the solution through it.
fn expand<G: Graph, B: Graph<Key = G::Key>>(
    side: &mut Side<'_, G>,
    other: &Side<'_, B>,
    key: &Key,
    (nodes_left, effort, memory): (u64, &mut Effort, &mut Memory),
    mut met: impl FnMut(G::Key, u32),
) -> Result<(), Limit> {
    let graph = side.graph;
    side.expand(key, nodes_left, effort, memory, |node, _, moves| {
        let partner = graph.opposite(node);
        if let Some(id) = other.store.find(partner, partner.hash()) {
            met(node, moves + Mark::moves(other.store.node(id).mark));
        }
    })
}
