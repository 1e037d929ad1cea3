//! `tilebase tables path`

use clap::Args;
use serde_json::json;
use tilebase::find_catalogue;
use tilebase::lookup::Location;

use crate::{Exit, Result, Session};

/// Print where tables are looked for, in order, or where the tables of a catalogue are
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # the directories; new tables go into the first
  tilebase tables path
  # the files of a catalogue
  ls -l $(tilebase tables path 7-8)")]
pub(crate) struct Path {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: Option<String>,
}

impl Path {
    pub(super) fn run(&self, session: &Session) -> Result {
        let store = session.store();
        let Some(text) = &self.catalogue else {
            for (number, directory) in store.directories().iter().enumerate() {
                let path = directory.display().to_string();
                let exists = directory.is_dir();
                session.tell(json!({ "directory": path, "exists": exists, "new_tables": number == 0 }), path)?;
            }
            return Ok(Exit::Done);
        };
        let mut exit = Exit::Done;
        for pattern in &find_catalogue(text)?.patterns() {
            let (file, program) = match store.locate(pattern) {
                Some(Location::Table(file) | Location::Packed(file)) => (Some(file.display().to_string()), false),
                Some(Location::Program) => (None, true),
                None => (None, false),
            };
            if file.is_none() && !program {
                exit = Exit::Negative;
            }
            match file {
                file if session.json => {
                    session.answer(json!({ "tiles": pattern.to_string(), "file": file, "in_program": program }))?;
                }
                Some(file) => session.answer(file)?,
                None if program => session.note(format!("{pattern}: in the program itself")),
                None => session.note(format!("{pattern}: not there; run tilebase generate \"{text}\"")),
            }
        }
        Ok(exit)
    }
}
