//! `tilebase moves apply`

use clap::Args;
use serde_json::json;

use super::GivenMoves;
use crate::options::{MetricOption, NotationOptions};
use crate::{Exit, Result, Session};

/// Make moves on a board, and write the board that they lead to
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves apply \"1 2 3 / 4 0 6 / 7 5 8\" UL
  tilebase moves apply --moves tiles \"1 2 3 / 4 0 6 / 7 5 8\" \"5 8\"")]
pub(crate) struct Apply {
    #[command(flatten)]
    given: GivenMoves,
    #[command(flatten)]
    counted: MetricOption,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Apply {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let (board, slides, _) = self.given.read()?;
        let end = board.replay(&slides).expect("the moves have been looked at");
        let text = self.notation.notation().write(&end);
        let metric = self.counted.metric;
        let json = json!({ "board": text, "length": metric.length(&slides), "metric": metric.to_string() });
        session.tell(json, &text)?;
        Ok(Exit::Done)
    }
}
