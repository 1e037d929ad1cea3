//! `tilebase moves invert`

use clap::Args;
use serde_json::json;

use super::GivenSequences;
use crate::{Result, Session};

/// Undo a sequence of moves
///
/// The answer leads from where the moves end back to where they began.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # gives RD3L2
  tilebase moves invert R2U3L
  # counts 3 moves instead of 6
  tilebase moves invert --json --metric mtm R2U3L
  # gives 7 8 12
  tilebase moves invert --moves tiles \"12 8 7\"
  tilebase moves invert --moves tiles --to tile \\
    --board \"1 2 3 / 4 0 6 / 7 5 8\" \"5 8\"")]
pub(crate) struct Invert {
    #[command(flatten)]
    given: GivenSequences,
}

impl Invert {
    pub(crate) fn run(&self, session: &Session) -> Result {
        self.given.for_each(session, |sequence, form, start| {
            let end = start.map(|start| sequence.slides(start).map(|slides| start.replay(&slides))).transpose()?;
            let end = end.map(|end| end.expect("the moves have been looked at"));
            let moves = self.given.form.write(&sequence.inverse(), form, end.as_ref())?;
            let metric = self.given.counted.metric;
            let length = sequence.length(metric, start)?;
            Ok((json!({ "moves": moves, "length": length, "metric": metric.to_string() }), moves))
        })
    }
}
