//! `tilebase tables list`

use clap::Args;
use tilebase::format::directory_of;
use tilebase::lookup::{Location, Store, TableFile};
use tilebase::puzzle::Catalogue;
use tilebase::{catalogues_with, check_packed_name, readiness, table_json, tables_of};

use super::{open, verify};
use crate::session::bytes;
use crate::{Exit, Result, Session};

/// Show what tables are there, whether they are whole, and what each gives
///
/// For every file in the table directories, and every table in the program: its size, how its costs are kept, their mean and
/// largest, and the catalogues it is part of. Then, which catalogues are complete. A name such as 4x4-0-1.2.4.5.8.bit.tbl has the board,
/// the blank's corner and the pattern's tiles, numbered in the blank-first frame; `show` tells them by the numbers on a board.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables list
  tilebase tables list --verify --json")]
pub(crate) struct List {
    /// Read every byte; without it, only headers and lengths are checked
    #[arg(long)]
    verify: bool,
}

impl List {
    pub(super) fn run(&self, session: &Session) -> Result {
        let store = session.store();
        let mut exit = Exit::Done;
        let mut heading = None;
        for file in tables_of(&store) {
            let problem = self.problem(&file, session);
            if problem.is_some() {
                exit = Exit::Negative;
            }
            if session.json {
                session.answer(table_json(&file, problem.as_deref(), self.verify))?;
                continue;
            }
            let place = match &file.location {
                Location::Table(path) | Location::Packed(path) => directory_of(path).display().to_string(),
                Location::Program => "in the program".to_owned(),
            };
            if heading.as_ref() != Some(&place) {
                session.answer(&place)?;
                heading = Some(place);
            }
            session.answer(format!("  {}", text(&file, problem.as_deref(), self.verify)))?;
        }
        if !session.json {
            session.answer("catalogues")?;
            for catalogue in Catalogue::names().filter_map(Catalogue::known) {
                session.answer(format!("  {:8} {}", catalogue.name, readiness(&store, &catalogue).1))?;
            }
        }
        Ok(exit)
    }

    /// What is wrong with a file, if something is.
    fn problem(&self, file: &TableFile, session: &Session) -> Option<String> {
        match (&file.location, file.header.as_ref()) {
            (_, Some(Err(error))) => Some(error.reason()),
            (Location::Table(path), Some(Ok(header)))
                if path.file_name().is_some_and(|name| *name != *header.file_name()) =>
            {
                Some(format!("the file holds another table, {}: give it that name", header.file_name()))
            }
            (Location::Table(path), _) if self.verify => {
                open(path).and_then(|table| verify::verify(&table, session)).err().map(|failure| failure.to_string())
            }
            (Location::Packed(path), _) => {
                let checked = check_packed_name(path);
                let verify = || verify::verify_packed(path, session);
                let checked = if self.verify { checked.and_then(|()| verify()) } else { checked };
                checked.err().map(|error| error.reason())
            }
            (Location::Program, Some(Ok(header))) if self.verify => {
                let table = Store::compiled_in().find_unverified(header.pattern()).ok().flatten()?;
                verify::verify(&table, session).err().map(|failure| failure.to_string())
            }
            _ => None,
        }
    }
}

fn text(file: &TableFile, problem: Option<&str>, verified: bool) -> String {
    let name = file.name();
    if let Some(problem) = problem {
        return format!("{name}  {problem}");
    }
    let verified = if verified { ", verified" } else { "" };
    let Some(Ok(header)) = &file.header else { return name };
    let (len, packed) = match &file.location {
        Location::Packed(path) => (std::fs::metadata(path).map_or(0, |data| data.len()), ", packed"),
        Location::Table(_) | Location::Program => (header.file_len(), ""),
    };
    let (size, part_of) = (bytes(len).to_string(), catalogues_with(header));
    let part_of = if part_of.is_empty() { String::new() } else { format!("  of {}", part_of.join(", ")) };
    let (mean, max) = (header.mean(), header.max());
    format!("{name:40} {size:>9}  costs {mean:.2} on average, {max} at most{part_of}{packed}{verified}")
}
