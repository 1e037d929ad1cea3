//! Bidirectional search: NBS, near-optimal bidirectional search (Chen, Holte, Zilles & Sturtevant 2017, "Front-to-End
//! Bidirectional Heuristic Search with Near-Optimal Node Expansions").
//!
//! One A\*-like search goes forward from the start, another backward from the goal. For open nodes u of the one and v of the
//! other, a solution through both has at least
//!
//! > lb(u, v) = max(f→(u), f←(v), g→(u) + g←(v) + 1)
//!
//! moves, as at least one move is between them. NBS takes a pair with the smallest lb, and expands both. When that smallest lb
//! is not below the length of a solution that was found, it is shortest.
//!
//! **Why it is shortest.** (After the paper.) Take a shortest solution, of C\* moves. Let u be the first state on it that
//! the forward search has not expanded with its true g→, and v the last that the backward search has not with its true g←. Both
//! are open with these. If u is before v, then lb(u, v) ≤ C\*: f→(u) and f←(v) are at most C\* as both heuristics are
//! admissible, and the moves add up. Otherwise there is a state that both searches know with its true g; a solution of C\*
//! moves was found when the second of them came there. So the smallest lb never exceeds C\* before such a solution is found.
//! The argument needs no consistency, as states are opened again when a shorter path to them is found. The paper also proves
//! that with consistent heuristics it expands at most twice as many nodes as any search of this kind needs; here nodes of a kind
//! are expanded in batches, which adds at most a batch on each side.
//!
//! **Heuristics.** Forward it is the one that is given. Backward, bounds on the moves to the *start* are needed, which tables for
//! the goal do not have. There it is always the Manhattan distance to the start: the sum of the distances of all tiles from
//! where they stood. It is admissible for every start, and the proof asks nothing more of the pair. It is easy to compute from
//! slide to slide.
//!
//! **Cost.** Memory as [`Astar`](crate::Astar), for both searches together. It helps where the heuristic is weak.

use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_puzzle::{Direction, Metric, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::best_first::queue::{Key, Queue};
use crate::best_first::side::Side;
use crate::best_first::store::{Mark, Memory};
use crate::clock::{Clock, Found, timed};
use crate::packed::{Moves, Packed};
use crate::request::{Effort, Limit, Outcome, Request, Weight};

/// Bidirectional search by NBS. Backward it always uses the Manhattan distance to the start. Finds one solution; a weight
/// changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nbs;

impl Algorithm for Nbs {
    fn about(&self) -> SearchAbout {
        SearchAbout::new("bidirectional", "A* from both ends (NBS) until they provably met on a shortest way")
            .without_weight()
            .finding_one()
            .keeping_nodes()
    }

    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let run = if state.size().count() <= u64::MAX_SQUARES { run::<u64, H> } else { run::<u128, H> };
        let root = heuristic.root(state)?;
        Some(timed(state, request, |clock, effort| run((heuristic, root), state, request, clock, effort)))
    }
}

/// The shortest solution so far: a state that both searches know, and the moves through it.
type Meeting<W> = Option<(W, u32)>;

fn run<W: Packed, H: Heuristic>(
    (heuristic, root): (&H, H::Node),
    state: &State,
    request: &Request<'_>,
    clock: &mut Clock<'_>,
    effort: &mut Effort,
) -> Result<Found, (Limit, u32)> {
    let moves = Moves::<W>::new(state.size(), state.home());
    let goal = State::solved(state.size(), state.home());
    let to_start = Manhattan::to(state);
    let from_goal = to_start.root(&goal).expect("every state has one");
    let is_admissible = heuristic.is_admissible();
    let lower = if is_admissible { heuristic.cost(&root).max(from_goal) } else { from_goal };
    let mut memory = Memory::new(request.limits.memory);
    let no_room = |limit| (limit, lower);
    let mut forward = Side::new((heuristic, root), &moves, state, Weight::ONE, &mut memory).map_err(no_room)?;
    let mut backward = Side::new((&to_start, from_goal), &moves, &goal, Weight::ONE, &mut memory).map_err(no_room)?;
    // The goal is a node too.
    effort.generated += 1;
    let mut search = Search { forward: &mut forward, backward: &mut backward, lower, meeting: None };
    let ended = search.run(clock, effort, &mut memory);
    let (lower_in_the_end, meeting) = (search.lower, search.meeting);
    effort.peak_nodes = forward.store.len + backward.store.len;
    effort.peak_bytes = memory.peak;
    effort.heuristic_time = forward.heuristic_time() + backward.heuristic_time();
    // With a heuristic that may be wrong, only the backward one has proven anything.
    ended.map_err(|limit| (limit, if is_admissible { lower_in_the_end } else { lower }))?;
    let (state, _) = meeting.expect("a state that can be solved is");
    let mut path = forward.path_to(state);
    path.extend(backward.path_to(state).into_iter().rev().map(Direction::opposite));
    Ok(Found::one(Metric::Stm, &path, request.wanted, is_admissible))
}

struct Search<'s, 'a, W: Packed, H: Heuristic> {
    forward: &'s mut Side<'a, W, H>,
    backward: &'s mut Side<'a, W, Manhattan>,
    /// No pair of open nodes has a smaller lb.
    lower: u32,
    meeting: Meeting<W>,
}

impl<W: Packed, H: Heuristic> Search<'_, '_, W, H> {
    fn run(&mut self, clock: &mut Clock<'_>, effort: &mut Effort, memory: &mut Memory) -> Result<(), Limit> {
        while self.meeting.is_none_or(|(_, moves)| moves > self.lower) {
            let (ready, waiting) = look(&self.forward.queue, self.lower);
            let (ready_back, waiting_back) = look(&self.backward.queue, self.lower);
            let pair = ready.zip(ready_back);
            let between = pair.map(|(one, other)| one.moves() + other.moves() + 1);
            if let Some((one, other)) = pair.filter(|_| between <= Some(self.lower)) {
                clock.raise(self.lower, effort);
                clock.look(effort)?;
                let left = clock.nodes_left(effort);
                expand(self.forward, self.backward, &one, (left, effort, memory), &mut self.meeting)?;
                let left = clock.nodes_left(effort);
                expand(self.backward, self.forward, &other, (left, effort, memory), &mut self.meeting)?;
                continue;
            }
            let is_empty = (ready.is_none() && waiting.is_none()) || (ready_back.is_none() && waiting_back.is_none());
            match [waiting, waiting_back, between].into_iter().flatten().min() {
                Some(next) if !is_empty => self.lower = next,
                // One search has nothing left: it knows everything that could be on a shorter solution.
                _ => break,
            }
        }
        Ok(())
    }
}

/// Of all nodes whose f is not above a value, those with fewest moves made; and the next f above it.
fn look(queue: &Queue, lower: u32) -> (Option<Key>, Option<u32>) {
    let ready = queue.keys().take_while(|key| key.at_least() <= lower).min_by_key(|key| key.moves());
    let waiting = queue.first_above(u64::from(lower)).map(Key::at_least);
    (ready.copied(), waiting)
}

/// Expands nodes of one side, and notes where it meets the other.
fn expand<W: Packed, H: Heuristic, I: Heuristic>(
    side: &mut Side<'_, W, H>,
    other: &Side<'_, W, I>,
    key: &Key,
    (nodes_left, effort, memory): (u64, &mut Effort, &mut Memory),
    meeting: &mut Meeting<W>,
) -> Result<(), Limit> {
    side.expand(key, nodes_left, effort, memory, |state, hash, moves| {
        if let Some(id) = other.store.find(state, hash) {
            let both = moves + Mark::moves(other.store.node(id).mark);
            if meeting.is_none_or(|(_, best)| both < best) {
                *meeting = Some((state, both));
            }
        }
    })
}
