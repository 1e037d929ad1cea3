//! What is known of a board without a search.

use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tilebase_census::{Census, Place};
use tilebase_heuristics::runs::{self, RunHeuristic, RunWalkingDistance};
use tilebase_heuristics::{About, AnyListed, Finding, Heuristic, ListError, Promise};
use tilebase_lookup::OwnMemory;
use tilebase_progress::{Event, Watch, unwatched};
use tilebase_puzzle::{Board, Frame, FrameError, Metric, Parity, Partition, Pattern, Square, Symmetry};
use tilebase_solve::{Limits, Outcome, Request, SolveError};

use crate::answer::solvable_with;
use crate::solver::Solver;

/// Tables and all heuristics for boards with one goal. Some take a moment to make; to use them takes none.
#[derive(Debug)]
pub struct Analyser {
    solver: Solver,
    listed: Vec<(About, Bound)>,
    census: OnceLock<Option<Census>>,
}

/// A heuristic of the list, in the metric of the solver.
#[derive(Debug)]
enum Bound {
    InStm(Box<AnyListed>),
    InMtm(RunWalkingDistance),
}

impl Analyser {
    /// One with the tables of a solver, and the heuristics of the list that suit their boards.
    pub fn new(solver: Solver) -> Analyser {
        Analyser::watched(solver, &unwatched).expect("it is not stopped")
    }

    /// The same, asking a watch before each heuristic and on the way to those that take long. `None` when it says to stop.
    pub fn watched(solver: Solver, watch: Watch<'_>) -> Option<Analyser> {
        let go_on = || watch(&Event::Poll).is_continue();
        let frame = solver.frame();
        let (size, home) = (frame.size(), frame.home());
        let suits = |about: About| {
            if !go_on() {
                return Some(None);
            }
            let bound = match solver.metric() {
                Metric::Mtm => runs::listed_while(about.name, size, home, &go_on).map(Bound::InMtm),
                _ => AnyListed::new_while(about.name, size, home, &go_on).map(Box::new).map(Bound::InStm),
            };
            match bound {
                Ok(bound) => Some(Some((about, bound))),
                Err(ListError::Stopped { .. }) => Some(None),
                Err(_) => None,
            }
        };
        let listed = AnyListed::abouts().into_iter().filter_map(suits).collect::<Option<_>>()?;
        Some(Analyser { solver, listed, census: OnceLock::new() })
    }

    /// Solves boards by the tables.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Adds the memory that the analyser takes to a sum: that of its [solver](Solver::add_own_memory), and the tables of the heuristics.
    pub fn add_own_memory(&self, sum: &mut OwnMemory) {
        let listed = self.listed.iter().map(|(_, bound)| match bound {
            Bound::InStm(heuristic) => heuristic.bytes(),
            Bound::InMtm(heuristic) => heuristic.bytes(),
        });
        self.solver.add_own_memory(sum);
        sum.add(listed.sum::<usize>() as u64);
    }

    /// How many boards are how far, if that is known without waiting.
    pub fn census(&self) -> Option<&Census> {
        self.census.get_or_init(|| Census::at_once(self.solver.frame().goal(), self.solver.metric())).as_ref()
    }
}

/// The fewest moves that a board can need, by the distances of its tiles alone: known at once, without tables.
///
/// # Panics
/// When the board and the goal are of different sizes.
pub fn least_moves(board: &Board, goal: &Board, metric: Metric) -> u32 {
    let (squares, goals) = (board.squares_by_label(), goal.squares_by_label());
    let size = board.size();
    let manhattan: u32 = (1..size.count()).map(|tile| size.distance(squares[tile], goals[tile])).sum();
    manhattan.div_ceil(metric.most_tiles(size) as u32)
}

/// What is known of a board.
#[derive(Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The board.
    pub board: Board,
    /// What it is to become.
    pub goal: Board,
    /// Whether it can.
    pub parity: Parity,
    /// What counts as one move in what follows; single tiles until bounds are added.
    pub metric: Metric,
    /// The lower bounds; only of boards that can be solved, and once they have been [added](Analysis::add_values).
    pub values: Option<Values>,
    /// How far it is, and how that compares with all boards; only once it has been [added](Analysis::add_place).
    pub place: Option<Place>,
}

/// The lower bounds of a board.
#[derive(Debug)]
#[non_exhaustive]
pub struct Values {
    /// Those of the heuristics of the list that suit the board.
    pub listed: Vec<HeuristicValue>,
    /// What the tables are called.
    pub tables: String,
    /// Their patterns, drawn on the solved board.
    pub drawing: String,
    /// What the tables say, view by view.
    pub views: Vec<ViewCosts>,
}

/// The value of a heuristic of the list.
#[derive(Debug)]
#[non_exhaustive]
pub struct HeuristicValue {
    /// The heuristic.
    pub about: About,
    /// Its value.
    pub value: u32,
    /// What it found, on squares of the board.
    pub findings: Vec<Finding>,
}

/// What tables say of a board that is seen through a symmetry.
#[derive(Debug)]
#[non_exhaustive]
pub struct ViewCosts {
    /// The symmetry.
    pub view: Symmetry,
    /// The cost of each pattern.
    pub costs: Vec<u32>,
    /// For each pattern the labels of its tiles.
    pub tiles: Vec<Vec<u8>>,
}

impl Values {
    /// The bound that the tables give.
    pub fn largest_sum(&self) -> u32 {
        self.views.iter().map(|view| view.costs.iter().sum()).max().unwrap_or(0)
    }

    fn of(board: &Board, analyser: &Analyser) -> Result<Values, AnalysisError> {
        let (frame, solver) = (analyser.solver.frame(), &analyser.solver);
        let state = frame.state(board)?;
        let on_board = |seen: &Square| frame.size().squares().find(|&square| frame.square(square) == *seen);
        let values = analyser.listed.iter().filter_map(|(about, bound)| {
            let heuristic = match bound {
                Bound::InStm(heuristic) => heuristic,
                Bound::InMtm(heuristic) => {
                    let value = heuristic.bound(&state)?;
                    return Some(HeuristicValue { about: *about, value, findings: Vec::new() });
                }
            };
            let value = heuristic.cost(&heuristic.root(&state)?);
            let mut findings = heuristic.findings(&state);
            findings
                .iter_mut()
                .for_each(|finding| finding.squares = finding.squares.iter().filter_map(on_board).collect());
            Some(HeuristicValue { about: *about, value, findings })
        });
        let listed = values.collect();
        let damaged = || AnalysisError::Damaged(solver.name().to_owned());
        let costs = solver.costs(&state).ok_or_else(damaged)?;
        let tiles = |view: Symmetry| {
            let patterns = solver.partition().map(Partition::patterns).unwrap_or_default();
            let labels = 1..frame.size().count() as u8;
            // Through the view a tile is the one that belongs on the square where the view shows its own.
            let seen = |label: u8| view.square(frame.size(), frame.tile(label).goal());
            let of_pattern = |mask: u32| labels.clone().filter(|&label| mask & seen(label).bit() != 0).collect();
            patterns.iter().map(|pattern| of_pattern(pattern.mask())).collect()
        };
        let patterns = solver.opened.bounds.patterns_of_lines();
        let of_lines = |number: usize| patterns.get(number).map(|pattern| vec![labels_of(frame, pattern)]);
        let views = costs.into_iter().enumerate().map(|(number, (view, costs))| {
            // A table of lines is a view for itself.
            let tiles = of_lines(number).unwrap_or_else(|| tiles(view));
            ViewCosts { view, costs, tiles }
        });
        let views = views.collect();
        let drawing = solver.partition().map(Partition::drawing).unwrap_or_default();
        Ok(Values { listed, tables: solver.name().to_owned(), drawing, views })
    }
}

/// The labels of a pattern's tiles.
fn labels_of(frame: &Frame, pattern: &Pattern) -> Vec<u8> {
    (1..frame.size().count() as u8).filter(|&label| pattern.contains(frame.tile(label))).collect()
}

impl Analysis {
    /// Whether a board can become another of the same size. No table is needed for that.
    pub fn new(board: Board, goal: Board) -> Analysis {
        Analysis { board, goal, parity: Parity::between(&board, &goal), metric: Metric::Stm, values: None, place: None }
    }

    /// Adds the lower bounds of a board that can be solved.
    pub fn add_values(&mut self, analyser: &Analyser) -> Result<(), AnalysisError> {
        self.metric = analyser.solver.metric();
        self.values = Some(Values::of(&self.board, analyser)?);
        Ok(())
    }

    /// Adds how far a board is among all others, where these have been counted and a search in this time finds its distance.
    pub fn add_place(&mut self, analyser: &Analyser, time: Duration) -> Result<(), AnalysisError> {
        let Some(census) = analyser.census() else { return Ok(()) };
        let request = Request::default().limits(Limits::default().time(time));
        if let Outcome::Solved(solved) = analyser.solver.search(&self.board, &request)?
            && solved.optimal
        {
            self.place = census.place(solved.length);
        }
        Ok(())
    }

    /// The tiles that a finding is about.
    pub fn labels(&self, finding: &Finding) -> Vec<u8> {
        finding.squares.iter().map(|&square| self.board.label(square)).collect()
    }

    /// The analysis as JSON, with the keys of `show --json`.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("board", json!(self.board.to_string()));
        put("size", json!(self.board.size().to_string()));
        put("goal", json!(self.goal.to_string()));
        put("solvable", json!(self.parity.is_solvable()));
        put("reason", json!(self.parity.to_string()));
        if !self.parity.is_solvable() {
            put("solvable_with", solvable_with(&self.board));
        }
        put("exchanges", json!(self.parity.exchanges));
        put("blank_distance", json!(self.parity.blank_distance));
        put("metric", json!(self.metric.to_string()));
        if let Some(place) = &self.place {
            put("distance", json!(place.distance));
            put("farther_than", json!(place.farther_than));
            put("nearer_than", json!(place.nearer_than));
        }
        let Some(values) = &self.values else { return object };
        let of_listed = |json: fn(&HeuristicValue) -> Value| {
            let pairs = values.listed.iter().map(move |value| (value.about.name.to_owned(), json(value)));
            pairs.collect::<Map<String, Value>>()
        };
        let mut heuristics = of_listed(|value| json!(value.value));
        heuristics.insert("tables".to_owned(), json!(values.largest_sum()));
        put("heuristics", heuristics.into());
        put("summaries", of_listed(|value| json!(value.about.summary)).into());
        let not_admissible =
            values.listed.iter().filter(|value| value.about.promise_in(self.metric) == Promise::Nothing);
        put("not_admissible", not_admissible.map(|value| value.about.name).collect());
        let found = values.listed.iter().filter(|value| !value.findings.is_empty()).map(|value| {
            let finding = |finding: &Finding| {
                let kind = finding.kind.to_string();
                json!({ "kind": kind, "tiles": self.labels(finding), "moves": finding.moves })
            };
            (value.about.name.to_owned(), value.findings.iter().map(finding).collect())
        });
        put("findings", Value::Object(found.collect()));
        put("tables", json!(values.tables));
        put("patterns", json!(values.drawing));
        let view = |ViewCosts { view, costs, tiles }: &ViewCosts| json!({ "view": view.to_string(), "costs": costs, "tiles": tiles });
        put("views", values.views.iter().map(view).collect());
        object
    }
}

/// A board whose lower bounds are not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The board is of another size than the analyser's goal, or cannot be solved.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// One of the tables that are called so gives no cost for a board that must have one.
    #[error("the tables of {0} are damaged: build them again")]
    Damaged(String),
    /// The search for the distance went wrong.
    #[error("{0}")]
    Solve(#[from] SolveError),
}
