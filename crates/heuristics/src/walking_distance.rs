//! Walking distance: two smaller puzzles, solved exactly, one for rows and one for columns.
//!
//! Forget the columns, and of each tile all but its goal row. What remains is a puzzle of its own: for each row, how many
//! tiles of each goal row are in it, and in which row the blank is. A vertical move exchanges the blank with any tile of the
//! row above or below; horizontal moves change nothing. Its shortest solution counts the vertical moves that a board needs at
//! least, and the same with columns the horizontal ones; together they are a bound (Takahashi 2002). It knows of the blank, and
//! that tiles of one row have to pass those of another, so it is never below the Manhattan distance.
//!
//! ```text
//! 3×3, blank first     row 1   row 2   row 3      tiles of goal row 1, 2, 3 in each row
//! the goal             2 0 0 . 0 3 0   0 0 3
//! after one move       2 1 0   0 2 0 . 0 0 3      a tile of the second row has gone up
//! ```
//!
//! On 4×4 there are 24,964 such states for rows, and the same for columns; a breadth-first search from the goal takes some
//! milliseconds. On 5×5 there are 65,650,495. A bound made of true distances of simpler puzzles is consistent.

use std::collections::HashMap;
use std::sync::Arc;

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, GoOn, Listed, NotMade, Promise};
use crate::direction::is_along_row;
use crate::heuristic::{Heuristic, steps_are_nodes};
use crate::walks::{Walks, bytes_of_map};

/// The most states that one of the two puzzles may have. 6×2 has 367,560, 5×4 already 5,977,015.
const MOST_STATES: u64 = 1_000_000;

/// The vertical moves that the tiles' rows take, plus the horizontal moves that their columns take.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    size: Size,
    rows: Arc<Walk>,
    columns: Arc<Walk>,
    /// Row and column of each square.
    places: Box<[[u8; 2]; 32]>,
}

impl Listed for WalkingDistance {
    const ABOUT: About = About {
        name: "walking-distance",
        summary: "shortest ways of all tiles to their rows, and to their columns, the blank included",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Admissible,
    };

    const SUITS: &'static str =
        "boards whose rows and columns make puzzles of at most 1,000,000 states: sides up to 4, and 5x2, 5x3 and 6x2";

    fn new_for(size: Size, home: Square) -> Option<WalkingDistance> {
        WalkingDistance::new_while(size, home, &|| true).ok()
    }

    fn new_while(size: Size, home: Square, go_on: GoOn<'_>) -> Result<WalkingDistance, NotMade> {
        let [rows, columns] = shapes(size, home).ok_or(NotMade::DoesNotSuit)?;
        let walk = |shape: Shape| shape.walk(go_on).ok_or(NotMade::Stopped);
        let (rows, columns) = (walk(rows)?, walk(columns)?);
        let places = Box::new(std::array::from_fn(|square| {
            let (row, column) = size.row_column(Square(square as u8));
            [row as u8, column as u8]
        }));
        Ok(WalkingDistance { size, rows, columns, places })
    }

    fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes()
    }
}

/// The puzzles of rows and of columns, unless they have too many states.
pub(crate) fn shapes(size: Size, home: Square) -> Option<[Shape; 2]> {
    let (row, column) = size.row_column(home);
    let shapes = [
        Shape { lines: size.height(), length: size.width(), home: row },
        Shape { lines: size.width(), length: size.height(), home: column },
    ];
    shapes.iter().all(|shape| shape.states() <= MOST_STATES).then_some(shapes)
}

/// A puzzle of lines: rows, or columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    lines: usize,
    /// How many squares a line has.
    length: usize,
    /// The line where the blank belongs.
    home: usize,
}

/// A state of such a puzzle: for each line and goal line how many tiles there are, as digits of one number; and the line of
/// the blank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Crowd {
    counts: u64,
    blank: usize,
}

impl Shape {
    /// How many states there are at most: ways to fill the lines, for every line of the blank.
    pub(crate) fn states(self) -> u64 {
        /// What can be left when this many tiles are taken from goal lines that have these left.
        fn after_taking(tiles: usize, left: &[usize]) -> Vec<Vec<usize>> {
            let Some((&last, others)) = left.split_last() else { return vec![Vec::new(); usize::from(tiles == 0)] };
            let with_last = |taken: usize| {
                let others = after_taking(tiles - taken, others);
                others.into_iter().map(move |others| [others, vec![last - taken]].concat())
            };
            (0..=tiles.min(last)).flat_map(with_last).collect()
        }
        let filled = |short: usize| -> Vec<usize> {
            (0..self.lines).map(|line| self.length - usize::from(line == short)).collect()
        };
        // Goal lines with equally many tiles left are alike, so only how many are left is remembered, in order.
        let mut ways = HashMap::from([(filled(self.home), 1_u64)]);
        // Whichever line the blank is in, the others can be filled in as many ways.
        for length in filled(0) {
            let mut further = HashMap::new();
            for (left, ways) in ways {
                for mut left in after_taking(length, &left) {
                    left.sort_unstable();
                    let known = further.entry(left).or_insert(0_u64);
                    *known = known.saturating_add(ways);
                }
            }
            ways = further;
        }
        ways.into_values().fold(0, u64::saturating_add).saturating_mul(self.lines as u64)
    }

    /// One tile of a goal line in a line, as a digit. Where states are few enough, all digits fit: the longest numbers are
    /// those of 6 lines of 2 squares, 36 digits of 3 values each.
    fn one(self, line: usize, goal: usize) -> u64 {
        (self.length as u64 + 1).pow((line * self.lines + goal) as u32)
    }

    /// The state in which these tiles, as (line, goal line), and the blank are.
    pub(crate) fn crowd(self, tiles: impl Iterator<Item = (usize, usize)>, blank: usize) -> Crowd {
        Crowd { counts: tiles.map(|(line, goal)| self.one(line, goal)).sum(), blank }
    }

    pub(crate) fn goal(self) -> Crowd {
        let tiles_of = |line| std::iter::repeat_n((line, line), self.length - usize::from(line == self.home));
        self.crowd((0..self.lines).flat_map(tiles_of), self.home)
    }

    /// The state after a tile of a goal line goes to the blank's line from the line `from` beside it, if there is one.
    fn after(self, crowd: Crowd, from: usize, goal: usize) -> Option<Crowd> {
        let one = self.one(from, goal);
        let is_there = !(crowd.counts / one).is_multiple_of(self.length as u64 + 1);
        let counts = || crowd.counts - one + self.one(crowd.blank, goal);
        is_there.then(|| Crowd { counts: counts(), blank: from })
    }

    /// The states after a tile goes to the blank's line from the line beside it, below or above: one for each goal line of which there
    /// are tiles.
    pub(crate) fn steps(self, crowd: Crowd, below: bool) -> impl Iterator<Item = Crowd> {
        let from = if below { crowd.blank + 1 } else { crowd.blank.wrapping_sub(1) };
        let goals = (0..self.lines).filter(move |_| from < self.lines);
        goals.filter_map(move |goal| self.after(crowd, from, goal))
    }

    /// The solved distances of the puzzle, shared by all heuristics that use them. `None` if cancelled.
    fn walk(self, go_on: GoOn<'_>) -> Option<Arc<Walk>> {
        static WALKS: Walks<Walk> = Walks::new();
        WALKS.get(self, || Walk::new(self, go_on))
    }
}

/// States visited between two checks for cancellation: a millisecond.
pub(crate) const STATES_BETWEEN_LOOKS: usize = 1024;

/// A state's number, and above it its distance from the goal.
type Code = u32;

const NUMBER_BITS: u32 = 24;

/// All states of a puzzle of lines, and where their moves lead.
#[derive(Clone, Debug)]
struct Walk {
    shape: Shape,
    /// For each state, and each direction and goal line of the tile that moves, the state afterwards.
    next: Vec<Code>,
    /// A state has 2 to this power moves.
    move_bits: u32,
    codes: HashMap<Crowd, Code>,
}

impl Walk {
    /// Solves a puzzle. `None` if cancelled.
    fn new(shape: Shape, go_on: GoOn<'_>) -> Option<Walk> {
        let move_bits = shape.lines.next_power_of_two().trailing_zeros() + 1;
        let goal = shape.goal();
        let mut walk = Walk { shape, next: Vec::new(), move_bits, codes: HashMap::from([(goal, 0)]) };
        let mut level = vec![goal];
        let mut distance = 0;
        // States are numbered in the order in which they are found, level by level.
        while !level.is_empty() {
            distance += 1;
            let mut further = Vec::new();
            for (number, crowd) in level.into_iter().enumerate() {
                if number.is_multiple_of(STATES_BETWEEN_LOOKS) && !go_on() {
                    return None;
                }
                let first = walk.next.len();
                walk.next.resize(first + (1 << move_bits), 0);
                for (from, direction) in [(crowd.blank.wrapping_sub(1), 0), (crowd.blank + 1, 1)] {
                    for goal in (0..shape.lines).filter(|_| from < shape.lines) {
                        let Some(after) = shape.after(crowd, from, goal) else { continue };
                        let number = walk.codes.len() as Code;
                        let code = *walk.codes.entry(after).or_insert_with(|| {
                            further.push(after);
                            distance << NUMBER_BITS | number
                        });
                        walk.next[first + (direction << (move_bits - 1) | goal)] = code;
                    }
                }
            }
            level = further;
        }
        Some(walk)
    }

    fn bytes(&self) -> usize {
        self.next.capacity() * size_of::<Code>() + bytes_of_map(&self.codes)
    }

    /// The state in which these tiles, as (line, goal line), and the blank are.
    fn find(&self, tiles: impl Iterator<Item = (usize, usize)>, blank: usize) -> Option<Code> {
        self.codes.get(&self.shape.crowd(tiles, blank)).copied()
    }

    /// The state after a tile of a goal line goes from one line to another.
    #[inline]
    fn after(&self, code: Code, from: u8, to: u8, goal: u8) -> Code {
        let number = code as usize % (1 << NUMBER_BITS);
        self.next[number << self.move_bits | usize::from(from > to) << (self.move_bits - 1) | goal as usize]
    }
}

/// The states of both puzzles.
#[derive(Clone, Copy, Debug)]
pub struct WalkingNode {
    rows: Code,
    columns: Code,
}

impl Heuristic for WalkingDistance {
    type Node = WalkingNode;
    steps_are_nodes!();

    fn root(&self, state: &State) -> Option<WalkingNode> {
        let (row, column) = (|square| self.size.row_column(square).0, |square| self.size.row_column(square).1);
        let rows = state.tiles().map(|(square, tile)| (row(square), row(tile.goal())));
        let columns = state.tiles().map(|(square, tile)| (column(square), column(tile.goal())));
        Some(WalkingNode {
            rows: self.rows.find(rows, row(state.blank()))?,
            columns: self.columns.find(columns, column(state.blank()))?,
        })
    }

    #[inline]
    fn cost(&self, node: &WalkingNode) -> u32 {
        (node.rows >> NUMBER_BITS) + (node.columns >> NUMBER_BITS)
    }

    #[inline]
    fn begin(&self, _stage: usize, node: &WalkingNode, slide: Slide) -> WalkingNode {
        let place = |square: Square| self.places[square.index() % 32];
        let (from, to, goal) = (place(slide.from), place(slide.to), place(slide.tile.goal()));
        if is_along_row(slide.from, slide.to) {
            WalkingNode { columns: self.columns.after(node.columns, from[1], to[1], goal[1]), ..*node }
        } else {
            WalkingNode { rows: self.rows.after(node.rows, from[0], to[0], goal[0]), ..*node }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_before_they_are_searched() {
        let shapes = [(2, 2), (2, 12), (3, 2), (3, 3), (3, 8), (4, 2), (4, 3), (4, 4), (4, 6), (5, 2), (5, 3), (6, 2)];
        for (lines, length) in shapes {
            let shape = Shape { lines, length, home: lines / 2 };
            assert_eq!(Walk::new(shape, &|| true).unwrap().codes.len() as u64, shape.states(), "{shape:?}");
            assert!(shape.states() <= MOST_STATES);
        }
        let states = |lines, length| Shape { lines, length, home: 0 }.states();
        assert_eq!([states(4, 4), states(5, 4), states(5, 5)], [24_964, 5_977_015, 65_650_495]);
    }

    #[test]
    fn solving_stops_within_a_thousand_states_when_told_to() {
        let shape = Shape { lines: 6, length: 2, home: 3 };
        let asked = std::cell::Cell::new(0);
        let go_on = |most: u64| {
            asked.set(asked.get() + 1);
            asked.get() <= most
        };
        let states = Walk::new(shape, &|| go_on(u64::MAX)).unwrap().codes.len() as u64;
        let pieces = asked.take();
        assert!(pieces >= states / STATES_BETWEEN_LOOKS as u64, "{pieces} pieces of {states} states");
        for most in [0, 1, 100] {
            assert!(Walk::new(shape, &|| go_on(most)).is_none());
            assert_eq!(asked.take(), most + 1);
        }
    }

    #[test]
    fn boards_suit_as_it_is_said() {
        for (width, height) in (2..=12).flat_map(|width| (2..=12).map(move |height| (width, height))) {
            let Ok(size) = Size::new(width, height) else { continue };
            let (short, long) = (width.min(height), width.max(height));
            let expected = long <= 4 || [(2, 5), (3, 5), (2, 6)].contains(&(short, long));
            assert_eq!(WalkingDistance::new_for(size, Square(0)).is_some(), expected, "{size}");
        }
    }
}
