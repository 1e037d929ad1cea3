//! Lower bounds in the metric `mtm`, where a move slides one tile or several in a line.
//!
//! Two moves along the same line are one, so a solution alternates between rows and columns, and at every node a search knows along which
//! axis the next move is. So it asks how many moves are needed *if the next one is along this axis*: the larger bound of the two that
//! a state has, wherever they differ.
//!
//! * [`MtmHeuristic`] is what any such bound is;
//! * [`LineTables`] is the largest of several tables of lines ([`LineCosts`](tilebase_index::LineCosts)). Their costs cannot be added: a
//!   move may slide tiles of several patterns;
//! * [`MtmWalkingDistance`] adds the vertical moves that the tiles' rows take and the horizontal ones that their columns take;
//! * the [larger](LargerInMtm) of two is one again.

mod larger;
mod nothing;
mod position;
mod tables;
mod walking_distance;

pub use larger::LargerInMtm;
pub use nothing::NoBoundInMtm;
pub use position::Position;
pub use tables::LineTables;
pub use walking_distance::MtmWalkingDistance;

use tilebase_puzzle::{Axis, State, Symmetry};

/// A lower bound on the number of moves in the metric `mtm`, given the axis of the next move. None ever exceeds the true number.
pub trait MtmHeuristic: Send + Sync {
    /// All that is known about a state and an axis.
    type Node: Copy + Send + Sync;

    /// What is found out about a state before anything far away is read.
    type Begun: Copy + Default;

    /// What is known about the first state of a search. `None` when there is no bound for it, which means that a table is damaged or of
    /// another puzzle.
    fn root(&self, position: &Position, axis: Axis) -> Option<Self::Node>;

    /// How many moves are needed at least if the next one is along the axis. Only for states that are not solved.
    fn cost(&self, node: &Self::Node) -> u32;

    /// Finds where [`finish`](MtmHeuristic::finish) will read first, and has that fetched if it is far away: for a position, and the axis
    /// of the next move.
    fn begin(&self, position: &Position, axis: Axis) -> Self::Begun;

    /// What is known after a move along the axis of a node to a position that was [begun](MtmHeuristic::begin) with, where the next
    /// move is along `axis`, the other one.
    ///
    /// # Errors
    /// The cost, or some part of it that is already more than `most`.
    fn finish(
        &self,
        node: &Self::Node,
        begun: Self::Begun,
        position: &Position,
        axis: Axis,
        most: u32,
    ) -> Result<Self::Node, u32>;

    /// For each table its symmetry and what it costs to solve its pattern; nothing without tables. `None` as for
    /// [`root`](MtmHeuristic::root).
    fn pattern_costs(&self, _state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        Some(Vec::new())
    }

    /// The bound at a state: that of the better axis, and nothing for the goal.
    fn bound(&self, state: &State) -> Option<u32> {
        if state.is_solved() {
            return Some(0);
        }
        let position = Position::of(state);
        let [horizontal, vertical] = Axis::BOTH.map(|axis| self.root(&position, axis).map(|node| self.cost(&node)));
        Some(horizontal?.min(vertical?))
    }
}
