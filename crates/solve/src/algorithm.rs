//! What any search is.

use thiserror::Error;
use tilebase_puzzle::{State, setters};

use crate::Search;
use crate::request::{Outcome, Request, Wanted, Weight};
use crate::space::Space;

/// A search: finds a path from a state to the goal, through any space.
///
/// `examples/own_search.rs` has one that is not from this crate.
pub trait Algorithm: Send + Sync {
    /// How it introduces itself: its name, and what can be asked of it.
    fn about(&self) -> SearchAbout;

    /// Searches from a state to the goal, whose squares all have the tile of their own number. `None` when the heuristic has
    /// no bound for the state.
    ///
    /// The directions of solutions are those of the state's frame. Whether a solution is
    /// [optimal](crate::Solved::optimal) is for the search to say. What it [cannot do](Algorithm::check) it leaves out: it
    /// finds one solution, or ignores the weight.
    fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome>;

    /// Whether it can do what is asked, with a heuristic that is admissible or not. A [`Solver`](crate::Solver) checks it
    /// before every search.
    ///
    /// # Errors
    /// [`NotPossible`] when it cannot weigh a heuristic, cannot find all shortest solutions, or cannot be kept or shared.
    fn check(&self, request: &Request<'_>, is_admissible: bool) -> Result<(), NotPossible> {
        let about = self.about();
        if request.wanted != Wanted::First && !is_admissible {
            return Err(NotPossible::Shortest);
        }
        if request.weight != Weight::ONE && !about.uses_weight {
            return Err(NotPossible::Weight(about.name));
        }
        if request.wanted != Wanted::First && !about.finds_all {
            return Err(NotPossible::All(about.name));
        }
        let is_shared = request.helpers.is_some() || request.lead.is_some();
        if (request.finish_bound || request.keep.is_some() || is_shared) && !about.has_bounds {
            return Err(NotPossible::Bounds(about.name));
        }
        let is_for_one_shortest = request.wanted == Wanted::First && request.weight == Weight::ONE;
        if request.keep.is_some() && !is_for_one_shortest {
            return Err(NotPossible::Kept);
        }
        if is_shared && !is_for_one_shortest {
            return Err(NotPossible::Shared);
        }
        if request.lead.is_some() && (request.keep.is_some() || request.helpers.is_some()) {
            return Err(NotPossible::Led);
        }
        Ok(())
    }
}

/// How a search introduces itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchAbout {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether it asks a heuristic.
    pub uses_heuristic: bool,
    /// Whether it can [weigh](Request::weight) the heuristic, for solutions that are found sooner and may be longer.
    pub uses_weight: bool,
    /// Whether it can find [all](Wanted::All) shortest solutions, or [count](Wanted::Count) them.
    pub finds_all: bool,
    /// Whether it keeps the nodes it has generated, and so needs memory for them.
    pub keeps_nodes: bool,
    /// Whether its solutions are shortest, with an admissible heuristic and without a weight.
    pub finds_shortest: bool,
    /// Whether it searches bound after bound, so that one can be [finished](Request::finish_bound), and the search
    /// [kept](Request::keep) and shared with [helpers](Request::helpers).
    pub has_bounds: bool,
    /// What it is called when it is used with a weight, if it has a name of its own then, and the summary for that.
    pub weighted: Option<(&'static str, &'static str)>,
}

impl SearchAbout {
    /// A search that can do everything, finds shortest solutions, and keeps no nodes.
    pub const fn new(name: &'static str, summary: &'static str) -> SearchAbout {
        SearchAbout {
            name,
            summary,
            uses_heuristic: true,
            uses_weight: true,
            finds_all: true,
            keeps_nodes: false,
            finds_shortest: true,
            has_bounds: false,
            weighted: None,
        }
    }

    setters! {
        /// The same, but it asks no heuristic, so that there is nothing to weigh.
        without_heuristic() => uses_heuristic: false, uses_weight: false;
        /// The same, but it cannot weigh the heuristic.
        without_weight() => uses_weight: false;
        /// The same, but it finds one solution only.
        finding_one() => finds_all: false;
        /// The same, but it keeps its nodes.
        keeping_nodes() => keeps_nodes: true;
        /// The same, but its solutions may have any length.
        without_promise() => finds_shortest: false;
        /// The same, and it searches bound after bound.
        with_bounds() => has_bounds: true;
        /// The same, with another name and summary for when it is used with a weight.
        weighted(name: &'static str, summary: &'static str) => weighted: Some((name, summary));
    }
}

/// Something that a search cannot do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotPossible {
    /// The search with this name cannot weigh the heuristic.
    #[error("{0} cannot weigh a heuristic: use one of {names}", names = Search::names(|about| about.uses_weight))]
    Weight(&'static str),
    /// The search with this name cannot find all solutions.
    #[error("{0} finds one solution only: use one of {names}", names = Search::names(|about| about.finds_all))]
    All(&'static str),
    /// The search with this name does not search bound after bound.
    #[error("{0} has no bounds to finish, to keep or to share: use one of {names}", names = Search::names(|about| about.has_bounds))]
    Bounds(&'static str),
    /// A search is kept only if it is for one shortest solution.
    #[error("only a search for one shortest solution can be kept: leave the weight, --all and --count out")]
    Kept,
    /// A search is shared with other processes only if it is for one shortest solution.
    #[error(
        "only a search for one shortest solution can be shared with other processes: leave the weight, --all and --count out"
    )]
    Shared,
    /// A search that follows another one cannot be kept, and has no helpers.
    #[error("a search that follows another one is not kept and has no helpers: ask that of the one that leads")]
    Led,
    /// No search can promise shortest solutions, because the bounds may exceed the distance.
    #[error(
        "shortest solutions cannot be promised by a heuristic that may exceed the distance: use another one, or be content with \
         one solution"
    )]
    Shortest,
    /// The search with this name does not promise shortest solutions.
    #[error("{0} does not promise shortest solutions: use one of {names}", names = Search::names(|about| about.finds_shortest))]
    Promise(&'static str),
}
