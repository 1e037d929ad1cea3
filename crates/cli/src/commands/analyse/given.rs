//! Where solutions come from: the command line, or a file or stdin, a solution a line.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::path::Path;

use serde_json::Value;
use tilebase::puzzle::{Board, Size, quoted};

use crate::{Failure, Result, input, lines};

/// A solution that was given, or why it is none.
pub(super) struct Given {
    /// Its line, from 1.
    pub(super) id: usize,
    pub(super) solution: Result<Text, String>,
}

/// A board and moves, as they were written.
pub(super) struct Text {
    pub(super) board: String,
    pub(super) moves: String,
    /// Whether they are arguments.
    pub(super) is_argument: bool,
}

/// The file that is named instead of a board and moves.
pub(super) fn file(arguments: &[String]) -> Option<&Path> {
    let [only] = arguments else { return None };
    Some(Path::new(only)).filter(|path| path.is_file())
}

/// The solution on the command line, those in a file, or those on stdin, read as they are asked for.
pub(super) fn solutions(
    arguments: &[String],
    size: Option<Size>,
) -> Result<Box<dyn Iterator<Item = Given> + Send + 'static>> {
    const EXPECTED: &str = "one a line, a board and moves with a tab between them";
    let numbered = |(id, solution)| Given { id, solution };
    if let Some(path) = file(arguments) {
        let file =
            File::open(path).map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
        return Ok(Box::new(lines::of(BufReader::new(file), "the file", "solution", EXPECTED, read).map(numbered)));
    }
    match arguments.first() {
        Some(first) if first != "-" => {
            let (board, moves) = input::board_and_rest(arguments, size);
            if moves.is_empty() {
                let message = "no moves were given: write them after the board, such as R2U3L, or \"\" for none; for many \
                               solutions name a file";
                return Err(Failure::new(message));
            }
            let solution = Text { board, moves: moves.join(" "), is_argument: true };
            Ok(Box::new(std::iter::once(Given { id: 1, solution: Ok(solution) })))
        }
        None if io::stdin().is_terminal() => Err(Failure::new(
            "no solution was given: write a board and moves, such as \"1 2 3 / 4 5 6 / 7 0 8\" L, or send them to stdin, one a \
             line with a tab between board and moves",
        )),
        _ => {
            let stdin = BufReader::new(io::stdin());
            Ok(Box::new(lines::of(stdin, "stdin", "solution", EXPECTED, read).map(numbered)))
        }
    }
}

impl Text {
    /// Reads the board, whose size may be given.
    pub(super) fn board(&self, size: Option<Size>) -> Result<Board, String> {
        let read = if self.is_argument { Board::parse_argument } else { Board::parse };
        read(&self.board, size).map_err(|error| error.to_string())
    }
}

/// Reads a line: a board and moves with a tab between them, or JSON with both. Tabs may stand between tiles as well.
fn read(line: &str) -> Result<Text, String> {
    if line.trim_start().starts_with('{') {
        return read_json(line);
    }
    match line.rsplit_once('\t') {
        Some((board, moves)) => Ok(Text { board: board.to_owned(), moves: moves.to_owned(), is_argument: false }),
        None => {
            Err(format!("expected a board and moves with a tab between them, found no tab in {}", quoted(line.trim())))
        }
    }
}

fn read_json(line: &str) -> Result<Text, String> {
    let object: Value = serde_json::from_str(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    if let Some(error) = object.get("error").and_then(Value::as_str) {
        return Err(format!("the line tells an error: {}", quoted(error)));
    }
    // What is no text is read as it is written: arrays are boards, too.
    let text = |key: &str| match object.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(value) => Ok(value.to_string()),
        None if key == "moves" && object.get("solvable") == Some(&Value::Bool(false)) => Ok(String::new()),
        None => Err(format!("expected an object with board and moves, found none called {key}")),
    };
    Ok(Text { board: text("board")?, moves: text("moves")?, is_argument: false })
}
