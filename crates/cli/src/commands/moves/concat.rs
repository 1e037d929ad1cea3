//! `tilebase moves concat`

use clap::Args;
use serde_json::json;
use tilebase::puzzle::Sequence;

use super::{FormOptions, StartOptions};
use crate::options::MetricOption;
use crate::{Exit, Result, Session};

/// Put sequences of moves behind each other
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # gives R3U3L
  tilebase moves concat R2 RU3 L
  # gives 12 8 7
  tilebase moves concat --moves tiles \"12 8\" \"7\"")]
pub(crate) struct Concat {
    /// Sequences of moves
    #[arg(value_name = "MOVES", required = true)]
    sequences: Vec<String>,
    #[command(flatten)]
    form: FormOptions,
    #[command(flatten)]
    start: StartOptions,
    #[command(flatten)]
    counted: MetricOption,
}

impl Concat {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let start = self.start.read()?;
        // The first that has any moves says how they are written.
        let first = self.sequences.iter().position(|text| !text.trim().is_empty()).unwrap_or(0);
        let (mut whole, form) = self.form.read(&self.sequences[first])?;
        for text in &self.sequences[first + 1..] {
            whole = whole.then(Sequence::parse(text, form)?)?;
        }
        let moves = self.form.write(&whole, form, start.as_ref())?;
        let metric = self.counted.metric;
        let length = whole.length(metric, start.as_ref())?;
        session.tell(json!({ "moves": moves, "length": length, "metric": metric.to_string() }), &moves)?;
        Ok(Exit::Done)
    }
}
