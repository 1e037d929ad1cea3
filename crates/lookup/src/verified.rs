//! Which files have been verified: read to the last byte, and found to be what their hashes say.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tilebase_format::{Header, hash_text};

use crate::store::user_directory;

/// Where the memory of what was verified is, in the user's directory of tables.
const DIRECTORY: &str = "verified";

/// What was found out is believed for this long: bits that decay on a disk change no time.
const EXPIRES_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A file that changed less than this long before it was verified might have changed again at what a file system calls the same
/// time. That it was verified is not remembered.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// What changes when a file is written to, cut short or replaced: which file it is, its length and its times.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FileState {
    /// Device and number of the file; zero on systems that do not tell.
    device: u64,
    inode: u64,
    pub(crate) len: u64,
    /// Nanoseconds since 1970, of the last change of its bytes, and of anything about it.
    modified: i128,
    changed: i128,
}

impl FileState {
    pub(crate) fn of(file: &File) -> io::Result<FileState> {
        let state = file.metadata().map(|metadata| FileState::from(&metadata))?;
        // A copy has the times of its source there, and what replaces a file for a while those of that file.
        #[cfg(windows)]
        let state = {
            let about = winapi_util::file::information(file)?;
            FileState { device: about.volume_serial_number(), inode: about.file_index(), ..state }
        };
        Ok(state)
    }

    /// Whether the last change was long enough ago that another one would be seen.
    fn is_settled(&self, now: SystemTime) -> bool {
        now.checked_sub(SETTLED_AFTER).is_some_and(|before| nanoseconds(before) > self.changed.max(self.modified))
    }
}

#[cfg(unix)]
impl From<&Metadata> for FileState {
    fn from(metadata: &Metadata) -> FileState {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        FileState {
            device: metadata.dev(),
            inode: metadata.ino(),
            len: metadata.len(),
            modified: time(metadata.mtime(), metadata.mtime_nsec()),
            changed: time(metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

#[cfg(not(unix))]
impl From<&Metadata> for FileState {
    fn from(metadata: &Metadata) -> FileState {
        let time = |time: io::Result<SystemTime>| time.map_or(0, nanoseconds);
        FileState {
            device: 0,
            inode: 0,
            len: metadata.len(),
            modified: time(metadata.modified()),
            changed: time(metadata.created()),
        }
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    time.duration_since(UNIX_EPOCH)
        .map_or_else(|before| -(before.duration().as_nanos() as i128), |since| since.as_nanos() as i128)
}

/// Remembers which files have been verified, in a directory with a small file for each of them.
///
/// Nothing depends on it but time: what cannot be read or written there is verified again.
#[derive(Clone, Debug)]
pub struct VerifiedFiles {
    directory: PathBuf,
}

impl VerifiedFiles {
    /// Remembered in a directory, which need not exist.
    pub fn in_directory(directory: PathBuf) -> VerifiedFiles {
        VerifiedFiles { directory }
    }

    /// Remembered for the user, in a part of the [user's directory](user_directory). `None` when there is none.
    pub fn of_user() -> Option<VerifiedFiles> {
        Some(VerifiedFiles::in_directory(user_directory()?.join(DIRECTORY)))
    }

    /// Whether a table was verified in the state in which its file is, not too long ago.
    pub(crate) fn contain(&self, path: &Path, state: &FileState, header: &Header) -> bool {
        let Ok(found) = std::fs::read_to_string(self.record_of(path, state)) else { return false };
        let Some((facts, at)) = found.split_once("verified=") else { return false };
        let at = at.split_once('\n').and_then(|(at, checksum)| {
            let seconds = at
                .parse::<u64>()
                .ok()
                .filter(|_| checksum == hash_text(&found.as_bytes()[..found.len() - checksum.len()]))?;
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
        });
        // What was verified in the future was verified by another clock.
        let is_recent =
            at.and_then(|at| SystemTime::now().duration_since(at).ok()).is_some_and(|age| age < EXPIRES_AFTER);
        is_recent && facts == self::facts(state, header)
    }

    /// Remembers that a table has just been verified in a state of its file.
    pub(crate) fn remember(&self, path: &Path, state: &FileState, header: &Header) {
        let now = SystemTime::now();
        if !state.is_settled(now) {
            return;
        }
        self.forget_old(now);
        let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let text = format!("{}verified={seconds}\n", facts(state, header));
        let written = std::fs::create_dir_all(&self.directory).and_then(|()| {
            std::fs::write(self.record_of(path, state), format!("{text}{}", hash_text(text.as_bytes())))
        });
        // Then it is verified again the next time.
        drop(written);
    }

    /// Removes what has expired, so that the directory does not grow for ever.
    fn forget_old(&self, now: SystemTime) {
        for entry in std::fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            if written.is_ok_and(|written| now.duration_since(written).is_ok_and(|age| age > EXPIRES_AFTER)) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// The file that remembers a file: one for each, whatever happens to it.
    fn record_of(&self, path: &Path, state: &FileState) -> PathBuf {
        let by_path = || hash_text(path.as_os_str().as_encoded_bytes());
        let name = if state.inode == 0 { by_path() } else { format!("{:x}-{:x}", state.device, state.inode) };
        self.directory.join(name)
    }
}

/// What is remembered of a file, but for when.
fn facts(state: &FileState, header: &Header) -> String {
    let FileState { device, inode, len, modified, changed } = state;
    let hash = header.hash_text();
    format!("device={device}\ninode={inode}\nlen={len}\nmodified={modified}\nchanged={changed}\nhash={hash}\n")
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;
    use crate::Store;
    use tilebase_puzzle::Catalogue;

    /// A file, old enough to be remembered, with its state.
    fn settled(path: &Path, age: Duration) -> FileState {
        std::fs::write(path, "a table").unwrap();
        let file = OpenOptions::new().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
        // The system sets the time of the change itself.
        FileState { changed: FileState::of(&file).unwrap().modified, ..FileState::of(&file).unwrap() }
    }

    fn header() -> Header {
        let catalogue = Catalogue::known("6-6-3").unwrap();
        let table = Store::compiled_in().find_unverified(&catalogue.patterns()[0]).unwrap();
        table.unwrap().header().clone()
    }

    #[test]
    fn what_was_verified_is_remembered_until_anything_about_the_file_changes() {
        let directory = tempfile::tempdir().unwrap();
        let files = VerifiedFiles::in_directory(directory.path().join("not/there/yet"));
        let (path, header) = (directory.path().join("table"), header());
        let state = settled(&path, Duration::from_secs(60));
        assert!(!files.contain(&path, &state, &header));
        files.remember(&path, &state, &header);
        assert!(files.contain(&path, &state, &header));
        let others = [
            FileState { device: state.device + 1, ..state.clone() },
            FileState { inode: state.inode + 1, ..state.clone() },
            FileState { len: state.len + 1, ..state.clone() },
            FileState { modified: state.modified + 1, ..state.clone() },
            FileState { changed: state.changed - 1, ..state.clone() },
        ];
        others.iter().for_each(|other| assert!(!files.contain(&path, other, &header), "{other:?}"));
        let other = Catalogue::known("6-6-3").unwrap().patterns()[1];
        let other = Store::compiled_in().find_unverified(&other).unwrap().unwrap();
        assert!(!files.contain(&path, &state, other.header()), "another hash");
    }

    #[test]
    fn what_is_torn_changed_expired_or_of_the_future_is_not_believed() {
        let directory = tempfile::tempdir().unwrap();
        let files = VerifiedFiles::in_directory(directory.path().join("verified"));
        let (path, header) = (directory.path().join("table"), header());
        let state = settled(&path, Duration::from_secs(60));
        files.remember(&path, &state, &header);
        let record = files.record_of(&path, &state);
        let whole = std::fs::read_to_string(&record).unwrap();
        for len in 0..whole.len() {
            std::fs::write(&record, &whole[..len]).unwrap();
            assert!(!files.contain(&path, &state, &header), "the first {len} bytes");
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let facts = whole.split_once("verified=").unwrap().0;
        let days = |days: u64| days * 24 * 60 * 60;
        for (at, is_believed) in [(now, true), (now - days(29), true), (now - days(31), false), (now + 100, false)] {
            let text = format!("{facts}verified={at}\n");
            std::fs::write(&record, format!("{text}{}", hash_text(text.as_bytes()))).unwrap();
            assert_eq!(files.contain(&path, &state, &header), is_believed, "{at}");
            std::fs::write(&record, format!("{text}{}", hash_text(b"something else"))).unwrap();
            assert!(!files.contain(&path, &state, &header), "without its checksum");
        }
    }

    #[test]
    fn a_file_that_has_just_changed_is_not_remembered() {
        let directory = tempfile::tempdir().unwrap();
        let files = VerifiedFiles::in_directory(directory.path().join("verified"));
        let (path, header) = (directory.path().join("table"), header());
        let state = settled(&path, Duration::ZERO);
        files.remember(&path, &state, &header);
        assert!(!files.contain(&path, &state, &header));
    }

    #[test]
    fn where_nothing_can_be_written_nothing_is_remembered_and_nothing_fails() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        let state = settled(&path, Duration::from_secs(60));
        // A file is where the directory should be.
        let files = VerifiedFiles::in_directory(path.clone());
        files.remember(&path, &state, &header());
        assert!(!files.contain(&path, &state, &header()));
    }
}
