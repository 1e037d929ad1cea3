//! The command at work: the options that it has in common with others, and its way to speak. Answers go to stdout, everything
//! else to stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use terminal_size::{Width, terminal_size_of};
use tilebase::TableSource;
use tilebase::lookup::{Store, directory_of_environment, user_directory};
use tilebase::progress::threads::{spawn, start_pool};

use crate::options::{Color, Common};
use crate::{Failure, Result, process, wrap};

/// A number with what it counts: 1 move, 2 moves.
pub fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A number of bytes: 4.6 kB.
pub fn bytes(bytes: u64) -> impl fmt::Display {
    ByteSize(bytes).display().si()
}

/// A command at work.
#[derive(Debug)]
pub struct Session {
    /// Whether answers are JSON.
    pub json: bool,
    /// The options.
    pub common: Common,
    color_answers: bool,
    color_notes: bool,
    /// How many columns the terminal has that answers go to, if they go to one.
    columns: Option<usize>,
}

impl Session {
    /// A command with these options.
    pub fn new(common: Common) -> Session {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = |is_terminal: bool| match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !no_color,
        };
        Session {
            json: common.json,
            color_answers: color(io::stdout().is_terminal()) && !common.json,
            color_notes: color(io::stderr().is_terminal()),
            columns: terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into()),
            common,
        }
    }

    /// How many threads to use: as many as were asked for, or one for each core.
    pub fn threads(&self) -> usize {
        self.common.threads.map_or_else(cores, usize::from)
    }

    /// Makes work that is spread over rayon's threads use as many as were asked for, unless that has been set before. For commands
    /// that have such work: it takes a moment.
    pub(crate) fn use_threads(&self) {
        start_pool(self.threads());
    }

    /// The directory asked for on the command line or in the environment, where an empty value means none.
    fn table_dir(&self) -> Option<PathBuf> {
        self.common.table_dir.clone().or_else(directory_of_environment)
    }

    /// Where tables are looked for. They are mapped, but for small ones, and it is remembered which have been verified.
    #[allow(unsafe_code)]
    pub fn store(&self) -> Store {
        // SAFETY: whatever this program puts into a directory of tables is renamed into its place when it is complete, and never
        // changed there; docs/tables.md asks the same of everything else that puts files there.
        unsafe { Store::of_program(self.common.table_dir.clone()) }
    }

    /// The same store, which may also map tables in a directory that it does not search: where new tables go.
    #[allow(unsafe_code)]
    pub(crate) fn store_with(&self, directory: &Path) -> Store {
        // SAFETY: the directory is one of tables, as in `store`.
        unsafe { self.store().allow_mapping([directory.to_owned()]) }
    }

    /// Where tables come from: from there, or they are built.
    pub fn source(&self) -> TableSource {
        self.source_of(self.store())
    }

    /// The same, with the tables of another store.
    pub(crate) fn source_of(&self, store: Store) -> TableSource {
        TableSource::new(store).with_threads(self.threads()).trusting(self.common.trust)
    }

    /// Where new tables go: into the directory that the command was given, or among the others.
    pub fn new_tables(&self, out: Option<&Path>) -> Result<PathBuf> {
        let directory = out.map(Path::to_owned).or_else(|| self.table_dir()).or_else(user_directory);
        directory.ok_or_else(|| {
            Failure::new("there is no home directory to keep tables in: give a directory with --table-dir")
        })
    }

    /// An answer, whoever reads it: a line or several.
    pub fn answer(&self, text: impl fmt::Display) -> io::Result<()> {
        if process::has_no_stdout() {
            return Err(io::Error::new(io::ErrorKind::NotConnected, "stdout is closed"));
        }
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    /// An answer: a line for programs, or text for people.
    pub fn tell(&self, json: Value, text: impl fmt::Display) -> io::Result<()> {
        if self.json { self.answer(json) } else { self.answer(text) }
    }

    /// Why there is no answer: a line for programs, or an error for people.
    pub(crate) fn refuse(&self, json: Value, why: impl fmt::Display) -> io::Result<()> {
        if self.json {
            return self.answer(json);
        }
        self.error(why);
        Ok(())
    }

    /// A remark that is not part of the answer.
    pub fn note(&self, text: impl fmt::Display) {
        if !self.common.quiet {
            self.to_stderr(None, text);
        }
    }

    /// Something that went wrong without ending the command.
    pub fn warning(&self, text: impl fmt::Display) {
        self.to_stderr(Some(("warning:", AnsiColor::Yellow)), text);
    }

    /// Why the command does not do what it was asked.
    pub fn error(&self, text: impl fmt::Display) {
        self.to_stderr(Some(("error:", AnsiColor::Red)), text);
    }

    /// A text for the answer in a style, where colours are wanted and there is something to see.
    pub(crate) fn styled(&self, text: impl fmt::Display, style: Style) -> String {
        let text = text.to_string();
        if self.color_answers && !text.trim().is_empty() { format!("{style}{text}{style:#}") } else { text }
    }

    /// A line of the answer, broken where the terminal ends; what follows is indented. Answers that go elsewhere are not broken.
    pub(crate) fn wrapped(&self, line: &str, indent: usize) -> String {
        wrap::wrapped(line, self.columns, indent)
    }

    /// A bar on stderr that shows how far something is, if stderr is a terminal and notes are wanted.
    pub(crate) fn progress_bar(&self, total: u64, template: &str) -> ProgressBar {
        let target = if self.common.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        ProgressBar::with_draw_target(Some(total), target).with_style(bar_style(template))
    }

    /// Redraws a visible bar at an interval, even while nothing happens, on a thread of its own; not at all where that thread cannot
    /// start. (`enable_steady_tick` panics there, and starts a thread for hidden bars too.)
    pub(crate) fn keep_drawing(bar: &ProgressBar, interval: Duration) {
        if bar.is_hidden() {
            return;
        }
        let bar = bar.downgrade();
        let draw = move || {
            loop {
                thread::sleep(interval);
                match bar.upgrade() {
                    Some(bar) if !bar.is_finished() => bar.tick(),
                    _ => return,
                }
            }
        };
        // Without it the bar is drawn when something happens.
        let _ = spawn("bar", draw);
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

/// How a bar looks.
pub(crate) fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("our templates are right").progress_chars("━╸ ")
}

/// How many threads can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
