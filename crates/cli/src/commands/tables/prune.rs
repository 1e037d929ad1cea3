//! `tilebase tables prune`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tilebase::format::{HeaderError, PACKED, Unpacking};
use tilebase::lookup::{Location, OpenError, Store, Table};

use super::{open, verify};
use crate::session::{bytes, counted};
use crate::{Exit, Result, Session};

/// Remove what is of no use from the table directory
///
/// That is: what programs that were killed left behind; tables that are damaged so that they cannot be opened; and packed
/// tables, and what `tables fetch` has fetched in part, whose tables are there and whole. With --verify, every byte of every table is read, and damaged ones go too. What
/// may be of use to somebody stays: files that cannot be read, tables of newer programs, and everything that is no table.
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
    pub(super) fn run(&self, session: &Session) -> Result {
        let directory = session.new_tables(None)?;
        let mut report = Report { session, dry_run: self.dry_run, count: 0, bytes: 0, exit: Exit::Done };
        let leftovers = tilebase::format::leftovers(&directory);
        let lengths: Vec<u64> = leftovers.iter().map(|file| len(file)).collect();
        // Those of programs that started meanwhile are locked, and stay.
        let removed = if self.dry_run { leftovers.clone() } else { tilebase::format::remove_leftovers(&directory) };
        for (file, bytes) in leftovers.iter().zip(lengths).filter(|(file, _)| removed.contains(file)) {
            report.say(file, "left behind by a program that was killed", bytes)?;
        }
        let parts = parts(&directory);
        let files = Store::new(vec![directory]).files();
        let mut damaged: Vec<PathBuf> = Vec::new();
        for file in &files {
            let reason = match (&file.location, &file.header) {
                (Location::Table(path), Some(Err(OpenError::Header { error, .. }))) if is_useless(error) => {
                    Some((path, error.to_string()))
                }
                (Location::Table(path), Some(Ok(_))) if self.verify => report.damage(path).map(|reason| (path, reason)),
                _ => None,
            };
            if let Some((path, reason)) = reason {
                damaged.push(path.clone());
                report.remove(path, &reason)?;
            }
        }
        for file in &files {
            if let Location::Packed(path) = &file.location
                && !damaged.contains(&path.with_extension(""))
                && same_table_is_there(path, session)
            {
                report.remove(path, "its table is there")?;
            }
        }
        for (path, table) in parts {
            // Whoever is still fetching it has it locked.
            let is_free = std::fs::File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
            if is_free
                && !damaged.contains(&table)
                && open(&table).is_ok_and(|table| verify::verify(&table, session).is_ok())
            {
                report.remove(&path, "its table is there")?;
            }
        }
        session.note(format!("{} of no use, {}", counted(report.count, "file"), bytes(report.bytes)));
        Ok(report.exit)
    }
}

/// What has been removed.
struct Report<'a> {
    session: &'a Session,
    dry_run: bool,
    count: u64,
    bytes: u64,
    exit: Exit,
}

impl Report<'_> {
    /// Removes a file, and says so; one that cannot be removed does not keep the others from it.
    fn remove(&mut self, file: &Path, reason: &str) -> Result<()> {
        let bytes = len(file);
        match if self.dry_run { Ok(()) } else { std::fs::remove_file(file) } {
            Ok(()) => self.say(file, reason, bytes),
            Err(error) => {
                self.exit = Exit::Error;
                self.session.error(format!("cannot remove {}: {error}", file.display()));
                Ok(())
            }
        }
    }

    /// What is damaged in a table, if something is. A table that cannot be read may be whole.
    fn damage(&mut self, path: &Path) -> Option<String> {
        match Table::read_unverified(path) {
            Ok(table) => verify::verify(&table, self.session).err().map(|failure| failure.to_string()),
            Err(OpenError::Header { error, .. }) if is_useless(&error) => Some(error.to_string()),
            Err(error) => {
                self.exit = Exit::Error;
                self.session.error(error);
                None
            }
        }
    }

    fn say(&mut self, file: &Path, reason: &str, bytes: u64) -> Result<()> {
        self.count += 1;
        self.bytes += bytes;
        let name = file.display().to_string();
        let verb = if self.dry_run { "would remove" } else { "removed" };
        let json = json!({ "file": name, "reason": reason, "removed": !self.dry_run });
        Ok(self.session.tell(json, format!("{verb} {name}: {reason}"))?)
    }
}

/// What has been fetched in part into a directory, each with the table that it would have become.
fn parts(directory: &Path) -> Vec<(PathBuf, PathBuf)> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let parts = entries.filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(".part")?;
        let table = name.strip_suffix(&format!(".{PACKED}")).unwrap_or(name);
        let is_table = Path::new(table).extension().is_some_and(|end| end == "tbl") && path.is_file();
        is_table.then(|| (path.clone(), directory.join(table)))
    });
    let mut parts: Vec<(PathBuf, PathBuf)> = parts.collect();
    parts.sort();
    parts
}

fn len(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Whether a file with such a header is of use to nobody: a table once, and damaged. Others may belong to other programs.
fn is_useless(error: &HeaderError) -> bool {
    !matches!(
        error,
        HeaderError::Magic | HeaderError::Packed | HeaderError::Version { .. } | HeaderError::Unknown { .. }
    )
}

/// Whether the table that a packed file holds is there, every byte of it.
fn same_table_is_there(packed: &Path, session: &Session) -> bool {
    let (Ok(table), Ok(packed)) = (open(&packed.with_extension("")), Unpacking::open(packed)) else { return false };
    packed.header() == table.header() && verify::verify(&table, session).is_ok()
}
