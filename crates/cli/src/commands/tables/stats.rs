//! `tilebase tables stats`

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::format::{Header, mean};
use tilebase::generate::Build;
use tilebase::lookup::{Table, read_header};
#[cfg(feature = "plot")]
use tilebase_plot::{Axis, Chart, Series, Style};

use super::verify;
use crate::builds;
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;
#[cfg(feature = "plot")]
use crate::picture::PictureOptions;

/// Columns of the longest bar in the terminal.
const BAR: usize = 50;

#[cfg_attr(feature = "plot", doc = "Show how many entries have which cost, as numbers, as bars, and as a picture")]
#[cfg_attr(not(feature = "plot"), doc = "Show how many entries have which cost, as numbers and as bars")]
///
/// Of one table the entries are counted; several are put side by side as shares of their entries. With --excess, not the costs
/// are shown but what they exceed the Manhattan distance by: what the table knows and the simple count does not. That takes a
/// byte of memory for each entry of a bit table.
#[derive(Args, Debug)]
#[command(after_help = if cfg!(feature = "png") { "\
Examples:
  tilebase tables stats FILE
  tilebase tables stats --svg costs.svg --png costs.png $(tilebase tables path 7-8)
  tilebase tables stats --excess FILE..."
} else { "\
Examples:
  tilebase tables stats FILE
  tilebase tables stats --excess FILE..."
})]
pub(crate) struct Stats {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Show what costs exceed the Manhattan distance by
    #[arg(long)]
    excess: bool,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    picture: PictureOptions,
}

/// What is counted of one table.
struct Counted {
    file: PathBuf,
    header: Header,
    /// How many entries have each value.
    counts: Vec<u64>,
}

impl Counted {
    /// Entries that can be reached.
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn mean(&self) -> f64 {
        mean(&self.counts)
    }

    /// Half of the entries have at most this value.
    fn median(&self) -> usize {
        let mut so_far = 0;
        let half = self.total().div_ceil(2);
        let reaches_half = |count: &u64| {
            so_far += count;
            so_far >= half
        };
        self.counts.iter().position(reaches_half).unwrap_or(0)
    }

    fn name(&self) -> String {
        format!("{} {}", self.header.pattern(), self.header.kind())
    }
}

impl Stats {
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        #[cfg(feature = "png")]
        self.picture.check()?;
        let counted = self.files.iter().map(|file| self.count(file, common.threads(), output));
        let counted = counted.collect::<Result<Vec<_>, _>>()?;
        for table in &counted {
            if output.json {
                output.json(&self.json(table))?;
            } else {
                output.answer(self.text(table))?;
            }
        }
        #[cfg(feature = "plot")]
        self.picture.draw(&self.chart(&counted))?;
        Ok(Exit::Done)
    }

    fn count(&self, file: &Path, threads: usize, output: &Output) -> Result<Counted, Failure> {
        if !self.excess {
            let header = read_header(file).map_err(Failure::new)?;
            let counts = header.histogram().to_vec();
            return Ok(Counted { file: file.to_owned(), header, counts });
        }
        let table = Table::read(file).map_err(Failure::new)?;
        verify::verify(&table, output).map_err(|failure| failure.about(file))?;
        let header = table.header().clone();
        if header.kind().is_blank_aware() {
            let build = Build::new(header.pattern(), &[header.kind()]).map_err(Failure::new)?;
            builds::check_memory(&build, None, |build| build.memory_of_audit(threads))?;
        }
        let counts =
            builds::excess(&header, table.payload(), threads, output).map_err(|failure| failure.about(file))?;
        Ok(Counted { file: file.to_owned(), header, counts })
    }

    /// What the values are.
    fn what(&self) -> &'static str {
        if self.excess { "excess" } else { "cost" }
    }

    fn json(&self, table: &Counted) -> serde_json::Value {
        json!({
            "file": table.file.display().to_string(),
            "tiles": table.header.pattern().tiles().map(|tile| tile.0).collect::<Vec<_>>(),
            "encoding": table.header.kind().encoding(),
            "count": table.header.kind().count(),
            "what": self.what(),
            "entries": table.header.entries(),
            "reached": table.total(),
            "mean": table.mean(),
            "median": table.median(),
            "max": table.counts.len().saturating_sub(1),
            "histogram": table.counts,
        })
    }

    fn text(&self, table: &Counted) -> String {
        let header = &table.header;
        let most = table.counts.iter().copied().max().unwrap_or(1).max(1);
        let mut lines = vec![
            table.file.display().to_string(),
            format!("{} of {}, {}", table.name(), header.pattern().size(), ByteSize(header.file_len()).display().si()),
            format!("{} entries, {} can be reached", header.entries(), table.total()),
            format!(
                "{}: {:.3} on average, {} in the middle, {} at most",
                self.what(),
                table.mean(),
                table.median(),
                table.counts.len().saturating_sub(1)
            ),
            format!("{:>6} {:>14} {:>8}", self.what(), "entries", "share"),
        ];
        for (value, &count) in table.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let share = count as f64 / table.total() as f64 * 100.0;
            let bar = "█".repeat((count as f64 / most as f64 * BAR as f64).round() as usize);
            lines.push(format!("{value:6} {count:14} {share:7.3}% {bar}").trim_end().to_owned());
        }
        lines.push(String::new());
        lines.join("\n")
    }

    #[cfg(feature = "plot")]
    fn chart(&self, counted: &[Counted]) -> Chart {
        let x = if self.excess { "moves more than the Manhattan distance" } else { "moves" };
        if let [table] = counted {
            let points = table.counts.iter().enumerate().map(|(value, &count)| (value as f64, count as f64));
            return Chart {
                title: format!("{}: entries by {}", table.name(), self.what()),
                subtitle: Some(format!(
                    "{} board, {} entries, {:.2} on average",
                    table.header.pattern().size(),
                    table.total(),
                    table.mean()
                )),
                x: Axis::linear(x),
                y: Axis::linear("entries"),
                series: vec![Series::new(table.name(), Style::Bars, points)],
            };
        }
        let series = counted.iter().map(|table| {
            let share = |count: u64| count as f64 / table.total() as f64;
            // Where every second value is impossible, it is not drawn as a gap.
            let points = table.counts.iter().enumerate().filter(|(_, count)| !self.excess || **count > 0);
            let points = points.map(|(value, &count)| (value as f64, share(count)));
            Series::new(format!("{} ({:.2})", table.name(), table.mean()), Style::Steps, points)
        });
        Chart {
            title: format!("Share of entries by {}", self.what()),
            subtitle: Some("tables by their tiles; in brackets the mean".to_owned()),
            x: Axis::linear(x),
            y: Axis::linear("share of entries"),
            series: series.collect(),
        }
    }
}
