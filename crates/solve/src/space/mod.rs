//! What a search moves through: which moves there are, and a lower bound on the number of them.
//!
//! Every search is generic over a [`Space`]. Two things are one:
//!
//! * any [`Heuristic`](tilebase_heuristics::Heuristic): a move slides one tile;
//! * [`Runs`] of any [`RunHeuristic`](tilebase_heuristics::runs::RunHeuristic): a move slides a run of tiles, one or several in a
//!   line.
//!
//! A search from outside this crate sees states: [`Space::bound`] and [`Space::neighbours`]. The searches of this crate see more:
//! a [`Graph`](graph::Graph) of packed states, and for iterative-deepening A\* a worker.

pub(crate) mod graph;
mod runs;
mod tiles;

use tilebase_heuristics::PatternCostsOfViews;
use tilebase_puzzle::{Direction, Metric, Size, State};

use crate::ida;
use graph::{Graph, Key};

pub(crate) use runs::Root;
pub use runs::Runs;

/// What a search moves through. Implemented for every [`Heuristic`](tilebase_heuristics::Heuristic) and for [`Runs`].
///
/// ```
/// use tilebase_heuristics::Manhattan;
/// use tilebase_heuristics::runs::RunWalkingDistance;
/// use tilebase_puzzle::{Board, Frame, Goal, Metric};
/// use tilebase_solve::{Runs, Space};
///
/// fn neighbours<S: Space>(space: &S, board: &Board, frame: &Frame) -> usize {
///     space.neighbours(&frame.state(board).unwrap()).len()
/// }
///
/// let board: Board = "1 2 3 / 4 5 6 / 0 7 8".parse()?;
/// let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
/// assert_eq!(neighbours(&Manhattan::new(board.size()), &board, &frame), 2);
/// let runs = Runs(RunWalkingDistance::new_for(board.size(), frame.home()).unwrap());
/// assert_eq!(neighbours(&runs, &board, &frame), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Space: Sized + Send + Sync {
    /// What counts as one move.
    const METRIC: Metric;

    /// Whether no bound ever exceeds the distance. Searches promise shortest solutions only then.
    fn has_admissible_bounds(&self) -> bool;

    /// The lower bound for a state. `None` when there is none, which means that a table is damaged or of another puzzle.
    fn bound(&self, state: &State) -> Option<u32> {
        self.root_of(state).map(|root| self.bound_at(&root))
    }

    /// For each view of a state, the cost of each pattern; nothing without tables. `None` as for [`bound`](Space::bound).
    fn costs_of_patterns(&self, state: &State) -> Option<PatternCostsOfViews>;

    /// The depths of the automata that iterative-deepening A\* uses on boards of a size. The units of a
    /// [checkpoint](crate::Checkpoint) depend on them.
    fn automaton_depths(size: Size) -> Vec<usize>;

    /// The states one move away, each with the directions in which tiles slide.
    fn neighbours(&self, state: &State) -> Vec<(State, Vec<Direction>)>;

    /// What the heuristic knows of the first state of a search.
    #[doc(hidden)]
    type Root: Copy + Send + Sync;

    /// What is known of a state. `None` when the heuristic has no bound for it.
    #[doc(hidden)]
    fn root_of(&self, state: &State) -> Option<Self::Root>;

    /// The lower bound there.
    #[doc(hidden)]
    fn bound_at(&self, root: &Self::Root) -> u32;

    /// Searches everything up to the bound of an iterative-deepening search, by the fastest worker for this space.
    #[doc(hidden)]
    fn iterate(&self, root: &Self::Root, search: &mut ida::Search<'_>) -> ida::Iterated;

    /// A packed state of a small board, and of any board.
    #[doc(hidden)]
    type SmallKey: Key;
    #[doc(hidden)]
    type LargeKey: Key;

    /// The graphs of small boards and of all boards.
    #[doc(hidden)]
    type Small<'a>: Graph<Key = Self::SmallKey>
    where
        Self: 'a;
    #[doc(hidden)]
    type Large<'a>: Graph<Key = Self::LargeKey>
    where
        Self: 'a;

    /// Whether the boards of a state's size are small.
    #[doc(hidden)]
    fn is_small(state: &State) -> bool;

    /// The graph between a state and another one, for which the bounds are. `None` when there is no bound for the first.
    #[doc(hidden)]
    fn small(&self, from: &State, to: &State) -> Option<Self::Small<'_>>;
    #[doc(hidden)]
    fn large(&self, from: &State, to: &State) -> Option<Self::Large<'_>>;

    /// The same moves without a bound to speak of.
    #[doc(hidden)]
    type Blind: Space;
    #[doc(hidden)]
    fn blind() -> Self::Blind;

    /// The same moves with bounds on the number of moves to the start of a search, for a search from its end.
    #[doc(hidden)]
    type Backward: Space<SmallKey = Self::SmallKey, LargeKey = Self::LargeKey>;
    #[doc(hidden)]
    fn backward(start: &State) -> Self::Backward;
}

/// Does something with the graph between a state of a space and the goal: of small boards or of any board, whichever the state needs.
/// The value is `None` where there is no bound for the state.
macro_rules! with_graph {
    ($space:expr, $state:expr, $graph:ident => $run:expr) => {{
        let (space, state) = ($space, $state);
        let goal = tilebase_puzzle::State::solved(state.size(), state.home());
        if S::is_small(state) {
            space.small(state, &goal).map(|$graph| $run)
        } else {
            space.large(state, &goal).map(|$graph| $run)
        }
    }};
}
pub(crate) use with_graph;
