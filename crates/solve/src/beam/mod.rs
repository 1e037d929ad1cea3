//! Beam search: of the states at each depth only the best are kept.
//!
//! Depth by depth all children of the states that were kept are generated, each state once, and the best of them are kept: at most as
//! many as the beam is [wide](Request::width). The first time the goal is met the search ends. (The idea is Lowerre's, for
//! recognising speech, 1976; Furcy & Koenig 2005 use it for puzzles.)
//!
//! All states of a depth have the same moves behind them, so that they are compared by what is ahead of them alone: by their
//! [rank](Graph::rank), which need not be a bound. The stages of a sum of tables see the same board through several views, and the
//! rank of a state counts all of them: by the larger one alone beams of the same width find longer solutions (`docs/anytime.md`).
//!
//! **Cost.** Time and memory grow with the width and with the length of the solution, and nothing else: about a kilobyte for each
//! state of the width on 5×5. Wide beams are divided among threads; what is found does not depend on how many these are.
//!
//! **What is promised.** Nothing of the length, unless no state was ever dropped: then it was a breadth-first search, and the solution is
//! a shortest one. With a limit of [length](crate::Limits::length) states are left out that are too far from the goal by their bound.

mod layer;

use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::clock::{Clock, Found, timed};
use crate::request::{Effort, Limit, Outcome, Request};
use crate::sample::Samples;
use crate::space::graph::{Graph, slides_of};
use crate::space::{Space, with_graph};
use layer::{Children, Layer, Origin};

/// Longer solutions are not followed.
const MOST_MOVES: u32 = 1000;

/// A layer of fewer states is not worth several threads.
const STATES_FOR_THREADS: usize = 1 << 16;

/// Beam search: sooner there the narrower it is, and by a longer way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Beam;

impl Algorithm for Beam {
    fn about(&self) -> SearchAbout {
        SearchAbout::new(
            "beam",
            "only the best states of each depth: soon there, by a short way if the --width is large",
        )
        .without_weight()
        .finding_one()
        .keeping_nodes()
        .without_promise()
    }

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        with_graph!(space, state, graph => {
            timed(state, request, |clock, effort| run(&graph, request, (clock, effort)))
        })
    }
}

/// What stays the same for all depths.
struct Search<'a, G: Graph> {
    graph: &'a G,
    /// Solutions may have this many moves.
    most_moves: u32,
    clock: &'a Clock<'a>,
}

fn run<G: Graph>(
    graph: &G,
    request: &Request<'_>,
    (clock, effort): (&mut Clock<'_>, &mut Effort),
) -> Result<Found, (Limit, u32)> {
    let roots = graph.roots();
    let cost = roots.iter().map(|(node, data)| graph.cost(*node, data)).min().unwrap_or(0);
    let root_bound = if graph.is_admissible() { cost } else { 0 };
    let most_moves = request.limits.length.unwrap_or(MOST_MOVES).min(MOST_MOVES);
    let most_threads = if request.width.get() < STATES_FOR_THREADS { 1 } else { request.threads.get() };
    clock.share(most_threads);
    let search = Search { graph, most_moves, clock };
    let most_bytes = request.limits.memory.unwrap_or(u64::MAX);
    let expected_moves = request.limits.length.unwrap_or(2 * cost).min(most_moves);
    if layer::bytes_for(graph, request.width.get(), expected_moves) > most_bytes {
        return Err((Limit::Memory, root_bound));
    }
    let mut children = Children::<G>::new(request.width.get());
    let mut layer = Layer::<G>::new(request.width.get(), roots);
    // By depth, where each state of the beam came from.
    let mut origins: Vec<Vec<Origin>> = Vec::new();
    let mut samples = Samples::default();
    let mut was_cut = false;
    let limited = |limit| (limit, root_bound);
    for depth in 1..=most_moves {
        if layer.most_children(graph) > clock.nodes_left(effort) {
            return Err(limited(Limit::Nodes));
        }
        let threads = if layer.len() < STATES_FOR_THREADS { 1 } else { most_threads };
        layer.sample(graph, &mut samples);
        effort.expanded += layer.len() as u64;
        let expanded = children.expand(&layer, &search, depth, threads, effort.generated).map_err(limited)?;
        effort.generated += expanded.generated;
        let path_bytes = origins.iter().map(|origins| size_of_val(origins.as_slice()) as u64).sum::<u64>();
        effort.peak_nodes = effort.peak_nodes.max((layer.len() + children.len()) as u64);
        effort.peak_bytes = effort.peak_bytes.max(layer.bytes() + children.bytes() + path_bytes);
        effort.heuristic_time = samples.time_of(effort.generated);
        if let Some(origin) = expanded.goal {
            let optimal = !was_cut && graph.is_admissible();
            return Ok(Found::one(G::METRIC, &slides_of(path::<G>(&origins, origin)), request.wanted, optimal));
        }
        if effort.peak_bytes > most_bytes {
            return Err(limited(Limit::Memory));
        }
        was_cut |= children.select(&mut layer, threads);
        if layer.len() == 0 {
            break;
        }
        origins.push(layer.origins());
    }
    // Where nothing was dropped, all solutions of so many moves would have been met.
    let at_least = if was_cut || !graph.is_admissible() { root_bound } else { root_bound.max(most_moves + 1) };
    Err((Limit::Length, at_least))
}

/// The moves from the start to a node that was reached from the last of these depths.
fn path<G: Graph>(origins: &[Vec<Origin>], last: Origin) -> Vec<G::Move> {
    let before = origins.iter().rev().scan(last, |origin, depth| {
        *origin = depth[origin.parent::<G::Move>()];
        Some(*origin)
    });
    let mut path: Vec<G::Move> = [last].into_iter().chain(before).filter_map(Origin::made).collect();
    path.reverse();
    path
}
