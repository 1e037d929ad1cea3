//! `tilebase tables verify`

use std::path::{Path, PathBuf};

use clap::Args;
use tilebase::PackedError;
use tilebase::format::PACKED;
use tilebase::lookup::Table;
use tilebase::progress::Event;

use super::check_each;
use super::given::{Given, Wanted};
use crate::{Exit, Failure, Result, Session, bars};

/// Read every byte of a table, packed or not, and say whether it is whole, and where it is damaged
///
/// This finds what time and copying do to files. Whether the costs are right in the first place is what `tables audit` proves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables verify 7-8
  tilebase tables verify ~/.cache/tilebase/*.tbl")]
pub(crate) struct Verify {
    /// Table files, or catalogues such as 7-8 for their tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
}

impl Verify {
    pub(super) fn run(&self, session: &Session) -> Result {
        let tables = Given::all(&self.tables, Wanted::TablesOrPacked, session)?;
        check_each(&tables, session, ("whole", "whole"), |table| match table {
            Given::File(file) if file.extension().is_some_and(|end| end == PACKED) => Ok(verify_packed(file, session)?),
            table => verify(&table.open()?, session).map_err(|failure| table.failure(failure)),
        })
    }
}

/// Reads every byte of a table.
pub(super) fn verify(table: &Table, session: &Session) -> Result<()> {
    let verdict = bars::watched(session, |watch| {
        let what = format!("verifying {}", table.header().file_name());
        let _ = watch(&Event::Begin { what: &what, total: table.header().payload_len() });
        table.verify(watch)
    });
    verdict.map_err(|error| Failure::new(error).with_exit(Exit::Negative))
}

/// Unpacks a packed table into nothing.
pub(super) fn verify_packed(file: &Path, session: &Session) -> Result<(), PackedError> {
    bars::watched(session, |watch| tilebase::verify_packed(file, watch))
}
