//! Options that several commands have.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tilebase::puzzle::{Blank, Board, Goal, Metric, Notation, Rows, Separator, Size, forms, quoted};
use tilebase::{Search, Tables};

use crate::goals::Goals;
use crate::{Result, Session};

/// More threads than any machine of today has cores for; each costs memory.
const MOST_THREADS: i64 = 1024;

/// Options of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Answer in JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but the answer: no notes, no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to use, or as many as the system allows [default: one for each core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Where tables are looked for first, and where new ones go [env: `TILEBASE_TABLES`] [default: the user's cache directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub table_dir: Option<PathBuf>,
    /// Believe tables that have not been verified; without it every byte of a file is read when it is used for the first time
    #[arg(long, global = true)]
    pub trust: bool,
    /// Colours: always, never, or auto: on a terminal when `NO_COLOR` is not set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Reads one of some names, each with what it means; `--help` shows what is said about them.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let choice = |(name, help, chosen): (&'static str, &'static str, T)| {
        let value = PossibleValue::new(name).aliases(forms::aliases_of(name));
        (if help.is_empty() { value } else { value.help(help) }, chosen)
    };
    let choices: Vec<(PossibleValue, T)> = choices.into_iter().map(choice).collect();
    let values: Vec<_> = choices.iter().map(|(value, _)| value.clone()).collect();
    PossibleValuesParser::new(values).map(move |typed| {
        let chosen = choices.iter().find(|(value, _)| value.matches(&typed, true));
        chosen.expect("only these names are accepted").1.clone()
    })
}

/// Options of commands that read boards.
#[derive(Args, Debug)]
pub struct BoardOptions {
    /// Board size, width x height, or one side of a square: needed only for rectangles written without rows
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// What to reach: blank-last, blank-first (Korf's), snail (the spiral), blank-top-right, blank-bottom-left, or a board
    /// [default: blank-last; snail for n-puzzle files, which have the length of a side on a line before the rows]
    #[arg(long)]
    goal: Option<String>,
}

impl BoardOptions {
    /// The goal of boards that have no size before their rows.
    pub fn goal(&self) -> Result<Goal> {
        Ok(self.asked()?.unwrap_or_default())
    }

    /// The goal of every board.
    pub(crate) fn goals(&self) -> Result<Goals> {
        Ok(Goals::new(self.asked()?))
    }

    fn asked(&self) -> Result<Option<Goal>> {
        Ok(self.goal.as_ref().map(|goal| Goal::parse(goal, self.size)).transpose()?)
    }
}

/// The option of commands that count moves.
#[derive(Args, Clone, Copy, Debug)]
pub struct MetricOption {
    /// What counts as one move: stm (a single tile) or mtm (one or several tiles in a line)
    #[arg(long, value_name = "METRIC", default_value_t = Metric::Stm)]
    pub metric: Metric,
}

/// Options of commands that search by tables or heuristics. In mtm costs of tables are compared, not added, and `none` is walking distance.
#[derive(Args, Debug)]
pub struct BoundOptions {
    /// Tables to use: auto (the strongest there are that fit into memory), a catalogue such as 7-8, several such as 5-5-5+6-6-3, or none;
    /// in mtm the largest of a catalogue's tables counts, and all:1,2,3,4,5,6,7 is that of some tiles
    #[arg(long, value_name = "NAME", default_value = "auto")]
    tables: String,
    /// Heuristics to use instead of tables, the largest of several with + between them, such as linear-conflict (or lc) or
    /// walking-distance+5-5-5; tables that count all moves are all:fringe or all:3,7,11; "tilebase show BOARD" lists them
    #[arg(long, value_name = "NAME", conflicts_with = "tables")]
    heuristic: Option<String>,
}

impl BoundOptions {
    /// Whether anything was asked for.
    pub(crate) fn is_chosen(&self) -> bool {
        self.heuristic.is_some() || self.tables != "auto"
    }

    /// Where the bounds of a search come from.
    pub fn tables(&self) -> Tables<'_> {
        self.heuristic.as_deref().map_or_else(|| Tables::of(&self.tables), Tables::Named)
    }

    /// What JSON calls them.
    pub fn key(&self, search: Search) -> &'static str {
        let computed = self.heuristic.is_some() || self.tables == "none";
        if computed || !search.about().uses_heuristic { "heuristic" } else { "tables" }
    }
}

/// Options of commands that print boards.
#[derive(Args, Debug)]
pub(crate) struct NotationOptions {
    /// How rows are told apart
    #[arg(long, default_value = "slashes", value_name = "HOW", value_parser = one_of([
        ("slashes", "1 2 3 / 4 5 6 / 7 8 0", Rows::Slashes),
        ("lines", "A line for each row, and an empty one between boards", Rows::Lines),
        ("flat", "1 2 3 4 5 6 7 8 0", Rows::Flat),
        ("tight", "1 2 3/4 5 6/7 8 0, as slidysim wants it", Rows::Tight),
    ]))]
    rows: Rows,
    /// What stands between tiles
    #[arg(long, default_value = "space", value_name = "WHAT", value_parser = one_of([
        ("space", "1 2 3", Separator::Space),
        ("comma", "1,2,3", Separator::Comma),
    ]))]
    separator: Separator,
    /// How the blank is written: 0, _, ., x, or n for the number of squares
    #[arg(long, default_value = "0", value_name = "SIGN", value_parser = one_of([
        ("0", "", Blank::Zero),
        ("_", "", Blank::Underscore),
        (".", "", Blank::Dot),
        ("x", "", Blank::X),
        ("n", "", Blank::Largest),
    ]))]
    blank: Blank,
}

impl NotationOptions {
    pub(crate) fn notation(&self) -> Notation {
        Notation::new(self.rows, self.separator, self.blank)
    }

    /// Writes one board after the other.
    pub(crate) fn writer(&self, session: &Session) -> BoardWriter {
        let needs_gaps = self.rows == Rows::Lines && !session.json;
        BoardWriter { notation: self.notation(), needs_gaps, is_first: true }
    }
}

/// Writes boards so that they can be read again.
pub(crate) struct BoardWriter {
    notation: Notation,
    /// Whether boards need an empty line between them.
    needs_gaps: bool,
    is_first: bool,
}

impl BoardWriter {
    /// The text of the next board.
    pub(crate) fn write(&mut self, board: &Board) -> String {
        let gap = if self.needs_gaps && !self.is_first { "\n" } else { "" };
        self.is_first = false;
        format!("{gap}{}", self.notation.write(board))
    }
}

/// How many boards of the 24-puzzle there are.
const BOARDS: u32 = 50;

/// Reads the number of a board of the 24-puzzle, or the first and the last of several.
pub(crate) fn korf24_boards(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=BOARDS).contains(number));
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    range
        .map(|(first, last)| first..=last)
        .ok_or_else(|| format!("{} are no boards: expected numbers from 1 to {BOARDS}, such as 1,2,5-9", quoted(text)))
}
