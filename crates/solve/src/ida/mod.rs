//! Iterative-deepening A\* (Korf 1985).
//!
//! A depth-first search that turns back where the moves made plus the lower bound exceed a limit, also called the bound. The first
//! bound is that of the root. Each next one is the smallest value that exceeded the last. The first solution found is a shortest one.
//!
//! * [`Search`] is the driver: it goes from bound to bound, for every [`Space`];
//! * a space chooses the worker that searches an iteration: [`tiles`] or [`runs`];
//! * [`team`] has the threads of an iteration, which share its work;
//! * [`units`] cuts large iterations into units, so that finished ones can be [kept](crate::Keep) and other processes can search
//!   some: [`Helpers`](crate::Helpers) take units, and a search with a [`Lead`](crate::Lead) searches those that it is given.
//!
//! A search for one solution uses an [`Automaton`](crate::Automaton), which rules out moves that lead where other moves lead as well.
//! A search for all solutions only rules out taking back the last move. The length of the solution does not depend on the number of
//! threads. [`Order::Plain`] searches as the papers do.

mod cut;
mod depth_first;
mod iteration;
mod path;
pub(crate) mod runs;
mod team;
pub(crate) mod tiles;
mod units;
mod worker;

use tilebase_puzzle::{Metric, State};

use crate::algorithm::{Algorithm, SearchAbout};
use crate::checkpoint::{BoundDone, Kept, NotKept};
use crate::clock::{Clock, Found};
use crate::request::{Effort, Limit, Outcome, Request, Wanted, Weight};
use crate::sample::Samples;
use crate::space::Space;
use crate::units::SharedBound;
use team::{Ended, Nodes, Tally, Team, ToDo, Work, on_threads};

/// An iteration uses several threads when the one before had this many nodes: about two milliseconds.
const NODES_FOR_THREADS: u64 = 30_000;

/// Iterative-deepening A\*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ida {
    /// The order in which nodes are searched.
    pub order: Order,
    /// Whether an [`Automaton`](crate::Automaton) rules out moves that lead where other moves lead as well. The answer is the same
    /// without it, with more nodes.
    pub automaton: bool,
}

/// The order in which nodes are searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Order {
    /// Many nodes at a time, on all threads.
    Fast,
    /// Depth first, one node at a time, in the order up, left, right, down: slower, with the node counts of the papers.
    Plain,
}

impl Ida {
    /// The fastest settings, and the default.
    pub const FAST: Ida = Ida { order: Order::Fast, automaton: true };

    /// The settings of the papers, with their node counts.
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

    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
        let clock = Clock::new(request);
        let root = space.root_of(state)?;
        let start = Start {
            metric: S::METRIC,
            state,
            cost: space.bound_at(&root),
            is_admissible: space.has_admissible_bounds(),
        };
        Some(Search::new(*self, clock, &start, request).run(&start, &mut |search| space.iterate(&root, search)))
    }
}

/// Where a search starts, and what its space says about it.
struct Start<'a> {
    metric: Metric,
    state: &'a State,
    /// The lower bound.
    cost: u32,
    /// Whether no bound ever exceeds the distance.
    is_admissible: bool,
}

/// One search: it goes from bound to bound. It does not know its space, so it is compiled once: a space searches each iteration.
pub struct Search<'a> {
    metric: Metric,
    uses_automaton: bool,
    state: &'a State,
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

/// Searches one iteration.
type Iterate<'i, 'a> = &'i mut dyn FnMut(&mut Search<'a>) -> Iterated;

/// How an iteration ended.
pub struct Iterated {
    found: Found,
    limit: Option<Limit>,
    next_bound: u64,
    /// Whether everything up to the bound was searched.
    is_complete: bool,
    /// Nodes generated and expanded elsewhere in units that had to be searched again.
    wasted: (u64, u64),
}

impl Iterated {
    /// An iteration that a limit ended before it began.
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

impl<'a> Search<'a> {
    fn new(ida: Ida, clock: Clock<'a>, start: &Start<'a>, request: &'a Request<'a>) -> Search<'a> {
        let weight = if request.wanted == Wanted::First { request.weight } else { Weight::ONE };
        // The bound that the caller knows was proven without a weight.
        let known = if weight == Weight::ONE { start.cost.max(request.at_least) } else { start.cost };
        // Helpers need a record of units even if nothing keeps it. A search that follows leaves the record to the one that leads.
        let keep = request.keep.or(request.helpers.map(|_| &NotKept as _)).filter(|_| request.lead.is_none());
        Search {
            metric: start.metric,
            uses_automaton: request.wanted == Wanted::First && ida.automaton,
            state: start.state,
            order: ida.order,
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
        }
    }

    /// Searches until a solution is found or a limit is reached.
    fn run(mut self, start: &Start<'_>, iterate: Iterate<'_, 'a>) -> Outcome {
        let ended = if let Some(lead) = self.request.lead {
            Err(self.follow(lead, iterate))
        } else if start.cost == 0 && start.state.is_solved() {
            Ok(Found::one(start.metric, &[], self.request.wanted, false))
        } else {
            self.iterate(iterate)
        };
        let at_least = match (start.is_admissible, self.weight) {
            (false, _) => 0,
            // Only the search that leads knows what is proven.
            (true, _) if self.request.lead.is_some() => start.cost,
            // Everything below the bound has been searched.
            (true, Weight::ONE) => self.moves_of_bound(),
            (true, _) => start.cost,
        };
        let Search { clock, mut effort, samples, elsewhere, weight, .. } = self;
        effort.heuristic_time = samples.time_of(effort.generated - elsewhere);
        let optimal = weight == Weight::ONE && start.is_admissible;
        clock.end(effort, ended.map(|found| Found { optimal, ..found }).map_err(|limit| (limit, at_least)))
    }

    fn moves_of_bound(&self) -> u32 {
        (self.bound / u64::from(self.weight.of_move())) as u32
    }

    /// Goes from bound to bound until a solution is found or a limit is reached.
    fn iterate(&mut self, iterate: Iterate<'_, 'a>) -> Result<Found, Limit> {
        self.resume();
        loop {
            let is_too_long = |most: u32| self.weight == Weight::ONE && self.moves_of_bound() > most;
            if self.request.limits.length.is_some_and(is_too_long) {
                return Err(Limit::Length);
            }
            let before = self.effort;
            self.clock.raise(self.moves_of_bound(), &self.effort);
            let iterated = iterate(self);
            // Without the wasted nodes, so that the units of the next bound do not depend on them.
            let generated = self.effort.generated - before.generated - iterated.wasted.0;
            let expanded = self.effort.expanded - before.expanded - iterated.wasted.1;
            if iterated.is_complete {
                self.effort.generated_complete += generated;
                self.keep(
                    BoundDone {
                        bound: self.moves_of_bound(),
                        next: iterated.next_bound.try_into().unwrap_or(u32::MAX),
                        generated,
                        expanded,
                    },
                    iterated.found.count > 0,
                );
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
                // Only weights can lead there: every path became too long to follow.
                return Err(Limit::Length);
            }
            self.generated_last = generated;
            self.bound = iterated.next_bound;
        }
    }

    /// Whether the next iteration uses all threads.
    fn is_large(&self) -> bool {
        self.led.is_some() || self.generated_last >= NODES_FOR_THREADS
    }

    /// Has an iteration searched: by all threads if it is large, and by helpers if it is cut into units.
    fn share<N: Send + Sync>(
        &mut self,
        work: Result<Work<N>, Limit>,
        search: impl Fn(&Team<'_>, &Nodes<N>) -> Tally + Sync,
    ) -> Iterated {
        match work {
            Ok(Work { nodes, to_do }) => self.share_by(to_do, &|team| search(team, &nodes)),
            Err(limit) => Iterated::refused(limit),
        }
    }

    /// The same for nodes of any kind, so that it is compiled once.
    fn share_by(&mut self, to_do: ToDo, search: &(dyn Fn(&Team<'_>) -> Tally + Sync)) -> Iterated {
        let threads = if self.is_large() && self.order == Order::Fast { self.request.threads.get() } else { 1 };
        self.clock.share(threads);
        let (next_bound, shared) = (to_do.next_bound, to_do.shared);
        let team = Team::new(threads, self.metric, to_do, self.request, &self.clock, self.kept.as_ref(), &self.effort);
        let help = self.request.helpers.zip(shared).filter(|_| team.has_units()).map(|(helpers, bound)| {
            let team = &team;
            move || team.help_from(helpers, &bound)
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
