//! Lower bounds in the metric `mtm`, where a move slides one tile or several in a line.
//!
//! Two moves along the same line are one, so a solution alternates between rows and columns, and at every node a search knows along which
//! axis the next move is. So it asks how many moves are needed *if the next one is along this axis*: the larger bound of the two that
//! a state has, wherever they differ.
//!
//! * [`RunHeuristic`] is what any such bound is;
//! * [`LineTables`] is the largest of several tables of lines ([`LineCosts`](tilebase_index::LineCosts)). Their costs cannot be added: a
//!   move may slide tiles of several patterns;
//! * [`RunWalkingDistance`] adds the vertical moves that the tiles' rows take and the horizontal ones that their columns take. It is the only
//!   one of the list of heuristics: [`listed`];
//! * the [larger](LargerOfRuns) of two is one again.

mod larger;
mod nothing;
mod position;
mod tables;
mod walking_distance;

pub use larger::LargerOfRuns;
pub use nothing::NoBoundOfRuns;
pub use position::Position;
pub use tables::LineTables;
pub use walking_distance::RunWalkingDistance;

use tilebase_puzzle::{Axis, Size, Square, State, Symmetry};

use crate::about::{GoOn, Listed, NotMade};
use crate::list::{ListError, plain_name};
use crate::{AnyListed, WalkingDistance};

/// A lower bound on the number of moves in the metric `mtm`, given the axis of the next move. None ever exceeds the true number.
pub trait RunHeuristic: Send + Sync {
    /// All that is known about a state and an axis.
    type Node: Copy + Send + Sync;

    /// What is found out about a state before anything far away is read.
    type Begun: Copy + Default;

    /// What is known about the first state of a search. `None` when there is no bound for it, which means that a table is damaged or of
    /// another puzzle.
    fn root(&self, position: &Position, axis: Axis) -> Option<Self::Node>;

    /// How many moves are needed at least if the next one is along the axis. Only for states that are not solved.
    fn cost(&self, node: &Self::Node) -> u32;

    /// Finds where [`finish`](RunHeuristic::finish) will read first, and has that fetched if it is far away: for a position, and the axis
    /// of the next move.
    fn begin(&self, position: &Position, axis: Axis) -> Self::Begun;

    /// What is known after a move along the axis of a node to a position that was [begun](RunHeuristic::begin) with, where the next
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
    /// [`root`](RunHeuristic::root).
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

/// The heuristic of the list with a name, for boards of a size whose blank belongs on `home`, as it counts in this metric.
///
/// ```
/// use tilebase_heuristics::{ListError, runs};
/// use tilebase_heuristics::runs::RunHeuristic;
/// use tilebase_puzzle::{Board, Frame, Goal};
///
/// let board: Board = "1 2 3 / 4 5 6 / 0 7 8".parse()?;
/// let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
/// let walking_distance = runs::listed("walking-distance", board.size(), frame.home())?;
/// assert_eq!(walking_distance.bound(&frame.state(&board)?), Some(1));
///
/// let refused = runs::listed("manhattan", board.size(), frame.home());
/// assert!(matches!(refused, Err(ListError::NotInMtm { name: "manhattan" })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ListError::NotInMtm`] for those that [promise](crate::About::promise_in) nothing in this metric; otherwise as for [`AnyListed::new`].
pub fn listed(name: &str, size: Size, home: Square) -> Result<RunWalkingDistance, ListError> {
    listed_while(name, size, home, &|| true)
}

/// The same, stopping soon after `go_on` says so. What has been made once is there for the rest of the program.
///
/// # Errors
/// As for [`listed`], and [`ListError::Stopped`].
pub fn listed_while(name: &str, size: Size, home: Square, go_on: GoOn<'_>) -> Result<RunWalkingDistance, ListError> {
    let abouts = AnyListed::abouts();
    let plain = plain_name(name);
    let about = abouts.iter().find(|about| plain == Some(about.name)).ok_or_else(|| ListError::no_such(name))?;
    if about.name != WalkingDistance::ABOUT.name {
        return Err(ListError::NotInMtm { name: about.name });
    }
    let suits = WalkingDistance::SUITS;
    RunWalkingDistance::new_while(size, home, go_on).map_err(|why| match why {
        NotMade::Stopped => ListError::Stopped { name: about.name },
        NotMade::DoesNotSuit => ListError::DoesNotSuit { name: about.name, suits, size, home },
    })
}
