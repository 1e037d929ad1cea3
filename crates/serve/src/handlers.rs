//! The requests that the server accepts, and the response to each.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::{Value, json};
use tilebase::progress::{Event, Searching};
use tilebase::puzzle::{Board, Direction, Goal, Metric, MoveForm, Parity, Random, Size};
use tilebase::solve::{Effort, Limit, Limited, Limits, Outcome, Request, SolveError, Wanted, Weight};
use tilebase::{
    Analyser, Analysis, Answer, Census, Improved, NotAtDistance, Review, Solver, add_gap, catalogue_list, least_moves,
    table_list, unsolvable_json, until,
};

use crate::SearchLimits;
use crate::analysers::{AnalyserCache, Puzzle, SharedAnalyser};
use crate::error::{ApiError, Result};

/// The most shortest solutions in a response. Further solutions are only counted.
const MOST_SOLUTIONS: usize = 1000;

/// The most time for a quick search. A search that takes longer continues as slow work.
const MOMENT: Duration = Duration::from_millis(15);

/// The most time for a search that reports no progress, including the time it waits.
const TIME_FOR_SHORT: Duration = Duration::from_secs(5);

/// The memory for the states of an anytime search, in bytes. It is enough for beams of several hundred thousand states.
const MEMORY_TO_IMPROVE: u64 = 256 << 20;

/// The most time for requests that have no time limit of their own: a board at a distance, and the heuristics of a
/// board.
const TIME_FOR_OTHERS: Duration = Duration::from_secs(5);

/// The heuristic that gives the lower bound when the tables are not ready in time.
const WITHOUT_TABLES: &str = "manhattan";

/// A board: a string in any notation, or a JSON array of tiles or of rows.
pub(crate) struct BoardText(String);

impl<'de> Deserialize<'de> for BoardText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardText, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = BoardText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an array of tiles")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<BoardText, E> {
                Ok(BoardText(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut tiles: A) -> Result<BoardText, A::Error> {
                let mut array = Vec::new();
                while let Some(value) = tiles.next_element()? {
                    array.push(value);
                }
                Ok(BoardText(Value::Array(array).to_string()))
            }
        }

        deserializer.deserialize_any(Text)
    }
}

/// A request to show a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Show {
    board: BoardText,
    goal: Option<String>,
    size: Option<String>,
    metric: Option<String>,
}

/// A request to solve a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    board: BoardText,
    goal: Option<String>,
    size: Option<String>,
    metric: Option<String>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    anytime: bool,
    #[serde(default)]
    pub(crate) stream: bool,
    time_limit: Option<f64>,
}

/// A request to compare a solution with the shortest ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Analyse {
    board: BoardText,
    moves: String,
    goal: Option<String>,
    size: Option<String>,
    metric: Option<String>,
    form: Option<String>,
    time_limit: Option<f64>,
}

/// A request for the number of boards at each distance from a goal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CensusOf {
    size: Option<String>,
    goal: Option<String>,
    metric: Option<String>,
}

/// A request for a random board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scramble {
    size: Option<String>,
    goal: Option<String>,
    metric: Option<String>,
    distance: Option<u32>,
    seed: Option<u64>,
}

/// The state that all requests share: prepared puzzles, and the limits of searches.
pub(crate) struct Handlers {
    pub(crate) analysers: Arc<AnalyserCache>,
    pub(crate) limits: SearchLimits,
}

/// Parses the board and the goal. A goal of another size is an error in the request.
fn read(board: &BoardText, goal: Option<&str>, size: Option<&str>) -> Result<(Board, Board)> {
    let (goal, size) = read_goal(goal, size)?;
    let board = Board::parse(&board.0, size)?;
    Ok((board, goal.board(board.size())?))
}

/// Parses the metric. By default, a move slides a single tile.
fn read_metric(metric: Option<&str>) -> Result<Metric> {
    Ok(metric.map(str::parse).transpose()?.unwrap_or_default())
}

/// The puzzle of an analysis.
pub(crate) fn puzzle_of(analysis: &Analysis) -> Puzzle {
    Puzzle { goal: analysis.goal, metric: analysis.metric }
}

fn read_goal(goal: Option<&str>, size: Option<&str>) -> Result<(Goal, Option<Size>)> {
    let size = size.map(str::parse).transpose()?;
    Ok((Goal::parse(goal.unwrap_or("blank-last"), size)?, size))
}

/// Parses the puzzle of a request without a board.
fn read_puzzle(goal: Option<&str>, size: Option<&str>, metric: Option<&str>) -> Result<Puzzle> {
    let (goal, size) = read_goal(goal, size)?;
    Ok(Puzzle { goal: goal.board_of(size)?, metric: read_metric(metric)? })
}

impl Handlers {
    /// The puzzle that a scramble needs an analyser for. `None` if the request has no distance or cannot be parsed.
    pub(crate) fn puzzle_of_scramble(request: &Scramble) -> Option<Puzzle> {
        request
            .distance
            .and_then(|_| read_puzzle(request.goal.as_deref(), request.size.as_deref(), request.metric.as_deref()).ok())
    }

    /// Parses a request to show a board.
    pub(crate) fn read_show(request: &Show) -> Result<Analysis> {
        let (board, goal) = read(&request.board, request.goal.as_deref(), request.size.as_deref())?;
        let mut analysis = Analysis::new(board, goal);
        analysis.metric = read_metric(request.metric.as_deref())?;
        Ok(analysis)
    }

    /// Shows a board, with its heuristics if the board is solvable and they are ready in time.
    pub(crate) fn show(&self, mut analysis: Analysis, prepared: &Prepared) -> Result<Value> {
        if let Some(analyser) = prepared.analyser() {
            let added = analysis.add_values(analyser).and_then(|()| analysis.add_place(analyser, MOMENT));
            added.map_err(|error| {
                self.analysers.forget(&puzzle_of(&analysis));
                ApiError::ours(error)
            })?;
        }
        let mut answer = analysis.json();
        if let Prepared::TooLate = prepared {
            answer.insert("limit".into(), json!(Limit::Time.to_string()));
        }
        Ok(Value::Object(answer))
    }

    /// The error response for a failed search. If our tables are at fault, and not the request, drops the analyser so
    /// that they are not used again.
    fn failed(&self, puzzle: &Puzzle, error: SolveError) -> ApiError {
        match error {
            SolveError::Damaged(_) | SolveError::WrongSolution => {
                self.analysers.forget(puzzle);
                ApiError::ours(error)
            }
            error => error.into(),
        }
    }

    /// The number of boards at each distance from a goal, if it is known without a long computation.
    pub(crate) fn census(request: &CensusOf) -> Result<Value> {
        let Puzzle { goal, metric } =
            read_puzzle(request.goal.as_deref(), request.size.as_deref(), request.metric.as_deref())?;
        let unknown =
            || json!({ "size": goal.size().to_string(), "goal": goal.to_string(), "metric": metric.to_string() });
        Ok(Census::at_once(&goal, metric).map_or_else(unknown, |census| Value::Object(census.json())))
    }

    /// The time for a request that has no time limit of its own, counted from now.
    pub(crate) fn time_for_others(&self) -> TimeLeft {
        TimeLeft::new(TIME_FOR_OTHERS.min(self.limits.time))
    }

    /// A random board. A board at a distance needs an analyser, which is `None` if it was not ready in time.
    pub(crate) fn scramble(
        request: &Scramble,
        analyser: Option<&Analyser>,
        time: &TimeLeft,
        cancel: &AtomicBool,
    ) -> Result<Value> {
        let puzzle = read_puzzle(request.goal.as_deref(), request.size.as_deref(), request.metric.as_deref())?;
        let Puzzle { goal, metric } = puzzle;
        let seed = request.seed.unwrap_or_else(Random::fresh_seed);
        let mut random = Random::new(seed);
        let board = match request.distance {
            None => random.solvable_board(&goal),
            Some(distance) => {
                let too_late = || NotAtDistance::NotFound { distance, farthest: 0, time: time.asked.elapsed() };
                let solver = analyser.ok_or_else(too_late)?.solver();
                solver.board_at(distance, &mut random, time.now(), &until(cancel))?
            }
        };
        let mut answer = json!({
            "board": board.to_string(), "goal": goal.to_string(), "metric": metric.to_string(), "seed": seed,
        });
        if let Some(distance) = request.distance {
            answer["distance"] = json!(distance);
        }
        Ok(answer)
    }

    /// The tables and catalogues that the server knows.
    pub(crate) fn tables(&self) -> Value {
        let store = self.analysers.source.store();
        json!({ "tables": table_list(store), "catalogues": catalogue_list(store) })
    }

    /// Parses a request to solve a board.
    pub(crate) fn read_solve(self: &Arc<Self>, request: &Solve) -> Result<Search> {
        let (board, goal) = read(&request.board, request.goal.as_deref(), request.size.as_deref())?;
        let puzzle = Puzzle { goal, metric: read_metric(request.metric.as_deref())? };
        let time = self.read_time(request.time_limit, request.stream)?;
        if request.all && request.anytime {
            let message = "anytime looks for one solution: leave all out, or anytime";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, message));
        }
        let wanted = if request.all { Wanted::Several(MOST_SOLUTIONS) } else { Wanted::First };
        // A streamed search may be long, and uses all threads. Short searches run side by side on one thread each.
        let threads = if request.stream { self.limits.threads } else { NonZeroUsize::MIN };
        Ok(Search { handlers: Arc::clone(self), board, puzzle, wanted, anytime: request.anytime, time, threads })
    }

    /// Parses a request to compare a solution, and replays the solution's moves.
    pub(crate) fn read_analyse(self: &Arc<Self>, request: &Analyse) -> Result<Reviewing> {
        let (board, goal) = read(&request.board, request.goal.as_deref(), request.size.as_deref())?;
        let form: Option<MoveForm> = request.form.as_deref().map(str::parse).transpose()?;
        let metric = read_metric(request.metric.as_deref())?;
        let review = Review::in_metric(metric, board, goal, &request.moves, form)?;
        let time = self.read_time(request.time_limit, false)?;
        Ok(Reviewing { handlers: Arc::clone(self), review, time })
    }

    /// The time for a search. A search that reports its progress may take longer than one that does not.
    fn read_time(&self, asked: Option<f64>, reports: bool) -> Result<TimeLeft> {
        let most = if reports { self.limits.time } else { self.limits.time.min(TIME_FOR_SHORT) };
        let time = asked.map_or(Ok(most), |seconds| {
            Duration::try_from_secs_f64(seconds).map(|time| time.min(most)).map_err(|_| {
                let message = format!("{seconds} is not a time: expected seconds from 0 to {}", most.as_secs_f64());
                ApiError::new(StatusCode::BAD_REQUEST, message)
            })
        })?;
        Ok(TimeLeft::new(time))
    }
}

/// The time for a response, counted from the arrival of the request. It includes waiting.
pub(crate) struct TimeLeft {
    asked: Instant,
    time: Duration,
}

impl TimeLeft {
    pub(crate) fn new(time: Duration) -> TimeLeft {
        TimeLeft { asked: Instant::now(), time }
    }

    /// The time that is left now.
    pub(crate) fn now(&self) -> Duration {
        self.time.saturating_sub(self.asked.elapsed())
    }
}

/// The analyser for a request, if the request needs one.
#[derive(Clone)]
pub(crate) enum Prepared {
    /// The board is unsolvable, so there is nothing to search.
    NotNeeded,
    /// The analyser existed, or was made within the time of the request.
    Ready(Arc<SharedAnalyser>),
    /// The analyser was not ready when the time of the request was over.
    TooLate,
}

impl Prepared {
    /// The analyser, if it is ready.
    pub(crate) fn analyser(&self) -> Option<&Analyser> {
        match self {
            Prepared::Ready(analyser) => Some(analyser),
            Prepared::NotNeeded | Prepared::TooLate => None,
        }
    }
}

/// A request that may take long to answer.
pub(crate) trait Question: Send + Sync + 'static {
    /// The puzzle whose analyser is needed; `None` if there is nothing to search.
    fn puzzle_to_prepare(&self) -> Option<Puzzle>;

    fn time_left(&self) -> &TimeLeft;

    /// Answers within `time`. Returns the answer, and whether it is incomplete because a limit was reached.
    fn answer_within(&self, prepared: &Prepared, time: Duration, cancel: &AtomicBool) -> Result<(Value, bool)>;

    /// Answers at once without an analyser, because the time was over before it was ready.
    fn answer_too_late(&self) -> Result<Value> {
        self.answer_within(&Prepared::TooLate, Duration::ZERO, &AtomicBool::new(false)).map(|(answer, _)| answer)
    }

    /// Answers in the remaining time.
    fn answer(&self, prepared: &Prepared, cancel: &AtomicBool) -> Result<Value> {
        self.answer_within(prepared, self.time_left().now(), cancel).map(|(answer, _)| answer)
    }

    /// Answers if that takes no longer than [`MOMENT`]; returns `None` otherwise.
    fn answer_quickly(&self, prepared: &Prepared, cancel: &AtomicBool) -> Result<Option<Value>> {
        let left = self.time_left().now();
        let (answer, is_limited) = self.answer_within(prepared, MOMENT.min(left), cancel)?;
        Ok((!is_limited || left <= MOMENT).then_some(answer))
    }
}

/// A parsed request to compare a solution with the shortest ones.
pub(crate) struct Reviewing {
    handlers: Arc<Handlers>,
    review: Review,
    time: TimeLeft,
}

impl Reviewing {
    fn puzzle(&self) -> Puzzle {
        Puzzle { goal: self.review.goal, metric: self.review.metric }
    }
}

impl Question for Reviewing {
    fn puzzle_to_prepare(&self) -> Option<Puzzle> {
        self.review.parity.is_solvable().then_some(self.puzzle())
    }

    fn time_left(&self) -> &TimeLeft {
        &self.time
    }

    fn answer_within(&self, prepared: &Prepared, time: Duration, cancel: &AtomicBool) -> Result<(Value, bool)> {
        let mut review = self.review.clone();
        let mut bounds = None;
        match prepared {
            Prepared::NotNeeded => {}
            Prepared::TooLate => {
                review.reach(Limit::Time);
                bounds = Some(WITHOUT_TABLES.to_owned());
            }
            Prepared::Ready(analyser) => {
                let watch = until(cancel);
                let request = Request::default().limits(Limits::default().time(time)).watch(&watch);
                let found = review.find_losses(analyser.solver(), &request);
                found.map_err(|error| self.handlers.failed(&self.puzzle(), error))?;
                bounds = Some(analyser.solver().name().to_owned());
            }
        }
        let is_limited = review.losses.as_ref().is_some_and(|losses| losses.limit.is_some());
        let mut answer = review.json();
        answer.insert("goal".into(), json!(review.goal.to_string()));
        answer.extend(bounds.map(|name| ("tables".to_owned(), json!(name))));
        Ok((Value::Object(answer), is_limited))
    }
}

/// A parsed request to solve a board.
pub(crate) struct Search {
    handlers: Arc<Handlers>,
    board: Board,
    puzzle: Puzzle,
    wanted: Wanted,
    /// Whether to find a good solution soon, and better ones later.
    anytime: bool,
    time: TimeLeft,
    threads: NonZeroUsize,
}

impl Question for Search {
    fn puzzle_to_prepare(&self) -> Option<Puzzle> {
        Parity::between(&self.board, &self.puzzle.goal).is_solvable().then_some(self.puzzle)
    }

    fn time_left(&self) -> &TimeLeft {
        &self.time
    }

    fn answer_within(&self, prepared: &Prepared, time: Duration, cancel: &AtomicBool) -> Result<(Value, bool)> {
        self.run_for(prepared, time, cancel, &|_| {})
    }
}

impl Search {
    /// Solves the board in the remaining time. Calls `report` with the progress.
    pub(crate) fn run(
        &self,
        prepared: &Prepared,
        cancel: &AtomicBool,
        report: &(dyn Fn(Value) + Sync),
    ) -> Result<Value> {
        self.run_for(prepared, self.time.now(), cancel, report).map(|(answer, _)| answer)
    }

    /// Drops cached analysers that no longer fit into memory, because a long search may have copied its tables.
    pub(crate) fn free_memory(&self) {
        self.handlers.analysers.drop_least_recently_used();
    }

    /// Solves the board within `time`. Returns the answer, and whether it is incomplete because a limit was reached.
    fn run_for(
        &self,
        prepared: &Prepared,
        time: Duration,
        cancel: &AtomicBool,
        report: &(dyn Fn(Value) + Sync),
    ) -> Result<(Value, bool)> {
        let Search { board, puzzle, wanted, .. } = self;
        let analyser = match prepared {
            Prepared::Ready(analyser) => analyser,
            Prepared::TooLate => return Ok((self.too_late(), true)),
            Prepared::NotNeeded => {
                let mut answer = unsolvable_json(board, Parity::between(board, &puzzle.goal));
                answer.insert("metric".into(), json!(puzzle.metric.to_string()));
                return Ok((Value::Object(answer), false));
            }
        };
        let solver = analyser.solver();
        let limits = Limits::default().time(time);
        let request = Request::default().wanted(*wanted).limits(limits).threads(self.threads);
        let outcome = if self.anytime {
            self.improve(solver, &request, cancel, report)
        } else {
            search(solver, board, &request, cancel, report)
        };
        let (outcome, improved) = outcome.map_err(|error| self.handlers.failed(puzzle, error))?;
        let mut answer = Answer {
            board,
            outcome: &outcome,
            wanted: *wanted,
            moves: MoveForm::Tile,
            bounds: Some(("tables", solver.name())),
            tables: solver.tables(),
            algorithm: self.algorithm(),
            weight: Weight::ONE,
            metric: solver.metric(),
        }
        .json();
        let mut is_limited = matches!(outcome, Outcome::Limited(_));
        if let Some(Improved { best, limit, .. }) = &improved {
            add_gap(&mut answer, best, *limit);
            is_limited = limit.is_some();
        }
        answer.insert("goal".into(), json!(puzzle.goal.to_string()));
        answer.extend(self.notations(&outcome).map(|notations| ("notations".to_owned(), notations)));
        answer.extend(solver.stronger().map(|stronger| ("stronger".to_owned(), json!(stronger))));
        Ok((Value::Object(answer), is_limited))
    }

    /// The answer when the time was over before the tables were ready: a lower bound without tables.
    fn too_late(&self) -> Value {
        let Search { board, puzzle, wanted, .. } = self;
        let at_least = least_moves(board, &puzzle.goal, puzzle.metric);
        let effort = Effort { time: self.time.asked.elapsed(), ..Effort::default() };
        let outcome = Outcome::Limited(Limited { limit: Limit::Time, at_least, effort });
        let mut answer = Answer {
            board,
            outcome: &outcome,
            wanted: *wanted,
            moves: MoveForm::Tile,
            bounds: Some(("tables", WITHOUT_TABLES)),
            tables: &[],
            algorithm: self.algorithm(),
            weight: Weight::ONE,
            metric: puzzle.metric,
        }
        .json();
        if self.anytime {
            answer.insert("optimal".into(), json!(false));
        }
        answer.insert("goal".into(), json!(puzzle.goal.to_string()));
        Value::Object(answer)
    }

    fn algorithm(&self) -> &'static str {
        if self.anytime { "anytime" } else { "ida" }
    }

    /// Runs an anytime search. Calls `report` with each better solution, and with the progress.
    fn improve(
        &self,
        solver: &Solver,
        request: &Request<'_>,
        cancel: &AtomicBool,
        report: &(dyn Fn(Value) + Sync),
    ) -> Result<(Outcome, Option<Improved>), SolveError> {
        let best_now: Mutex<Option<Value>> = Mutex::new(None);
        let tell = |mut progress: Value| {
            let best = best_now.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(best) = &*best {
                (progress["length"], progress["moves"]) = (best["length"].clone(), best["moves"].clone());
            }
            report(json!({ "progress": progress }));
        };
        let watch = |event: &Event<'_>| {
            if let Event::Searching(progress) = event {
                tell(progress_json(progress));
            }
            until(cancel)(event)
        };
        let memory = solver.bytes_of_tables() + MEMORY_TO_IMPROVE;
        let request = request.limits(request.limits.memory(memory)).watch(&watch);
        let improved = solver.improve(&self.board, &request, &|best| {
            let moves = best.solution.as_ref().map(|slides| self.written(MoveForm::Tile, slides));
            *best_now.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(json!({ "length": best.length(), "moves": moves }));
            let (nodes, seconds) = (best.effort.generated, best.effort.time.as_secs_f64());
            let rate = (nodes as f64 / seconds.max(1e-9)).round();
            tell(json!({
                "at_least": best.at_least, "nodes": nodes, "nodes_per_second": rate, "seconds": seconds, "bound_seconds_left": null,
            }));
            ControlFlow::Continue(())
        })?;
        Ok((improved.best.outcome(improved.limit), Some(improved)))
    }

    /// The moves of a solution as text.
    fn written(&self, form: MoveForm, slides: &[Direction]) -> String {
        form.write(slides, &self.board).expect("solutions have been replayed")
    }

    /// The first solution in every form.
    fn notations(&self, outcome: &Outcome) -> Option<Value> {
        let Outcome::Solved(solved) = outcome else { return None };
        let slides = solved.solutions.first()?;
        let written = |form: MoveForm| (form.to_string(), json!(self.written(form, slides)));
        Some(Value::Object(MoveForm::ALL.into_iter().map(written).collect()))
    }
}

/// Runs the usual search. Calls `report` with the progress.
fn search(
    solver: &Solver,
    board: &Board,
    request: &Request<'_>,
    cancel: &AtomicBool,
    report: &(dyn Fn(Value) + Sync),
) -> Result<(Outcome, Option<Improved>), SolveError> {
    let watch = |event: &Event<'_>| {
        if let Event::Searching(progress) = event {
            report(json!({ "progress": progress_json(progress) }));
        }
        until(cancel)(event)
    };
    Ok((solver.search(board, &request.watch(&watch))?, None))
}

fn progress_json(progress: &Searching<'_>) -> Value {
    let seconds = progress.time.as_secs_f64();
    let rate = progress.generated as f64 / seconds.max(1e-9);
    let left = progress.expected_in_bound().map(|expected| expected.saturating_sub(progress.generated_in_bound));
    json!({
        "at_least": progress.bound, "nodes": progress.generated, "nodes_per_second": rate.round(), "seconds": seconds,
        "bound_seconds_left": left.map(|left| left as f64 / rate.max(1.0)),
    })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tilebase::TableSource;
    use tilebase::lookup::Store;
    use tilebase::puzzle::FrameError;

    use super::*;
    use crate::workers::{Client, Queue};

    #[test]
    fn damage_is_our_mistake_and_its_tables_are_looked_for_again() {
        let limits = SearchLimits::new(NonZeroUsize::MIN, Duration::from_secs(1));
        let preparing = Arc::<Queue>::default();
        let analysers = Arc::new(AnalyserCache::new(TableSource::new(Store::compiled_in()), Arc::clone(&preparing)));
        let handlers = Handlers { analysers, limits };
        let goal = Goal::BlankLast.board(Size::new(3, 3).unwrap()).unwrap();
        let [puzzle, other] = Metric::ALL.map(|metric| Puzzle { goal, metric });
        let client = Client(IpAddr::from([127, 0, 0, 1]));
        [puzzle, other]
            .iter()
            .for_each(|puzzle| drop(handlers.analysers.ask(client, puzzle).unwrap_or_else(|_| panic!())));
        preparing.do_all();
        let asked_wrongly = handlers.failed(&puzzle, FrameError::Unsolvable(Parity::between(&goal, &goal)).into());
        assert_eq!(asked_wrongly.status(), StatusCode::BAD_REQUEST);
        assert!(handlers.analysers.ready(&puzzle).is_some());
        let damaged = handlers.failed(&puzzle, SolveError::Damaged(Some("a.tbl".into())));
        assert_eq!(damaged.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(damaged.json()["error"].as_str().unwrap().contains("a.tbl is damaged"));
        assert!(handlers.analysers.ready(&puzzle).is_none());
        assert!(handlers.analysers.ready(&other).is_some(), "the other metric has tables of its own");
    }
}
