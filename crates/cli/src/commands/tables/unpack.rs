//! `tilebase tables unpack`

use std::path::PathBuf;
use std::time::Instant;

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::unpack;

use crate::bars;
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// Unpack tables that were packed
///
/// Size, hashes and header are checked, and the tables of known catalogues must be those that the program's manifest lists,
/// before a table gets its name. A table that is already there is left alone; `tables verify` tells whether it is whole.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase tables unpack pdb/packed/*.zst")]
pub(crate) struct Unpack {
    /// Packed tables
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Directory for the tables [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace tables that are there
    #[arg(long)]
    force: bool,
}

impl Unpack {
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let directory = match &self.out {
            Some(directory) => directory.clone(),
            None => common.new_tables()?,
        };
        self.files.iter().try_for_each(|file| {
            let started = Instant::now();
            let unpacked = bars::watched(output, |watch| unpack(file, &directory, self.force, watch))?;
            let seconds = started.elapsed().as_secs_f64();
            let (table, header) = (unpacked.path.display().to_string(), &unpacked.header);
            if output.json {
                output.json(&json!({
                    "packed": file.display().to_string(), "file": table, "bytes": header.file_len(),
                    "hash": header.hash_text(), "already_there": unpacked.was_there, "seconds": seconds,
                }))?;
            } else if unpacked.was_there {
                output.answer(format!("{table}: already there"))?;
            } else {
                output.answer(format!("{table}: {} in {seconds:.2} s", ByteSize(header.file_len()).display().si()))?;
            }
            Ok::<(), Failure>(())
        })?;
        Ok(Exit::Done)
    }
}
