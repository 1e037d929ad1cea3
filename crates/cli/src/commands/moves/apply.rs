//! `tilebase moves apply`

use clap::Args;
use serde_json::json;
use tilebase::puzzle::{Board, MoveForm, Size};

use crate::options::NotationOptions;
use crate::{Exit, Result, Session};

/// Make moves on a board, and write the board that they lead to
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves apply \"1 2 3 / 4 0 6 / 7 5 8\" UL
  tilebase moves apply --moves tiles \"1 2 3 / 4 0 6 / 7 5 8\" \"5 8\"")]
pub(crate) struct Apply {
    /// The board, such as "1 2 3 / 4 5 6 / 7 8 0"
    #[arg(value_name = "BOARD")]
    board: String,
    /// The moves
    #[arg(value_name = "MOVES")]
    sequence: String,
    /// Board size, width x height: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// How moves are written: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows
    #[arg(long, value_name = "FORM", default_value_t = MoveForm::Tile)]
    moves: MoveForm,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Apply {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let board = Board::parse(&self.board, self.size)?;
        let slides = self.moves.parse(&self.sequence, &board)?;
        let end = board.replay(&slides).expect("the moves have been looked at");
        let text = self.notation.notation().write(&end);
        session.tell(json!({ "board": text, "length": slides.len() }), &text)?;
        Ok(Exit::Done)
    }
}
