//! What lower bounds a solver is to ask for, put together while the program runs.

use tilebase_heuristics::{Additive, AllMoves, AnyListed, Heuristic};
use tilebase_lookup::{AdditiveTable, AllMovesTable, Table};
use tilebase_puzzle::{Partition, Slide, State, Symmetry};

/// Where a solver gets its bounds. The largest of all that are given counts.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Bounds {
    /// Heuristics of the list.
    pub listed: Vec<AnyListed>,
    /// Tables that count their own tiles' moves: for each partition, those of its patterns, to be added.
    pub partitions: Vec<Vec<Table>>,
    /// Tables that count all moves.
    pub all_moves: Vec<Table>,
    /// How the board is seen by sums of tables.
    pub views: Views,
}

impl Bounds {
    /// The sum of the tables of a partition.
    pub fn sum(tables: Vec<Table>) -> Bounds {
        Bounds::sums(vec![tables])
    }

    /// The largest sum of several partitions.
    pub fn sums(partitions: Vec<Vec<Table>>) -> Bounds {
        Bounds { partitions, ..Bounds::default() }
    }

    /// A heuristic of the list.
    pub fn listed(heuristic: AnyListed) -> Bounds {
        Bounds { listed: vec![heuristic], ..Bounds::default() }
    }
}

/// Through which symmetries the tables of a partition see a board. A reflected board is as far from its goal, and the same
/// tables often know more about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Views {
    /// Every symmetry that gives another view.
    #[default]
    All,
    /// The board as it is.
    One,
}

impl Views {
    /// The symmetries for a partition.
    pub fn of(self, partition: &Partition) -> Vec<Symmetry> {
        match self {
            Views::All => partition.views(),
            Views::One => vec![Symmetry::IDENTITY],
        }
    }
}

/// The most views of tables that count all moves.
pub(crate) const ALL_MOVES_VIEWS: usize = 8;

/// Anything that gives bounds, with at most `SLOTS` patterns in a sum.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "few are made")]
pub(crate) enum Member<const SLOTS: usize> {
    Listed(AnyListed),
    Sums(Additive<AdditiveTable, SLOTS>),
    AllMoves(AllMoves<AllMovesTable, ALL_MOVES_VIEWS>),
}

/// What is known by it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberNode<const SLOTS: usize> {
    Listed(<AnyListed as Heuristic>::Node),
    Sums(<Additive<AdditiveTable, SLOTS> as Heuristic>::Node),
    AllMoves(<AllMoves<AllMovesTable, ALL_MOVES_VIEWS> as Heuristic>::Node),
}

/// What a stage of it finds out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberStep<const SLOTS: usize> {
    Listed(<AnyListed as Heuristic>::Step),
    Sums(<Additive<AdditiveTable, SLOTS> as Heuristic>::Step),
    AllMoves(<AllMoves<AllMovesTable, ALL_MOVES_VIEWS> as Heuristic>::Step),
}

const OTHERS: &str = "a node is asked about by the one that made it";

impl<const SLOTS: usize> Member<SLOTS> {
    /// For each view the cost of each pattern of a sum.
    pub(crate) fn costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        match self {
            Member::Sums(sums) => sums.costs(state),
            Member::Listed(_) | Member::AllMoves(_) => Some(Vec::new()),
        }
    }
}

impl<const SLOTS: usize> Heuristic for Member<SLOTS> {
    type Node = MemberNode<SLOTS>;
    type Step = MemberStep<SLOTS>;

    const IS_FAR: bool = true;

    fn is_far(&self) -> bool {
        match self {
            Member::Listed(listed) => listed.is_far(),
            Member::Sums(_) | Member::AllMoves(_) => true,
        }
    }

    fn is_admissible(&self) -> bool {
        match self {
            Member::Listed(listed) => listed.is_admissible(),
            Member::Sums(_) | Member::AllMoves(_) => true,
        }
    }

    fn root(&self, state: &State) -> Option<Self::Node> {
        match self {
            Member::Listed(listed) => listed.root(state).map(MemberNode::Listed),
            Member::Sums(sums) => sums.root(state).map(MemberNode::Sums),
            Member::AllMoves(all_moves) => all_moves.root(state).map(MemberNode::AllMoves),
        }
    }

    fn cost(&self, node: &Self::Node) -> u32 {
        match (self, node) {
            (Member::Listed(listed), MemberNode::Listed(node)) => listed.cost(node),
            (Member::Sums(sums), MemberNode::Sums(node)) => sums.cost(node),
            (Member::AllMoves(all_moves), MemberNode::AllMoves(node)) => all_moves.cost(node),
            _ => unreachable!("{OTHERS}"),
        }
    }

    #[inline]
    fn stages(&self) -> usize {
        match self {
            Member::Listed(listed) => listed.stages(),
            Member::Sums(sums) => sums.stages(),
            Member::AllMoves(all_moves) => all_moves.stages(),
        }
    }

    #[inline]
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step {
        match (self, node) {
            (Member::Listed(listed), MemberNode::Listed(node)) => MemberStep::Listed(listed.begin(stage, node, slide)),
            (Member::Sums(sums), MemberNode::Sums(node)) => MemberStep::Sums(sums.begin(stage, node, slide)),
            (Member::AllMoves(all_moves), MemberNode::AllMoves(node)) => {
                MemberStep::AllMoves(all_moves.begin(stage, node, slide))
            }
            _ => unreachable!("{OTHERS}"),
        }
    }

    #[inline]
    fn prefetch(&self, stage: usize, step: &Self::Step) {
        match (self, step) {
            (Member::Listed(listed), MemberStep::Listed(step)) => listed.prefetch(stage, step),
            (Member::Sums(sums), MemberStep::Sums(step)) => sums.prefetch(stage, step),
            (Member::AllMoves(all_moves), MemberStep::AllMoves(step)) => all_moves.prefetch(stage, step),
            _ => unreachable!("{OTHERS}"),
        }
    }

    #[inline]
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
        match (self, step) {
            (Member::Listed(listed), MemberStep::Listed(step)) => listed.finish(stage, step),
            (Member::Sums(sums), MemberStep::Sums(step)) => sums.finish(stage, step),
            (Member::AllMoves(all_moves), MemberStep::AllMoves(step)) => all_moves.finish(stage, step),
            _ => unreachable!("{OTHERS}"),
        }
    }

    #[inline]
    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step) {
        match (self, node, step) {
            (Member::Listed(listed), MemberNode::Listed(node), MemberStep::Listed(step)) => {
                listed.apply(stage, node, step);
            }
            (Member::Sums(sums), MemberNode::Sums(node), MemberStep::Sums(step)) => sums.apply(stage, node, step),
            (Member::AllMoves(all_moves), MemberNode::AllMoves(node), MemberStep::AllMoves(step)) => {
                all_moves.apply(stage, node, step);
            }
            _ => unreachable!("{OTHERS}"),
        }
    }
}
