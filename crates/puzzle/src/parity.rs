//! Which boards can be solved, and why the others cannot.
//!
//! Every slide exchanges the blank with a tile and carries the blank one square on. So after any number of slides, the
//! number of exchanges made and the number of steps the blank has gone are the same. Going to the goal, the blank makes
//! an even or an odd number of steps depending only on how far away it is; the number of exchanges needed is even or odd
//! depending only on the arrangement. When the two disagree, no sequence of slides can do both. When they agree, one
//! exists, on every rectangle from 2×2 up (Johnson & Story 1879; Wilson 1974): the tests visit all boards of the small
//! sizes.

use std::fmt;

use crate::board::Board;
use crate::goal::Goal;

/// What the arrangement of a board and the place of its blank say about reaching a goal.
///
/// ```
/// use tilebase_puzzle::{Board, Parity};
/// let goal: Board = "1 2 3 / 4 5 6 / 7 8 0".parse()?;
/// let swapped: Board = "1 2 3 / 4 5 6 / 8 7 0".parse()?;
/// assert!(!Parity::between(&swapped, &goal).is_solvable());
/// # Ok::<(), tilebase_puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parity {
    /// The fewest exchanges of two pieces (the blank is one) that turn the board into the goal.
    pub exchanges: u32,
    /// Steps from the blank's square to its goal square.
    pub blank_distance: u32,
}

impl Parity {
    /// Compares a board with a goal.
    ///
    /// # Panics
    /// When the two are of different sizes.
    pub fn between(board: &Board, goal: &Board) -> Parity {
        let size = board.size();
        assert_eq!(size, goal.size(), "a board is compared with a goal of its own size");
        let goal_square = goal.squares_by_label();
        let mut visited = 0u32;
        let mut cycles = 0;
        for start in size.squares() {
            let mut square = start;
            cycles += u32::from(visited & square.bit() == 0);
            while visited & square.bit() == 0 {
                visited |= square.bit();
                square = goal_square[board.label(square) as usize];
            }
        }
        Parity { exchanges: size.count() as u32 - cycles, blank_distance: size.distance(board.blank(), goal.blank()) }
    }

    /// Whether some sequence of slides leads from the board to the goal.
    pub fn is_solvable(self) -> bool {
        self.exchanges % 2 == self.blank_distance % 2
    }
}

impl Board {
    /// The [named goals](Goal::NAMED) that the board can reach, the usual ones first: what to suggest when it cannot reach the goal
    /// that was asked for. Goals that are the same board on this size are listed once.
    ///
    /// ```
    /// use tilebase_puzzle::{Goal, known};
    /// let korf = known::korf15()[0].board;
    /// assert_eq!(korf.reachable_goals(), [Goal::BlankFirst, Goal::BlankTopRight]);
    /// ```
    pub fn reachable_goals(&self) -> Vec<Goal> {
        let mut boards: Vec<Board> = Vec::new();
        let is_reached = |goal: &Goal| {
            let goal = goal.board(self.size()).expect("named goals are boards of any size");
            let is_new = !boards.contains(&goal);
            boards.push(goal);
            is_new && Parity::between(self, &goal).is_solvable()
        };
        Goal::NAMED.into_iter().filter(is_reached).collect()
    }
}

/// The reason, for readers who meet the argument for the first time.
impl fmt::Display for Parity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let even_odd = |number: u32| if number.is_multiple_of(2) { "even" } else { "odd" };
        let counted = |number: u32, what: &str| match number {
            1 => format!("1 {what} (odd)"),
            _ => format!("{number} {what}s ({})", even_odd(number)),
        };
        write!(
            f,
            "each move exchanges the blank with a tile and takes the blank one step, so both are even numbers or both are \
             odd; this board needs {}, and its blank is {} from its goal square",
            counted(self.exchanges, "exchange"),
            counted(self.blank_distance, "step"),
        )?;
        if self.is_solvable() {
            write!(f, ": they agree, so it can be solved")
        } else {
            write!(f, ": they disagree, so no sequence of moves can solve it")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Goal;
    use crate::size::Size;
    use std::collections::HashSet;

    /// Every board that slides can reach from `start`, by plain search.
    fn reachable(start: Board) -> HashSet<Board> {
        let mut seen = HashSet::from([start]);
        let mut queue = vec![start];
        while let Some(board) = queue.pop() {
            for direction in board.slides() {
                let next = board.replay(&[direction]).unwrap();
                if seen.insert(next) {
                    queue.push(next);
                }
            }
        }
        seen
    }

    fn all_boards(size: Size) -> Vec<Board> {
        let mut boards = vec![vec![]];
        for _ in size.squares() {
            let grown = boards.iter().flat_map(|labels: &Vec<u64>| {
                let unused = (0..size.count() as u64).filter(|label| !labels.contains(label));
                unused.map(|label| [labels.as_slice(), &[label]].concat()).collect::<Vec<_>>()
            });
            boards = grown.collect();
        }
        boards.iter().map(|labels| Board::new(size, labels).unwrap()).collect()
    }

    #[test]
    fn parity_tells_exactly_the_reachable_boards_for_every_goal() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2)] {
            let size = Size::new(width, height).unwrap();
            for goal in Goal::NAMED {
                let goal = goal.board(size).unwrap();
                let reachable = reachable(goal);
                for board in all_boards(size) {
                    let parity = Parity::between(&board, &goal);
                    assert_eq!(parity.is_solvable(), reachable.contains(&board), "{board} to {goal}: {parity}");
                }
            }
        }
    }

    #[test]
    fn the_goals_to_suggest_are_all_that_search_reaches() {
        for (width, height) in [(2, 2), (3, 2), (2, 3), (4, 2)] {
            let size = Size::new(width, height).unwrap();
            let boards: Vec<(Goal, Board)> = Goal::NAMED.map(|goal| (goal.clone(), goal.board(size).unwrap())).into();
            let mut rest = all_boards(size);
            while let Some(board) = rest.pop() {
                let reachable = reachable(board);
                rest.retain(|other| !reachable.contains(other));
                let reached: Vec<&Board> =
                    boards.iter().map(|(_, goal)| goal).filter(|goal| reachable.contains(*goal)).collect();
                for board in &reachable {
                    let goals = board.reachable_goals();
                    let suggested: Vec<Board> = goals.iter().map(|goal| goal.board(size).unwrap()).collect();
                    assert!(suggested.iter().all(|goal| reached.contains(&goal)), "{board}: {goals:?}");
                    assert!(reached.iter().all(|goal| suggested.contains(goal)), "{board}: {goals:?}");
                    let different: HashSet<Board> = suggested.iter().copied().collect();
                    assert_eq!(different.len(), suggested.len(), "{board}: {goals:?}");
                }
            }
        }
        // Where a side is odd, the four goals in order have the same boards, and some boards have no goal.
        let three: Board = "2 1 3 / 4 5 6 / 7 8 0".parse().unwrap();
        assert_eq!(three.reachable_goals(), [Goal::Snail]);
        let size = Size::new(5, 5).unwrap();
        let solved = Goal::BlankLast.board(size).unwrap();
        assert_eq!(solved.reachable_goals().len(), if solved.reachable_goals().contains(&Goal::Snail) { 5 } else { 4 });
    }

    #[test]
    fn the_famous_14_15_exchange_is_refused_with_its_reason() {
        let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0".parse().unwrap();
        let parity = Parity::between(&board, &Goal::BlankLast.board(board.size()).unwrap());
        assert_eq!(parity, Parity { exchanges: 1, blank_distance: 0 });
        assert!(parity.to_string().ends_with("they disagree, so no sequence of moves can solve it"));
    }
}
