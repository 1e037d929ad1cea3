//! What can be seen of a board without a search.

use std::ops::Deref;

use serde_json::{Map, Value, json};
use tilebase_heuristics::{About, Finding, Heuristic, Promise};
use tilebase_puzzle::{Board, Goal, Parity, Partition, Square, Symmetry};

use crate::lookout::Lookout;

/// What there is to see of a board.
#[derive(Debug)]
pub struct Sight {
    /// The board.
    pub board: Board,
    /// What it is to become.
    pub goal: Board,
    /// Whether it can.
    pub parity: Parity,
    /// What heuristics say; only of boards that can be solved.
    pub values: Option<Values>,
}

/// What heuristics say about a board.
#[derive(Debug)]
pub struct Values {
    /// Those of the list that suit the board.
    pub listed: Vec<Heard>,
    /// What the tables are called.
    pub tables: String,
    /// Their patterns, drawn on the solved board.
    pub drawing: String,
    /// For each view the cost of each pattern, and the labels of its tiles.
    pub views: Vec<(Symmetry, Vec<u32>, Vec<Vec<u8>>)>,
}

/// What a heuristic of the list says.
#[derive(Debug)]
pub struct Heard {
    /// The heuristic.
    pub about: About,
    /// Its value.
    pub value: u32,
    /// What it found, on squares of the board.
    pub findings: Vec<Finding>,
}

impl Values {
    /// The bound that the tables give.
    pub fn largest_sum(&self) -> u32 {
        self.views.iter().map(|(_, costs, _)| costs.iter().sum()).max().unwrap_or(0)
    }

    fn of(board: &Board, lookout: &Lookout) -> Result<Values, String> {
        let (frame, chosen) = (lookout.frame(), &lookout.chosen);
        let state = frame.state(board).map_err(|error| error.to_string())?;
        let on_board = |seen: &Square| frame.size().squares().find(|&square| frame.square(square) == *seen);
        let heard = lookout.listed.iter().filter_map(|(about, heuristic)| {
            let value = heuristic.cost(&heuristic.root(&state)?);
            let mut findings = heuristic.findings(&state);
            findings
                .iter_mut()
                .for_each(|finding| finding.squares = finding.squares.iter().filter_map(on_board).collect());
            Some(Heard { about: *about, value, findings })
        });
        let listed = heard.collect();
        let damaged = || format!("the tables of {} are damaged: build them again", chosen.name);
        let costs = chosen.solver.costs(&state).ok_or_else(damaged)?;
        let labels = |view: Symmetry| {
            let patterns = chosen.partition.as_ref().map(Partition::patterns).unwrap_or_default();
            let labels = 1..frame.size().count() as u8;
            // Through the view a tile is the one that belongs on the square where the view shows its own.
            let seen = |label: u8| view.square(frame.size(), frame.tile(label).goal());
            let of_pattern = |mask: u32| labels.clone().filter(|&label| mask & seen(label).bit() != 0).collect();
            patterns.iter().map(|pattern| of_pattern(pattern.mask())).collect()
        };
        let views = costs.into_iter().map(|(view, costs)| (view, costs, labels(view))).collect();
        let drawing = chosen.partition.as_ref().map(Partition::drawing).unwrap_or_default();
        Ok(Values { listed, tables: chosen.name.clone(), drawing, views })
    }
}

impl Sight {
    /// Looks at a board. The lookout for its goal is asked for only when the board can be solved.
    ///
    /// # Errors
    /// When the goal is of another size, or there is no lookout, or its tables are damaged.
    pub fn of<L: Deref<Target = Lookout>>(
        board: Board,
        goal: &Goal,
        lookout: impl FnOnce(&Board) -> Result<L, String>,
    ) -> Result<Sight, String> {
        let goal = goal.board(board.size()).map_err(|error| error.to_string())?;
        let parity = Parity::between(&board, &goal);
        let values = if parity.is_solvable() { Some(Values::of(&board, &*lookout(&goal)?)?) } else { None };
        Ok(Sight { board, goal, parity, values })
    }

    /// The tiles that a finding is about.
    pub fn labels(&self, finding: &Finding) -> Vec<u8> {
        finding.squares.iter().map(|&square| self.board.label(square)).collect()
    }

    /// The keys of the answer, as `show --json` has them.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("board", json!(self.board.to_string()));
        put("size", json!(self.board.size().to_string()));
        put("goal", json!(self.goal.to_string()));
        put("solvable", json!(self.parity.is_solvable()));
        put("reason", json!(self.parity.to_string()));
        put("exchanges", json!(self.parity.exchanges));
        put("blank_distance", json!(self.parity.blank_distance));
        let Some(values) = &self.values else { return object };
        let of_listed = |value: fn(&Heard) -> Value| {
            let pairs = values.listed.iter().map(move |heard| (heard.about.name.to_owned(), value(heard)));
            pairs.collect::<Map<String, Value>>()
        };
        let mut heuristics = of_listed(|heard| json!(heard.value));
        heuristics.insert("tables".to_owned(), json!(values.largest_sum()));
        put("heuristics", heuristics.into());
        put("summaries", of_listed(|heard| json!(heard.about.summary)).into());
        let not_admissible = values.listed.iter().filter(|heard| heard.about.promise == Promise::Nothing);
        put("not_admissible", not_admissible.map(|heard| heard.about.name).collect());
        let found = values.listed.iter().filter(|heard| !heard.findings.is_empty()).map(|heard| {
            let finding = |finding: &Finding| {
                let kind = finding.kind.to_string();
                json!({ "kind": kind, "tiles": self.labels(finding), "moves": finding.moves })
            };
            (heard.about.name.to_owned(), heard.findings.iter().map(finding).collect())
        });
        put("findings", Value::Object(found.collect()));
        put("tables", json!(values.tables));
        put("patterns", json!(values.drawing));
        let view = |(view, costs, tiles): &(Symmetry, Vec<u32>, Vec<Vec<u8>>)| json!({ "view": view.to_string(), "costs": costs, "tiles": tiles });
        put("views", values.views.iter().map(view).collect());
        object
    }
}
