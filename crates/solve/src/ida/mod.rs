//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back wherever moves made plus moves surely needed exceed a bound. The first bound is
//! the root's; each next one is the smallest value that exceeded the last. The first solution found is a shortest one.
//!
//! When one solution is wanted, an [`Automaton`] keeps the search from moves that lead where it has been or will be anyway.
//! When all are wanted, only the last move is never taken back. Large iterations are searched by several threads, which
//! share their work; the length of the solution does not depend on that. Where the heuristic has its answers far away, many
//! nodes are searched at a time. [`Order::Plain`] searches as the papers do.

mod cut;
mod depth_first;
mod iteration;
mod path;
mod team;
mod worker;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::automaton::Automaton;
use crate::checkpoint::{BoundDone, Checkpoint, CutBound, Kept, KeptSolution};
use crate::clock::{Clock, Found};
use crate::packed::{Moves, Packed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted, Weight};
use crate::sample::Samples;
use cut::Cut;
use depth_first::DepthFirst;
use iteration::{Iteration, most_costs};
use path::Path;
use team::{Ended, Tally, Team, Work, on_threads};
use worker::Worker;

/// An iteration is worth several threads when the one before had this many nodes: about two milliseconds.
const NODES_FOR_THREADS: u64 = 30_000;

/// Words of the paths of nodes that are searched in batches: no board of 4×4 needs more than 80 moves, and none of 5×5 that
/// anybody can solve more than 127. Paths take room in every node.
const SHORT: usize = 3;
const LONG: usize = 4;

/// Iterative-deepening A\*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ida {
    /// In which order nodes are searched.
    pub order: Order,
    /// Whether moves are left out that lead where other moves lead as well. Without that a search does the same with more nodes.
    pub automaton: bool,
}

/// In which order nodes are searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Order {
    /// Many nodes at a time, on all threads.
    Fast,
    /// Depth first, a node at a time, in the order up, left, right, down: slower, but with the nodes that papers count.
    Plain,
}

impl Ida {
    /// As fast as it gets: what is used unless something else is asked for.
    pub const FAST: Ida = Ida { order: Order::Fast, automaton: true };

    /// As in the papers, with the nodes that they count.
    pub const PLAIN: Ida = Ida { order: Order::Plain, automaton: false };
}

impl Default for Ida {
    fn default() -> Ida {
        Ida::FAST
    }
}

impl Algorithm for Ida {
    fn about(&self) -> SearchAbout {
        if *self == Ida::PLAIN {
            SearchAbout::new("ida-plain", "the same as in the papers: a node at a time, with the nodes that they count")
                .weighted("weighted-ida", "ida-plain with a --weight: sooner there, by a longer way")
                .with_bounds()
        } else {
            SearchAbout::new("ida", "iterative-deepening A*, on all threads").with_bounds()
        }
    }

    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let clock = Clock::new(request);
        let root = heuristic.root(state)?;
        let root_cost = heuristic.cost(&root);
        let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
        // What the caller knows was proven by weighing nothing.
        let known = if weight == Weight::ONE { root_cost.max(request.at_least) } else { root_cost };
        let mut search = Search {
            heuristic,
            uses_automaton: request.wanted == Wanted::First && self.automaton,
            state,
            root,
            order: self.order,
            request,
            weight,
            clock,
            bound: u64::from(known) * u64::from(weight.of_bound()),
            generated_last: 0,
            kept: request.keep.map(Kept::new),
            effort: Effort { generated: 1, peak_nodes: 1, ..Effort::default() },
            samples: Samples::default(),
        };
        let ended = if root_cost == 0 && state.is_solved() {
            Ok(Found::one(&[], request.wanted, false))
        } else {
            search.run()
        };
        let is_admissible = heuristic.is_admissible();
        let at_least = match (is_admissible, weight) {
            (false, _) => 0,
            // Everything below the bound has been searched.
            (true, Weight::ONE) => search.moves_of_bound(),
            (true, _) => root_cost,
        };
        let Search { clock, mut effort, samples, .. } = search;
        effort.heuristic_time = samples.time_of(effort.generated);
        let optimal = weight == Weight::ONE && is_admissible;
        let ended = ended.map(|found| Found { optimal, ..found }).map_err(|limit| (limit, at_least));
        Some(clock.end(effort, ended))
    }
}

struct Search<'a, H: Heuristic> {
    heuristic: &'a H,
    uses_automaton: bool,
    state: &'a State,
    root: H::Node,
    order: Order,
    request: &'a Request<'a>,
    weight: Weight,
    clock: Clock<'a>,
    bound: u64,
    /// Nodes of the iteration before.
    generated_last: u64,
    kept: Option<Kept<'a>>,
    effort: Effort,
    samples: Samples,
}

struct Iterated {
    found: Found,
    limit: Option<Limit>,
    next_bound: u64,
    /// Whether everything up to the bound was searched.
    is_complete: bool,
}

impl<'a, H: Heuristic> Search<'a, H> {
    fn moves_of_bound(&self) -> u32 {
        (self.bound / u64::from(self.weight.of_move())) as u32
    }

    /// Iterates until something is found or a limit is reached.
    fn run(&mut self) -> Result<Found, Limit> {
        self.go_on();
        loop {
            let is_too_long = |most: u32| self.weight == Weight::ONE && self.moves_of_bound() > most;
            if self.request.limits.length.is_some_and(is_too_long) {
                return Err(Limit::Length);
            }
            let before = self.effort;
            self.clock.raise(self.moves_of_bound(), &self.effort);
            let iterated = self.iterate();
            let (generated, expanded) =
                (self.effort.generated - before.generated, self.effort.expanded - before.expanded);
            if iterated.is_complete {
                self.effort.generated_complete += generated;
                self.keep(BoundDone {
                    bound: self.moves_of_bound(),
                    next: iterated.next_bound.try_into().unwrap_or(u32::MAX),
                    generated,
                    expanded,
                }, iterated.found.count > 0);
            } else if let Some(kept) = &self.kept {
                kept.change(true, |_| ());
            }
            if let Some(limit) = iterated.limit {
                return Err(limit);
            }
            if iterated.found.count > 0 {
                return Ok(iterated.found);
            }
            if iterated.next_bound == u64::MAX {
                // Only weights can lead there.
                return Err(Limit::Length);
            }
            self.generated_last = generated;
            self.bound = iterated.next_bound;
        }
    }

    /// Goes on after the bounds that were searched before this search began.
    fn go_on(&mut self) {
        let Some(kept) = &self.kept else { return };
        let bounds = kept.now().bounds;
        // What belongs to another search is of no use; whoever keeps it has compared more than this.
        let follows = |bound: &mut u64, done: &BoundDone| {
            let follows = u64::from(done.bound) == *bound && done.next > done.bound;
            *bound = done.next.into();
            Some(follows)
        };
        if bounds.iter().scan(self.bound, follows).any(|follows| !follows) {
            kept.change(false, |checkpoint| *checkpoint = Checkpoint::default());
            return;
        }
        for done in bounds {
            self.clock.raise(done.bound, &self.effort);
            self.clock.go_on_from(done.generated);
            self.effort.generated += done.generated;
            self.effort.generated_complete += done.generated;
            self.effort.expanded += done.expanded;
            self.generated_last = done.generated;
            self.bound = done.next.into();
        }
    }

    /// Has a bound kept that is done. One with a solution stays as it is, so that a search that goes on finds the solution there.
    fn keep(&self, done: BoundDone, is_solved: bool) {
        let Some(kept) = &self.kept else { return };
        kept.change(true, |checkpoint| {
            if !is_solved {
                checkpoint.bounds.push(done);
                checkpoint.cut = None;
            }
        });
    }

    /// Searches everything up to the bound, by whatever is fastest.
    ///
    /// Each instance of a [`Worker`] is compile time for everybody, so that there is one for each heuristic: its nodes have the
    /// board in 64 bits if that is enough for every board that the heuristic can be for, and paths as long as shortest
    /// solutions are. Longer ones, which only weights and narrow boards need, are searched depth first.
    fn iterate(&mut self) -> Iterated {
        let moves = self.moves_of_bound() as usize;
        if H::IS_FAR && self.order == Order::Fast && self.heuristic.is_far() {
            if H::MOST_SQUARES <= u64::MAX_SQUARES {
                if moves < Path::<SHORT>::MOST {
                    return self.iterate_in_batches::<u64, SHORT>();
                }
            } else if moves < Path::<LONG>::MOST {
                return self.iterate_in_batches::<u128, LONG>();
            }
        }
        if H::MOST_SQUARES <= u64::MAX_SQUARES || self.state.size().count() <= u64::MAX_SQUARES {
            self.iterate_depth_first::<u64>()
        } else {
            self.iterate_depth_first::<u128>()
        }
    }

    fn iterate_in_batches<B: Packed, const WORDS: usize>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(Path::<WORDS>::MOST);
        let root = self.root_of_tree(&iteration);
        let work = self.work(&iteration, root, |node| worker::Node::<_, B, WORDS>::from(node));
        self.share(work, |team| Worker::new(&iteration, team, &worker::Node::from(&root)).run())
    }

    fn iterate_depth_first<B: Packed>(&mut self) -> Iterated {
        let iteration = self.iteration::<B>(depth_first::MOST_MOVES);
        let root = self.root_of_tree(&iteration);
        let work = self.work(&iteration, root, |node| *node);
        self.share(work, |team| DepthFirst::new(&iteration, team).run())
    }

    fn root_of_tree<B: Packed>(&self, iteration: &Iteration<'_, H, B>) -> depth_first::Node<H::Node, B> {
        depth_first::Node::root(self.root, self.state, iteration.automaton.start(self.state.blank()))
    }

    /// The work of an iteration: its root, or, when it is large and somebody keeps what is done, the units that are not done.
    fn work<B: Packed, N>(
        &mut self,
        iteration: &Iteration<'_, H, B>,
        root: depth_first::Node<H::Node, B>,
        node: impl Fn(&depth_first::Node<H::Node, B>) -> N,
    ) -> Work<N> {
        let in_units = self.kept.as_ref().and_then(|kept| {
            let enough = cut::units_for(self.generated_last, kept.nodes_of_unit())?;
            Some((kept, enough))
        });
        let Some((kept, enough)) = in_units else {
            return Work { units: None, nodes: vec![node(&root)], solution: None, next_bound: u64::MAX };
        };
        let cut = Cut::new(iteration, root, enough);
        let (bound, generated) = (self.moves_of_bound(), self.effort.generated);
        let now = kept.change(false, |checkpoint| {
            let is_this_one = |known: &CutBound| known.bound == bound && known.done.len() == cut.units.len();
            if !checkpoint.cut.as_ref().is_some_and(is_this_one) {
                checkpoint.cut = Some(CutBound {
                    bound,
                    done: vec![false; cut.units.len()],
                    generated: cut.generated,
                    expanded: cut.expanded,
                    next: u32::try_from(cut.next_bound).ok(),
                    solution: cut.solution.map(|moves| KeptSolution { moves, generated: generated + cut.generated }),
                });
            }
            checkpoint.cut.clone().expect("it was there or has been put there")
        });
        self.clock.go_on_from(now.generated);
        self.clock.cut(now.units_done(), now.done.len());
        self.effort.generated += now.generated;
        self.effort.expanded += now.expanded;
        let left = |unit: &usize| !now.done[*unit];
        // They are taken from the end.
        let units: Vec<usize> = (0..cut.units.len()).filter(left).rev().collect();
        Work {
            nodes: units.iter().map(|&unit| node(&cut.units[unit])).collect(),
            units: Some(units),
            solution: now.solution,
            next_bound: now.next.map_or(u64::MAX, u64::from),
        }
    }

    /// What the next iteration is about. It follows paths of fewer than `most_moves` moves.
    fn iteration<B: Packed>(&self, most_moves: usize) -> Iteration<'a, H, B> {
        let Search { heuristic, state, order, weight, bound, .. } = *self;
        let automaton = if self.uses_automaton {
            Automaton::of_iteration(state.size(), self.generated_last)
        } else {
            Automaton::of_last_move(state.size())
        };
        Iteration {
            heuristic,
            automaton,
            moves: Moves::new(state.size(), state.home()),
            most: most_costs(bound, weight, most_moves),
            bound,
            unit: weight.of_move(),
            weight: weight.of_bound(),
            is_weighted: weight != Weight::ONE,
            is_greedy: weight != Weight::ONE && order == Order::Fast,
        }
    }

    /// Has an iteration searched by as many threads as are worth it.
    fn share<N: Send>(&mut self, work: Work<N>, search: impl Fn(&Team<'_, N>) -> Tally + Sync) -> Iterated {
        let is_large = self.generated_last >= NODES_FOR_THREADS;
        let threads = if is_large && self.order == Order::Fast { self.request.threads.get() } else { 1 };
        self.clock.share(threads);
        let next_bound = work.next_bound;
        let team = Team::new(threads, work, self.request, &self.clock, self.kept.as_ref(), &self.effort);
        let tally = on_threads(threads, &|| search(&team));
        let Ended { found, limit, is_complete, generated_to_first } = team.end();
        let effort = &mut self.effort;
        effort.generated += tally.generated;
        effort.generated_to_first = generated_to_first;
        effort.expanded += tally.expanded;
        effort.peak_nodes = effort.peak_nodes.max(tally.peak_nodes);
        effort.peak_bytes = effort.peak_bytes.max(tally.peak_bytes);
        self.samples.add(tally.samples);
        Iterated { found, limit, next_bound: tally.next_bound.min(next_bound), is_complete }
    }
}
