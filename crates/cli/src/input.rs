//! Where boards come from: the command line, files, or stdin.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use tilebase::puzzle::{Board, Boards, ParseError, ReadError, Size};

use crate::{Failure, Result};

/// A board that was given, or why it is none.
pub(crate) struct Given {
    pub(crate) place: Place,
    pub(crate) board: Result<Board, String>,
}

/// Where a board was given.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its number on the command line, or the line where it begins; from 1.
    id: usize,
    /// The file with that line; none for stdin.
    file: Option<Arc<str>>,
    /// There is no other board.
    is_alone: bool,
}

impl Place {
    /// What to write before an answer, so that it is clear which board it is about: nothing when there is only one.
    pub(crate) fn label(&self) -> String {
        match &self.file {
            _ if self.is_alone => String::new(),
            Some(file) => format!("{file}:{}: ", self.id),
            None => format!("{}: ", self.id),
        }
    }

    /// An answer about the board, where that was given first.
    pub(crate) fn json(&self, answer: Map<String, Value>) -> Value {
        let id = ("id".to_owned(), self.id.into());
        let file = self.file.as_ref().map(|file| ("file".to_owned(), Value::from(&**file)));
        Value::Object(std::iter::once(id).chain(file).chain(answer).collect())
    }
}

/// The boards that were given.
pub(crate) struct Input {
    pub(crate) boards: Box<dyn Iterator<Item = Given> + Send>,
    /// Whether there is only one.
    pub(crate) is_single: bool,
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
pub(crate) fn boards(arguments: &[String], size: Option<Size>) -> Result<Input> {
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
    let is_board = |text: &str| Board::parse(text, size).is_ok();
    if arguments.len() > 1 && !arguments.iter().any(|argument| is_board(argument)) {
        if arguments.iter().all(|argument| is_word_of_board(argument)) {
            return vec![Source::Text(1, arguments.join(" "))];
        }
        let rows = arguments.join("\n");
        if is_board(&rows) {
            return vec![Source::Text(1, rows)];
        }
    }
    let source = |(id, argument): (usize, &String)| match &**argument {
        "-" => Source::Stdin,
        name if !is_board(name) && Path::new(name).exists() => Source::File(name.into()),
        text => Source::Text(id, text.to_owned()),
    };
    (1..).zip(arguments).map(source).collect()
}

/// Whether an argument is a part of a board that was not quoted: a tile, a sign between rows, or both.
fn is_word_of_board(argument: &str) -> bool {
    let is_of_board = |character: char| character.is_ascii_digit() || "_.x,/;|[](){}".contains(character);
    !argument.is_empty() && argument.chars().all(is_of_board)
}

impl Source {
    fn boards(self, size: Option<Size>) -> Box<dyn Iterator<Item = Given> + Send> {
        match self {
            Source::Text(id, text) => {
                let board = Board::parse(&text, size).map_err(|error| not_a_board(&text, &error));
                Box::new(std::iter::once(Given { place: Place { id, file: None, is_alone: false }, board }))
            }
            Source::Stdin => Box::new(read(BufReader::new(io::stdin()), None, size)),
            Source::File(path) => {
                let name: Arc<str> = path.display().to_string().into();
                match File::open(&path) {
                    Ok(file) => Box::new(read(BufReader::new(file), Some(name), size)),
                    Err(error) => {
                        let board = Err(format!("the file cannot be read: {error}"));
                        let place = Place { id: 1, file: Some(name), is_alone: false };
                        Box::new(std::iter::once(Given { place, board }))
                    }
                }
            }
        }
    }
}

/// Why a text is no board. Perhaps it was meant to be a file's name.
fn not_a_board(text: &str, error: &ParseError) -> String {
    let is_name =
        matches!(error, ParseError::NotANumber { row: 0, column: 0, .. }) && !text.contains(char::is_whitespace);
    if is_name { format!("{error}; and no file has this name") } else { error.to_string() }
}

/// The boards in a file, or on stdin.
fn read(input: impl BufRead + Send, file: Option<Arc<str>>, size: Option<Size>) -> impl Iterator<Item = Given> + Send {
    let mut boards = Boards::new(input, size);
    let mut is_empty = true;
    let name = if file.is_some() { "the file" } else { "stdin" };
    std::iter::from_fn(move || {
        let (id, board) = match boards.next() {
            Some(read) => (
                read.line,
                read.board.map_err(|error| match error {
                    ReadError::Unreadable(error) => format!("{name} cannot be read: {error}"),
                    error => error.to_string(),
                }),
            ),
            None if is_empty => (
                1,
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
        Some(Given { place: Place { id, file: file.clone(), is_alone: false }, board })
    })
}
