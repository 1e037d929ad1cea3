//! Tables as the command line gives them: files, or catalogues that stand for their tables.

use std::path::{Path, PathBuf};

use tilebase::find_catalogue;
use tilebase::format::{Header, PACKED};
use tilebase::lookup::{Location, Store, Table, read_header};
use tilebase::puzzle::{Catalogue, Pattern, quoted};

use crate::{Failure, Result, Session};

/// What a command does something with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Tables that are not packed.
    Tables,
    /// Tables, and packed ones where there is no other.
    TablesOrPacked,
    /// Packed tables.
    Packed,
}

/// A table that was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Given {
    /// In a file.
    File(PathBuf),
    /// In the program: the table of a pattern, and the name that its file would have.
    Program(Pattern, String),
}

impl Given {
    /// The tables that some words stand for.
    pub(super) fn all(words: &[PathBuf], wanted: Wanted, session: &Session) -> Result<Vec<Given>> {
        let store = session.store();
        let mut all = Vec::new();
        for word in words {
            match catalogue(word)? {
                None => all.push(Given::File(word.clone())),
                Some((text, catalogue)) => all.extend(tables(&text, &catalogue, wanted, &store)?),
            }
        }
        Ok(all)
    }

    /// What people call it.
    pub(super) fn name(&self) -> String {
        match self {
            Given::File(path) => path.display().to_string(),
            Given::Program(_, name) => format!("{name} (in the program)"),
        }
    }

    /// What programs call it: a file's path, or nothing when there is no file.
    pub(super) fn file(&self) -> Option<String> {
        matches!(self, Given::File(_)).then(|| self.name())
    }

    /// A failure, saying which table it is about.
    pub(super) fn failure(&self, failure: Failure) -> Failure {
        failure.about(Path::new(&self.name()))
    }

    pub(super) fn header(&self) -> Result<Header> {
        match self {
            Given::File(path) => Ok(read_header(path)?),
            Given::Program(..) => Ok(self.open()?.header().clone()),
        }
    }

    /// Reads the table into memory.
    pub(super) fn open(&self) -> Result<Table> {
        match self {
            Given::File(path) => super::open(path),
            Given::Program(pattern, _) => {
                let table = Store::compiled_in().find_unverified(pattern)?;
                Ok(table.expect("it was found there before"))
            }
        }
    }
}

/// The catalogue that a word means, and how it was written, if it does not mean a file.
fn catalogue(word: &Path) -> Result<Option<(String, Catalogue)>> {
    let Some(text) = word.to_str() else { return Ok(None) };
    let is_file = word.exists() || word.extension().is_some_and(|end| end == "tbl" || end == PACKED);
    if is_file {
        return Ok(None);
    }
    match find_catalogue(text) {
        Ok(catalogue) => Ok(Some((text.to_owned(), catalogue))),
        // It looks like a path, and whoever opens it tells what is wrong.
        Err(_) if text.contains(['/', '\\', '.']) => Ok(None),
        Err(_) => {
            let known: Vec<_> = Catalogue::names().collect();
            Err(Failure::new(format!(
                "{} is neither a table file nor a known catalogue: expected a file, {}, or a drawing such as .ABB/AABB/AABB/AABB",
                quoted(text),
                known.join(", ")
            )))
        }
    }
}

fn tables(text: &str, catalogue: &Catalogue, wanted: Wanted, store: &Store) -> Result<Vec<Given>> {
    let mut found = Vec::new();
    let (mut missing, mut packed) = (0, 0);
    for pattern in &catalogue.patterns() {
        let table = || match store.locate(pattern)? {
            Location::Table(path) | Location::Packed(path) => Some(Given::File(path)),
            Location::Program => {
                let name = store.header(pattern).ok()??.file_name();
                Some(Given::Program(*pattern, name))
            }
        };
        let packed_table = || store.find_packed(pattern).map(Given::File);
        let table = match wanted {
            Wanted::Tables => table(),
            Wanted::TablesOrPacked => table().or_else(packed_table),
            Wanted::Packed => packed_table(),
        };
        match table {
            // A pattern and its mirror image share a table.
            Some(table) if found.contains(&table) => {}
            Some(table) => found.push(table),
            None => {
                missing += 1;
                packed += usize::from(packed_table().is_some());
            }
        }
    }
    if missing == 0 {
        return Ok(found);
    }
    let (all, text) = (catalogue.patterns().len(), quoted(text));
    let why = match wanted {
        Wanted::Packed => {
            "not there as packed files: expected them in a directory that tilebase tables path lists".to_owned()
        }
        _ if packed > 0 => format!("packed: run tilebase tables unpack {text}"),
        _ => format!("not there: run tilebase generate {text}"),
    };
    Err(Failure::new(format!("{missing} of {all} tables of {text} are {why}")))
}
