//! The index of lines: where a move slides one tile or several.
//!
//! In the metric `mtm` the blank goes to any other square of its row or column in one move. So the states that differ only in where
//! the blank stands in its row are all one move from each other: they are a **line** of states, here a horizontal one. Every state is on
//! one horizontal line and on one vertical line, and a solution goes from line to line: two moves along the same line would be one.
//! What a search has to know about a state is what it costs when the next move is along the one line, or along the other. So a
//! table has entries for lines, not for states: the sum of a board's sides for what has as many states as the board has squares.
//! That is half as many for 4×4, and says more than the smaller of the two costs would.
//!
//! What stays the same along a horizontal line is how the tiles follow each other when the board is read row by row *without the blank*:
//! tiles that slide sideways pass none. So a line is numbered by
//!
//! * its **axis** and the row (or column) of the board in which the blank is;
//! * the **map**: the set of k of n − 1 places, counted row by row (or column by column) without the blank;
//! * the **permutation**: for each tile of the pattern, in order, where in the map it stands ([`perms`](crate::perms)).
//!
//! The horizontal lines come first. The **cost** of a line is how many moves lead from it to a line of the goal, and a state that is
//! not the goal needs one move more, along the line of the goal, if its next move is along the line: `cost + 1`. Lines that cross
//! in a state differ by at most one in their costs, so these are known modulo 3 ([`LineIndex::walk_down`]).

use tilebase_puzzle::{Axis, MAX_SQUARES, Pattern, Size, Square, State, Symmetry};

use crate::maps::Maps;
use crate::{IndexError, MAX_TILES, Map, Perm, bits, perms};

/// The entry of a line that cannot be reached from the goal; others have their cost modulo 3.
pub const UNREACHED_LINE: u8 = 3;

/// Numbers the lines of all patterns with the same number of tiles on boards of the same size.
///
/// ```
/// use tilebase_index::LineIndex;
/// use tilebase_puzzle::Size;
/// let index = LineIndex::new(Size::new(4, 4)?, 7)?;
/// assert_eq!((index.states(), index.lines()), (518_918_400, 259_459_200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LineIndex {
    size: Size,
    tiles: usize,
    perms: u32,
    /// Sets of places that tiles can have.
    maps: Maps,
    map_count: u32,
    /// Squares in the order of each axis, and the place of each square in it.
    squares: [[Square; MAX_SQUARES]; 2],
    order: [[u8; MAX_SQUARES]; 2],
}

/// A line: all states that moves along it connect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) axis: Axis,
    /// The row or column of the board.
    pub(crate) of_board: usize,
    /// For each tile of the pattern, its place along the axis without the blank.
    pub(crate) places: Vec<u8>,
}

impl LineIndex {
    /// The bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of::<LineIndex>() + self.maps.bytes()
    }

    /// Sets up the index: for 4×4 in a fraction of a millisecond.
    ///
    /// # Errors
    /// [`IndexError`] when the board has no such pattern or the pattern has more than [`MAX_TILES`] tiles.
    pub fn new(size: Size, tiles: usize) -> Result<LineIndex, IndexError> {
        if !(1..size.count()).contains(&tiles) {
            return Err(IndexError::NoSuchPattern { size, tiles });
        }
        if tiles > MAX_TILES {
            return Err(IndexError::TooManyTiles { tiles });
        }
        let mut squares = [[Square(0); MAX_SQUARES]; 2];
        let mut order = [[0; MAX_SQUARES]; 2];
        for axis in Axis::BOTH {
            let mut all: Vec<Square> = size.squares().collect();
            all.sort_by_key(|&square| {
                let (row, column) = size.row_column(square);
                if axis == Axis::Horizontal { (row, column) } else { (column, row) }
            });
            for (place, &square) in all.iter().enumerate() {
                squares[axis as usize][place] = square;
                order[axis as usize][square.index()] = place as u8;
            }
        }
        let maps = Maps::new(size.count() - 1, tiles);
        let map_count = crate::binomial(size.count() - 1, tiles) as u32;
        Ok(LineIndex { size, tiles, perms: perms::factorial(tiles), maps, map_count, squares, order })
    }

    /// The boards' size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many tiles the patterns have.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Permutations, that is lines in a row of the table: k!.
    pub fn perms(&self) -> u32 {
        self.perms
    }

    /// Sets of places.
    pub fn maps(&self) -> usize {
        self.map_count as usize
    }

    /// How many rows or columns the board has along an axis, each with as many rows of the table as there are maps.
    pub fn lines_of_board(&self, axis: Axis) -> usize {
        if axis == Axis::Horizontal { self.size.height() } else { self.size.width() }
    }

    /// How many squares a row or column of the board has along an axis: that many states are on a line.
    pub fn states_on_line(&self, axis: Axis) -> usize {
        self.lines_of_board(axis.other())
    }

    /// Rows of the table with lines along an axis.
    pub fn rows_of(&self, axis: Axis) -> usize {
        self.lines_of_board(axis) * self.maps()
    }

    /// All lines: the entries of a table.
    pub fn lines(&self) -> u64 {
        Axis::BOTH.into_iter().map(|axis| self.rows_of(axis) as u64).sum::<u64>() * u64::from(self.perms)
    }

    /// All states: where the tiles and the blank can be.
    pub fn states(&self) -> u64 {
        self.size.count() as u64 * u64::from(self.map_count) * u64::from(self.perms)
    }

    /// The places of a map, as a set.
    pub fn places(&self, map: Map) -> u32 {
        self.maps.squares(map)
    }

    /// The number of a set of k places.
    pub fn map(&self, places: u32) -> Map {
        self.maps.rank(places)
    }

    /// The square at a place along an axis, the blank's square counted.
    pub fn square(&self, axis: Axis, place: usize) -> Square {
        self.squares[axis as usize][place]
    }

    /// The place of a square along an axis.
    pub fn place(&self, axis: Axis, square: Square) -> u8 {
        self.order[axis as usize][square.index()]
    }

    /// The row or column of the board that a square is in.
    pub fn line_of_board(&self, axis: Axis, square: Square) -> usize {
        let (row, column) = self.size.row_column(square);
        if axis == Axis::Horizontal { row } else { column }
    }

    /// The first line along an axis in a row or column of the board.
    fn first(&self, axis: Axis, of_board: usize) -> u64 {
        let before = if axis == Axis::Horizontal { 0 } else { self.rows_of(Axis::Horizontal) };
        (before + of_board * self.maps()) as u64 * u64::from(self.perms)
    }

    /// The lines of the goal: those through the state in which all tiles of a pattern and the blank are at home.
    pub fn goals(&self, pattern: &Pattern) -> [u64; 2] {
        let view = LineView::new(self, pattern, Symmetry::IDENTITY);
        let squares = std::array::from_fn(|tile| Square(tile as u8));
        Axis::BOTH.map(|axis| view.line(self, axis, &squares, pattern.home()))
    }

    /// The line with a number.
    pub(crate) fn line(&self, number: u64) -> Line {
        let first = self.first(Axis::Vertical, 0);
        let axis = if number < first { Axis::Horizontal } else { Axis::Vertical };
        let number = if axis == Axis::Horizontal { number } else { number - first };
        let (row, perm) = (number / u64::from(self.perms), number % u64::from(self.perms));
        let (of_board, map) = (row as usize / self.maps(), Map((row % self.maps() as u64) as u32));
        let places: Vec<u8> = bits(self.places(map)).map(|place| place.0).collect();
        let positions = perms::unrank(self.tiles, Perm(perm as u32));
        Line { axis, of_board, places: positions.into_iter().map(|position| places[position as usize]).collect() }
    }

    /// The number of a line.
    pub(crate) fn number(&self, line: &Line) -> u64 {
        let places = line.places.iter().fold(0, |set, &place| set | 1u32 << place);
        let below = |&place: &u8| (places & ((1 << place) - 1)).count_ones() as u8;
        let positions: Vec<u8> = line.places.iter().map(below).collect();
        let within = u64::from(self.map(places).0) * u64::from(self.perms) + u64::from(perms::rank(&positions).0);
        self.first(line.axis, line.of_board) + within
    }

    /// The lines that cross a line, one in each of its states.
    pub fn crossing(&self, number: u64) -> impl Iterator<Item = u64> + '_ {
        let line = self.line(number);
        let along = self.states_on_line(line.axis);
        (0..along).map(move |at| {
            let blank = (line.of_board * along + at) as u8;
            let blank_square = self.square(line.axis, blank.into());
            let axis = line.axis.other();
            let crossed = self.place(axis, blank_square);
            let place = |&place: &u8| {
                let square = self.square(line.axis, usize::from(place + u8::from(place >= blank)));
                let there = self.place(axis, square);
                there - u8::from(there > crossed)
            };
            let places = line.places.iter().map(place).collect();
            self.number(&Line { axis, of_board: self.line_of_board(axis, blank_square), places })
        })
    }

    /// The squares of the tiles in the state of a line in which the blank is on its first square, and that square.
    pub fn first_state(&self, number: u64) -> (Vec<Square>, Square) {
        let line = self.line(number);
        let blank = (line.of_board * self.states_on_line(line.axis)) as u8;
        let square = |&place: &u8| self.square(line.axis, usize::from(place + u8::from(place >= blank)));
        (line.places.iter().map(square).collect(), self.square(line.axis, blank.into()))
    }

    /// The cost of a line, in a table that has all costs modulo 3, by walking downhill to a line of the goal; `entry` gives the entry of
    /// a line. `None` when the walk ends elsewhere or is longer than `max`: the line cannot be reached from the goal, or the table is
    /// damaged.
    pub fn walk_down(&self, goals: [u64; 2], start: u64, max: u32, entry: impl Fn(u64) -> u8) -> Option<u32> {
        let (mut line, mut cost) = (start, entry(start));
        if cost == UNREACHED_LINE {
            return None;
        }
        for steps in 0..=max {
            if goals.contains(&line) {
                return Some(steps);
            }
            cost = (cost + 2) % 3;
            line = self.crossing(line).find(|&line| entry(line) == cost)?;
        }
        None
    }
}

/// How the states of a board are seen by a table of lines: through a symmetry, and only the tiles of its pattern.
#[derive(Clone, Debug)]
pub struct LineView {
    /// The tiles of the board, in the order of those of the table's pattern.
    tiles: Vec<u8>,
    /// For each axis of the board and each of its squares, the place along the axis of the table that this is.
    places: [[u8; 32]; 2],
    /// For each axis of the board and the blank's square, the number of the first line.
    first: [[u64; 32]; 2],
    /// What the position of each tile counts in the number of the permutation.
    weights: [u32; MAX_TILES],
    perms: u32,
}

impl LineView {
    /// The view of a table of a pattern, which `symmetry` turns the board into.
    pub fn new(index: &LineIndex, pattern: &Pattern, symmetry: Symmetry) -> LineView {
        debug_assert_eq!((pattern.size(), pattern.len()), (index.size, index.tiles));
        let size = index.size;
        let mut view = LineView {
            tiles: Vec::new(),
            places: [[0; 32]; 2],
            first: [[0; 32]; 2],
            weights: [0; MAX_TILES],
            perms: index.perms,
        };
        let seen = |square: Square| symmetry.square(size, square);
        let back =
            |tile: Square| size.squares().find(|&square| seen(square) == tile).expect("symmetries are one to one");
        view.tiles = pattern.tiles().map(|tile| back(tile.goal()).0).collect();
        for (weight, left) in view.weights.iter_mut().zip((0..index.tiles).rev()) {
            *weight = perms::factorial(left);
        }
        for axis in Axis::BOTH {
            let there = symmetry.direction(axis.directions()[0]).axis();
            for square in size.squares() {
                view.places[axis as usize][square.index()] = index.place(there, seen(square));
                view.first[axis as usize][square.index()] =
                    index.first(there, index.line_of_board(there, seen(square)));
            }
        }
        view
    }

    /// The number of the line along an axis through a state: given the square of every tile of the board, by the number of the tile, and
    /// the blank's.
    #[inline(always)]
    pub fn line(&self, index: &LineIndex, axis: Axis, squares: &[Square; 32], blank: Square) -> u64 {
        let order = &self.places[axis as usize];
        let blank_place = order[blank.index() % 32];
        let mut places = [0u32; MAX_TILES];
        let mut set = 0;
        let tiles = &self.tiles[..self.tiles.len().min(MAX_TILES)];
        for (bit, &tile) in places.iter_mut().zip(tiles) {
            let place = order[squares[usize::from(tile) % 32].index() % 32];
            *bit = 1 << (place - u8::from(place > blank_place));
            set |= *bit;
        }
        let (mut left, mut perm) = (set, 0);
        for (&bit, &weight) in places[..tiles.len()].iter().zip(&self.weights) {
            perm += (left & (bit - 1)).count_ones() * weight;
            left ^= bit;
        }
        let row = u64::from(index.maps.rank(set).0) * u64::from(self.perms);
        self.first[axis as usize][blank.index() % 32] + row + u64::from(perm)
    }

    /// The same for a state.
    pub fn line_of(&self, index: &LineIndex, axis: Axis, state: &State) -> u64 {
        let mut squares = [Square(0); 32];
        state.tiles().for_each(|(square, tile)| squares[tile.index()] = square);
        self.line(index, axis, &squares, state.blank())
    }
}

/// What a search asks of a table of lines.
pub trait LineCosts: Send + Sync {
    /// The pattern that it is used for.
    fn pattern(&self) -> &Pattern;

    /// The index of its lines.
    fn index(&self) -> &LineIndex;

    /// How it sees boards.
    fn view(&self) -> &LineView;

    /// An entry: the cost of a line modulo 3, or [`UNREACHED_LINE`].
    fn entry(&self, line: u64) -> u8;

    /// Fetches an entry that will be read soon.
    fn prefetch(&self, line: u64);

    /// The cost of a line, from nothing. `None` when it cannot be reached from the goal, which is never so for a solvable board, or
    /// the table is damaged.
    fn cost(&self, line: u64) -> Option<u32>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extent, Kind};
    use std::collections::HashMap;
    use tilebase_puzzle::{Direction, Random};

    fn size(width: usize, height: usize) -> Size {
        Size::new(width, height).unwrap()
    }

    /// All states one move along an axis away, by sliding one tile after the other.
    fn along(state: &State, axis: Axis) -> Vec<State> {
        let mut states = Vec::new();
        for direction in axis.directions() {
            let mut state = *state;
            while let Some(slide) = state.slide_in(direction) {
                state.make(slide);
                states.push(state);
            }
        }
        states
    }

    #[test]
    fn there_are_as_many_lines_as_the_extent_says() {
        for (width, height) in [(2, 2), (3, 2), (4, 3), (4, 4), (5, 5), (2, 8)] {
            let size = size(width, height);
            for tiles in 1..=MAX_TILES.min(size.count() - 1) {
                let index = LineIndex::new(size, tiles).unwrap();
                let extent = Extent::of(size, tiles, Kind::Lines);
                assert_eq!(Kind::Lines.entries(&extent), u128::from(index.lines()), "{tiles} of {size}");
                assert_eq!(extent.states, u128::from(index.states()), "{tiles} of {size}");
                assert_eq!(extent.states, Extent::of(size, tiles, Kind::AllMoves).states, "{tiles} of {size}");
                assert_eq!(index.states() * (width + height) as u64, index.lines() * (width * height) as u64);
            }
        }
    }

    #[test]
    fn numbers_are_those_of_lines_and_every_one_is_used() {
        for (width, height, tiles) in [(2, 2, 1), (2, 2, 3), (3, 2, 2), (2, 3, 4), (3, 3, 3), (4, 2, 7)] {
            let index = LineIndex::new(size(width, height), tiles).unwrap();
            for number in 0..index.lines() {
                assert_eq!(index.number(&index.line(number)), number);
            }
        }
    }

    #[test]
    fn states_of_a_line_have_its_number_and_others_have_not_through_every_symmetry() {
        for (width, height, tiles) in [(3, 3, 3), (4, 2, 4), (2, 4, 5), (4, 4, 6), (5, 5, 4), (3, 3, 8)] {
            let size = size(width, height);
            let index = LineIndex::new(size, tiles).unwrap();
            let mut random = Random::new(tiles as u64);
            for home in [Square(0), Square(1), Square(width as u8 + 1)] {
                let mask = size
                    .squares()
                    .filter(|&square| square != home)
                    .take(tiles)
                    .fold(0, |mask, square| mask | square.bit());
                let pattern = Pattern::from_mask(size, home, mask).unwrap();
                for symmetry in Symmetry::fixing(size, home) {
                    let view = LineView::new(&index, &pattern, symmetry);
                    let plain = LineView::new(&index, &pattern, Symmetry::IDENTITY);
                    let mut state = State::solved(size, home);
                    for _ in 0..200 {
                        let seen = state.seen_through(symmetry);
                        for axis in Axis::BOTH {
                            let line = view.line_of(&index, axis, &state);
                            let there = symmetry.direction(axis.directions()[0]).axis();
                            assert_eq!(line, plain.line_of(&index, there, &seen));
                            let others = along(&state, axis);
                            assert_eq!(others.len() + 1, index.states_on_line(there));
                            let crossing: Vec<u64> = index.crossing(line).collect();
                            for other in others.iter().chain([&state]) {
                                assert_eq!(view.line_of(&index, axis, other), line, "the same line");
                                let crossed = view.line_of(&index, axis.other(), other);
                                assert!(crossing.contains(&crossed), "that crosses it");
                                assert!(index.crossing(crossed).any(|back| back == line));
                            }
                            let mut different = crossing.clone();
                            different.sort_unstable();
                            different.dedup();
                            assert_eq!(different.len(), crossing.len(), "another one in each state");
                        }
                        let direction = Direction::ALL[random.below(4) as usize];
                        if let Some(slide) = state.slide_in(direction) {
                            state.make(slide);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn walking_down_gives_the_cost_of_every_line_by_a_search_over_lines() {
        for (width, height, tiles) in [(3, 2, 3), (3, 3, 3), (2, 4, 3), (2, 2, 3)] {
            let size = size(width, height);
            let index = LineIndex::new(size, tiles).unwrap();
            let all: Vec<u64> = (1..=tiles as u64).collect();
            let pattern = Pattern::new(size, Square(0), &all).unwrap();
            let goals = index.goals(&pattern);
            let mut costs: HashMap<u64, u32> = goals.map(|line| (line, 0)).into();
            let mut level = goals.to_vec();
            for cost in 1.. {
                let mut next: Vec<u64> = level.iter().flat_map(|&line| index.crossing(line)).collect();
                next.retain(|line| costs.insert(*line, cost).map(|before| costs.insert(*line, before)).is_none());
                if next.is_empty() {
                    break;
                }
                level = next;
            }
            let max = *costs.values().max().unwrap();
            let entry = |line: u64| costs.get(&line).map_or(UNREACHED_LINE, |cost| (cost % 3) as u8);
            for line in 0..index.lines() {
                assert_eq!(index.walk_down(goals, line, max, entry), costs.get(&line).copied());
            }
        }
    }
}
