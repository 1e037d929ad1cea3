//! The space where a move slides a run of tiles.

use std::hint::black_box;

use tilebase_heuristics::PatternCostsOfViews;
use tilebase_heuristics::runs::{NoBoundOfRuns, Position, RunHeuristic};
use tilebase_puzzle::{Axis, Direction, Metric, Size, Slide, Square, State, Tile};

use super::Space;
use super::graph::{Backtrack, Graph, Key, Move};
use crate::automaton::RunAutomaton;
use crate::ida;
use crate::packed::{Beside, Packed, beside, neighbour};
use crate::sample::Samples;

/// The space of moves that slide a run of tiles, one or several in a line, in the metric `mtm`, with the bounds of a heuristic.
///
/// Two moves along the same line are one, so moves along rows and along columns alternate. A node is a state and the axis of the
/// next move, and a search starts from two of them.
#[derive(Clone, Copy, Debug)]
pub struct Runs<H>(pub H);

impl<H: RunHeuristic> Runs<H> {
    /// The heuristic.
    pub fn heuristic(&self) -> &H {
        &self.0
    }
}

/// The start of a search: for each axis of the first move, what the heuristic knows, and the lower bound.
#[derive(Clone, Copy)]
pub struct Root<N> {
    pub(crate) by_axis: [N; 2],
    pub(crate) costs: [u32; 2],
}

impl<H: RunHeuristic> Space for Runs<H> {
    const METRIC: Metric = Metric::Mtm;

    fn has_admissible_bounds(&self) -> bool {
        true
    }

    fn costs_of_patterns(&self, state: &State) -> Option<PatternCostsOfViews> {
        self.heuristic().pattern_costs(state)
    }

    fn automaton_depths(size: Size) -> Vec<usize> {
        vec![RunAutomaton::default_depth(size)]
    }

    fn neighbours(&self, state: &State) -> Vec<(State, Vec<Direction>)> {
        let along = |direction| {
            let (mut after, mut slides) = (*state, Vec::new());
            std::iter::from_fn(move || {
                after.make(after.slide_in(direction)?);
                slides.push(direction);
                Some((after, slides.clone()))
            })
        };
        Direction::ALL.into_iter().flat_map(along).collect()
    }

    type Root = Root<H::Node>;

    fn root_of(&self, state: &State) -> Option<Root<H::Node>> {
        let position = Position::of(state);
        let [horizontal, vertical] = Axis::BOTH.map(|axis| self.heuristic().root(&position, axis));
        let by_axis = [horizontal?, vertical?];
        // The cost of a solved state is that of leaving it and coming back.
        let cost = |node: &H::Node| if state.is_solved() { 0 } else { self.heuristic().cost(node) };
        Some(Root { costs: by_axis.each_ref().map(cost), by_axis })
    }

    fn bound_at(&self, root: &Root<H::Node>) -> u32 {
        root.costs[0].min(root.costs[1])
    }

    fn iterate(&self, root: &Root<H::Node>, search: &mut ida::Search<'_>) -> ida::Iterated {
        ida::runs::iterate(self.heuristic(), root, search)
    }

    type SmallKey = RunKey;
    type LargeKey = RunKey;
    type Small<'a>
        = RunGraph<'a, H>
    where
        H: 'a;
    type Large<'a>
        = RunGraph<'a, H>
    where
        H: 'a;

    fn is_small(_state: &State) -> bool {
        false
    }

    fn small(&self, from: &State, to: &State) -> Option<RunGraph<'_, H>> {
        self.large(from, to)
    }

    fn large(&self, from: &State, to: &State) -> Option<RunGraph<'_, H>> {
        RunGraph::new(self.heuristic(), from, to)
    }

    type Blind = Runs<NoBoundOfRuns>;

    fn blind() -> Runs<NoBoundOfRuns> {
        Runs(NoBoundOfRuns)
    }

    /// Nothing bounds the moves to any other state than the goal, but that one move is needed.
    type Backward = Runs<NoBoundOfRuns>;

    fn backward(_start: &State) -> Runs<NoBoundOfRuns> {
        Runs(NoBoundOfRuns)
    }
}

/// A packed state and the axis of the next move, in the highest bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RunKey(u128);

const AXIS: u128 = 1 << 127;

impl RunKey {
    fn new(state: u128, axis: Axis) -> RunKey {
        RunKey(state | if axis == Axis::Vertical { AXIS } else { 0 })
    }

    fn state(self) -> u128 {
        self.0 & !AXIS
    }

    fn axis(self) -> Axis {
        if self.0 & AXIS == 0 { Axis::Horizontal } else { Axis::Vertical }
    }
}

impl Key for RunKey {
    #[inline(always)]
    fn hash(self) -> u64 {
        Key::hash(self.0)
    }
}

/// A move of the blank along a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    direction: Direction,
    squares: u8,
}

impl Move for Run {
    const BITS: u32 = 6;

    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self.squares) << 2 | self.direction as u32
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Run {
        Run { direction: Direction::ALL[bits as usize & 3], squares: (bits >> 2 & 15) as u8 }
    }

    fn direction(self) -> Direction {
        self.direction
    }

    fn squares(self) -> usize {
        self.squares.into()
    }
}

/// A child of a node, as the heuristic sees it.
#[derive(Clone, Copy)]
pub struct Child {
    position: Position,
    /// The axis of the next move.
    axis: Axis,
    is_target: bool,
}

/// A child that is being evaluated.
#[derive(Clone, Copy)]
pub struct Step<N, B> {
    child: Child,
    /// What is known of its parent, and in the end of the child itself.
    node: N,
    begun: B,
}

/// The moves that slide runs of tiles, on boards of a size whose blank belongs on a square.
pub struct RunMoves {
    size: Size,
    home: Square,
    target: u128,
    beside: Beside,
}

impl RunMoves {
    /// The moves to any state.
    fn to(target: &State) -> RunMoves {
        let (size, home) = (target.size(), target.home());
        RunMoves { size, home, target: u128::of(target), beside: beside(size) }
    }

    fn position(&self, state: u128) -> Position {
        let blank = state.find(Tile(self.home.0));
        let tiles = self.size.squares().filter(|&square| square != blank);
        Position::new(tiles.map(|square| (square, state.tile(square))), blank)
    }

    /// The states that the blank reaches along an axis, nearest first in each direction, with the moves.
    fn along(&self, from: u128, axis: Axis) -> impl Iterator<Item = (Run, u128, Square)> {
        let start = from.find(Tile(self.home.0));
        axis.directions().into_iter().flat_map(move |direction| {
            let (mut state, mut blank, mut squares) = (from, start, 0);
            std::iter::from_fn(move || {
                let next = neighbour(&self.beside, blank, direction)?;
                let slide = Slide { tile: state.tile(next), from: next, to: blank };
                (state, blank, squares) = (state.after(slide, self.home), next, squares + 1);
                Some((Run { direction, squares }, state, next))
            })
        })
    }
}

impl Backtrack for RunMoves {
    type Key = RunKey;
    type Move = Run;

    fn targets(&self) -> Vec<RunKey> {
        Axis::BOTH.map(|axis| RunKey::new(self.target, axis)).to_vec()
    }

    fn parents(&self, node: RunKey) -> impl Iterator<Item = (RunKey, Run)> {
        let axis = node.axis().other();
        self.along(node.state(), axis)
            .map(move |(run, state, _)| (RunKey::new(state, axis), Run { direction: run.direction.opposite(), ..run }))
    }

    fn came_from(&self, node: RunKey, last: Direction, moves_to: &dyn Fn(RunKey) -> Option<u32>) -> (RunKey, Run) {
        let known = self.parents(node).filter(|(_, run)| run.direction == last);
        let known = known.filter_map(|(before, run)| Some((moves_to(before)?, before, run)));
        let (_, before, run) = known.min_by_key(|(moves, ..)| *moves).expect("the blank came from there");
        (before, run)
    }
}

/// The graph of states and axes whose moves slide runs of tiles.
pub struct RunGraph<'a, H: RunHeuristic> {
    heuristic: &'a H,
    moves: RunMoves,
    roots: [(RunKey, H::Node); 2],
}

impl<'a, H: RunHeuristic> RunGraph<'a, H> {
    fn new(heuristic: &'a H, from: &State, to: &State) -> Option<RunGraph<'a, H>> {
        let (position, state) = (Position::of(from), u128::of(from));
        let root = |axis| Some((RunKey::new(state, axis), heuristic.root(&position, axis)?));
        let roots = [root(Axis::Horizontal)?, root(Axis::Vertical)?];
        Some(RunGraph { heuristic, moves: RunMoves::to(to), roots })
    }
}

impl<H: RunHeuristic> Graph for RunGraph<'_, H> {
    const METRIC: Metric = Metric::Mtm;
    const KEEPS_PARITY: bool = false;

    type Key = RunKey;
    type Move = Run;
    type Back = RunMoves;
    type Data = H::Node;
    type Way = Child;
    type Step = Step<H::Node, H::Begun>;
    type Siblings<T: Copy> = [T; 12];

    fn roots(&self) -> Vec<(RunKey, H::Node)> {
        self.roots.to_vec()
    }

    fn back(&self) -> &RunMoves {
        &self.moves
    }

    #[inline(always)]
    fn is_target(&self, node: RunKey) -> bool {
        node.state() == self.moves.target
    }

    /// Moves alternate: the last move to a state is along one axis, and the next one along the other.
    fn opposite(&self, node: RunKey) -> RunKey {
        RunKey(node.0 ^ AXIS)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    #[inline(always)]
    fn cost(&self, node: RunKey, data: &H::Node) -> u32 {
        if self.is_target(node) { 0 } else { self.heuristic.cost(data) }
    }

    fn most_children(&self) -> usize {
        self.moves.size.width().max(self.moves.size.height()) - 1
    }

    /// No child is on the line of the last move.
    fn most_new_children(&self) -> usize {
        self.most_children()
    }

    fn children(&self, node: RunKey, _last: Option<Direction>) -> impl Iterator<Item = (Run, RunKey, Child)> {
        let (start, axis) = (self.moves.position(node.state()), node.axis());
        let mut position = start;
        self.moves.along(node.state(), axis).map(move |(run, state, blank)| {
            if run.squares == 1 {
                position = start;
            }
            position.slide(blank);
            let child = Child { position, axis: axis.other(), is_target: state == self.moves.target };
            (run, RunKey::new(state, axis.other()), child)
        })
    }

    fn stages(&self) -> usize {
        1
    }

    #[inline(always)]
    fn begin(&self, _stage: usize, parent: &H::Node, child: &Child) -> Self::Step {
        Step { child: *child, node: *parent, begun: self.heuristic.begin(&child.position, child.axis) }
    }

    /// Beginning has fetched what is read first.
    fn prefetch(&self, _stage: usize, _step: &Self::Step) {}

    #[inline(always)]
    fn finish(&self, _stage: usize, step: &mut Self::Step) -> u32 {
        let Child { position, axis, is_target } = &step.child;
        let known = self.heuristic.finish(&step.node, step.begun, position, *axis, u32::MAX);
        step.node = known.unwrap_or(step.node);
        if *is_target { 0 } else { self.heuristic.cost(&step.node) }
    }

    #[inline(always)]
    fn apply(&self, _stage: usize, data: &mut H::Node, step: &Self::Step) {
        *data = step.node;
    }

    /// The rank is the sum of the tiles' distances along rows and columns. That is no bound here, where a move slides several
    /// tiles, but it ranks states better than any single pattern.
    fn rank(&self, values: impl Iterator<Item = u32>, child: &Child) -> (u32, u32) {
        let position = &child.position;
        let squares = self.moves.size.squares().filter(|&square| square != position.blank());
        let distances = squares.map(|square| self.moves.size.distance(square, position.tile(square).goal()));
        (values.fold(0, u32::max), distances.sum())
    }

    fn sample(&self, samples: &mut Samples, parent: &H::Node, children: &[Child]) {
        samples.time(children.len() as u64, || {
            for child in children {
                let mut step = self.begin(0, parent, black_box(child));
                black_box(self.finish(0, &mut step));
            }
        });
    }
}
