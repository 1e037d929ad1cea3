//! One thread of one iteration.
//!
//! A depth-first search would ask for an entry of a table, wait for it, decide, and ask for the next. A worker takes several
//! nodes from its stack at a time and asks for the entries of all their children before it reads the first: memory answers
//! many questions in the time of one. Each stage of the heuristic goes over all children that are still there, without
//! branches that a processor could guess wrong. What survives all stages goes onto the stack, which keeps the search
//! depth-first, so that it stays small.

use tilebase_puzzle::{Direction, Size, Slide, Square, State};

use super::path::Path;
use super::tiles::Tiles;
use crate::automaton::Automaton;
use crate::heuristic::Heuristic;
use crate::request::Limit;

/// How many nodes are expanded together. Each has about two children, and memory serves about ten questions at a time.
const PARENTS: usize = 16;

/// The most children that they have.
const CHILDREN: usize = 4 * PARENTS;

/// How many expanded nodes pass between two looks at the clock: a fraction of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 4096;

/// A node of the search tree.
#[derive(Clone, Copy)]
pub(super) struct Node<N, B, const WORDS: usize> {
    heuristic: N,
    tiles: B,
    path: Path<WORDS>,
    automaton: u16,
    blank: Square,
}

impl<N, B: Tiles, const WORDS: usize> Node<N, B, WORDS> {
    /// The root of a search.
    pub(super) fn root(heuristic: N, state: &State, automaton: u16) -> Node<N, B, WORDS> {
        Node { heuristic, tiles: B::of(state), path: Path::EMPTY, automaton, blank: state.blank() }
    }
}

/// What an iteration is about; the same for all workers.
pub(super) struct Iteration<'a, H, B> {
    pub(super) heuristic: &'a H,
    pub(super) automaton: &'a Automaton,
    pub(super) size: Size,
    pub(super) goal: B,
    /// The largest cost that a node may have, by how many moves were made; negative where none may.
    pub(super) most: Vec<i32>,
    /// What a move made and a move to be made count.
    pub(super) unit: u32,
    pub(super) weight: u32,
}

/// What a worker tells, and asks whether to go on.
pub(super) trait Control<const WORDS: usize> {
    /// A solution. Returns whether to search for more.
    fn found(&mut self, path: &Path<WORDS>) -> bool;
    /// Called now and then. Returns why to stop.
    fn look(&mut self, generated: u64) -> Option<Limit>;
}

/// Why a worker ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Everything was searched.
    Exhausted,
    /// Enough solutions were found.
    Enough,
    /// A limit was reached.
    Limit(Limit),
}

/// What a worker did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) generated: u64,
    pub(super) expanded: u64,
    /// The smallest value above the bound.
    pub(super) next_bound: u64,
}

/// A child of a node that is being expanded.
#[derive(Clone, Copy)]
struct Child {
    /// The number of the parent among those expanded together.
    parent: u8,
    way: u8,
    automaton: u16,
    slide: Slide,
}

pub(super) struct Worker<'a, H: Heuristic, B, const WORDS: usize> {
    iteration: &'a Iteration<'a, H, B>,
    stack: Vec<Node<H::Node, B, WORDS>>,
    parents: Box<[Node<H::Node, B, WORDS>; PARENTS]>,
    children: [Child; CHILDREN],
    /// For each stage, what it finds out about each child.
    steps: Vec<[H::Step; CHILDREN]>,
    neighbours: [[Square; 4]; 32],
    pub(super) tally: Tally,
    most_generated: u64,
}

impl<'a, H: Heuristic, B: Tiles, const WORDS: usize> Worker<'a, H, B, WORDS> {
    pub(super) fn new(
        iteration: &'a Iteration<'a, H, B>,
        root: Node<H::Node, B, WORDS>,
        most_generated: u64,
    ) -> Worker<'a, H, B, WORDS> {
        let slide = Slide { tile: tilebase_puzzle::Tile(0), from: root.blank, to: root.blank };
        let child = Child { parent: 0, way: 0, automaton: 0, slide };
        let heuristic = iteration.heuristic;
        let steps = (0..heuristic.stages()).map(|stage| [heuristic.begin(stage, &root.heuristic, slide); CHILDREN]);
        Worker {
            iteration,
            stack: vec![root],
            parents: Box::new([root; PARENTS]),
            children: [child; CHILDREN],
            steps: steps.collect(),
            neighbours: neighbours(iteration.size),
            tally: Tally { generated: 0, expanded: 0, next_bound: u64::MAX },
            most_generated,
        }
    }

    /// Works until everything is searched, enough is found, or a limit is reached.
    pub(super) fn run(&mut self, control: &mut impl Control<WORDS>) -> End {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") {
            #[allow(unsafe_code)]
            // SAFETY: the machine has these instructions.
            return unsafe { self.run_with_newer_instructions(control) };
        }
        self.run_with_any_instructions(control)
    }

    /// The same code for machines that count bits and shift by any number in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run_with_newer_instructions(&mut self, control: &mut impl Control<WORDS>) -> End {
        self.run_with_any_instructions(control)
    }

    #[inline(always)]
    fn run_with_any_instructions(&mut self, control: &mut impl Control<WORDS>) -> End {
        let mut next_look = 0;
        while !self.stack.is_empty() {
            if self.tally.expanded >= next_look {
                next_look = self.tally.expanded + NODES_BETWEEN_LOOKS;
                if let Some(limit) = control.look(self.tally.generated) {
                    return End::Limit(limit);
                }
            }
            let left = self.stack.len().saturating_sub(PARENTS);
            let parents = self.stack.len() - left;
            self.parents[..parents].copy_from_slice(&self.stack[left..]);
            self.stack.truncate(left);
            let children = self.children_of(parents);
            self.tally.expanded += parents as u64;
            self.tally.generated += children as u64;
            if self.tally.generated > self.most_generated {
                return End::Limit(Limit::Nodes);
            }
            if let Some(end) = self.look_at(children, control) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Lists the children of the nodes that are expanded together.
    #[inline(always)]
    fn children_of(&mut self, parents: usize) -> usize {
        let mut children = 0;
        for (number, parent) in self.parents[..parents].iter().enumerate() {
            let neighbours = &self.neighbours[parent.blank.index() % 32];
            for (way, &automaton) in self.iteration.automaton.next(parent.automaton).iter().enumerate() {
                let from = neighbours[way];
                let slide = Slide { tile: parent.tiles.tile(from), from, to: parent.blank };
                self.children[children] = Child { parent: number as u8, way: way as u8, automaton, slide };
                // What must not be is overwritten by the next.
                children += usize::from(automaton != Automaton::FORBIDDEN);
            }
        }
        children
    }

    /// Puts the children that may lead to a solution onto the stack.
    #[inline(always)]
    fn look_at(&mut self, children: usize, control: &mut impl Control<WORDS>) -> Option<End> {
        let Iteration { heuristic, most, unit, weight, .. } = self.iteration;
        let mut alive: [u8; CHILDREN] = std::array::from_fn(|child| child as u8);
        let mut living = children;
        let mut solved = false;
        for (stage, steps) in self.steps.iter_mut().enumerate() {
            for &child in &alive[..living] {
                let Child { parent, slide, .. } = self.children[child as usize % CHILDREN];
                let parent = &self.parents[parent as usize % PARENTS];
                steps[child as usize % CHILDREN] = heuristic.begin(stage, &parent.heuristic, slide);
            }
            let looked_at = living;
            living = 0;
            for at in 0..looked_at {
                let child = alive[at];
                let parent = &self.parents[self.children[child as usize % CHILDREN].parent as usize % PARENTS];
                let cost = heuristic.finish(stage, &parent.heuristic, &mut steps[child as usize % CHILDREN]);
                let made = parent.path.len() + 1;
                let lives = cost as i32 <= most[made];
                let value = made as u64 * u64::from(*unit) + u64::from(cost) * u64::from(*weight);
                self.tally.next_bound = self.tally.next_bound.min(if lives { u64::MAX } else { value });
                solved |= lives && cost == 0;
                alive[living] = child;
                living += usize::from(lives);
            }
        }
        for &child in &alive[..living] {
            let Child { parent, way, automaton, slide } = self.children[child as usize % CHILDREN];
            let mut node = self.parents[parent as usize % PARENTS];
            for (stage, steps) in self.steps.iter().enumerate() {
                heuristic.apply(stage, &mut node.heuristic, &steps[child as usize % CHILDREN]);
            }
            node.tiles.make(slide);
            node.path.push(way.into());
            node.automaton = automaton;
            node.blank = slide.from;
            if solved && node.tiles == self.iteration.goal {
                if !control.found(&node.path) {
                    return Some(End::Enough);
                }
                continue;
            }
            self.stack.push(node);
        }
        None
    }
}

fn neighbours(size: Size) -> [[Square; 4]; 32] {
    let mut neighbours = [[Square(0); 4]; 32];
    for square in size.squares() {
        for (way, direction) in Direction::ALL.into_iter().enumerate() {
            neighbours[square.index()][way] = size.neighbour(square, direction).unwrap_or_default();
        }
    }
    neighbours
}
