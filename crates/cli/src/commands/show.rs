//! `tilebase show`

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::json;
use tilebase::heuristics::{Finding, Promise};
use tilebase::puzzle::{Board, Size, Square};
use tilebase::{Analyser, Analysis, HeuristicValue, Solver, Values, ViewCosts};

use crate::drawing;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::{BoardOptions, Common};
use crate::output::{Output, numbered};
use crate::solvers;

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
        let source = solvers::source(common);
        let mut analysers: HashMap<Size, Analyser> = HashMap::new();
        let mut analyse = |board: Board| -> Result<Analysis, String> {
            let goal = goal.board(board.size()).map_err(|error| error.to_string())?;
            let mut analysis = Analysis::new(board, goal);
            if analysis.parity.is_solvable() {
                let analyser = match analysers.entry(goal.size()) {
                    Entry::Occupied(there) => there.into_mut(),
                    Entry::Vacant(place) => {
                        let solver = solvers::open(Solver::builder(&goal), &source, common.threads(), output);
                        place.insert(Analyser::new(solver.map_err(|failure| failure.to_string())?))
                    }
                };
                analysis.add_values(analyser).map_err(|error| error.to_string())?;
            }
            Ok(analysis)
        };
        let mut exit = Exit::Done;
        for given in input::boards(&self.boards, self.board_options.size)? {
            let analysis = given.board.and_then(&mut analyse);
            exit = exit.max(match &analysis {
                Ok(analysis) if analysis.parity.is_solvable() => Exit::Done,
                Ok(_) => Exit::Negative,
                Err(_) => Exit::Error,
            });
            match analysis {
                Ok(analysis) if output.json => output.json(&numbered(given.id, analysis.json()))?,
                Ok(analysis) => output.answer(Drawn(&analysis).text(output))?,
                Err(why) if output.json => output.json(&json!({ "id": given.id, "error": why }))?,
                Err(why) => output.error(format!("{}{why}", input::label(&self.boards, given.id))),
            }
        }
        Ok(exit)
    }
}

/// An analysis as text.
struct Drawn<'a>(&'a Analysis);

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
            let width = values.listed.iter().map(|value| value.about.name.len()).max().unwrap_or(0);
            lines.extend(values.listed.iter().map(|listed| {
                let HeuristicValue { about, value, .. } = listed;
                let warning = if about.promise == Promise::Nothing { "  (may exceed the distance)" } else { "" };
                format!("  {:width$} {value:3}  {}{warning}", about.name, about.summary)
            }));
            // Tables built on the spot are called by their drawing.
            let named = if values.tables == values.drawing { String::new() } else { format!("{} as ", values.tables) };
            lines.push(format!("  {:width$} {:3}  {named}{}", "tables", values.largest_sum(), values.drawing));
            for ViewCosts { view, costs, .. } in &values.views {
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
        let mut drawn: Vec<&HeuristicValue> = Vec::new();
        for value in values.listed.iter().filter(|value| !value.findings.is_empty()) {
            if drawn.iter().any(|before| before.findings == value.findings) {
                continue;
            }
            drawn.push(value);
            let mut marks = Vec::new();
            let mut legend = Vec::new();
            for (finding, mark) in value.findings.iter().zip('a'..='z') {
                marks.extend(finding.squares.iter().map(|&square| (square, mark)));
                legend.push(format!("  {mark}: {}, {} more moves", self.finding_text(finding), finding.moves));
            }
            let name = output.styled(value.about.name, AnsiColor::Cyan.on_default().bold());
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
