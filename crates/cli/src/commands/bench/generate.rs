//! `tilebase bench generate`

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::find_catalogue;
use tilebase::generate::{Build, Nowhere, Optimisation};
use tilebase::progress::Event;

use crate::builds::{self, KindOptions};
use crate::session::bytes;
use crate::{Exit, Result, Session, system};

/// Build the tables of a catalogue, again and again, and say what the fastest time took
///
/// Nothing is written and nothing that is there is used. The time includes setting up, searching, packing and hashing.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase bench generate 7-8
  tilebase bench generate 7-8 --encoding both --threads 1 --repeat 5 --json")]
pub(crate) struct Generate {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: String,
    #[command(flatten)]
    kinds: KindOptions,
    /// Build only the first N patterns
    #[arg(long, value_name = "N")]
    patterns: Option<usize>,
    #[arg(long, value_name = "OPTIMISATION",
        help = format!("Do without an optimisation, to see what it is worth: {}", optimisations()))]
    without: Option<Optimisation>,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

fn optimisations() -> String {
    Optimisation::ALL.map(|optimisation| optimisation.to_string()).join(", ")
}

struct Round {
    seconds: f64,
    cpu_seconds: f64,
    peak_memory: u64,
    /// Bytes of rows read and written.
    touched: u64,
}

impl Generate {
    pub(super) fn run(&self, session: &Session) -> Result {
        let catalogue = find_catalogue(&self.catalogue)?;
        let patterns = catalogue.patterns();
        let patterns = &patterns[..self.patterns.unwrap_or(patterns.len()).min(patterns.len())];
        let mut builds = tilebase::plan_builds(patterns, self.kinds.kinds()?)?;
        if let Some(optimisation) = self.without {
            builds.iter_mut().for_each(|build| *build = build.without(optimisation));
        }
        let threads = session.threads();
        for build in &builds {
            builds::check_memory(build, None, |build| build.memory(threads))?;
        }
        let groups = builds::groups(&builds, threads, None);
        let bar = session.progress_bar(self.repeat.into(), "{wide_bar} {pos} of {len} rounds  {elapsed}");
        let mut rounds = Vec::new();
        for _ in 0..self.repeat {
            bar.tick();
            system::forget_peak_memory();
            let (started, cpu) = (Instant::now(), system::cpu_seconds().unwrap_or(0.0));
            let mut touched = 0;
            for builds in &groups {
                let so_far = AtomicU64::new(0);
                let watch = |event: &Event<'_>| {
                    if let Event::Level(level) = event {
                        so_far.store(level.touched, Ordering::Relaxed);
                    }
                    ControlFlow::Continue(())
                };
                Build::run_side_by_side(builds, threads, &Nowhere, &watch)?;
                touched += so_far.into_inner();
            }
            rounds.push(Round {
                seconds: started.elapsed().as_secs_f64(),
                cpu_seconds: system::cpu_seconds().unwrap_or(0.0) - cpu,
                peak_memory: system::peak_memory().unwrap_or(0),
                touched,
            });
            bar.inc(1);
        }
        bar.finish_and_clear();
        let best = rounds.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there is a round at least");
        let states: u64 = builds.iter().map(Build::states).sum();
        let planned_memory = groups.iter().map(|builds| Build::memory_together(builds, threads)).max().unwrap_or(0);
        let states_per_second = (states as f64 / best.seconds) as u64;
        let Round { seconds, cpu_seconds, peak_memory, touched } = *best;
        let name = catalogue.name;
        let json = json!({
            "catalogue": name, "patterns": builds.len(), "threads": threads, "states": states,
            "seconds": seconds, "cpu_seconds": cpu_seconds, "states_per_second": states_per_second,
            "peak_memory": peak_memory, "planned_memory": planned_memory, "bytes_touched": touched,
            "without": self.without.map(|optimisation| optimisation.to_string()),
            "all_seconds": rounds.iter().map(|round| round.seconds).collect::<Vec<_>>(),
        });
        let [peak, planned, touched] = [peak_memory, planned_memory, touched].map(bytes);
        let times = format!("{seconds:.3} s, {cpu_seconds:.2} s of CPU on {threads} threads");
        let memory = format!("memory {peak} (planned {planned}), {touched} touched");
        session.tell(json, format!("{name}: {times}, {states_per_second} states a second, {memory}"))?;
        Ok(Exit::Done)
    }
}
