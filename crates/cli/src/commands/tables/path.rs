//! `tilebase tables path`

use clap::Args;
use serde_json::json;
use tilebase::find_catalogue;
use tilebase::lookup::Location;

use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

/// Print where tables are looked for, in order, or where the tables of a catalogue are
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase tables path                  the directories; new tables go into the first
  ls -l $(tilebase tables path 7-8)     the files of a catalogue")]
pub(crate) struct TablePath {
    /// A catalogue: a name, a file with a drawing, or a drawing
    #[arg(value_name = "CATALOGUE")]
    catalogue: Option<String>,
}

impl TablePath {
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let store = common.store();
        let Some(text) = &self.catalogue else {
            for (number, directory) in store.directories().iter().enumerate() {
                let path = directory.display().to_string();
                if output.json {
                    let exists = directory.is_dir();
                    output.json(&json!({ "directory": path, "exists": exists, "new_tables": number == 0 }))?;
                } else {
                    output.answer(path)?;
                }
            }
            return Ok(Exit::Done);
        };
        let mut exit = Exit::Done;
        for pattern in find_catalogue(text)?.partition.patterns() {
            let (file, program) = match store.locate(pattern) {
                Some(Location::Table(file) | Location::Packed(file)) => (Some(file.display().to_string()), false),
                Some(Location::Program) => (None, true),
                None => (None, false),
            };
            if file.is_none() && !program {
                exit = Exit::Negative;
            }
            match file {
                file if output.json => {
                    output.json(&json!({ "tiles": pattern.to_string(), "file": file, "in_program": program }))?;
                }
                Some(file) => output.answer(file)?,
                None if program => output.note(format!("{pattern}: in the program itself")),
                None => output.note(format!("{pattern}: not there; run tilebase generate \"{text}\"")),
            }
        }
        Ok(exit)
    }
}
