//! `tilebase tables audit`

use std::path::PathBuf;

use clap::Args;

use super::given::{Given, Wanted};
use super::{check_each, verify};
use crate::{Result, Session, builds, interrupt};

/// Prove that a table is right: every entry, without trusting how it was built
///
/// First every byte is read, as `tables verify` does. Then the levels of the costs are replayed from the goal: every state that is one
/// move further than what has been seen must have its cost in the table, until all are seen. That proves every entry, and takes the
/// table itself and a bit of memory for each state: as much as building it. A collapsed table is compared with a blank-aware
/// one that is built and proved for that.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables audit 6-6-3
  tilebase generate 5-5-5 --out . && tilebase tables audit *.tbl")]
pub(crate) struct Audit {
    /// Table files, or catalogues such as 7-8 for their tables in the table directories
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
}

impl Audit {
    pub(super) fn run(&self, session: &Session) -> Result {
        interrupt::stop_when_asked();
        let tables = Given::all(&self.tables, Wanted::Tables, session)?;
        check_each(&tables, session, ("right", "every entry is right"), |given| {
            // Before it is read: what the table takes is counted.
            let header = given.header()?;
            builds::check_memory_of_audit(&header, session)?;
            let table = given.open()?;
            verify::verify(&table, session).map_err(|failure| given.failure(failure))?;
            builds::prove(table.header(), table.payload(), session).map_err(|failure| given.failure(failure))
        })
    }
}
