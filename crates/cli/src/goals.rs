//! The goal of each board, and what to say of boards that cannot reach theirs.

use std::sync::atomic::{AtomicBool, Ordering};

use tilebase::puzzle::{Board, Goal, Size};

use crate::Result;

/// The goal that was asked for, or else the usual one of each board.
pub(crate) struct Goals {
    asked: Option<Goal>,
    /// The note about files of the n-puzzle exercise has been written.
    is_noted: AtomicBool,
}

impl Goals {
    pub(crate) fn new(asked: Option<Goal>) -> Goals {
        Goals { asked, is_noted: AtomicBool::new(false) }
    }

    /// The goal of a board that has a line with its size before its rows, or has none.
    pub(crate) fn of(&self, has_size_line: bool, size: Size) -> Result<Board> {
        let usual = Goal::usual(has_size_line);
        Ok(self.asked.as_ref().unwrap_or(&usual).board(size)?)
    }

    /// Whether the form in which a board was written decides its goal, and this is not the default.
    pub(crate) fn is_of_exercise(&self, has_size_line: bool) -> bool {
        self.asked.is_none() && has_size_line
    }

    /// The note to write the first time the form of a file decides the goal.
    pub(crate) fn note(&self, has_size_line: bool) -> Option<&'static str> {
        let is_first = self.is_of_exercise(has_size_line) && !self.is_noted.swap(true, Ordering::Relaxed);
        is_first.then_some(
            "the goal is the spiral (--goal snail), because a line with the size marks a file of the n-puzzle exercise; \
             add --goal blank-last for the usual goal",
        )
    }

    /// What to do about a board that cannot reach its goal, and why.
    pub(crate) fn unsolvable(&self, board: &Board, goal: &Board) -> String {
        let is_goal = |named: &Goal| named.board(board.size()).is_ok_and(|named| named == *goal);
        let name = Goal::NAMED.iter().find(|named| is_goal(named)).and_then(Goal::name).unwrap_or("this goal");
        let add = if self.asked.is_some() { "use" } else { "add" };
        match board.reachable_goals().first() {
            Some(other) => {
                format!(
                    "{add} --goal {other}, or check the tiles: two that are swapped look the same. This board cannot reach {name}, \
                     but it can reach {other}."
                )
            }
            None => format!("check its tiles. This board can reach neither {name} nor any other usual goal."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_asked_for_always_wins_and_the_note_is_written_once() {
        let size = Size::new(3, 3).unwrap();
        let board = |goal: Goal| goal.board(size).unwrap();
        let asked = Goals::new(Some(Goal::BlankFirst));
        assert_eq!(asked.of(true, size).unwrap(), board(Goal::BlankFirst));
        assert_eq!(asked.note(true), None);
        let usual = Goals::new(None);
        assert_eq!(usual.of(false, size).unwrap(), board(Goal::BlankLast));
        assert_eq!(usual.note(false), None);
        assert_eq!(usual.of(true, size).unwrap(), board(Goal::Snail));
        assert!(usual.note(true).is_some() && usual.note(true).is_none());
    }
}
