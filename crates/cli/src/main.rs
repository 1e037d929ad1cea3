//! The command `tilebase`: pattern databases for sliding-tile puzzles, built, looked up and used to solve.
//!
//! `options` is what several commands have in common, `commands` has a file for each, and the rest serves them: where boards come
//! from (`input`), where answers go (`session`), how solvers are opened (`solvers`).

mod algorithm;
mod bars;
mod builds;
mod commands;
mod drawing;
mod failure;
mod input;
mod interrupt;
mod options;
#[cfg(feature = "plot")]
mod picture;
mod sequence;
mod session;
mod solvers;
mod system;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use failure::{Exit, Failure, Result};
use options::Common;
use session::Session;

/// Shortest solutions of sliding-tile puzzles, and the pattern databases behind them.
///
/// Boards are written row by row: "1 2 3 / 4 5 6 / 7 8 0". The blank is 0, _, . or x. Every command explains itself:
/// tilebase solve --help.
#[derive(Parser, Debug)]
#[command(name = "tilebase", version, max_term_width = 100)]
#[command(after_help = "\
Examples:
  tilebase solve \"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\"
  tilebase scramble --seed 1 | tilebase solve
  tilebase show \"1 2 3 / 4 5 6 / 8 7 0\"
  tilebase generate 7-8

Exit codes: 0 done, 1 a negative answer (unsolvable, a check failed), 2 wrong usage or input,
3 a limit was reached, 130 interrupted.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let session = Session::new(cli.common);
    interrupt::install();
    if cli.command.is_parallel() {
        session.use_threads();
    }
    let exit = cli.command.run(&session).unwrap_or_else(|failure| {
        if failure.exit != Exit::Done {
            if session.json {
                // Nobody may be there to read it, and there is an error to report already.
                let _ = session.answer(serde_json::json!({ "error": failure.to_string() }));
            }
            session.error(&failure);
        }
        failure.exit
    });
    exit.code().into()
}
