//! Where boards come from: the command line, or stdin, a board a line.

use std::io::{self, BufRead, IsTerminal};

use tilebase_puzzle::{Board, Size};

use crate::failure::Failure;

/// A board that was given, or why it is none.
pub(crate) struct Given {
    /// Its number on the command line, or its line on stdin; from 1.
    pub(crate) id: usize,
    /// The board.
    pub(crate) board: Result<Board, String>,
}

/// The boards given on the command line; without any, or with `-`, those on stdin, read as they are asked for. Empty lines
/// and lines that start with `#` are skipped.
pub(crate) fn boards(
    arguments: &[String],
    size: Option<Size>,
) -> Result<Box<dyn Iterator<Item = Given> + Send + '_>, Failure> {
    let read = move |(id, text): (usize, &str)| Given {
        id,
        board: Board::parse(text, size).map_err(|error| error.to_string()),
    };
    if !arguments.is_empty() && arguments != ["-"] {
        return Ok(Box::new((1..).zip(arguments.iter().map(String::as_str)).map(read)));
    }
    if arguments.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::new(
            "no board was given: write one, such as \"1 2 3 / 4 5 6 / 7 8 0\", or send boards to stdin, one a line",
        ));
    }
    let lines = io::BufReader::new(io::stdin()).split(b'\n');
    let given = (1..).zip(lines).filter_map(move |(id, line)| {
        let text = match line.map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => return Some(Given { id, board: Err("the line is not text (not UTF-8)".to_owned()) }),
            Err(error) => return Some(Given { id, board: Err(format!("stdin cannot be read: {error}")) }),
        };
        let skipped = text.trim().is_empty() || text.trim_start().starts_with('#');
        (!skipped).then(|| read((id, &text)))
    });
    Ok(Box::new(given))
}
