//! `tilebase bench`

mod analyse;
mod bounds;
mod generate;
mod lookup;
mod open;
#[cfg(feature = "serve")]
mod serve;
mod solve;

use tilebase::lookup::{Loading, Store, Table};
use tilebase::puzzle::{Board, Catalogue, Pattern};
use tilebase::unwatched;

use crate::{Failure, Result};

super::commands! {
    /// Measure what the documentation claims
    #[command(after_help = "\
Examples:
  tilebase bench generate 5-5-5
  tilebase bench korf15 --easiest 10")]
    Bench:
    generate::Generate,
    open::Open,
    lookup::Lookup,
    bounds::Bounds,
    solve::Korf15,
    solve::Random15,
    solve::Hardest15,
    solve::Korf24,
    analyse::Analyse,
    #[cfg(feature = "serve")] serve::Serve,
}

/// How tables may be loaded, with the names that are shown.
fn loadings() -> [(Loading, &'static str); 3] {
    [(Loading::Map, "mapped"), (Loading::Read, "owned"), (Loading::Copy, "huge pages")]
}

/// The tables of all patterns of a catalogue. None is built or unpacked for a measurement.
fn open_all(store: &Store, catalogue: &Catalogue) -> Result<Vec<Table>> {
    open_these(store, &catalogue.patterns(), &catalogue.name)
}

/// The tables of some patterns of a catalogue that has a name.
fn open_these(store: &Store, patterns: &[Pattern], name: &str) -> Result<Vec<Table>> {
    let find = |pattern: &Pattern| {
        store.find_verified(pattern, &unwatched)?.ok_or_else(|| {
            Failure::new(format!("the table of {pattern} is not there: run tilebase generate \"{name}\""))
        })
    };
    patterns.iter().map(find).collect()
}

/// The goal of a catalogue's tables: the tiles in order, the blank where it belongs.
fn goal(catalogue: &Catalogue) -> Result<Board> {
    let size = catalogue.size();
    let mut labels: Vec<u64> = (1..size.count() as u64).collect();
    labels.insert(catalogue.home().index(), 0);
    Ok(Board::new(size, &labels)?)
}
