//! `tilebase moves optimise`

use clap::Args;
use serde_json::json;
use tilebase::progress::Event;
use tilebase::shorten;

use super::{GivenMoves, moves_text};
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
  tilebase moves optimise --window 60 --moves tiles \"$BOARD\" \"$MOVES\"")]
pub(crate) struct Optimise {
    #[command(flatten)]
    given: GivenMoves,
    /// Moves of a piece
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(3..=200))]
    window: u16,
}

impl Optimise {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let (board, slides, form) = self.given.read()?;
        interrupt::stop_when_asked();
        let shortened = bars::watched(session, |watch| {
            let what = format!("shortening {}", counted(slides.len() as u64, "move"));
            let _ = watch(&Event::Begin { what: &what, total: 0 });
            shorten(&board, &slides, self.window.into(), watch)
        })?;
        let (before, length) = (shortened.before, shortened.slides.len());
        let moves = form.write(&shortened.slides, &board)?;
        let json = json!({
            "board": board.to_string(), "moves": moves, "length": length, "before": before, "window": self.window,
            "replaced": shortened.replaced, "undecided": shortened.undecided,
        });
        session.tell(json, moves_text(length, &moves))?;
        session.note(match before - length {
            0 => format!("no piece of {} moves gets shorter", self.window),
            less => format!("{} before, {less} fewer now", counted(before as u64, "move")),
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
