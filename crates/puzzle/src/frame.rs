//! The canonical frame, in which every board looks alike, whatever its labels and goal.
//!
//! Tables and searches know nothing of labels. In the canonical frame a tile is named by its goal square, and the board
//! is turned so that the blank's goal square has the smallest possible number: 0 whenever the goal has its blank in a
//! corner. Blank-first and blank-last boards, and all corner goals, share their tables that way.

use crate::board::Board;
use crate::goal::GoalError;
use crate::parity::Parity;
use crate::size::{Direction, MAX_SQUARES, Size, Square};
use crate::symmetry::Symmetry;

/// A tile in the canonical frame, named by its goal square. The blank counts as the tile of its own goal square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Tile(pub u8);

impl Tile {
    /// The tile's number as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The tile as a set of one, for masks of tiles.
    #[inline]
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// The square where the tile belongs.
    #[inline]
    pub fn goal(self) -> Square {
        Square(self.0)
    }
}

/// One step in the canonical frame: `tile` goes from one square to the blank's, which is beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// The tile that moves.
    pub tile: Tile,
    /// Where it was, and the blank is afterwards.
    pub from: Square,
    /// Where it goes, and the blank was before.
    pub to: Square,
}

/// A board in the canonical frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    size: Size,
    /// The square where the blank belongs.
    home: Square,
    blank: Square,
    tiles: [Tile; MAX_SQUARES],
}

impl State {
    /// The solved board of a size whose blank belongs on `home`.
    pub fn solved(size: Size, home: Square) -> State {
        State { size, home, blank: home, tiles: std::array::from_fn(|square| Tile(square as u8)) }
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The square where the blank belongs.
    #[inline]
    pub fn home(&self) -> Square {
        self.home
    }

    /// The square where the blank is.
    #[inline]
    pub fn blank(&self) -> Square {
        self.blank
    }

    /// The tile on a square; on the blank's square the tile named by [`home`](State::home).
    #[inline]
    pub fn tile(&self, square: Square) -> Tile {
        self.tiles[square.index()]
    }

    /// All tiles with their squares, in row-major order, the blank left out.
    pub fn tiles(&self) -> impl Iterator<Item = (Square, Tile)> {
        self.size.squares().filter(|&square| square != self.blank).map(|square| (square, self.tile(square)))
    }

    /// Whether every tile is where it belongs.
    pub fn is_solved(&self) -> bool {
        self.tiles().all(|(square, tile)| tile.goal() == square)
    }

    /// The slide that brings the tile beside the blank in `direction`, if there is a tile.
    #[inline]
    pub fn slide_in(&self, direction: Direction) -> Option<Slide> {
        let from = self.size.neighbour(self.blank, direction.opposite())?;
        Some(Slide { tile: self.tile(from), from, to: self.blank })
    }

    /// Makes a slide that [`slide_in`](State::slide_in) gave.
    #[inline]
    pub fn make(&mut self, slide: Slide) {
        debug_assert!(slide.to == self.blank && self.tile(slide.from) == slide.tile);
        self.tiles.swap(slide.from.index(), slide.to.index());
        self.blank = slide.from;
    }

    /// Takes back the last slide made.
    #[inline]
    pub fn unmake(&mut self, slide: Slide) {
        debug_assert!(slide.from == self.blank && self.tile(slide.to) == slide.tile);
        self.tiles.swap(slide.from.index(), slide.to.index());
        self.blank = slide.to;
    }

    /// The state seen through a symmetry that leaves the blank's goal square where it is: squares and tiles both go
    /// where the symmetry takes them. It is equally far from the goal.
    #[must_use]
    pub fn seen_through(&self, symmetry: Symmetry) -> State {
        debug_assert_eq!(symmetry.square(self.size, self.home), self.home);
        let mut seen = *self;
        for square in self.size.squares() {
            let tile = symmetry.square(self.size, self.tile(square).goal());
            seen.tiles[symmetry.square(self.size, square).index()] = Tile(tile.0);
        }
        seen.blank = symmetry.square(self.size, self.blank);
        seen
    }
}

/// A symmetry, ready to be applied to many slides.
#[derive(Clone, Debug)]
pub struct View {
    /// Longer than a board, so that no number of five bits is out of bounds.
    image: [Square; 32],
}

impl View {
    /// Boards of a size seen through a symmetry.
    pub fn new(size: Size, symmetry: Symmetry) -> View {
        let mut image = [Square(0); 32];
        size.squares().for_each(|square| image[square.index()] = symmetry.square(size, square));
        View { image }
    }

    /// What is seen through this view and then through a symmetry.
    #[must_use]
    pub fn then(&self, size: Size, symmetry: Symmetry) -> View {
        View { image: self.image.map(|square| symmetry.square(size, square)) }
    }

    /// What the tile of a square is called when it is seen through the symmetry.
    #[inline]
    pub fn tile(&self, square: Square) -> Tile {
        Tile(self.image[square.index()].0)
    }

    /// A slide of a state, as it is on the state [seen through](State::seen_through) the symmetry.
    #[inline]
    pub fn slide(&self, slide: Slide) -> Slide {
        Slide {
            tile: Tile(self.image[slide.tile.index() % 32].0),
            from: self.image[slide.from.index() % 32],
            to: self.image[slide.to.index() % 32],
        }
    }
}

/// Turns boards with a certain goal into states of the canonical frame, and back.
///
/// ```
/// use tilebase_puzzle::{Board, Frame, Goal, Square};
/// let board: Board = "1 2 3 / 4 5 0 / 7 8 6".parse()?;
/// let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
/// let state = frame.state(&board)?;
/// assert_eq!(state.home(), Square(0));
/// assert_eq!(state.blank(), Square(3)); // turned by half: the blank is one step below its corner
/// assert_eq!(frame.board(&state), board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frame {
    goal: Board,
    symmetry: Symmetry,
    tile_of_label: [Tile; MAX_SQUARES],
    label_of_tile: [u8; MAX_SQUARES],
}

impl Frame {
    /// The frame for boards with this goal.
    pub fn new(goal: &Board) -> Frame {
        let size = goal.size();
        let symmetry = Symmetry::to_smallest(size, goal.blank());
        let mut tile_of_label = [Tile(0); MAX_SQUARES];
        let mut label_of_tile = [0; MAX_SQUARES];
        for square in size.squares() {
            let tile = Tile(symmetry.square(size, square).0);
            tile_of_label[goal.label(square) as usize] = tile;
            label_of_tile[tile.index()] = goal.label(square);
        }
        Frame { goal: *goal, symmetry, tile_of_label, label_of_tile }
    }

    /// The goal, as it was given.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.goal.size()
    }

    /// The blank's goal square in the canonical frame: 0 for every corner.
    pub fn home(&self) -> Square {
        self.tile_of_label[0].goal()
    }

    /// The tile that carries a label; for 0 the blank.
    pub fn tile(&self, label: u8) -> Tile {
        self.tile_of_label[label as usize]
    }

    /// Where a square of the board is in the canonical frame.
    pub fn square(&self, square: Square) -> Square {
        self.symmetry.square(self.size(), square)
    }

    /// A board in the canonical frame.
    ///
    /// # Errors
    /// [`FrameError`] when the board is of another size than the goal, or cannot be solved.
    pub fn state(&self, board: &Board) -> Result<State, FrameError> {
        self.check(board)?;
        self.see(board)
    }

    /// Makes sure that a board is of the goal's size and can be solved.
    ///
    /// # Errors
    /// As for [`state`](Frame::state).
    pub fn check(&self, board: &Board) -> Result<(), FrameError> {
        self.check_size(board)?;
        let parity = Parity::between(board, &self.goal);
        if parity.is_solvable() { Ok(()) } else { Err(FrameError::Unsolvable(parity)) }
    }

    fn check_size(&self, board: &Board) -> Result<(), FrameError> {
        let (expected, found) = (board.size(), self.size());
        if expected == found { Ok(()) } else { Err(FrameError::OtherSize(GoalError::OtherSize { expected, found })) }
    }

    /// A board in the canonical frame, solvable or not.
    ///
    /// # Errors
    /// [`FrameError::OtherSize`] when the board is of another size than the goal.
    pub fn see(&self, board: &Board) -> Result<State, FrameError> {
        self.check_size(board)?;
        let size = self.size();
        let mut state = State::solved(size, self.home());
        for square in size.squares() {
            state.tiles[self.square(square).index()] = self.tile(board.label(square));
        }
        state.blank = self.square(board.blank());
        Ok(state)
    }

    /// The board that a state stands for.
    pub fn board(&self, state: &State) -> Board {
        let label = |square: Square| u64::from(self.label_of_tile[state.tile(self.square(square)).index()]);
        let labels: Vec<u64> = self.size().squares().map(label).collect();
        Board::new(self.size(), &labels).expect("a state stands for a board")
    }

    /// A canonical direction as it is seen on the board.
    pub fn direction_on_board(&self, direction: Direction) -> Direction {
        self.symmetry.inverse().direction(direction)
    }
}

/// A board that has no place in a frame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The goal is of another size.
    #[error("{0}")]
    OtherSize(#[source] GoalError),
    /// No sequence of slides leads from the board to the goal.
    #[error("the board cannot be solved: {0}")]
    Unsolvable(Parity),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Goal;
    use crate::random::Random;

    fn goals(size: Size) -> Vec<Board> {
        let mut goals: Vec<Board> =
            [Goal::BlankLast, Goal::BlankFirst, Goal::Snail].iter().map(|goal| goal.board(size).unwrap()).collect();
        goals.extend((0..5).map(|seed| Random::new(seed).any_board(size)));
        goals
    }

    #[test]
    fn frames_lead_there_and_back_and_moves_agree() {
        for (width, height) in [(2, 2), (3, 3), (3, 4), (4, 4), (5, 5)] {
            for (seed, goal) in goals(Size::new(width, height).unwrap()).iter().enumerate() {
                let frame = Frame::new(goal);
                let mut board = Random::new(seed as u64).solvable_board(goal);
                let mut state = frame.state(&board).unwrap();
                let mut random = Random::new(99);
                for _ in 0..40 {
                    assert_eq!(frame.board(&state), board);
                    let slides: Vec<Direction> =
                        Direction::ALL.into_iter().filter(|&direction| state.slide_in(direction).is_some()).collect();
                    let direction = slides[random.below(slides.len() as u64) as usize];
                    state.make(state.slide_in(direction).unwrap());
                    board.slide(frame.direction_on_board(direction)).unwrap();
                }
                assert!(frame.state(goal).unwrap().is_solved());
            }
        }
    }

    #[test]
    fn blank_first_and_blank_last_share_a_frame_by_a_half_turn_and_relabelling() {
        let size = Size::new(4, 4).unwrap();
        let first = Frame::new(&Goal::BlankFirst.board(size).unwrap());
        let last = Frame::new(&Goal::BlankLast.board(size).unwrap());
        for label in 1..16 {
            assert_eq!(first.tile(label), Tile(label));
            assert_eq!(last.tile(label), Tile(16 - label));
        }
        for square in size.squares() {
            assert_eq!(last.square(square), Square(15 - square.0));
        }
    }

    #[test]
    fn corners_have_the_blank_at_home_on_0_and_other_squares_on_their_smallest_image() {
        let size = Size::new(3, 3).unwrap();
        let home = |blank: u8| {
            let mut labels: Vec<u64> = (1..9).collect();
            labels.insert(blank as usize, 0);
            Frame::new(&Board::new(size, &labels).unwrap()).home().0
        };
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(home), [0, 1, 0, 1, 4, 1, 0, 1, 0]);
    }

    #[test]
    fn a_view_makes_the_same_moves_in_its_own_directions() {
        let size = Size::new(4, 4).unwrap();
        let frame = Frame::new(&Goal::BlankFirst.board(size).unwrap());
        let mut state = frame.state(&Random::new(3).solvable_board(frame.goal())).unwrap();
        let symmetry = Symmetry::fixing(size, frame.home()).nth(1).unwrap();
        let view = View::new(size, symmetry);
        let mut seen = state.seen_through(symmetry);
        for direction in [Direction::Up, Direction::Left, Direction::Down, Direction::Right, Direction::Right] {
            let Some(slide) = state.slide_in(direction) else { continue };
            state.make(slide);
            assert_eq!(seen.slide_in(symmetry.direction(direction)), Some(view.slide(slide)));
            seen.make(view.slide(slide));
            assert_eq!(seen, state.seen_through(symmetry));
        }
        assert_eq!(seen.seen_through(symmetry.inverse()), state);
    }
}
