//! Options that several commands have.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tilebase::lookup::{Loading, Mapping, Store, directory_of_environment, user_directory};
use tilebase::puzzle::{Blank, Goal, Notation, Rows, Separator, Size};

use crate::failure::Failure;

/// More threads than any machine of today has cores for; each costs memory.
const MOST_THREADS: i64 = 1024;

/// Options of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Answer in JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing but the answer: no notes, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Threads to use [default: one for each core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Where tables are looked for first, and where new ones go [env: `TILEBASE_TABLES`] [default: the user's cache directory]
    #[arg(long, global = true, value_name = "DIR")]
    table_dir: Option<PathBuf>,
    /// Colours: always, never, or auto: on a terminal when `NO_COLOR` is not set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl Common {
    /// How many threads to use.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    /// Makes work that is spread over rayon's threads use as many as were asked for. For commands that have such work: it
    /// takes a moment.
    pub(crate) fn use_threads(&self) {
        use_threads(self.threads());
    }

    /// The directory asked for on the command line or in the environment, where an empty value means none.
    fn table_dir(&self) -> Option<PathBuf> {
        self.table_dir.clone().or_else(directory_of_environment)
    }

    /// Where tables are looked for. They are mapped.
    pub(crate) fn store(&self) -> Store {
        let mut directories: Vec<PathBuf> = self.table_dir().into_iter().chain(user_directory()).collect();
        directories.dedup();
        Store::new(directories).with_loading(Loading::Map(mapping()))
    }

    /// Where new tables go.
    pub(crate) fn new_tables(&self) -> Result<PathBuf, Failure> {
        let no_home =
            || Failure::new("there is no home directory to keep tables in: give a directory with --table-dir");
        self.table_dir().or_else(user_directory).ok_or_else(no_home)
    }
}

/// The program's promise that tables can be mapped.
#[allow(unsafe_code)]
pub(crate) fn mapping() -> Mapping {
    // SAFETY: whatever this program puts into a directory of tables is renamed into its place when it is complete, and never
    // changed there; docs/tables.md asks the same of whoever else puts files there.
    unsafe { Mapping::promised() }
}

/// Sets how many threads rayon has, unless it has been set before.
pub(crate) fn use_threads(threads: usize) {
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
}

/// How many threads can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Reads a time.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("\"{text}\" is not a time: expected seconds, for example 10 or 0.5"))
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options of commands that read boards.
#[derive(Args, Debug)]
pub(crate) struct BoardOptions {
    /// Board size, width x height: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<Size>,
    /// What to reach: blank-last, blank-first (Korf's), snail, or a board
    #[arg(long, default_value = "blank-last")]
    pub(crate) goal: String,
}

impl BoardOptions {
    /// The goal.
    pub(crate) fn goal(&self) -> Result<Goal, Failure> {
        Goal::parse(&self.goal, self.size).map_err(Failure::new)
    }
}

/// Options of commands that print boards.
#[derive(Args, Debug)]
pub(crate) struct NotationOptions {
    /// How rows are told apart
    #[arg(long, default_value = "slashes", value_name = "HOW")]
    rows: RowsOption,
    /// What stands between tiles
    #[arg(long, default_value = "space", value_name = "WHAT")]
    separator: SeparatorOption,
    /// How the blank is written: 0, _, ., x, or n for the number of squares
    #[arg(long, default_value = "0", value_name = "SIGN")]
    blank: BlankOption,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RowsOption {
    /// 1 2 3 / 4 5 6 / 7 8 0
    Slashes,
    /// A line for each row
    Lines,
    /// 1 2 3 4 5 6 7 8 0
    Flat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SeparatorOption {
    /// 1 2 3
    Space,
    /// 1,2,3
    Comma,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BlankOption {
    #[value(name = "0")]
    Zero,
    #[value(name = "_")]
    Underscore,
    #[value(name = ".")]
    Dot,
    #[value(name = "x")]
    X,
    #[value(name = "n")]
    Largest,
}

impl NotationOptions {
    /// The notation to print boards in.
    pub(crate) fn notation(&self) -> Notation {
        Notation::new(
            match self.rows {
                RowsOption::Slashes => Rows::Slashes,
                RowsOption::Lines => Rows::Lines,
                RowsOption::Flat => Rows::Flat,
            },
            match self.separator {
                SeparatorOption::Space => Separator::Space,
                SeparatorOption::Comma => Separator::Comma,
            },
            match self.blank {
                BlankOption::Zero => Blank::Zero,
                BlankOption::Underscore => Blank::Underscore,
                BlankOption::Dot => Blank::Dot,
                BlankOption::X => Blank::X,
                BlankOption::Largest => Blank::Largest,
            },
        )
    }
}
