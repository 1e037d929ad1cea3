//! Where boards come from: the command line, or stdin, a board a line.

use std::io::{self, BufRead, IsTerminal, Read};

use tilebase::puzzle::{Board, Size, quoted};

use crate::{Failure, Result};

/// The most bytes of a line: some hundred times what the longest board has.
const MOST_BYTES: usize = 1 << 16;

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
    let mut stdin = io::BufReader::new(io::stdin());
    let mut lines = (1..).zip(std::iter::from_fn(move || read_line(&mut stdin).transpose()).map(Some).chain([None]));
    let (mut any, mut ended) = (false, false);
    Ok(Box::new(std::iter::from_fn(move || {
        while !ended {
            let (id, line) = lines.next()?;
            let board = match line {
                Some(Ok(line)) if line.len() > MOST_BYTES => {
                    let start = quoted(&String::from_utf8_lossy(&line));
                    Err(format!("the line has more than {MOST_BYTES} bytes, which no board has: {start}"))
                }
                Some(Ok(line)) => match String::from_utf8(line) {
                    Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => continue,
                    Ok(text) => read(&text),
                    Err(_) => Err("the line is not text (not UTF-8)".to_owned()),
                },
                Some(Err(error)) => {
                    ended = true;
                    Err(format!("stdin cannot be read: {error}"))
                }
                None if any => break,
                None => {
                    Err("there is no board on stdin: expected one a line, such as 1 2 3 / 4 5 6 / 7 8 0".to_owned())
                }
            };
            any = true;
            return Some(Given { id, board });
        }
        None
    })))
}

/// The next line, without its end; of one with more than [`MOST_BYTES`] so many and one. `None` when there are no more.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MOST_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

fn reads_stdin(arguments: &[String]) -> bool {
    arguments.is_empty() || arguments == ["-"]
}

/// What to write before an answer, so that it is clear which board it is about: nothing when there is only one.
pub(crate) fn label(arguments: &[String], id: usize) -> String {
    if arguments.len() == 1 && !reads_stdin(arguments) { String::new() } else { format!("{id}: ") }
}
