//! `tilebase tables path`

use clap::Args;
use serde_json::json;
use tilebase_format::{Encoding, Header};

use crate::catalogues;
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
        for pattern in catalogues::find(text)?.partition.patterns() {
            let names = [Encoding::Bit, Encoding::Nibble].into_iter().flat_map(|encoding| {
                pattern.images().map(move |image| Header::file_name_of(&image, encoding)).collect::<Vec<_>>()
            });
            let files = names.flat_map(|name| store.directories().iter().map(move |place| place.join(&name)));
            let found = files.into_iter().find(|file| file.exists());
            match found {
                Some(file) if output.json => {
                    output.json(&json!({ "tiles": pattern.to_string(), "file": file.display().to_string() }))?;
                }
                Some(file) => output.answer(file.display())?,
                None => {
                    let program = store.find(pattern).map_err(Failure::new)?.is_some();
                    if output.json {
                        output.json(&json!({ "tiles": pattern.to_string(), "file": null, "in_program": program }))?;
                    } else if program {
                        output.note(format!("{pattern}: in the program itself"));
                    } else {
                        output.note(format!("{pattern}: not there; run tilebase generate \"{text}\""));
                    }
                    exit = if program { exit } else { Exit::Negative };
                }
            }
        }
        Ok(exit)
    }
}
