//! Where boards come from: the command line, files, or stdin.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use tilebase::puzzle::{Board, Boards, ParseError, ReadError, Size, has_size_line, quoted};

use crate::{Failure, Result};

/// A board that was given, or why it is none.
pub struct Given {
    /// Where it was given.
    pub place: Place,
    /// The board, or why it is none.
    pub board: Result<Board, String>,
    /// Whether the length of a side stands on a line before its rows, as the n-puzzle exercise's files have it.
    pub has_size_line: bool,
}

/// Where a board was given.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its number on the command line, or the line where it begins; from 1.
    id: usize,
    /// The file with that line; none for stdin.
    file: Option<Arc<str>>,
    /// There is no other board.
    is_alone: bool,
}

impl Place {
    /// What to write before an answer, so that it is clear which board it is about: nothing when there is only one.
    pub fn label(&self) -> String {
        match &self.file {
            _ if self.is_alone => String::new(),
            Some(file) => format!("{file}:{}: ", self.id),
            None => format!("{}: ", self.id),
        }
    }

    /// An answer about the board, where that was given first.
    pub fn json(&self, answer: Map<String, Value>) -> Value {
        let id = ("id".to_owned(), self.id.into());
        let file = self.file.as_ref().map(|file| ("file".to_owned(), Value::from(&**file)));
        Value::Object(std::iter::once(id).chain(file).chain(answer).collect())
    }
}

/// The boards that were given.
pub struct Input {
    /// The boards, one after the other.
    pub boards: Box<dyn Iterator<Item = Given> + Send>,
    /// Whether there is only one.
    pub is_single: bool,
}

/// Where some boards are.
enum Source {
    /// This is one, or is meant to be.
    Text(usize, String),
    File(PathBuf),
    Stdin,
}

/// The boards given on the command line, and in files that are named there; without any, those on stdin, which is also called `-`.
/// They are read as they are asked for. A file or stdin without any board is a mistake like any other.
pub fn boards(arguments: &[String], size: Option<Size>) -> Result<Input> {
    if arguments.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::new(
            "no board was given: write one, such as \"1 2 3 / 4 5 6 / 7 8 0\", name a file of boards, or send boards to stdin",
        ));
    }
    let mut sources = sources(arguments, size);
    match &sources[..] {
        [Source::Text(..)] => {
            let boards = sources.into_iter().flat_map(move |source| source.boards(size));
            Ok(Input { boards: Box::new(boards.map(alone)), is_single: true })
        }
        // An ordinary file is there as a whole, so that we can look whether it has another board.
        [Source::File(path)] if path.is_file() => {
            let mut boards = sources.remove(0).boards(size);
            let first_two: Vec<Given> = boards.by_ref().take(2).collect();
            let is_single = matches!(&first_two[..], [only] if only.board.is_ok());
            let rest = first_two.into_iter().chain(boards);
            let boards: Box<dyn Iterator<Item = Given> + Send> =
                if is_single { Box::new(rest.map(alone)) } else { Box::new(rest) };
            Ok(Input { boards, is_single })
        }
        _ => {
            let boards = sources.into_iter().flat_map(move |source| source.boards(size));
            Ok(Input { boards: Box::new(boards), is_single: false })
        }
    }
}

fn alone(given: Given) -> Given {
    Given { place: Place { is_alone: true, ..given.place }, ..given }
}

/// What each argument is. Several that are no boards by themselves may be the tiles of one, or its rows.
fn sources(arguments: &[String], size: Option<Size>) -> Vec<Source> {
    if arguments.is_empty() {
        return vec![Source::Stdin];
    }
    let is_board = |text: &str| Board::parse_argument(text, size).is_ok();
    let may_be_one = arguments.len() > 1 && !arguments.iter().any(|argument| is_board(argument) || is_file(argument));
    let mut together = [arguments.join(" "), arguments.join("\n")];
    // Arguments with white space in them are rows.
    if !arguments.iter().all(|argument| is_word_of_board(argument)) {
        together.reverse();
    }
    if let Some(text) = together.into_iter().filter(|_| may_be_one).find(|text| is_board(text)) {
        return vec![Source::Text(1, text)];
    }
    let mut sources: Vec<Source> = Vec::new();
    // Words that were not quoted belong together: a mistake in one of them is one mistake.
    let mut is_open = false;
    for (id, argument) in (1..).zip(arguments) {
        // A file that is called as a board may be written is that file.
        let is_whole = is_board(argument) && !(is_single_word(argument) && Path::new(argument).exists());
        let is_word = !is_whole && argument != "-" && !argument.contains(char::is_whitespace);
        let is_tile = is_word && is_word_of_board(argument);
        let is_name = !is_whole && (!is_tile || arguments.len() == 1);
        let names_a_file = is_name && Path::new(argument).exists();
        let goes_on = is_open && is_word && !names_a_file;
        is_open = goes_on || is_tile;
        if goes_on && let Some(Source::Text(_, text)) = sources.last_mut() {
            text.push(' ');
            text.push_str(argument);
        } else if argument == "-" {
            sources.push(Source::Stdin);
        } else if names_a_file {
            sources.push(Source::File(argument.into()));
        } else {
            sources.push(Source::Text(id, argument.clone()));
        }
    }
    sources
}

/// The only board that was given, in any of these ways, and whether it has a line with its size.
#[cfg(feature = "plot")]
pub(crate) fn one_board(arguments: &[String], size: Option<Size>) -> Result<(Board, bool)> {
    let mut boards = boards(arguments, size)?.boards;
    let given = boards.next().expect("an input without boards is reported as an error");
    let board = given.board.map_err(Failure::new)?;
    match boards.next() {
        Some(_) => Err(Failure::new("several boards were given: expected one")),
        None => Ok((board, given.has_size_line)),
    }
}

/// A board and what stands behind it. Where the board was not quoted, it has as many words as can be.
pub(crate) fn board_and_rest(arguments: &[String], size: Option<Size>) -> (String, &[String]) {
    let is_board = |words: usize| Board::parse_argument(&arguments[..words].join(" "), size).is_ok();
    let is_quoted = arguments.first().is_some_and(|first| first.contains(char::is_whitespace)) && is_board(1);
    let tiles = arguments.iter().take_while(|word| is_word_of_board(word)).count();
    let words = if is_quoted { 1 } else { (1..=tiles).rev().find(|&words| is_board(words)).unwrap_or(1) };
    let words = words.min(arguments.len());
    (arguments[..words].join(" "), &arguments[words..])
}

/// Whether an argument is a part of a board that was not quoted: a tile, a sign between rows, or both.
fn is_word_of_board(argument: &str) -> bool {
    let is_of_board = |character: char| character.is_ascii_digit() || "_.x*,/;|[](){}".contains(character);
    !argument.is_empty() && argument.chars().all(is_of_board)
}

/// Whether an argument names a file, and is no part of a board that was not quoted.
fn is_file(argument: &str) -> bool {
    !is_word_of_board(argument) && argument != "-" && Path::new(argument).exists()
}

/// Whether an argument has nothing that separates tiles.
fn is_single_word(argument: &str) -> bool {
    !argument.contains(|character: char| character.is_whitespace() || ",/;|[](){}<>\"".contains(character))
}

impl Source {
    fn boards(self, size: Option<Size>) -> Box<dyn Iterator<Item = Given> + Send> {
        match self {
            Source::Text(id, text) => {
                let board = Board::parse_argument(&text, size).map_err(|error| not_a_board(&text, &error));
                let place = Place { id, file: None, is_alone: false };
                Box::new(std::iter::once(Given { place, board, has_size_line: has_size_line(&text) }))
            }
            Source::Stdin => Box::new(read(BufReader::new(io::stdin()), None, size)),
            Source::File(path) => {
                let name: Arc<str> = path.display().to_string().into();
                match File::open(&path) {
                    Ok(file) => Box::new(read(BufReader::new(file), Some(name), size)),
                    Err(error) => {
                        let board = Err(format!("the file cannot be read: {error}"));
                        let place = Place { id: 1, file: Some(name), is_alone: false };
                        Box::new(std::iter::once(Given { place, board, has_size_line: false }))
                    }
                }
            }
        }
    }
}

/// Why a text is no board. Perhaps it was meant to be a file's name.
fn not_a_board(text: &str, error: &ParseError) -> String {
    let ParseError::NotANumber { token, .. } = error else { return error.to_string() };
    let has_extension = text.rsplit_once('.').is_some_and(|(_, last)| last.starts_with(|c: char| c.is_alphabetic()));
    let is_path = text.starts_with(['/', '.', '~', '\\']) || has_extension;
    if text.contains(char::is_whitespace) || token != text && !is_path {
        return error.to_string();
    }
    format!(
        "no file is called {}, and it is not a board: expected a file of boards, or tiles such as \"1 2 3 / 4 5 6 / 7 8 0\"",
        quoted(text)
    )
}

/// The boards in a file, or on stdin.
fn read(input: impl BufRead + Send, file: Option<Arc<str>>, size: Option<Size>) -> impl Iterator<Item = Given> + Send {
    let mut boards = Boards::new(input, size);
    let mut is_empty = true;
    let name = if file.is_some() { "the file" } else { "stdin" };
    std::iter::from_fn(move || {
        let (id, has_size_line, board) = match boards.next() {
            Some(read) => (
                read.line,
                read.has_size_line,
                read.board.map_err(|error| match error {
                    ReadError::Unreadable(error) => format!("{name} cannot be read: {error}"),
                    error => error.to_string(),
                }),
            ),
            None if is_empty => (
                1,
                false,
                Err(format!(
                    "there is no board {}: expected some, such as 1 2 3 / 4 5 6 / 7 8 0",
                    match &file {
                        Some(_) => "in the file",
                        None => "on stdin",
                    }
                )),
            ),
            None => return None,
        };
        is_empty = false;
        Some(Given { place: Place { id, file: file.clone(), is_alone: false }, board, has_size_line })
    })
}
