//! `tilebase-cluster plan`

use bytesize::ByteSize;
use clap::Args;
use serde_json::{Value, json};
use tilebase::generate::{Build, ProcessPlan};
use tilebase::index::Kind;
use tilebase_cli::builds::{ToBuild, tile_numbers};
use tilebase_cli::failure::{Exit, Failure, Result};
use tilebase_cli::limits;
use tilebase_cli::session::{Session, bytes};

use crate::model::{Forecast, Machine};
use crate::team::Team;

/// Say what a build on many machines would take
///
/// Memory and states of each process follow from which rows it has; --json lists them one by one. Bytes sent and seconds are estimates by a model whose
/// constants were measured; docs/cluster.md has them, and the model's error against real builds.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase-cluster plan 8-8-8 --ranks 4 --memory 16GB
  tilebase-cluster plan --tiles 1,2,5,6,7,10,11,12,15 --size 5x5 --ranks 64 \\
    --memory 256GB --bandwidth 100Gbit --threads 32")]
pub(crate) struct Plan {
    #[command(flatten)]
    what: ToBuild,
    /// Processes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    ranks: u16,
    /// Memory of each process: say whether it is enough
    #[arg(long, value_name = "SIZE", value_parser = limits::memory)]
    memory: Option<ByteSize>,
    /// What each process can send, and receive at the same time, in a second: 100Gbit, 1GB
    #[arg(long, value_name = "RATE", default_value = "100Gbit", value_parser = bandwidth)]
    bandwidth: f64,
    /// What the first process can write in a second
    #[arg(long, value_name = "RATE", default_value = "1GB", value_parser = bandwidth)]
    disk: f64,
    /// Cores for each process, when its machine has fewer than its --threads, such as 0.5
    #[arg(long, value_name = "N")]
    cores: Option<f64>,
}

impl Plan {
    pub(crate) fn run(&self, session: &Session, team: &Team) -> Result {
        // There is one answer, however many were asked.
        if !team.is_first() {
            return Ok(Exit::Done);
        }
        let threads = session.threads();
        if self.cores.is_some_and(|cores| !(cores > 0.0 && cores.is_finite())) {
            return Err(Failure::new(
                "--cores is how many cores a process has: expected a number above 0, such as 0.5",
            ));
        }
        let cores = self.cores.unwrap_or(threads as f64).min(threads as f64);
        let machine = Machine { threads: cores, bandwidth: self.bandwidth, disk: self.disk };
        let mut exit = Exit::Done;
        for build in self.what.builds()? {
            let forecast = Forecast::of(&build, self.ranks.into(), threads, machine)?;
            exit = exit.max(tell(&build, &forecast, self.memory.map(|size| size.as_u64()), session)?);
        }
        Ok(exit)
    }
}

/// Tells what a build takes, and whether there is enough memory.
pub(crate) fn tell(build: &Build, forecast: &Forecast, memory: Option<u64>, session: &Session) -> Result {
    let (pattern, ranks, needed) = (build.pattern(), forecast.processes.len(), forecast.memory());
    let (sent, most_sent) = forecast.sent();
    let fits = memory.map(|memory| needed <= memory);
    let of_process = |(process, seconds): (&ProcessPlan, &f64)| {
        let ProcessPlan { states, memory, sent, .. } = process;
        json!({ "states": states, "memory": memory, "bytes_sent": sent, "seconds_computing": seconds })
    };
    let each: Vec<Value> = forecast.processes.iter().zip(&forecast.each).map(of_process).collect();
    let in_a_level = forecast.sent_at_most_in_a_level();
    let json = json!({
        "tiles": tile_numbers(pattern), "states": build.search_size(), "ranks": ranks,
        "memory": needed, "fits": fits, "bytes_sent": sent, "most_bytes_sent": most_sent,
        "most_bytes_sent_in_a_level": in_a_level, "disk": build.disk(),
        "seconds": forecast.seconds(), "seconds_computing": forecast.computing, "seconds_sending": forecast.sending,
        "seconds_writing": forecast.writing, "processes": each,
    });
    let fits_text = match memory {
        Some(memory) if needed > memory => format!(", more than {}: use more processes", bytes(memory)),
        _ => String::new(),
    };
    let text = format!(
        "{pattern}: {} {}, {} on disk
  {ranks} processes: at most {} of memory each{fits_text}
  {} sent in all, at most {} by one process, and {} in one level
  roughly {:.1} s: {:.1} s for the levels ({:.1} s computing, {:.1} s sending at the same time), {:.1} s for writing and verifying",
        build.search_size(),
        counted(build),
        bytes(build.disk()),
        bytes(needed),
        bytes(sent),
        bytes(most_sent),
        bytes(in_a_level),
        forecast.seconds(),
        forecast.computing.max(forecast.sending),
        forecast.computing,
        forecast.sending,
        forecast.writing,
    );
    session.tell(json, text)?;
    Ok(if fits == Some(false) { Exit::Negative } else { Exit::Done })
}

/// What the search of a build counts.
pub(crate) fn counted(build: &Build) -> &'static str {
    if build.kinds() == [Kind::Lines] { "lines" } else { "states" }
}

/// Reads a rate: bytes, or bits, in a second.
fn bandwidth(text: &str) -> Result<f64, String> {
    let refused = || format!("{text} is not a rate: expected bytes or bits in a second, such as 1GB or 100Gbit");
    let text = text.trim_end_matches("/s");
    let rate = match text.strip_suffix("bit") {
        Some(bits) => {
            let unit = [("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)];
            let (number, factor) =
                unit.iter().find_map(|(name, factor)| Some((bits.strip_suffix(name)?, *factor))).unwrap_or((bits, 1.0));
            number.trim().parse::<f64>().map_err(|_| refused())? * factor / 8.0
        }
        None => text.parse::<ByteSize>().map_err(|_| refused())?.as_u64() as f64,
    };
    if rate > 0.0 && rate.is_finite() { Ok(rate) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_bytes_or_bits() {
        for (text, expected) in
            [("100Gbit", 12.5e9), ("8bit", 1.0), ("1GB", 1e9), ("10Gbit/s", 1.25e9), ("512MiB", 536_870_912.0)]
        {
            assert_eq!(bandwidth(text), Ok(expected), "{text}");
        }
        for text in ["", "fast", "-1Gbit", "0GB", "Gbit"] {
            assert!(bandwidth(text).unwrap_err().contains("expected bytes or bits"), "{text}");
        }
    }
}
