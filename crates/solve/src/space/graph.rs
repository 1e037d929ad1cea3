//! A space as the searches see that keep states: packed states, and the moves between them.
//!
//! A *node* is what a search tells apart. Where a move slides one tile it is a state. Where a move slides a run of tiles, it is a state
//! and the axis of the next move, and a search starts from two nodes and ends at either of two.

use std::fmt::Debug;
use std::hash::Hash;

use tilebase_puzzle::{Direction, Metric};

use crate::sample::Samples;

/// A packed node.
pub trait Key: Copy + Eq + Hash + Debug + Default + Send + Sync {
    /// A number in which every bit depends on the whole node.
    fn hash(self) -> u64;
}

/// A move.
pub trait Move: Copy + Send + Sync {
    /// The bits that a move takes.
    const BITS: u32;

    /// The move as a number.
    fn to_bits(self) -> u32;

    /// The move with a number.
    fn from_bits(bits: u32) -> Self;

    /// The blank's direction, by which the last move to a node is found again.
    fn direction(self) -> Direction;

    /// The number of squares that the blank goes.
    fn squares(self) -> usize;
}

impl Move for Direction {
    const BITS: u32 = 2;

    #[inline(always)]
    fn to_bits(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Direction {
        Direction::ALL[bits as usize & 3]
    }

    #[inline(always)]
    fn direction(self) -> Direction {
        self
    }

    fn squares(self) -> usize {
        1
    }
}

/// The blank's moves as single squares.
pub(crate) fn slides_of<M: Move>(moves: impl IntoIterator<Item = M>) -> Vec<Direction> {
    moves.into_iter().flat_map(|made| std::iter::repeat_n(made.direction(), made.squares())).collect()
}

/// Room for as many items as a node has children.
pub trait Siblings<T>: Copy {
    /// Room that holds copies of an item.
    fn filled(item: T) -> Self;

    fn items(&self) -> &[T];

    fn items_mut(&mut self) -> &mut [T];
}

impl<T: Copy, const N: usize> Siblings<T> for [T; N] {
    fn filled(item: T) -> [T; N] {
        [item; N]
    }

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

/// What a search needs to walk back over its nodes. It does not know the heuristic, so walks are compiled once for each kind of
/// move and of packed nodes.
pub trait Backtrack {
    /// A packed node.
    type Key: Key;

    /// A move.
    type Move: Move;

    /// The nodes that a search ends at.
    fn targets(&self) -> Vec<Self::Key>;

    /// All nodes from which one move leads to a node, and the moves.
    fn parents(&self, node: Self::Key) -> impl Iterator<Item = (Self::Key, Self::Move)>;

    /// The known node that the best path to a node comes from, whose last move is in a direction; and that move.
    fn came_from(
        &self,
        node: Self::Key,
        last: Direction,
        moves_to: &dyn Fn(Self::Key) -> Option<u32>,
    ) -> (Self::Key, Self::Move);
}

/// The nodes between a start and a target, and lower bounds on the moves to the target.
///
/// A child is evaluated in stages, as by a [`Heuristic`](tilebase_heuristics::Heuristic): begun, prefetched, finished and applied.
pub trait Graph: Sync {
    /// What counts as one move.
    const METRIC: Metric;

    /// Whether the lengths of all paths between two nodes are even, or all are odd.
    const KEEPS_PARITY: bool;

    /// A packed node.
    type Key: Key;

    /// A move.
    type Move: Move;

    /// The nodes and the moves.
    type Back: Backtrack<Key = Self::Key, Move = Self::Move>;

    /// What the heuristic knows of a node.
    type Data: Copy + Send + Sync;

    /// How a child differs from its parent, as far as the heuristic needs it.
    type Way: Copy;

    /// What a stage of the heuristic finds out about a child.
    type Step: Copy;

    /// Room for the children of a node.
    type Siblings<T: Copy>: Siblings<T>;

    /// The nodes that a search starts from.
    fn roots(&self) -> Vec<(Self::Key, Self::Data)>;

    /// The same nodes and moves, without what the heuristic knows.
    fn back(&self) -> &Self::Back;

    /// Whether a search ends at a node.
    fn is_target(&self, node: Self::Key) -> bool;

    /// The node of a search in the other direction that the same solution goes through.
    fn opposite(&self, node: Self::Key) -> Self::Key;

    /// Whether no bound ever exceeds the distance.
    fn is_admissible(&self) -> bool;

    /// The lower bound at a node.
    fn cost(&self, node: Self::Key, data: &Self::Data) -> u32;

    /// The most children that a node has, and the most without the one that the last move came from.
    fn most_children(&self) -> usize;
    fn most_new_children(&self) -> usize;

    /// All nodes one move away, without the one that the last move came from, if that is given.
    fn children(
        &self,
        node: Self::Key,
        last: Option<Direction>,
    ) -> impl Iterator<Item = (Self::Move, Self::Key, Self::Way)>;

    /// The stages of the heuristic.
    fn stages(&self) -> usize;

    /// Begins a stage for a child.
    fn begin(&self, stage: usize, parent: &Self::Data, way: &Self::Way) -> Self::Step;

    /// Fetches what finishing the stage will read.
    fn prefetch(&self, stage: usize, step: &Self::Step);

    /// Finishes a stage. Returns its value.
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32;

    /// Adds what a stage found out to what is known.
    fn apply(&self, stage: usize, data: &mut Self::Data, step: &Self::Step);

    /// The lower bound of a child, given the values of all stages, and its rank in a beam.
    fn rank(&self, values: impl Iterator<Item = u32>, way: &Self::Way) -> (u32, u32);

    /// Times the heuristic for some children.
    fn sample(&self, samples: &mut Samples, parent: &Self::Data, ways: &[Self::Way]);
}
