//! `tilebase bench open`

use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::find_catalogue;
use tilebase::puzzle::{Frame, Random};

use super::{goal, loadings, open_all};
use crate::{Exit, Failure, Result, Session};

/// Open the tables of a catalogue, and say how long it is to the first value
///
/// From nothing but the directories to the cost of a random board, for tables that are mapped, read into memory, and copied
/// onto huge pages, all of them verified before; and for tables that are mapped and verified each time. The fastest and the median of the rounds; the files are in the system's cache after the first.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 7-8 && tilebase bench open 7-8")]
pub(crate) struct Open {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: String,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

impl Open {
    pub(super) fn run(&self, session: &Session) -> Result {
        let catalogue = find_catalogue(&self.catalogue)?;
        let goal = goal(&catalogue)?;
        let state = Frame::new(&goal).state(&Random::new(1).solvable_board(&goal))?;
        let verified = (loadings()[0].0, "verified");
        for (loading, name) in loadings().into_iter().chain([verified]) {
            let mut milliseconds = Vec::new();
            let (mut value, mut bytes) = (0, 0);
            for _ in 0..self.repeat {
                let started = Instant::now();
                let store = session.store().with_loading(loading);
                let store = if name == verified.1 { store.remembering(None) } else { store };
                let tables = open_all(&store, &catalogue)?;
                let costs = tables.iter().map(|table| table.cost(&table.locate(&state)?));
                value = costs.sum::<Option<u32>>().ok_or_else(|| Failure::new("a table is damaged: build it again"))?;
                milliseconds.push(started.elapsed().as_secs_f64() * 1e3);
                bytes = tables.iter().map(|table| table.header().file_len()).sum::<u64>();
            }
            milliseconds.sort_by(f64::total_cmp);
            let (best, median) = (milliseconds[0], milliseconds[milliseconds.len() / 2]);
            let json = json!({
                "catalogue": catalogue.name, "loading": name, "bytes": bytes, "milliseconds": best,
                "median_milliseconds": median, "value": value,
            });
            let text =
                format!("{name:10} {best:9.3} ms to the first value ({median:.3} ms in the median), {bytes} bytes");
            session.tell(json, format!("{}, {text}", catalogue.name))?;
        }
        Ok(Exit::Done)
    }
}
