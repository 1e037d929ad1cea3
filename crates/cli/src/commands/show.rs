//! `tilebase show`

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::{Map, json};
use tilebase::heuristics::{Finding, Promise};
use tilebase::puzzle::Board;
use tilebase::{Analyser, Analysis, HeuristicValue, Solver, Values, ViewCosts};

use crate::goals::Goals;
use crate::input::{self, Given};
use crate::options::{BoardOptions, MetricOption};
use crate::session::counted;
use crate::{Exit, Result, Session, drawing, solvers};

/// Draw a board; say whether it can be solved, why, and how far it is at least
///
/// The lower bounds are what a search starts from: every heuristic's value, with the conflicts, pairs and corners that it found
/// drawn on the board, and for each view of the strongest tables that are there, the cost of each pattern, with its tiles as they are
/// numbered on the board. Where all boards have been counted (tilebase census) and the distance is found in a moment, it says how
/// many boards are nearer or farther.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # the famous impossible one
  tilebase show \"1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0\"
  tilebase show --goal snail \"1 2 3 / 4 5 6 / 7 8 0\"")]
pub(crate) struct Show {
    /// Boards, such as "1 2 3 / 4 5 6 / 7 8 0" or 1 2 3 4 5 6 7 8 0, or files of boards; none or - for stdin
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    #[command(flatten)]
    counting: MetricOption,
}

/// How long the exact distance is looked for. Most boards of the 15-puzzle take a few milliseconds.
const A_MOMENT: Duration = Duration::from_millis(100);

impl Show {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let goals = self.board_options.goals()?;
        let source = session.source();
        let mut analysers: HashMap<Board, Analyser> = HashMap::new();
        let mut analyse = |board: Board, has_size_line| -> Result<Analysis> {
            let goal = goals.of(has_size_line, board.size())?;
            if let Some(note) = goals.note(has_size_line) {
                session.note(note);
            }
            let mut analysis = Analysis::new(board, goal);
            if analysis.parity.is_solvable() {
                let analyser = match analysers.entry(goal) {
                    Entry::Occupied(there) => there.into_mut(),
                    Entry::Vacant(place) => {
                        let builder = Solver::builder(&goal).metric(self.counting.metric);
                        place.insert(Analyser::new(solvers::open(builder, &source, session)?))
                    }
                };
                analysis.add_values(analyser)?;
                analysis.add_place(analyser, A_MOMENT)?;
            }
            Ok(analysis)
        };
        let mut exit = Exit::Done;
        for Given { place, board, has_size_line } in input::boards(&self.boards, self.board_options.size)?.boards {
            let analysis = board.and_then(|board| analyse(board, has_size_line).map_err(|failure| failure.to_string()));
            exit = exit.max(match &analysis {
                Ok(analysis) if analysis.parity.is_solvable() => Exit::Done,
                Ok(_) => Exit::Negative,
                Err(_) => Exit::Error,
            });
            match analysis {
                Ok(analysis) if session.json => session.answer(place.json(analysis.json()))?,
                Ok(analysis) => session.answer(text(&analysis, &goals, session))?,
                Err(why) => {
                    let text = format!("{}{why}", place.label());
                    session.refuse(place.json(Map::from_iter([("error".to_owned(), json!(why))])), text)?;
                }
            }
        }
        Ok(exit)
    }
}

fn text(analysis: &Analysis, goals: &Goals, session: &Session) -> String {
    let is_solvable = analysis.parity.is_solvable();
    let color = if is_solvable { AnsiColor::Green } else { AnsiColor::Red };
    let verdict = if is_solvable { "solvable" } else { "not solvable" };
    let verdict = session.styled(verdict, color.on_default().bold());
    let drawn = drawing::grid(&analysis.board, &analysis.goal, &[], session);
    let mut lines = vec![drawn];
    if is_solvable {
        lines.push(session.wrapped(&format!("{verdict}: {}", analysis.parity), 0));
    } else {
        let remedy = goals.unsolvable(&analysis.board, &analysis.goal);
        lines.extend(
            [format!("{verdict}: {remedy}"), analysis.parity.to_string()].map(|line| session.wrapped(&line, 0)),
        );
    }
    match &analysis.place {
        Some(place) if place.distance == 0 => lines.push("0 moves from the goal: it is solved already".to_owned()),
        Some(place) => lines.push(format!("{} from the goal: {place}", counted(place.distance.into(), "move"))),
        None => {}
    }
    if let Some(values) = &analysis.values {
        lines.push("at least this many moves:".to_owned());
        let width = values.listed.iter().map(|value| value.about.name.len()).max().unwrap_or(0);
        // Two columns before a name, four for the number and the spaces around it.
        let indent = 2 + width + 6;
        lines.extend(values.listed.iter().map(|listed| {
            let HeuristicValue { about, value, .. } = listed;
            let warning =
                if about.promise_in(analysis.metric) == Promise::Nothing { "  (may exceed the distance)" } else { "" };
            session.wrapped(&format!("  {:width$} {value:3}  {}{warning}", about.name, about.summary), indent)
        }));
        // Tables built on the spot are called by their drawing.
        let named = if values.tables == values.drawing { String::new() } else { format!("{} as ", values.tables) };
        let (sum, drawing) = (values.largest_sum(), &values.drawing);
        let drawn = if drawing.is_empty() {
            format!("the largest of {}", values.tables)
        } else {
            format!("{named}{drawing}, drawn with the blank's corner first")
        };
        let line = format!("  {:width$} {sum:3}  {drawn}", "tables");
        lines.push(session.wrapped(&line, indent));
        let views = values.views.iter().map(|view| format!("{:indent$}{}", "", view_text(view)));
        lines.extend(views.map(|line| session.wrapped(&line, indent + 2)));
        lines.extend(findings_text(analysis, values, session));
    }
    lines.join("\n")
}

/// What each pattern costs, with the board's own numbers of its tiles, such as "3 (tiles 1 2) + 4 (tiles 3 4) = 7, as it is".
fn view_text(ViewCosts { view, costs, tiles, .. }: &ViewCosts) -> String {
    let of = |number: usize| {
        let labels: Vec<String> = tiles.get(number)?.iter().map(u8::to_string).collect();
        Some(format!(" (tiles {})", labels.join(" ")))
    };
    let terms = costs.iter().enumerate().map(|(number, cost)| format!("{cost}{}", of(number).unwrap_or_default()));
    format!("{} = {}, {view}", terms.collect::<Vec<_>>().join(" + "), costs.iter().sum::<u32>())
}

/// What heuristics found, drawn on the board; each drawing once.
fn findings_text(analysis: &Analysis, values: &Values, session: &Session) -> Vec<String> {
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
            legend.push(format!("  {mark}: {}, {} more moves", finding_text(analysis, finding), finding.moves));
        }
        let name = session.styled(value.about.name, AnsiColor::Cyan.on_default().bold());
        lines.push(format!("\n{name} found:"));
        lines.push(drawing::grid(&analysis.board, &analysis.goal, &marks, session));
        lines.extend(legend);
    }
    lines
}

/// What was found where, such as "pair 5 and 4 in a row".
fn finding_text(analysis: &Analysis, finding: &Finding) -> String {
    let labels: Vec<String> = analysis.labels(finding).iter().map(u8::to_string).collect();
    format!("{} {}{}", finding.kind, labels.join(" and "), line_of(analysis, finding))
}

/// The kind of line that the tiles of a finding are in, such as " in a row"; nothing if they are in none.
pub(super) fn line_of(analysis: &Analysis, finding: &Finding) -> &'static str {
    let width = analysis.board.size().width();
    let same = |line: fn(usize, usize) -> usize| {
        finding.squares.windows(2).all(|pair| line(pair[0].index(), width) == line(pair[1].index(), width))
    };
    match (same(|square, width| square / width), same(|square, width| square % width)) {
        (true, _) => " in a row",
        (false, true) => " in a column",
        (false, false) => "",
    }
}
