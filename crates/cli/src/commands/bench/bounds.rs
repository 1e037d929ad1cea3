//! `tilebase bench bounds`

use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::puzzle::{Board, Random};
use tilebase::{ManyError, Solver, Tables, find_catalogue, unwatched};

use super::{goal, open_all};
use crate::{Exit, Failure, Result, Session};

/// Look up the lower bounds of many random boards, as programs that label boards do
///
/// First a few boards, one by one, as a search does with its root; then all of them at a time, which unpacks the tables of bits
/// first if there is memory for it, and once more when they are unpacked.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase bench bounds 6-6-3")]
pub(crate) struct Bounds {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: String,
    /// Random boards to look up
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    boards: u64,
}

/// Boards that are looked up one by one.
const ONE_BY_ONE: usize = 2_000;

impl Bounds {
    pub(super) fn run(&self, session: &Session) -> Result {
        let catalogue = find_catalogue(&self.catalogue)?;
        let goal = goal(&catalogue)?;
        let tables = open_all(&session.store(), &catalogue)?;
        let solver = Solver::builder(&goal).tables(Tables::Given(tilebase::Bounds::sum(tables))).open()?;
        let mut random = Random::new(1);
        let boards: Vec<Board> = (0..self.boards).map(|_| random.solvable_board(&goal)).collect();
        let few = &boards[..boards.len().min(ONE_BY_ONE)];
        let started = Instant::now();
        let expected = few.iter().map(|board| solver.bound_of(board)).collect::<Result<Vec<u32>, _>>()?;
        let report = |how: &str, boards: usize, seconds: f64| {
            let rate = boards as f64 / seconds;
            let json = json!({
                "catalogue": catalogue.name, "how": how, "boards": boards, "threads": session.threads(),
                "seconds": seconds, "boards_per_second": rate,
            });
            session.tell(
                json,
                format!(
                    "{}, {how}: {boards} boards in {seconds:.3} s, {:.3} million a second",
                    catalogue.name,
                    rate / 1e6
                ),
            )
        };
        report("one by one, one thread", few.len(), started.elapsed().as_secs_f64())?;
        let mut bounds = vec![0u8; boards.len()];
        for how in ["many, unpacking included", "many, unpacked"] {
            let started = Instant::now();
            solver.bounds_of_many(&*boards, &mut bounds, &unwatched).map_err(|error| match error {
                ManyError::Board(_, never) => match never {},
                other => Failure::new(other.to_string()),
            })?;
            report(how, boards.len(), started.elapsed().as_secs_f64())?;
            if expected.iter().zip(&bounds).any(|(&one, &many)| one != u32::from(many)) {
                return Err(Failure::new("a board has another bound by itself than among many"));
            }
        }
        Ok(Exit::Done)
    }
}
