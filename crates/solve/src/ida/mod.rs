//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back wherever moves made plus moves surely needed exceed a bound. The first bound is
//! the root's; each next one is the smallest value that exceeded the last. The first solution found is a shortest one.
//!
//! When one solution is wanted, an [`Automaton`] keeps the search from moves that lead where it has been or will be anyway.
//! When all are wanted, only the last move is never taken back. Large iterations are searched by several threads, which
//! share their work; the length of the solution does not depend on that. Where the heuristic has its answers far away, many
//! nodes are searched at a time. [`Order::Plain`] searches as the papers do.
//!
//! Large iterations can be cut into units, so that what is done can be [kept](crate::Keep), and searched by other processes: those
//! of [`Helpers`](crate::Helpers), where a search like this one follows a [`Lead`](crate::Lead).

mod cut;
mod depth_first;
mod iteration;
mod mtm;
mod path;
mod team;
mod units;
mod worker;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::State;

use crate::algorithm::{Algorithm, SearchAbout};
use crate::automaton::Automaton;
use crate::checkpoint::{BoundDone, Kept, NotKept};
use crate::clock::{Clock, Found};
use crate::packed::{Moves, Packed};
use crate::request::{Effort, Limit, Outcome, Request, Wanted, Weight};
use crate::sample::Samples;
use crate::units::SharedBound;
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
                .in_mtm()
        } else {
            SearchAbout::new("ida", "iterative-deepening A*, on all threads").with_bounds().in_mtm()
        }
    }

    fn search<H: Heuristic>(&self, heuristic: &H, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let clock = Clock::new(request);
        let root = heuristic.root(state)?;
        let root_cost = heuristic.cost(&root);
        let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
        // What the caller knows was proven by weighing nothing.
        let known = if weight == Weight::ONE { root_cost.max(request.at_least) } else { root_cost };
        // Units that helpers search are noted as if somebody kept them. Of one that follows, who leads keeps everything.
        let keep = request.keep.or(request.helpers.map(|_| &NotKept as _)).filter(|_| request.lead.is_none());
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
            kept: keep.map(Kept::new),
            led: None,
            elsewhere: 0,
            effort: Effort { generated: 1, peak_nodes: 1, ..Effort::default() },
            samples: Samples::default(),
        };
        let ended = if let Some(lead) = request.lead {
            Err(search.follow(lead))
        } else if root_cost == 0 && state.is_solved() {
            Ok(Found::one(&[], request.wanted, false))
        } else {
            search.run()
        };
        let is_admissible = heuristic.is_admissible();
        let at_least = match (is_admissible, weight) {
            (false, _) => 0,
            // What the one that leads has proven is not for this one to say.
            (true, _) if request.lead.is_some() => root_cost,
            // Everything below the bound has been searched.
            (true, Weight::ONE) => search.moves_of_bound(),
            (true, _) => root_cost,
        };
        let Search { clock, mut effort, samples, elsewhere, .. } = search;
        effort.heuristic_time = samples.time_of(effort.generated - elsewhere);
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
    /// The bound that another search leads this one through.
    led: Option<SharedBound>,
    /// Nodes that were generated elsewhere.
    elsewhere: u64,
    effort: Effort,
    samples: Samples,
}

struct Iterated {
    found: Found,
    limit: Option<Limit>,
    next_bound: u64,
    /// Whether everything up to the bound was searched.
    is_complete: bool,
    /// Nodes generated and expanded elsewhere in units that had to be searched again.
    wasted: (u64, u64),
}

impl Iterated {
    /// An iteration that was not begun.
    fn refused(limit: Limit) -> Iterated {
        Iterated {
            found: Found::default(),
            limit: Some(limit),
            next_bound: u64::MAX,
            is_complete: false,
            wasted: (0, 0),
        }
    }
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
            // As many as if nothing had been in vain: the units of the next bound depend on it.
            let generated = self.effort.generated - before.generated - iterated.wasted.0;
            let expanded = self.effort.expanded - before.expanded - iterated.wasted.1;
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

    /// What the next iteration is about. It follows paths of fewer than `most_moves` moves.
    fn iteration<B: Packed>(&self, most_moves: usize) -> Iteration<'a, H, B> {
        let Search { heuristic, state, order, weight, bound, .. } = *self;
        let automaton = if self.uses_automaton {
            let go_on = || self.clock.check(self.effort.generated).is_ok();
            Automaton::of_iteration_while(state.size(), self.generated_last, &go_on)
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

    /// Has an iteration searched by as many threads as are worth it, and by helpers if it is cut.
    fn share<N: Send + Sync>(
        &mut self,
        work: Result<Work<N>, Limit>,
        search: impl Fn(&Team<'_, N>) -> Tally + Sync,
    ) -> Iterated {
        let work = match work {
            Ok(work) => work,
            Err(limit) => return Iterated::refused(limit),
        };
        let is_large = self.led.is_some() || self.generated_last >= NODES_FOR_THREADS;
        let threads = if is_large && self.order == Order::Fast { self.request.threads.get() } else { 1 };
        self.clock.share(threads);
        let (next_bound, shared) = (work.next_bound, work.shared);
        let team = Team::new(threads, work, self.request, &self.clock, self.kept.as_ref(), &self.effort);
        let help = self.request.helpers.zip(shared).filter(|_| team.has_units()).map(|(helpers, bound)| {
            let team = &team;
            move || team.be_helped(helpers, &bound)
        });
        let missing = |threads| team.lose(threads);
        let tally = on_threads(threads, &|| search(&team), &missing, help.as_ref().map(|help| help as _));
        let Ended { found, limit, is_complete, generated_to_first, elsewhere, wasted } = team.end();
        let effort = &mut self.effort;
        self.elsewhere += elsewhere.generated + wasted.generated;
        effort.generated += tally.generated + elsewhere.generated + wasted.generated;
        effort.generated_to_first = generated_to_first;
        effort.expanded += tally.expanded + elsewhere.expanded + wasted.expanded;
        effort.peak_nodes = effort.peak_nodes.max(tally.peak_nodes);
        effort.peak_bytes = effort.peak_bytes.max(tally.peak_bytes);
        self.samples.add(tally.samples);
        let next_bound = tally.next_bound.min(next_bound).min(elsewhere.next.map_or(u64::MAX, u64::from));
        Iterated { found, limit, next_bound, is_complete, wasted: (wasted.generated, wasted.expanded) }
    }
}
