//! Where tables are found: as the command finds them, and once for all solvers of a process.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tilebase::TableSource;
use tilebase::lookup::Store;

/// The tables of the usual directories, and of one's own before them. Solvers with the same directories share what has been opened.
///
/// Tables of more than a megabyte are mapped: a pool of worker processes then shares one copy of tables that may have gigabytes, and they are
/// ready at once.
#[allow(unsafe_code)]
pub(crate) fn store(own: Option<PathBuf>) -> Store {
    static STORES: Mutex<Vec<Store>> = Mutex::new(Vec::new());
    // SAFETY: whatever tilebase puts into a directory of tables is renamed into its place when it is complete, and never changed
    // there; docs/tables.md and the package's README ask the same of everything else that puts files there.
    let store = unsafe { Store::of_program(own) };
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
