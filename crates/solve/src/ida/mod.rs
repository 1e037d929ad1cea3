//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back wherever moves made plus moves surely needed exceed a bound. The first bound is
//! the root's; each next one is the smallest value that exceeded the last. The first solution found is a shortest one.
//!
//! When one solution is wanted, an [`Automaton`] keeps the search from moves that lead where it has been or will be anyway.
//! When all are wanted, only the last move is never taken back. Large iterations are searched by several threads, which
//! share their work; the length of the solution does not depend on that. Where the heuristic has its answers far away, many
//! nodes are searched at a time. [`Order::Plain`] searches as the papers do.

mod depth_first;
mod path;
mod team;
mod worker;

use std::sync::Mutex;
use std::time::Instant;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Direction, Size, Slide, Square, State};

use crate::algorithm::Algorithm;
use crate::automaton::Automaton;
use crate::request::{Bound, Effort, Limit, Limited, Order, Outcome, Progress, Request, Solved, Wanted, Weight};
use crate::sample::Samples;
use crate::tiles::Tiles;
use crate::watch::BETWEEN_REPORTS;
use depth_first::DepthFirst;
use path::Path;
use team::{Found, Tally, Team};
use worker::Worker;

/// An iteration is worth several threads when the one before had so many nodes: about two milliseconds.
const NODES_FOR_THREADS: u64 = 30_000;

/// More nodes than can be generated.
const NO_LIMIT: u64 = u64::MAX / 2;

/// Iterative-deepening A\*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ida;

impl Algorithm for Ida {
    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        search(heuristic, state, request)
    }
}

/// Searches from a state to the goal. `None` when the heuristic has no bound for it.
///
/// The directions of the solutions are those of the state's frame.
pub fn search<H: Heuristic>(heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
    let started = Instant::now();
    let root = heuristic.root(state)?;
    let root_cost = heuristic.cost(&root);
    let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
    let automaton = if request.wanted == Wanted::First && request.automaton {
        Automaton::of(state.size())
    } else {
        Automaton::of_last_move(state.size())
    };
    let mut search = Search {
        heuristic,
        automaton,
        state,
        root,
        request,
        weight,
        started,
        next_report: Mutex::new(started + BETWEEN_REPORTS),
        bound: u64::from(root_cost) * u64::from(weight.of_bound()),
        done: Vec::new(),
        effort: Effort { generated: 1, peak_nodes: 1, ..Effort::default() },
        samples: Samples::default(),
    };
    let (mut found, limit) = if root_cost == 0 && state.is_solved() {
        (Found { length: 0, count: 1, solutions: vec![Vec::new()] }, None)
    } else {
        search.run()
    };
    search.effort.heuristic_time = search.samples.time_of(search.effort.generated);
    search.effort.time = started.elapsed();
    let (effort, optimal) = (search.effort, weight == Weight::ONE && heuristic.is_admissible());
    // Threads find them in any order.
    found.solutions.sort_unstable();
    if !request.wanted.keeps(0) {
        found.solutions.clear();
    }
    Some(match limit {
        None => {
            let Found { length, count, solutions } = found;
            Outcome::Solved(Solved { length, solutions, count, optimal, effort })
        }
        Some(limit) => {
            let at_least = match (heuristic.is_admissible(), weight) {
                (false, _) => 0,
                // Everything below the bound has been searched.
                (true, Weight::ONE) => search.moves_of_bound(),
                (true, _) => root_cost,
            };
            Outcome::Limited(Limited { limit, at_least, effort })
        }
    })
}

struct Search<'a, H: Heuristic> {
    heuristic: &'a H,
    automaton: &'a Automaton,
    state: &'a State,
    root: H::Node,
    request: &'a Request<'a>,
    weight: Weight,
    started: Instant,
    next_report: Mutex<Instant>,
    bound: u64,
    /// The iterations so far.
    done: Vec<Bound>,
    effort: Effort,
    samples: Samples,
}

/// What an iteration is about; the same for all threads.
struct Iteration<'a, H, B> {
    heuristic: &'a H,
    automaton: &'a Automaton,
    size: Size,
    neighbours: [[Square; 4]; 32],
    goal: B,
    /// Where the blank belongs: tile 0 looks like no tile, so that the tiles alone do not tell.
    home: Square,
    /// The largest cost that a node may have, by how many moves were made; negative where none may.
    most: Vec<i32>,
    /// The bound, and what a move made and a move to be made count.
    bound: u64,
    unit: u32,
    weight: u32,
    /// Whether these two differ.
    is_weighted: bool,
    /// Whether the search goes first where the goal seems near, because it is weighted and fast.
    is_greedy: bool,
}

impl<H, B: Tiles> Iteration<'_, H, B> {
    /// The slide that lets the blank move in a direction.
    #[inline(always)]
    fn slide(&self, tiles: B, blank: Square, way: usize) -> Slide {
        let from = self.neighbours[blank.index() % 32][way];
        Slide { tile: tiles.tile(from), from, to: blank }
    }

    /// The slides that the automaton allows in one of its states.
    fn slides(&self, tiles: B, blank: Square, state: u16) -> impl Iterator<Item = Slide> {
        let ways = self.automaton.next(state).iter().enumerate();
        let allowed = ways.filter(|&(_, &next)| next != Automaton::FORBIDDEN);
        allowed.map(move |(way, _)| self.slide(tiles, blank, way))
    }

    /// The bound that would not turn back at a node: its value. A path that is full is over, whatever its value.
    #[inline(always)]
    fn next_bound(&self, made: usize, cost: u32) -> u64 {
        let value = made as u64 * u64::from(self.unit) + u64::from(cost) * u64::from(self.weight);
        if value > self.bound { value } else { u64::MAX }
    }
}

/// The square beside each square in each direction; any where there is none. There are more squares than a board has, so that
/// no number of five bits is out of bounds.
fn neighbours(size: Size) -> [[Square; 4]; 32] {
    let mut neighbours = [[Square(0); 4]; 32];
    for square in size.squares() {
        for (way, direction) in Direction::ALL.into_iter().enumerate() {
            neighbours[square.index()][way] = size.neighbour(square, direction).unwrap_or_default();
        }
    }
    neighbours
}

/// What came of an iteration.
struct Iterated {
    found: Found,
    limit: Option<Limit>,
    next_bound: u64,
}

impl<'a, H: Heuristic> Search<'a, H> {
    fn moves_of_bound(&self) -> u32 {
        (self.bound / u64::from(self.weight.of_move())) as u32
    }

    /// Iterates until something is found or a limit is reached.
    fn run(&mut self) -> (Found, Option<Limit>) {
        loop {
            let generated_before = self.effort.generated;
            let iterated = if self.state.size().count() <= u64::MAX_SQUARES {
                self.iterate::<u64, 3>()
            } else {
                self.iterate::<u128, 8>()
            };
            if iterated.limit.is_some() || iterated.found.count > 0 {
                return (iterated.found, iterated.limit);
            }
            let (bound, generated) = (self.moves_of_bound(), self.effort.generated - generated_before);
            self.done.push(Bound { bound, generated });
            if iterated.next_bound == u64::MAX {
                // Only weights can lead there.
                return (iterated.found, Some(Limit::Length));
            }
            self.bound = iterated.next_bound;
        }
    }

    /// Searches everything up to the bound, the way that is fastest.
    fn iterate<B: Tiles, const WORDS: usize>(&mut self) -> Iterated {
        if H::IS_FAR && self.request.order == Order::Fast {
            // Paths take room in every node; few are long.
            return match self.moves_of_bound() as usize {
                moves if moves < Path::<WORDS>::MOST => self.iterate_in_batches::<B, WORDS>(),
                _ => self.iterate_in_batches::<B, 32>(),
            };
        }
        self.iterate_depth_first::<B>()
    }

    /// Searches many nodes at a time.
    fn iterate_in_batches<B: Tiles, const WORDS: usize>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(Path::<WORDS>::MOST);
        let root = worker::Node::<_, B, WORDS>::root(self.root, self.state, self.automaton.start(self.state.blank()));
        self.share(root, |team| Worker::new(&iteration, team, &root).run())
    }

    /// Searches a node at a time.
    fn iterate_depth_first<B: Tiles>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(depth_first::MOST_MOVES);
        let root = depth_first::Node::root(self.root, self.state, self.automaton.start(self.state.blank()));
        self.share(root, |team| DepthFirst::new(&iteration, team).run())
    }

    /// What the next iteration is about. It follows paths of fewer than `most_moves` moves.
    fn iteration<B: Tiles>(&self, most_moves: usize) -> Iteration<'a, H, B> {
        let Search { heuristic, automaton, state, request, weight, bound, .. } = *self;
        let most = (0..most_moves as u64).map(|made| {
            let left = bound.checked_sub(made * u64::from(weight.of_move()));
            left.map_or(-1, |left| (left / u64::from(weight.of_bound())).try_into().unwrap_or(i32::MAX))
        });
        Iteration {
            heuristic,
            automaton,
            size: state.size(),
            neighbours: neighbours(state.size()),
            goal: B::of(&State::solved(state.size(), state.home())),
            home: state.home(),
            // A node whose path is full has no children.
            most: most.chain([-1]).collect(),
            bound,
            unit: weight.of_move(),
            weight: weight.of_bound(),
            is_weighted: weight != Weight::ONE,
            is_greedy: weight != Weight::ONE && request.order == Order::Fast,
        }
    }

    /// Has an iteration searched by as many threads as are worth it.
    fn share<N: Send>(&mut self, root: N, work: impl Fn(&Team<'_, N>) -> Tally + Sync) -> Iterated {
        let large = self.done.last().is_some_and(|last| last.generated >= NODES_FOR_THREADS);
        let threads = if large && self.request.order == Order::Fast { self.request.threads.get() } else { 1 };
        let report = |generated: u64| self.report(generated);
        let team = self.team(threads, root, &report);
        let tallies = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&team))).collect();
            let mut tallies = vec![work(&team)];
            tallies.extend(
                others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
            );
            tallies
        });
        let (found, limit, generated) = team.end();
        let effort = &mut self.effort;
        effort.generated += generated;
        effort.expanded += tallies.iter().map(|tally| tally.expanded).sum::<u64>();
        effort.peak_nodes = effort.peak_nodes.max(tallies.iter().map(|tally| tally.peak_nodes).sum());
        effort.peak_bytes = effort.peak_bytes.max(tallies.iter().map(|tally| tally.peak_bytes).sum());
        tallies.iter().for_each(|tally| self.samples.add(tally.samples));
        let next_bound = tallies.iter().map(|tally| tally.next_bound).min().unwrap_or(u64::MAX);
        Iterated { found, limit, next_bound }
    }

    /// Those who search an iteration.
    fn team<'t, N>(&'t self, workers: usize, root: N, report: &'t (dyn Fn(u64) + Sync)) -> Team<'t, N> {
        let allowed = self.request.limits.nodes.map_or(NO_LIMIT, |most| most.saturating_sub(self.effort.generated));
        Team::new(workers, root, self.request.wanted, (&self.request.limits, self.started), allowed, report)
    }

    /// Tells whoever watches how many nodes the iteration has so far, if it is time.
    fn report(&self, generated_in_bound: u64) {
        let Some(watch) = self.request.watch else { return };
        // Another thread may be telling just now.
        let Ok(mut next_report) = self.next_report.try_lock() else { return };
        let now = Instant::now();
        if now >= *next_report {
            *next_report = now + BETWEEN_REPORTS;
            watch(&Progress {
                bound: self.moves_of_bound(),
                generated: self.effort.generated + generated_in_bound,
                generated_in_bound,
                time: self.started.elapsed(),
                done: &self.done,
            });
        }
    }
}
