//! Large tables copied onto huge pages, every byte compared with its hash on the way.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tilebase_format::BlockHashes;
use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN};
use tilebase_memory::Zeroed;
use tilebase_progress::threads::on_threads;
use tilebase_progress::{Event, Watch};

use crate::bytes::{Bytes, OpenError, VerifyError};
use crate::open_file::OpenFile;
use crate::table::{Table, Verified};

/// Copies mapped tables onto huge pages, those of one file once.
///
/// A copy takes as long as its file takes to be read, and the hashes are worked out meanwhile. A search is faster on it: a table of
/// 11 GB has 2.7 million small pages, far more than a processor remembers the addresses of, and 5 thousand huge ones.
pub struct Copier<'a> {
    threads: usize,
    forgets: bool,
    watch: Watch<'a>,
    copies: Vec<(PathBuf, Arc<Zeroed<u8>>)>,
}

impl std::fmt::Debug for Copier<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Copier { threads, forgets, copies, watch: _ } = self;
        let files: Vec<_> = copies.iter().map(|(path, _)| path).collect();
        f.debug_struct("Copier")
            .field("threads", threads)
            .field("forgets", forgets)
            .field("copies", &files)
            .finish_non_exhaustive()
    }
}

impl<'a> Copier<'a> {
    /// Copies on this many threads, at least one, and tells `watch` how many bytes are done of which file.
    pub fn new(threads: usize, watch: Watch<'a>) -> Copier<'a> {
        Copier { threads: threads.max(1), forgets: false, watch, copies: Vec::new() }
    }

    /// The same, telling the system that what has been copied of a file need not be kept in memory: for where a file and its copy
    /// do not fit at the same time. The system takes such a page back at once; otherwise it would have to look for some to take back
    /// while huge ones are wanted.
    #[must_use]
    pub fn forgetting_files(self, forgets: bool) -> Copier<'a> {
        Copier { forgets, ..self }
    }

    /// The table on a copy of its file, if it is mapped; other tables are in memory as they are. A table that was to be verified is:
    /// every byte is compared with its hash as it is copied.
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be read or is not whole, there is not that much memory, or the watch says to stop.
    pub fn copy(&mut self, table: &Table) -> Result<Table, OpenError> {
        let (Some(file), Bytes::Mapped(_)) = (table.file(), table.bytes()) else { return Ok(table.clone()) };
        let verifies = table.verified() != Verified::Not;
        let copy = self.copy_of(file, verifies)?;
        Ok(table.moved_to(Bytes::Copied(copy), if verifies { Verified::Now } else { Verified::Not }))
    }

    /// The copy of a file, made if it has not been made before.
    fn copy_of(&mut self, file: &OpenFile, verifies: bool) -> Result<Arc<Zeroed<u8>>, OpenError> {
        if let Some((_, copy)) = self.copies.iter().find(|(path, _)| *path == file.path) {
            return Ok(Arc::clone(copy));
        }
        let what = format!("copying {} onto huge pages", file.header.file_name());
        let _ = (self.watch)(&Event::Begin { what: &what, total: file.state.len });
        let copied = self.copy_file(file, verifies);
        let _ = (self.watch)(&Event::End);
        let copy = Arc::new(copied?);
        self.copies.push((file.path.clone(), Arc::clone(&copy)));
        Ok(copy)
    }

    fn copy_file(&self, open: &OpenFile, verifies: bool) -> Result<Zeroed<u8>, OpenError> {
        let not_read = |error| OpenError::io(&open.path, error);
        let not_whole = |error| OpenError::NotWhole(open.path.clone(), error);
        let mut memory: Zeroed<u8> = Zeroed::untouched(open.state.len as usize).map_err(not_read)?;
        let (payload, hashes) = memory[HEADER_LEN..].split_at_mut(open.header.payload_len() as usize);
        let payload_end = (HEADER_LEN + payload.len()) as u64;
        read_at(open.file(), hashes, payload_end).map_err(not_read)?;
        let hashes = verifies.then(|| BlockHashes::parse(hashes));
        if hashes.as_ref().is_some_and(|hashes| hashes.root() != open.header.hash()) {
            return Err(not_whole(VerifyError::Hashes));
        }
        // Handed out in order, so that the file is read from its start to its end.
        let blocks = Mutex::new(payload.chunks_mut(BLOCK_LEN).enumerate());
        let damaged = Mutex::new(Vec::new());
        let failed: Mutex<Option<OpenError>> = Mutex::new(None);
        let stop = AtomicBool::new(false);
        let fail = |error| {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            stop.store(true, Ordering::Relaxed);
        };
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, block)) = next else { return };
                let at = (HEADER_LEN + number * BLOCK_LEN) as u64;
                if let Err(error) = read_at(open.file(), block, at) {
                    return fail(not_read(error));
                }
                if self.forgets {
                    forget(open.file(), at, block.len() as u64);
                }
                if hashes.as_ref().is_some_and(|hashes| !hashes.is_whole(number, block)) {
                    damaged.lock().unwrap_or_else(PoisonError::into_inner).push(number);
                }
                if (self.watch)(&Event::Advance(block.len() as u64)).is_break() {
                    return fail(not_whole(VerifyError::Stopped));
                }
            }
        };
        // No threads of a pool, which may wait for whoever copies.
        on_threads(self.threads, &work);
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut damaged = damaged.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !damaged.is_empty() {
            damaged.sort_unstable();
            return Err(not_whole(VerifyError::of_blocks(damaged, open.header.payload_len() as usize)));
        }
        read_at(open.file(), &mut memory[..HEADER_LEN], 0).map_err(not_read)?;
        Ok(memory)
    }
}

/// Reads a part of a file, wherever anybody else has been reading.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, part, at)
}

/// Reads a part of a file. Threads take turns: all read from where the file was last set to.
#[cfg(not(unix))]
pub(crate) fn read_at(mut file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(part)
}

/// Tells the system that nobody is going to read a part of a file soon. Only a hint.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn forget(file: &File, at: u64, len: u64) {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is that of an open file, and a hint changes nothing that anybody could read.
    let _ = unsafe {
        libc::posix_fadvise(file.as_raw_fd(), at as libc::off_t, len as libc::off_t, libc::POSIX_FADV_DONTNEED)
    };
}

#[cfg(not(target_os = "linux"))]
fn forget(_file: &File, _at: u64, _len: u64) {}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::{Loading, Store};
    use tilebase_progress::threads::without_each_thread;
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Catalogue, Pattern};

    /// A directory with the tables of 6-6-3, and its patterns.
    fn tables() -> (tempfile::TempDir, Vec<Pattern>) {
        let directory = tempfile::tempdir().unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
        for entry in std::fs::read_dir(shipped).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
        }
        (directory, Catalogue::known("6-6-3").unwrap().patterns())
    }

    #[allow(unsafe_code)]
    fn mapped(directory: &Path) -> Store {
        let store = Store::new(vec![directory.to_owned()]).with_loading(Loading::Map);
        // SAFETY: the tests read nothing through a map whose file they have changed.
        unsafe { store.allow_mapping([directory.to_owned()]) }
    }

    #[test]
    fn a_copy_has_the_bytes_of_its_file_on_any_number_of_threads() {
        let (directory, patterns) = tables();
        let store = mapped(directory.path());
        for (threads, forgets) in [(1, false), (2, true), (5, false)] {
            let done = AtomicU64::new(0);
            let watch = |event: &Event<'_>| {
                if let Event::Advance(bytes) = event {
                    done.fetch_add(*bytes, Ordering::Relaxed);
                }
                ControlFlow::Continue(())
            };
            let mut copier = Copier::new(threads, &watch).forgetting_files(forgets);
            let mut payloads = 0;
            for pattern in &patterns {
                let table = store.find_verified(pattern, &unwatched).unwrap().unwrap();
                let copy = copier.copy(&table).unwrap();
                assert!(matches!(copy.bytes(), Bytes::Copied(_)));
                let file = std::fs::read(table.path().unwrap()).unwrap();
                assert_eq!(copy.bytes().as_ref(), &file[..]);
                assert_eq!((copy.verified(), copy.path(), copy.pattern()), (Verified::Now, table.path(), pattern));
                copy.verify_alone(&unwatched).unwrap();
                payloads += table.payload().len() as u64;
            }
            assert_eq!(done.into_inner(), payloads);
        }
    }

    #[test]
    fn tables_are_copied_by_the_threads_that_start() {
        let (directory, patterns) = tables();
        let table = mapped(directory.path()).find_verified(&patterns[0], &unwatched).unwrap().unwrap();
        let copy = || Copier::new(4, &unwatched).copy(&table).unwrap();
        let asked = without_each_thread(copy, |copy, case| {
            assert!(matches!(copy.bytes(), Bytes::Copied(_)), "{case}");
            assert!(copy.bytes().as_ref() == table.bytes().as_ref(), "{case}");
        });
        assert_eq!(asked, 3);
    }

    #[test]
    fn a_pattern_and_its_mirror_image_share_a_copy() {
        let (directory, patterns) = tables();
        let store = mapped(directory.path());
        let image = patterns[0].images().last().unwrap();
        assert_ne!(image, patterns[0]);
        let mut copier = Copier::new(2, &unwatched);
        let [first, second] = [patterns[0], image].map(|pattern| {
            let copy = copier.copy(&store.find_verified(&pattern, &unwatched).unwrap().unwrap()).unwrap();
            assert_eq!(*copy.pattern(), pattern);
            let Bytes::Copied(copy) = copy.bytes() else { panic!("it is copied") };
            Arc::clone(copy)
        });
        assert!(Arc::ptr_eq(&first, &second));
    }

    #[test]
    fn what_is_in_memory_already_is_not_copied() {
        let (directory, patterns) = tables();
        for loading in [Loading::Read, Loading::Copy] {
            let table = mapped(directory.path()).with_loading(loading).find_unverified(&patterns[0]).unwrap().unwrap();
            let same = Copier::new(1, &unwatched).copy(&table).unwrap();
            assert_eq!(same.payload().as_ptr(), table.payload().as_ptr());
        }
    }

    // Elsewhere the system lets nobody write to a file that is mapped.
    #[test]
    #[cfg(unix)]
    fn damage_is_found_on_the_way_unless_nobody_was_to_look() {
        let (directory, patterns) = tables();
        let path = mapped(directory.path()).find_unverified(&patterns[0]).unwrap().unwrap().path().unwrap().to_owned();
        let whole = std::fs::read(&path).unwrap();
        let payload = whole.len() - HEADER_LEN - 32 * 2;
        assert!((BLOCK_LEN..2 * BLOCK_LEN).contains(&payload), "two blocks and their hashes");
        for (at, expected) in [
            (HEADER_LEN, "damaged in block 0"),
            (HEADER_LEN + BLOCK_LEN, "damaged in block 1"),
            (whole.len() - 1, "the hashes of its blocks are damaged"),
        ] {
            // Damaged after it was verified, as by a disk.
            let verified = {
                std::fs::write(&path, &whole).unwrap();
                let table = mapped(directory.path()).find_verified(&patterns[0], &unwatched).unwrap().unwrap();
                assert_eq!(table.verified(), Verified::Now);
                table
            };
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let error = Copier::new(2, &unwatched).copy(&verified).unwrap_err();
            assert!(error.to_string().contains(expected), "{at}: {error}");
            let trusted = mapped(directory.path()).find_unverified(&patterns[0]).unwrap().unwrap();
            let copy = Copier::new(2, &unwatched).copy(&trusted).unwrap();
            assert_eq!(copy.verified(), Verified::Not);
        }
    }

    #[test]
    fn copying_stops_after_the_block_that_is_being_copied() {
        let (directory, patterns) = tables();
        let table = mapped(directory.path()).find_verified(&patterns[0], &unwatched).unwrap().unwrap();
        for threads in [1, 3] {
            let copied = AtomicU64::new(0);
            let stop = |event: &Event<'_>| match event {
                Event::Advance(bytes) => {
                    assert!(*bytes <= BLOCK_LEN as u64);
                    copied.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            };
            Copier::new(threads, &stop).copy(&table).unwrap_err();
            assert!((1..=threads as u64).contains(&copied.into_inner()), "one block on each thread");
        }
    }

    #[test]
    fn copying_stops_when_it_is_told_to() {
        let (directory, patterns) = tables();
        let table = mapped(directory.path()).find_verified(&patterns[0], &unwatched).unwrap().unwrap();
        let stop = |_: &Event<'_>| ControlFlow::Break(());
        let error = Copier::new(2, &stop).copy(&table).unwrap_err();
        assert!(matches!(error, OpenError::NotWhole(_, VerifyError::Stopped)), "{error}");
    }
}
