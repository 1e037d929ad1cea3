//! `tilebase scramble`

use std::time::Duration;

use clap::Args;
use serde_json::json;
use tilebase::solve::{Limit, Limits};
use tilebase::{Event, Goal, Metric, NotAtDistance, Random, Size, Solver};

use crate::options::NotationOptions;
use crate::{Exit, Failure, Result, Session, bars, limits, solvers};

/// Make random boards that can be solved
///
/// Every solvable board is equally likely; with --walk, boards are that many random moves from the goal (never one back at
/// once) and so at most that far; with --distance, exactly that far. The same seed gives the same boards on every machine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # one 15-puzzle
  tilebase scramble
  tilebase scramble 3x3 --count 5 --seed 42
  tilebase scramble --walk 30 | tilebase solve
  # a board whose shortest solution has 40 moves
  tilebase scramble --distance 40
  # 30 moves of one or several tiles
  tilebase scramble --distance 30 --metric mtm")]
pub(crate) struct Scramble {
    /// Board size, width x height, or one side of a square [default: that of the goal, else 4x4]
    #[arg(value_name = "SIZE")]
    given_size: Option<Size>,
    /// The same as an option
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// What the boards shall lead to: blank-last, blank-first (Korf's), snail (the spiral), blank-top-right, blank-bottom-left, or a
    /// board
    #[arg(long, default_value = "blank-last")]
    goal: String,
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Start of the random numbers [default: another one each time, told on stderr]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Walk this many random moves from the goal instead
    #[arg(long, value_name = "MOVES")]
    walk: Option<usize>,
    /// Only boards whose shortest solution has exactly this many moves
    #[arg(long, value_name = "MOVES", conflicts_with = "walk")]
    distance: Option<u32>,
    /// With --distance: what counts as one move: stm (a single tile) or mtm (one or several tiles in a line)
    #[arg(long, value_name = "METRIC", default_value_t = Metric::Stm, requires = "distance")]
    metric: Metric,
    /// With --distance: give up on a board after this time, such as 500ms, 2s, 5m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = limits::time, requires = "distance")]
    time_limit: Duration,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Scramble {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let size = self.size()?;
        let goal = Goal::parse(&self.goal, size)?.board_of(size)?;
        let seed = self.seed.unwrap_or_else(|| {
            let seed = Random::fresh_seed();
            session.note(format!("seed {seed}"));
            seed
        });
        let mut random = Random::new(seed);
        let mut writer = self.notation.writer(session);
        let open = |_| solvers::open(Solver::builder(&goal).metric(self.metric), &session.source(), session);
        let solver = self.distance.map(open).transpose()?;
        for number in 1..=self.count {
            let board = match (self.walk, self.distance.zip(solver.as_ref())) {
                (Some(moves), _) => random.walk(&goal, moves),
                (None, Some((distance, solver))) => {
                    let board = bars::watched(session, |watch| {
                        let _ = watch(&Event::Begin { what: "looking for a board at this distance", total: 0 });
                        solver.board_at(distance, &mut random, self.time_limit, watch)
                    });
                    board.map_err(|error| self.failure(error))?
                }
                (None, None) => random.solvable_board(&goal),
            };
            let text = writer.write(&board);
            let size = board.size().to_string();
            let mut answer =
                json!({ "id": number, "board": text, "size": size, "goal": goal.to_string(), "seed": seed });
            if let Some(distance) = self.distance {
                answer["distance"] = json!(distance);
                answer["metric"] = json!(self.metric.to_string());
            }
            session.tell(answer, text)?;
        }
        Ok(Exit::Done)
    }

    /// The size that was asked for, in either way.
    fn size(&self) -> Result<Option<Size>> {
        match (self.given_size, self.size) {
            (Some(given), Some(size)) if given != size => {
                Err(Failure::new(format!("two sizes were given, {given} and --size {size}: leave one out")))
            }
            (given, size) => Ok(given.or(size)),
        }
    }

    fn failure(&self, error: NotAtDistance) -> Failure {
        match error {
            NotAtDistance::NotFound { .. } => {
                let limit = limits::named(Limit::Time, &Limits::default().time(self.time_limit));
                Failure::new(format!("{limit}: {error}")).with_exit(Exit::Limit)
            }
            other => other.into(),
        }
    }
}
