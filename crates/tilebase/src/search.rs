//! The searches by name.

use std::fmt;
use std::str::FromStr;

use tilebase_solve::{Algorithm, Astar, Bfs, Ida, Ids, Nbs, Order, Rbfs, Request, Wanted, Weight};

/// A search, chosen by name while the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Search {
    /// Iterative-deepening A\*, the fastest way and on all threads.
    #[default]
    Ida,
    /// The same, depth first, a node at a time and without leaving out moves that lead where others lead: as in the papers,
    /// with the nodes that they count.
    IdaPlain,
    /// A\* with open and closed lists.
    Astar,
    /// Recursive best-first search.
    Rbfs,
    /// Bidirectional A\*.
    Bidirectional,
    /// Breadth-first search.
    Bfs,
    /// Iterative deepening without a heuristic, over the tree of all paths.
    Ids,
    /// Iterative deepening without a heuristic that remembers where it has been.
    IdsGraph,
}

/// What there is to say about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchAbout {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether it asks a heuristic.
    pub uses_heuristic: bool,
    /// Whether it can weigh the heuristic, for solutions that are found sooner and may be longer.
    pub uses_weight: bool,
    /// Whether it can find every shortest solution.
    pub finds_all: bool,
    /// Whether it keeps the nodes it has generated, and so needs memory for them.
    pub keeps_nodes: bool,
}

impl Search {
    /// All of them, the most useful first.
    pub const ALL: [Search; 8] = [
        Search::Ida,
        Search::IdaPlain,
        Search::Astar,
        Search::Rbfs,
        Search::Bidirectional,
        Search::Bfs,
        Search::Ids,
        Search::IdsGraph,
    ];

    /// What there is to say about it.
    pub fn about(self) -> SearchAbout {
        match self {
            Search::Ida => about("ida", "iterative-deepening A*, on all threads", &Ida, false),
            Search::IdaPlain => about(
                "ida-plain",
                "the same as in the papers: a node at a time, with the nodes that they count",
                &Ida,
                false,
            ),
            Search::Astar => {
                about("astar", "A* with open and closed lists: the fewest nodes, all of them kept", &Astar, true)
            }
            Search::Rbfs => {
                about("rbfs", "recursive best-first search: the order of A*, the memory of a path", &Rbfs, false)
            }
            Search::Bidirectional => {
                about("bidirectional", "A* from both ends (NBS) until they provably met on a shortest way", &Nbs, true)
            }
            Search::Bfs => about("bfs", "breadth first, without a heuristic", &Bfs, true),
            Search::Ids => {
                let ids = Ids { graph: false };
                about("ids", "iterative deepening without a heuristic, along all paths", &ids, false)
            }
            Search::IdsGraph => {
                let ids = Ids { graph: true };
                about("ids-graph", "iterative deepening without a heuristic, remembering where it was", &ids, true)
            }
        }
    }

    /// A request as this search understands it, or why it cannot do what is asked.
    ///
    /// # Errors
    /// [`NotPossible`] when it cannot weigh, or cannot find all.
    pub fn request(self, request: Request<'_>) -> Result<Request<'_>, NotPossible> {
        let about = self.about();
        if request.weight != Weight::ONE && !about.uses_weight {
            return Err(NotPossible::Weight(about.name));
        }
        if request.wanted != Wanted::First && !about.finds_all {
            return Err(NotPossible::All(about.name));
        }
        Ok(match self {
            Search::IdaPlain => Request { order: Order::Plain, automaton: false, ..request },
            _ => request,
        })
    }
}

fn about<A: Algorithm>(name: &'static str, summary: &'static str, algorithm: &A, keeps_nodes: bool) -> SearchAbout {
    SearchAbout {
        name,
        summary,
        uses_heuristic: algorithm.uses_heuristic(),
        uses_weight: algorithm.uses_weight(),
        finds_all: algorithm.finds_all(),
        keeps_nodes,
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().name)
    }
}

impl FromStr for Search {
    type Err = String;

    fn from_str(text: &str) -> Result<Search, String> {
        let found = Search::ALL.into_iter().find(|search| search.about().name == text);
        found.ok_or_else(|| {
            let names = Search::ALL.map(|search| search.about().name);
            format!("no search is called \"{text}\": expected one of {}", names.join(", "))
        })
    }
}

/// Something that a search cannot do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotPossible {
    /// Weigh the heuristic.
    Weight(&'static str),
    /// Find all solutions.
    All(&'static str),
    /// Promise shortest solutions, because the bounds may exceed the distance.
    Shortest,
}

impl fmt::Display for NotPossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let able = |can: fn(SearchAbout) -> bool| -> String {
            let able = Search::ALL.into_iter().map(Search::about).filter(|about| can(*about));
            able.map(|about| about.name).collect::<Vec<_>>().join(", ")
        };
        match self {
            NotPossible::Weight(name) => {
                write!(f, "{name} cannot weigh a heuristic: use one of {}", able(|about| about.uses_weight))
            }
            NotPossible::Shortest => {
                f.write_str(
                    "shortest solutions cannot be promised by a heuristic that may exceed the distance: use another one, or be \
                     content with one solution",
                )
            }
            NotPossible::All(name) => {
                write!(f, "{name} finds one solution only: use one of {}", able(|about| about.finds_all))
            }
        }
    }
}

impl std::error::Error for NotPossible {}
