//! `tilebase tables`

mod audit;
#[cfg(feature = "fetch")]
mod fetch;
mod given;
mod info;
#[cfg(not(feature = "fetch"))]
mod left_out;
mod list;
mod pack;
mod path;
mod prune;
mod rate;
mod sample;
mod search;
mod stats;
mod unpack;
mod verify;

use std::path::Path;

use serde_json::json;
use tilebase::lookup::Table;

use crate::{Exit, Result, Session};
use given::Given;

super::commands! {
    /// Look at tables, check them, ship them
    #[command(after_help = "\
Examples:
  tilebase tables list
  tilebase tables info 6-6-3")]
    Tables:
    list::List,
    path::Path,
    info::Info,
    stats::Stats,
    verify::Verify,
    audit::Audit,
    pack::Pack,
    unpack::Unpack,
    #[cfg(feature = "fetch")] fetch::Fetch,
    #[cfg(not(feature = "fetch"))] left_out::Fetch,
    prune::Prune,
    rate::Rate,
    search::Search,
}

/// Reads a table into memory.
fn open(file: &Path) -> Result<Table> {
    Ok(Table::read_unverified(file)?)
}

/// Checks one table after the other, and says of each whether it is what it should be: the key for JSON, the verdict
/// for people.
fn check_each(
    tables: &[Given],
    session: &Session,
    (key, verdict): (&str, &str),
    check: impl Fn(&Given) -> Result<()>,
) -> Result {
    let mut exit = Exit::Done;
    for table in tables {
        let (name, file) = (table.name(), table.file());
        match check(table) {
            Ok(()) => session.tell(json!({ "file": file, key: true }), format!("{name}: {verdict}"))?,
            Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                exit = exit.max(failure.exit);
                session.refuse(json!({ "file": file, key: false, "error": failure.to_string() }), failure)?;
            }
        }
    }
    Ok(exit)
}
