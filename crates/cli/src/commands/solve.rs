//! `tilebase solve`

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use serde_json::{Map, Value, json};
use tilebase::progress::{Event, until};
use tilebase::puzzle::{Board, MoveForm, Notation, Parity};
use tilebase::solve::{Effort, Limit, Limits, NotPossible, Outcome, Request, Solved, Wanted, Weight, batch};
use tilebase::{Best, Improved, Search, Solver, add_gap, least_moves, memory_for_nodes, unsolvable_json};

use crate::algorithm::Algorithm;
use crate::goals::Goals;
use crate::input::{self, Given, Input, Place};
use crate::interrupt::{self, UnderWay};
use crate::life::Life;
use crate::options::{BoardOptions, BoundOptions, MetricOption, NotationOptions, one_of};
use crate::sequence::{self, Report};
use crate::session::counted;
use crate::solvers::{self, NoSolver, SolversByGoal};
use crate::{Exit, Failure, Result, Session, limits};

/// Find shortest solutions
///
/// Boards are arguments, in files that are named there, or on stdin when there are none: a board a line, rows on lines of their own
/// with an empty line between boards, JSON, or what show draws. Each answer is the number of moves and the moves; no
/// solution can be shorter. A board that cannot reach the goal is refused before any search; the answer names a goal that it can reach.
/// At a limit,
/// and after Ctrl-C, the answer is what is proven by then: how many moves every solution has at least; with --anytime, the best solution
/// as well. A second Ctrl-C ends it at once.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase solve \"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\"
  tilebase solve --goal blank-first \\
    \"14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3\"
  # the tiles to move: 5 8
  tilebase solve --moves tiles \"1 2 3 / 4 0 6 / 7 5 8\"
  # every shortest solution
  tilebase solve --all \"8 6 7 / 2 5 4 / 3 0 1\"
  tilebase solve --heuristic linear-conflict --algorithm astar \\
    \"8 6 7 / 2 5 4 / 3 0 1\"
  # without quotes
  tilebase solve 1 2 3 4 5 6 7 0 8
  # a character for each square
  tilebase solve 123456708
  # every board of a file
  tilebase solve boards.txt
  tilebase solve --boards --rows tight \"1 2 3 / 4 0 6 / 7 5 8\"
  tilebase solve --algorithm astar --heuristic manhattan \\
    --report exercise puzzle.txt
  # several tiles are one move
  tilebase solve --metric mtm --goal blank-first \\
    \"14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3\"
  # a hundred boards on all cores
  tilebase scramble --count 100 | tilebase solve --json
  tilebase scramble --size 5x5 | tilebase solve --anytime --time-limit 10s
  tilebase scramble --size 5x5 | tilebase solve --anytime --within 10%
  # resume after an interruption
  tilebase solve --tables 8-8-7-1 --checkpoint hard.ckpt hard.txt

Moves: R2U3L means two tiles slide right, three up, one left: 6 moves, or 3 with --metric mtm.")]
pub(crate) struct Solve {
    /// Boards, such as "1 2 3 / 4 5 6 / 7 8 0" or 1 2 3 4 5 6 7 8 0, or files of boards; none or - for stdin
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    #[command(flatten)]
    counting: MetricOption,
    #[command(flatten)]
    bound_options: BoundOptions,
    /// The search
    #[arg(long, value_name = "NAME", default_value = "ida", value_parser = Algorithm::parser())]
    algorithm: Algorithm,
    /// Weight of the heuristic, 1 or more, such as 1.5 or 81/19: faster, and up to this many times as long as the shortest
    #[arg(long, value_name = "W", default_value_t = Weight::ONE, conflicts_with_all = ["all", "count"])]
    weight: Weight,
    /// With --algorithm beam: how many states of each depth are kept [default: 10000]
    #[arg(long, value_name = "N")]
    width: Option<NonZeroUsize>,
    /// A good solution soon, better ones as they are found, each with what is proven: how many moves every solution has at least. At the end
    /// of it, whatever ends it, the best solution
    #[arg(long, conflicts_with_all = ["weight", "all", "count", "report", "checkpoint", "finish_bound", "width"])]
    anytime: bool,
    /// With --anytime: end as soon as the solution is proven to be at most this much longer than the shortest, such as 5%
    #[arg(long, value_name = "PERCENT", requires = "anytime", value_parser = limits::percent)]
    within: Option<Weight>,
    /// Find every shortest solution
    #[arg(long)]
    all: bool,
    /// With --all: only say how many there are
    #[arg(long, requires = "all")]
    count: bool,
    /// Write moves as: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows
    #[arg(long, value_name = "FORM", default_value_t = MoveForm::Tile)]
    moves: MoveForm,
    /// Write every board of the solution as well, from the first to the last
    #[arg(long = "boards", conflicts_with = "all")]
    sequence: bool,
    /// Write the answer as a report
    #[arg(long, value_name = "KIND", conflicts_with = "all", value_parser = one_of([
        ("exercise", "What the n-puzzle exercise asks for: states selected, most states in memory, moves, every state", Report::Exercise),
    ]))]
    report: Option<Report>,
    #[command(flatten)]
    notation: NotationOptions,
    /// Give up on a board after this many generated nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Give up on a board after this time, such as 500ms, 2s, 5m or 1h; a number alone is seconds. For a single board
    /// this includes making tables ready. It does not where many boards share them, nor with --anytime
    #[arg(long, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Memory to use, such as 2GiB: auto takes no tables that need more, and a search that keeps its nodes gives up on a board
    /// when they do [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::memory)]
    max_memory: Option<ByteSize>,
    /// Keep what is done of the search for one board in a file, and go on from there when the file is there: after any end, with
    /// any number of threads
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "count"])]
    checkpoint: Option<PathBuf>,
    /// Search the last bound to its end instead of stopping at the first solution, so that the nodes do not depend on luck
    #[arg(long)]
    finish_bound: bool,
    /// Answer in the order of the boards, not as answers come
    #[arg(long)]
    ordered: bool,
}

/// A search that takes longer makes us mention stronger tables.
const SLOW: Duration = Duration::from_millis(500);

impl Solve {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let goals = self.board_options.goals()?;
        self.algorithm.check(self.weight, self.bound_options.is_chosen())?;
        if self.notation.notation() != Notation::default() && !self.sequence && self.report.is_none() {
            let message =
                "--rows, --separator and --blank say how boards are written: add --boards to have them written";
            return Err(Failure::new(message));
        }
        let search = self.algorithm.search;
        if self.width.is_some() && !matches!(search, Search::Beam(_)) {
            return Err(Failure::new("--width is how wide a beam is: add --algorithm beam, or leave it out"));
        }
        if self.anytime && !search.about().has_bounds {
            return Err(Failure::new(format!(
                "--anytime raises bounds by ida, which {} has none of: leave --algorithm out",
                search.about().name
            )));
        }
        let most_memory = self.max_memory.map(|size| size.as_u64());
        let solvers = SolversByGoal::new(search, &self.bound_options, session);
        let Input { boards, is_single } = input::boards(&self.boards, self.board_options.size)?;
        let solvers = solvers.counting_in(self.counting.metric).within(most_memory);
        let solvers = solvers.for_at_most(self.time_limit.filter(|_| is_single && !self.anytime));
        // Before a checkpoint is written that nobody could use.
        if (self.checkpoint.is_some() || self.finish_bound) && !search.about().has_bounds {
            return Err(Failure::new(NotPossible::Bounds(search.about().name).to_string()));
        }
        if self.checkpoint.is_some() && self.weight != Weight::ONE {
            return Err(Failure::new(NotPossible::Kept.to_string()));
        }
        if self.checkpoint.is_some() && !is_single {
            return Err(Failure::new(
                "a checkpoint is for one board: give one as an argument, and a file of its own to each",
            ));
        }
        let life = Life::new(session, "boards", is_single);
        let mut exit = Exit::Done;
        let mut written = Ok(());
        let mut slow = None;
        let mut ended_early = false;
        let stop = AtomicBool::new(false);
        // A single board has all threads to itself; of many, each has one.
        let threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        let (at_once, for_each) = if life.is_single { (1, threads) } else { (threads.get(), NonZeroUsize::MIN) };
        let memory = memory_for_nodes(most_memory, NonZeroUsize::new(at_once).unwrap_or(NonZeroUsize::MIN));
        let limits = Limits::default().nodes(self.max_nodes).time(self.time_limit).memory(memory);
        batch::run(
            at_once,
            self.ordered,
            // After Ctrl-C no other board is begun, and what is known of those under way is told.
            boards.take_while(|_| !interrupt::asked_to_stop()).map(|given| (UnderWay::new(), given)),
            |(under_way, given)| {
                let watch = |event: &Event<'_>| {
                    life.follow(event);
                    interrupt::go_on()?;
                    until(&stop)(event)
                };
                let request = Request::default().wanted(self.wanted()).weight(self.weight).limits(limits);
                let request = request
                    .finish_bound(self.finish_bound)
                    .width(self.width.unwrap_or(Request::DEFAULT_WIDTH))
                    .threads(for_each)
                    .watch(&watch);
                (under_way, self.answer(given, (&goals, &solvers), &request, (session, &life)))
            },
            |(under_way, answer)| {
                exit = exit.max(answer.exit());
                slow = slow.take().or_else(|| answer.slow_without());
                ended_early |= answer.could_be_improved();
                written = self.write(&answer, &limits, session, &life);
                stop.store(written.is_err(), Ordering::Relaxed);
                if written.is_ok() {
                    under_way.told(|| life.bar.finish_and_clear());
                }
                written.is_ok()
            },
        );
        life.bar.finish_and_clear();
        written?;
        if ended_early && self.could_be_anytime() {
            session.note("--anytime gives a solution soon, and says how far from the shortest it can be");
        }
        if let Some(name) = slow {
            session.note(format!("stronger tables would help: tilebase generate {name}"));
        }
        Ok(exit)
    }

    /// Whether the same command makes sense with --anytime.
    fn could_be_anytime(&self) -> bool {
        let is_special = self.all || self.report.is_some() || self.checkpoint.is_some() || self.finish_bound;
        !self.anytime && !is_special && self.weight == Weight::ONE && self.algorithm.search.about().has_bounds
    }

    fn answer(
        &self,
        given: Given,
        (goals, solvers): (&Goals, &SolversByGoal<'_>),
        request: &Request<'_>,
        (session, life): (&Session, &Life),
    ) -> Answer {
        let Given { place, board, has_size_line } = given;
        let mut goal_of_file = None;
        let result = board.map_err(Unanswered::Input).and_then(|board| {
            // Before tables are looked for, let alone a search begun.
            let goal = goals.of(has_size_line, board.size()).map_err(|why| Unanswered::Input(why.to_string()))?;
            goal_of_file = Some(goal).filter(|_| goals.is_of_exercise(has_size_line));
            if let Some(note) = goals.note(has_size_line) {
                life.bar.suspend(|| session.note(note));
            }
            let parity = Parity::between(&board, &goal);
            if !parity.is_solvable() {
                return Err(Unanswered::Unsolvable { board, parity, remedy: goals.unsolvable(&board, &goal) });
            }
            let not_begun = |limit| {
                let at_least = least_moves(&board, &goal, self.counting.metric);
                Unanswered::NotBegun { board, at_least, limit }
            };
            let solver = solvers.get(&goal).map_err(|why| match why {
                NoSolver::TooLate => not_begun(Limit::Time),
                NoSolver::Refused(_) if interrupt::asked_to_stop() => not_begun(Limit::Cancelled),
                NoSolver::Refused(why) => Unanswered::Input(why),
            })?;
            let request = &request.limits(solvers.limits_now(request.limits));
            if self.anytime {
                let at_once = if life.is_single { 1 } else { session.threads() };
                let boards = NonZeroUsize::new(at_once).unwrap_or(NonZeroUsize::MIN);
                let most = self.max_memory.map(|size| size.as_u64());
                let limits = request.limits.memory(solver.memory_to_improve(most, boards));
                let request = request.limits(limits).weight(self.within.unwrap_or(Weight::ONE));
                let told = |best: &Best| self.tell_improvement(&place, &board, &solver, best, (session, life));
                let improved = solver.improve(&board, &request, &told);
                let improved = improved.map_err(|error| Unanswered::Input(error.to_string()))?;
                let outcome = improved.best.outcome(improved.limit);
                return Ok(Answered { outcome, board, solver, improved: Some(improved) });
            }
            let outcome = match &self.checkpoint {
                Some(path) => solvers::search_kept(path, &solver, &board, request, session),
                None => solver.search(&board, request).map_err(|error| error.to_string()),
            };
            Ok(Answered { outcome: outcome.map_err(Unanswered::Input)?, board, solver, improved: None })
        });
        Answer { place, goal_of_file, result }
    }

    /// Tells of a better solution, or of a larger bound, while the search goes on.
    fn tell_improvement(
        &self,
        place: &Place,
        board: &Board,
        solver: &Solver,
        best: &Best,
        (session, life): (&Session, &Life),
    ) -> ControlFlow<()> {
        // That is the answer, which follows.
        if best.is_optimal() {
            return ControlFlow::Continue(());
        }
        let told = life.bar.suspend(|| {
            if session.json {
                let mut keys = self.answer_json(board, &best.outcome(None), solver);
                add_gap(&mut keys, best, None);
                keys.insert("improving".to_owned(), json!(true));
                return session.answer(place.json(keys));
            }
            let length = counted(best.length().unwrap_or(0).into(), "move");
            session.note(format!("{}{length} now, at least {}", place.label(), best.at_least));
            Ok(())
        });
        if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// What JSON calls the bounds.
    fn bounds_key(&self) -> &'static str {
        self.bound_options.key(self.algorithm.search)
    }

    fn wanted(&self) -> Wanted {
        match (self.all, self.count) {
            (true, true) => Wanted::Count,
            (true, false) => Wanted::All,
            _ => Wanted::First,
        }
    }

    fn write(&self, answer: &Answer, limits: &Limits, session: &Session, life: &Life) -> io::Result<()> {
        life.bar.inc(1);
        life.bar.suspend(|| {
            if session.json {
                return session.answer(self.json(answer));
            }
            let id = answer.place.label();
            let answered = match &answer.result {
                Err(Unanswered::Input(why)) => {
                    session.error(format!("{id}{why}"));
                    return Ok(());
                }
                Err(Unanswered::NotBegun { at_least, limit, .. }) => {
                    let (why, moves) = (limits::named(*limit, limits), counted((*at_least).into(), "move"));
                    let text = format!(
                        "{id}not solved: {why} before the tables were ready; every solution has at least {moves}"
                    );
                    return session.answer(text);
                }
                Err(Unanswered::Unsolvable { remedy, .. }) => {
                    return session.answer(format!("{id}unsolvable: {remedy}"));
                }
                Ok(answered) => answered,
            };
            let (text, optimal) = match &answered.outcome {
                Outcome::Solved(solved) => {
                    (self.solved_text(&answered.board, solved, answered.at_least()), solved.optimal)
                }
                Outcome::Limited(limited) => {
                    let (reached, moves) = (limits::reached(limited, limits), counted(limited.at_least.into(), "move"));
                    (format!("not solved: {reached}; every solution has at least {moves}"), true)
                }
            };
            session.answer(format!("{id}{text}"))?;
            if id.is_empty() {
                session.note(answered.effort_text(self.algorithm, self.bounds_key()));
                if !optimal {
                    session.note(self.not_optimal_text(answered, limits));
                }
            }
            Ok(())
        })
    }

    /// The solution. If it is not proven to be shortest, every one has at least some number of moves.
    fn solved_text(&self, board: &Board, solved: &Solved, at_least: Option<u32>) -> String {
        if self.report == Some(Report::Exercise) {
            return sequence::exercise(board, solved, self.counting.metric);
        }
        let boards = |slides: &Vec<_>| sequence::text(board, slides, self.counting.metric, &self.notation);
        let boards = solved.solutions.first().filter(|_| self.sequence).map(boards).unwrap_or_default();
        if solved.length == 0 {
            return format!("0 moves: it is solved already{boards}");
        }
        let (moves, solutions) = (counted(solved.length.into(), "move"), counted(solved.count, "solution"));
        let text = |slides: &Vec<_>| self.moves.write(slides, board).expect("solutions have been replayed");
        let lines = solved.solutions.iter().map(text);
        match (self.all, self.count) {
            (true, true) => format!("{moves}, {solutions}"),
            (true, false) => format!("{moves}, {solutions}:\n  {}", lines.collect::<Vec<_>>().join("\n  ")),
            _ => {
                let at_least = at_least.map(|at_least| format!(" (at least {at_least})")).unwrap_or_default();
                format!("{moves}{at_least}: {}{boards}", lines.collect::<String>())
            }
        }
    }

    /// Why there may be shorter solutions, and how much shorter.
    fn not_optimal_text(&self, answered: &Answered, limits: &Limits) -> String {
        if let Some(Improved { best, limit, .. }) = &answered.improved {
            let why = limit.map_or("that is near enough".to_owned(), |limit| limits::named(limit, limits));
            let percent = best.gap().unwrap_or_default() * 100.0;
            let least = counted(best.at_least.into(), "move");
            return format!(
                "{why}; every solution has at least {least}, so that this one is at most {percent:.1} % longer"
            );
        }
        let (weight, name) = (self.weight, answered.solver.name());
        let about = self.algorithm.search.about();
        let why = if let Search::Beam(_) = self.algorithm.search {
            format!("only the best {} states of each depth were kept", self.width.unwrap_or(Request::DEFAULT_WIDTH))
        } else if !about.finds_shortest {
            format!("{} looks at bounds alone", about.name)
        } else if answered.solver.is_admissible() {
            format!("with a weight of {weight}, up to {weight} times the shortest is found")
        } else {
            format!("{name} may exceed the distance")
        };
        format!("there may be shorter solutions: {why}")
    }

    fn json(&self, answer: &Answer) -> Value {
        let mut keys = match &answer.result {
            Err(Unanswered::Input(why)) => Map::from_iter([("error".to_owned(), json!(why))]),
            Err(Unanswered::Unsolvable { board, parity, .. }) => unsolvable_json(board, *parity),
            Err(Unanswered::NotBegun { board, at_least, limit }) => {
                let board = board.to_string();
                let keys = json!({
                    "board": board, "solvable": true, "limit": limit.to_string(), "at_least": at_least, "nodes": 0
                });
                keys.as_object().cloned().unwrap_or_default()
            }
            Ok(Answered { board, outcome, solver, improved }) => {
                let mut keys = self.answer_json(board, outcome, solver);
                if let Some(Improved { best, limit, .. }) = improved {
                    add_gap(&mut keys, best, *limit);
                }
                keys.extend(self.boards_json(board, outcome).map(|boards| ("boards".to_owned(), boards)));
                keys
            }
        };
        // Cancelled with Ctrl-C.
        if answer.exit() == Exit::Interrupted {
            keys.insert("limit".to_owned(), json!("interrupted"));
        }
        keys.extend(answer.goal_of_file.map(|goal| ("goal".to_owned(), json!(goal.to_string()))));
        answer.place.json(keys)
    }

    fn answer_json(&self, board: &Board, outcome: &Outcome, solver: &Solver) -> Map<String, Value> {
        let answer = tilebase::Answer {
            board,
            outcome,
            wanted: self.wanted(),
            moves: self.moves,
            bounds: self.algorithm.search.about().uses_heuristic.then(|| (self.bounds_key(), solver.name())),
            tables: solver.tables(),
            algorithm: if self.anytime { "anytime" } else { self.algorithm.name },
            weight: self.weight,
            metric: self.counting.metric,
        };
        answer.json()
    }

    /// The boards of the solution, where they are wanted and there is one.
    fn boards_json(&self, board: &Board, outcome: &Outcome) -> Option<Value> {
        let Outcome::Solved(solved) = outcome else { return None };
        let slides = solved.solutions.first().filter(|_| self.sequence || self.report.is_some())?;
        let written = |board: &Board| Value::from(self.notation.notation().write(board));
        Some(sequence::along(board, slides, self.counting.metric).iter().map(written).collect())
    }
}

/// What became of a board.
struct Answer {
    place: Place,
    /// The goal, where the form of the file decides it.
    goal_of_file: Option<Board>,
    result: Result<Answered, Unanswered>,
}

struct Answered {
    board: Board,
    outcome: Outcome,
    solver: Arc<Solver>,
    /// How it ended, if better and better solutions were looked for.
    improved: Option<Improved>,
}

enum Unanswered {
    /// The board, the goal or the tables are wrong.
    Input(String),
    /// The board cannot be solved; what to do about it, and why.
    Unsolvable { board: Board, parity: Parity, remedy: String },
    /// Ctrl-C or the time limit came before the search began; every solution has at least this many moves.
    NotBegun { board: Board, at_least: u32, limit: Limit },
}

impl Answer {
    /// Whether it ended early, with bounds that can be proven.
    fn could_be_improved(&self) -> bool {
        self.result.as_ref().is_ok_and(|answered| answered.limit().is_some() && answered.solver.is_admissible())
    }

    /// When the search took long: stronger tables that are not there.
    fn slow_without(&self) -> Option<String> {
        let answered = self.result.as_ref().ok().filter(|answered| answered.outcome.effort().time > SLOW)?;
        answered.solver.stronger().map(str::to_owned)
    }

    fn exit(&self) -> Exit {
        match &self.result {
            Err(Unanswered::Input(_)) => Exit::Error,
            Err(Unanswered::NotBegun { limit: Limit::Cancelled, .. }) => Exit::Interrupted,
            Err(Unanswered::NotBegun { .. }) => Exit::Limit,
            Err(Unanswered::Unsolvable { .. }) => Exit::Negative,
            Ok(answered) => match answered.limit() {
                None => Exit::Done,
                Some(Limit::Cancelled) => Exit::Interrupted,
                Some(_) => Exit::Limit,
            },
        }
    }
}

impl Answered {
    /// The limit that ended the search, if one did.
    fn limit(&self) -> Option<Limit> {
        match (&self.improved, &self.outcome) {
            (Some(improved), _) => improved.limit,
            (None, Outcome::Limited(limited)) => Some(limited.limit),
            (None, Outcome::Solved(_)) => None,
        }
    }

    /// How many moves every solution has at least, where the one found is not proven to be shortest.
    fn at_least(&self) -> Option<u32> {
        self.improved.as_ref().filter(|improved| !improved.best.is_optimal()).map(|improved| improved.best.at_least)
    }

    /// How many nodes, how long, and with what.
    fn effort_text(&self, algorithm: Algorithm, kind: &str) -> String {
        let Effort { generated, time, peak_nodes, peak_bytes, .. } = self.outcome.effort();
        let name = self.solver.name();
        let by = match algorithm.search.about() {
            about if !about.uses_heuristic => about.name.to_owned(),
            _ if algorithm.search == Search::default() => format!("{kind} {name}"),
            _ => format!("{kind} {name}, {}", algorithm.name),
        };
        let kept =
            algorithm.search.about().keeps_nodes.then(|| format!(", {peak_nodes} kept in {}", ByteSize(peak_bytes)));
        let nodes = counted(generated, "node");
        format!("{nodes} in {:.3} s{}, {by}", time.as_secs_f64(), kept.unwrap_or_default())
    }
}
