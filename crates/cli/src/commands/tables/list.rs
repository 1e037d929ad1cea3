//! `tilebase tables list`

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;
use serde_json::{Value, json};
use tilebase_format::{Header, Unpacking, directory_of};
use tilebase_lookup::{Location, Store, TableFile};
use tilebase_puzzle::Catalogue;

use super::{open, verify};
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;
use crate::packed;

/// Show what tables are there, whether they are whole, and what each gives
///
/// For every file in the table directories, and every table in the program: its size, how its costs are kept, their mean and
/// largest, and the catalogues it is part of. Then, which catalogues are complete.
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
    pub(super) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let store = common.store();
        let mut exit = Exit::Done;
        let mut heading = None;
        for file in files(&store) {
            let problem = self.problem(&file, output);
            if problem.is_some() {
                exit = Exit::Negative;
            }
            if output.json {
                output.json(&json(&file, problem.as_deref(), self.verify))?;
                continue;
            }
            let place = match &file.location {
                Location::Table(path) | Location::Packed(path) => directory_of(path).display().to_string(),
                Location::Program => "in the program".to_owned(),
            };
            if heading.as_ref() != Some(&place) {
                output.answer(&place)?;
                heading = Some(place);
            }
            output.answer(format!("  {}", text(&file, problem.as_deref(), self.verify)))?;
        }
        if !output.json {
            output.answer("catalogues")?;
            for catalogue in Catalogue::names().filter_map(Catalogue::known) {
                output.answer(format!("  {:8} {}", catalogue.name, readiness(&store, &catalogue).1))?;
            }
        }
        Ok(exit)
    }

    /// What is wrong with a file, if something is.
    fn problem(&self, file: &TableFile, output: &Output) -> Option<String> {
        match (&file.location, file.header.as_ref()) {
            (_, Some(Err(error))) => Some(error.reason()),
            (Location::Table(path), Some(Ok(header)))
                if path.file_name().is_some_and(|name| *name != *header.file_name()) =>
            {
                Some(format!("the file holds another table, {}: give it that name", header.file_name()))
            }
            (Location::Table(path), _) if self.verify => {
                open(path).and_then(|table| verify::verify(&table, output)).err().map(|failure| failure.to_string())
            }
            (Location::Packed(path), _) => {
                let checked = packed::check_name(path);
                let verify = || verify::verify_packed(path, output);
                let checked = if self.verify { checked.and_then(|()| verify()) } else { checked };
                checked.err().map(|failure| failure.to_string())
            }
            (Location::Program, Some(Ok(header))) if self.verify => {
                let table = Store::compiled_in().find(header.pattern()).ok().flatten()?;
                verify::verify(&table, output).err().map(|failure| failure.to_string())
            }
            _ => None,
        }
    }
}

/// All tables of a store, the packed ones with their headers too.
fn files(store: &Store) -> impl Iterator<Item = TableFile> {
    store.files().into_iter().map(|mut file| {
        if let Location::Packed(path) = &file.location {
            file.header = Unpacking::open(path).ok().map(|packed| Ok(packed.header().clone()));
        }
        file
    })
}

/// All tables of a store that can be opened, without saying where on the disk they are.
#[cfg(feature = "serve")]
pub(crate) fn tables(store: &Store) -> Vec<Value> {
    let whole = files(store).filter(|file| matches!(file.header, Some(Ok(_))));
    let told = whole.map(|file| {
        let mut told = json(&file, None, false);
        told.as_object_mut().expect("a table is told of as an object").shift_remove("file");
        told
    });
    told.collect()
}

/// All known catalogues, and whether their tables are there.
#[cfg(feature = "serve")]
pub(crate) fn catalogues(store: &Store) -> Vec<Value> {
    let known = Catalogue::names().filter_map(Catalogue::known);
    let told = known.map(|catalogue| {
        let (ready, hint) = readiness(store, &catalogue);
        json!({ "name": catalogue.name, "board": catalogue.partition.size().to_string(), "ready": ready, "hint": hint })
    });
    told.collect()
}

fn name(file: &TableFile) -> String {
    match (&file.location, &file.header) {
        (Location::Table(path) | Location::Packed(path), _) => {
            path.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        (Location::Program, Some(Ok(header))) => header.file_name(),
        (Location::Program, _) => String::new(),
    }
}

fn json(file: &TableFile, problem: Option<&str>, verified: bool) -> Value {
    let (path, kind) = match &file.location {
        Location::Table(path) => (Some(path), "table"),
        Location::Packed(path) => (Some(path), "packed"),
        Location::Program => (None, "program"),
    };
    let header = file.header.as_ref().and_then(|header| header.as_ref().ok());
    let part_of = header.map(catalogues_with);
    json!({
        "file": path.map(|path| path.display().to_string()),
        "place": kind,
        "name": name(file),
        "board": header.map(|header| header.pattern().size().to_string()),
        "tiles": header.map(|header| header.pattern().tiles().map(|tile| tile.0).collect::<Vec<_>>()),
        "encoding": header.map(|header| header.kind().encoding()),
        "count": header.map(|header| header.kind().count()),
        "bytes": path.map_or(header.map(Header::file_len), |path| std::fs::metadata(path).ok().map(|data| data.len())),
        "mean": header.map(Header::mean),
        "max": header.map(Header::max),
        "catalogues": part_of,
        "whole": problem.is_none().then_some(if verified { "verified" } else { "opens" }),
        "error": problem,
    })
}

fn text(file: &TableFile, problem: Option<&str>, verified: bool) -> String {
    let name = name(file);
    if let Some(problem) = problem {
        return format!("{name}  {problem}");
    }
    let verified = if verified { ", verified" } else { "" };
    let bytes = |bytes: u64| ByteSize(bytes).display().si().to_string();
    let len = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    if let Some(header) = file.header.as_ref().and_then(|header| header.as_ref().ok()) {
        let (len, packed) = match &file.location {
            Location::Packed(path) => (len(path), ", packed"),
            Location::Table(_) | Location::Program => (header.file_len(), ""),
        };
        let (size, part_of) = (bytes(len), catalogues_with(header));
        let part_of = if part_of.is_empty() { String::new() } else { format!("  of {}", part_of.join(", ")) };
        let (mean, max) = (header.mean(), header.max());
        return format!("{name:40} {size:>9}  costs {mean:.2} on average, {max} at most{part_of}{packed}{verified}");
    }
    name
}

/// The known catalogues that a table's pattern, or a mirror image of it, is part of.
fn catalogues_with(header: &Header) -> Vec<String> {
    let known = Catalogue::names().filter_map(Catalogue::known);
    let with_pattern = known.filter(|catalogue| {
        catalogue.partition.patterns().iter().any(|pattern| pattern.images().any(|image| image == *header.pattern()))
    });
    with_pattern.map(|catalogue| catalogue.name).collect()
}

/// Whether all tables of a catalogue are there, and what to do if not.
fn readiness(store: &Store, catalogue: &Catalogue) -> (bool, String) {
    let patterns = catalogue.partition.patterns();
    let tables: Vec<_> = patterns.iter().map(|pattern| store.find(pattern)).collect();
    let there: Vec<_> = tables.iter().filter_map(|table| table.as_ref().ok()?.as_ref()).collect();
    if there.len() == patterns.len() {
        let mean: f64 = there.iter().map(|table| table.header().mean()).sum();
        return (true, format!("ready: all {} tables, costs {mean:.2} on average together", patterns.len()));
    }
    let packed = patterns.iter().filter(|pattern| store.find_packed(pattern).is_some()).count();
    let hint = if packed + there.len() >= patterns.len() {
        format!("solve --tables {} unpacks what is missing", catalogue.name)
    } else {
        format!("run tilebase generate {}", catalogue.name)
    };
    (false, format!("{} of {} tables are there: {hint}", there.len(), patterns.len()))
}
