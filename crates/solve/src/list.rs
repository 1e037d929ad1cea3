//! The list of searches: how they are found by name.
//!
//! [`listed!`] takes one line for each file: the module, the type in it that is an [`Algorithm`], and its settings that have a
//! name, each of its own. It declares the modules, makes their types public, and makes [`Search`](crate::Search) of them. It is
//! called in `lib.rs`, beside the modules that are not searches.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use tilebase_puzzle::forms;

use crate::Search;
use crate::algorithm::{Algorithm, SearchAbout};

/// Something to be done with a search whose type is known only while the program runs. Each type is compiled for itself.
///
/// ```
/// use tilebase_heuristics::Manhattan;
/// use tilebase_puzzle::{Size, Square, State};
/// use tilebase_solve::{Algorithm, Request, Search, SearchVisitor};
///
/// struct LengthFrom(State);
///
/// impl SearchVisitor for LengthFrom {
///     type Answer = Option<u32>;
///
///     fn visit<A: Algorithm + 'static>(self, algorithm: A) -> Option<u32> {
///         let manhattan = Manhattan::new(self.0.size());
///         Some(algorithm.search(&manhattan, &self.0, &Request::default())?.solved()?.length)
///     }
/// }
///
/// let solved = State::solved(Size::new(4, 4)?, Square(0));
/// let search: Search = "rbfs".parse()?;
/// assert_eq!(search.visit(LengthFrom(solved)), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SearchVisitor {
    /// What comes of it.
    type Answer;

    /// Does it.
    fn visit<A: Algorithm + 'static>(self, algorithm: A) -> Self::Answer;
}

/// Declares the modules of the listed searches and makes the list of them.
macro_rules! listed {
    ($($module:ident: $search:ident = $($named:expr),+;)+) => {
        $(mod $module; pub use $module::$search;)+

        /// Any search of the list, chosen while the program runs.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "variants are the types they name")]
        #[non_exhaustive]
        pub enum Search {
            $($search($search),)+
        }

        impl Search {
            /// All that have a name, in the order of the list.
            pub fn all() -> Vec<Search> {
                vec![$($($named.into()),+),+]
            }

            /// How it introduces itself.
            pub fn about(self) -> SearchAbout {
                match self {
                    $(Search::$search(search) => search.about(),)+
                }
            }

            /// Hands the search itself to a visitor.
            pub fn visit<V: SearchVisitor>(self, visitor: V) -> V::Answer {
                match self {
                    $(Search::$search(search) => visitor.visit(search),)+
                }
            }
        }

        /// Whichever it is.
        impl Algorithm for Search {
            fn about(&self) -> SearchAbout {
                Search::about(*self)
            }

            fn search<S: Space>(&self, space: &S, state: &State, request: &Request<'_>) -> Option<Outcome> {
                match self {
                    $(Search::$search(search) => search.search(space, state, request),)+
                }
            }
        }

        $(
            impl From<$search> for Search {
                fn from(search: $search) -> Search {
                    Search::$search(search)
                }
            }
        )+
    };
}

impl Search {
    /// The names of those with a property, separated by commas.
    pub(crate) fn names(is_one: fn(&SearchAbout) -> bool) -> String {
        let about = Search::all().into_iter().map(Search::about).filter(is_one);
        about.map(|about| about.name).collect::<Vec<_>>().join(", ")
    }
}

impl Default for Search {
    fn default() -> Search {
        Search::Ida(crate::Ida::default())
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().name)
    }
}

impl FromStr for Search {
    type Err = SearchNameError;

    fn from_str(text: &str) -> Result<Search, SearchNameError> {
        let name =
            forms::known_name(text, Search::all().into_iter().map(|search| search.about().name), &forms::SEARCHES);
        let found = Search::all().into_iter().find(|search| name == Some(search.about().name));
        found.ok_or_else(|| SearchNameError { found: text.to_owned() })
    }
}

/// A name that no search has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "no search is called {}: {}expected one of {}",
    tilebase_puzzle::quoted(.found),
    forms::did_you_mean(.found, Search::all().into_iter().map(|search| search.about().name)),
    Search::names(|_| true)
)]
#[non_exhaustive]
pub struct SearchNameError {
    /// The name asked for.
    pub found: String,
}
