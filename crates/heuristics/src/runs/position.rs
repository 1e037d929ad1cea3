//! Where everything is, for searches that make moves and take them back.

use tilebase_puzzle::{Square, State, Tile};

/// A state as two lists: which tile is on each square, and on which square each tile is.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    tiles: [Tile; 32],
    squares: [Square; 32],
    blank: Square,
    /// Tiles that are not on the square of their own number.
    misplaced: u8,
}

impl Position {
    /// The position of a state.
    pub fn of(state: &State) -> Position {
        Position::new(state.tiles(), state.blank())
    }

    /// The position with these tiles on these squares, and the blank.
    pub fn new(tiles: impl Iterator<Item = (Square, Tile)>, blank: Square) -> Position {
        let mut position = Position { tiles: [Tile(0); 32], squares: [Square(0); 32], blank, misplaced: 0 };
        for (square, tile) in tiles {
            position.tiles[square.index()] = tile;
            position.squares[tile.index()] = square;
            position.misplaced += u8::from(tile.goal() != square);
        }
        position
    }

    /// The square of each tile, by its number.
    #[inline(always)]
    pub fn squares(&self) -> &[Square; 32] {
        &self.squares
    }

    /// The blank's square.
    #[inline(always)]
    pub fn blank(&self) -> Square {
        self.blank
    }

    /// The tile on a square that is not the blank's.
    #[inline(always)]
    pub fn tile(&self, square: Square) -> Tile {
        self.tiles[square.index() % 32]
    }

    /// Whether every tile, and so the blank, is at home.
    #[inline(always)]
    pub fn is_solved(&self) -> bool {
        self.misplaced == 0
    }

    /// Slides the tile on a square beside the blank to the blank's.
    #[inline(always)]
    pub fn slide(&mut self, from: Square) {
        let (tile, to) = (self.tile(from), self.blank);
        self.tiles[to.index() % 32] = tile;
        self.squares[tile.index() % 32] = to;
        self.misplaced += u8::from(tile.goal() == from);
        self.misplaced -= u8::from(tile.goal() == to);
        self.blank = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::{Direction, Random, Size};

    #[test]
    fn positions_slide_as_states_do_and_back() {
        for (width, height) in [(2, 2), (4, 3), (5, 5)] {
            let size = Size::new(width, height).unwrap();
            for home in [Square(0), Square(3)] {
                let mut state = State::solved(size, home);
                let mut position = Position::of(&state);
                let mut random = Random::new(u64::from(home.0));
                for _ in 0..500 {
                    let Some(slide) = state.slide_in(Direction::ALL[random.below(4) as usize]) else { continue };
                    assert_eq!(position.tile(slide.from), slide.tile);
                    let blank = position.blank();
                    position.slide(slide.from);
                    position.slide(blank);
                    position.slide(slide.from);
                    state.make(slide);
                    assert_eq!((position.blank(), position.is_solved()), (state.blank(), state.is_solved()));
                    for (square, tile) in state.tiles() {
                        assert_eq!((position.tile(square), position.squares()[tile.index()]), (tile, square));
                    }
                }
            }
        }
    }
}
