//! `tilebase moves`

mod apply;
mod concat;
mod invert;
mod optimise;
mod simplify;

use std::io::{self, IsTerminal};

use clap::Args;
use serde_json::{Value, json};
use tilebase::puzzle::{Board, Direction, MoveForm, Sequence, Size};

use crate::options::MetricOption;
use crate::session::counted;
use crate::{Exit, Failure, Result, Session, input, lines};

super::commands! {
    /// Undo, simplify, join, make and shorten sequences of moves
    ///
    /// Moves are letters for the directions in which tiles slide (R2U3L), or with --moves the blank's directions, the numbers of
    /// the tiles, or arrows. Most of it needs no board.
    #[command(after_help = "\
Examples:
  tilebase moves invert R2U3L
  tilebase moves apply \"1 2 3 / 4 0 6 / 7 5 8\" UL")]
    Moves:
    invert::Invert,
    simplify::Simplify,
    concat::Concat,
    apply::Apply,
    optimise::Optimise,
}

/// How moves are written.
#[derive(Args, Debug)]
struct FormOptions {
    /// How moves are written: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows [default: as
    /// they look; letters are directions of tiles]
    #[arg(long, value_name = "FORM")]
    moves: Option<MoveForm>,
    /// Write the answer in another form; between tiles and directions that needs the board
    #[arg(long, value_name = "FORM")]
    to: Option<MoveForm>,
}

impl FormOptions {
    /// Moves, and the form in which they are written.
    fn read(&self, text: &str) -> Result<(Sequence, MoveForm)> {
        let form = self.moves.unwrap_or_else(|| MoveForm::detect(text));
        Ok((Sequence::parse(text, form)?, form))
    }

    /// Writes moves that are made on a board, or on one that nobody has told, as they were written if nothing else is wanted.
    fn write(&self, sequence: &Sequence, form: MoveForm, start: Option<&Board>) -> Result<String> {
        let form = self.to.unwrap_or(form);
        Ok(match start {
            Some(start) => form.write(&sequence.slides(start)?, start)?,
            None => sequence.write(form)?,
        })
    }
}

/// The board that moves are made on, where it may be missing.
#[derive(Args, Debug)]
struct StartOptions {
    /// The board that the moves are made on: they are refused if that cannot be
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    /// Board size, width x height: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH", requires = "board")]
    size: Option<Size>,
}

impl StartOptions {
    fn read(&self) -> Result<Option<Board>> {
        Ok(self.board.as_ref().map(|board| Board::parse_argument(board, self.size)).transpose()?)
    }
}

/// A board and moves that are given behind each other.
#[derive(Args, Debug)]
struct GivenMoves {
    /// A board and moves, such as "1 2 3 / 4 5 6 / 7 0 8" L
    #[arg(value_name = "BOARD MOVES", required = true)]
    given: Vec<String>,
    /// Board size, width x height: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// How moves are written: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows [default: as
    /// they look; letters are directions of tiles]
    #[arg(long, value_name = "FORM")]
    moves: Option<MoveForm>,
}

impl GivenMoves {
    /// The board, the moves, and the form in which they are written.
    fn read(&self) -> Result<(Board, Vec<Direction>, MoveForm)> {
        let (board, moves) = input::board_and_rest(&self.given, self.size);
        let board = Board::parse_argument(&board, self.size)?;
        if moves.is_empty() {
            let message = "no moves were given: write them behind the board, such as R2U3L, or \"\" for none";
            return Err(Failure::new(message));
        }
        let moves = moves.join(" ");
        let form = self.moves.unwrap_or_else(|| MoveForm::detect(&moves));
        Ok((board, form.parse(&moves, &board)?, form))
    }
}

/// Sequences of moves, and the board that they are made on, where it is told.
#[derive(Args, Debug)]
struct GivenSequences {
    /// Sequences of moves; none or - for stdin, one a line
    #[arg(value_name = "MOVES")]
    sequences: Vec<String>,
    #[command(flatten)]
    form: FormOptions,
    #[command(flatten)]
    start: StartOptions,
    #[command(flatten)]
    counted: MetricOption,
}

impl GivenSequences {
    /// Answers for each sequence. Where the board is known, the moves can be made on it.
    fn for_each(
        &self,
        session: &Session,
        answer: impl Fn(&Sequence, MoveForm, Option<&Board>) -> Result<(Value, String)>,
    ) -> Result {
        let start = self.start.read()?;
        for_each(&self.sequences, session, |text| {
            let (sequence, form) = self.form.read(text)?;
            start.map(|start| sequence.slides(&start)).transpose()?;
            answer(&sequence, form, start.as_ref())
        })
    }
}

/// Answers for each sequence that was given as an argument or, without any, on a line of stdin. What is wrong with one keeps nobody
/// from the next.
fn for_each(arguments: &[String], session: &Session, answer: impl Fn(&str) -> Result<(Value, String)>) -> Result {
    let from_stdin = arguments.is_empty() || arguments == ["-"];
    if arguments.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::new(
            "no moves were given: write some, such as R2U3L, or send them to stdin, one sequence a line",
        ));
    }
    let mut exit = Exit::Done;
    let mut tell = |id: usize, text: Result<&str>| -> Result<()> {
        match text.and_then(&answer) {
            Ok((json, text)) => session.tell(json, text)?,
            Err(failure) => {
                exit = exit.max(failure.exit);
                let label = if arguments.len() == 1 && !from_stdin { String::new() } else { format!("{id}: ") };
                session.refuse(json!({ "id": id, "error": failure.to_string() }), format!("{label}{failure}"))?;
            }
        }
        Ok(())
    };
    if from_stdin {
        let expected = "one a line, such as R2U3L";
        for (id, line) in lines::of(io::BufReader::new(io::stdin()), "stdin", "sequence of moves", expected, |line| {
            Ok(line.to_owned())
        }) {
            tell(id, line.as_deref().map_err(|why| Failure::new(why.clone())))?;
        }
    } else {
        for (id, text) in (1..).zip(arguments) {
            tell(id, Ok(text))?;
        }
    }
    Ok(exit)
}

/// Moves for people: how many, and which.
fn moves_text(length: usize, moves: &str) -> String {
    let count = counted(length as u64, "move");
    if length == 0 { count } else { format!("{count}: {moves}") }
}
