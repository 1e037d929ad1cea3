//! States in one word, and the moves that lead from one to the next.

use tilebase_puzzle::{Direction, Size, Slide, Square, State, Tile};

use crate::space::graph::Key;

/// A packed state: for each square the number of its tile.
///
/// The blank counts as the tile of its own goal square, which is the name of no other tile. So every number appears once, and the
/// word is a key of the state.
pub trait Packed: Key {
    /// The most squares that a board may have.
    const MAX_SQUARES: usize;

    fn of(state: &State) -> Self;

    /// The first square of a tile.
    fn find(self, tile: Tile) -> Square;

    fn tile(self, square: Square) -> Tile;

    /// The state after a tile and the blank, which counts as the tile `home`, changed places.
    #[must_use]
    fn after(self, slide: Slide, home: Square) -> Self;
}

/// Two odd numbers without a pattern.
const MIX: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

macro_rules! packed {
    ($word:ty, $bits:expr, $fold:expr) => {
        impl Packed for $word {
            const MAX_SQUARES: usize = <$word>::BITS as usize / $bits;

            fn of(state: &State) -> $word {
                state
                    .size()
                    .squares()
                    .fold(0, |word, square| word | <$word>::from(state.tile(square).0) << ($bits * square.0))
            }

            #[inline(always)]
            fn find(self, tile: Tile) -> Square {
                // The lowest bit of every square, without the bits that no square has.
                const LOWEST: $word = (<$word>::MAX >> (<$word>::BITS % $bits)) / ((1 << $bits) - 1);
                // Where the tile is, nothing is left.
                let others = self ^ LOWEST * <$word>::from(tile.0);
                // A square borrows from its highest bit only when it is empty; those above the first one may be wrong.
                let empty = others.wrapping_sub(LOWEST) & !others & (LOWEST << ($bits - 1));
                Square((empty.trailing_zeros() / $bits) as u8)
            }

            #[inline(always)]
            fn tile(self, square: Square) -> Tile {
                Tile((self >> ($bits * square.0)) as u8 & ((1 << $bits) - 1))
            }

            #[inline(always)]
            fn after(self, Slide { tile, from, to }: Slide, home: Square) -> $word {
                let difference = <$word>::from(tile.0 ^ home.0);
                self ^ (difference << ($bits * from.0) | difference << ($bits * to.0))
            }
        }

        impl Key for $word {
            #[inline(always)]
            fn hash(self) -> u64 {
                let fold: fn($word) -> u64 = $fold;
                let mixed = fold(self).wrapping_mul(MIX[0]);
                let mixed = (mixed ^ mixed >> 32).wrapping_mul(MIX[1]);
                mixed ^ mixed >> 32
            }
        }
    };
}

// Up to 16 squares, four bits each.
packed!(u64, 4, |word| word);
// Up to 25 squares, five bits each.
packed!(u128, 5, |word| word as u64 ^ ((word >> 64) as u64).wrapping_mul(MIX[1]).rotate_left(29));

/// Sorts a few items; those with the same key keep their order. The standard library's sort for any number of items is a thousand lines
/// of machine code for each type of node.
pub(crate) fn sort_few<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && key(&items[at]) < key(&items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The neighbour of each square in each direction, or the square itself at the edge. There is an entry for every number of five bits.
pub(crate) type Beside = [[Square; 4]; 32];

/// The neighbours on boards of a size.
pub(crate) fn beside(size: Size) -> Beside {
    let mut beside = [[Square(0); 4]; 32];
    for square in size.squares() {
        beside[square.index()] = Direction::ALL.map(|direction| size.neighbour(square, direction).unwrap_or(square));
    }
    beside
}

/// The neighbour of a square in a direction. `None` at the edge.
#[inline(always)]
pub(crate) fn neighbour(beside: &Beside, square: Square, direction: Direction) -> Option<Square> {
    let next = beside[square.index() % 32][direction as usize];
    (next != square).then_some(next)
}

/// The moves on boards of a size, whose blank belongs on a square. A move is the direction in which the blank goes.
#[derive(Clone, Debug)]
pub struct Moves<W> {
    home: Square,
    pub(crate) goal: W,
    beside: Beside,
}

impl<W: Packed> Moves<W> {
    pub(crate) fn new(size: Size, home: Square) -> Moves<W> {
        Moves::to(&State::solved(size, home))
    }

    /// The moves to any state.
    pub(crate) fn to(goal: &State) -> Moves<W> {
        let (size, home) = (goal.size(), goal.home());
        Moves { home, goal: W::of(goal), beside: beside(size) }
    }

    /// The slide that lets the blank go in a direction, given as its place in [`Direction::ALL`]. At the edge it leads nowhere.
    #[inline(always)]
    pub(crate) fn slide(&self, state: W, blank: Square, direction: usize) -> Slide {
        let from = self.beside[blank.index() % 32][direction];
        Slide { tile: state.tile(from), from, to: blank }
    }

    #[inline(always)]
    pub(crate) fn after(&self, state: W, slide: Slide) -> W {
        state.after(slide, self.home)
    }

    #[inline(always)]
    pub(crate) fn blank(&self, state: W) -> Square {
        state.find(Tile(self.home.0))
    }

    /// The state after the blank goes in a direction, and the slide that this is; none at the edge.
    #[inline(always)]
    pub(crate) fn make(&self, state: W, blank: Square, direction: Direction) -> Option<(W, Slide)> {
        let slide = self.slide(state, blank, direction as usize);
        (slide.from != blank).then(|| (self.after(state, slide), slide))
    }

    /// All states one move away but the one that the last move came from, with the directions to them.
    #[inline(always)]
    pub(crate) fn children(&self, state: W, last: Option<Direction>) -> impl Iterator<Item = (Direction, W, Slide)> {
        let (blank, not) = (self.blank(state), last.map(Direction::opposite));
        Direction::ALL.into_iter().filter(move |&direction| Some(direction) != not).filter_map(move |direction| {
            let (next, slide) = self.make(state, blank, direction)?;
            Some((direction, next, slide))
        })
    }
}

#[cfg(test)]
mod tests {
    use tilebase_puzzle::Random;

    use super::*;

    /// A walk of a thousand moves, followed packed and unpacked.
    fn follow<W: Packed>(size: Size, home: Square) {
        let moves = Moves::<W>::new(size, home);
        let mut state = State::solved(size, home);
        let mut word = W::of(&state);
        assert_eq!(word, moves.goal);
        let mut random = Random::new(u64::from(home.0));
        for _ in 0..1000 {
            let direction = Direction::ALL[random.below(4) as usize];
            // A tile slides to where the blank comes from.
            let slide = state.slide_in(direction.opposite());
            let made = moves.make(word, moves.blank(word), direction);
            assert_eq!(made.map(|(_, slide)| slide), slide);
            let (Some(slide), Some((next, _))) = (slide, made) else { continue };
            state.make(slide);
            assert_eq!((next, moves.blank(next)), (W::of(&state), state.blank()));
            assert_eq!(moves.make(next, moves.blank(next), direction.opposite()).unwrap().0, word);
            word = next;
        }
    }

    #[test]
    fn packed_states_move_as_others_do_on_every_size_and_with_every_goal() {
        for (width, height) in [(2, 2), (3, 2), (3, 3), (4, 4), (2, 8), (5, 5), (3, 8), (12, 2), (4, 5)] {
            let size = Size::new(width, height).unwrap();
            for home in size.squares() {
                if size.count() <= u64::MAX_SQUARES {
                    follow::<u64>(size, home);
                }
                follow::<u128>(size, home);
            }
        }
    }
}
