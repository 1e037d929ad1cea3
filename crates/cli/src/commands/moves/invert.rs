//! `tilebase moves invert`

use clap::Args;
use serde_json::json;

use super::{FormOptions, StartOptions, for_each};
use crate::{Result, Session};

/// Undo a sequence of moves
///
/// The answer leads from where the moves end back to where they began.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves invert R2U3L                      RD3L2
  tilebase moves invert --moves tiles \"12 8 7\"     7 8 12
  tilebase moves invert --moves tiles --to tile --board \"1 2 3 / 4 0 6 / 7 5 8\" \"5 8\"")]
pub(crate) struct Invert {
    /// Sequences of moves; none or - for stdin, one a line
    #[arg(value_name = "MOVES")]
    sequences: Vec<String>,
    #[command(flatten)]
    form: FormOptions,
    #[command(flatten)]
    start: StartOptions,
}

impl Invert {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let start = self.start.read()?;
        for_each(&self.sequences, session, |text| {
            let (sequence, form) = self.form.read(text)?;
            let end = start.map(|start| sequence.slides(&start).map(|slides| start.replay(&slides))).transpose()?;
            let end = end.map(|end| end.expect("the moves have been looked at"));
            let moves = self.form.write(&sequence.inverse(), form, end.as_ref())?;
            Ok((json!({ "moves": moves, "length": sequence.len() }), moves))
        })
    }
}
