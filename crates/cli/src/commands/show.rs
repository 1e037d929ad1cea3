//! `tilebase show`

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::json;
use tilebase_answer::{Heard, Lookout, Sight, Values};
use tilebase_engine::Search;
use tilebase_heuristics::{Finding, Promise};
use tilebase_puzzle::{Board, Frame, Size, Square};

use crate::choice::Chooser;
use crate::drawing;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::{BoardOptions, Common};
use crate::output::{Output, numbered};

/// Draw a board; say whether it can be solved, why, and how far it is at least
///
/// The lower bounds are what a search starts from: every heuristic's value, with the conflicts, pairs and corners that it found
/// drawn on the board, and for each view of the strongest tables that are there, the cost of each pattern.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase show \"1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0\"      the famous impossible one
  tilebase show --goal snail \"1 2 3 / 4 5 6 / 7 8 0\"")]
pub(crate) struct Show {
    /// A board, such as "1 2 3 / 4 5 6 / 7 8 0"; none or - for stdin, one a line
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
}

impl Show {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let goal = self.board_options.goal()?;
        let store = common.store();
        let chooser = Chooser { store: &store, search: Search::default(), threads: common.threads(), output };
        let mut lookouts: HashMap<Size, Rc<Lookout>> = HashMap::new();
        let mut lookout = |goal: &Board| {
            Ok(match lookouts.entry(goal.size()) {
                Entry::Occupied(there) => Rc::clone(there.get()),
                Entry::Vacant(place) => {
                    let chosen = chooser.strongest(&Frame::new(goal)).map_err(|failure| failure.to_string())?;
                    Rc::clone(place.insert(Rc::new(Lookout::new(chosen))))
                }
            })
        };
        let mut exit = Exit::Done;
        for given in input::boards(&self.boards, self.board_options.size)? {
            let sight = given.board.and_then(|board| Sight::of(board, &goal, &mut lookout));
            exit = exit.max(match &sight {
                Ok(sight) if sight.parity.is_solvable() => Exit::Done,
                Ok(_) => Exit::Negative,
                Err(_) => Exit::Error,
            });
            match sight {
                Ok(sight) if output.json => output.json(&numbered(given.id, sight.json()))?,
                Ok(sight) => output.answer(Drawn(&sight).text(output))?,
                Err(why) if output.json => output.json(&json!({ "id": given.id, "error": why }))?,
                Err(why) => output.error(format!("{}{why}", input::label(&self.boards, given.id))),
            }
        }
        Ok(exit)
    }
}

/// A sight as text.
struct Drawn<'a>(&'a Sight);

impl Drawn<'_> {
    fn text(&self, output: &Output) -> String {
        let verdict = if self.0.parity.is_solvable() {
            output.styled("solvable", AnsiColor::Green.on_default().bold())
        } else {
            output.styled("not solvable", AnsiColor::Red.on_default().bold())
        };
        let mut lines =
            vec![drawing::grid(&self.0.board, &self.0.goal, output), format!("{verdict}: {}", self.0.parity)];
        if let Some(values) = &self.0.values {
            lines.push("at least this many moves:".to_owned());
            let width = values.listed.iter().map(|heard| heard.about.name.len()).max().unwrap_or(0);
            lines.extend(values.listed.iter().map(|heard| {
                let Heard { about, value, .. } = heard;
                let warning = if about.promise == Promise::Nothing { "  (may exceed the distance)" } else { "" };
                format!("  {:width$} {value:3}  {}{warning}", about.name, about.summary)
            }));
            // Tables built on the spot are called by their drawing.
            let named = if values.tables == values.drawing { String::new() } else { format!("{} as ", values.tables) };
            lines.push(format!("  {:width$} {:3}  {named}{}", "tables", values.largest_sum(), values.drawing));
            for (view, costs, _) in &values.views {
                let terms: Vec<String> = costs.iter().map(u32::to_string).collect();
                let sum: u32 = costs.iter().sum();
                lines.push(format!("  {:width$}      {} = {sum}, {view}", "", terms.join(" + ")));
            }
            lines.extend(self.findings_text(values, output));
        }
        lines.join("\n")
    }

    /// What heuristics found, drawn on the board; each drawing once.
    fn findings_text(&self, values: &Values, output: &Output) -> Vec<String> {
        let mut lines = Vec::new();
        let mut drawn: Vec<&Heard> = Vec::new();
        for heard in values.listed.iter().filter(|heard| !heard.findings.is_empty()) {
            if drawn.iter().any(|before| before.findings == heard.findings) {
                continue;
            }
            drawn.push(heard);
            let mut marks = Vec::new();
            let mut legend = Vec::new();
            for (finding, mark) in heard.findings.iter().zip('a'..='z') {
                marks.extend(finding.squares.iter().map(|&square| (square, mark)));
                legend.push(format!("  {mark}: {}, {} more moves", self.finding_text(finding), finding.moves));
            }
            let name = output.styled(heard.about.name, AnsiColor::Cyan.on_default().bold());
            lines.push(format!("\n{name} found:"));
            lines.push(drawing::marked_grid(&self.0.board, &self.0.goal, &marks, output));
            lines.extend(legend);
        }
        lines
    }

    /// What was found where, such as "pair 5 and 4 in a row".
    fn finding_text(&self, finding: &Finding) -> String {
        let labels = self.0.labels(finding);
        let size = self.0.board.size();
        let same = |line: fn(Square, Size) -> usize| {
            finding.squares.windows(2).all(|pair| line(pair[0], size) == line(pair[1], size))
        };
        let place = if same(|square, size| square.index() / size.width()) {
            " in a row"
        } else if same(|square, size| square.index() % size.width()) {
            " in a column"
        } else {
            ""
        };
        let labels: Vec<String> = labels.iter().map(u8::to_string).collect();
        format!("{} {}{place}", finding.kind, labels.join(" and "))
    }
}
