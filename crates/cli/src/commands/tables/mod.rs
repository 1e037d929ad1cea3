//! `tilebase tables`

mod audit;
mod info;
mod list;
mod pack;
mod path;
mod prune;
mod stats;
mod unpack;
mod verify;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;
use tilebase::lookup::Table;

use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// Look at tables, check them, ship them
#[derive(Subcommand, Debug)]
pub(crate) enum Tables {
    List(list::List),
    Path(path::TablePath),
    Info(info::Info),
    Stats(stats::Stats),
    Verify(verify::Verify),
    Audit(audit::Audit),
    Pack(pack::Pack),
    Unpack(unpack::Unpack),
    Prune(prune::Prune),
}

impl Tables {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        if !matches!(self, Tables::Path(_) | Tables::Info(_)) {
            common.use_threads();
        }
        match self {
            Tables::List(list) => list.run(common, output),
            Tables::Path(path) => path.run(common, output),
            Tables::Info(info) => info.run(output),
            Tables::Stats(stats) => stats.run(common, output),
            Tables::Verify(verify) => verify.run(output),
            Tables::Audit(audit) => audit.run(common, output),
            Tables::Pack(pack) => pack.run(common, output),
            Tables::Unpack(unpack) => unpack.run(common, output),
            Tables::Prune(prune) => prune.run(common, output),
        }
    }
}

/// Reads a table into memory.
fn open(file: &Path) -> Result<Table, Failure> {
    Table::read(file).map_err(Failure::new)
}

/// Checks one file after the other, and says of each whether it is what it should be: the key for JSON, the verdict
/// for people.
fn check_each(
    files: &[PathBuf],
    output: &Output,
    (key, verdict): (&str, &str),
    check: impl Fn(&Path) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in files {
        let name = file.display().to_string();
        match check(file) {
            Ok(()) if output.json => output.json(&json!({ "file": name, key: true }))?,
            Ok(()) => output.answer(format!("{name}: {verdict}"))?,
            Err(failure) if failure.exit() == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                exit = exit.max(failure.exit());
                if output.json {
                    output.json(&json!({ "file": name, key: false, "error": failure.to_string() }))?;
                } else {
                    output.error(failure);
                }
            }
        }
    }
    Ok(exit)
}
