//! The moves that strings are made of: slides of one tile, or of runs of tiles.

use std::fmt::Debug;
use std::hash::Hash;

use tilebase_puzzle::{Axis, Direction, Size, Square};

use super::build::NONE;

/// The moves of a space.
///
/// Where a string of moves can go on from is a *place*: the blank's square, and whatever else decides which moves come next. The
/// places of a square have numbers next to each other.
pub(super) trait Alphabet {
    /// A number for each move.
    type Row: Copy + Eq + Hash + Debug + AsRef<[u32]> + AsMut<[u32]>;

    /// A row without moves.
    const NO_MOVES: Self::Row;

    /// The number of places for each square of the blank.
    const PLACES: usize;

    /// Whether a board is only made by strings of even length, or only by strings of odd length.
    const KEEPS_PARITY: bool;

    /// Whether the minimal machine tells places apart where the strings that may follow are the same.
    const KEEPS_PLACES: bool;

    /// The moves for boards of a size.
    fn new(size: Size) -> Self;

    /// For each move from a place, the place after it; none where the blank would leave the board.
    fn places(&self, place: usize) -> impl Iterator<Item = Option<usize>>;

    /// The board after a move from a place: five bits for each square.
    fn after(&self, board: u128, place: usize, number: usize) -> u128;
}

/// Moves a tile from its square to the blank's.
#[inline(always)]
fn slide(board: u128, from: Square, to: Square) -> u128 {
    let tile = (board >> lowest_bit(from)) & 31;
    board ^ (tile << lowest_bit(from)) ^ (tile << lowest_bit(to))
}

/// The lowest bit of a square.
pub(super) fn lowest_bit(square: Square) -> u32 {
    5 * u32::from(square.0)
}

/// A move slides one tile. A place is the blank's square.
pub(super) struct Slides {
    steps: Vec<[Option<Square>; 4]>,
}

impl Alphabet for Slides {
    type Row = [u32; 4];
    const NO_MOVES: [u32; 4] = [NONE; 4];
    const PLACES: usize = 1;
    const KEEPS_PARITY: bool = true;
    /// A search tells from the state where the blank is.
    const KEEPS_PLACES: bool = true;

    fn new(size: Size) -> Slides {
        Slides { steps: size.squares().map(|from| Direction::ALL.map(|way| size.neighbour(from, way))).collect() }
    }

    #[inline(always)]
    fn places(&self, place: usize) -> impl Iterator<Item = Option<usize>> {
        self.steps[place].iter().map(|to| to.map(Square::index))
    }

    #[inline(always)]
    fn after(&self, board: u128, place: usize, number: usize) -> u128 {
        let to = self.steps[place][number].expect("an allowed move stays on the board");
        slide(board, to, Square(place as u8))
    }
}

/// More than the other squares of any line.
const MOST_MOVES: usize = 12;

/// A move slides a run of tiles. A place is the blank's square and the axis of the next move. The moves are those along the line in
/// its first direction, nearest first, and then those in the other.
pub(super) struct RunMoves {
    /// For each place and move, the squares that the blank goes over.
    moves: Vec<Vec<Vec<Square>>>,
}

impl RunMoves {
    /// The number of a place.
    pub(super) fn place(blank: Square, axis: Axis) -> usize {
        blank.index() * RunMoves::PLACES + axis as usize
    }
}

impl Alphabet for RunMoves {
    type Row = [u32; MOST_MOVES];
    const NO_MOVES: [u32; MOST_MOVES] = [NONE; MOST_MOVES];
    const PLACES: usize = 2;
    const KEEPS_PARITY: bool = false;
    const KEEPS_PLACES: bool = false;

    fn new(size: Size) -> RunMoves {
        let places = size.squares().flat_map(|blank| Axis::BOTH.map(|axis| (blank, axis)));
        let moves = places.map(|(blank, axis)| {
            let along =
                |way| std::iter::successors(size.neighbour(blank, way), move |&square| size.neighbour(square, way));
            let runs = axis.directions().into_iter().flat_map(|way| {
                let squares: Vec<Square> = along(way).collect();
                (1..=squares.len()).map(|last| squares[..last].to_vec()).collect::<Vec<_>>()
            });
            runs.collect()
        });
        RunMoves { moves: moves.collect() }
    }

    fn places(&self, place: usize) -> impl Iterator<Item = Option<usize>> {
        let axis = Axis::BOTH[place % RunMoves::PLACES].other();
        self.moves[place].iter().map(move |squares| squares.last().map(|&last| RunMoves::place(last, axis)))
    }

    fn after(&self, board: u128, place: usize, number: usize) -> u128 {
        let blank = Square((place / RunMoves::PLACES) as u8);
        let slides = self.moves[place][number].iter();
        slides.fold((board, blank), |(board, blank), &next| (slide(board, next, blank), next)).0
    }
}
