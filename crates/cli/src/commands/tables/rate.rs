//! `tilebase tables rate`

use clap::Args;
use serde_json::json;
use tilebase::lookup::Table;
use tilebase::puzzle::{Board, Goal, Size};
use tilebase::{Rating, Sample, find_catalogue};

use super::sample::{self, SampleOptions};
use crate::session::bytes;
use crate::{Exit, Result, Session, interrupt};

/// A single board that has more of η than this makes its standard error worthless.
const MUCH_OF_ETA: f64 = 0.2;

/// Say how good tables and heuristics are, without a search
///
/// Random boards are drawn that can be solved, and of each the bounds are taken, all views of the tables included. What is
/// told of each heuristic: its mean bound; η, the mean of b^-h for the branching factor b and the bounds h, with its standard
/// error; the bytes of its tables; and how many nodes a search expands with it for each that it expands with the first. IDA*
/// with the bound d expands about b^d η nodes, so the smaller η, the better.
///
/// Nearly all of η comes from the few boards that are near the goal. With --sampling near, every second board is drawn from
/// among these, and counts as much less: that gives the same η with a far smaller error.
///
/// But searches meet few of these boards, and nodes are better told by how far bounds lag behind the distances: with
/// --reference distance the boards are solved, and nodes go by the mean of b^(d-h). docs/eta.md shows how much better.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables rate 6-6-3 5-5-5 manhattan
  tilebase tables rate 7-8 \".AAB/AABB/CCBB/CCCC\" 5-5-5+6-6-3
  tilebase tables rate 7-8 6-6-3 5-5-5 --reference distance --samples 3000
  tilebase tables rate --size 3x3 manhattan linear-conflict walking-distance
  tilebase tables rate 6-6-6-6 mine.txt --json \\
    --sampling near --samples 100000")]
pub(crate) struct Rate {
    /// Catalogues, files with a drawing, drawings, heuristics such as manhattan; several with + between them: their maximum
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Board size, width x height [default: that of the first catalogue, else 4x4]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// What to reach: blank-last, blank-first, snail, or a board
    #[arg(long, default_value = "blank-last")]
    goal: String,
    #[command(flatten)]
    sample: SampleOptions,
}

/// The name of a heuristic, its bounds on all boards, and the bytes of its tables.
type Rated = (String, Vec<u32>, u64);

impl Rate {
    pub(super) fn run(&self, session: &Session) -> Result {
        interrupt::stop_when_asked();
        let goal = self.goal()?;
        let source = session.source();
        let mut rated: Vec<Rated> = Vec::new();
        let sample = self.sample.draw(&goal, &source, session)?;
        for name in &self.names {
            let solver = sample::open(name, &goal, &source, session)?;
            if !solver.is_admissible() {
                session.warning(format!("{name} may exceed the distance: its η says nothing about shortest solutions"));
            }
            let bounds = sample::bounds(&solver, &sample, session)?;
            rated.push((solver.name().to_owned(), bounds, bytes_of(solver.tables())));
        }
        tell(&rated, &sample, session)?;
        Ok(Exit::Done)
    }

    /// The goal: of the size that was given, or else that of the first catalogue.
    fn goal(&self) -> Result<Board> {
        let mut names = self.names.iter().flat_map(|name| name.split('+'));
        let size = self.size.or_else(|| names.find_map(|name| Some(find_catalogue(name).ok()?.size())));
        Ok(Goal::parse(&self.goal, size)?.board_of(size)?)
    }
}

fn tell(rated: &[Rated], sample: &Sample, session: &Session) -> Result<()> {
    if !session.json {
        session
            .answer(format!("{:>8} {:>11} {:>6} {:>9} {:>10} {:>6}", "mean", "η", "± %", "bytes", "nodes", "± %"))?;
    }
    let mut is_lopsided = false;
    for (name, bounds, len) in rated {
        let rating = Rating::new(bounds, sample);
        let (nodes, nodes_error) = Rating::nodes_against(bounds, &rated[0].1, sample);
        is_lopsided |= rating.largest_share > MUCH_OF_ETA;
        let json = json!({
            "tables": name, "mean": rating.mean, "eta": rating.eta, "standard_error": rating.standard_error,
            "bytes": len, "samples": bounds.len(), "branching": sample.branching(),
            "lag": rating.lag.map(|(lag, _)| lag), "nodes": nodes, "nodes_error": nodes_error,
            "largest_share": rating.largest_share, "sampling": sample.sampling().to_string(),
            "reference": sample.reference(), "seed": sample.seed(),
        });
        let percent = |error: f64, of: f64| format!("{:.1}", 100.0 * error / of);
        let (of_eta, of_nodes) = (percent(rating.standard_error, rating.eta), percent(nodes_error, nodes));
        let (mean, eta, len, nodes) = (rating.mean, rating.eta, bytes(*len).to_string(), few_digits(nodes));
        let text = format!("{mean:8.3} {eta:11.4e} {of_eta:>6} {len:>9} {nodes:>10} {of_nodes:>6}  {name}");
        session.tell(json, text)?;
    }
    if !session.json {
        let (boards, sampling, seed, b) = (sample.boards().len(), sample.sampling(), sample.seed(), sample.branching());
        let by = sample.reference().map_or("η".to_owned(), |name| format!("the lag behind {name}"));
        session.answer(format!(
            "{boards} boards, {sampling}, seed {seed}; b = {b:.4}; nodes against those of the first, by {by}"
        ))?;
    }
    if is_lopsided && sample.reference().is_none() {
        session.note("a single board has more than a fifth of an η, so its error means little: try --sampling near");
    }
    Ok(())
}

/// Bytes of tables, each counted once.
fn bytes_of(tables: &[Table]) -> u64 {
    let mut headers: Vec<_> =
        tables.iter().map(|table| (table.header().file_name(), table.header().file_len())).collect();
    headers.sort_unstable();
    headers.dedup();
    headers.into_iter().map(|(_, len)| len).sum()
}

/// A number to three digits, as people write it.
fn few_digits(number: f64) -> String {
    match number {
        100.0..1e7 => format!("{number:.0}"),
        0.01..100.0 => format!("{number:.3}"),
        _ => format!("{number:.2e}"),
    }
}
