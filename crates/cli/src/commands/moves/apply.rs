//! `tilebase moves apply`

use clap::Args;
use serde_json::json;
use tilebase::puzzle::{MoveForm, Size};

use super::board_and_moves;
use crate::options::NotationOptions;
use crate::{Exit, Result, Session};

/// Make moves on a board, and write the board that they lead to
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves apply \"1 2 3 / 4 0 6 / 7 5 8\" UL
  tilebase moves apply --moves tiles \"1 2 3 / 4 0 6 / 7 5 8\" \"5 8\"")]
pub(crate) struct Apply {
    /// A board and moves, such as "1 2 3 / 4 5 6 / 7 0 8" L
    #[arg(value_name = "BOARD MOVES", required = true)]
    given: Vec<String>,
    /// Board size, width x height: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// How moves are written: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows [default: as
    /// they look; letters are directions of tiles]
    #[arg(long, value_name = "FORM")]
    moves: Option<MoveForm>,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Apply {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let (board, slides, _) = board_and_moves(&self.given, self.size, self.moves)?;
        let end = board.replay(&slides).expect("the moves have been looked at");
        let text = self.notation.notation().write(&end);
        session.tell(json!({ "board": text, "length": slides.len() }), &text)?;
        Ok(Exit::Done)
    }
}
