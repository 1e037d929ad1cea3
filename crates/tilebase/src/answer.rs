//! Answers as JSON, so that the command and the page say the same.

use serde_json::{Map, Value, json};
use tilebase_lookup::Table;
use tilebase_puzzle::{Board, Direction, Goal, Metric, MoveForm, Parity};
use tilebase_solve::{Limit, Outcome, Wanted, Weight};

use crate::evidence::{evidence_json, verified};
use crate::improve::Best;

/// A board that was searched, and how.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The board.
    pub board: &'a Board,
    /// How the search ended.
    pub outcome: &'a Outcome,
    /// How many solutions were asked for.
    pub wanted: Wanted,
    /// How moves are written.
    pub moves: MoveForm,
    /// What gave the bounds: `tables` or `heuristic`, and the name. Nothing for a search that asks no heuristic.
    pub bounds: Option<(&'a str, &'a str)>,
    /// The tables that the answer rests on.
    pub tables: &'a [Table],
    /// The search's name.
    pub algorithm: &'a str,
    /// What the bounds counted.
    pub weight: Weight,
    /// What counts as one move.
    pub metric: Metric,
}

impl Answer<'_> {
    /// The answer as JSON, with the keys of `solve --json`.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("board", json!(self.board.to_string()));
        put("solvable", json!(true));
        put("metric", json!(self.metric.to_string()));
        let effort = self.outcome.effort();
        match self.outcome {
            Outcome::Solved(solved) => {
                put("length", json!(solved.length));
                if let Some(first) = solved.solutions.first() {
                    put("moves", json!(self.written(first)));
                }
                if self.wanted != Wanted::First {
                    put("solutions", json!(solved.count));
                }
                if matches!(self.wanted, Wanted::All | Wanted::Several(_)) {
                    put("all_moves", solved.solutions.iter().map(|slides| self.written(slides)).collect());
                }
            }
            Outcome::Limited(limited) => {
                put("limit", json!(limited.limit.to_string()));
                put("at_least", json!(limited.at_least));
            }
        }
        put("nodes", json!(effort.generated));
        put("complete_nodes", json!(effort.generated_complete));
        put("expanded", json!(effort.expanded));
        put("reexpanded", json!(effort.reexpanded));
        put("peak_nodes", json!(effort.peak_nodes));
        put("peak_bytes", json!(effort.peak_bytes));
        put("seconds", json!(effort.time.as_secs_f64()));
        put("heuristic_seconds", json!(effort.heuristic_time.as_secs_f64()));
        if let Outcome::Solved(solved) = self.outcome {
            put("branching_factor", json!(effort.branching_factor(solved.length)));
        }
        if let Some((kind, name)) = self.bounds {
            put(kind, json!(name));
        }
        if !self.tables.is_empty() {
            put("verified", json!(verified(self.tables)));
            put("rests_on", self.tables.iter().map(evidence_json).collect());
        }
        if self.weight != Weight::ONE {
            put("weight", json!(self.weight.to_string()));
        }
        put("algorithm", json!(self.algorithm));
        if let Outcome::Solved(solved) = self.outcome {
            put("optimal", json!(solved.optimal));
        }
        object
    }

    fn written(&self, slides: &[Direction]) -> String {
        self.moves.write(slides, self.board).expect("solutions have been replayed")
    }
}

/// Adds to the JSON of an answer what is known while better ones are looked for: how many moves every solution has at least, whether
/// this one is shortest, and the limit that was reached, if one was.
pub fn add_gap(object: &mut Map<String, Value>, best: &Best, limit: Option<Limit>) {
    object.insert("at_least".into(), json!(best.at_least));
    object.insert("optimal".into(), json!(best.is_optimal()));
    if let Some(limit) = limit {
        object.insert("limit".into(), json!(limit.to_string()));
    }
}

/// The answer for a board that cannot be solved, as JSON: why, and the names of the goals that it can reach.
pub fn unsolvable_json(board: &Board, parity: Parity) -> Map<String, Value> {
    let pairs = [
        ("board", json!(board.to_string())),
        ("solvable", json!(false)),
        ("reason", json!(parity.to_string())),
        ("solvable_with", solvable_with(board)),
    ];
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The names of the goals that a board can reach, for JSON.
pub(crate) fn solvable_with(board: &Board) -> Value {
    board.reachable_goals().iter().filter_map(Goal::name).collect()
}
