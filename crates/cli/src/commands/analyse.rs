//! `tilebase analyse`

mod given;
mod summary;

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use clap::builder::styling::AnsiColor;
use serde_json::{Value, json};
use tilebase::progress::{Event, until};
use tilebase::puzzle::{MoveForm, has_size_line};
use tilebase::solve::{Limit, Limits, Request, batch};
use tilebase::{Loss, Losses, Review, Search};

use crate::goals::Goals;
use crate::interrupt::{self, UnderWay};
use crate::life::Life;
use crate::options::{BoardOptions, BoundOptions, MetricOption};
#[cfg(feature = "plot")]
use crate::picture::PictureOptions;
use crate::session::counted;
use crate::solvers::{NoSolver, SolversByGoal};
use crate::{Exit, Result, Session, drawing, limits};
use given::{Given, Text};
use summary::Summary;

/// Say where a solution loses moves, and what would have been better
///
/// Is every move legal, does the last one reach the goal, how many moves more than the shortest solution are there, and which moves
/// lost them? A move that leads away from the goal loses two: itself, and one to make up for it (with --metric mtm one may lose one). Of moves that end elsewhere, or
/// cannot all be made, those that can be made are looked at.
///
/// It is also a grader: the exit code is 1 when a move is illegal, the moves do not end at the goal, or there are too many of them by
/// --at-most or --lost-at-most.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase analyse \"1 2 3 / 4 0 6 / 7 5 8\" RLUL
  # moves as numbers of tiles
  tilebase analyse \"1 2 3 / 4 0 6 / 7 5 8\" 4 4 5 8
  # moves as directions of the blank
  tilebase analyse --moves blank \"1 2 3 / 4 0 6 / 7 5 8\" DR
  # exit code 1 if the solution is too long
  tilebase analyse --at-most 3 \"1 2 3 / 4 0 6 / 7 5 8\" RLUL || echo too long
  # a file with a board, a tab and moves on each line
  tilebase analyse --ordered solutions.txt
  tilebase scramble --count 9 | tilebase solve --json | tilebase analyse

Moves: R2U3L means two tiles slide right, three up, one left: 6 moves, or 3 with --metric mtm.")]
pub(crate) struct Analyse {
    /// A board and the moves made from it, such as "1 2 3 / 4 5 6 / 7 0 8" L; or a file, or - for stdin: each line has a board
    /// and moves with a tab between them, or is a JSON object with both, as solve --json writes it
    #[arg(value_name = "BOARD MOVES|FILE")]
    given: Vec<String>,
    #[command(flatten)]
    board_options: BoardOptions,
    /// How moves are written: tile (directions of tiles), blank (directions of the blank), tiles (their numbers), arrows [default: as
    /// they look; letters are directions of tiles]
    #[arg(long, value_name = "FORM")]
    moves: Option<MoveForm>,
    /// Exit with code 1 when a solution has more moves than this
    #[arg(long, value_name = "N")]
    at_most: Option<u32>,
    /// Exit with code 1 when a solution has more than this many moves more than the shortest: 0 allows shortest ones only
    #[arg(long, value_name = "N")]
    lost_at_most: Option<u32>,
    /// Say nothing of each solution, only how many lost how much
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    counting: MetricOption,
    #[command(flatten)]
    bound_options: BoundOptions,
    /// Give up on a solution after this many generated nodes: what is known by then is told
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Give up on a solution after this time, such as 500ms, 2s, 5m or 1h; a number alone is seconds. What is known by then is told
    #[arg(long, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Answer in the order of the solutions, not as answers come
    #[arg(long)]
    ordered: bool,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    picture: PictureOptions,
}

/// What became of a solution.
struct Answer {
    id: usize,
    /// What there is to say of it and what its bounds are called, or what is wrong with the input.
    result: Result<(Review, String), String>,
}

impl Analyse {
    pub(crate) fn run(&self, session: &Session) -> Result {
        #[cfg(feature = "png")]
        self.picture.check()?;
        let goals = self.board_options.goals()?;
        let solvers = SolversByGoal::new(Search::default(), &self.bound_options, session);
        let solvers = solvers.counting_in(self.counting.metric);
        let solvers = solvers.for_at_most(self.time_limit.filter(|_| self.is_single()));
        let solutions = given::solutions(&self.given, self.board_options.size)?;
        let life = Life::new(session, "solutions", self.is_single());
        let mut exit = Exit::Done;
        let mut written = Ok(());
        let mut summary = Summary::default();
        let stop = AtomicBool::new(false);
        // A single solution has all threads to itself; of many, each has one.
        let threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        let (at_once, for_each) = if life.is_single { (1, threads) } else { (threads.get(), NonZeroUsize::MIN) };
        let limits = self.limits();
        batch::run(
            at_once,
            self.ordered,
            // After Ctrl-C nothing else is begun, and what is known of what is under way is told.
            solutions.take_while(|_| !interrupt::asked_to_stop()).map(|given| (UnderWay::new(), given)),
            |(under_way, Given { id, solution })| {
                let watch = |event: &Event<'_>| {
                    life.follow(event);
                    interrupt::go_on()?;
                    until(&stop)(event)
                };
                let request = Request::default().limits(limits).threads(for_each).watch(&watch);
                let result =
                    solution.and_then(|solution| self.review(&solution, (&goals, &solvers), &request, session));
                (under_way, Answer { id, result })
            },
            |(under_way, answer)| {
                exit = exit.max(self.exit(&answer));
                summary.add(answer.result.as_ref().ok().map(|(review, _)| review));
                life.bar.inc(1);
                written = life.bar.suspend(|| self.write(&answer, session));
                stop.store(written.is_err(), Ordering::Relaxed);
                if written.is_ok() {
                    under_way.told(|| {
                        life.bar.finish_and_clear();
                        // Nobody may be there to read it.
                        drop(self.sum_up(&summary, session));
                    });
                }
                written.is_ok()
            },
        );
        life.bar.finish_and_clear();
        written?;
        self.sum_up(&summary, session)?;
        #[cfg(feature = "plot")]
        self.picture.draw(&summary.chart())?;
        Ok(exit)
    }

    fn sum_up(&self, summary: &Summary, session: &Session) -> io::Result<()> {
        if self.summary || (!self.is_single() && !session.json) {
            session.tell(summary.json(), summary.text())?;
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        Limits::default().nodes(self.max_nodes).time(self.time_limit)
    }

    fn is_single(&self) -> bool {
        self.given.first().is_some_and(|first| first != "-") && given::file(&self.given).is_none()
    }

    fn review(
        &self,
        text: &Text,
        (goals, solvers): (&Goals, &SolversByGoal<'_>),
        request: &Request<'_>,
        session: &Session,
    ) -> Result<(Review, String), String> {
        let (has_size_line, moves) = (has_size_line(&text.board), &text.moves);
        let board = text.board(self.board_options.size)?;
        let goal = goals.of(has_size_line, board.size()).map_err(|why| why.to_string())?;
        if let Some(note) = goals.note(has_size_line) {
            session.note(note);
        }
        let review = Review::in_metric(self.counting.metric, board, goal, moves, self.moves);
        let mut review = review.map_err(|error| self.moves_error(error, moves))?;
        if self.moves.is_none() && !review.solves() && self.is_single() && solves_by_blank(&review, moves) {
            session.note("these moves reach the goal as directions of the blank: add --moves blank");
        }
        if !review.parity.is_solvable() {
            return Ok((review, String::new()));
        }
        let solver = match solvers.get(&goal) {
            Err(NoSolver::TooLate) => {
                review.reach(Limit::Time);
                return Ok((review, "manhattan".to_owned()));
            }
            solver => solver.map_err(|why| why.to_string())?,
        };
        let request = request.limits(solvers.limits_now(request.limits));
        review.find_losses(&solver, &request).map_err(|error| error.to_string())?;
        Ok((review, solver.name().to_owned()))
    }

    fn moves_error(&self, error: impl std::fmt::Display, moves: &str) -> String {
        let form = self.moves.unwrap_or_else(|| MoveForm::detect(moves));
        let expected = match form {
            MoveForm::Tiles => "the numbers of tiles, such as 12 8 7",
            MoveForm::Arrows => "arrows, such as →→↑",
            _ => "U, D, L or R, each with a count or without, such as R2U3L",
        };
        format!("{error}: expected {expected}; --moves says how moves are written")
    }

    /// Whether a solution is legal, solves and has not too many moves. Nothing where a limit keeps that from being known.
    fn passes(&self, review: &Review) -> Option<bool> {
        if !review.solves() || self.at_most.is_some_and(|most| review.length > most) {
            return Some(false);
        }
        let (Some(most), Some(losses)) = (self.lost_at_most, &review.losses) else { return Some(true) };
        if losses.lost_at_least() > most {
            return Some(false);
        }
        losses.lost_at_most().is_some_and(|lost| lost <= most).then_some(true)
    }

    fn exit(&self, answer: &Answer) -> Exit {
        let Ok((review, _)) = &answer.result else {
            return if interrupt::asked_to_stop() { Exit::Interrupted } else { Exit::Error };
        };
        if review.losses.as_ref().is_some_and(|losses| losses.limit == Some(Limit::Cancelled)) {
            return Exit::Interrupted;
        }
        let is_limited = review.losses.as_ref().is_some_and(|losses| losses.limit.is_some());
        match self.passes(review) {
            Some(false) => Exit::Negative,
            _ if is_limited => Exit::Limit,
            _ => Exit::Done,
        }
    }

    fn write(&self, answer: &Answer, session: &Session) -> io::Result<()> {
        let id = if self.is_single() { String::new() } else { format!("{}: ", answer.id) };
        match &answer.result {
            Err(why) => session.refuse(json!({ "id": answer.id, "error": why }), format!("{id}{why}")),
            Ok(_) if self.summary => Ok(()),
            Ok((review, name)) if session.json => session.answer(self.json(answer.id, review, name)),
            Ok((review, _)) if self.is_single() => session.answer(self.text(review, session)),
            Ok((review, _)) => session.answer(format!("{id}{}", self.line(review))),
        }
    }

    fn json(&self, id: usize, review: &Review, name: &str) -> Value {
        let mut object = review.json();
        // The command is cancelled by Ctrl-C.
        if review.losses.as_ref().is_some_and(|losses| losses.limit == Some(Limit::Cancelled)) {
            object.insert("limit".to_owned(), json!("interrupted"));
        }
        if review.losses.is_some() {
            object.insert(self.bound_options.key(Search::default()).to_owned(), json!(name));
        }
        if self.at_most.is_some() || self.lost_at_most.is_some() {
            object.insert("passes".to_owned(), json!(self.passes(review)));
        }
        Value::Object(std::iter::once(("id".to_owned(), id.into())).chain(object).collect())
    }

    /// All of a solution in a line.
    fn line(&self, review: &Review) -> String {
        let mut parts = vec![self.verdict(review)];
        if let Some(losses) = &review.losses {
            let numbers: Vec<String> = losses.found.iter().map(|loss| loss.number.to_string()).collect();
            if !numbers.is_empty() {
                parts.push(format!("lost at {}", numbers.join(", ")));
            }
            parts.extend(limit_text(losses, review, &self.limits()));
        }
        parts.extend(self.too_long(review));
        parts.join("; ")
    }

    /// A solution at length.
    fn text(&self, review: &Review, session: &Session) -> String {
        let color = if self.passes(review) == Some(false) { AnsiColor::Red } else { AnsiColor::Green };
        let mut lines = vec![session.styled(self.verdict(review), color.on_default().bold())];
        if let Some(ratio) = review.ratio().filter(|_| review.solves()) {
            let (moves, manhattan) = (counted(review.length.into(), "move"), review.manhattan);
            lines.push(format!("{moves} ÷ Manhattan distance {manhattan} = {ratio:.2}"));
        }
        lines.extend(self.too_long(review));
        if !review.solves() {
            lines.push(drawing::grid(&review.end, &review.goal, &[], session));
        }
        if let Some(losses) = &review.losses {
            lines.extend(losses.found.iter().map(|loss| loss_text(review, loss)));
            lines.extend(limit_text(losses, review, &self.limits()));
        }
        if let Some(better) = review.better_moves().filter(|better| !better.is_empty()) {
            lines.push(format!("a shortest solution: {}", review.written(&better, &review.board)));
        }
        lines.join("\n")
    }

    /// The first sentence about a solution.
    fn verdict(&self, review: &Review) -> String {
        let moves = counted(review.length.into(), "move");
        let ended = match (review.why_illegal(), review.solves()) {
            (Some(why), _) => format!("illegal: {why}"),
            (None, true) => format!("solved in {moves}"),
            (None, false) => match review.length {
                0 => "not solved: no move was made".to_owned(),
                1 => "not solved: the move ends elsewhere".to_owned(),
                _ => format!("not solved: {moves} end elsewhere"),
            },
        };
        if !review.parity.is_solvable() {
            let remedy = self.board_options.goals().map(|goals| goals.unsolvable(&review.board, &review.goal));
            return format!(
                "{ended}; the board cannot be solved: {}",
                remedy.unwrap_or_else(|_| review.parity.to_string())
            );
        }
        let Some(losses) = &review.losses else { return ended };
        let left = losses.left.filter(|_| !review.solves());
        let left = left.map(|left| format!("; {} from the goal", counted(left.into(), "move"))).unwrap_or_default();
        let more = match (losses.shortest(), losses.lost()) {
            (Some(_), Some(0)) if review.solves() => ", which is the fewest possible".to_owned(),
            (Some(shortest), Some(0)) => format!(", nothing lost on the way (shortest {shortest})"),
            (Some(shortest), Some(lost)) if review.solves() => format!(", {lost} more than the shortest ({shortest})"),
            (Some(shortest), Some(lost)) => {
                format!(", {} lost on the way (shortest {shortest})", counted(lost.into(), "move"))
            }
            (Some(shortest), None) => format!(" (shortest {shortest})"),
            _ => String::new(),
        };
        format!("{ended}{left}{more}")
    }

    /// Which of the options says that there are too many moves.
    fn too_long(&self, review: &Review) -> Option<String> {
        let most = self.at_most.filter(|&most| review.length > most);
        let too_long = most.map(|most| format!("too long: at most {} allowed", are(most, "move")));
        too_long.or_else(|| {
            let lost = review.losses.as_ref()?.lost_at_least();
            let most = self.lost_at_most.filter(|&most| lost > most)?;
            Some(format!("too long: at most {} allowed to be lost", are(most, "move")))
        })
    }
}

/// Whether moves that do not solve the board as directions of tiles do so as directions of the blank.
fn solves_by_blank(review: &Review, moves: &str) -> bool {
    let by_blank = || Review::in_metric(review.metric, review.board, review.goal, moves, Some(MoveForm::Blank)).ok();
    review.form == MoveForm::Tile && by_blank().is_some_and(|review| review.solves())
}

fn loss_text(review: &Review, loss: &Loss) -> String {
    let Loss { number, left, lost, board, .. } = loss;
    let made = review.written(&loss.made, board);
    let better = loss.better.as_ref().zip(loss.better_move(review.metric)).map(|(all, one)| {
        let (one, all) = (review.written(one, board), review.written(all, board));
        format!("; better {one}, as in {all} ({})", counted((*left).into(), "move"))
    });
    format!("move {number}: {made} lost {lost}{}", better.unwrap_or_default())
}

/// What is not known because of a limit.
fn limit_text(losses: &Losses, review: &Review, limits: &Limits) -> Option<String> {
    let limit = losses.limit?;
    let least = losses.at_least;
    let lost = match (losses.lost_at_least(), losses.lost_at_most()) {
        _ if losses.shortest().is_some() => String::new(),
        (least, Some(most)) => format!(", {least} to {most} moves lost"),
        (_, None) => String::new(),
    };
    let known = match losses.known_from {
        from if from > review.metric.length(&review.moves.slides) as usize => {
            "nothing is known of single moves".to_owned()
        }
        from => format!("all losses from move {from} on are known"),
    };
    Some(format!(
        "{}: every solution has at least {}{lost}; {known}",
        limits::named(limit, limits),
        counted(least.into(), "move")
    ))
}

fn are(number: u32, what: &str) -> String {
    format!("{} {}", counted(number.into(), what), if number == 1 { "is" } else { "are" })
}
