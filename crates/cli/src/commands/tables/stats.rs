//! `tilebase tables stats`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tilebase::format::{Header, mean};
use tilebase::index::Kind;
#[cfg(feature = "plot")]
use tilebase_plot::{Axis, Chart, Series, Style};

use super::given::{Given, Wanted};
use super::verify;
use crate::builds::tile_numbers;
#[cfg(feature = "plot")]
use crate::picture::PictureOptions;
use crate::session::bytes;
use crate::{Exit, Failure, Result, Session, builds};

/// Columns of the longest bar in the terminal.
const BAR: usize = 50;

#[cfg_attr(feature = "plot", doc = "Show how many entries have which cost, as numbers, as bars, and as a picture")]
#[cfg_attr(not(feature = "plot"), doc = "Show how many entries have which cost, as numbers and as bars")]
///
/// Of one table the entries are counted; several are put side by side as shares of their entries. With --excess, not the costs
/// are shown but what they exceed the Manhattan distance by: what the table knows and the simple count does not. That
/// replays the levels of a bit table, as `tables audit` does, and takes as much memory.
#[derive(Args, Debug)]
#[command(after_help = if cfg!(feature = "png") { "\
Examples:
  tilebase tables stats 6-6-3
  tilebase tables stats --svg costs.svg --png costs.png 6-6-3
  tilebase tables stats --excess 5-5-5 6-6-3"
} else { "\
Examples:
  tilebase tables stats 6-6-3
  tilebase tables stats --excess 5-5-5 6-6-3"
})]
pub(crate) struct Stats {
    /// Table files, or catalogues such as 7-8 for their tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    /// Show what costs exceed the Manhattan distance by
    #[arg(long)]
    excess: bool,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    picture: PictureOptions,
}

struct Counted {
    given: Given,
    header: Header,
    /// How many entries have each value.
    counts: Vec<u64>,
}

impl Counted {
    /// Entries that can be reached.
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Half of the entries have at most this value.
    fn median(&self) -> usize {
        let half = self.total().div_ceil(2);
        let mut up_to = self.counts.iter().scan(0, |so_far, count| {
            *so_far += count;
            Some(*so_far)
        });
        up_to.position(|count| count >= half).unwrap_or(0)
    }

    fn max(&self) -> usize {
        self.counts.len().saturating_sub(1)
    }

    fn name(&self) -> String {
        format!("{} {}", self.header.pattern(), self.header.kind())
    }
}

impl Stats {
    pub(super) fn run(&self, session: &Session) -> Result {
        #[cfg(feature = "png")]
        self.picture.check()?;
        let tables = Given::all(&self.tables, Wanted::Tables, session)?;
        let counted = tables.into_iter().map(|table| self.count(table, session));
        let counted = counted.collect::<Result<Vec<_>, _>>()?;
        for table in &counted {
            session.tell(self.json(table), self.text(table))?;
        }
        #[cfg(feature = "plot")]
        self.picture.draw(&self.chart(&counted))?;
        Ok(Exit::Done)
    }

    fn count(&self, given: Given, session: &Session) -> Result<Counted> {
        let (header, counts) = if self.excess {
            let header = given.header()?;
            if header.kind() == Kind::Lines {
                let why = "a table for mtm has no excess: distances of single tiles bound no moves of several; leave --excess out";
                return Err(given.failure(Failure::new(why)));
            }
            if header.kind().is_blank_aware() {
                builds::check_memory_of_audit(&header, session)?;
            }
            let table = given.open()?;
            verify::verify(&table, session).map_err(|failure| given.failure(failure))?;
            let counts = builds::excess(&header, table.payload(), session).map_err(|failure| given.failure(failure))?;
            (header, counts)
        } else {
            let header = given.header()?;
            let counts = header.histogram().to_vec();
            (header, counts)
        };
        Ok(Counted { given, header, counts })
    }

    /// What the values are.
    fn what(&self) -> &'static str {
        if self.excess { "excess" } else { "cost" }
    }

    fn json(&self, table: &Counted) -> serde_json::Value {
        json!({
            "file": table.given.file(), "tiles": tile_numbers(table.header.pattern()),
            "encoding": table.header.kind().encoding(), "count": table.header.kind().count(), "what": self.what(),
            "entries": table.header.entries(), "reached": table.total(), "mean": mean(&table.counts),
            "median": table.median(), "max": table.max(), "histogram": table.counts,
        })
    }

    fn text(&self, table: &Counted) -> String {
        let header = &table.header;
        let (what, mean, median) = (self.what(), mean(&table.counts), table.median());
        let most = table.counts.iter().copied().max().unwrap_or(1).max(1);
        let mut lines = vec![
            table.given.name(),
            format!(
                "{} of {} (tiles of the blank-first frame), {}",
                table.name(),
                header.pattern().size(),
                bytes(header.file_len())
            ),
            format!("{} entries, {} can be reached", header.entries(), table.total()),
            format!("{what}: {mean:.3} on average, {median} in the middle, {} at most", table.max()),
            format!("{what:>6} {:>14} {:>8}", "entries", "share"),
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
        let x = Axis::linear(if self.excess { "moves more than the Manhattan distance" } else { "moves" });
        if let [table] = counted {
            let (name, size, total, mean) =
                (table.name(), table.header.pattern().size(), table.total(), mean(&table.counts));
            let points = table.counts.iter().enumerate().map(|(value, &count)| (value as f64, count as f64));
            return Chart {
                title: format!("{name}: entries by {}", self.what()),
                subtitle: Some(format!("{size} board, {total} entries can be reached, {mean:.2} on average")),
                x,
                y: Axis::linear("entries"),
                series: vec![Series::new(name, Style::Bars, points)],
            };
        }
        let series = counted.iter().map(|table| {
            // Where every second value is impossible, it is not drawn as a gap.
            let points = table.counts.iter().enumerate().filter(|(_, count)| !self.excess || **count > 0);
            let points = points.map(|(value, &count)| (value as f64, count as f64 / table.total() as f64));
            Series::new(format!("{} ({:.2})", table.name(), mean(&table.counts)), Style::Steps, points)
        });
        Chart {
            title: format!("Share of entries by {}", self.what()),
            subtitle: Some("tables by their tiles; in brackets the mean".to_owned()),
            x,
            y: Axis::linear("share of entries"),
            series: series.collect(),
        }
    }
}
