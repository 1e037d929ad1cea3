//! `tilebase tables search`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::puzzle::{Goal, Size, quoted};
use tilebase::{
    DirectoryError, Measured, PartitionSearch, Plan, Results, Sample, SearchError, branching_factor, prepare_directory,
};

use super::sample::SampleOptions;
use crate::session::{bytes, counted};
use crate::{Exit, Failure, Result, Session, bars, interrupt, system};

/// Look for partitions that make searches small
///
/// Partitions are measured as `tables rate` does it, by η or, with --reference, by how far their bounds lag behind the
/// distances: random ones are improved by exchanging tiles between patterns until no exchange helps, again and again; or,
/// with --all, every partition is tried. Each pattern's table is built once, to see what it costs on the boards of the
/// sample, and forgotten. The best partitions are told, and written as drawings, which `generate` and `solve --tables` take.
///
/// Where building all tables would take too long, --screen measures large patterns in parts: of all ways to divide one into a
/// part and the rest, that which costs most counts, which is never more than the pattern costs. --refine then builds the best.
///
/// With --state the measured partitions are kept in a file, a line each, and the same command goes on where it was after
/// Ctrl-C or any other end. The same seed gives the same search wherever there is memory for the same tables.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables search --size 4x4 --max-bytes 5MB --state found.tsv
  tilebase tables search --size 4x4 --sizes 5-5-5 --all --out best
  # all 3255 partitions, in hours; resumes after an interruption
  tilebase tables search --size 4x4 --sizes 7-8 --all --state 7-8.tsv
  tilebase tables search --size 4x4 --sizes 7-8 --all --screen 7 \\
    --refine 20000 --state 7-8.tsv
  tilebase tables search --size 5x5 --sizes 6-6-6-6 --connected \\
    --restarts 20 --state 6-6-6-6.tsv --costs costs")]
pub(crate) struct Search {
    /// Board size, width x height
    #[arg(long, value_name = "WxH")]
    size: Size,
    /// The most bytes of tables, such as 100MB or 2GB [default: no limit but memory, where --sizes are given]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::memory, required_unless_present = "sizes")]
    max_bytes: Option<ByteSize>,
    /// How many tiles each pattern has, such as 7-8 [default: as few patterns as fit, of any sizes]
    #[arg(long, value_name = "N-N", value_parser = sizes)]
    sizes: Option<Sizes>,
    /// Try every partition of these sizes, of mirror images only one
    #[arg(long)]
    all: bool,
    /// Only partitions whose patterns hang together, side by side
    #[arg(long)]
    connected: bool,
    /// Measure patterns with more tiles than this in parts of so many, and the rest
    #[arg(long, value_name = "TILES", value_parser = clap::value_parser!(u8).range(1..))]
    screen: Option<u8>,
    /// How many random partitions to improve
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "all")]
    restarts: usize,
    #[command(flatten)]
    sample: SampleOptions,
    /// Then measure the best again on this many other boards (of the next seed); kept beside the state, in FILE.refined.tsv
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000_000))]
    refine: Option<u32>,
    /// How many of the best to measure again
    #[arg(long, value_name = "N", default_value_t = 100, requires = "refine")]
    refined: usize,
    /// Keep measured partitions in this file, and go on from those that are there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Keep what patterns cost in this directory, a byte for each board, so that no table is built twice
    #[arg(long, value_name = "DIR")]
    costs: Option<PathBuf>,
    /// Write the best partitions into this directory, a drawing each
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many of the best partitions to tell, and to write
    #[arg(long, value_name = "N", default_value_t = 10)]
    best: usize,
    /// Build no table that needs more memory, such as 600MB or 2GiB [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::memory)]
    max_memory: Option<ByteSize>,
}

/// How many tiles each pattern has.
#[derive(Clone, Debug)]
struct Sizes(Vec<usize>);

fn sizes(text: &str) -> Result<Sizes, String> {
    let sizes = text.split('-').map(|size| size.parse().ok()).collect::<Option<Vec<usize>>>();
    sizes.map(Sizes).ok_or_else(|| format!("{} are not sizes of patterns: expected such as 7-8", quoted(text)))
}

impl Search {
    pub(super) fn run(&self, session: &Session) -> Result {
        interrupt::stop_when_asked();
        session.use_threads();
        let source = session.source();
        let goal = Goal::BlankFirst.board(self.size)?;
        let sample = self.sample.draw(&goal, &source, session)?;
        let results = Search::results(self.state.as_deref(), &sample, self.screen())?;
        let building = session.source().building_at_most(u64::MAX);
        let mut search = PartitionSearch::new(self.plan(session), sample, &building, results, self.costs.as_deref());
        let before = search.measured();
        let mut searched = bars::watched(session, |watch| search.run(watch));
        let mut refined = None;
        if let (Ok(()), Some(count)) = (&searched, self.refine) {
            let sample = self.sample.other(count).draw(&goal, &source, session)?;
            let file = self.state.as_deref().map(|file| file.with_extension("refined.tsv"));
            let results = refined.insert(Search::results(file.as_deref(), &sample, None)?);
            searched = bars::watched(session, |watch| search.refine(self.refined, &sample, results, watch));
        }
        let stopped = matches!(searched, Err(SearchError::Stopped));
        if !stopped {
            searched?;
        }
        let (measured, tables) = (search.measured(), search.tables());
        session.note(format!(
            "{} measured, {} of them now, with {}",
            counted(measured as u64, "partition"),
            measured - before,
            counted(tables as u64, "table")
        ));
        let refined = refined.as_ref().zip(self.refine).filter(|_| !stopped);
        let best = refined.map_or_else(|| search.best(self.best), |(all, count)| all.best(count as usize, self.best));
        self.tell(&best, session)?;
        if !stopped {
            return Ok(Exit::Done);
        }
        let kept = if self.state.is_some() { "the same command goes on" } else { "with --state FILE it could go on" };
        Err(Failure::new(format!("interrupted: {kept}")).with_exit(Exit::Interrupted))
    }

    /// What has been measured before, and will be.
    fn results(file: Option<&Path>, sample: &Sample, screen: Option<usize>) -> Result<Results> {
        Ok(file.map_or_else(|| Ok(Results::in_memory()), |file| Results::open(file, sample, screen))?)
    }

    fn screen(&self) -> Option<usize> {
        self.screen.map(usize::from)
    }

    fn plan(&self, session: &Session) -> Plan {
        let memory = self.max_memory.map(|size| size.as_u64()).or_else(system::available_memory);
        Plan {
            size: self.size,
            sizes: self.sizes.clone().map(|Sizes(sizes)| sizes),
            max_bytes: self.max_bytes.map_or(u64::MAX, |size| size.as_u64()),
            memory: memory.unwrap_or(u64::MAX),
            threads: session.threads(),
            screen: self.screen(),
            every: self.all,
            connected: self.connected,
            restarts: self.restarts,
            seed: self.sample.seed,
        }
    }

    fn tell(&self, best: &[&Measured], session: &Session) -> Result<()> {
        if let Some(directory) = &self.out {
            prepare_directory(directory)?;
        }
        for (number, one) in best.iter().enumerate() {
            let (drawing, rating) = (one.partition.drawing(), &one.rating);
            let file = self.out.as_deref().map(|directory| self.write(directory, number + 1, one)).transpose()?;
            let json = json!({
                "tables": drawing, "mean": rating.mean, "eta": rating.eta, "standard_error": rating.standard_error,
                "bytes": one.bytes, "samples": one.samples, "branching": branching_factor(self.size),
                "lag": rating.lag.map(|(lag, _)| lag), "lag_error": rating.lag.map(|(_, error)| error),
                "file": file.as_ref().map(|file| file.display().to_string()),
            });
            let (mean, measured, len) = (rating.mean, rated(one), bytes(one.bytes).to_string());
            let file = file.map(|file| format!("  {}", file.display())).unwrap_or_default();
            session.tell(json, format!("{drawing}  mean {mean:.3}  {measured}  {len:>9}{file}"))?;
        }
        Ok(())
    }

    /// Writes a partition as a drawing.
    fn write(&self, directory: &Path, number: usize, one: &Measured) -> Result<PathBuf> {
        let sizes: Vec<String> = one.partition.sizes().iter().map(ToString::to_string).collect();
        let file = directory.join(format!("{}-{}.{number}.txt", self.size, sizes.join("-")));
        let mut text = format!(
            "# Found by tilebase tables search: mean {:.3}, {}, {} boards, seed {}.\n",
            one.rating.mean,
            rated(one),
            one.samples,
            self.sample.seed
        );
        for row in one.partition.drawing().split('/') {
            let squares: Vec<String> = row.chars().map(String::from).collect();
            let _ = writeln!(text, "{}", squares.join(" "));
        }
        let failed = |error| DirectoryError { directory: directory.to_owned(), error };
        interrupt::writing(|| std::fs::write(&file, text)).map_err(failed)?;
        Ok(file)
    }
}

/// η and, if it was measured, how far bounds lag behind.
fn rated(one: &Measured) -> String {
    let text = |what: &str, value: f64, error: f64| format!("{what} {value:.4e} ± {:.1} %", 100.0 * error / value);
    let eta = text("η", one.rating.eta, one.rating.standard_error);
    one.rating.lag.map_or(eta.clone(), |(lag, error)| format!("{eta}  {}", text("lag", lag, error)))
}
