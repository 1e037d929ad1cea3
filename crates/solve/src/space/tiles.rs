//! The space where a move slides one tile.

use tilebase_heuristics::{Heuristic, Manhattan, PatternCostsOfViews};
use tilebase_puzzle::{Direction, Metric, Size, Slide, State};

use super::Space;
use super::graph::{Backtrack, Graph};
use crate::automaton::Automaton;
use crate::ida;
use crate::nothing::Nothing;
use crate::packed::{Moves, Packed};
use crate::sample::Samples;

impl<H: Heuristic> Space for H {
    const METRIC: Metric = Metric::Stm;

    fn has_admissible_bounds(&self) -> bool {
        self.is_admissible()
    }

    fn costs_of_patterns(&self, state: &State) -> Option<PatternCostsOfViews> {
        self.pattern_costs(state)
    }

    fn automaton_depths(size: Size) -> Vec<usize> {
        vec![Automaton::default_depth(size), Automaton::large_depth(size)]
    }

    fn neighbours(&self, state: &State) -> Vec<(State, Vec<Direction>)> {
        let neighbour = |direction| {
            let mut after = *state;
            after.make(state.slide_in(direction)?);
            Some((after, vec![direction]))
        };
        Direction::ALL.into_iter().filter_map(neighbour).collect()
    }

    type Root = H::Node;

    fn root_of(&self, state: &State) -> Option<H::Node> {
        self.root(state)
    }

    fn bound_at(&self, root: &H::Node) -> u32 {
        self.cost(root)
    }

    fn iterate(&self, root: &H::Node, search: &mut ida::Search<'_>) -> ida::Iterated {
        ida::tiles::iterate(self, *root, search)
    }

    type SmallKey = u64;
    type LargeKey = u128;
    type Small<'a>
        = Tiles<'a, H, u64>
    where
        H: 'a;
    type Large<'a>
        = Tiles<'a, H, u128>
    where
        H: 'a;

    fn is_small(state: &State) -> bool {
        H::MOST_SQUARES <= u64::MAX_SQUARES || state.size().count() <= u64::MAX_SQUARES
    }

    fn small(&self, from: &State, to: &State) -> Option<Tiles<'_, H, u64>> {
        Tiles::new(self, from, to)
    }

    fn large(&self, from: &State, to: &State) -> Option<Tiles<'_, H, u128>> {
        Tiles::new(self, from, to)
    }

    type Blind = Nothing;

    fn blind() -> Nothing {
        Nothing
    }

    /// Tables for the goal say nothing of another state. The Manhattan distance is admissible for any.
    type Backward = Manhattan;

    fn backward(start: &State) -> Manhattan {
        Manhattan::to(start)
    }
}

/// The graph of states whose moves slide one tile.
pub struct Tiles<'a, H: Heuristic, W> {
    heuristic: &'a H,
    moves: Moves<W>,
    root: (W, H::Node),
}

impl<'a, H: Heuristic, W: Packed> Tiles<'a, H, W> {
    fn new(heuristic: &'a H, from: &State, to: &State) -> Option<Tiles<'a, H, W>> {
        let root = (W::of(from), heuristic.root(from)?);
        Some(Tiles { heuristic, moves: Moves::to(to), root })
    }
}

impl<H: Heuristic, W: Packed> Graph for Tiles<'_, H, W> {
    const METRIC: Metric = Metric::Stm;
    const KEEPS_PARITY: bool = true;

    type Key = W;
    type Move = Direction;
    type Back = Moves<W>;
    type Data = H::Node;
    type Way = Slide;
    type Step = H::Step;
    type Siblings<T: Copy> = [T; 4];

    fn roots(&self) -> Vec<(W, H::Node)> {
        vec![self.root]
    }

    fn back(&self) -> &Moves<W> {
        &self.moves
    }

    #[inline(always)]
    fn is_target(&self, node: W) -> bool {
        node == self.moves.goal
    }

    #[inline(always)]
    fn opposite(&self, node: W) -> W {
        node
    }

    fn is_admissible(&self) -> bool {
        self.heuristic.is_admissible()
    }

    #[inline(always)]
    fn cost(&self, _node: W, data: &H::Node) -> u32 {
        self.heuristic.cost(data)
    }

    fn most_children(&self) -> usize {
        4
    }

    fn most_new_children(&self) -> usize {
        3
    }

    #[inline(always)]
    fn children(&self, node: W, last: Option<Direction>) -> impl Iterator<Item = (Direction, W, Slide)> {
        self.moves.children(node, last)
    }

    #[inline(always)]
    fn stages(&self) -> usize {
        self.heuristic.stages()
    }

    #[inline(always)]
    fn begin(&self, stage: usize, parent: &H::Node, slide: &Slide) -> H::Step {
        self.heuristic.begin(stage, parent, *slide)
    }

    #[inline(always)]
    fn prefetch(&self, stage: usize, step: &H::Step) {
        self.heuristic.prefetch(stage, step);
    }

    #[inline(always)]
    fn finish(&self, stage: usize, step: &mut H::Step) -> u32 {
        self.heuristic.finish(stage, step)
    }

    #[inline(always)]
    fn apply(&self, stage: usize, data: &mut H::Node, step: &H::Step) {
        self.heuristic.apply(stage, data, step);
    }

    /// The rank is the sum of all values and twice the largest. The largest alone is a bound, but most states of a depth have the
    /// same; the others tell them apart.
    #[inline(always)]
    fn rank(&self, values: impl Iterator<Item = u32>, _slide: &Slide) -> (u32, u32) {
        let (largest, sum) = values.fold((0, 0), |(largest, sum): (u32, u32), value| (largest.max(value), sum + value));
        (largest, sum + 2 * largest)
    }

    fn sample(&self, samples: &mut Samples, parent: &H::Node, slides: &[Slide]) {
        samples.take(self.heuristic, parent, slides);
    }
}

impl<W: Packed> Backtrack for Moves<W> {
    type Key = W;
    type Move = Direction;

    fn targets(&self) -> Vec<W> {
        vec![self.goal]
    }

    fn parents(&self, node: W) -> impl Iterator<Item = (W, Direction)> {
        self.children(node, None).map(|(direction, before, _)| (before, direction.opposite()))
    }

    fn came_from(&self, node: W, last: Direction, _moves_to: &dyn Fn(W) -> Option<u32>) -> (W, Direction) {
        let before = self.make(node, self.blank(node), last.opposite());
        (before.expect("the blank came from there").0, last)
    }
}
