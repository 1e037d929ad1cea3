//! Iterative-deepening A\* in the metric `mtm`: a move slides one tile or several in a line.
//!
//! Two moves along the same line are one, so moves along rows and along columns alternate: a node has an axis, and its children are
//! where the blank gets along it. The heuristic is asked what is needed if the next move is along the other axis
//! ([`MtmHeuristic`]). Solutions of any parity are possible, so a bound may be followed by the next number.
//!
//! The children of a node are the squares of one line, which the blank reaches one after the other. The children of several nodes are
//! looked at together: what the heuristic will read first for all of them is fetched before the first is asked. [`Order::Plain`], and paths too long
//! to be kept with a node, are searched depth first, a node at a time; tiles slide one by one and are put back the same way.

use std::hint::black_box;

use tilebase_heuristics::mtm::{MtmHeuristic, Position};
use tilebase_puzzle::{Axis, Direction, MAX_SQUARES, Size, Square, State};

use super::path::Path;
use super::team::{Ended, StopOnPanic, Tally, Team, Unit, Work, on_threads};
use super::{Ida, NODES_FOR_THREADS, Order};
use crate::clock::{Clock, Found};
use crate::mtm::{Automaton, NEVER_FORBIDDEN};
use crate::request::{Effort, Limit, Outcome, Request, Wanted};

/// Words of the paths of nodes that are given to other threads: a board of 4×4 needs at most 43 moves, which are at most 129 slides.
const PATH_WORDS: usize = 6;

/// An iteration uses the automaton when the one before had this many nodes: the automaton takes a tenth of a second to be built, and saves
/// a tenth of the nodes.
const NODES_FOR_AUTOMATON: u64 = 1_000_000;

/// More children than any node has: the other squares of its line, on the longest board.
const MOST_CHILDREN: usize = 12;

/// Nodes whose children are looked at together: what the tables say of all of them is on its way at the same time.
const NODES_OF_BATCH: usize = 8;

/// A node that is still to be visited.
#[derive(Clone, Copy)]
struct Node<N> {
    place: Place<N>,
    path: Path<PATH_WORDS>,
}

/// Where a node is, whatever the path to it.
#[derive(Clone, Copy)]
struct Place<N> {
    position: Position,
    heuristic: N,
    /// The axis of the next move.
    axis: Axis,
    /// Moves made.
    made: u32,
    automaton: u32,
}

/// A child whose answer is on its way. It has what is known of its parent.
#[derive(Clone, Copy)]
struct Child<N, B> {
    node: Node<N>,
    begun: B,
}

/// What an iteration is about; the same for all threads.
struct Iteration<'a, H> {
    /// Whether several nodes are looked at together.
    in_batches: bool,
    heuristic: &'a H,
    /// The square beside each one in each direction, or the square itself at the edge.
    beside: [[Square; 4]; MAX_SQUARES],
    automaton: Option<&'static Automaton>,
    bound: u32,
}

impl Ida {
    /// Searches from a state to the goal in the metric `mtm`. `None` when the heuristic has no bound for the state.
    pub(crate) fn search_mtm<H: MtmHeuristic>(
        &self,
        heuristic: &H,
        state: &State,
        request: &Request<'_>,
    ) -> Option<Outcome> {
        let clock = Clock::new(request);
        let effort = Effort { generated: 1, peak_nodes: 1, ..Effort::default() };
        if state.is_solved() {
            return Some(clock.end(effort, Ok(Found::one(&[], request.wanted, true))));
        }
        let position = Position::of(state);
        let root = |axis: Axis| {
            let heuristic = heuristic.root(&position, axis)?;
            let place = Place { position, heuristic, axis, made: 0, automaton: NEVER_FORBIDDEN };
            Some(Node { place, path: Path::EMPTY })
        };
        let roots = [root(Axis::Horizontal)?, root(Axis::Vertical)?];
        let costs = roots.map(|root| heuristic.cost(&root.place.heuristic));
        let mut search = Search {
            ida: *self,
            heuristic,
            size: state.size(),
            roots,
            costs,
            request,
            clock,
            bound: costs[0].min(costs[1]).max(request.at_least),
            generated_last: 0,
            effort,
        };
        let ended = search.run();
        let Search { clock, effort, bound, .. } = search;
        let ended = ended.map(|found| Found { length: bound, optimal: true, ..found });
        Some(clock.end(effort, ended.map_err(|limit| (limit, bound))))
    }
}

struct Search<'a, H: MtmHeuristic> {
    ida: Ida,
    heuristic: &'a H,
    size: Size,
    /// The state with each axis of the first move, and the bounds there.
    roots: [Node<H::Node>; 2],
    costs: [u32; 2],
    request: &'a Request<'a>,
    clock: Clock<'a>,
    bound: u32,
    /// Nodes of the iteration before.
    generated_last: u64,
    effort: Effort,
}

impl<H: MtmHeuristic> Search<'_, H> {
    /// Iterates until something is found or a limit is reached.
    fn run(&mut self) -> Result<Found, Limit> {
        loop {
            if self.request.limits.length.is_some_and(|most| self.bound > most) {
                return Err(Limit::Length);
            }
            self.clock.raise(self.bound, &self.effort);
            let before = self.effort.generated;
            let (ended, next_bound) = self.iterate();
            self.generated_last = self.effort.generated - before;
            if ended.is_complete {
                self.effort.generated_complete += self.generated_last;
            }
            if let Some(limit) = ended.limit {
                return Err(limit);
            }
            if ended.found.count > 0 {
                return Ok(ended.found);
            }
            self.bound = u32::try_from(next_bound).map_err(|_| Limit::Length)?;
        }
    }

    /// Searches everything up to the bound, on as many threads as are worth it.
    fn iterate(&mut self) -> (Ended, u64) {
        let mut beside = [[Square(0); 4]; MAX_SQUARES];
        for square in self.size.squares() {
            beside[square.index()] =
                Direction::ALL.map(|direction| self.size.neighbour(square, direction).unwrap_or(square));
        }
        let uses_automaton = self.ida.automaton
            && self.request.wanted == Wanted::First
            && self.generated_last >= NODES_FOR_AUTOMATON;
        let go_on = || self.clock.check(self.effort.generated).is_ok();
        let automaton = if uses_automaton { Automaton::of_while(self.size, &go_on) } else { None };
        let longest = self.size.width().max(self.size.height()) - 1;
        let fits = self.bound as usize * longest < Path::<PATH_WORDS>::MOST;
        let in_batches = self.ida.order == Order::Fast && fits;
        let iteration = Iteration { in_batches, heuristic: self.heuristic, beside, automaton, bound: self.bound };
        let within = self.roots.iter().zip(self.costs).filter(|(_, cost)| *cost <= self.bound);
        // The last one is taken first.
        let started = |(root, _): (&Node<H::Node>, u32)| {
            let mut root = *root;
            let start = |automaton: &Automaton| automaton.start(root.place.position.blank(), root.place.axis);
            root.place.automaton = automaton.map_or(NEVER_FORBIDDEN, start);
            root
        };
        let nodes = within.map(started).rev().collect();
        let above = self.costs.into_iter().filter(|cost| *cost > self.bound).min();
        let is_large = self.generated_last >= NODES_FOR_THREADS && self.ida.order == Order::Fast;
        let threads = if is_large { self.request.threads.get() } else { 1 };
        self.clock.share(threads);
        let work = Work { nodes, units: None, shared: None, solution: None, next_bound: u64::MAX };
        let team = Team::new(threads, work, self.request, &self.clock, None, &self.effort);
        let missing = |threads| team.lose(threads);
        let tally = on_threads(threads, &|| Worker::new(&iteration, &team).run(), &missing, None);
        let ended = team.end();
        let effort = &mut self.effort;
        effort.generated += tally.generated;
        effort.generated_to_first = ended.generated_to_first;
        effort.expanded += tally.expanded;
        effort.peak_nodes = effort.peak_nodes.max(tally.peak_nodes);
        effort.peak_bytes = effort.peak_bytes.max(tally.peak_bytes);
        effort.heuristic_time += tally.samples.time_of(tally.generated);
        (ended, tally.next_bound.min(above.map_or(u64::MAX, u64::from)))
    }
}

/// One thread of one iteration, depth first.
struct Worker<'a, H: MtmHeuristic> {
    iteration: &'a Iteration<'a, H>,
    team: &'a Team<'a, Node<H::Node>>,
    /// The blank's moves from the root to the current node, a square each.
    moves: Vec<Direction>,
    /// What is to be visited later.
    stack: Vec<Node<H::Node>>,
    /// Whether children are put onto the stack instead of being visited.
    is_leaving: bool,
    tally: Tally,
    /// Nodes that may be generated before the team has to be asked again, and all that it has ever allowed.
    allowed: u64,
    granted: u64,
}

impl<'a, H: MtmHeuristic> Worker<'a, H> {
    fn new(iteration: &'a Iteration<'a, H>, team: &'a Team<'a, Node<H::Node>>) -> Self {
        Worker {
            iteration,
            team,
            moves: Vec::new(),
            stack: Vec::new(),
            is_leaving: false,
            tally: Tally::default(),
            allowed: 0,
            granted: 0,
        }
    }

    /// Works as long as the team has work.
    fn run(mut self) -> Tally {
        let _others_stop = StopOnPanic(self.team);
        let mut unit = Unit::default();
        while self.team.take_work(&mut self.stack, &mut unit, &self.tally) {
            if self.iteration.in_batches {
                self.search_in_batches();
                continue;
            }
            while let Some(Node { place, path }) = self.stack.pop() {
                self.moves = path.moves();
                let below = self.stack.len();
                let mut position = place.position;
                if !self.visit(&mut position, &place) {
                    // The team has stopped, and is told so.
                    break;
                }
                if self.is_leaving {
                    // What was put onto the stack first is what would have been visited first.
                    self.stack[below..].reverse();
                    self.is_leaving = false;
                    self.team.offer_work(&mut self.stack);
                }
            }
        }
        self.team.give_back(self.allowed);
        self.tally.peak_bytes = self.tally.peak_nodes * size_of::<Node<H::Node>>() as u64;
        Tally { generated: self.granted - self.allowed, ..self.tally }
    }

    /// Searches everything that is on the stack, several nodes at a time.
    fn search_in_batches(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has it.
            #[allow(unsafe_code)]
            return unsafe { self.search_in_batches_with_popcnt() };
        }
        self.search_in_batches_by();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn search_in_batches_with_popcnt(&mut self) {
        self.search_in_batches_by();
    }

    #[inline(always)]
    fn search_in_batches_by(&mut self) {
        let Iteration { heuristic, bound, .. } = self.iteration;
        let mut children = Vec::with_capacity(NODES_OF_BATCH * MOST_CHILDREN);
        while !self.stack.is_empty() {
            if self.team.is_short_of_work() {
                self.team.offer_work(&mut self.stack);
            }
            children.clear();
            for _ in 0..NODES_OF_BATCH {
                let Some(node) = self.stack.pop() else { break };
                if !self.begin_children(&node, &mut children) {
                    return self.stack.clear();
                }
            }
            for Child { node, begun } in &children {
                let Place { position, heuristic: parent, axis, made, .. } = &node.place;
                match heuristic.finish(parent, *begun, position, *axis, bound - made) {
                    Ok(known) => self.stack.push(Node { place: Place { heuristic: known, ..node.place }, path: node.path }),
                    Err(cost) => self.tally.next_bound = self.tally.next_bound.min(u64::from(made + cost)),
                }
            }
            self.tally.peak_nodes = self.tally.peak_nodes.max(self.stack.len() as u64);
        }
    }

    /// Generates the children of a node, and has fetched what will be read first of each. Returns whether to go on.
    #[inline(always)]
    fn begin_children(&mut self, node: &Node<H::Node>, children: &mut Vec<Child<H::Node, H::Begun>>) -> bool {
        let Iteration { heuristic, beside, automaton, bound, .. } = self.iteration;
        self.tally.expanded += 1;
        let (made, axis) = (node.place.made + 1, node.place.axis.other());
        let allowed = automaton.map(|automaton| automaton.next(node.place.automaton));
        let mut number = 0;
        for direction in node.place.axis.directions() {
            let (mut position, mut path) = (node.place.position, node.path);
            while go(beside, &mut position, direction) {
                path.push(direction as usize);
                let automaton = allowed.map_or(NEVER_FORBIDDEN, |row| row[number]);
                number += 1;
                if automaton == Automaton::FORBIDDEN {
                    continue;
                }
                if self.allowed == 0 && !self.ask_for_more(&position, &node.place) {
                    return false;
                }
                self.allowed -= 1;
                if position.is_solved() {
                    if !self.team.found(&path.moves()) {
                        return false;
                    }
                } else if made == *bound {
                    // One more is needed at least.
                    self.tally.next_bound = self.tally.next_bound.min(u64::from(made + 1));
                } else {
                    let place = Place { position, heuristic: node.place.heuristic, axis, made, automaton };
                    children.push(Child { node: Node { place, path }, begun: heuristic.begin(&position, axis) });
                }
            }
        }
        true
    }

    /// Visits a node, whose position this is, and everything below it, in whatever way is fastest here. Returns whether to go on; then the
    /// position is as it was.
    fn visit(&mut self, position: &mut Position, node: &Place<H::Node>) -> bool {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has it.
            #[allow(unsafe_code)]
            return unsafe { self.visit_with_popcnt(position, node) };
        }
        self.visit_plainly(position, node)
    }

    fn visit_plainly(&mut self, position: &mut Position, node: &Place<H::Node>) -> bool {
        self.visit_by(position, node, Worker::visit_plainly)
    }

    /// Lines are numbered by counting bits, for which most processors have an instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn visit_with_popcnt(&mut self, position: &mut Position, node: &Place<H::Node>) -> bool {
        self.visit_by(position, node, |worker, position, node| {
            worker.visit_with_popcnt(position, node)
        })
    }

    #[inline(always)]
    fn visit_by(
        &mut self,
        position: &mut Position,
        node: &Place<H::Node>,
        visit: fn(&mut Self, &mut Position, &Place<H::Node>) -> bool,
    ) -> bool {
        let Iteration { heuristic, beside, automaton, bound, .. } = self.iteration;
        self.tally.expanded += 1;
        self.tally.peak_nodes = self.tally.peak_nodes.max(u64::from(node.made) + 1);
        let (start, made) = (position.blank(), node.made + 1);
        // Moves left after this one.
        let left = bound - made;
        let next_axis = node.axis.other();
        // A line has fewer squares than this.
        let mut begun = [H::Begun::default(); MOST_CHILDREN];
        if left > 0 {
            let mut number = 0;
            for direction in node.axis.directions() {
                while go(beside, position, direction) {
                    begun[number % MOST_CHILDREN] = heuristic.begin(position, next_axis);
                    number += 1;
                }
                go_back(beside, position, direction, start);
            }
        }
        let allowed = automaton.map(|automaton| automaton.next(node.automaton));
        let depth = self.moves.len();
        let mut number = 0;
        for direction in node.axis.directions() {
            while go(beside, position, direction) {
                self.moves.push(direction);
                let after = allowed.map_or(NEVER_FORBIDDEN, |row| row[number]);
                let begun = begun[number % MOST_CHILDREN];
                number += 1;
                if after == Automaton::FORBIDDEN {
                    continue;
                }
                if self.allowed == 0 && !self.ask_for_more(position, node) {
                    return false;
                }
                self.allowed -= 1;
                if position.is_solved() {
                    if !self.team.found(&self.moves) {
                        return false;
                    }
                    continue;
                }
                // One more is needed at least.
                let child = if left > 0 {
                    heuristic.finish(&node.heuristic, begun, position, next_axis, left)
                } else {
                    Err(1)
                };
                match child {
                    Ok(heuristic) => {
                        let child =
                            Place { position: *position, heuristic, axis: next_axis, made, automaton: after };
                        if self.is_leaving {
                            self.leave(child);
                        } else if !visit(self, position, &child) {
                            return false;
                        }
                    }
                    Err(cost) => self.tally.next_bound = self.tally.next_bound.min(u64::from(made + cost)),
                }
            }
            go_back(beside, position, direction, start);
            self.moves.truncate(depth);
        }
        true
    }

    #[cold]
    fn leave(&mut self, place: Place<H::Node>) {
        let mut path = Path::EMPTY;
        self.moves.iter().for_each(|&direction| path.push(direction as usize));
        self.stack.push(Node { place, path });
    }

    /// Asks for more nodes, which is also the time to look around. Returns whether to go on.
    #[cold]
    fn ask_for_more(&mut self, position: &Position, node: &Place<H::Node>) -> bool {
        self.allowed = self.team.allow(1);
        self.granted += self.allowed;
        if self.allowed == 0 {
            self.team.reach(Limit::Nodes);
            return false;
        }
        let heuristic = self.iteration.heuristic;
        self.tally.samples.time(1, || {
            let begun = heuristic.begin(position, node.axis.other());
            let _ = black_box(heuristic.finish(&node.heuristic, begun, position, node.axis.other(), u32::MAX));
        });
        // A path that is not full can be given away.
        self.is_leaving = self.team.is_short_of_work() && self.moves.len() + MAX_SQUARES < Path::<PATH_WORDS>::MOST;
        self.team.goes_on()
    }
}

/// Lets the blank go on by a square. Returns whether it could.
#[inline(always)]
fn go(beside: &[[Square; 4]; MAX_SQUARES], position: &mut Position, direction: Direction) -> bool {
    let blank = position.blank();
    let next = beside[blank.index() % MAX_SQUARES][direction as usize];
    if next == blank {
        return false;
    }
    position.slide(next);
    true
}

/// Lets the blank go back to where it started.
#[inline(always)]
fn go_back(beside: &[[Square; 4]; MAX_SQUARES], position: &mut Position, direction: Direction, start: Square) {
    while position.blank() != start {
        go(beside, position, direction.opposite());
    }
}

#[cfg(test)]
mod tests {
    use tilebase_heuristics::mtm::{MtmHeuristic, MtmWalkingDistance};
    use tilebase_puzzle::{Board, Frame, Goal};

    use super::*;

    #[test]
    fn bytes_are_those_of_whole_nodes() {
        fn size_of_node<H: MtmHeuristic>(_: &H) -> u64 {
            size_of::<Node<H::Node>>() as u64
        }
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        let frame = Frame::new(&Goal::BlankLast.board(board.size()).unwrap());
        let heuristic = MtmWalkingDistance::new_for(board.size(), frame.home()).unwrap();
        let state = frame.state(&board).unwrap();
        let effort = Ida::default().search_mtm(&heuristic, &state, &Request::default()).unwrap().effort();
        assert!(effort.peak_nodes > 1);
        assert_eq!(effort.peak_bytes, effort.peak_nodes * size_of_node(&heuristic));
    }
}
