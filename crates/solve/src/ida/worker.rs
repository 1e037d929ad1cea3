//! One thread of one iteration.
//!
//! A depth-first search would read an entry of a table, wait for it, decide, and read the next. A worker takes a batch of
//! nodes from its stack at a time and prefetches the entries of all their children; memory delivers many of them in the time of
//! one. Meanwhile it reads those of the batches before: the stages of the heuristic are in groups, one batch is under way for each
//! group, and the entries of a group are fetched together. Each stage goes over all children that are still there, without
//! branches that a processor could guess wrong. What survives all stages goes onto the stack, which keeps the search
//! depth-first, so that it stays small.

use std::cmp::Reverse;
use std::ops::Range;

use tilebase_heuristics::Heuristic;
use tilebase_puzzle::{Slide, Square};

use super::depth_first;
use super::iteration::Iteration;
use super::path::Path;
use super::team::{NODES_BETWEEN_LOOKS, Nodes, StopOnPanic, Tally, Team, Unit};
use crate::automaton::Automaton;
use crate::packed::{Packed, sort_few};
use crate::request::Limit;

/// How many nodes are expanded together. Each has about two children, and memory delivers about twenty entries at a time.
const PARENTS: usize = 8;

/// The most children that they have.
const CHILDREN: usize = 4 * PARENTS;

/// No cost exceeds the largest that a child may have by this much.
const NOT_OVER: u32 = 1 << 30;

#[derive(Clone, Copy)]
pub(super) struct Node<N, B, const WORDS: usize> {
    heuristic: N,
    board: B,
    path: Path<WORDS>,
    automaton: u32,
    blank: Square,
}

impl<N: Copy, B: Packed, const WORDS: usize> From<&depth_first::Node<N, B>> for Node<N, B, WORDS> {
    fn from(node: &depth_first::Node<N, B>) -> Node<N, B, WORDS> {
        let depth_first::Place { heuristic, board, blank, automaton } = node.place;
        let mut path = Path::EMPTY;
        node.path.moves().into_iter().for_each(|direction| path.push(direction as usize));
        Node { heuristic, board, path, automaton, blank }
    }
}

/// A child of a node that is being expanded.
#[derive(Clone, Copy)]
struct Child {
    /// The number of the parent among those expanded together.
    parent: u8,
    direction: u8,
    slide: Slide,
    /// Its own number among the children of all of them.
    number: u8,
}

/// Nodes that are expanded together, and their children.
struct Batch<H: Heuristic, B, const WORDS: usize> {
    parents: [Node<H::Node, B, WORDS>; PARENTS],
    /// The children that no stage has ruled out so far, and how many they are.
    children: [Child; CHILDREN],
    living: usize,
    /// By the number of a child, the largest cost that it may have; negative where it may have none.
    most: [i32; CHILDREN],
    /// By the number of a child, the automaton's state.
    automata: [u32; CHILDREN],
    /// For each stage, by the number of a child, what it finds out about it.
    steps: Vec<[H::Step; CHILDREN]>,
}

pub(super) struct Worker<'a, H: Heuristic, B, const WORDS: usize> {
    iteration: &'a Iteration<'a, H, B>,
    team: &'a Team<'a>,
    nodes: &'a Nodes<Node<H::Node, B, WORDS>>,
    stack: Vec<Node<H::Node, B, WORDS>>,
    /// The stages of the heuristic, from [`groups_of`].
    groups: Vec<Range<usize>>,
    /// One for each group: the newest, at whose children the first stage is looking, then the one before …
    batches: Vec<Batch<H, B, WORDS>>,
    newest: usize,
    tally: Tally,
    /// Nodes that may be generated before the team has to be asked again.
    allowed: u64,
}

impl<'a, H: Heuristic, B: Packed, const WORDS: usize> Worker<'a, H, B, WORDS> {
    pub(super) fn new(
        iteration: &'a Iteration<'a, H, B>,
        team: &'a Team<'a>,
        nodes: &'a Nodes<Node<H::Node, B, WORDS>>,
        root: &Node<H::Node, B, WORDS>,
    ) -> Worker<'a, H, B, WORDS> {
        let groups = groups_of(iteration.heuristic.stages());
        Worker {
            iteration,
            team,
            nodes,
            stack: Vec::new(),
            batches: groups.iter().map(|_| Batch::empty(iteration, root)).collect(),
            groups,
            newest: 0,
            tally: Tally::default(),
            allowed: 0,
        }
    }

    /// Works as long as the team has work.
    pub(super) fn run(mut self) -> Tally {
        let _others_stop = StopOnPanic(self.team);
        let mut unit = Unit::default();
        while self.nodes.take(self.team, &mut self.stack, &mut unit, &self.tally) {
            self.search();
        }
        self.team.give_back(self.allowed);
        let under_way = (self.batches.len() * PARENTS) as u64;
        self.tally.peak_nodes += under_way;
        let steps = self.iteration.heuristic.stages() * size_of::<[H::Step; CHILDREN]>();
        let batches = self.batches.len() * (size_of::<Batch<H, B, WORDS>>() + steps);
        let nodes = self.stack.capacity() * size_of::<Node<H::Node, B, WORDS>>();
        self.tally.peak_bytes = (nodes + batches) as u64;
        self.tally
    }

    /// Searches below the nodes on the stack, until there are none or the team stops.
    fn search(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if has_newer_instructions() {
            #[allow(unsafe_code)]
            // SAFETY: the machine has all the instructions that the function is compiled for.
            return unsafe { self.search_with_newer_instructions() };
        }
        self.search_with_any_instructions();
    }

    /// Has the heuristic's time taken for a node. The longest stack is seen often enough, because it hardly changes its length.
    #[cold]
    fn take_sample(&mut self) {
        self.tally.peak_nodes = self.tally.peak_nodes.max(self.stack.len() as u64);
        let Some(node) = self.stack.last() else { return };
        let slides = self.iteration.slides(node.board, node.blank, node.automaton);
        self.tally.samples.take(self.iteration.heuristic, &node.heuristic, &slides);
    }

    /// The same code for machines that count bits and shift by any number in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn search_with_newer_instructions(&mut self) {
        self.search_with_any_instructions();
    }

    #[inline(always)]
    fn search_with_any_instructions(&mut self) {
        let groups = self.groups.len();
        let mut next_look = 0;
        let mut under_way = 0;
        while under_way > 0 || !self.stack.is_empty() {
            if self.tally.expanded >= next_look {
                next_look = self.tally.expanded + NODES_BETWEEN_LOOKS;
                self.take_sample();
                if !self.team.goes_on() {
                    return;
                }
            }
            if self.team.is_short_of_work() {
                self.nodes.offer(self.team, &mut self.stack);
            }
            under_way = 0;
            for group in (0..groups).rev() {
                let batch = &mut self.batches[(self.newest + group) % groups];
                for stage in self.groups[group].clone() {
                    batch.finish(stage, self.iteration, &mut self.tally);
                }
                if let Some(next) = self.groups.get(group + 1) {
                    // No closure: it would be compiled for any machine.
                    for stage in next.clone() {
                        batch.begin(stage, self.iteration);
                    }
                    under_way += batch.living;
                } else if !batch.emit(self.iteration, &mut self.stack, self.team) {
                    return;
                }
            }
            self.newest = (self.newest + groups - 1) % groups;
            let batch = &mut self.batches[self.newest];
            let expanded = batch.fill(&mut self.stack, self.iteration);
            let children = batch.living as u64;
            if children > self.allowed {
                self.allowed += self.team.allow(children);
                if children > self.allowed {
                    batch.living = 0;
                    return self.team.reach(Limit::Nodes);
                }
            }
            self.allowed -= children;
            self.tally.generated += children;
            self.tally.expanded += expanded as u64;
            batch.begin(0, self.iteration);
            under_way += batch.living;
        }
    }
}

/// The stages that are looked at together. The first ones rule most children out, so that each is a group of its own; what is
/// left is asked about many things at once, because the more batches are under way, the less stays in the nearest cache.
fn groups_of(stages: usize) -> Vec<Range<usize>> {
    let ends = [1, 2, 6, usize::MAX].map(|end| stages.min(end));
    let starts = [0].into_iter().chain(ends);
    starts.zip(ends).map(|(start, end)| start..end).filter(|group| !group.is_empty()).collect()
}

/// Whether the machine has everything that `search_with_newer_instructions` is compiled for.
#[cfg(target_arch = "x86_64")]
fn has_newer_instructions() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

impl<H: Heuristic, B: Packed, const WORDS: usize> Batch<H, B, WORDS> {
    /// A batch without children. Its places hold what some move of the root finds out.
    fn empty(iteration: &Iteration<'_, H, B>, root: &Node<H::Node, B, WORDS>) -> Batch<H, B, WORDS> {
        let heuristic = iteration.heuristic;
        // Every square has a neighbour.
        let slide = iteration.slides(root.board, root.blank, root.automaton)[0];
        let steps = (0..heuristic.stages()).map(|stage| [heuristic.begin(stage, &root.heuristic, slide); CHILDREN]);
        Batch {
            parents: [*root; PARENTS],
            children: [Child { parent: 0, direction: 0, slide, number: 0 }; CHILDREN],
            living: 0,
            most: [0; CHILDREN],
            automata: [0; CHILDREN],
            steps: steps.collect(),
        }
    }

    /// Takes nodes from the stack and lists their children. Returns how many nodes.
    #[inline(always)]
    fn fill(&mut self, stack: &mut Vec<Node<H::Node, B, WORDS>>, iteration: &Iteration<'_, H, B>) -> usize {
        let left = stack.len().saturating_sub(PARENTS);
        let parents = stack.len() - left;
        self.parents[..parents].copy_from_slice(&stack[left..]);
        stack.truncate(left);
        let mut children = 0;
        for (number, parent) in self.parents[..parents].iter().enumerate() {
            let most = iteration.most[parent.path.len() + 1];
            for (direction, automaton) in iteration.automaton.next(parent.automaton).into_iter().enumerate() {
                let slide = iteration.moves.slide(parent.board, parent.blank, direction);
                let (parent, direction, number) = (number as u8, direction as u8, children as u8);
                self.children[children % CHILDREN] = Child { parent, direction, slide, number };
                self.automata[children % CHILDREN] = automaton;
                self.most[children % CHILDREN] = most;
                // What is forbidden is overwritten by the next.
                children += usize::from(automaton != Automaton::FORBIDDEN);
            }
        }
        self.living = children;
        parents
    }

    /// Begins a stage for all children that are still there.
    #[inline(always)]
    fn begin(&mut self, stage: usize, iteration: &Iteration<'_, H, B>) {
        let heuristic = iteration.heuristic;
        let is_last = stage + 1 == self.steps.len();
        let steps = &mut self.steps[stage];
        let children = &self.children[..self.living];
        for &Child { parent, slide, number, .. } in children {
            let node = &self.parents[parent as usize % PARENTS].heuristic;
            heuristic.start(stage, node, slide, &mut steps[number as usize % CHILDREN]);
        }
        for &Child { number, .. } in children {
            let step = &mut steps[number as usize % CHILDREN];
            heuristic.locate(stage, step);
            heuristic.prefetch(stage, step);
            if is_last {
                iteration.automaton.prefetch(self.automata[number as usize % CHILDREN]);
            }
        }
    }

    /// Finishes a stage, and rules out what is above the bound.
    #[inline(always)]
    fn finish(&mut self, stage: usize, iteration: &Iteration<'_, H, B>, tally: &mut Tally) {
        let steps = &mut self.steps[stage];
        let mut living = 0;
        let mut least_over = u32::MAX;
        for at in 0..self.living {
            let child = self.children[at % CHILDREN];
            let number = child.number as usize % CHILDREN;
            let cost = iteration.heuristic.finish(stage, &mut steps[number]);
            let over = cost as i32 - self.most[number];
            if iteration.is_weighted && over > 0 {
                let parent = &self.parents[child.parent as usize % PARENTS];
                tally.next_bound = tally.next_bound.min(iteration.next_bound(parent.path.len() + 1, cost));
            }
            // What is not over becomes a large number.
            least_over = least_over.min((over as u32).wrapping_sub(1));
            self.children[living % CHILDREN] = child;
            living += usize::from(over <= 0);
        }
        if !iteration.is_weighted && least_over < NOT_OVER {
            let next_bound = iteration.bound + (u64::from(least_over) + 1) * u64::from(iteration.unit);
            tally.next_bound = tally.next_bound.min(next_bound);
        }
        self.living = living;
    }

    /// Puts the children that are still there onto the stack. Returns whether to go on.
    #[inline(always)]
    fn emit(
        &mut self,
        iteration: &Iteration<'_, H, B>,
        stack: &mut Vec<Node<H::Node, B, WORDS>>,
        team: &Team<'_>,
    ) -> bool {
        let pushed = stack.len();
        let children = &self.children[..self.living];
        // All at once, right into their places: what has been written in parts is slow to be copied as a whole.
        stack.extend(children.iter().map(|child| self.parents[child.parent as usize % PARENTS]));
        let mut any_solves = false;
        for (node, &Child { direction, slide, number, .. }) in stack[pushed..].iter_mut().zip(children) {
            for (stage, steps) in self.steps.iter().enumerate() {
                iteration.heuristic.apply(stage, &mut node.heuristic, &steps[number as usize % CHILDREN]);
            }
            node.board = iteration.moves.after(node.board, slide);
            node.path.push(direction.into());
            node.automaton = self.automata[number as usize % CHILDREN];
            node.blank = slide.from;
            any_solves |= node.board == iteration.moves.goal;
        }
        if any_solves {
            let solves = |node: &mut Node<H::Node, B, WORDS>| node.board == iteration.moves.goal;
            for node in stack.extract_if(pushed.., solves) {
                if !team.found(&node.path.moves()) {
                    return false;
                }
            }
        }
        self.living = 0;
        if iteration.is_weighted {
            // A search that need not find the shortest solution goes where the goal seems near; otherwise it would wander.
            sort_few(&mut stack[pushed..], |node| Reverse(iteration.heuristic.cost(&node.heuristic)));
        }
        true
    }
}
