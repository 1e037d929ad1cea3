//! `tilebase moves simplify`

use clap::Args;
use serde_json::json;

use super::GivenSequences;
use crate::{Result, Session};

/// Leave out moves that undo each other
///
/// The answer leads where the moves lead. What goes on in the same line becomes one slide of several tiles. Detours of other kinds
/// stay; tilebase moves optimise finds them. With --json the answer tells how many moves there are, and how many there were.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # gives R
  tilebase moves simplify R2UDL
  # gives R, one move
  tilebase moves simplify --json --metric mtm LR2
  # gives 12 7
  tilebase moves simplify --moves tiles \"12 8 8 7\"")]
pub(crate) struct Simplify {
    #[command(flatten)]
    given: GivenSequences,
}

impl Simplify {
    pub(crate) fn run(&self, session: &Session) -> Result {
        self.given.for_each(session, |sequence, form, start| {
            let simplified = sequence.simplified();
            let moves = self.given.form.write(&simplified, form, start)?;
            let metric = self.given.counted.metric;
            let (length, before) = (simplified.length(metric, start)?, sequence.length(metric, start)?);
            Ok((json!({ "moves": moves, "length": length, "before": before, "metric": metric.to_string() }), moves))
        })
    }
}
