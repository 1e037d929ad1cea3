//! Which moves are worth trying after which (Taylor and Korf 1993).
//!
//! Different strings of moves may do the same to every board: six moves around a 2×2 block clockwise, and six
//! counterclockwise, for example. A search needs only one of them. So a string is *forbidden* when another one from the same square
//! does the same and comes before it: it is shorter, or equally long and smaller in the order of [`Direction::ALL`].
//!
//! The first of all shortest solutions of a board has no forbidden string in it: with the other string in its place there
//! would be an even earlier solution. So a search that never makes a forbidden string finds a shortest solution, and if it
//! tries moves in the order of [`Direction::ALL`], it finds the same one as without.

mod alphabet;
mod build;
mod minimise;
#[cfg(feature = "automaton")]
mod program;
mod runs;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Mutex, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

use tilebase_memory::Zeroed;
use tilebase_puzzle::{MAX_SQUARES, Size, Square};

use alphabet::Slides;
use build::{Machine, NONE};

pub(crate) use runs::NEVER_FORBIDDEN;
pub use runs::RunAutomaton;

/// Fewer states than this have numbers of 16 bits.
const FEW_STATES: usize = 1 << 16;

/// A row for each number that a state can have, so that no access is checked. Those without a state are never touched, and
/// an untouched page of memory costs nothing.
type FewRows = [[u16; 4]; FEW_STATES];

/// Knows, from the moves of the blank so far, which moves may come next.
///
/// A state is a number. Each has a row with the state after each move, eight bytes in all, or sixteen where there are 65,536
/// states and more, so that one access tells everything about a node of the search. Equivalent states are one, and those that
/// are visited often are near each other.
///
/// ```
/// use tilebase_puzzle::{Direction, Size, Square};
/// use tilebase_solve::Automaton;
///
/// let automaton = Automaton::of(Size::new(4, 4)?);
/// let start = automaton.start(Square(0));
/// let right = automaton.next(start)[Direction::Right as usize];
/// assert_ne!(right, Automaton::FORBIDDEN);
/// assert_eq!(automaton.next(right)[Direction::Left as usize], Automaton::FORBIDDEN, "takes the last move back");
/// assert_eq!(automaton.next(right)[Direction::Up as usize], Automaton::FORBIDDEN, "leaves the board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Automaton {
    size: Size,
    depth: usize,
    states: usize,
    rows: Holder,
}

/// The first two are a pointer in the same place, so that telling them apart costs nothing.
enum Holder {
    #[cfg(feature = "automaton")]
    Program(&'static FewRows),
    Few(Box<FewRows>),
    /// A power of two of them, so that no access is checked. They are too many for pages of the usual size.
    Many(Zeroed<[u32; 4]>),
}

/// An iteration gets the deeper automaton when the one before had this many nodes: the next one will take a thread some
/// seconds.
const NODES_FOR_DEEPER: u64 = 8_000_000;

/// More than any side of a board.
const SIDES: usize = MAX_SQUARES / 2 + 1;

type OfSizes = [OnceLock<Automaton>; SIDES * SIDES];

/// Asked whether to go on, between pieces of work.
pub(crate) type GoOn<'a> = &'a dyn Fn() -> bool;

/// What is in a place, built if nothing is there. A thread that needs what another one builds waits for it. `None` if cancelled.
pub(crate) fn built_once<'a, T>(
    place: &'a OnceLock<T>,
    go_on: GoOn<'_>,
    build: impl Fn() -> Option<T>,
) -> Option<&'a T> {
    static BUILDING: Mutex<()> = Mutex::new(());
    loop {
        if let Some(built) = place.get() {
            return Some(built);
        }
        match BUILDING.try_lock() {
            Err(TryLockError::WouldBlock) if go_on() => thread::sleep(BETWEEN_LOOKS),
            Err(TryLockError::WouldBlock) => return None,
            // Another thread may have built it between the two looks. A thread that panicked has left nothing.
            _turn if place.get().is_none() => {
                let _ = place.set(build()?);
            }
            _ => {}
        }
    }
}

/// A thread that waits for an automaton looks this often whether it should stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

impl Automaton {
    /// What a row has for moves that are forbidden or leave the board. It is no state, not even of an automaton with more of
    /// them, so that rows of both widths say the same.
    pub const FORBIDDEN: u32 = u16::MAX as u32;

    /// Forbids all forbidden strings of at most `depth` moves.
    ///
    /// With a depth of 2 it only forbids to take back the last move, which a search for all solutions may do too. From 6
    /// upwards some shortest solutions are lost, but not all of them. Each move more takes 1.6 to 2.6 times as long.
    ///
    /// # Panics
    /// When the system has no memory for it.
    pub fn new(size: Size, depth: usize) -> Automaton {
        Automaton::new_while(size, depth, &|| true).expect("it is not stopped")
    }

    /// The same. `None` if cancelled; it polls every ten milliseconds or so.
    fn new_while(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Automaton> {
        let machine = minimise::minimise(&Machine::new::<Slides>(size, depth, go_on)?, go_on)?;
        let states = machine.rows.len();
        let rows = if states < FEW_STATES { few(&machine) } else { many(&machine) };
        Some(Automaton { size, depth, states, rows })
    }

    /// The automaton that a search for one solution uses.
    ///
    /// That of 4×4 is part of the program, unless the feature `automaton` is off: then it is built at first use, in 65 ms. So is any
    /// other, in at most about 10 ms up to 20 squares and 30 ms above.
    pub fn of(size: Size) -> &'static Automaton {
        static AUTOMATA: OfSizes = [const { OnceLock::new() }; SIDES * SIDES];
        AUTOMATA[size.width() * SIDES + size.height()].get_or_init(|| match (size.width(), size.height()) {
            #[cfg(feature = "automaton")]
            (4, 4) => Automaton {
                size,
                depth: Automaton::default_depth(size),
                states: program::STATES,
                rows: Holder::Program(&program::FOUR_BY_FOUR),
            },
            _ => Automaton::new(size, Automaton::default_depth(size)),
        })
    }

    /// The automaton of an iteration of a search for one solution, given how many nodes the iteration before had: after a large
    /// one it is worth while to build a [deeper](Automaton::large_depth) automaton, once for all searches.
    pub fn of_iteration(size: Size, nodes_before: u64) -> &'static Automaton {
        Automaton::of_iteration_while(size, nodes_before, &|| true)
    }

    /// The same, or the less deep one if the search is cancelled while the deeper one is built.
    pub(crate) fn of_iteration_while(size: Size, nodes_before: u64, go_on: GoOn<'_>) -> &'static Automaton {
        static AUTOMATA: OfSizes = [const { OnceLock::new() }; SIDES * SIDES];
        let depth = Automaton::large_depth(size);
        if nodes_before < NODES_FOR_DEEPER || depth == Automaton::default_depth(size) {
            return Automaton::of(size);
        }
        let place = &AUTOMATA[size.width() * SIDES + size.height()];
        built_once(place, go_on, || Automaton::new_while(size, depth, go_on)).unwrap_or_else(|| Automaton::of(size))
    }

    /// The automaton that forbids nothing but to take back the last move: what a search for all solutions uses.
    pub fn of_last_move(size: Size) -> &'static Automaton {
        static AUTOMATA: OfSizes = [const { OnceLock::new() }; SIDES * SIDES];
        AUTOMATA[size.width() * SIDES + size.height()].get_or_init(|| Automaton::new(size, 2))
    }

    /// The depth of the automaton that a search for one solution uses.
    ///
    /// The deeper the better, but it must be built before the first board is solved; `cargo run --release --example
    /// automaton-depths` shows what there is to choose from.
    pub fn default_depth(size: Size) -> usize {
        let (short, long) = (size.width().min(size.height()), size.width().max(size.height()));
        match (short, long) {
            (2, 2) => 7,
            (2, 3) => 16,
            (2, 9 | 10) => 12,
            (2, _) | (4, 4) => 14,
            (3, 3 | 6) | (4, 5) => 10,
            (3, _) => 12,
            _ => 11,
        }
    }

    /// The depth of the automaton that large iterations of a search for one solution use: it takes half a second to build, and
    /// stays in a third-level cache. `docs/algorithms.md` has other depths.
    pub fn large_depth(size: Size) -> usize {
        match (size.width().min(size.height()), size.width().max(size.height())) {
            (4 | 5, 5) => 14,
            _ => Automaton::default_depth(size),
        }
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The length of the longest strings that are looked at.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The numbers of all states.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + Clone {
        let places = self.states + usize::from(self.states > Automaton::FORBIDDEN as usize);
        (0..places as u32).filter(|&number| number != Automaton::FORBIDDEN)
    }

    /// The state before the first move.
    #[inline]
    pub fn start(&self, blank: Square) -> u32 {
        debug_assert!(blank.index() < self.size.count());
        u32::from(blank.0)
    }

    /// The state after each move of the blank, by `Direction as usize`, or [`Automaton::FORBIDDEN`].
    #[inline]
    pub fn next(&self, state: u32) -> [u32; 4] {
        let few = |rows: &FewRows| rows[state as usize % FEW_STATES].map(u32::from);
        match &self.rows {
            #[cfg(feature = "automaton")]
            Holder::Program(rows) => few(rows),
            Holder::Few(rows) => few(rows),
            Holder::Many(rows) => rows[state as usize & (rows.len() - 1)],
        }
    }

    /// Fetches the row of a state that [`next`](Automaton::next) will be asked for.
    #[inline]
    pub fn prefetch(&self, state: u32) {
        match &self.rows {
            #[cfg(feature = "automaton")]
            Holder::Program(rows) => tilebase_memory::prefetch(*rows, state as usize),
            Holder::Few(rows) => tilebase_memory::prefetch(&**rows, state as usize),
            Holder::Many(rows) => tilebase_memory::prefetch(rows, state as usize),
        }
    }

    /// The rows of all states as a file: each number in two bytes, the lower one first. `None` when that is not enough.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let few = |number: u32| u16::try_from(number).ok();
        let bytes = self.numbers().flat_map(|state| self.next(state)).map(|next| few(next).map(u16::to_le_bytes));
        bytes.collect::<Option<Vec<_>>>().map(|bytes| bytes.concat())
    }
}

/// Rows of 16 bits a number.
fn few(machine: &Machine<[u32; 4]>) -> Holder {
    let number = |state| if state == NONE { u16::MAX } else { state as u16 };
    let mut rows: Box<FewRows> =
        vec![[0; 4]; FEW_STATES].into_boxed_slice().try_into().expect("there are as many rows as numbers");
    rows.iter_mut().zip(&machine.rows).for_each(|(row, given)| *row = given.map(number));
    Holder::Few(rows)
}

/// Rows of 32 bits a number. The states from [`Automaton::FORBIDDEN`] on have numbers one larger than in the machine.
fn many(machine: &Machine<[u32; 4]>) -> Holder {
    let number = |state| match state {
        NONE => Automaton::FORBIDDEN,
        _ => state + u32::from(state >= Automaton::FORBIDDEN),
    };
    let places = (machine.rows.len() + 1).next_power_of_two();
    let mut rows = Zeroed::<[u32; 4]>::new(places).expect("there is memory for the automaton");
    machine.rows.iter().zip(0..).for_each(|(row, state)| rows[number(state) as usize] = row.map(number));
    Holder::Many(rows)
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Automaton({}, depth {}, {} states)", self.size, self.depth, self.states)
    }
}
