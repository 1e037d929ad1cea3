//! Where tables are found.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use etcetera::BaseStrategy;
use tilebase_format::{Encoding, Header};
use tilebase_puzzle::Pattern;
use tilebase_puzzle::index::Index;

use crate::bytes::{Bytes, OpenError};
use crate::table::Table;

/// The tables that are part of the program: those of 6-6-3, blank-aware, 3 MB.
const COMPILED_IN: [&[u8]; 3] = [
    include_bytes!("../../../pdb/tables/4x4-0-1.2.4.5.8.9.bit.tbl"),
    include_bytes!("../../../pdb/tables/4x4-0-3.6.7.10.11.15.bit.tbl"),
    include_bytes!("../../../pdb/tables/4x4-0-12.13.14.bit.tbl"),
];

/// The directory where tables are kept for a user: `tilebase` in the cache directory of the platform. `None` when there is
/// no home directory.
pub fn user_directory() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("tilebase"))
}

/// Where a table comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// The program itself.
    CompiledIn,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::CompiledIn => f.write_str("compiled in"),
        }
    }
}

/// Finds tables: first in directories, in order, then in the program itself.
#[derive(Debug, Default)]
pub struct Store {
    directories: Vec<PathBuf>,
    /// Indexes of tables opened so far, to be shared by tables of equally large patterns.
    indexes: Mutex<Vec<Arc<Index>>>,
}

impl Store {
    /// A store that looks into these directories, and then into the program.
    pub fn new(directories: Vec<PathBuf>) -> Store {
        Store { directories, indexes: Mutex::default() }
    }

    /// A store that has only the tables that are part of the program.
    pub fn compiled_in() -> Store {
        Store::new(Vec::new())
    }

    /// The directories, in the order in which they are searched.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The best table of a pattern that there is: in the first place that has any, a bit table rather than a nibble table.
    ///
    /// # Errors
    /// [`OpenError`] when a file with the right name is there but is not a whole table of the pattern.
    pub fn find(&self, pattern: &Pattern) -> Result<Option<Table>, OpenError> {
        for directory in &self.directories {
            for encoding in [Encoding::Bit, Encoding::Nibble] {
                let path = directory.join(Header::file_name_of(pattern, encoding));
                if path.exists() {
                    return self.open(&path, pattern, encoding).map(Some);
                }
            }
        }
        for bytes in COMPILED_IN.map(Bytes::Static) {
            let header = Table::check(&bytes).expect("the tables in the program are tested");
            if header.pattern() == pattern {
                return Ok(Some(self.table(header, bytes)));
            }
        }
        Ok(None)
    }

    /// Where [`find`](Store::find) would find a table of the pattern, without opening it.
    pub fn source(&self, pattern: &Pattern) -> Option<Source> {
        let names = [Encoding::Bit, Encoding::Nibble].map(|encoding| Header::file_name_of(pattern, encoding));
        let files = self.directories.iter().flat_map(|directory| names.iter().map(|name| directory.join(name)));
        let file = files.into_iter().find(|path| path.exists()).map(Source::File);
        let compiled_in = || COMPILED_IN.iter().any(|bytes| Header::parse(bytes).is_ok_and(|h| h.pattern() == pattern));
        file.or_else(|| compiled_in().then_some(Source::CompiledIn))
    }

    #[allow(unsafe_code)]
    fn open(&self, path: &Path, pattern: &Pattern, encoding: Encoding) -> Result<Table, OpenError> {
        // SAFETY: files in a directory of tables with a table's name are made by renaming and never changed in place.
        let bytes = unsafe { Bytes::map(path) }?;
        let header = Table::check(&bytes).map_err(|error| OpenError::header(Some(path), error))?;
        if (header.pattern(), header.encoding()) != (pattern, encoding) {
            return Err(OpenError::OtherTable { path: path.to_owned(), name: header.file_name() });
        }
        Ok(self.table(header, bytes))
    }

    /// A table with the index that the store has for it.
    fn table(&self, header: Header, bytes: Bytes) -> Table {
        let (size, tiles) = (header.pattern().size(), header.pattern().len());
        let mut indexes = self.indexes.lock().expect("no thread panics while it holds the lock");
        let known = indexes.iter().find(|index| (index.size(), index.tiles()) == (size, tiles)).cloned();
        let index = known.unwrap_or_else(|| {
            let index = Arc::new(Index::new(size, tiles).expect("a checked header has an index"));
            indexes.push(Arc::clone(&index));
            index
        });
        Table::with_index(header, bytes, index)
    }
}
