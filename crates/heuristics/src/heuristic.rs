//! Lower bounds on the number of moves.

use tilebase_puzzle::{MAX_SQUARES, Slide, State, Symmetry};

/// For each symmetry through which a board is seen, the cost of each pattern.
pub type PatternCostsOfViews = Vec<(Symmetry, Vec<u32>)>;

/// A lower bound on the number of moves to the goal, for every state of a puzzle.
///
/// A heuristic that never exceeds the true distance is *admissible*, and solutions found with it are shortest. One that may
/// exceed it has to [say so](Heuristic::is_admissible).
///
/// It is asked in *stages*, because tables are far away: a processor waits for a byte of a large table as long as it takes
/// for hundreds of instructions. In each stage a search has worked out for many nodes where the answers are
/// ([`begin`](Heuristic::begin)), then has all of them fetched ([`prefetch`](Heuristic::prefetch)), and comes back for them later
/// ([`finish`](Heuristic::finish)). Often the answer of an early stage is enough to turn back, and the later ones are never
/// asked. A heuristic that only computes has one stage and does its work in `begin`.
///
/// ```
/// use tilebase_puzzle::{Board, Frame, Goal, Slide, State};
/// use tilebase_heuristics::Heuristic;
/// use tilebase_solve::{Request, Solver};
///
/// /// How many tiles are not where they belong.
/// struct Misplaced;
///
/// impl Heuristic for Misplaced {
///     type Node = u32;
///     type Step = u32;
///
///     fn root(&self, state: &State) -> Option<u32> {
///         Some(state.tiles().filter(|(square, tile)| tile.goal() != *square).count() as u32)
///     }
///
///     fn cost(&self, misplaced: &u32) -> u32 {
///         *misplaced
///     }
///
///     fn begin(&self, _stage: usize, misplaced: &u32, slide: Slide) -> u32 {
///         misplaced + u32::from(slide.from == slide.tile.goal()) - u32::from(slide.to == slide.tile.goal())
///     }
///
///     fn finish(&self, _stage: usize, after: &mut u32) -> u32 {
///         *after
///     }
///
///     fn apply(&self, _stage: usize, misplaced: &mut u32, after: &u32) {
///         *misplaced = *after;
///     }
/// }
///
/// let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
/// let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
/// let solved = Solver::new(frame, Misplaced).solve(&board, &Request::default())?.solved().unwrap();
/// assert_eq!(solved.length, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Heuristic: Send + Sync {
    /// All that is known about a state. Searches copy it with every node, so it should be small.
    type Node: Copy + Send + Sync;

    /// What a stage finds out about the state after a slide.
    type Step: Copy + Send + Sync;

    /// Whether a heuristic of this type can be [far](Heuristic::is_far). A search for far ones is compiled only then.
    const IS_FAR: bool = false;

    /// The most squares of a board that a heuristic of this type can be for. Searches are compiled for larger boards only where
    /// there can be any.
    const MOST_SQUARES: usize = MAX_SQUARES;

    /// Whether the answers are in memory that is far away, so that a search should fetch many of them at a time. It is faster
    /// to ask about one node after the other where answers are computed.
    fn is_far(&self) -> bool {
        Self::IS_FAR
    }

    /// Whether no value ever exceeds the true distance. Searches promise shortest solutions only then.
    fn is_admissible(&self) -> bool {
        true
    }

    /// What is known about the first state of a search. `None` when there is no bound for it, which means that a table is
    /// damaged or of another puzzle.
    fn root(&self, state: &State) -> Option<Self::Node>;

    /// For each of its views of a state, the cost of each pattern; nothing without patterns. `None` as for
    /// [`root`](Heuristic::root).
    fn pattern_costs(&self, _state: &State) -> Option<PatternCostsOfViews> {
        Some(Vec::new())
    }

    /// The bound at a state: the largest value of all stages.
    fn cost(&self, node: &Self::Node) -> u32;

    /// How many stages there are, at least one.
    #[inline]
    fn stages(&self) -> usize {
        1
    }

    /// Begins a stage for the state after a slide, given what is known about the state before.
    fn begin(&self, stage: usize, node: &Self::Node, slide: Slide) -> Self::Step;

    /// The first part of [`begin`](Heuristic::begin): searches that begin many stages in a row do the first part for all of them
    /// and then [the second](Heuristic::locate), for heuristics that have something to read in between. It is put where the
    /// step of another slide was, because large steps take long to be copied.
    #[inline(always)]
    fn start(&self, stage: usize, node: &Self::Node, slide: Slide, step: &mut Self::Step) {
        *step = self.begin(stage, node, slide);
    }

    /// The second part of [`begin`](Heuristic::begin), if it has two.
    #[inline(always)]
    fn locate(&self, _stage: usize, _step: &mut Self::Step) {}

    /// Fetches what finishing the stage will read, where that is far away. Apart from [`begin`](Heuristic::begin), so that a
    /// search can fetch many answers in a row: a processor overlaps only what is near together. A search that finishes at
    /// once need not fetch.
    #[inline(always)]
    fn prefetch(&self, _stage: usize, _step: &Self::Step) {}

    /// Finishes a stage that was begun, and returns its value for the state after the slide.
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32;

    /// Puts what a finished stage found out into what is known. When that is done for all stages, the node is that of the
    /// state after the slide.
    fn apply(&self, stage: usize, node: &mut Self::Node, step: &Self::Step);
}

/// The rest of a heuristic with one stage whose steps are the nodes after a slide.
macro_rules! steps_are_nodes {
    () => {
        type Step = Self::Node;

        #[inline]
        fn finish(&self, _stage: usize, step: &mut Self::Step) -> u32 {
            self.cost(step)
        }

        #[inline]
        fn apply(&self, _stage: usize, node: &mut Self::Node, step: &Self::Step) {
            *node = *step;
        }
    };
}
pub(crate) use steps_are_nodes;
