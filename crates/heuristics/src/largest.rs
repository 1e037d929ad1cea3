//! The largest of several bounds of one kind.

use tilebase_puzzle::{Slide, State};

use crate::heuristic::{Heuristic, PatternCostsOfViews};

/// At each state the largest bound of up to `N` heuristics of one type: of several that never exceed the distance, neither
/// does the largest. Each is only asked where those before it do not prune, so the cheap ones should come first.
///
/// For several whose types are known only while the program runs, take [`AnyListed`](crate::AnyListed) as the type.
#[derive(Clone, Debug)]
pub struct Largest<M, const N: usize> {
    members: Vec<M>,
    /// For each stage the number of the member it belongs to, and which of the member's stages it is.
    stages: Vec<(usize, usize)>,
}

impl<M: Heuristic, const N: usize> Largest<M, N> {
    /// The largest of these.
    ///
    /// # Errors
    /// [`LargestError`] when there are none, or more than `N`.
    pub fn new(members: Vec<M>) -> Result<Largest<M, N>, LargestError> {
        if members.is_empty() || members.len() > N {
            return Err(LargestError { found: members.len(), most: N });
        }
        let stages_of = |(number, member): (usize, &M)| (0..member.stages()).map(move |stage| (number, stage));
        let stages = members.iter().enumerate().flat_map(stages_of).collect();
        Ok(Largest { members, stages })
    }
}

impl<M: Heuristic, const N: usize> Heuristic for Largest<M, N> {
    /// Where there are fewer members than `N`, the rest repeats the first.
    type Node = [M::Node; N];
    type Step = M::Step;

    const IS_FAR: bool = M::IS_FAR;
    const MOST_SQUARES: usize = M::MOST_SQUARES;

    /// Whether any of them is.
    fn is_far(&self) -> bool {
        self.members.iter().any(Heuristic::is_far)
    }

    fn is_admissible(&self) -> bool {
        self.members.iter().all(Heuristic::is_admissible)
    }

    fn root(&self, state: &State) -> Option<Self::Node> {
        let mut nodes = [self.members[0].root(state)?; N];
        for (node, member) in nodes.iter_mut().zip(&self.members).skip(1) {
            *node = member.root(state)?;
        }
        Some(nodes)
    }

    fn pattern_costs(&self, state: &State) -> Option<PatternCostsOfViews> {
        let costs: Option<Vec<_>> = self.members.iter().map(|member| member.pattern_costs(state)).collect();
        costs.map(|costs| costs.concat())
    }

    fn cost(&self, nodes: &Self::Node) -> u32 {
        let costs = self.members.iter().zip(nodes).map(|(member, node)| member.cost(node));
        costs.max().unwrap_or(0)
    }

    #[inline]
    fn stages(&self) -> usize {
        self.stages.len()
    }

    #[inline]
    fn begin(&self, stage: usize, nodes: &Self::Node, slide: Slide) -> M::Step {
        let (member, stage) = self.stages[stage];
        self.members[member].begin(stage, &nodes[member], slide)
    }

    #[inline]
    fn prefetch(&self, stage: usize, step: &M::Step) {
        let (member, stage) = self.stages[stage];
        self.members[member].prefetch(stage, step);
    }

    #[inline]
    fn finish(&self, stage: usize, step: &mut M::Step) -> u32 {
        let (member, stage) = self.stages[stage];
        self.members[member].finish(stage, step)
    }

    #[inline]
    fn apply(&self, stage: usize, nodes: &mut Self::Node, step: &M::Step) {
        let (member, stage) = self.stages[stage];
        self.members[member].apply(stage, &mut nodes[member], step);
    }
}

/// A number of heuristics that cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the largest of {found} heuristics cannot be taken: expected one to {most}; {}",
    if *found == 0 { "give at least one" } else { "leave some out" }
)]
pub struct LargestError {
    /// How many there are.
    pub found: usize,
    /// How many there may be.
    pub most: usize,
}
