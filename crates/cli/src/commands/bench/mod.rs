//! `tilebase bench`

mod generate;
mod lookup;
mod open;
#[cfg(feature = "serve")]
mod serve;
mod solve;

use clap::Subcommand;
use tilebase::lookup::{Loading, Store, Table};
use tilebase::puzzle::{Board, Catalogue, Pattern};

use crate::failure::{Exit, Failure};
use crate::options::{Common, mapping};
use crate::output::Output;

/// Measure what the documentation claims
#[derive(Subcommand, Debug)]
pub(crate) enum Bench {
    Generate(generate::Generate),
    Open(open::Open),
    Lookup(lookup::Lookup),
    Korf15(solve::Korf15),
    Random15(solve::Random15),
    Hardest15(solve::Hardest15),
    Korf24(solve::Korf24),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
}

impl Bench {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        common.use_threads();
        match self {
            Bench::Generate(generate) => generate.run(common, output),
            Bench::Open(open) => open.run(common, output),
            Bench::Lookup(lookup) => lookup.run(common, output),
            Bench::Korf15(korf15) => korf15.run(common, output),
            Bench::Random15(random15) => random15.run(common, output),
            Bench::Hardest15(hardest15) => hardest15.run(common, output),
            Bench::Korf24(korf24) => korf24.run(common, output),
            #[cfg(feature = "serve")]
            Bench::Serve(serve) => serve.run(common, output),
        }
    }
}

/// How tables may be loaded, with the names that are shown.
fn loadings() -> [(Loading, &'static str); 3] {
    [(Loading::Map(mapping()), "mapped"), (Loading::Read, "owned"), (Loading::Copy, "huge pages")]
}

/// The tables of all patterns of a catalogue. None is built or unpacked for a measurement.
fn open_all(store: &Store, catalogue: &Catalogue) -> Result<Vec<Table>, Failure> {
    let find = |pattern: &Pattern| {
        let table = store.find(pattern).map_err(Failure::new)?;
        table.ok_or_else(|| {
            let name = &catalogue.name;
            Failure::new(format!("the table of {pattern} is not there: run tilebase generate \"{name}\""))
        })
    };
    catalogue.partition.patterns().iter().map(find).collect()
}

/// The goal of a catalogue's tables: the tiles in order, the blank where it belongs.
fn goal(catalogue: &Catalogue) -> Result<Board, Failure> {
    let size = catalogue.partition.size();
    let mut labels: Vec<u64> = (1..size.count() as u64).collect();
    labels.insert(catalogue.partition.home().index(), 0);
    Board::new(size, &labels).map_err(Failure::new)
}

/// The middle one of some measurements.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
