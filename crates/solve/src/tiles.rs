//! The tiles of a board in a few words.

use tilebase_puzzle::{Slide, Square, State, Tile};

/// The tiles of a board, packed. The blank's square has nothing, which looks like tile 0.
pub(crate) trait Tiles: Copy + PartialEq + Send + Sync {
    /// The most squares that a board may have.
    const MAX_SQUARES: usize;

    /// The tiles of a state.
    fn of(state: &State) -> Self;

    /// The tile on a square.
    fn tile(self, square: Square) -> Tile;

    /// Makes a slide.
    fn make(&mut self, slide: Slide);
}

macro_rules! packed_tiles {
    ($word:ty, $bits:expr) => {
        impl Tiles for $word {
            const MAX_SQUARES: usize = <$word>::BITS as usize / $bits;

            fn of(state: &State) -> $word {
                let squares = state.size().squares().filter(|&square| square != state.blank());
                squares.fold(0, |tiles, square| tiles | <$word>::from(state.tile(square).0) << ($bits * square.0))
            }

            #[inline(always)]
            fn tile(self, square: Square) -> Tile {
                Tile((self >> ($bits * square.0)) as u8 & ((1 << $bits) - 1))
            }

            #[inline(always)]
            fn make(&mut self, slide: Slide) {
                let tile = <$word>::from(slide.tile.0);
                *self ^= tile << ($bits * slide.from.0) | tile << ($bits * slide.to.0);
            }
        }
    };
}

// Up to 16 squares, four bits each.
packed_tiles!(u64, 4);
// Up to 25 squares, five bits each.
packed_tiles!(u128, 5);
