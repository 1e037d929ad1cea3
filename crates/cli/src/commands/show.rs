//! `tilebase show`

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::{Map, Value, json};
use tilebase_engine::Solver;
use tilebase_puzzle::{Board, Frame, Goal, Parity, Size, Symmetry};

use crate::choice::{Chooser, Chosen};
use crate::drawing;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::{BoardOptions, Common};
use crate::output::Output;

/// Draw a board; say whether it can be solved, why, and how far it is at least
///
/// The lower bounds are what a search starts from: the Manhattan distance, and for each view of the strongest tables that
/// are there, the cost of each pattern.
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
        let chooser = Chooser { store: &store, threads: common.threads(), output };
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
    manhattan: u32,
    tables: String,
    drawing: String,
    /// For each view the cost of each pattern.
    views: Vec<(Symmetry, Vec<u32>)>,
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
        let manhattan = Solver::manhattan(frame.clone()).bound(&state).expect("every state has a Manhattan distance");
        let chosen = match known.entry(board.size()) {
            Entry::Occupied(chosen) => chosen.into_mut(),
            Entry::Vacant(place) => place.insert(chooser.strongest(&frame)?),
        };
        let damaged = || Failure::new(format!("the tables of {} are damaged: build them again", chosen.name));
        let views = chosen.solver.costs(&state).ok_or_else(damaged)?;
        let drawing = chosen.partition.drawing();
        let tables = chosen.name.clone();
        Ok(Sight { board, goal, parity, bounds: Some(Bounds { manhattan, tables, drawing, views }) })
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
            lines.push(format!("  manhattan  {}", bounds.manhattan));
            // Tables built on the spot are called by their drawing.
            let named = if bounds.tables == bounds.drawing { String::new() } else { format!("{} as ", bounds.tables) };
            lines.push(format!("  tables     {}  ({named}{})", bounds.largest_sum(), bounds.drawing));
            for (view, costs) in &bounds.views {
                let terms: Vec<String> = costs.iter().map(u32::to_string).collect();
                lines.push(format!("    {} = {}, {view}", terms.join(" + "), costs.iter().sum::<u32>()));
            }
        }
        lines.join("\n")
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
            put("heuristics", json!({ "manhattan": bounds.manhattan, "tables": bounds.largest_sum() }));
            put("tables", json!(bounds.tables));
            put("patterns", json!(bounds.drawing));
            let views = bounds.views.iter().map(|(view, costs)| json!({ "view": view.to_string(), "costs": costs }));
            put("views", views.collect());
        }
        Value::Object(object)
    }
}
