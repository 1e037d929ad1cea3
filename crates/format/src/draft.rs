//! Files that are there whole or not at all.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::files::{directory_of, open_file};

const PREFIX: &str = ".tilebase-";
const SUFFIX: &str = ".tmp";

/// A file in the making: it has a temporary name until it is [sealed](Draft::seal), and is gone when it never is.
///
/// On Unix the umask decides who may read it, also where it replaces a file with other permissions.
///
/// While a draft lives, its file is locked. A draft that lost its program (killed, or the power went) is not, which is how
/// the next one in the directory knows what to clean up.
#[derive(Debug)]
pub struct Draft {
    file: NamedTempFile,
    path: PathBuf,
    living: Living,
}

/// The temporary files of all drafts of this program.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A draft's place among them.
#[derive(Debug)]
struct Living(PathBuf);

impl Drop for Living {
    fn drop(&mut self) {
        all().retain(|path| *path != self.0);
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files of all drafts, for a program that is about to end in the middle of things. From then on, whoever starts or
/// finishes a draft waits for that end.
pub fn abandon_drafts() {
    let all = all();
    all.iter().for_each(|path| _ = std::fs::remove_file(path));
    std::mem::forget(all);
}

impl Draft {
    /// Starts a file that shall have this path. Removes what drafts of dead programs left in the directory.
    pub fn new(path: PathBuf) -> io::Result<Draft> {
        let directory = directory_of(&path);
        remove_leftovers(directory);
        loop {
            // Nobody abandons all drafts between the making of one and its being known.
            let mut all = all();
            let file = temporary_file(directory).map_err(unnamed)?;
            all.push(file.path().to_owned());
            drop(all);
            let living = Living(file.path().to_owned());
            // Where files cannot be locked, leftovers cannot be told from drafts, and stay. This never waits: another program that has
            // the lock is cleaning up, and takes the new file for a leftover.
            let is_leftover = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_leftover && file.path().exists() {
                return Ok(Draft { file, path, living });
            }
        }
    }

    /// Flushes the file to the disk and gives it its name. A file of that name is replaced; programs that have it open keep
    /// the old one, but on Windows, where they keep it from being replaced. No temporary file is left behind, even when that fails.
    pub fn seal(self) -> io::Result<PathBuf> {
        let Draft { file, path, living } = self;
        file.as_file().sync_all()?;
        persist(file, &path)?;
        drop(living);
        // Makes the new name survive a crash; only Unix lets a directory be opened for that.
        if cfg!(unix) {
            File::open(directory_of(&path))?.sync_all()?;
        }
        Ok(path)
    }
}

/// A new file with a temporary name. On Unix its permissions are those of any new file: 0666 without the bits of the umask, which the
/// system takes away when it makes the file. A file that is replaced does not matter: the new one has its own permissions.
fn temporary_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Without this, tempfile makes a file that only its owner may read.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

/// Gives a temporary file its name. Windows replaces no file that somebody has open, as others may for a moment who make the same
/// table: there it is tried for a second.
fn persist(mut file: NamedTempFile, path: &Path) -> io::Result<()> {
    let mut attempts = if cfg!(windows) { 50 } else { 1 };
    loop {
        attempts -= 1;
        match file.persist(path) {
            Ok(_) => return Ok(()),
            Err(again) if attempts > 0 && again.error.kind() == io::ErrorKind::PermissionDenied => file = again.file,
            Err(failed) => return Err(failed.error),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The same error without a temporary name, which nobody knows.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn unnamed(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string().split(" at path ").next().unwrap_or_default())
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(unnamed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What is written can be read again before the draft is sealed.
impl Read for Draft {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Finds out whether files can be made in a directory, leaving nothing there.
pub fn check_writable(directory: &Path) -> io::Result<()> {
    Draft::new(directory.join("draft")).map(drop)
}

/// The drafts in a directory whose programs are no more.
pub fn leftovers(directory: &Path) -> Vec<PathBuf> {
    locked_leftovers(directory).map(|(path, _)| path).collect()
}

/// Removes them, and says which. They are locked meanwhile, so that no draft is taken for one; what cannot be removed stays.
pub fn remove_leftovers(directory: &Path) -> Vec<PathBuf> {
    let leftovers = locked_leftovers(directory);
    leftovers.filter_map(|(path, _lock)| std::fs::remove_file(&path).is_ok().then_some(path)).collect()
}

fn locked_leftovers(directory: &Path) -> impl Iterator<Item = (PathBuf, File)> {
    let is_draft = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let drafts = entries.filter(move |entry| entry.file_name().to_str().is_some_and(is_draft));
    drafts.filter_map(|entry| {
        let file = open_file(&entry.path()).ok()?;
        file.try_lock().ok()?;
        Some((entry.path(), file))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_removed_and_drafts_of_the_living_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> =
                std::fs::read_dir(directory.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            names
        };
        std::fs::write(directory.path().join(".tilebase-dead.tmp"), "half a table").unwrap();
        std::fs::write(directory.path().join("notes.tmp"), "not ours").unwrap();
        let mut living = Draft::new(directory.path().join("living")).unwrap();
        assert_eq!(names().len(), 2, "the draft and the notes");
        Draft::new(directory.path().join("other")).unwrap().seal().unwrap();
        assert!(leftovers(directory.path()).is_empty());
        living.write_all(b"whole").unwrap();
        living.seal().unwrap();
        assert_eq!(names(), ["living", "notes.tmp", "other"]);
        assert_eq!(std::fs::read(directory.path().join("living")).unwrap(), b"whole");
    }

    #[test]
    fn drafts_are_known_from_their_making_to_their_end() {
        let directory = tempfile::tempdir().unwrap();
        let sealed = Draft::new(directory.path().join("sealed")).unwrap().seal().unwrap();
        let draft = Draft::new(directory.path().join("draft")).unwrap();
        let temporary = draft.file.path().to_owned();
        // Abandoning all would take those of other tests, too; interrupting the program shows that they go.
        assert!(all().contains(&temporary) && !all().contains(&sealed));
        drop(draft);
        assert!(!all().contains(&temporary));
    }

    #[test]
    fn a_draft_that_is_not_sealed_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let missing = Draft::new(directory.path().join("missing/draft")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        assert!(!missing.to_string().contains(PREFIX), "{missing}");
        Draft::new(directory.path().join("draft")).unwrap().write_all(b"half").unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
