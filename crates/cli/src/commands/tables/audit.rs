//! `tilebase tables audit`

use std::path::PathBuf;

use clap::Args;
use tilebase::progress::unwatched;

use super::{check_each, open};
use crate::{Exit, Failure, Result, Session, builds, interrupt};

/// Prove that a table is right: every entry, without trusting how it was built
///
/// First every byte is read, as `tables verify` does. Then of every state it is shown that the goal costs 0, that neighbours differ by exactly 1, and that every other state has a
/// cheaper neighbour; only the true costs are like that. Takes a byte of memory for each state. A collapsed table is
/// compared with a blank-aware one that is built and proved for that.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tilebase generate 5-5-5 --out . && tilebase tables audit *.tbl")]
pub(crate) struct Audit {
    /// Table files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Audit {
    pub(super) fn run(&self, session: &Session) -> Result {
        interrupt::stop_when_asked();
        check_each(&self.files, session, ("right", "every entry is right"), |file| {
            let table = open(file)?;
            let header = table.header();
            builds::check_memory_of_audit(header, session)?;
            table.verify(&unwatched).map_err(|damage| Failure::new(damage).with_exit(Exit::Negative).about(file))?;
            builds::prove(header, table.payload(), session).map_err(|failure| failure.about(file))
        })
    }
}
