//! `tilebase tables verify`

use std::path::{Path, PathBuf};

use clap::Args;
use tilebase_format::{PACKED, Unpacking};
use tilebase_lookup::Table;

use super::{check_each, open};
use crate::failure::{Exit, Failure};
use crate::manifest;
use crate::output::Output;
use crate::packed::{advancing, cannot_unpack};

/// Read every byte of a table, packed or not, and say whether it is whole, and where it is damaged
///
/// This finds what time and copying do to files. Whether the costs are right in the first place is what `tables audit` proves.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase tables verify ~/.cache/tilebase/*.tbl")]
pub(crate) struct Verify {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Verify {
    pub(super) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        check_each(&self.files, output, ("whole", "whole"), |file| {
            let is_packed = file.extension().is_some_and(|end| end == PACKED);
            let verdict = if is_packed { verify_packed(file, output) } else { verify(&open(file)?, output) };
            verdict.map_err(|failure| failure.about(file))
        })
    }
}

/// Reads every byte of a table.
pub(super) fn verify(table: &Table, output: &Output) -> Result<(), Failure> {
    let bar = output.progress_bar(table.header().payload_len(), "{wide_bar} {bytes} of {total_bytes}");
    let damage = table.verify(|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    damage.map_err(|damage| Failure::new(damage).with_exit(Exit::Negative))
}

/// Unpacks a packed table into nothing.
pub(super) fn verify_packed(file: &Path, output: &Output) -> Result<(), Failure> {
    Unpacking::open(file).map_err(cannot_unpack).and_then(|packed| {
        manifest::check(packed.header())?;
        let bar = output.progress_bar(packed.header().payload_len(), "{wide_bar} {bytes} of {total_bytes}");
        let verdict = packed.verify(&advancing(&bar));
        bar.finish_and_clear();
        verdict.map_err(cannot_unpack)
    })
}
