//! `tilebase moves optimise`

use clap::Args;
use serde_json::json;
use tilebase::progress::Event;
use tilebase::{Metric, shorten};

use super::{GivenMoves, moves_text};
use crate::options::MetricOption;
use crate::session::counted;
use crate::{Exit, Result, Session, bars, interrupt};

/// Make a solution shorter, piece by piece
///
/// Moves that undo each other are left out, and every piece of --window moves is replaced by a shortest way between its ends,
/// until no piece gets shorter. The moves end at the same board as before, which need not be the goal, and never get more. Larger
/// windows find more and take longer. This helps where solve takes too long, as on 5x5; it does not prove that no solution is
/// shorter.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase moves optimise \"1 2 3 / 4 5 6 / 7 0 8\" DLURDLURDLURL
  tilebase moves optimise --window 60 --moves tiles \\
    \"1 2 3 / 4 0 6 / 7 5 8\" \"4 4 5 8\"")]
pub(crate) struct Optimise {
    #[command(flatten)]
    given: GivenMoves,
    #[command(flatten)]
    counting: MetricOption,
    /// Moves of a piece [default: 40; in mtm 14]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=200))]
    window: Option<u16>,
}

impl Optimise {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let (board, slides, form) = self.given.read()?;
        let metric = self.counting.metric;
        let window = self.window.unwrap_or(if metric == Metric::Mtm { 14 } else { 40 });
        interrupt::stop_when_asked();
        let shortened = bars::watched(session, |watch| {
            let what = format!("shortening {}", counted(metric.length(&slides).into(), "move"));
            let _ = watch(&Event::Begin { what: &what, total: 0 });
            shorten(&board, &slides, metric, window.into(), watch)
        })?;
        let (before, length) = (shortened.before, shortened.after);
        let moves = form.write(&shortened.slides, &board)?;
        let json = json!({
            "board": board.to_string(), "moves": moves, "metric": metric.to_string(), "length": length, "before": before,
            "window": window,
            "replaced": shortened.replaced, "undecided": shortened.undecided,
        });
        session.tell(json, moves_text(length as usize, &moves))?;
        session.note(match before - length {
            0 => format!("no piece of {window} moves gets shorter"),
            less => format!("{} before, {less} fewer now", counted(before.into(), "move")),
        });
        if shortened.undecided > 0 {
            let pieces = counted(shortened.undecided as u64, "piece");
            session.note(format!("of {pieces} it is not known: the search took too long; a smaller --window may do"));
        }
        if shortened.is_stopped {
            session.note("interrupted: there may be pieces left that get shorter");
            return Ok(Exit::Interrupted);
        }
        Ok(Exit::Done)
    }
}
