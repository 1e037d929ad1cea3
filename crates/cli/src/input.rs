//! Where boards come from: the command line, or stdin, a board a line.

use std::io::{self, IsTerminal};

use tilebase::puzzle::{Board, Size};

use crate::{Failure, Result, lines};

/// A board that was given, or why it is none.
pub(crate) struct Given {
    /// Its number on the command line, or its line on stdin; from 1.
    pub(crate) id: usize,
    pub(crate) board: Result<Board, String>,
}

/// The boards given on the command line; without any, or with `-`, those on stdin, read as they are asked for. Empty lines
/// and lines that start with `#` are skipped; no board at all is a mistake like any other.
pub(crate) fn boards(arguments: &[String], size: Option<Size>) -> Result<Box<dyn Iterator<Item = Given> + Send + '_>> {
    let read = move |text: &str| Board::parse(text, size).map_err(|error| error.to_string());
    if !reads_stdin(arguments) {
        return Ok(Box::new((1..).zip(arguments).map(move |(id, text)| Given { id, board: read(text) })));
    }
    if arguments.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::new(
            "no board was given: write one, such as \"1 2 3 / 4 5 6 / 7 8 0\", or send boards to stdin, one a line",
        ));
    }
    let nothing = "there is no board on stdin: expected one a line, such as 1 2 3 / 4 5 6 / 7 8 0";
    Ok(Box::new(lines::of_stdin("board", nothing, read).map(|(id, board)| Given { id, board })))
}

fn reads_stdin(arguments: &[String]) -> bool {
    arguments.is_empty() || arguments == ["-"]
}

/// What to write before an answer, so that it is clear which board it is about: nothing when there is only one.
pub(crate) fn label(arguments: &[String], id: usize) -> String {
    if arguments.len() == 1 && !reads_stdin(arguments) { String::new() } else { format!("{id}: ") }
}
