//! A solution now, better ones as they are found, and the proof at last.
//!
//! A random 5×5 is solved in a moment, but not by a shortest solution, and proving one shortest takes hours. So two searches run side
//! by side: beams, each wider than the one before, find shorter and shorter solutions (the *improver*), and iterative-deepening A\*
//! raises the number of moves that every solution has at least (the *prover*). Each tells the other what it has found: a beam looks only
//! for what is shorter than the best, and the prover need not search as far as the best is long. They meet when the best is proven to
//! be shortest, or when somebody has had enough.
//!
//! Before that the usual search has the board to itself for a moment ([`default_head_start`]): a board that it solves by then costs
//! nothing more. `docs/anytime.md` has the measurements behind the numbers here, and what did not help.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tilebase_progress::threads::{ThreadShortage, join, report_shortage, spawn_scoped};
use tilebase_progress::{Bound, Event, Searching};
use tilebase_puzzle::{Board, Direction, Metric, Parity, Size};
use tilebase_solve::{Effort, Limit, Limited, Limits, NotPossible, Outcome, Request, SolveError, Solved, Weight};

use crate::solver::Solver;

/// The first beam is this wide, each next one so many times as wide.
const FIRST_WIDTH: usize = 100;
const WIDER: usize = 4;

/// What part of the memory that tables leave free beams may take unless something else is said; and how much they take in any case,
/// because it is nothing to speak of.
const PART_OF_MEMORY: u64 = 2;
const MEMORY_IF_UNKNOWN: u64 = 1 << 30;
const LEAST_MEMORY: u64 = 1 << 20;

/// Where there is one thread, the two searches have it in turns of this time.
const TURN: Duration = Duration::from_millis(20);

/// How long the usual search has the board to itself: on boards of up to 16 squares with tables it is done by then. On larger ones it
/// hardly ever is, so that a solution is looked for at once.
pub(crate) fn default_head_start(size: Size) -> Duration {
    if size.count() <= 16 { Duration::from_millis(250) } else { Duration::ZERO }
}

/// The best solution that is known, and how much shorter another one can be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Best {
    /// The solution, as directions in which tiles slide; none as long as there is none.
    pub solution: Option<Vec<Direction>>,
    /// What counts as one move.
    pub metric: Metric,
    /// Every solution has at least this many moves: proven.
    pub at_least: u32,
    /// What was done for it.
    pub effort: Effort,
}

impl Best {
    /// Moves of the solution.
    pub fn length(&self) -> Option<u32> {
        self.solution.as_ref().map(|solution| self.metric.length(solution))
    }

    /// Whether there is provably no shorter one.
    pub fn is_optimal(&self) -> bool {
        self.length().is_some_and(|length| length <= self.at_least)
    }

    /// Whether the solution is at most this many times as long as the shortest, as far as that is proven. One that is shortest is, with
    /// any weight.
    pub fn is_within(&self, weight: Weight) -> bool {
        self.length().is_some_and(|length| length <= weight.longest(self.at_least))
    }

    /// By how much it may be longer than the shortest, as far as that is proven: 0.05 for a twentieth.
    pub fn gap(&self) -> Option<f64> {
        let length = self.length()?;
        Some(f64::from(length) / f64::from(self.at_least.max(1)) - 1.0).map(|gap| gap.max(0.0))
    }

    /// The same as the outcome of a search: solved if there is a solution.
    pub fn outcome(&self, limit: Option<Limit>) -> Outcome {
        let Best { at_least, effort, .. } = *self;
        match &self.solution {
            Some(solution) => Outcome::Solved(Solved {
                length: self.metric.length(solution),
                solutions: vec![solution.clone()],
                count: 1,
                optimal: self.is_optimal(),
                effort,
            }),
            None => Outcome::Limited(Limited { limit: limit.unwrap_or(Limit::Cancelled), at_least, effort }),
        }
    }
}

/// How a search for better and better solutions ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Improved {
    /// What was known in the end.
    pub best: Best,
    /// The limit that ended it; none when the best solution is shortest, or as near to it as was asked for.
    pub limit: Option<Limit>,
}

/// Is told of every improvement, in order, from any thread: a shorter solution, or, when there is a solution, a larger bound. It says
/// whether to go on.
pub type Told<'a> = &'a (dyn Fn(&Best) -> ControlFlow<()> + Sync);

impl Solver {
    /// Finds a solution soon, better ones as time goes on, and at last the proof that there is no shorter one; at a limit, or when
    /// somebody has had enough, the best that is known and how far from the shortest it can be.
    ///
    /// It ends as soon as the best solution is [within](Best::is_within) the request's weight of the shortest: with the weight 1, when it
    /// is proven to be shortest. Limits of nodes, time and memory are those of the whole, tables included; without one, beams take up to
    /// half of the memory that is free. The watch is told how the proof gets on. What else a request can ask for is left aside.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use std::time::Duration;
    /// use tilebase::{Board, Goal, Limits, Request, Solver};
    ///
    /// let board: Board = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15".parse()?;
    /// let solver = Solver::builder(&Goal::BlankLast.board(board.size())?).open()?;
    /// let request = Request::default().limits(Limits::default().time(Duration::from_secs(1)));
    /// let improved = solver.improve(&board, &request, &|best| {
    ///     println!("{:?} moves now, at least {}", best.length(), best.at_least);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((improved.best.length(), improved.limit), (Some(9), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`search`](Solver::search); and when the bounds may exceed the distance, or the search has none to raise.
    pub fn improve(&self, board: &Board, request: &Request<'_>, told: Told<'_>) -> Result<Improved, SolveError> {
        if !self.is_admissible() {
            return Err(NotPossible::Shortest.into());
        }
        if !self.search.about().has_bounds {
            return Err(NotPossible::Bounds(self.search.about().name).into());
        }
        let first_bound = self.bound_of(board)?;
        let race = Race::new(self, board, request, told, first_bound);
        if !self.head_start.is_zero() && race.solve_alone(self.head_start)? {
            return Ok(race.end());
        }
        race.is_improving.store(true, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let Ok(beams) = spawn_scoped(scope, || race.improve()) else {
                report_shortage(ThreadShortage { wanted: request.threads.get().max(2), started: 1 });
                return race.search_by_turns();
            };
            let proven = race.prove();
            proven.and(join(beams))
        })?;
        // If the prover had used up its part of the nodes, it may have got what the improver left.
        race.prove()?;
        Ok(race.end())
    }

    /// The memory that each of some boards that are [improved](Solver::improve) at a time should be limited to, given how much there may be for
    /// all: the tables, which are there once, and its share of the rest. Where nothing is given, half of what they leave free is shared.
    pub fn memory_to_improve(&self, most: Option<u64>, boards: NonZeroUsize) -> u64 {
        let tables = self.bytes_of_tables();
        let beside_tables = |memory: u64| memory.saturating_sub(tables);
        let free =
            || tilebase_memory::available().map_or(MEMORY_IF_UNKNOWN, |free| beside_tables(free) / PART_OF_MEMORY);
        tables + most.map_or_else(free, beside_tables) / boards.get() as u64
    }
}

/// The two searches for a board, and what they have in common.
struct Race<'a> {
    solver: &'a Solver,
    board: &'a Board,
    request: &'a Request<'a>,
    told: Told<'a>,
    started: Instant,
    /// Whether solutions have an odd number of moves, where all of them have the same parity.
    is_odd: Option<bool>,
    /// For the states of a beam.
    memory: u64,
    state: Mutex<State>,
    is_over: AtomicBool,
    /// Nodes generated by each search, and how many it may generate.
    proving: Share,
    improving: Share,
    is_improving: AtomicBool,
    turns: Option<Turns>,
}

#[derive(Clone)]
struct State {
    best: Best,
    limit: Option<Limit>,
}

/// The nodes of one of the two searches.
struct Share {
    /// Of searches that have ended.
    used: AtomicU64,
    /// Of the one under way, as far as it has told.
    under_way: AtomicU64,
    most: AtomicU64,
}

impl Share {
    fn new(most: u64) -> Share {
        Share { used: AtomicU64::new(0), under_way: AtomicU64::new(0), most: AtomicU64::new(most) }
    }

    fn generated(&self) -> u64 {
        self.used.load(Ordering::Relaxed) + self.under_way.load(Ordering::Relaxed)
    }

    fn left(&self) -> u64 {
        self.most.load(Ordering::Relaxed).saturating_sub(self.used.load(Ordering::Relaxed))
    }

    /// Gives up nodes that are too few for anything.
    fn give_up(&self, nodes: u64) {
        self.most.fetch_sub(nodes, Ordering::Relaxed);
    }
}

impl<'a> Race<'a> {
    fn new(
        solver: &'a Solver,
        board: &'a Board,
        request: &'a Request<'a>,
        told: Told<'a>,
        first_bound: u32,
    ) -> Race<'a> {
        let parity = Parity::between(board, solver.frame().goal());
        // Not more than can be added up.
        let half = request.limits.nodes.unwrap_or(u64::MAX) / 2;
        let memory = request.limits.memory.unwrap_or_else(|| solver.memory_to_improve(None, NonZeroUsize::MIN));
        let race = Race {
            solver,
            board,
            request,
            told,
            started: Instant::now(),
            is_odd: solver.metric().keeps_parity().then_some(parity.blank_distance % 2 == 1),
            memory: memory.saturating_sub(solver.bytes_of_tables()).max(LEAST_MEMORY),
            state: Mutex::new(State { best: Best { metric: solver.metric(), ..Best::default() }, limit: None }),
            is_over: AtomicBool::new(false),
            proving: Share::new(half),
            improving: Share::new(half),
            is_improving: AtomicBool::new(false),
            turns: (request.threads.get() == 1).then(Turns::default),
        };
        race.raise(first_bound);
        race
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) -> Improved {
        let State { mut best, limit } = self.state().clone();
        (best.effort.time, best.effort.generated) = (self.started.elapsed(), self.generated());
        // Both searches may have come to something between the limit and their end.
        let limit = limit.filter(|_| !best.is_within(self.request.weight));
        Improved { best, limit }
    }

    /// Notes that every solution has at least this many moves.
    fn raise(&self, at_least: u32) {
        let mut state = self.state();
        // Where all solutions have an even number of moves, or all an odd one.
        let is_wrong = |is_odd: bool| (at_least % 2 == 1) != is_odd;
        let at_least = at_least + u32::from(self.is_odd.is_some_and(is_wrong));
        if at_least > state.best.at_least && !self.is_near_enough(&state) {
            state.best.at_least = at_least;
            self.tell(&mut state);
        }
    }

    /// Notes a solution, which has been replayed.
    fn found(&self, solution: &[Direction]) {
        let mut state = self.state();
        let is_shorter = state.best.length().is_none_or(|best| state.best.metric.length(solution) < best);
        if is_shorter && !self.is_near_enough(&state) {
            state.best.solution = Some(solution.to_vec());
            self.tell(&mut state);
        }
    }

    /// Whether both searches have ended without a limit. What one of them finds while it stops is dropped: the answer is the improvement
    /// that was reported last.
    fn is_near_enough(&self, state: &State) -> bool {
        self.is_over() && state.limit.is_none()
    }

    /// Tells of an improvement, unless all is over, and ends it all when it is good enough. With the state held, so that improvements
    /// are told in order.
    fn tell(&self, state: &mut State) {
        if state.best.solution.is_none() || self.is_over.load(Ordering::Relaxed) {
            return;
        }
        let now = Effort { time: self.started.elapsed(), generated: self.generated(), ..state.best.effort };
        if state.best.is_within(self.request.weight) {
            self.stop(state, None);
        }
        if (self.told)(&Best { effort: now, ..state.best.clone() }).is_break() {
            self.stop(state, Some(Limit::Cancelled));
        }
    }

    /// Ends it all, at a limit or because it is good enough; the first reason counts.
    fn stop(&self, state: &mut State, limit: Option<Limit>) {
        if !self.is_over.swap(true, Ordering::Relaxed) {
            state.limit = limit;
        }
    }

    fn reach(&self, limit: Limit) {
        self.stop(&mut self.state(), Some(limit));
    }

    /// Nodes generated so far.
    fn generated(&self) -> u64 {
        self.proving.generated() + self.improving.generated()
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Adds what a search has cost; its nodes are counted with its share. Each has counted the start of the search as a node.
    fn add(&self, share: &Share, effort: Effort) {
        share.under_way.store(0, Ordering::Relaxed);
        share.used.fetch_add(effort.generated, Ordering::Relaxed);
        let mut state = self.state();
        let all = &mut state.best.effort;
        all.generated_complete += effort.generated_complete;
        all.expanded += effort.expanded;
        all.reexpanded += effort.reexpanded;
        all.peak_nodes = all.peak_nodes.max(effort.peak_nodes);
        all.peak_bytes = all.peak_bytes.max(effort.peak_bytes);
        all.heuristic_time += effort.heuristic_time;
    }

    /// The limits of a search that begins now, by its share of the nodes.
    fn limits(&self, share: &Share) -> Limits {
        let nodes = self.request.limits.nodes.map(|_| share.left());
        let time = self.request.limits.time.map(|most| most.saturating_sub(self.started.elapsed()));
        Limits::default().nodes(nodes).time(time).memory(self.memory)
    }

    /// The usual search, alone, for a moment. Returns whether it solved the board or reached a limit.
    fn solve_alone(&self, alone: Duration) -> Result<bool, SolveError> {
        let limits = self.limits(&self.proving);
        // Of little time some is left for the other search.
        let alone = limits.time.map_or(alone, |time| alone.min(time / 4));
        let watch = |event: &Event<'_>| {
            if (self.request.watch)(event).is_break() {
                self.reach(Limit::Cancelled);
            }
            let goes_on = !self.is_over() && self.started.elapsed() < alone;
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let request = Request::default().limits(limits).threads(self.request.threads).watch(&watch);
        let outcome = self.solver.search(self.board, &request)?;
        self.add(&self.proving, outcome.effort());
        match outcome {
            Outcome::Solved(solved) => {
                self.take_shortest(&solved);
                Ok(true)
            }
            Outcome::Limited(limited) => {
                self.raise(limited.at_least);
                Ok(self.is_over())
            }
        }
    }

    /// Takes a solution that is proven to be shortest.
    fn take_shortest(&self, solved: &Solved) {
        let solution = solved.solutions.first().expect("one solution was asked for");
        let mut state = self.state();
        state.best.at_least = solved.length;
        state.best.solution = Some(solution.clone());
        self.tell(&mut state);
    }

    /// Whether one of the two searches should stop. Where they have one thread, it waits here for its turn.
    fn go_on(&self, is_prover: bool, event: &Event<'_>) -> ControlFlow<()> {
        if self.is_over() {
            return ControlFlow::Break(());
        }
        if (self.request.watch)(event).is_break() {
            self.reach(Limit::Cancelled);
            return ControlFlow::Break(());
        }
        if let Some(turns) = &self.turns {
            turns.take(is_prover);
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Both searches on this thread, where no second one can start. A search cannot be put aside, and one that ends before its bound is
    /// proven has been in vain. So each beam is followed by as much time for the proof: as beams grow, so does what can be proven in it.
    fn search_by_turns(&self) -> Result<(), SolveError> {
        if let Some(turns) = &self.turns {
            turns.leave();
        }
        let mut width = FIRST_WIDTH;
        while !self.is_over() {
            let began = Instant::now();
            if self.improve_by_beam(width)?.is_break() {
                break;
            }
            self.prove_bounds(Some(Instant::now() + began.elapsed().max(TURN)))?;
            width = width.saturating_mul(WIDER);
        }
        self.is_improving.store(false, Ordering::Release);
        Ok(())
    }

    /// Raises the bound, one iteration after the other, until it meets the best solution.
    fn prove(&self) -> Result<(), SolveError> {
        let _others_stop = StopOnFailure(self);
        self.prove_bounds(None).inspect_err(|_| self.reach(Limit::Cancelled))
    }

    /// The same, up to a moment.
    fn prove_bounds(&self, end: Option<Instant>) -> Result<(), SolveError> {
        let is_time_over = || end.is_some_and(|end| Instant::now() >= end);
        let mut done: Vec<Bound> = Vec::new();
        while !self.is_over() && !is_time_over() {
            let bound = self.state().best.at_least;
            let watch = |event: &Event<'_>| match event {
                _ if is_time_over() => ControlFlow::Break(()),
                Event::Searching(searching) => {
                    self.proving.under_way.store(searching.generated, Ordering::Relaxed);
                    let whole = Searching {
                        generated: self.generated(),
                        time: self.started.elapsed(),
                        done: &done,
                        ..**searching
                    };
                    self.go_on(true, &Event::Searching(&whole))
                }
                event => self.go_on(true, event),
            };
            // Before the nodes that are left are looked at: the other search leaves its own before it says that it has ended.
            let is_improving = self.is_improving.load(Ordering::Acquire);
            let limits = self.limits(&self.proving).length(bound);
            if limits.nodes == Some(0) {
                if !is_improving {
                    self.reach(Limit::Nodes);
                }
                // The other search has nodes of its own.
                return Ok(());
            }
            let request = Request::default().at_least(bound).limits(limits).threads(self.threads_of_prover());
            let outcome = self.solver.search(self.board, &request.watch(&watch))?;
            self.add(&self.proving, outcome.effort());
            match outcome {
                Outcome::Solved(solved) => self.take_shortest(&solved),
                Outcome::Limited(Limited { limit: Limit::Length, at_least, effort }) => {
                    done.push(Bound { bound, generated: effort.generated });
                    self.raise(at_least);
                }
                Outcome::Limited(Limited { limit: Limit::Nodes, effort, .. }) => {
                    // Not what the other search may have left to this one meanwhile.
                    self.proving.give_up(limits.nodes.unwrap_or(0).saturating_sub(effort.generated));
                }
                Outcome::Limited(Limited { limit: Limit::Cancelled, .. }) if is_time_over() => {}
                Outcome::Limited(Limited { limit, .. }) => self.reach(limit),
            }
        }
        Ok(())
    }

    /// One part of the threads is for beams, as long as there are any; the rest prove.
    fn threads_of_prover(&self) -> NonZeroUsize {
        let all = self.request.threads.get();
        let others = if self.is_improving.load(Ordering::Relaxed) { self.threads_of_improver().get() } else { 0 };
        NonZeroUsize::new(all.saturating_sub(others)).unwrap_or(NonZeroUsize::MIN)
    }

    fn threads_of_improver(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.request.threads.get() / 2).unwrap_or(NonZeroUsize::MIN)
    }

    /// Finds shorter and shorter solutions, by wider and wider beams, until no wider one fits.
    fn improve(&self) -> Result<(), SolveError> {
        let _others_stop = StopOnFailure(self);
        let ended = self.improve_by_beams().inspect_err(|_| self.reach(Limit::Cancelled));
        self.is_improving.store(false, Ordering::Release);
        ended
    }

    fn improve_by_beams(&self) -> Result<(), SolveError> {
        let mut width = FIRST_WIDTH;
        while !self.is_over() && self.improve_by_beam(width)?.is_continue() {
            width = width.saturating_mul(WIDER);
        }
        Ok(())
    }

    /// Searches for a shorter solution by a beam of a width. Returns whether wider ones are left.
    fn improve_by_beam(&self, width: usize) -> Result<ControlFlow<()>, SolveError> {
        let watch = |event: &Event<'_>| {
            // How a beam gets on is of no interest but for its nodes.
            if let Event::Searching(searching) = event {
                self.improving.under_way.store(searching.generated, Ordering::Relaxed);
                return self.go_on(false, &Event::Poll);
            }
            self.go_on(false, event)
        };
        let least = if self.is_odd.is_some() { 2 } else { 1 };
        let shorter = self.state().best.length().map(|length| length.saturating_sub(least));
        let limits = self.limits(&self.improving).length(shorter);
        let width = NonZeroUsize::new(width).expect("widths grow");
        let request = Request::default().width(width).limits(limits).threads(self.threads_of_improver());
        let outcome = self.solver.beam_search(self.board, &request.watch(&watch))?;
        self.add(&self.improving, outcome.effort());
        match outcome {
            Outcome::Solved(solved) => self.found(&solved.solutions[0]),
            // Nothing shorter is in this beam.
            Outcome::Limited(Limited { limit: Limit::Length, .. }) => {}
            Outcome::Limited(Limited { limit: Limit::Nodes | Limit::Memory, .. }) => {
                let left = self.improving.left();
                self.improving.give_up(left);
                self.proving.most.fetch_add(left, Ordering::Relaxed);
                return Ok(ControlFlow::Break(()));
            }
            Outcome::Limited(Limited { limit, .. }) => self.reach(limit),
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Lets the other search go on alone when one of the two has ended, and ends it as well when this one panics.
struct StopOnFailure<'a>(&'a Race<'a>);

impl Drop for StopOnFailure<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.reach(Limit::Cancelled);
        }
        if let Some(turns) = &self.0.turns {
            turns.leave();
        }
    }
}

/// Who of two searches may use the only thread there is.
#[derive(Default)]
struct Turns {
    turn: Mutex<Turn>,
    is_over: Condvar,
}

#[derive(Default)]
struct Turn {
    is_provers: bool,
    since: Option<Instant>,
    /// One of the two has ended, so that the other need not wait any more.
    is_alone: bool,
}

impl Turns {
    /// Waits for the turn of one of the two, and gives it to the other one when it has lasted long enough.
    fn take(&self, is_prover: bool) {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *turn.since.get_or_insert_with(Instant::now);
        if turn.is_provers == is_prover && since.elapsed() >= TURN {
            turn.is_provers = !is_prover;
            turn.since = None;
            self.is_over.notify_all();
        }
        if turn.is_provers != is_prover && !turn.is_alone {
            // If the other one does not even look whether its turn is over, it waits for something else than the thread.
            let is_others = |turn: &mut Turn| turn.is_provers != is_prover && !turn.is_alone;
            drop(self.is_over.wait_timeout_while(turn, 4 * TURN, is_others));
        }
    }

    fn leave(&self) {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner).is_alone = true;
        self.is_over.notify_all();
    }
}
