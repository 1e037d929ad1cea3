//! `tilebase tables prune`

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase_format::PACKED;
use tilebase_lookup::{Place, Store, read_header};

use super::{open, verify};
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// Remove what is of no use from the table directory
///
/// That is: what programs that were killed left behind; tables that cannot be opened; and packed tables whose tables are
/// there. With --verify, every byte of every table is read, and damaged ones go too. Files without a table's name are not
/// touched.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables prune --dry-run
  tilebase tables prune --verify")]
pub(crate) struct Prune {
    /// Read every byte, and remove damaged tables as well
    #[arg(long)]
    verify: bool,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

impl Prune {
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let directory = common.new_tables()?;
        let mut useless: Vec<(PathBuf, String)> = tilebase_format::leftovers(&directory)
            .into_iter()
            .map(|file| (file, "left behind by a program that was killed".to_owned()))
            .collect();
        for file in Store::new(vec![directory]).files() {
            let reason = match (&file.place, &file.header) {
                (Place::Table(_), Some(Err(error))) => Some(error.to_string()),
                (Place::Table(path), _) if self.verify => common.on_threads(|| damage(path, output))?,
                (Place::Packed(path), _) => unpacked_is_there(path),
                _ => None,
            };
            if let (Place::Table(path) | Place::Packed(path), Some(reason)) = (file.place, reason) {
                useless.push((path, reason));
            }
        }
        let mut bytes = 0;
        for (file, reason) in &useless {
            bytes += std::fs::metadata(file).map_or(0, |metadata| metadata.len());
            if !self.dry_run {
                std::fs::remove_file(file)
                    .map_err(|error| Failure::new(format!("cannot remove {}: {error}", file.display())))?;
            }
            if output.json {
                let name = file.display().to_string();
                output.json(&json!({ "file": name, "reason": reason, "removed": !self.dry_run }))?;
            } else {
                let verb = if self.dry_run { "would remove" } else { "removed" };
                output.answer(format!("{verb} {}: {reason}", file.display()))?;
            }
        }
        let size = ByteSize(bytes);
        let count = crate::output::counted(useless.len() as u64, "file");
        output.note(format!("{count} of no use, {}", size.display().si()));
        Ok(Exit::Done)
    }
}

/// What is damaged in a table, if something is.
fn damage(path: &Path, output: &Output) -> Option<String> {
    open(path).and_then(|table| verify::verify(&table, output)).err().map(|failure| failure.to_string())
}

/// Why a packed file is not needed, if it is not: its table is there and opens.
fn unpacked_is_there(packed: &Path) -> Option<String> {
    let table = packed.with_extension("");
    debug_assert!(packed.extension().is_some_and(|end| end == PACKED));
    read_header(&table).is_ok().then(|| "its table is there".to_owned())
}
