//! Files that have come in part. They have a name of their own and stay when the program ends, so that the next one goes on from there.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tilebase_format::directory_of;
use tilebase_progress::{Event, Watch};

/// What the name of such a file ends with, after that of the whole one.
pub(super) const PART: &str = "part";

/// Whoever waits for another program looks this often whether it is done.
const POLL: Duration = Duration::from_millis(100);

/// A file that has come in part. It is locked: no two programs fetch into the same file. When it is dropped while it is empty, it goes.
#[derive(Debug)]
pub(super) struct Part {
    file: File,
    pub(super) path: PathBuf,
    pub(super) len: u64,
}

/// Where the part of a file is, that shall have this path when it is whole.
pub(super) fn path_of_part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{PART}"));
    name.into()
}

/// How much of a file has come already.
pub(super) fn len_of_part(path: &Path) -> u64 {
    std::fs::metadata(path_of_part(path)).map_or(0, |data| data.len())
}

impl Part {
    /// Opens what has come of a file that shall have this path. Waits while another program has it; `None` when told to stop meanwhile.
    pub(super) fn open(path: &Path, watch: Watch<'_>) -> io::Result<Option<Part>> {
        let path = path_of_part(path);
        let mut waits = false;
        loop {
            if std::fs::symlink_metadata(&path).is_ok_and(|data| !data.is_file()) {
                return Err(io::Error::other(format!("{} is not an ordinary file: remove it", path.display())));
            }
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                // Whoever had it may have finished it, and given it another name.
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => {
                    let len = file.seek(SeekFrom::End(0))?;
                    if waits {
                        let _ = watch(&Event::End);
                    }
                    return Ok(Some(Part { file, path, len }));
                }
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) => {}
            }
            if !std::mem::replace(&mut waits, true) {
                let what = format!("another program has {}: waiting for it", path.display());
                let _ = watch(&Event::Begin { what: &what, total: 0 });
            }
            std::thread::sleep(POLL);
            if watch(&Event::Poll).is_break() {
                return Ok(None);
            }
        }
    }

    /// Adds bytes at the end.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Forgets all that has come.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.len = 0;
        Ok(())
    }

    /// Where the file is and how much has come, if anything has.
    pub(super) fn kept(&self) -> Option<(PathBuf, u64)> {
        (self.len > 0).then(|| (self.path.clone(), self.len))
    }

    /// Removes the file.
    pub(super) fn remove(self) {
        // One that stays does no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    /// What has come, from its first byte on.
    pub(super) fn read(&mut self) -> io::Result<&mut File> {
        self.file.rewind()?;
        Ok(&mut self.file)
    }

    /// Flushes the whole file to the disk and gives it its name.
    pub(super) fn seal(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.path, path)?;
        // Makes the new name survive a crash; only Unix lets a directory be opened for that.
        if cfg!(unix) {
            File::open(directory_of(path))?.sync_all()?;
        }
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.len == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a path leads to this very file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: std::fs::Metadata| (data.dev(), data.ino());
    let (there, here) = (std::fs::metadata(path).map(number), file.metadata().map(number));
    matches!((there, here), (Ok(there), Ok(here)) if there == here)
}

/// Whether a path leads to a file: where an open file cannot be removed or renamed, it is this one.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tilebase_progress::unwatched;

    use super::*;

    #[test]
    fn what_has_come_is_there_the_next_time_and_an_empty_file_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        drop(Part::open(&path, &unwatched).unwrap());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        let mut part = Part::open(&path, &unwatched).unwrap().unwrap();
        part.append(b"half ").unwrap();
        drop(part);
        assert_eq!(len_of_part(&path), 5);
        let mut part = Part::open(&path, &unwatched).unwrap().unwrap();
        assert_eq!(part.len, 5);
        part.append(b"a table").unwrap();
        let mut text = String::new();
        part.read().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "half a table");
        part.clear().unwrap();
        part.append(b"whole").unwrap();
        part.seal(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_second_waits_for_the_first_and_does_not_write_into_what_that_made() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        let mut first = Part::open(&path, &unwatched).unwrap().unwrap();
        first.append(b"whole").unwrap();
        let stop = |_: &Event<'_>| ControlFlow::Break(());
        assert!(Part::open(&path, &stop).unwrap().is_none(), "who is told to stop does not wait");
        let waits = AtomicBool::new(false);
        let watch = |event: &Event<'_>| {
            waits.fetch_or(matches!(event, Event::Begin { .. }), Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        std::thread::scope(|scope| {
            let second = scope.spawn(|| Part::open(&path, &watch).unwrap().unwrap().len);
            while !waits.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            first.seal(&path).unwrap();
            assert_eq!(second.join().unwrap(), 0, "it begins a file of its own");
        });
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn what_is_no_file_is_not_written_into() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        std::fs::create_dir(path_of_part(&path)).unwrap();
        let refused = Part::open(&path, &unwatched).unwrap_err().to_string();
        assert!(refused.contains("table.part is not an ordinary file"), "{refused}");
    }
}
