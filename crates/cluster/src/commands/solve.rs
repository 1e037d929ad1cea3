//! `tilebase-cluster solve`

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Map, Value, json};
use tilebase::generate::Peers;
use tilebase::progress::Event;
use tilebase::puzzle::{Board, Goal, MoveForm, Parity, Size};
use tilebase::solve::{Limit, Limits, Outcome, Request, Search, Wanted, Weight};
use tilebase::{Solver, unsolvable_json};
use tilebase_cli::failure::{Exit, Failure, Result};
use tilebase_cli::input::{self, Given, Place};
use tilebase_cli::life::{Life, search_text};
use tilebase_cli::options::{BoardOptions, BoundOptions, MetricOption};
use tilebase_cli::session::{Session, counted};
use tilebase_cli::{bars, interrupt, limits, solvers};

use super::Roll;
use crate::boards::{self, Answers, Pile};
use crate::notes::Notes;
use crate::team::{AbortOnPanic, Team};
use crate::units::{Follower, Leader};

/// Find shortest solutions on many machines
///
/// Many boards are handed out to the processes, some at a time. A single board is searched by all of them: its large bounds
/// are cut into units, which the first process hands out. A checkpoint is that of tilebase solve: a search that was begun on
/// one machine goes on here, and the other way round.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  mpirun -n 16 tilebase-cluster solve --json boards.txt
  mpirun -n 64 tilebase-cluster solve --tables 8-8-7-1 \\
    --checkpoint hard.ckpt hard.txt

All processes must find the same tables. One process for each machine is best: it copies large tables onto huge pages. Of
several on one machine none does; the system has the files in memory once for all.")]
pub(crate) struct Solve {
    /// Boards, such as "1 2 3 / 4 5 6 / 7 8 0", or files of boards; none or - for stdin; read by the first process
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    #[command(flatten)]
    bound_options: BoundOptions,
    #[command(flatten)]
    counting: MetricOption,
    /// Write moves as: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows
    #[arg(long, value_name = "FORM", default_value_t = MoveForm::Tile)]
    moves: MoveForm,
    /// Give up on a board after this many generated nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Give up on a board after this time, such as 500ms, 2s, 5m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Keep what is done of the search for one board in a file, as the first process sees it, and go on from there when it is there: after any
    /// end, with any number of processes, or with tilebase solve
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Search the last bound to its end instead of stopping at the first solution, so that the nodes do not depend on luck
    #[arg(long)]
    finish_bound: bool,
    /// Answer in the order of the boards, not as answers come
    #[arg(long)]
    ordered: bool,
}

/// With less time it is not worth while to copy tables first.
const TIME_WORTH_COPYING: Duration = Duration::from_secs(60);

/// An answer as JSON.
type Keys = Map<String, Value>;

/// What the first process has read: boards, each with where it was given, or why it need not be searched for, as JSON.
struct Read {
    given: Vec<(Place, Result<Board, Keys>)>,
    is_single: bool,
}

impl Read {
    /// The boards that can be solved, each with its number.
    fn boards(&self) -> impl Iterator<Item = (usize, Board)> {
        self.given.iter().enumerate().filter_map(|(id, (_, board))| Some((id, *board.as_ref().ok()?)))
    }
}

impl Solve {
    /// What must be the same in all processes. Tables are compared when they are open.
    pub(crate) fn common(&self) -> String {
        let Solve { board_options, counting, moves, max_nodes, time_limit, finish_bound, .. } = self;
        format!("solve {board_options:?} {counting:?} {moves} {max_nodes:?} {time_limit:?} {finish_bound}")
    }

    pub(crate) fn run(&self, session: &Session, team: &Team, roll: &Roll<'_>) -> Result {
        // Whoever follows is let go by the first process, which hears of Ctrl-C as well.
        interrupt::stop_when_asked();
        let goal = self.board_options.goal()?;
        let mut read = None;
        let mut refusal = None;
        let told = roll.texts.of_first(|| match self.read(&goal) {
            Ok(boards) => {
                let sizes: BTreeSet<String> = boards.boards().map(|(_, board)| board.size().to_string()).collect();
                let sizes: Vec<String> = sizes.into_iter().collect();
                let alone = boards.boards().next().filter(|_| boards.is_single).map(|(_, board)| board.to_string());
                let text = format!("{}\n{}", sizes.join(" "), alone.unwrap_or_default());
                read = Some(boards);
                text
            }
            Err(failure) => {
                refusal = Some(failure.to_string());
                String::new()
            }
        })?;
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(exit);
        }
        let (sizes, alone) = told.split_once('\n').unwrap_or((&told, ""));
        let solvers = match self.open(sizes, &goal, session, team, roll)? {
            Ok(solvers) => solvers,
            Err(exit) => return Ok(exit),
        };
        if alone.is_empty() {
            let threads = roll.threads(session);
            let of_all = roll.texts.of_all(&threads.to_string())?;
            let all_threads = of_all.iter().filter_map(|threads| threads.parse::<usize>().ok()).sum();
            let answer = |board: &Board| self.answer(board, &solvers);
            let Some(read) = read else {
                boards::follow(team, threads, answer);
                return Ok(Exit::Done);
            };
            self.lead_boards(read, (threads, all_threads), answer, session, team)
        } else {
            let board: Board = alone.parse().map_err(|_| Failure::new("the board cannot be read"))?;
            self.one_board(&board, read, &solvers[&board.size()], session, team, roll)
        }
    }

    /// Reads all boards, and answers those that cannot be solved.
    fn read(&self, goal: &Goal) -> Result<Read> {
        let input = input::boards(&self.boards, self.board_options.size)?;
        let of_one = |Given { place, board, .. }| {
            let wrong = |why: String| Map::from_iter([("error".to_owned(), json!(why))]);
            let with_goal = |board: Board| Ok((board, goal.board(board.size()).map_err(|error| error.to_string())?));
            let board = board.and_then(with_goal).map_err(wrong).and_then(|(board, goal)| {
                let parity = Parity::between(&board, &goal);
                if parity.is_solvable() { Ok(board) } else { Err(unsolvable_json(&board, parity)) }
            });
            (place, board)
        };
        let read = Read { is_single: input.is_single, given: input.boards.map(of_one).collect() };
        if self.checkpoint.is_some() && !read.is_single {
            return Err(Failure::new(
                "a checkpoint is for one board: give one as an argument, and a file of its own to each",
            ));
        }
        Ok(read)
    }

    /// Opens solvers for boards of some sizes. All processes must have the same tables.
    fn open(
        &self,
        sizes: &str,
        goal: &Goal,
        session: &Session,
        team: &Team,
        roll: &Roll<'_>,
    ) -> Result<std::result::Result<BTreeMap<Size, Solver>, Exit>> {
        // A copy for each of several processes would be too many, and with little time there would be none left.
        let is_worth_it = self.time_limit.is_none_or(|most| most >= TIME_WORTH_COPYING);
        let copied_after = if team.on_machine == 1 && is_worth_it { Duration::ZERO } else { Duration::MAX };
        let open = |size: Size| -> Result<Solver> {
            let goal = goal.board(size)?;
            let builder = Solver::builder(&goal)
                .tables(self.bound_options.tables())
                .metric(self.counting.metric)
                .copied_after(copied_after);
            solvers::open(builder, &session.source(), session)
        };
        let mut solvers = BTreeMap::new();
        let mut refusal = None;
        for size in sizes.split_whitespace().filter_map(|size| size.parse().ok()) {
            match open(size) {
                Ok(solver) => _ = solvers.insert(size, solver),
                Err(failure) => refusal = Some(failure.to_string()),
            }
        }
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(Err(exit));
        }
        let tables = solvers.values().map(identity).collect::<Vec<_>>().join("; ");
        let of_first = roll.texts.of_first(|| tables.clone())?;
        let refusal = (tables != of_first).then(|| {
            format!("the tables here are {tables}, but those of process 0 are {of_first}: use the same everywhere, by name (--tables)")
        });
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(Err(exit));
        }
        // Before any search, by all processes at the same time.
        let copied = bars::watched(session, |watch| solvers.values().try_for_each(|solver| solver.copy_tables(watch)));
        Ok(roll.all_can(session, copied.err().map(|error| error.to_string()))?.map(|()| solvers))
    }

    fn limits(&self) -> Limits {
        Limits::default().nodes(self.max_nodes).time(self.time_limit)
    }

    /// What became of a board: how the command ends after it, and JSON.
    fn answer(&self, board: &Board, solvers: &BTreeMap<Size, Solver>) -> String {
        let solver = &solvers[&board.size()];
        let watch = |_: &Event<'_>| interrupt::go_on();
        let request = Request::default().limits(self.limits()).finish_bound(self.finish_bound).watch(&watch);
        let keys = match solver.search(board, &request) {
            Ok(outcome) => self.answer_json(board, &outcome, solver),
            Err(error) => Map::from_iter([("error".to_owned(), json!(error.to_string()))]),
        };
        format!("{} {}", exit_of(&keys).code(), Value::Object(keys))
    }

    fn answer_json(&self, board: &Board, outcome: &Outcome, solver: &Solver) -> Map<String, Value> {
        let answer = tilebase::Answer {
            board,
            outcome,
            wanted: Wanted::First,
            moves: self.moves,
            bounds: Some((self.bound_options.key(Search::default()), solver.name())),
            tables: solver.tables(),
            algorithm: Search::default().about().name,
            weight: Weight::ONE,
            metric: solver.metric(),
        };
        answer.json()
    }

    /// Hands out many boards, and tells what became of them.
    fn lead_boards(
        &self,
        read: Read,
        (threads, all_threads): (usize, usize),
        answer: impl Fn(&Board) -> String + Sync,
        session: &Session,
        team: &Team,
    ) -> Result {
        let life = Life::new(session, "boards", false);
        let total = read.boards().count();
        let pile = Pile::new(read.boards(), all_threads);
        let (places, early): (Vec<Place>, Vec<_>) =
            read.given.into_iter().map(|(place, board)| (place, board.err())).unzip();
        let answered = |keys: Keys| format!("{} {}", exit_of(&keys).code(), Value::Object(keys));
        let early = early.into_iter().enumerate().filter_map(|(id, keys)| Some((id, answered(keys?)))).collect();
        let mut told = Told { next: 0, early, exit: Exit::Done, written: Ok(()) };
        told.tell(self.ordered, |id, json| tell(&places[id], json, session, &life));
        let told = Mutex::new(told);
        let started = Instant::now();
        let notes = Notes::new(session);
        let done = |answers: Answers| {
            let mut told = told.lock().expect("no thread panics with it");
            told.early.extend(answers);
            told.tell(self.ordered, |id, json| tell(&places[id], json, session, &life));
            notes.tell(|_| format!("{} of {} told", told.next, counted(places.len() as u64, "board")));
            told.written.is_ok() && !interrupt::asked_to_stop()
        };
        boards::lead(team, &pile, threads, answer, done);
        life.bar.finish_and_clear();
        let Told { exit, written, .. } = told.into_inner().expect("no thread panics with it");
        written?;
        if total == 0 {
            return Ok(exit);
        }
        session.note(format!(
            "{} by {} in {:.3} s",
            counted(total as u64, "board"),
            team.processes(),
            started.elapsed().as_secs_f64()
        ));
        Ok(exit)
    }

    /// Searches for one board, all processes together.
    fn one_board(
        &self,
        board: &Board,
        read: Option<Read>,
        solver: &Solver,
        session: &Session,
        team: &Team,
        roll: &Roll<'_>,
    ) -> Result {
        let threads = NonZeroUsize::new(roll.threads(session)).unwrap_or(NonZeroUsize::MIN);
        let Some(read) = read else {
            // An answer rests on the tables of all processes, which must have been whole to the end.
            let ended = follow(board, solver, threads, team);
            return Ok(roll.all_can(session, ended.err())?.err().unwrap_or(Exit::Done));
        };
        let life = Life::new(session, "boards", true);
        let notes = Notes::new(session);
        let watch = |event: &Event<'_>| {
            life.follow(event);
            if let Event::Searching(searching) = event {
                notes.tell(|_| search_text(searching));
            }
            interrupt::go_on()
        };
        let leader = Leader::new(team);
        let request = Request::default().limits(self.limits()).finish_bound(self.finish_bound).threads(threads);
        let request = request.helpers(&leader).watch(&watch);
        let outcome = match &self.checkpoint {
            Some(path) => solvers::search_kept(path, solver, board, &request, session),
            None => solver.search(board, &request).map_err(|error| error.to_string()),
        };
        let shared = leader.time();
        leader.release();
        life.bar.finish_and_clear();
        let (outcome, refusal) = match outcome {
            Ok(outcome) => (Some(outcome), None),
            Err(why) => (None, Some(why)),
        };
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(exit);
        }
        let outcome = outcome.expect("nobody has refused");
        let exit = match &outcome {
            Outcome::Solved(_) => Exit::Done,
            Outcome::Limited(limited) if limited.limit == Limit::Cancelled => Exit::Interrupted,
            Outcome::Limited(_) => Exit::Limit,
        };
        let mut keys = self.answer_json(board, &outcome, solver);
        let elsewhere = leader.done_elsewhere.into_inner();
        keys.insert("processes".to_owned(), json!(team.count()));
        keys.insert("units_elsewhere".to_owned(), json!(elsewhere));
        keys.insert("shared_seconds".to_owned(), json!(shared.map(|time| time.as_secs_f64())));
        let (place, effort) = (&read.given[0].0, outcome.effort());
        tell(place, &Value::Object(keys).to_string(), session, &life)?;
        let by =
            format!("tables {}, {}, {} done elsewhere", solver.name(), team.processes(), counted(elsewhere, "unit"));
        session.note(format!("{} in {:.3} s, {by}", counted(effort.generated, "node"), effort.time.as_secs_f64()));
        Ok(exit)
    }
}

/// Follows the first process through its search. If that fails here while the first process counts on it, all processes end.
fn follow(board: &Board, solver: &Solver, threads: NonZeroUsize, team: &Team) -> Result<(), String> {
    let follower = Follower::new(team);
    std::thread::scope(|scope| {
        let _all_end = AbortOnPanic(team);
        scope.spawn(|| follower.listen());
        let why = match solver.search(board, &Request::default().threads(threads).lead(&follower)) {
            Ok(Outcome::Limited(limited)) if limited.limit == Limit::Released => return Ok(()),
            Ok(_) => OTHER_UNITS.to_owned(),
            Err(error) => error.to_string(),
        };
        if !follower.is_released() {
            eprintln!("error: process {} of {} on {}: {why}", team.rank(), team.count(), team.machine);
            team.abort(Exit::Error.code());
        }
        Err(why)
    })
}

const OTHER_UNITS: &str =
    "the search here has other units than that of process 0: use the same program and tables everywhere";

/// Tells what became of a board, given as JSON. In JSON it only gets its number, without being read: there are many.
fn tell(place: &Place, json: &str, session: &Session, life: &Life) -> io::Result<()> {
    life.bar.inc(1);
    life.bar.suspend(|| {
        if session.json {
            let number = place.json(Map::new()).to_string();
            return session.answer(format_args!("{},{}", number.trim_end_matches('}'), json.trim_start_matches('{')));
        }
        let (label, keys) = (place.label(), serde_json::from_str(json).unwrap_or_default());
        let text = format!("{label}{}", text_of(&keys));
        if keys.contains_key("error") {
            session.error(text);
            return Ok(());
        }
        session.answer(text)
    })
}

/// What became of a board, for people.
fn text_of(keys: &Map<String, Value>) -> String {
    let (number, text) =
        (|key: &str| keys.get(key).and_then(Value::as_u64), |key: &str| keys.get(key).and_then(Value::as_str));
    if let Some(error) = text("error") {
        return error.to_owned();
    }
    if keys.get("solvable") == Some(&Value::Bool(false)) {
        return format!("unsolvable: {}", text("reason").unwrap_or_default());
    }
    match (number("length"), text("moves")) {
        (Some(0), _) => "0 moves: it is solved already".to_owned(),
        (Some(length), Some(moves)) => format!("{}: {moves}", counted(length, "move")),
        _ if text("limit") == Some("cancelled") => {
            let at_least = counted(number("at_least").unwrap_or(0), "move");
            format!("not solved: interrupted; every solution has at least {at_least}")
        }
        _ => {
            let limit = text("limit").unwrap_or("search");
            let at_least = counted(number("at_least").unwrap_or(0), "move");
            format!("not solved: the limit of {limit} was reached; every solution has at least {at_least}")
        }
    }
}

/// What makes the tables of a solver these and no others.
fn identity(solver: &Solver) -> String {
    let hashes: Vec<String> = solver.tables().iter().map(|table| table.header().hash_text()[..12].to_owned()).collect();
    format!("{} ({})", solver.name(), hashes.join(" "))
}

/// What has been told of many boards.
struct Told {
    /// The next board to be told of, in order.
    next: usize,
    /// What became of boards that have not been told of: an exit code, and JSON.
    early: BTreeMap<usize, String>,
    /// The exit code that weighs most.
    exit: Exit,
    written: io::Result<()>,
}

impl Told {
    /// Tells what can be told.
    fn tell(&mut self, ordered: bool, tell: impl Fn(usize, &str) -> io::Result<()>) {
        while let Some(entry) = self.early.first_entry() {
            if ordered && *entry.key() != self.next {
                return;
            }
            let (id, answer) = entry.remove_entry();
            let (code, json) = answer.split_once(' ').unwrap_or_default();
            self.next += 1;
            let exit = EXITS.into_iter().find(|exit| exit.code().to_string() == code).unwrap_or(Exit::Error);
            self.exit = self.exit.max(exit);
            if self.written.is_ok() {
                self.written = tell(id, json);
            }
        }
    }
}

/// How a command can end after an answer.
const EXITS: [Exit; 5] = [Exit::Done, Exit::Negative, Exit::Limit, Exit::Error, Exit::Interrupted];

/// How a command ends after an answer.
fn exit_of(keys: &Map<String, Value>) -> Exit {
    if keys.contains_key("error") {
        return Exit::Error;
    }
    if keys.get("solvable") == Some(&Value::Bool(false)) {
        return Exit::Negative;
    }
    match keys.get("limit").and_then(Value::as_str) {
        None => Exit::Done,
        Some("cancelled") => Exit::Interrupted,
        Some(_) => Exit::Limit,
    }
}
