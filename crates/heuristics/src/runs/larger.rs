//! The larger of two bounds, and bounds that may be missing.

use tilebase_puzzle::{Axis, State, Symmetry};

use super::{Position, RunHeuristic};

/// The larger of two bounds. The second is asked only where the first does not say enough.
#[derive(Clone, Copy, Debug)]
pub struct LargerOfRuns<A, B>(pub A, pub B);

impl<A: RunHeuristic, B: RunHeuristic> RunHeuristic for LargerOfRuns<A, B> {
    type Node = (A::Node, B::Node);
    type Begun = (A::Begun, B::Begun);

    fn root(&self, position: &Position, axis: Axis) -> Option<Self::Node> {
        Some((self.0.root(position, axis)?, self.1.root(position, axis)?))
    }

    #[inline(always)]
    fn cost(&self, (first, second): &Self::Node) -> u32 {
        self.0.cost(first).max(self.1.cost(second))
    }

    #[inline(always)]
    fn begin(&self, position: &Position, axis: Axis) -> Self::Begun {
        (self.0.begin(position, axis), self.1.begin(position, axis))
    }

    #[inline(always)]
    fn finish(
        &self,
        node: &Self::Node,
        begun: Self::Begun,
        position: &Position,
        axis: Axis,
        most: u32,
    ) -> Result<Self::Node, u32> {
        let first = self.0.finish(&node.0, begun.0, position, axis, most)?;
        Ok((first, self.1.finish(&node.1, begun.1, position, axis, most)?))
    }

    fn pattern_costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        Some([self.0.pattern_costs(state)?, self.1.pattern_costs(state)?].concat())
    }
}

/// A bound that may be missing. Without one, nothing is known but that a board that is not solved needs a move.
impl<H: RunHeuristic> RunHeuristic for Option<H> {
    type Node = Option<H::Node>;
    type Begun = H::Begun;

    fn root(&self, position: &Position, axis: Axis) -> Option<Self::Node> {
        match self {
            Some(heuristic) => heuristic.root(position, axis).map(Some),
            None => Some(None),
        }
    }

    #[inline(always)]
    fn cost(&self, node: &Self::Node) -> u32 {
        match (self, node) {
            (Some(heuristic), Some(node)) => heuristic.cost(node),
            _ => 1,
        }
    }

    #[inline(always)]
    fn begin(&self, position: &Position, axis: Axis) -> Self::Begun {
        self.as_ref().map_or_else(Self::Begun::default, |heuristic| heuristic.begin(position, axis))
    }

    #[inline(always)]
    fn finish(
        &self,
        node: &Self::Node,
        begun: Self::Begun,
        position: &Position,
        axis: Axis,
        most: u32,
    ) -> Result<Self::Node, u32> {
        match (self, node) {
            (Some(heuristic), Some(node)) => heuristic.finish(node, begun, position, axis, most).map(Some),
            _ if most == 0 => Err(1),
            _ => Ok(None),
        }
    }

    fn pattern_costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        self.as_ref().map_or_else(|| Some(Vec::new()), |heuristic| heuristic.pattern_costs(state))
    }
}
