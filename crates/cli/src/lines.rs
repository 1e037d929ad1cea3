//! Files and stdin, read line by line as lines are asked for.

use std::io::{self, BufRead, Read};

use tilebase::puzzle::quoted;

/// The most bytes of a line: some hundred times what the longest board has.
const MOST_BYTES: usize = 1 << 16;

/// What a function reads from each line, or why it cannot, with the line's number from 1. Empty lines and lines that start with
/// `#` are skipped. An input without lines is an error, like any other: there is no `what` in `source`, and a line is `expected` to be
/// something else.
pub(crate) fn of<T>(
    mut input: impl BufRead,
    source: &'static str,
    what: &'static str,
    expected: &'static str,
    read: impl Fn(&str) -> Result<T, String>,
) -> impl Iterator<Item = (usize, Result<T, String>)> {
    let mut lines = (1..).zip(std::iter::from_fn(move || read_line(&mut input).transpose()).map(Some).chain([None]));
    let (mut any, mut ended) = (false, false);
    std::iter::from_fn(move || {
        while !ended {
            let (id, line) = lines.next()?;
            let item = match line {
                Some(Ok(line)) if line.len() > MOST_BYTES => {
                    let start = quoted(&String::from_utf8_lossy(&line));
                    Err(format!("the line has more than {MOST_BYTES} bytes, which no {what} has: {start}"))
                }
                Some(Ok(line)) => match String::from_utf8(line) {
                    Ok(text) if text.trim().is_empty() || text.trim_start().starts_with('#') => continue,
                    Ok(text) => read(text.trim_start_matches('\u{feff}')),
                    Err(_) => Err("the line is not text (not UTF-8)".to_owned()),
                },
                Some(Err(error)) => {
                    ended = true;
                    Err(format!("{source} cannot be read: {error}"))
                }
                None if any => break,
                None => Err(format!("there is no {what} {}: expected {expected}", place_of(source))),
            };
            any = true;
            return Some((id, item));
        }
        None
    })
}

/// Where something is missing: on stdin, or in a file.
fn place_of(source: &str) -> String {
    let preposition = if source == "stdin" { "on" } else { "in" };
    format!("{preposition} {source}")
}

/// The next line, without its end; of one with more than [`MOST_BYTES`] this many and one. `None` when there are no more.
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
