//! The command `tilebase`: pattern databases for sliding-tile puzzles, built, looked up and used to solve.
//!
//! `options` is what several commands have in common, `commands` has a file for each, and the rest serves them: where boards come
//! from (`input`), where answers go (`session`), how solvers are opened (`solvers`), what is shown while they search (`life`).
//!
//! It is a library, so that the Python package offers the same command, and so that programs beside it (`crates/cluster`) have the same options
//! and speak as it does.

mod algorithm;
pub mod bars;
pub mod builds;
mod commands;
mod drawing;
#[cfg(test)]
mod examples;
pub mod failure;
mod goals;
pub mod input;
pub mod interrupt;
pub mod life;
pub mod limits;
mod lines;
pub mod options;
#[cfg(feature = "plot")]
mod picture;
mod process;
mod sequence;
pub mod session;
pub mod solvers;
pub mod system;
mod wrap;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};

use commands::Command;
use failure::{Exit, Failure, Result};
use options::Common;
use session::Session;
use tilebase::lookup::install_truncation_handler;
use tilebase::progress::threads::tell_of_shortage;

/// Shortest solutions of sliding-tile puzzles, and the pattern databases behind them.
///
/// Boards are written row by row: "1 2 3 / 4 5 6 / 7 8 0". The blank is 0 or _. Every command explains itself:
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

impl Cli {
    /// Reads a command line. Names of choices are accepted in any case.
    fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let matches = in_any_case(Cli::command()).try_get_matches_from(words)?;
        Cli::from_arg_matches(&matches)
    }
}

fn in_any_case(command: clap::Command) -> clap::Command {
    let with_value = |option: clap::Arg| {
        let takes_values = option.get_action().takes_values();
        option.ignore_case(takes_values)
    };
    command.mut_args(with_value).mut_subcommands(in_any_case)
}

/// Runs the command with the words of a command line, the first of which is the program's name, and returns its exit code. It speaks
/// through stdout and stderr, and from then on Ctrl-C and the signal `SIGBUS` are its own: for programs that are nothing but the command.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(mut refused) => {
            shorten(&mut refused);
            // Nobody may be there to read it.
            let _ = refused.print();
            return refused.exit_code() as u8;
        }
    };
    let session = Session::new(cli.common);
    interrupt::install();
    install_truncation_handler();
    if !session.common.quiet {
        tell_of_shortage(|shortage| eprintln!("note: {shortage}"));
    }
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
    exit.code()
}

/// The most characters of a word that a message repeats.
const MOST_QUOTED: usize = 60;

/// Cuts long words of the command line short where a message about them repeats them.
fn shorten(refused: &mut clap::Error) {
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(word)) = refused.get(kind)
            && let Some((end, _)) = word.char_indices().nth(MOST_QUOTED)
        {
            let short = format!("{}…", &word[..end]);
            refused.insert(kind, ContextValue::String(short));
            // What clap suggests repeats it whole.
            refused.insert(ContextKind::Suggested, ContextValue::None);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};
    use tilebase::Random;

    use super::*;

    /// Values that options may be given, right and wrong; each is also changed a little.
    const VALUES: [&str; 32] = [
        "",
        "0",
        "1",
        "-1",
        "3x4",
        "9x9",
        "0x0",
        "1e9",
        "1.5",
        "81/19",
        "1/0",
        "inf",
        "nan",
        "10s",
        "5%",
        "2GB",
        "99999999999999999999",
        "auto",
        "none",
        "7-8",
        "manhattan",
        "astar",
        "ida",
        "snail",
        "1 2 3 / 4 5 6 / 7 8 0",
        ".AA/BAA/BBB",
        "R2U3L",
        "/",
        "-",
        "--",
        "ü→\u{7}",
        "1,2,5",
    ];

    fn one<T: Clone>(random: &mut Random, choices: &[T]) -> T {
        choices[random.below(choices.len() as u64) as usize].clone()
    }

    /// A value, or one with a character exchanged, doubled or left out.
    fn value(random: &mut Random) -> String {
        let times = if random.below(20) == 0 { 1000 } else { 1 };
        let mut letters: Vec<char> = one(random, &VALUES).repeat(times).chars().collect();
        if !letters.is_empty() && random.below(2) == 0 {
            let at = random.below(letters.len() as u64) as usize;
            match random.below(3) {
                0 => letters[at] = char::from(random.below(128) as u8),
                1 => letters.insert(at, letters[at]),
                _ => _ = letters.remove(at),
            }
        }
        letters.into_iter().collect()
    }

    /// Words for a command: names of subcommands, options that they have, values for them.
    fn arguments(mut command: &Command, random: &mut Random) -> Vec<String> {
        let mut words = vec!["tilebase".to_owned()];
        while command.has_subcommands() {
            let commands: Vec<&Command> = command.get_subcommands().collect();
            command = one(random, &commands);
            words.push(command.get_name().to_owned());
        }
        let options: Vec<String> =
            command.get_opts().filter_map(|option| Some(format!("--{}", option.get_long()?))).collect();
        for _ in 0..random.below(5) {
            if !options.is_empty() && random.below(3) > 0 {
                words.push(one(random, &options));
            }
            words.push(value(random));
        }
        words
    }

    #[test]
    fn whatever_stands_on_the_command_line_is_read_or_refused_in_a_few_lines() {
        let runs = std::env::var("TILEBASE_COMMAND_LINES").map_or(3000, |runs| runs.parse().unwrap());
        let mut command = Cli::command();
        command.build();
        let mut random = Random::new(17);
        let mut read = 0;
        for _ in 0..runs {
            let words = arguments(&command, &mut random);
            match Cli::read(words.iter().map(OsString::from)) {
                Ok(_) => read += 1,
                Err(mut refused) if refused.use_stderr() => {
                    shorten(&mut refused);
                    let said = refused.to_string();
                    assert!(said.len() < 2500 && !said.contains('\u{7}'), "{words:?}: {said}");
                }
                Err(_help) => {}
            }
        }
        assert!(read > runs / 50, "{read} of {runs} make sense");
    }
}
