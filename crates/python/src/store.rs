//! Where tables are found: as the command finds them, and once for all solvers of a process.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tilebase::TableSource;
use tilebase::lookup::{Mapping, Store};

/// The tables of the usual directories, and of one's own before them. Those who look into the same ones share what has been opened.
pub(crate) fn store(own: Option<PathBuf>) -> Store {
    static STORES: Mutex<Vec<Store>> = Mutex::new(Vec::new());
    let store = Store::of_program(own, mapping());
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = stores.iter().find(|known| known.directories() == store.directories()) {
        return known.clone();
    }
    stores.push(store.clone());
    store
}

/// Where the tables of solvers come from.
pub(crate) fn source(own: Option<PathBuf>) -> TableSource {
    TableSource::new(store(own))
}

/// The package's promise that tables can be mapped.
#[allow(unsafe_code)]
fn mapping() -> Mapping {
    // SAFETY: whatever tilebase puts into a directory of tables is renamed into its place when it is complete, and never changed
    // there; docs/tables.md asks the same of whoever else puts files there.
    unsafe { Mapping::promised() }
}
