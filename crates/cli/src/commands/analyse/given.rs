//! Where solutions come from: the command line, or stdin, a solution a line.

use std::io::{self, IsTerminal};

use serde_json::Value;
use tilebase::puzzle::{Board, Size, quoted};

use crate::{Failure, Result, lines};

/// A solution that was given, or why it is none.
pub(super) struct Given {
    /// Its line on stdin, from 1.
    pub(super) id: usize,
    pub(super) solution: Result<Text, String>,
}

/// A board and moves, as they were written.
pub(super) struct Text {
    pub(super) board: String,
    pub(super) moves: String,
}

/// The solution on the command line; without one, or with `-`, those on stdin, read as they are asked for.
pub(super) fn solutions(
    board: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn Iterator<Item = Given> + Send + 'static>> {
    match board {
        Some(board) if board != "-" => {
            if moves.is_empty() {
                let message = "no moves were given: write them behind the board, such as R2U3L, or \"\" for none";
                return Err(Failure::new(message));
            }
            let solution = Text { board: board.to_owned(), moves: moves.join(" ") };
            Ok(Box::new(std::iter::once(Given { id: 1, solution: Ok(solution) })))
        }
        None if io::stdin().is_terminal() => Err(Failure::new(
            "no solution was given: write a board and moves, such as \"1 2 3 / 4 5 6 / 7 0 8\" L, or send them to stdin, one a \
             line with a tab between board and moves",
        )),
        _ => {
            let nothing =
                "there is no solution on stdin: expected one a line, a board and moves with a tab between them";
            let given = lines::of_stdin("solution", nothing, read);
            Ok(Box::new(given.map(|(id, solution)| Given { id, solution })))
        }
    }
}

/// Reads a board, whose size may be given.
pub(super) fn board(text: &str, size: Option<Size>) -> Result<Board, String> {
    Board::parse(text, size).map_err(|error| error.to_string())
}

/// Reads a line: a board and moves with a tab between them, or JSON with both. Tabs may stand between tiles as well.
fn read(line: &str) -> Result<Text, String> {
    if line.trim_start().starts_with('{') {
        return read_json(line);
    }
    match line.rsplit_once('\t') {
        Some((board, moves)) => Ok(Text { board: board.to_owned(), moves: moves.to_owned() }),
        None => {
            Err(format!("expected a board and moves with a tab between them, found no tab in {}", quoted(line.trim())))
        }
    }
}

fn read_json(line: &str) -> Result<Text, String> {
    let object: Value = serde_json::from_str(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    let text = |key: &str| {
        let value = object.get(key).and_then(Value::as_str).map(str::to_owned);
        value.ok_or_else(|| format!("expected an object with board and moves, both text, found none called {key}"))
    };
    Ok(Text { board: text("board")?, moves: text("moves")? })
}
