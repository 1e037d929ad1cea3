//! `tilebase moves simplify`

use clap::Args;
use serde_json::json;

use super::{FormOptions, StartOptions, for_each};
use crate::{Result, Session};

/// Leave out moves that undo each other
///
/// The answer leads where the moves lead. Detours of other kinds stay; tilebase moves optimise finds them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves simplify R2UDL                    R
  tilebase moves simplify --moves tiles \"12 8 8 7\" 12 7")]
pub(crate) struct Simplify {
    /// Sequences of moves; none or - for stdin, one a line
    #[arg(value_name = "MOVES")]
    sequences: Vec<String>,
    #[command(flatten)]
    form: FormOptions,
    #[command(flatten)]
    start: StartOptions,
}

impl Simplify {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let start = self.start.read()?;
        for_each(&self.sequences, session, |text| {
            let (sequence, form) = self.form.read(text)?;
            start.map(|start| sequence.slides(&start)).transpose()?;
            let simplified = sequence.simplified();
            let moves = self.form.write(&simplified, form, start.as_ref())?;
            Ok((json!({ "moves": moves, "length": simplified.len(), "before": sequence.len() }), moves))
        })
    }
}
