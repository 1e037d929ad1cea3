//! Stores: where tables are found, and how they are loaded.

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

/// The header of a file, if it matches the file's name.
fn expected(header: Header, path: &Path, pattern: &Pattern, kind: Kind) -> Result<Header, OpenError> {
    let is_expected = (header.pattern(), header.kind()) == (pattern, kind);
    if is_expected { Ok(header) } else { Err(OpenError::OtherTable(path.to_owned(), header.file_name())) }
}

/// A table of the program.
fn in_program(pattern: &Pattern, kind: Kind) -> (Header, &'static [u8]) {
    let bytes = program::named(&Header::file_name_of(pattern, kind)).expect("it was there a moment ago");
    (Header::parse(bytes).expect("the tables in the program are tested"), bytes)
}

/// The user's directory of tables: `tilebase` in the cache directory of the platform. `None` if there is no home directory.
pub fn user_directory() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("tilebase"))
}

/// The directory that `TILEBASE_TABLES` names. An empty value means none.
pub fn directory_of_environment() -> Option<PathBuf> {
    std::env::var_os("TILEBASE_TABLES").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Files of up to this many bytes are copied within a millisecond.
const COPIED_IN_A_BLINK: u64 = 1 << 20;

/// A thread that waits while another one copies the same file polls its watch this often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Where a table is. There are no other places, so a match may name all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// In a file.
    Table(PathBuf),
    /// In a file, packed.
    Packed(PathBuf),
    /// In the program.
    Program,
}

/// A file or a table of the program that a store finds.
#[derive(Debug)]
pub struct TableFile {
    /// Where it is.
    pub location: Location,
    /// Its header, if it can be opened; `None` if it is packed.
    pub header: Option<Result<Header, OpenError>>,
}

impl TableFile {
    /// The name of the table's file.
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

/// How files are loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Loading {
    /// Read into memory. See [`Bytes::read`].
    #[default]
    Read,
    /// Copied onto huge pages. See [`Bytes::copy`]. All tables of the same file share the copy.
    Copy,
    /// Mapped if the store [may](Store::allow_mapping) map the file, and copied otherwise. A mapped file is ready at once, shared with other
    /// programs, and read from the disk as needed. See [`Bytes::map`].
    Map,
    /// Copied onto huge pages if the file has at most this many bytes; otherwise as [`Map`](Loading::Map).
    CopyUpTo(u64),
}

/// The copy of a file, if a table uses it. Locked while it is being copied; a thread that waits for the lock polls its watch.
type Copied = Arc<Mutex<Weak<Zeroed<u8>>>>;

/// Finds tables: in directories, in order, and in the program itself. Clones share what they have opened.
#[derive(Clone, Debug, Default)]
pub struct Store {
    directories: Vec<PathBuf>,
    loading: Loading,
    /// Directories whose files may be mapped, as absolute paths.
    mappable: Vec<PathBuf>,
    /// If given, only tables of this kind are found.
    only: Option<Kind>,
    /// Remembers which files have been verified.
    verified: Option<VerifiedFiles>,
    /// Files that have been copied, each with its state at that time. Locked only to find one.
    copies: Arc<Mutex<HashMap<(PathBuf, FileState), Copied>>>,
    /// Indexes of the tables opened so far. Tables of equally large patterns share them.
    indexes: Arc<Mutex<Vec<Arc<Index>>>>,
}

impl Store {
    /// A store that looks into these directories, and then into the program.
    pub fn new(directories: Vec<PathBuf>) -> Store {
        Store { directories, ..Store::default() }
    }

    /// A store of the user's tables: in the directory that the environment names, if any, and in the [user's directory](user_directory).
    pub fn of_user() -> Store {
        let mut directories: Vec<PathBuf> = directory_of_environment().into_iter().chain(user_directory()).collect();
        directories.dedup();
        Store::new(directories).remembering(VerifiedFiles::of_user())
    }

    /// The store of a program: it looks into the program's own directory, if it has one, or else that of the environment, and into the
    /// user's. Files of more than a megabyte are mapped, smaller ones copied, and the store remembers which have been verified.
    ///
    /// # Safety
    /// The promise of [`allow_mapping`](Store::allow_mapping), for these directories.
    #[allow(unsafe_code)]
    pub unsafe fn of_program(own: Option<PathBuf>) -> Store {
        let own = own.or_else(directory_of_environment);
        let mut directories: Vec<PathBuf> = own.into_iter().chain(user_directory()).collect();
        directories.dedup();
        let store = Store::new(directories.clone())
            .with_loading(Loading::CopyUpTo(COPIED_IN_A_BLINK))
            .remembering(VerifiedFiles::of_user());
        // SAFETY: the caller promises it.
        unsafe { store.allow_mapping(directories) }
    }

    /// The same store, which may map the files in these directories as well, if its [loading](Loading) asks for maps. Files in other
    /// directories are copied. A relative path is relative to the current directory at the time of this call.
    ///
    /// A program that allows it should consider [`install_truncation_handler`](crate::install_truncation_handler).
    ///
    /// # Safety
    /// While a table is open that was mapped from a file in one of these directories, nothing may change that file in place or cut it short:
    /// that would change memory that Rust believes to be constant, or kill the process. A symbolic link in such a directory counts as the
    /// file that it leads to. Tables that [`tilebase_format::write`] writes are replaced by renaming, which is harmless, so a program may
    /// promise this for directories to which nothing else writes.
    #[allow(unsafe_code)]
    #[must_use]
    pub unsafe fn allow_mapping(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Store {
        // A path that cannot be made absolute, such as an empty one, is not a directory.
        self.mappable.extend(directories.into_iter().filter_map(|directory| std::path::absolute(directory).ok()));
        self
    }

    /// Whether a file may be mapped: the directory in its path is one of those that were allowed.
    fn may_map(&self, path: &Path) -> bool {
        let directory = path.parent().and_then(|directory| std::path::absolute(directory).ok());
        directory.is_some_and(|directory| self.mappable.contains(&directory))
    }

    /// Verifies that a file is a whole table, and returns its header.
    ///
    /// # Errors
    /// [`OpenError`] when it is not; with [`VerifyError::Stopped`](crate::VerifyError::Stopped) if cancelled.
    pub fn check_file(&self, path: &Path, watch: Watch<'_>) -> Result<Header, OpenError> {
        let header = read_header(path)?;
        let table = self.open(path, header.pattern(), header.kind(), watch)?;
        Ok(table.known_whole(self.verified.as_ref(), watch)?.header().clone())
    }

    setters! {
        /// The same store, remembering which files it has verified; otherwise it verifies each whenever it is opened.
        remembering(verified: Option<VerifiedFiles>) => verified: verified;
        /// The same store, loading files differently.
        with_loading(loading: Loading) => loading: loading;
        /// The same store, finding only tables of one kind.
        with_only(kind: Kind) => only: Some(kind);
    }

    /// The same store, looking into one more directory after the others.
    #[must_use]
    pub fn with_directory(mut self, directory: PathBuf) -> Store {
        self.directories.push(directory);
        self
    }

    /// A store of the tables that are part of the program.
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

    /// The best table of a pattern's own moves: a bit table rather than a nibble table, from the first place that has it. A table of the
    /// pattern's mirror image is used, too.
    ///
    /// Every byte of its file is compared with its hash, on the threads of the current pool, unless that has been done before and
    /// is [remembered](Store::remembering); `watch` receives the progress, and is polled before each piece of 1 MiB that is read.
    ///
    /// # Errors
    /// [`OpenError`] when a file with the right name is not a whole table of the pattern; with
    /// [`VerifyError::Stopped`](crate::VerifyError::Stopped) if cancelled.
    pub fn find_verified(&self, pattern: &Pattern, watch: Watch<'_>) -> Result<Option<Table>, OpenError> {
        let table = self.find(pattern, watch)?;
        table.map(|table| table.known_whole(self.verified.as_ref(), watch)).transpose()
    }

    /// The same, but only the header of the file is checked, and it cannot be cancelled: for damaged tables, and for a caller that must not
    /// wait for a verification.
    ///
    /// # Errors
    /// [`OpenError`] when a file with the right name cannot be read or has a wrong header.
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

    /// The header of that table, without opening it.
    ///
    /// # Errors
    /// [`OpenError`] when a file with the right name cannot be read or has a wrong header.
    pub fn header(&self, pattern: &Pattern) -> Result<Option<Header>, OpenError> {
        let Some((symmetry, kind, location)) = self.best(pattern) else { return Ok(None) };
        let image = pattern.seen_through(symmetry);
        let header = match location {
            Location::Table(path) | Location::Packed(path) => expected(read_header(&path)?, &path, &image, kind)?,
            Location::Program => in_program(&image, kind).0,
        };
        Ok(Some(header))
    }

    /// Where that table is.
    pub fn locate(&self, pattern: &Pattern) -> Option<Location> {
        self.best(pattern).map(|(_, _, location)| location)
    }

    /// The best table of a pattern: the symmetry that turns the pattern into the table's, the table's kind, and its location.
    fn best(&self, pattern: &Pattern) -> Option<(Symmetry, Kind, Location)> {
        self.names(pattern).find_map(|(symmetry, kind, name)| {
            let found = self.first_with(&name).map(Location::Table);
            let location = found.or_else(|| program::named(&name).map(|_| Location::Program))?;
            Some((symmetry, kind, location))
        })
    }

    /// Every file in the directories that has a table's name, packed or not, and the tables in the program, in the order of the search. The
    /// headers of tables are read; packed files are not opened.
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

    /// The best packed table of a pattern's own moves: a bit table rather than a nibble table, from the first place that has it, the
    /// pattern's own or that of a mirror image.
    pub fn find_packed(&self, pattern: &Pattern) -> Option<PathBuf> {
        self.names(pattern).find_map(|(_, _, name)| self.first_with(&format!("{name}.{PACKED}")))
    }

    /// The possible names of files of a pattern's table, the best kind first: the symmetry that turns the pattern into the table's, the kind,
    /// and the name.
    fn names(&self, pattern: &Pattern) -> impl Iterator<Item = (Symmetry, Kind, String)> {
        let kinds = self.only.map_or(vec![Kind::Bit, Kind::Nibble], |only| vec![only]);
        let symmetries = || Symmetry::fixing(pattern.size(), pattern.home());
        let images = kinds.into_iter().flat_map(move |kind| symmetries().map(move |symmetry| (symmetry, kind)));
        images.map(|(symmetry, kind)| (symmetry, kind, Header::file_name_of(&pattern.seen_through(symmetry), kind)))
    }

    fn first_with(&self, name: &str) -> Option<PathBuf> {
        self.directories.iter().map(|directory| directory.join(name)).find(|path| path.exists())
    }

    /// The patterns of a puzzle with tables of their own moves, according to the files' headers, and their mirror images. Files that cannot
    /// be read or are not tables are skipped.
    pub fn patterns(&self, size: Size, home: Square) -> Vec<Pattern> {
        self.patterns_of(size, home, |kind| !kind.counts_all_moves())
    }

    /// The patterns of a puzzle with tables of lines, for the metric `mtm`, according to the files' headers, and their mirror images.
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
            // SAFETY: `allow_mapping` was called for the directory of the file, whose caller promised that it stays as it is.
            Loading::Map | Loading::CopyUpTo(_) if !is_small && self.may_map(path) => unsafe { file.map()? },
            Loading::Copy | Loading::Map | Loading::CopyUpTo(_) => self.copy(&file, watch)?,
        };
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, Some(path))?;
        let header = expected(header, path, pattern, kind)?;
        Ok(self.table(header, bytes).opened_from(file))
    }

    /// A copy of a file, or the one that another table uses. If another thread is copying the same file, this one waits, and polls its watch.
    /// Copying uses no threads of a pool, so a pool's thread may wait.
    fn copy(&self, file: &OpenFile, watch: Watch<'_>) -> Result<Bytes, OpenError> {
        let key = (file.path.clone(), file.state.clone());
        // A thread that panics while copying changes nothing.
        let copied = Arc::clone(self.copies.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        let mut copied = loop {
            match copied.try_lock() {
                Ok(copied) => break copied,
                Err(TryLockError::Poisoned(copied)) => break copied.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    watch(&Event::Poll).continue_value().ok_or_else(|| file.stopped())?;
                    thread::sleep(BETWEEN_LOOKS);
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

    /// A table with a shared index.
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

    /// Copying once used the threads of the pool while all copies were locked: the thread that held the lock took up another
    /// piece of the pool's work, which wanted the lock.
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

    /// The table of the largest pattern of 6-6-3, alone in a directory, and how many pieces it is read in.
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
        // Other threads may have begun before the first was told.
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
        // The first piece is read only when the gate opens.
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
