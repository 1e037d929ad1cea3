//! Samples of boards as the command line asks for them.

use clap::Args;
use tilebase::puzzle::Board;
use tilebase::{Event, RatingError, Sample, Sampling, Solver, TableSource, Tables, bounds_of, distances_of};

use crate::options::one_of;
use crate::{Exit, Failure, Result, Session, bars, solvers};

/// What the reference is called that nothing exceeds.
const DISTANCE: &str = "distance";

/// Options of commands that measure bounds on random boards.
#[derive(Args, Clone, Debug)]
pub(super) struct SampleOptions {
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    samples: u32,
    /// Start of the random numbers; uniform boards are those of "tilebase scramble" with the same seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// How boards are drawn
    #[arg(long, value_name = "HOW", default_value = "uniform", value_parser = one_of([
        ("uniform", "Every board that can be solved is equally likely", Sampling::Uniform),
        ("near", "Every second one is; the others are near the goal", Sampling::Near),
    ]))]
    sampling: Sampling,
    /// Compare by how far bounds lag behind this: distance (each board is solved: for boards up to 4x4), or tables that are
    /// better than all that are compared [default: compare by η]
    #[arg(long, value_name = "NAME")]
    reference: Option<String>,
}

impl SampleOptions {
    /// The same for this many other boards, those of the next seed.
    pub(super) fn other(&self, samples: u32) -> SampleOptions {
        SampleOptions { samples, seed: self.seed.wrapping_add(1), ..self.clone() }
    }

    /// Draws the boards.
    pub(super) fn draw(&self, goal: &Board, source: &TableSource, session: &Session) -> Result<Sample> {
        let sample = bars::watched(session, |watch| {
            let _ = watch(&Event::Begin { what: "drawing boards", total: 0 });
            Sample::draw(goal, self.sampling, self.samples as usize, self.seed)
        });
        let Some(reference) = &self.reference else { return Ok(sample) };
        let moves = if reference == DISTANCE {
            let solver = open("auto", goal, source, session)?;
            let distances = bars::watched(session, |watch| {
                let _ = watch(&Event::Begin { what: "solving the boards", total: u64::from(self.samples) });
                distances_of(&solver, &sample, session.threads(), watch)
            });
            distances.map_err(failure)?
        } else {
            bounds(&open(reference, goal, source, session)?, &sample, session)?
        };
        Ok(sample.with_reference(reference, moves))
    }
}

/// A solver with the bounds that have a name.
pub(super) fn open(name: &str, goal: &Board, source: &TableSource, session: &Session) -> Result<Solver> {
    let tables = Tables::of(name);
    solvers::open(Solver::builder(goal).tables(tables), source, session)
}

/// The bounds that a solver has for the boards of a sample.
pub(super) fn bounds(solver: &Solver, sample: &Sample, session: &Session) -> Result<Vec<u32>> {
    session.use_threads();
    let bounds = bars::watched(session, |watch| {
        let what = format!("rating {}", solver.name());
        let _ = watch(&Event::Begin { what: &what, total: sample.boards().len() as u64 });
        bounds_of(solver, sample, watch)
    });
    bounds.map_err(failure)
}

fn failure(error: RatingError) -> Failure {
    match error {
        RatingError::Stopped => Failure::new("interrupted").with_exit(Exit::Interrupted),
        other => other.into(),
    }
}
