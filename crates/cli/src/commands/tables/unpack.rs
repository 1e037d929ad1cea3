//! `tilebase tables unpack`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use tilebase::unpack;

use super::given::{Given, Wanted};
use crate::session::bytes;
use crate::{Exit, Result, Session, bars};

/// Unpack tables that were packed
///
/// Size, hashes and header are checked, and the tables of known catalogues must be those that the program's manifest lists,
/// before a table gets its name. A table that is already there is left alone; `tables verify` tells whether it is whole.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables unpack 5-5-5
  tilebase tables unpack pdb/packed/*.zst")]
pub(crate) struct Unpack {
    /// Packed table files, or catalogues such as 7-8 for their packed tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    /// Directory for the tables [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace tables that are there
    #[arg(long)]
    force: bool,
}

impl Unpack {
    pub(super) fn run(&self, session: &Session) -> Result {
        let directory = session.new_tables(self.out.as_deref())?;
        for table in Given::all(&self.tables, Wanted::Packed, session)? {
            let Given::File(file) = &table else { continue };
            let started = Instant::now();
            let unpacked = bars::watched(session, |watch| unpack(file, &directory, self.force, watch))?;
            let seconds = started.elapsed().as_secs_f64();
            let (table, header) = (unpacked.path.display().to_string(), &unpacked.header);
            let json = json!({
                "packed": file.display().to_string(), "file": table, "bytes": header.file_len(),
                "hash": header.hash_text(), "already_there": unpacked.was_there, "seconds": seconds,
            });
            let new = || format!("{table}: {} in {seconds:.2} s", bytes(header.file_len()));
            session.tell(json, if unpacked.was_there { format!("{table}: already there") } else { new() })?;
        }
        Ok(Exit::Done)
    }
}
