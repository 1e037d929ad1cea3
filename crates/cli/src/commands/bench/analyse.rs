//! `tilebase bench analyse`: how fast solutions are held against the shortest

use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::puzzle::{Board, Goal, MoveForm, Random, Size};
use tilebase::solve::{Request, SolveError, Weight, batch};
use tilebase::{Losses, Review, Solver, Tables};

use crate::{Exit, Failure, Result, Session, solvers};

/// Find where a thousand solutions of the 15-puzzle lose moves
///
/// The boards are random, uniform over all solvable ones, always the same ones for a seed. Their solutions are found by a search with
/// a weight, which makes them longer than they need be. Tables are opened and solutions found before the time is taken; solutions are
/// spread over the threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase generate 7-8 && tilebase bench analyse --tables 7-8 --threads 2
  # shortest solutions: nothing is lost
  tilebase bench analyse --weight 1")]
pub(crate) struct Analyse {
    /// The tables: auto (the strongest there are), or a catalogue such as 7-8
    #[arg(long, value_name = "NAME", default_value = "auto")]
    tables: String,
    /// How many solutions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    solutions: u32,
    /// Which boards
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Weight of the search that finds the solutions, 1 or more: the larger, the longer they are
    #[arg(long, value_name = "W", default_value = "2")]
    weight: Weight,
}

impl Analyse {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let goal = Goal::BlankLast.board(Size::new(4, 4)?)?;
        let tables = Tables::of(&self.tables);
        let solver = solvers::open(Solver::builder(&goal).tables(tables), &session.source(), session)?;
        let mut random = Random::new(self.seed);
        let boards = (0..self.solutions).map(|_| random.solvable_board(&goal));
        let mut reviews = Vec::new();
        each(session, boards, |board| self.solution(&solver, &goal, &board), |review| reviews.push(review))?;
        let started = Instant::now();
        let mut all: Vec<Losses> = Vec::new();
        let find = |mut review: Review| {
            review.find_losses(&solver, &Request::default())?;
            Ok(review.losses.expect("they have been looked for"))
        };
        each(session, reviews.into_iter(), find, |losses| all.push(losses))?;
        let seconds = started.elapsed().as_secs_f64();
        let count = f64::from(self.solutions);
        let mean = |of: fn(&Losses) -> u64| all.iter().map(of).sum::<u64>() as f64 / count;
        let (length, lost) =
            (mean(|losses| losses.total.map_or(0, u64::from)), mean(|losses| losses.lost().map_or(0, u64::from)));
        let (searches, nodes) = (mean(|losses| losses.searches.into()), mean(|losses| losses.effort.generated));
        let (threads, rate, tables) = (session.threads(), count / seconds, solver.name());
        let json = json!({
            "solutions": self.solutions, "tables": tables, "threads": threads, "weight": self.weight.to_string(),
            "mean_length": length, "mean_lost": lost, "mean_searches": searches, "mean_nodes": nodes, "seconds": seconds,
            "solutions_per_second": rate,
        });
        let text = format!(
            "{} solutions of {length:.1} moves, {lost:.1} lost, with {tables}, {threads} threads: {rate:.0} a second; {searches:.1} \
             searches and {nodes:.0} nodes each",
            self.solutions
        );
        session.tell(json, text)?;
        Ok(Exit::Done)
    }

    /// A solution of a board, found with the weight.
    fn solution(&self, solver: &Solver, goal: &Board, board: &Board) -> Result<Review, SolveError> {
        let found = solver.search(board, &Request::default().weight(self.weight))?.solved();
        let slides = &found.expect("there is no limit").solutions[0];
        let moves = MoveForm::Tile.write(slides, board).expect("solutions have been replayed");
        Ok(Review::new(*board, *goal, &moves, None).expect("what was written can be read"))
    }
}

/// Does something for each of many, on all threads.
fn each<J: Send, R: Send>(
    session: &Session,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) -> Result<R, SolveError> + Sync,
    mut done: impl FnMut(R) + Send,
) -> Result<()> {
    let mut failed = None;
    batch::run(session.threads(), false, jobs, work, |result| match result {
        Ok(result) => {
            done(result);
            true
        }
        Err(error) => {
            failed = Some(Failure::new(error));
            false
        }
    });
    failed.map_or(Ok(()), Err)
}
