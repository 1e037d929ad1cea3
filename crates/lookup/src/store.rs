//! Stores, which find and load tables.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::Duration;

use etcetera::BaseStrategy;
use tilebase_format::{Header, PACKED};
use tilebase_index::{Index, Kind};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch, unwatched};
use tilebase_puzzle::{Pattern, Size, Square, Symmetry, setters};

use crate::bytes::{Bytes, OpenError};
use crate::open_file::OpenFile;
use crate::program;
use crate::table::whole::read_header;
use crate::table::{Numbering, Table, check};
use crate::verified::{FileState, VerifiedFiles};

/// The header of a file, checked against the pattern and the kind that the file's name promises.
fn expected(header: Header, path: &Path, pattern: &Pattern, kind: Kind) -> Result<Header, OpenError> {
    let is_expected = (header.pattern(), header.kind()) == (pattern, kind);
    if is_expected { Ok(header) } else { Err(OpenError::OtherTable(path.to_owned(), header.file_name())) }
}

/// The header and the bytes of a table that is compiled into the program.
fn in_program(pattern: &Pattern, kind: Kind) -> (Header, &'static [u8]) {
    let bytes = program::named(&Header::file_name_of(pattern, kind)).expect("the caller has located this table");
    (Header::parse(bytes).expect("tests parse every table in the program"), bytes)
}

/// The user's directory of tables: `tilebase` in the cache directory of the platform. `None` without a home directory.
pub fn user_directory() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("tilebase"))
}

/// The directory in the environment variable `TILEBASE_TABLES`. `None` if it is not set or empty.
pub fn directory_of_environment() -> Option<PathBuf> {
    std::env::var_os("TILEBASE_TABLES").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The program copies files of up to this many bytes, which takes at most a millisecond, and maps larger ones.
const LARGEST_TO_COPY: u64 = 1 << 20;

/// How often a thread polls its watch while another thread copies the same file.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The location of a table. This enum is exhaustive: a match needs these three arms only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// A table file.
    Table(PathBuf),
    /// A packed table file.
    Packed(PathBuf),
    /// The program itself.
    Program,
}

/// A table that a store has found: a file, or a part of the program.
#[derive(Debug)]
pub struct TableFile {
    /// The location of the table.
    pub location: Location,
    /// The header, or why it cannot be read; `None` for a packed file.
    pub header: Option<Result<Header, OpenError>>,
}

impl TableFile {
    /// The file name of the table. Empty if a table of the program has no valid header.
    pub fn name(&self) -> String {
        match (&self.location, &self.header) {
            (Location::Table(path) | Location::Packed(path), _) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            (Location::Program, Some(Ok(header))) => header.file_name(),
            (Location::Program, _) => String::new(),
        }
    }
}

/// How a store loads files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Loading {
    /// Read the file into memory. See [`Bytes::read`].
    #[default]
    Read,
    /// Copy the file onto huge pages. All tables of the same file share the copy. See [`Bytes::copy`].
    Copy,
    /// Map the file if the store [may](Store::allow_mapping), and copy it otherwise. A mapped file is ready at once, is
    /// shared with other programs, and is read from the disk as needed. See [`Bytes::map`].
    Map,
    /// Copy a file of at most this many bytes onto huge pages. Load a larger one as with [`Map`](Loading::Map).
    CopyUpTo(u64),
}

/// The copy of a file, as long as some table uses it. Locked while a thread makes the copy; others poll their watches
/// until they get the lock.
type Copied = Arc<Mutex<Weak<Zeroed<u8>>>>;

/// Finds tables: in a list of directories, and then in the program itself. Clones share copies and indexes.
#[derive(Clone, Debug, Default)]
pub struct Store {
    directories: Vec<PathBuf>,
    loading: Loading,
    /// Directories whose files may be mapped, as absolute paths.
    mappable: Vec<PathBuf>,
    /// If set, the store finds only tables of this kind.
    only: Option<Kind>,
    /// The record of files that have been verified.
    verified: Option<VerifiedFiles>,
    /// The copied files, each with its state at the time of copying. Locked only to look up a file, never while
    /// copying.
    copies: Arc<Mutex<HashMap<(PathBuf, FileState), Copied>>>,
    /// The indexes of the tables opened so far. Patterns of equally many tiles on boards of the same size share one.
    indexes: Arc<Mutex<Vec<Arc<Index>>>>,
}

impl Store {
    /// A store that searches these directories in order, and then the program.
    pub fn new(directories: Vec<PathBuf>) -> Store {
        Store { directories, ..Store::default() }
    }

    /// A store of the user's tables. It searches the directory in the environment variable `TILEBASE_TABLES`, if it is
    /// set, then the [user's directory](user_directory), and records which files it has verified.
    pub fn of_user() -> Store {
        let mut directories: Vec<PathBuf> = directory_of_environment().into_iter().chain(user_directory()).collect();
        directories.dedup();
        Store::new(directories).remembering(VerifiedFiles::of_user())
    }

    /// The store of a program. It searches `own`, or without it the directory in `TILEBASE_TABLES`, and then the
    /// [user's directory](user_directory). It maps files of more than 1 MiB, copies smaller ones, and records which
    /// files it has verified.
    ///
    /// # Safety
    /// The caller must uphold the contract of [`allow_mapping`](Store::allow_mapping) for these directories.
    #[allow(unsafe_code)]
    pub unsafe fn of_program(own: Option<PathBuf>) -> Store {
        let own = own.or_else(directory_of_environment);
        let mut directories: Vec<PathBuf> = own.into_iter().chain(user_directory()).collect();
        directories.dedup();
        let store = Store::new(directories.clone())
            .with_loading(Loading::CopyUpTo(LARGEST_TO_COPY))
            .remembering(VerifiedFiles::of_user());
        // SAFETY: the caller upholds the contract for these directories.
        unsafe { store.allow_mapping(directories) }
    }

    /// Allows the store to map files in these directories, if its [loading](Loading) maps files. Files in other
    /// directories are copied. A relative path is relative to the current directory at the time of this call.
    ///
    /// A program that allows mapping should consider
    /// [`install_truncation_handler`](crate::install_truncation_handler).
    ///
    /// # Safety
    /// While a table is mapped from a file in one of these directories, nothing may change that file in place or
    /// truncate it. A change would alter memory that Rust assumes to be constant; truncation would kill the process.
    /// For a symbolic link in such a directory, this applies to its target. [`tilebase_format::write`] replaces a table
    /// by renaming, which is safe. So a program can uphold this contract for directories to which nothing else writes.
    #[allow(unsafe_code)]
    #[must_use]
    pub unsafe fn allow_mapping(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Store {
        // A path that cannot be made absolute, such as an empty one, names no directory.
        self.mappable.extend(directories.into_iter().filter_map(|directory| std::path::absolute(directory).ok()));
        self
    }

    /// Whether the store may map a file: mapping is allowed for the directory in the file's path.
    fn may_map(&self, path: &Path) -> bool {
        let directory = path.parent().and_then(|directory| std::path::absolute(directory).ok());
        directory.is_some_and(|directory| self.mappable.contains(&directory))
    }

    /// Verifies that a file is an intact table, and returns its header.
    ///
    /// # Errors
    /// [`OpenError`] if it is not; with [`VerifyError::Stopped`](crate::VerifyError::Stopped) if the watch cancels.
    pub fn check_file(&self, path: &Path, watch: Watch<'_>) -> Result<Header, OpenError> {
        let header = read_header(path)?;
        let table = self.open(path, header.pattern(), header.kind(), watch)?;
        Ok(table.known_whole(self.verified.as_ref(), watch)?.header().clone())
    }

    setters! {
        /// Records which files have been verified. Without a record, the store verifies a file each time it opens it.
        remembering(verified: Option<VerifiedFiles>) => verified: verified;
        /// Sets how files are loaded.
        with_loading(loading: Loading) => loading: loading;
        /// Restricts the store to tables of one kind.
        with_only(kind: Kind) => only: Some(kind);
    }

    /// Adds a directory, to be searched after the others.
    #[must_use]
    pub fn with_directory(mut self, directory: PathBuf) -> Store {
        self.directories.push(directory);
        self
    }

    /// A store of only the tables that are compiled into the program.
    pub fn compiled_in() -> Store {
        Store::new(Vec::new())
    }

    /// How files are loaded.
    pub fn loading(&self) -> Loading {
        self.loading
    }

    /// The directories, in the order in which they are searched.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The best table that counts only the pattern's own moves. A bit table is preferred to a nibble table, the
    /// pattern's own table to that of a mirror image, and an earlier directory to a later one, in this order.
    ///
    /// Verifies the file: compares every byte with its hash, on the threads of the current pool. Skips this if the file
    /// has been verified before and the store [remembers](Store::remembering) it. `watch` receives the progress, and is
    /// polled before each 1 MiB that is read.
    ///
    /// # Errors
    /// [`OpenError`] if a file with the right name is not an intact table of the pattern; with
    /// [`VerifyError::Stopped`](crate::VerifyError::Stopped) if the watch cancels.
    pub fn find_verified(&self, pattern: &Pattern, watch: Watch<'_>) -> Result<Option<Table>, OpenError> {
        let table = self.find(pattern, watch)?;
        table.map(|table| table.known_whole(self.verified.as_ref(), watch)).transpose()
    }

    /// Like [`find_verified`](Store::find_verified), but checks only the header of the file, and cannot be cancelled.
    /// For damaged tables, and for a caller that must not wait for a verification.
    ///
    /// # Errors
    /// [`OpenError`] if a file with the right name cannot be read or has a wrong header.
    pub fn find_unverified(&self, pattern: &Pattern) -> Result<Option<Table>, OpenError> {
        self.find(pattern, &unwatched)
    }

    fn find(&self, pattern: &Pattern, watch: Watch<'_>) -> Result<Option<Table>, OpenError> {
        let Some((symmetry, kind, location)) = self.best(pattern) else { return Ok(None) };
        let image = pattern.seen_through(symmetry);
        let table = match location {
            Location::Table(path) | Location::Packed(path) => self.open(&path, &image, kind, watch)?,
            Location::Program => {
                let (header, bytes) = in_program(&image, kind);
                self.table(header, Bytes::Static(bytes))
            }
        };
        Ok(Some(if image == *pattern { table } else { table.reflected(pattern, symmetry) }))
    }

    /// The header of the table that [`find_verified`](Store::find_verified) would open. Does not open the table.
    ///
    /// # Errors
    /// [`OpenError`] if a file with the right name cannot be read or has a wrong header.
    pub fn header(&self, pattern: &Pattern) -> Result<Option<Header>, OpenError> {
        let Some((symmetry, kind, location)) = self.best(pattern) else { return Ok(None) };
        let image = pattern.seen_through(symmetry);
        let header = match location {
            Location::Table(path) | Location::Packed(path) => expected(read_header(&path)?, &path, &image, kind)?,
            Location::Program => in_program(&image, kind).0,
        };
        Ok(Some(header))
    }

    /// The location of the table that [`find_verified`](Store::find_verified) would open.
    pub fn locate(&self, pattern: &Pattern) -> Option<Location> {
        self.best(pattern).map(|(_, _, location)| location)
    }

    /// The best table of a pattern: the symmetry that maps the pattern to the table's pattern, the kind, and the
    /// location.
    fn best(&self, pattern: &Pattern) -> Option<(Symmetry, Kind, Location)> {
        self.names(pattern).find_map(|(symmetry, kind, name)| {
            let found = self.first_with(&name).map(Location::Table);
            let location = found.or_else(|| program::named(&name).map(|_| Location::Program))?;
            Some((symmetry, kind, location))
        })
    }

    /// All tables in the order of the search: every file in the directories with the file extension of a table or a
    /// packed table, then the tables in the program. Reads the headers of tables; does not open packed files.
    pub fn files(&self) -> Vec<TableFile> {
        let mut files = Vec::new();
        for directory in &self.directories {
            let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            files.extend(paths.into_iter().filter_map(|path| {
                let ends = |path: &Path, end: &str| path.extension().is_some_and(|found| found == end);
                if ends(&path, "tbl") {
                    let header = read_header(&path);
                    return Some(TableFile { location: Location::Table(path), header: Some(header) });
                }
                let packed = ends(&path, PACKED) && ends(&path.with_extension(""), "tbl");
                packed.then_some(TableFile { location: Location::Packed(path), header: None })
            }));
        }
        files.extend(program::IN_PROGRAM.iter().map(|(_, bytes)| TableFile {
            location: Location::Program,
            header: Some(check(bytes, bytes.len() as u64, None)),
        }));
        files
    }

    /// The packed file of the best table, in the order of preference of [`find_verified`](Store::find_verified).
    pub fn find_packed(&self, pattern: &Pattern) -> Option<PathBuf> {
        self.names(pattern).find_map(|(_, _, name)| self.first_with(&format!("{name}.{PACKED}")))
    }

    /// The file names that a table of a pattern can have, the best first. Each comes with the symmetry that maps the
    /// pattern to the table's pattern, and the table's kind.
    fn names(&self, pattern: &Pattern) -> impl Iterator<Item = (Symmetry, Kind, String)> {
        let kinds = self.only.map_or(vec![Kind::Bit, Kind::Nibble], |only| vec![only]);
        let symmetries = || Symmetry::fixing(pattern.size(), pattern.home());
        let images = kinds.into_iter().flat_map(move |kind| symmetries().map(move |symmetry| (symmetry, kind)));
        images.map(|(symmetry, kind)| (symmetry, kind, Header::file_name_of(&pattern.seen_through(symmetry), kind)))
    }

    fn first_with(&self, name: &str) -> Option<PathBuf> {
        self.directories.iter().map(|directory| directory.join(name)).find(|path| path.exists())
    }

    /// The patterns of a puzzle that have a table of their own moves, and the mirror images of these patterns. Trusts
    /// the headers of files, and skips files that cannot be read or are not tables.
    pub fn patterns(&self, size: Size, home: Square) -> Vec<Pattern> {
        self.patterns_of(size, home, |kind| !kind.counts_all_moves())
    }

    /// Like [`patterns`](Store::patterns), for tables of lines, which the metric `mtm` uses.
    pub fn patterns_of_lines(&self, size: Size, home: Square) -> Vec<Pattern> {
        self.patterns_of(size, home, |kind| kind == Kind::Lines)
    }

    fn patterns_of(&self, size: Size, home: Square, is_wanted: fn(Kind) -> bool) -> Vec<Pattern> {
        let headers = self.files().into_iter().filter_map(|file| file.header?.ok());
        let wanted = headers.filter(|header| is_wanted(header.kind()));
        let here = wanted.filter(|header| (header.pattern().size(), header.pattern().home()) == (size, home));
        let mut patterns: Vec<Pattern> = here.flat_map(|header| header.pattern().images()).collect();
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    }

    #[allow(unsafe_code)]
    fn open(&self, path: &Path, pattern: &Pattern, kind: Kind, watch: Watch<'_>) -> Result<Table, OpenError> {
        let file = OpenFile::open(path)?;
        let is_small = matches!(self.loading, Loading::CopyUpTo(most) if file.state.len <= most);
        let bytes = match self.loading {
            Loading::Read => Bytes::Owned(file.read(watch)?),
            // SAFETY: mapping is allowed for the directory of the file, so the caller of `allow_mapping` guarantees
            // that nothing changes the file in place.
            Loading::Map | Loading::CopyUpTo(_) if !is_small && self.may_map(path) => unsafe { file.map()? },
            Loading::Copy | Loading::Map | Loading::CopyUpTo(_) => self.copy(&file, watch)?,
        };
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, Some(path))?;
        let header = expected(header, path, pattern, kind)?;
        Ok(self.table(header, bytes).opened_from(file))
    }

    /// A copy of a file, shared with the other tables of the file. If another thread is copying the file, waits for it
    /// and polls `watch`. Waiting is safe on a thread of a pool, because copying needs no threads of the pool.
    fn copy(&self, file: &OpenFile, watch: Watch<'_>) -> Result<Bytes, OpenError> {
        let key = (file.path.clone(), file.state.clone());
        // A poisoned lock is still valid: the copy is stored only after copying has succeeded.
        let copied = Arc::clone(self.copies.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let mut copied = loop {
            match copied.try_lock() {
                Ok(copied) => break copied,
                Err(TryLockError::Poisoned(copied)) => break copied.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    watch(&Event::Poll).continue_value().ok_or_else(|| file.stopped())?;
                    thread::sleep(POLL_INTERVAL);
                }
            }
        };
        if let Some(copy) = copied.upgrade() {
            return Ok(Bytes::Copied(copy));
        }
        let copy = Arc::new(file.copy(watch)?);
        *copied = Arc::downgrade(&copy);
        Ok(Bytes::Copied(copy))
    }

    /// A table with an index that it shares with other tables.
    fn table(&self, header: Header, bytes: Bytes) -> Table {
        if header.kind() == Kind::Lines {
            let numbering = Numbering::new(&header);
            return Table::with_numbering(header, bytes, numbering);
        }
        let key = (header.pattern().size(), header.pattern().len(), header.kind().counts_all_moves());
        let mut indexes = self.indexes.lock().expect("no thread panics while it holds the lock");
        let known =
            indexes.iter().find(|index| (index.size(), index.tiles(), index.kind().counts_all_moves()) == key).cloned();
        let index = known.unwrap_or_else(|| {
            let index = Arc::new(header.index().expect("a checked header of another kind has an index"));
            indexes.push(Arc::clone(&index));
            index
        });
        let numbering = Numbering::of_index(&header, index);
        Table::with_numbering(header, bytes, numbering)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;
    use crate::VerifyError;
    use crate::open_file::PIECE_LEN;
    use rayon::prelude::*;
    use tilebase_puzzle::Catalogue;

    /// An old version copied on the threads of the pool while it held a lock on all copies. It deadlocked: the thread
    /// with the lock ran another job of the pool, which waited for the same lock.
    #[test]
    fn threads_of_a_pool_copy_the_same_and_other_files_at_once() {
        let (done, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
            let known = Catalogue::known("6-6-3").unwrap().patterns();
            let patterns: Vec<&Pattern> = known.iter().cycle().take(24).collect();
            for threads in [1, 2, 1, 2] {
                let store = Store::new(vec![directory.clone()]).with_loading(Loading::Copy);
                let find = |pattern: &&Pattern| store.find_unverified(pattern).unwrap().unwrap();
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let tables: Vec<Table> = pool.install(|| patterns.par_iter().map(find).collect());
                for (table, same) in tables.iter().zip(&tables[3..]).filter(|(a, b)| a.pattern() == b.pattern()) {
                    let (Bytes::Copied(copy), Bytes::Copied(other)) = (table.bytes(), same.bytes()) else {
                        panic!("they are copied")
                    };
                    assert!(Arc::ptr_eq(copy, other), "tables of the same file share a copy");
                }
            }
            done.send(()).unwrap();
        });
        wait.recv_timeout(std::time::Duration::from_secs(60)).expect("no thread waits for ever");
    }

    /// A directory with only the table of the largest pattern of 6-6-3, that pattern, and the number of pieces in which
    /// the file is read.
    fn one_table() -> (tempfile::TempDir, Pattern, usize) {
        let directory = tempfile::tempdir().unwrap();
        let pattern = Catalogue::known("6-6-3").unwrap().patterns()[0];
        let shipped = Store::new(vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")]);
        let Some(Location::Table(path)) = shipped.locate(&pattern) else { panic!("it is a file") };
        let len = std::fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
        let pieces = (len as usize).div_ceil(PIECE_LEN);
        assert!(pieces > 1);
        (directory, pattern, pieces)
    }

    #[test]
    fn a_file_is_read_in_pieces_and_reading_stops_before_the_next_one() {
        let (directory, pattern, pieces) = one_table();
        for loading in [Loading::Read, Loading::Copy] {
            let store = Store::new(vec![directory.path().to_owned()]).with_loading(loading);
            for last in 1..=pieces {
                let asked = AtomicUsize::new(0);
                let stop_after = |_: &Event<'_>| {
                    let is_last = asked.fetch_add(1, Ordering::Relaxed) + 1 == last;
                    if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let error = store.find(&pattern, &stop_after).unwrap_err();
                assert!(matches!(error, OpenError::NotWhole(_, VerifyError::Stopped)), "{loading:?}: {error}");
                assert_eq!(asked.into_inner(), last, "{loading:?}");
            }
            let whole = store.find_verified(&pattern, &unwatched).unwrap().unwrap();
            let file = std::fs::read(whole.path().unwrap()).unwrap();
            assert_eq!(whole.bytes().as_ref(), &file[..], "{loading:?}");
        }
    }

    #[test]
    fn verifying_stops_before_the_next_block() {
        let (directory, pattern, pieces) = one_table();
        let store = Store::new(vec![directory.path().to_owned()]).with_loading(Loading::Copy);
        let _loaded = store.find_unverified(&pattern).unwrap();
        let table = store.find_unverified(&pattern).unwrap().unwrap();
        let asked = AtomicUsize::new(0);
        let stop = |_: &Event<'_>| {
            asked.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Break(())
        };
        let error = table.verify_alone(&stop).unwrap_err();
        assert!(matches!(error, OpenError::NotWhole(_, VerifyError::Stopped)), "{error}");
        assert_eq!(asked.swap(0, Ordering::Relaxed), 1);
        assert_eq!(table.verify(&stop), Err(VerifyError::Stopped));
        // Other threads may have polled before the first one stopped.
        assert!((1..=pieces).contains(&asked.into_inner()));
    }

    #[test]
    fn waiting_for_a_file_that_another_table_copies_can_be_stopped() {
        let (directory, pattern, _) = one_table();
        let store = Store::new(vec![directory.path().to_owned()]).with_loading(Loading::Copy);
        let (begun, has_begun) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let gate = Mutex::new(gate);
        let is_first = AtomicBool::new(true);
        // Reading the first piece waits for the gate.
        let wait = |_: &Event<'_>| {
            if is_first.swap(false, Ordering::Relaxed) {
                begun.send(()).unwrap();
                gate.lock().unwrap().recv().unwrap();
            }
            ControlFlow::Continue(())
        };
        let asked = AtomicUsize::new(0);
        let stop = |_: &Event<'_>| {
            let is_third = asked.fetch_add(1, Ordering::Relaxed) + 1 == 3;
            if is_third { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (told, heard) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| store.find(&pattern, &wait).unwrap());
            has_begun.recv().unwrap();
            scope.spawn(|| told.send(store.find(&pattern, &stop).map(drop)));
            let error = heard.recv_timeout(Duration::from_secs(60));
            go.send(()).unwrap();
            let error = error.expect("it does not wait for the copy").unwrap_err();
            assert!(matches!(error, OpenError::NotWhole(_, VerifyError::Stopped)), "{error}");
        });
    }
}
