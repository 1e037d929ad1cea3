//! `tilebase show`

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::{Map, Value, json};
use tilebase_engine::Search;
use tilebase_heuristics::{About, AnyListed, Finding, Heuristic, Promise};
use tilebase_puzzle::{Board, Frame, Goal, Parity, Partition, Size, Square, State, Symmetry};

use crate::choice::{Chooser, Chosen};
use crate::drawing;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::{BoardOptions, Common};
use crate::output::Output;

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
        let chooser = Chooser { store: &store, search: Search::Ida, threads: common.threads(), output };
        let mut known = HashMap::new();
        let mut exit = Exit::Done;
        for given in input::boards(&self.boards, self.board_options.size)? {
            let sight =
                given.board.map_err(Failure::new).and_then(|board| Sight::of(board, &goal, &chooser, &mut known));
            exit = exit.max(match &sight {
                Ok(sight) if sight.parity.is_solvable() => Exit::Done,
                Ok(_) => Exit::Negative,
                Err(failure) => failure.exit(),
            });
            match sight {
                Ok(sight) if output.json => output.json(&sight.json(given.id))?,
                Ok(sight) => output.answer(sight.text(output))?,
                Err(failure) if output.json => output.json(&json!({ "id": given.id, "error": failure.to_string() }))?,
                Err(failure) => output.error(format!("{}{failure}", input::label(&self.boards, given.id))),
            }
        }
        Ok(exit)
    }
}

/// What there is to see of a board.
struct Sight {
    board: Board,
    goal: Board,
    parity: Parity,
    /// Only of boards that can be solved.
    bounds: Option<Bounds>,
}

/// What heuristics say.
struct Bounds {
    /// Those of the list that suit the board.
    listed: Vec<Listed>,
    tables: String,
    drawing: String,
    /// For each view the cost of each pattern.
    views: Vec<(Symmetry, Vec<u32>)>,
}

/// What a heuristic of the list says.
struct Listed {
    about: About,
    value: u32,
    /// What it found, on squares of the board.
    findings: Vec<Finding>,
}

impl Listed {
    /// What a heuristic says about a state; nothing when it does not suit such boards.
    fn of(about: About, frame: &Frame, state: &State) -> Option<Listed> {
        let heuristic = AnyListed::new(about.name, frame.size(), frame.home()).ok()?;
        let value = heuristic.cost(&heuristic.root(state)?);
        let on_board = |seen: &Square| frame.size().squares().find(|&square| frame.square(square) == *seen);
        let mut findings = heuristic.findings(state);
        findings.iter_mut().for_each(|finding| finding.squares = finding.squares.iter().filter_map(on_board).collect());
        Some(Listed { about, value, findings })
    }
}

impl Bounds {
    fn largest_sum(&self) -> u32 {
        self.views.iter().map(|(_, costs)| costs.iter().sum()).max().unwrap_or(0)
    }
}

impl Sight {
    /// Looks at a board; tables chosen for boards of a size are kept in `known`.
    fn of(
        board: Board,
        goal: &Goal,
        chooser: &Chooser<'_>,
        known: &mut HashMap<Size, Chosen>,
    ) -> Result<Sight, Failure> {
        let goal = goal.board(board.size()).map_err(Failure::new)?;
        let parity = Parity::between(&board, &goal);
        if !parity.is_solvable() {
            return Ok(Sight { board, goal, parity, bounds: None });
        }
        let frame = Frame::new(&goal);
        let state = frame.state(&board).map_err(Failure::new)?;
        let listed = AnyListed::abouts().into_iter().filter_map(|about| Listed::of(about, &frame, &state)).collect();
        let chosen = match known.entry(board.size()) {
            Entry::Occupied(chosen) => chosen.into_mut(),
            Entry::Vacant(place) => place.insert(chooser.strongest(&frame)?),
        };
        let damaged = || Failure::new(format!("the tables of {} are damaged: build them again", chosen.name));
        let views = chosen.solver.costs(&state).ok_or_else(damaged)?;
        let drawing = chosen.partition.as_ref().map(Partition::drawing).unwrap_or_default();
        let tables = chosen.name.clone();
        Ok(Sight { board, goal, parity, bounds: Some(Bounds { listed, tables, drawing, views }) })
    }

    fn text(&self, output: &Output) -> String {
        let verdict = if self.parity.is_solvable() {
            output.styled("solvable", AnsiColor::Green.on_default().bold())
        } else {
            output.styled("not solvable", AnsiColor::Red.on_default().bold())
        };
        let mut lines = vec![drawing::grid(&self.board, &self.goal, output), format!("{verdict}: {}", self.parity)];
        if let Some(bounds) = &self.bounds {
            lines.push("at least this many moves:".to_owned());
            let width = bounds.listed.iter().map(|listed| listed.about.name.len()).max().unwrap_or(0);
            lines.extend(bounds.listed.iter().map(|listed| {
                let Listed { about, value, .. } = listed;
                let warning = if about.promise == Promise::Nothing { "  (may exceed the distance)" } else { "" };
                format!("  {:width$} {value:3}  {}{warning}", about.name, about.summary)
            }));
            // Tables built on the spot are called by their drawing.
            let named = if bounds.tables == bounds.drawing { String::new() } else { format!("{} as ", bounds.tables) };
            lines.push(format!("  {:width$} {:3}  {named}{}", "tables", bounds.largest_sum(), bounds.drawing));
            for (view, costs) in &bounds.views {
                let terms: Vec<String> = costs.iter().map(u32::to_string).collect();
                let sum: u32 = costs.iter().sum();
                lines.push(format!("  {:width$}      {} = {sum}, {view}", "", terms.join(" + ")));
            }
            lines.extend(self.findings_text(bounds, output));
        }
        lines.join("\n")
    }

    /// What heuristics found, drawn on the board; each drawing once.
    fn findings_text(&self, bounds: &Bounds, output: &Output) -> Vec<String> {
        let mut lines = Vec::new();
        let mut drawn: Vec<&Listed> = Vec::new();
        for listed in bounds.listed.iter().filter(|listed| !listed.findings.is_empty()) {
            if drawn.iter().any(|before| before.findings == listed.findings) {
                continue;
            }
            drawn.push(listed);
            let mut marks = Vec::new();
            let mut legend = Vec::new();
            for (finding, mark) in listed.findings.iter().zip('a'..='z') {
                marks.extend(finding.squares.iter().map(|&square| (square, mark)));
                legend.push(format!("  {mark}: {}, {} more moves", self.finding_text(finding), finding.moves));
            }
            let name = output.styled(listed.about.name, AnsiColor::Cyan.on_default().bold());
            lines.push(format!("\n{name} found:"));
            lines.push(drawing::marked_grid(&self.board, &self.goal, &marks, output));
            lines.extend(legend);
        }
        lines
    }

    /// What was found where, such as "pair 5 and 4 in a row".
    fn finding_text(&self, finding: &Finding) -> String {
        let labels = self.labels(finding);
        let size = self.board.size();
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

    /// The tiles that a finding is about.
    fn labels(&self, finding: &Finding) -> Vec<u8> {
        finding.squares.iter().map(|&square| self.board.label(square)).collect()
    }

    fn json(&self, id: usize) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("id", json!(id));
        put("board", json!(self.board.to_string()));
        put("size", json!(self.board.size().to_string()));
        put("goal", json!(self.goal.to_string()));
        put("solvable", json!(self.parity.is_solvable()));
        put("reason", json!(self.parity.to_string()));
        put("exchanges", json!(self.parity.exchanges));
        put("blank_distance", json!(self.parity.blank_distance));
        if let Some(bounds) = &self.bounds {
            let mut heuristics: Map<String, Value> =
                bounds.listed.iter().map(|listed| (listed.about.name.to_owned(), json!(listed.value))).collect();
            heuristics.insert("tables".to_owned(), json!(bounds.largest_sum()));
            put("heuristics", heuristics.into());
            let not_admissible = bounds.listed.iter().filter(|listed| listed.about.promise == Promise::Nothing);
            put("not_admissible", not_admissible.map(|listed| listed.about.name).collect());
            let found = bounds.listed.iter().filter(|listed| !listed.findings.is_empty()).map(|listed| {
                let finding = |finding: &Finding| {
                    let kind = finding.kind.to_string();
                    json!({ "kind": kind, "tiles": self.labels(finding), "moves": finding.moves })
                };
                (listed.about.name.to_owned(), listed.findings.iter().map(finding).collect())
            });
            put("findings", Value::Object(found.collect()));
            put("tables", json!(bounds.tables));
            put("patterns", json!(bounds.drawing));
            let views = bounds.views.iter().map(|(view, costs)| json!({ "view": view.to_string(), "costs": costs }));
            put("views", views.collect());
        }
        Value::Object(object)
    }
}
