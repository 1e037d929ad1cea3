//! The list of heuristics: how they are found by name.
//!
//! [`listed!`] takes one line for each file: the module, and the types in it that are [`Listed`](crate::Listed). It declares
//! the modules, so that their introductions can be read, makes their types public, and makes [`AnyListed`](crate::AnyListed) and
//! [`visit_named`](crate::visit_named) of them. It is called in `lib.rs`, beside the modules that are not heuristics.

use tilebase_puzzle::{Size, Square, forms};

use crate::AnyListed;
use crate::about::Listed;

/// The name of the list for a name in any case, or for an alias.
///
/// ```
/// use tilebase_heuristics::plain_name;
/// assert_eq!((plain_name("MD"), plain_name("Manhattan")), (Some("manhattan"), Some("manhattan")));
/// assert_eq!(plain_name("7-8"), None);
/// ```
pub fn plain_name(name: &str) -> Option<&'static str> {
    forms::known_name(name, AnyListed::abouts().iter().map(|about| about.name), &forms::HEURISTICS)
}

/// Something to be done with a heuristic whose type is known only by its name. Each type is compiled for itself, so that a
/// search's inner loop contains its heuristic instead of asking which one it is.
///
/// ```
/// use tilebase_heuristics::{Heuristic, Listed, Visitor, visit_named};
/// use tilebase_puzzle::{Size, Square, State};
///
/// struct BoundOf(State);
///
/// impl Visitor for BoundOf {
///     type Answer = Option<u32>;
///
///     fn visit<H: Listed + 'static>(self, heuristic: H) -> Option<u32> {
///         Some(heuristic.cost(&heuristic.root(&self.0)?))
///     }
/// }
///
/// let size = Size::new(4, 4)?;
/// let solved = State::solved(size, Square(0));
/// assert_eq!(visit_named("linear-conflict", size, Square(0), BoundOf(solved))?, Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Visitor {
    /// What comes of it.
    type Answer;

    /// Does it.
    fn visit<H: Listed + 'static>(self, heuristic: H) -> Self::Answer;
}

/// Hands the heuristic with a name, for boards of a size whose blank belongs on `home`, to a visitor.
pub fn visit_named<V: Visitor>(name: &str, size: Size, home: Square, visitor: V) -> Result<V::Answer, ListError> {
    Ok(AnyListed::new(name, size, home)?.visit(visitor))
}

/// Where a square is, whichever way the board is turned.
fn kind_of_place(size: Size, square: Square) -> &'static str {
    match size.squares().filter(|&other| size.distance(square, other) == 1).count() {
        2 => "in a corner",
        3 => "on an edge",
        _ => "inside",
    }
}

/// A name for which the list has no heuristic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// No heuristic is called that.
    #[error(
        "no heuristic is called {}: {}expected one of {}",
        tilebase_puzzle::quoted(.found), forms::did_you_mean(.found, .names.iter().copied()), .names.join(", ")
    )]
    NoSuchName {
        /// The name asked for.
        found: String,
        /// All names.
        names: Vec<&'static str>,
    },
    /// There is one, but it does not suit the boards.
    #[error(
        "{name} does not suit {size} boards whose blank belongs {}: it takes {suits}; choose another heuristic, \
         such as linear-conflict, which takes any board",
        kind_of_place(*.size, *.home)
    )]
    DoesNotSuit {
        /// Its name.
        name: &'static str,
        /// Which boards it takes.
        suits: &'static str,
        /// The size of the boards.
        size: Size,
        /// Where their blank belongs.
        home: Square,
    },
    /// It was stopped while it was made.
    #[error("{name} was stopped while it was made")]
    Stopped {
        /// Its name.
        name: &'static str,
    },
    /// There is one, but it is no lower bound in the metric `mtm`.
    #[error(
        "{name} counts slides of single tiles, and so may exceed the number of moves in mtm, where several tiles in a line \
         are one move: use walking-distance there, or tables of lines"
    )]
    NotInMtm {
        /// Its name.
        name: &'static str,
    },
}

impl ListError {
    /// No heuristic is called that.
    pub(crate) fn no_such(name: &str) -> ListError {
        let names = AnyListed::abouts().iter().map(|about| about.name).collect();
        ListError::NoSuchName { found: name.to_owned(), names }
    }
}

/// Declares the modules of the listed heuristics and makes the list of them.
macro_rules! listed {
    ($($module:ident: $($heuristic:ident),+;)+) => {
        $(pub mod $module; pub use $module::{$($heuristic),+};)+

        any_heuristic! {
            /// Any heuristic of the list, chosen by name while the program runs.
            ///
            /// It asks at every step which one it is. Where speed matters, [visit](AnyListed::visit) it.
            pub enum AnyListed, AnyNode, AnyStep {
                $($($heuristic($heuristic),)+)+
            }
        }

        impl AnyListed {
            /// The heuristic with a [name](plain_name), for boards of a size whose blank belongs on `home`.
            ///
            /// # Errors
            /// [`ListError`] when no heuristic has the name, or none that has it suits the boards.
            pub fn new(name: &str, size: Size, home: Square) -> Result<AnyListed, ListError> {
                AnyListed::new_while(name, size, home, &|| true)
            }

            /// The same, stopping soon after `go_on` says so: `walking-distance` takes a tenth of a second on the largest boards that
            /// suit it.
            ///
            /// # Errors
            /// As for [`new`](AnyListed::new), and [`ListError::Stopped`].
            pub fn new_while(name: &str, size: Size, home: Square, go_on: GoOn<'_>) -> Result<AnyListed, ListError> {
                let name = plain_name(name).ok_or_else(|| ListError::no_such(name))?;
                let mut error = None;
                $($(
                    let about = <$heuristic as Listed>::ABOUT;
                    if about.name == name {
                        match <$heuristic as Listed>::new_while(size, home, go_on) {
                            Ok(heuristic) => return Ok(AnyListed::$heuristic(heuristic)),
                            Err(NotMade::Stopped) => return Err(ListError::Stopped { name: about.name }),
                            Err(NotMade::DoesNotSuit) => {}
                        }
                        let suits = <$heuristic as Listed>::SUITS;
                        error = Some(ListError::DoesNotSuit { name: about.name, suits, size, home });
                    }
                )+)+
                Err(error.unwrap_or_else(|| ListError::no_such(name)))
            }

            /// Introduces every heuristic, each name once, in the order of the list.
            pub fn abouts() -> Vec<About> {
                let mut abouts = vec![$($(<$heuristic as Listed>::ABOUT),+),+];
                abouts.dedup_by_key(|about| about.name);
                abouts
            }

            /// How it introduces itself.
            pub fn about(&self) -> About {
                match self {
                    $($(AnyListed::$heuristic(_) => <$heuristic as Listed>::ABOUT,)+)+
                }
            }

            /// What it sees on a board that makes the path longer than the tiles' own distances.
            pub fn findings(&self, state: &State) -> Vec<Finding> {
                match self {
                    $($(AnyListed::$heuristic(heuristic) => heuristic.findings(state),)+)+
                }
            }

            /// The bytes of memory that its tables take, those included that others share.
            pub fn bytes(&self) -> usize {
                match self {
                    $($(AnyListed::$heuristic(heuristic) => Listed::bytes(heuristic),)+)+
                }
            }

            /// Hands the heuristic itself to a visitor.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Answer {
                match self {
                    $($(AnyListed::$heuristic(heuristic) => visitor.visit(heuristic),)+)+
                }
            }
        }
    };
}
