//! How much memory tables take.

use std::collections::HashSet;
#[cfg(feature = "files")]
use std::path::PathBuf;
use std::sync::Arc;

use crate::bytes::Bytes;
use crate::table::{Numbering, Table};

impl Bytes {
    /// Bytes of this process's own memory: 0 for bytes that are mapped or part of the program.
    fn own_memory(&self) -> usize {
        match self {
            Bytes::Owned(bytes) => bytes.capacity(),
            #[cfg(feature = "files")]
            Bytes::Copied(bytes) => size_of_val(&***bytes),
            _ => 0,
        }
    }
}

/// Adds up the memory of many solvers, for a cache that limits it: what grows with the number of goals.
///
/// * Entries that several tables share are counted once, whichever solvers the tables belong to.
/// * The first copy of a file, read or on huge pages, is not counted: there are as many of those as files, however many goals
///   there are. Every further copy of the same file is.
/// * What finds entries is counted for each solver, because each solver has [followers](tilebase_index::Follower) of its own.
#[derive(Debug, Default)]
pub struct OwnMemory {
    bytes: u64,
    /// The addresses of the entries counted so far.
    entries: HashSet<usize>,
    /// The files of which one copy has been left out.
    #[cfg(feature = "files")]
    files: HashSet<PathBuf>,
}

impl OwnMemory {
    /// The sum so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds memory that nothing else shares.
    pub fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Adds the tables of one search.
    pub fn add_tables<'a>(&mut self, tables: impl IntoIterator<Item = &'a Table>) {
        let mut indexes = HashSet::new();
        for table in tables {
            let bytes = table.bytes();
            let is_new = bytes.own_memory() > 0 && self.entries.insert(bytes.as_ref().as_ptr() as usize);
            #[cfg(feature = "files")]
            let is_first_copy = is_new && table.path().is_some_and(|path| self.files.insert(path.to_owned()));
            #[cfg(not(feature = "files"))]
            let is_first_copy = false;
            if is_new && !is_first_copy {
                self.add(bytes.own_memory() as u64);
            }
            let (index, bytes) = match &table.numbering {
                Numbering::States(index, _) => (Arc::as_ptr(index).cast::<()>(), index.bytes()),
                Numbering::Lines(index) => (Arc::as_ptr(index).cast::<()>(), index.bytes()),
            };
            if indexes.insert(index) {
                self.add(bytes as u64);
            }
        }
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use std::path::Path;

    use tilebase_puzzle::{Catalogue, Pattern};

    use super::*;
    use crate::{Loading, Store};

    fn sum_of<'a>(searches: impl IntoIterator<Item = &'a [Table]>) -> u64 {
        let mut memory = OwnMemory::default();
        searches.into_iter().for_each(|tables| memory.add_tables(tables));
        memory.bytes()
    }

    /// Opens the tables of 6-6-3 from their files.
    fn open(store: &Store) -> Vec<Table> {
        let table = |pattern: &Pattern| store.find_unverified(pattern).unwrap().unwrap();
        Catalogue::known("6-6-3").unwrap().patterns().iter().map(table).collect()
    }

    #[test]
    fn one_copy_of_each_file_is_free_and_further_copies_are_counted() {
        let store = Store::new(vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")]);
        for (loading, is_shared) in [(Loading::Copy, true), (Loading::Read, false)] {
            let store = store.clone().with_loading(loading);
            let [first, second] = [open(&store), open(&store)];
            let files: u64 = first.iter().map(|table| table.bytes().as_ref().len() as u64).sum();
            let indexes = sum_of([&*first]);
            assert!(indexes < files / 4, "{loading:?}: {indexes} of {files} bytes");
            assert_eq!(sum_of([&*second]), indexes, "{loading:?}");
            let counted = sum_of([&*first, &*second]) - 2 * indexes;
            assert_eq!(counted, if is_shared { 0 } else { files }, "{loading:?}");
        }
    }

    #[test]
    fn tables_without_files_are_counted_once_however_many_searches_share_them() {
        let store = Store::new(vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")]);
        let built = |table: Table| Table::new(Bytes::Owned(table.bytes().as_ref().to_vec())).unwrap();
        let tables: Vec<Table> = open(&store).into_iter().map(built).collect();
        let entries: u64 = tables.iter().map(|table| table.bytes().as_ref().len() as u64).sum();
        let indexes = sum_of([&*tables]) - entries;
        assert_eq!(sum_of([&*tables.clone(), &*tables]), entries + 2 * indexes);
    }
}
