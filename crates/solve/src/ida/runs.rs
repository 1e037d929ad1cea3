//! Iterations where a move slides a run of tiles: the nodes, and the worker that searches them.
//!
//! Moves along rows and along columns alternate, so a node has the axis of its next move, and its children are the other squares of the
//! blank's line. The heuristic is asked for the moves that are needed if the next one is along the other axis
//! ([`RunHeuristic`]). Solutions may have any parity, so the next bound may be the next number.
//!
//! The children of several nodes are evaluated together: what the heuristic reads first for each is prefetched before the first is
//! finished. With [`Order::Plain`], and for paths too long to keep with every node, one node is searched at a time, depth first: tiles
//! slide one by one and are put back the same way.

use std::cmp::Reverse;
use std::hint::black_box;

use tilebase_heuristics::runs::{Position, RunHeuristic};
use tilebase_puzzle::{Axis, Direction, MAX_SQUARES, Square, State};

use super::cut::{Cut, Tree};
use super::iteration::most_costs;
use super::path::Path;
use super::team::{Nodes, StopOnPanic, Tally, Team, Unit};
use super::{Iterated, Order, Search};
use crate::automaton::{NEVER_FORBIDDEN, RunAutomaton};
use crate::packed::{Beside, beside, neighbour, sort_few};
use crate::request::{Limit, Weight};
use crate::space::Root;

/// Words of the paths of nodes: a board of 4×4 needs at most 43 moves, which are at most 129 slides.
const SHORT: usize = 6;

/// Words of the paths of weighted searches, whose solutions may be long.
const LONG: usize = 32;

/// A search that visits one node at a time follows no longer paths. Only weights lead there.
const MOST_MOVES: usize = 1024;

/// An iteration uses the automaton when the one before had this many nodes: the automaton takes a tenth of a second to build, and
/// saves a tenth of the nodes.
const NODES_FOR_AUTOMATON: u64 = 1_000_000;

/// More children than any node has: the other squares of its line, on the longest board.
const MOST_CHILDREN: usize = 12;

/// Nodes whose children are evaluated together, so that the processor waits for many entries of tables at the same time.
const NODES_OF_BATCH: usize = 8;

/// A node that is still to be visited.
#[derive(Clone, Copy)]
struct Node<N, const WORDS: usize> {
    place: Place<N>,
    path: Path<WORDS>,
}

/// A node without the path to it.
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

/// A child whose entry is being fetched. Its heuristic is that of its parent until then.
#[derive(Clone, Copy)]
struct Child<N, B, const WORDS: usize> {
    node: Node<N, WORDS>,
    begun: B,
}

/// What all threads of an iteration share.
struct Iteration<'a, H, const WORDS: usize> {
    /// Whether several nodes are evaluated together.
    in_batches: bool,
    heuristic: &'a H,
    beside: Beside,
    automaton: Option<&'static RunAutomaton>,
    /// From [`most_costs`].
    most: Vec<i32>,
    /// The bound, and what a move made and a move to be made count.
    bound: u64,
    unit: u32,
    weight: u32,
    /// Whether the search goes first where the goal seems near.
    is_greedy: bool,
}

impl<H, const WORDS: usize> Iteration<'_, H, WORDS> {
    /// The value of a node above the bound, which is the next bound for it. Returns `u64::MAX` for a node within the bound, whose path
    /// is full.
    fn next_bound(&self, made: u32, cost: u32) -> u64 {
        let value = u64::from(made) * u64::from(self.unit) + u64::from(cost) * u64::from(self.weight);
        if value > self.bound { value } else { u64::MAX }
    }
}

/// Searches everything up to the bound.
pub(crate) fn iterate<H: RunHeuristic>(heuristic: &H, root: &Root<H::Node>, search: &mut Search<'_>) -> Iterated {
    let longest = search.state.size().width().max(search.state.size().height()) - 1;
    let moves = search.moves_of_bound() as usize;
    let fits = moves * longest < Path::<SHORT>::MOST;
    if search.order == Order::Fast && search.weight != Weight::ONE && !fits {
        return iterate_by::<H, LONG>(heuristic, root, search, true, Path::<LONG>::MOST / longest);
    }
    let in_batches = search.order == Order::Fast && fits;
    let most_moves = if in_batches { Path::<SHORT>::MOST / longest } else { MOST_MOVES };
    iterate_by::<H, SHORT>(heuristic, root, search, in_batches, most_moves)
}

fn iterate_by<H: RunHeuristic, const WORDS: usize>(
    heuristic: &H,
    root: &Root<H::Node>,
    search: &mut Search<'_>,
    in_batches: bool,
    most_moves: usize,
) -> Iterated {
    let iteration = Iteration::<_, WORDS>::new(heuristic, search, in_batches, most_moves);
    let work = search.work(&iteration, iteration.roots(root, search.state), |node| *node);
    search.share(work, |team, nodes| Worker::new(&iteration, team, nodes).run())
}

impl<'a, H: RunHeuristic, const WORDS: usize> Iteration<'a, H, WORDS> {
    /// The next iteration, which follows paths of fewer than `most_moves` moves.
    fn new(heuristic: &'a H, search: &Search<'_>, in_batches: bool, most_moves: usize) -> Iteration<'a, H, WORDS> {
        let Search { state, order, weight, bound, .. } = *search;
        let go_on = || search.clock.check(search.effort.generated).is_ok();
        let is_worth_it = search.uses_automaton && search.generated_last >= NODES_FOR_AUTOMATON;
        let automaton = if is_worth_it { RunAutomaton::of_while(state.size(), &go_on) } else { None };
        Iteration {
            in_batches,
            heuristic,
            beside: beside(state.size()),
            automaton,
            most: most_costs(bound, weight, most_moves),
            bound,
            unit: weight.of_move(),
            weight: weight.of_bound(),
            is_greedy: weight != Weight::ONE && order == Order::Fast,
        }
    }

    /// A root for each axis of the first move, as far as it is within the bound.
    fn roots(&self, root: &Root<H::Node>, state: &State) -> Cut<Node<H::Node, WORDS>> {
        let position = Position::of(state);
        let mut roots = Cut::empty();
        for axis in Axis::BOTH {
            let (heuristic, cost) = (root.by_axis[axis as usize], root.costs[axis as usize]);
            if cost as i32 > self.most[0] {
                roots.next_bound = roots.next_bound.min(self.next_bound(0, cost));
                continue;
            }
            let start = |automaton: &RunAutomaton| automaton.start(position.blank(), axis);
            let automaton = self.automaton.map_or(NEVER_FORBIDDEN, start);
            let place = Place { position, heuristic, axis, made: 0, automaton };
            roots.units.push(Node { place, path: Path::EMPTY });
        }
        roots
    }
}

impl<H: RunHeuristic, const WORDS: usize> Tree for Iteration<'_, H, WORDS> {
    type Node = Node<H::Node, WORDS>;

    fn path(&self, node: &Self::Node) -> Vec<Direction> {
        node.path.moves()
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        self.heuristic.cost(&node.place.heuristic)
    }

    fn expand(&self, parent: &Self::Node, cut: &mut Cut<Self::Node>) {
        let (made, axis) = (parent.place.made + 1, parent.place.axis.other());
        let most = self.most[made as usize];
        let allowed = self.automaton.map(|automaton| automaton.next(parent.place.automaton));
        let mut number = 0;
        for direction in parent.place.axis.directions() {
            let (mut position, mut path) = (parent.place.position, parent.path);
            while go(&self.beside, &mut position, direction) {
                path.push(direction as usize);
                let automaton = allowed.map_or(NEVER_FORBIDDEN, |row| row[number]);
                number += 1;
                if automaton == RunAutomaton::FORBIDDEN {
                    continue;
                }
                cut.generated += 1;
                if position.is_solved() {
                    cut.solution.get_or_insert_with(|| path.moves());
                    continue;
                }
                // A state that is not solved needs a move.
                let child = if most > 0 {
                    let begun = self.heuristic.begin(&position, axis);
                    self.heuristic.finish(&parent.place.heuristic, begun, &position, axis, most as u32)
                } else {
                    Err(1)
                };
                match child {
                    Ok(heuristic) => {
                        let place = Place { position, heuristic, axis, made, automaton };
                        cut.units.push(Node { place, path });
                    }
                    Err(cost) => cut.next_bound = cut.next_bound.min(self.next_bound(made, cost)),
                }
            }
        }
    }
}

/// One thread of one iteration.
struct Worker<'a, H: RunHeuristic, const WORDS: usize> {
    iteration: &'a Iteration<'a, H, WORDS>,
    team: &'a Team<'a>,
    nodes: &'a Nodes<Node<H::Node, WORDS>>,
    /// The blank's moves from the root to the current node, a square each.
    moves: Vec<Direction>,
    /// Nodes to visit later.
    stack: Vec<Node<H::Node, WORDS>>,
    /// Whether children are put onto the stack instead of being visited.
    is_leaving: bool,
    tally: Tally,
    /// Nodes that may be generated before the next question to the team, and all that it has allowed so far.
    allowed: u64,
    granted: u64,
}

impl<'a, H: RunHeuristic, const WORDS: usize> Worker<'a, H, WORDS> {
    fn new(iteration: &'a Iteration<'a, H, WORDS>, team: &'a Team<'a>, nodes: &'a Nodes<Node<H::Node, WORDS>>) -> Self {
        Worker {
            iteration,
            team,
            nodes,
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
        while self.take_work(&mut unit) {
            if self.iteration.in_batches {
                self.search_in_batches();
                continue;
            }
            while let Some(Node { place, path }) = self.stack.pop() {
                self.moves = path.moves();
                let below = self.stack.len();
                let mut position = place.position;
                if !self.visit(&mut position, &place) {
                    // The team has stopped, and says so when asked for work.
                    break;
                }
                if self.is_leaving {
                    // Nodes are visited in the order in which they were left.
                    self.stack[below..].reverse();
                    self.is_leaving = false;
                    self.nodes.offer(self.team, &mut self.stack);
                }
            }
        }
        self.team.give_back(self.allowed);
        self.tally.peak_bytes = self.tally.peak_nodes * size_of::<Node<H::Node, WORDS>>() as u64;
        self.tally_so_far()
    }

    fn take_work(&mut self, unit: &mut Unit) -> bool {
        let tally = self.tally_so_far();
        self.nodes.take(self.team, &mut self.stack, unit, &tally)
    }

    fn tally_so_far(&self) -> Tally {
        Tally { generated: self.granted - self.allowed, ..self.tally }
    }

    /// Searches below all nodes on the stack, several nodes at a time.
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
        let Iteration { heuristic, most, is_greedy, .. } = self.iteration;
        let mut children = Vec::with_capacity(NODES_OF_BATCH * MOST_CHILDREN);
        while !self.stack.is_empty() {
            if self.team.is_short_of_work() {
                self.nodes.offer(self.team, &mut self.stack);
            }
            children.clear();
            for _ in 0..NODES_OF_BATCH {
                let Some(node) = self.stack.pop() else { break };
                if !self.begin_children(&node, &mut children) {
                    return self.stack.clear();
                }
            }
            let pushed = self.stack.len();
            for Child { node, begun } in &children {
                let Place { position, heuristic: parent, axis, made, .. } = &node.place;
                match heuristic.finish(parent, *begun, position, *axis, most[*made as usize] as u32) {
                    Ok(known) => {
                        self.stack.push(Node { place: Place { heuristic: known, ..node.place }, path: node.path });
                    }
                    Err(cost) => self.pass_over(*made, cost),
                }
            }
            if *is_greedy {
                // A search that need not find the shortest solution would wander otherwise.
                sort_few(&mut self.stack[pushed..], |node| Reverse(heuristic.cost(&node.place.heuristic)));
            }
            self.tally.peak_nodes = self.tally.peak_nodes.max(self.stack.len() as u64);
        }
    }

    /// Generates the children of a node, and prefetches what is read first of each. Returns whether to go on.
    #[inline(always)]
    fn begin_children(
        &mut self,
        node: &Node<H::Node, WORDS>,
        children: &mut Vec<Child<H::Node, H::Begun, WORDS>>,
    ) -> bool {
        let Iteration { heuristic, beside, automaton, most, .. } = self.iteration;
        self.tally.expanded += 1;
        let (made, axis) = (node.place.made + 1, node.place.axis.other());
        let most = most[made as usize];
        let allowed = automaton.map(|automaton| automaton.next(node.place.automaton));
        let mut number = 0;
        for direction in node.place.axis.directions() {
            let (mut position, mut path) = (node.place.position, node.path);
            while go(beside, &mut position, direction) {
                path.push(direction as usize);
                let automaton = allowed.map_or(NEVER_FORBIDDEN, |row| row[number]);
                number += 1;
                if automaton == RunAutomaton::FORBIDDEN {
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
                } else if most <= 0 {
                    // A state that is not solved needs a move.
                    self.pass_over(made, 1);
                } else {
                    let place = Place { position, heuristic: node.place.heuristic, axis, made, automaton };
                    children.push(Child { node: Node { place, path }, begun: heuristic.begin(&position, axis) });
                }
            }
        }
        true
    }

    /// Notes the value of a child above the bound.
    #[inline(always)]
    fn pass_over(&mut self, made: u32, cost: u32) {
        self.tally.next_bound = self.tally.next_bound.min(self.iteration.next_bound(made, cost));
    }

    /// Visits a node, whose position is given, and everything below it. Returns whether to go on; then the position is unchanged.
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
        self.visit_by(position, node, |worker, position, node| worker.visit_with_popcnt(position, node))
    }

    #[inline(always)]
    fn visit_by(
        &mut self,
        position: &mut Position,
        node: &Place<H::Node>,
        visit: fn(&mut Self, &mut Position, &Place<H::Node>) -> bool,
    ) -> bool {
        let Iteration { heuristic, beside, automaton, most, .. } = self.iteration;
        self.tally.expanded += 1;
        self.tally.peak_nodes = self.tally.peak_nodes.max(u64::from(node.made) + 1);
        let (start, made) = (position.blank(), node.made + 1);
        // The largest cost of a child within the bound.
        let most = most[made as usize];
        let next_axis = node.axis.other();
        let mut begun = [H::Begun::default(); MOST_CHILDREN];
        if most > 0 {
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
                if after == RunAutomaton::FORBIDDEN {
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
                // A state that is not solved needs a move.
                let child = if most > 0 {
                    heuristic.finish(&node.heuristic, begun, position, next_axis, most as u32)
                } else {
                    Err(1)
                };
                match child {
                    Ok(heuristic) => {
                        let child = Place { position: *position, heuristic, axis: next_axis, made, automaton: after };
                        if self.is_leaving {
                            self.leave(child);
                        } else if !visit(self, position, &child) {
                            return false;
                        }
                    }
                    Err(cost) => self.pass_over(made, cost),
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

    /// Asks the team for more nodes, and checks the limits. Returns whether to go on.
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
        // Only a path that fits can be given away.
        self.is_leaving = self.team.is_short_of_work() && self.moves.len() + MAX_SQUARES < Path::<WORDS>::MOST;
        self.team.goes_on()
    }
}

/// Moves the blank by a square. Returns whether there was one.
#[inline(always)]
fn go(beside: &Beside, position: &mut Position, direction: Direction) -> bool {
    let next = neighbour(beside, position.blank(), direction);
    if let Some(next) = next {
        position.slide(next);
    }
    next.is_some()
}

/// Moves the blank back to where it started.
#[inline(always)]
fn go_back(beside: &Beside, position: &mut Position, direction: Direction, start: Square) {
    while position.blank() != start {
        go(beside, position, direction.opposite());
    }
}

#[cfg(test)]
mod tests {
    use tilebase_heuristics::runs::{RunHeuristic, RunWalkingDistance};
    use tilebase_puzzle::{Board, Frame, Goal};

    use super::*;
    use crate::{Algorithm, Ida, Request, Runs};

    #[test]
    fn bytes_are_those_of_whole_nodes() {
        fn size_of_node<H: RunHeuristic>(_: &H) -> u64 {
            size_of::<Node<H::Node, SHORT>>() as u64
        }
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        let frame = Frame::new(&Goal::BlankLast.board(board.size()).unwrap());
        let heuristic = RunWalkingDistance::new_for(board.size(), frame.home()).unwrap();
        let state = frame.state(&board).unwrap();
        let request = Request::default();
        let effort = Ida::default().search(&Runs(heuristic.clone()), &state, &request).unwrap().effort();
        assert!(effort.peak_nodes > 1);
        assert_eq!(effort.peak_bytes, effort.peak_nodes * size_of_node(&heuristic));
    }
}
