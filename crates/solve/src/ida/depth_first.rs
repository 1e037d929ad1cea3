//! One thread of one iteration, a node at a time: depth first, in the order up, left, right, down, as the papers describe it.
//!
//! This is fastest where a heuristic only computes, and on one thread it generates exactly the nodes that papers
//! count. It generates the same nodes as a [`Worker`](super::worker::Worker) while nothing is found.
//!
//! When another thread has nothing to do, the recursion is left: what it would still have to visit is put onto a stack
//! instead, and a part of that is given away.

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Direction, Square, State};

use super::iteration::Iteration;
use super::path::Path;
use super::team::{Nodes, StopOnPanic, Tally, Team, Unit};
use crate::automaton::Automaton;
use crate::packed::{Packed, sort_few};
use crate::request::Limit;

pub(super) const MOST_MOVES: usize = Path::<PATH_WORDS>::MOST;

const PATH_WORDS: usize = 32;

/// A node that is still to be visited.
#[derive(Clone, Copy)]
pub(super) struct Node<N, B> {
    pub(super) place: Place<N, B>,
    pub(super) path: Path<PATH_WORDS>,
}

impl<N, B: Packed> Node<N, B> {
    pub(super) fn root(heuristic: N, state: &State, automaton: u32) -> Node<N, B> {
        Node { place: Place { heuristic, board: B::of(state), blank: state.blank(), automaton }, path: Path::EMPTY }
    }
}

/// Where a node is, whatever the path to it.
#[derive(Clone, Copy)]
pub(super) struct Place<N, B> {
    pub(super) heuristic: N,
    pub(super) board: B,
    pub(super) blank: Square,
    pub(super) automaton: u32,
}

/// A child that is within the bound.
#[derive(Clone, Copy)]
struct Child<N, B> {
    place: Place<N, B>,
    direction: usize,
    cost: u32,
}

pub(super) struct DepthFirst<'a, H: Heuristic, B> {
    iteration: &'a Iteration<'a, H, B>,
    team: &'a Team<'a>,
    nodes: &'a Nodes<Node<H::Node, B>>,
    /// The blank's moves from the root to the current node.
    moves: [Direction; MOST_MOVES],
    /// What is to be visited later.
    stack: Vec<Node<H::Node, B>>,
    /// Whether children are put onto the stack instead of being visited.
    is_leaving: bool,
    tally: Tally,
    /// By how much the cost of a child was over what it may be, at least.
    least_over: u32,
    /// Nodes that may be generated before the team has to be asked again, and all that it has ever allowed.
    allowed: u64,
    granted: u64,
}

impl<'a, H: Heuristic, B: Packed> DepthFirst<'a, H, B> {
    pub(super) fn new(
        iteration: &'a Iteration<'a, H, B>,
        team: &'a Team<'a>,
        nodes: &'a Nodes<Node<H::Node, B>>,
    ) -> Self {
        DepthFirst {
            iteration,
            team,
            nodes,
            moves: [Direction::Up; MOST_MOVES],
            stack: Vec::new(),
            is_leaving: false,
            tally: Tally::default(),
            least_over: u32::MAX,
            allowed: 0,
            granted: 0,
        }
    }

    /// Works as long as the team has work.
    pub(super) fn run(mut self) -> Tally {
        let _others_stop = StopOnPanic(self.team);
        let mut unit = Unit::default();
        while self.take_work(&mut unit) {
            while let Some(Node { place, path }) = self.stack.pop() {
                let depth = path.len();
                path.copy_to(&mut self.moves);
                let below = self.stack.len();
                if !self.visit(&place, depth) {
                    // The team has stopped, and is told so.
                    break;
                }
                if self.is_leaving {
                    // What was put onto the stack first is what would have been visited first.
                    self.stack[below..].reverse();
                    self.is_leaving = false;
                    self.nodes.offer(self.team, &mut self.stack);
                }
            }
        }
        self.team.give_back(self.allowed);
        self.tally.peak_bytes = self.tally.peak_nodes * size_of::<Place<H::Node, B>>() as u64;
        self.tally_so_far()
    }

    fn take_work(&mut self, unit: &mut Unit) -> bool {
        let tally = self.tally_so_far();
        self.nodes.take(self.team, &mut self.stack, unit, &tally)
    }

    fn tally_so_far(&self) -> Tally {
        let mut tally = Tally { generated: self.granted - self.allowed, ..self.tally };
        if self.least_over < u32::MAX {
            let next_bound = self.iteration.bound + u64::from(self.least_over) * u64::from(self.iteration.unit);
            tally.next_bound = tally.next_bound.min(next_bound);
        }
        tally
    }

    /// Visits a node and everything below it. Returns whether to go on.
    fn visit(&mut self, node: &Place<H::Node, B>, depth: usize) -> bool {
        self.tally.expanded += 1;
        self.tally.peak_nodes = self.tally.peak_nodes.max(depth as u64 + 1);
        let row = &self.iteration.automaton.next(node.automaton);
        let most = self.iteration.most[depth + 1];
        if self.iteration.is_greedy {
            return self.visit_nearest_first(node, depth);
        }
        // Each direction has its own code, so that the processor can learn for each of them whether it is worth trying.
        self.try_direction::<0>(node, row, depth, most)
            && self.try_direction::<1>(node, row, depth, most)
            && self.try_direction::<2>(node, row, depth, most)
            && self.try_direction::<3>(node, row, depth, most)
    }

    /// Generates the child in a direction, if it is allowed, and visits it, if it is within the bound. Returns whether to go on.
    #[inline(always)]
    fn try_direction<const DIRECTION: usize>(
        &mut self,
        node: &Place<H::Node, B>,
        row: &[u32; 4],
        depth: usize,
        most: i32,
    ) -> bool {
        let automaton = row[DIRECTION];
        if automaton == Automaton::FORBIDDEN {
            return true;
        }
        if self.allowed == 0 && !self.ask_for_more(node) {
            return false;
        }
        self.allowed -= 1;
        self.child(node, DIRECTION, automaton, depth, most).is_none_or(|child| self.go_to(&child, depth))
    }

    /// The same, but first where the goal seems near. A search that need not find the shortest solution would wander otherwise.
    fn visit_nearest_first(&mut self, node: &Place<H::Node, B>, depth: usize) -> bool {
        let row = self.iteration.automaton.next(node.automaton);
        let most = self.iteration.most[depth + 1];
        let mut children = [None; 4];
        for (direction, automaton) in row.into_iter().enumerate() {
            if automaton != Automaton::FORBIDDEN {
                if self.allowed == 0 && !self.ask_for_more(node) {
                    return false;
                }
                self.allowed -= 1;
                children[direction] = self.child(node, direction, automaton, depth, most);
            }
        }
        sort_few(&mut children, |child| child.map_or(u32::MAX, |child| child.cost));
        children.iter().flatten().all(|child| self.go_to(child, depth))
    }

    /// The child of a node in a direction, if it is within the bound.
    #[inline(always)]
    fn child(
        &mut self,
        node: &Place<H::Node, B>,
        direction: usize,
        automaton: u32,
        depth: usize,
        most: i32,
    ) -> Option<Child<H::Node, B>> {
        let slide = self.iteration.moves.slide(node.board, node.blank, direction);
        let heuristic = self.iteration.heuristic;
        let mut place = *node;
        let mut largest = 0;
        for stage in 0..heuristic.stages() {
            let mut step = heuristic.begin(stage, &node.heuristic, slide);
            let cost = heuristic.finish(stage, &mut step);
            if cost as i32 > most {
                if self.iteration.is_weighted {
                    self.tally.next_bound = self.tally.next_bound.min(self.iteration.next_bound(depth + 1, cost));
                } else {
                    self.least_over = self.least_over.min((cost as i32 - most) as u32);
                }
                return None;
            }
            largest = largest.max(cost);
            heuristic.apply(stage, &mut place.heuristic, &step);
        }
        place.board = self.iteration.moves.after(node.board, slide);
        place.blank = slide.from;
        place.automaton = automaton;
        Some(Child { place, direction, cost: largest })
    }

    /// Visits a child, or puts it where it will be visited. Returns whether to go on.
    #[inline(always)]
    fn go_to(&mut self, child: &Child<H::Node, B>, depth: usize) -> bool {
        let Child { place, direction, cost } = child;
        self.moves[depth % MOST_MOVES] = Direction::ALL[*direction];
        if *cost == 0 && place.board == self.iteration.moves.goal {
            return self.team.found(&self.moves[..=depth]);
        }
        if self.is_leaving {
            self.leave(place, depth);
            return true;
        }
        self.visit(place, depth + 1)
    }

    #[cold]
    fn leave(&mut self, place: &Place<H::Node, B>, depth: usize) {
        let mut path = Path::EMPTY;
        self.moves[..=depth].iter().for_each(|&direction| path.push(direction as usize));
        self.stack.push(Node { place: *place, path });
    }

    /// Asks for more nodes, which is also the time to look around. Returns whether to go on.
    #[cold]
    fn ask_for_more(&mut self, node: &Place<H::Node, B>) -> bool {
        self.allowed = self.team.allow(1);
        self.granted += self.allowed;
        if self.allowed == 0 {
            self.team.reach(Limit::Nodes);
            return false;
        }
        let slides = self.iteration.slides(node.board, node.blank, node.automaton);
        self.tally.samples.take(self.iteration.heuristic, &node.heuristic, &slides);
        self.is_leaving = self.team.is_short_of_work();
        self.team.goes_on()
    }
}
