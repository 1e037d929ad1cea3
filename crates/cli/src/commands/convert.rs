//! `tilebase convert`

use clap::Args;
use serde_json::{Map, json};
use tilebase::puzzle::{Board, Frame, Goal};

use crate::input::{self, Given};
use crate::options::{BoardOptions, NotationOptions};
use crate::{Exit, Failure, Result, Session};

/// Write boards in another notation, or for another goal
///
/// With --to-goal, the board becomes the one that stands to the new goal as the old one stands to the old: turned and
/// relabelled, it has the same solutions, up to the directions. That is possible when both goals have their blank on
/// squares that a turn or reflection of the board can bring together, such as two corners.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase convert --rows flat --separator comma \"1 2 3 / 4 5 6 / 7 8 0\"
  tilebase convert --goal blank-first --to-goal blank-last \\
    \"0 2 1 / 3 4 5 / 6 7 8\"
  # as slidysim wants it: 1 2 3/4 5 6/7 8 0
  tilebase convert --rows tight \"1 2 3 / 4 5 6 / 7 8 0\"
  tilebase convert --blank _ --rows lines boards.txt")]
pub(crate) struct Convert {
    /// Boards, such as "1 2 3 / 4 5 6 / 7 8 0" or 1 2 3 4 5 6 7 8 0, or files of boards; none or - for stdin
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    /// The goal to write boards for: any that --goal takes [default: leave labels as they are]
    #[arg(long, value_name = "GOAL")]
    to_goal: Option<String>,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Convert {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let goals = self.board_options.goals()?;
        let to_goal = self.to_goal.as_ref().map(|text| Goal::parse(text, self.board_options.size)).transpose()?;
        let mut writer = self.notation.writer(session);
        let mut exit = Exit::Done;
        for Given { place, board, has_size_line } in input::boards(&self.boards, self.board_options.size)?.boards {
            let converted = board.map_err(Failure::new).and_then(|board| match &to_goal {
                None => Ok(board),
                Some(to_goal) => {
                    if let Some(note) = goals.note(has_size_line) {
                        session.note(note);
                    }
                    for_goal(&board, &goals.of(has_size_line, board.size())?, to_goal)
                }
            });
            match converted {
                Ok(board) => {
                    let text = writer.write(&board);
                    let keys = [("board", json!(text)), ("size", json!(board.size().to_string()))];
                    session.tell(
                        place.json(keys.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()),
                        text,
                    )?;
                }
                Err(failure) => {
                    exit = exit.max(failure.exit);
                    let json = place.json(Map::from_iter([("error".to_owned(), json!(failure.to_string()))]));
                    session.refuse(json, format!("{}{failure}", place.label()))?;
                }
            }
        }
        Ok(exit)
    }
}

/// The board that stands to one goal as another stands to another.
fn for_goal(board: &Board, goal: &Board, to_goal: &Goal) -> Result<Board> {
    let (from, to) = (Frame::new(goal), Frame::new(&to_goal.board(board.size())?));
    if from.home() != to.home() {
        return Err(Failure::new(format!(
            "no turn or reflection brings the blank's square in goal {goal} to that in goal {to_goal}"
        )));
    }
    Ok(to.board(&from.see(board)?))
}
