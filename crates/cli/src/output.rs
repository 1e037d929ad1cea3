//! Where answers, notes and errors go: answers to stdout, everything else to stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};

use crate::options::{Color, Common};

/// A number with what it counts: 1 move, 2 moves.
pub(crate) fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// An answer about one of several boards, its number first.
pub(crate) fn numbered(id: usize, answer: Map<String, Value>) -> Value {
    Value::Object(std::iter::once(("id".to_owned(), id.into())).chain(answer).collect())
}

/// The command's way to speak.
#[derive(Debug)]
pub(crate) struct Output {
    /// Whether answers are JSON.
    pub(crate) json: bool,
    quiet: bool,
    color_answers: bool,
    color_notes: bool,
}

impl Output {
    pub(crate) fn new(common: &Common) -> Output {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = |is_terminal: bool| match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !no_color,
        };
        Output {
            json: common.json,
            quiet: common.quiet,
            color_answers: color(io::stdout().is_terminal()) && !common.json,
            color_notes: color(io::stderr().is_terminal()),
        }
    }

    /// An answer for people: a line or several.
    #[expect(clippy::unused_self, reason = "all that is said goes through the same door")]
    pub(crate) fn answer(&self, text: impl fmt::Display) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    /// An answer for programs: a line.
    pub(crate) fn json(&self, value: &Value) -> io::Result<()> {
        self.answer(value)
    }

    /// A remark that is not part of the answer.
    pub(crate) fn note(&self, text: impl fmt::Display) {
        if !self.quiet {
            self.to_stderr(None, text);
        }
    }

    /// Something that went wrong without ending the command.
    pub(crate) fn warning(&self, text: impl fmt::Display) {
        self.to_stderr(Some(("warning:", AnsiColor::Yellow)), text);
    }

    /// Something that went wrong.
    pub(crate) fn error(&self, text: impl fmt::Display) {
        self.to_stderr(Some(("error:", AnsiColor::Red)), text);
    }

    /// A text for the answer in a style, where colours are wanted.
    pub(crate) fn styled(&self, text: impl fmt::Display, style: Style) -> String {
        if self.color_answers { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// A bar on stderr that shows how far something is, if stderr is a terminal and notes are wanted.
    pub(crate) fn progress_bar(&self, total: u64, template: &str) -> ProgressBar {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template(template).expect("our templates are right");
        ProgressBar::with_draw_target(Some(total), target).with_style(style.progress_chars("━╸ "))
    }

    /// Nobody is there to be told when stderr is closed, so its errors are of no interest.
    fn to_stderr(&self, prefix: Option<(&str, AnsiColor)>, text: impl fmt::Display) {
        let mut stderr = io::stderr().lock();
        let _ = match prefix {
            Some((prefix, color)) if self.color_notes => {
                let style = color.on_default().bold();
                writeln!(stderr, "{style}{prefix}{style:#} {text}")
            }
            Some((prefix, _)) => writeln!(stderr, "{prefix} {text}"),
            None => writeln!(stderr, "{text}"),
        };
    }
}
