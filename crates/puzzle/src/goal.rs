//! The board to be reached.

use std::cmp::Ordering;
use std::fmt;

use crate::board::Board;
use crate::forms;
use crate::parse::ParseError;
use crate::size::{Direction, Size, Square};

/// A goal: one of the usual arrangements, for any size, or a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Goal {
    /// `1 2 3 / 4 5 6 / 7 8 0`, as the toy is sold.
    #[default]
    BlankLast,
    /// `0 1 2 / 3 4 5 / 6 7 8`, as Korf's papers have it.
    BlankFirst,
    /// `1 2 3 / 8 0 4 / 7 6 5`: clockwise from the corner inwards, the blank at the end.
    Snail,
    /// `1 2 0 / 3 4 5 / 6 7 8`: the tiles in order, the blank at the end of the first row.
    ///
    /// A blank that goes along its row keeps the order of the tiles, so that the same boards reach this goal and
    /// [`BlankFirst`](Goal::BlankFirst).
    BlankTopRight,
    /// `1 2 3 / 4 5 6 / 0 7 8`: the tiles in order, the blank at the beginning of the last row. The same boards reach this goal and
    /// [`BlankLast`](Goal::BlankLast).
    BlankBottomLeft,
    /// Any arrangement.
    Board(Board),
}

impl Goal {
    /// The goals that have names, the usual ones first. All of them are goals of every size; on small boards two may be the same
    /// board.
    pub const NAMED: [Goal; 5] =
        [Goal::BlankLast, Goal::BlankFirst, Goal::Snail, Goal::BlankTopRight, Goal::BlankBottomLeft];

    /// The goal of a board when none is given: [`Snail`](Goal::Snail) if it was read from a file of the n-puzzle exercise, which has
    /// the length of a side on a line of its own before the rows ([`ReadBoard::has_size_line`](crate::ReadBoard), or
    /// [`has_size_line`](crate::has_size_line) for a text), otherwise [`BlankLast`](Goal::BlankLast).
    pub fn usual(has_size_line: bool) -> Goal {
        if has_size_line { Goal::Snail } else { Goal::BlankLast }
    }

    /// The name, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        Some(match self {
            Goal::BlankLast => "blank-last",
            Goal::BlankFirst => "blank-first",
            Goal::Snail => "snail",
            Goal::BlankTopRight => "blank-top-right",
            Goal::BlankBottomLeft => "blank-bottom-left",
            Goal::Board(_) => return None,
        })
    }

    /// Reads a goal's name, in any case, or one of its [other names](crate::forms), or a board as [`parse_argument`](Board::parse_argument) reads it.
    ///
    /// # Errors
    /// [`GoalError::Text`] when it is neither.
    pub fn parse(text: &str, size: Option<Size>) -> Result<Goal, GoalError> {
        if let Some(name) = forms::known_name(text, names(), &forms::GOALS) {
            let goal = Goal::NAMED.into_iter().find(|goal| goal.name() == Some(name));
            return Ok(goal.expect("aliases are those of goals"));
        }
        let board = Board::parse_argument(text, size);
        board.map(Goal::Board).map_err(|why| GoalError::Text { text: text.to_owned(), why })
    }

    /// The goal as a board of the given size.
    ///
    /// # Errors
    /// [`GoalError::OtherSize`] when the goal is a board of another size.
    pub fn board(&self, size: Size) -> Result<Board, GoalError> {
        let count = size.count() as u64;
        let labels: Vec<u64> = match self {
            Goal::BlankLast => (1..count).chain([0]).collect(),
            Goal::BlankFirst => (0..count).collect(),
            Goal::Snail => snail(size),
            Goal::BlankTopRight => in_order(size, size.width() as u64 - 1),
            Goal::BlankBottomLeft => in_order(size, count - size.width() as u64),
            Goal::Board(board) if board.size() == size => return Ok(*board),
            Goal::Board(board) => return Err(GoalError::OtherSize { expected: size, found: board.size() }),
        };
        Ok(Board::new(size, &labels).expect("the usual goals are boards"))
    }

    /// The goal as a board where a size need not be given: then it is the goal's own, or that of the 15-puzzle.
    pub fn board_of(&self, size: Option<Size>) -> Result<Board, GoalError> {
        match (self, size) {
            (_, Some(size)) => self.board(size),
            (Goal::Board(board), None) => Ok(*board),
            (_, None) => self.board(Size::new(4, 4).expect("a board may have 4 rows of 4 squares")),
        }
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    Goal::NAMED.iter().filter_map(Goal::name)
}

/// The labels 1, 2, 3, … row by row, and the blank on a square.
fn in_order(size: Size, blank: u64) -> Vec<u64> {
    (0..size.count() as u64)
        .map(|square| match square.cmp(&blank) {
            Ordering::Less => square + 1,
            Ordering::Equal => 0,
            Ordering::Greater => square,
        })
        .collect()
}

/// The labels 1, 2, 3, … along the spiral, 0 at its end.
fn snail(size: Size) -> Vec<u64> {
    const CLOCKWISE: [Direction; 4] = [Direction::Right, Direction::Down, Direction::Left, Direction::Up];
    let count = size.count();
    let mut labels = vec![None; count];
    let mut square = Square(0);
    let mut turns = 0;
    for label in 1..=count as u64 {
        labels[square.index()] = Some(label % count as u64);
        let free_ahead =
            |turns: usize| size.neighbour(square, CLOCKWISE[turns % 4]).filter(|next| labels[next.index()].is_none());
        if free_ahead(turns).is_none() {
            turns += 1;
        }
        square = free_ahead(turns).unwrap_or(square);
    }
    labels.into_iter().map(|label| label.expect("the spiral visits every square")).collect()
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Board(board) => board.fmt(f),
            named => f.write_str(named.name().unwrap_or_default()),
        }
    }
}

/// A goal that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoalError {
    /// Neither the name of a goal nor a board.
    #[error(
        "{} is not a goal: {}expected {} or a board ({why})",
        crate::quoted(.text),
        forms::did_you_mean(.text, names().chain(forms::GOALS.map(|(alias, _)| alias))),
        names().collect::<Vec<_>>().join(", ")
    )]
    Text {
        /// What was given.
        text: String,
        /// Why it is not a board.
        #[source]
        why: ParseError,
    },
    /// A goal of another size than the board.
    #[error("the goal is a board of {found}, but the board to be solved is {expected}")]
    OtherSize {
        /// The board's size.
        expected: Size,
        /// The goal's size.
        found: Size,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_without_a_size_has_its_own_or_that_of_the_15_puzzle() {
        let board: Board = "1 2 / 3 0".parse().unwrap();
        let (own, four) = (board.size(), Size::new(4, 4).unwrap());
        assert_eq!(Goal::Board(board).board_of(None), Ok(board));
        assert_eq!(Goal::Snail.board_of(Some(own)), Goal::Snail.board(own));
        assert_eq!(Goal::Snail.board_of(None), Goal::Snail.board(four));
        assert_eq!(Goal::Board(board).board_of(Some(four)), Err(GoalError::OtherSize { expected: four, found: own }));
    }

    #[test]
    fn the_named_goals_are_what_their_names_say() {
        let cases = [
            (Goal::BlankLast, (4, 4), "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0"),
            (Goal::BlankFirst, (3, 2), "0 1 2 / 3 4 5"),
            (Goal::Snail, (2, 2), "1 2 / 0 3"),
            (Goal::Snail, (3, 3), "1 2 3 / 8 0 4 / 7 6 5"),
            (Goal::Snail, (4, 4), "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7"),
            (Goal::Snail, (3, 4), "1 2 3 / 10 11 4 / 9 0 5 / 8 7 6"),
            (Goal::Snail, (2, 4), "1 2 / 0 3 / 7 4 / 6 5"),
            (Goal::BlankTopRight, (3, 3), "1 2 0 / 3 4 5 / 6 7 8"),
            (Goal::BlankTopRight, (2, 3), "1 0 / 2 3 / 4 5"),
            (Goal::BlankBottomLeft, (3, 3), "1 2 3 / 4 5 6 / 0 7 8"),
            (Goal::BlankBottomLeft, (2, 2), "1 2 / 0 3"),
        ];
        for (goal, (width, height), expected) in cases {
            assert_eq!(goal.board(Size::new(width, height).unwrap()).unwrap().to_string(), expected);
            assert_eq!(Goal::parse(&goal.to_string(), None), Ok(goal));
        }
    }

    #[test]
    fn a_goal_of_another_size_and_a_goal_that_is_none_are_refused() {
        let size = Size::new(4, 4).unwrap();
        let small = Goal::parse("1 2 / 3 0", None).unwrap();
        let message = small.board(size).unwrap_err().to_string();
        assert_eq!(message, "the goal is a board of 2x2, but the board to be solved is 4x4");
        let message = Goal::parse("blank-middle", None).unwrap_err().to_string();
        let expected = "\"blank-middle\" is not a goal: expected blank-last, blank-first, snail, blank-top-right, blank-bottom-left or a board";
        assert!(message.starts_with(expected), "{message}");
        for (typed, meant) in [("blank-fist", "blank-first"), ("snial", "snail"), ("spirl", "spiral"), ("kor", "korf")]
        {
            let message = Goal::parse(typed, None).unwrap_err().to_string();
            assert!(message.contains(&format!(" is not a goal: did you mean {meant}? expected ")), "{message}");
        }
    }
}
