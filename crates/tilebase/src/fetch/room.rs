//! Whether there is room on the disk.

use std::path::Path;

/// Bytes that can still be written into a directory, or into the one that it will be made in. `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn free(directory: &Path) -> Option<u64> {
    // An empty path is the current directory, but not for the system.
    let there = std::path::absolute(Path::new(".").join(directory)).ok()?;
    let there = there.ancestors().find(|directory| directory.is_dir())?;
    let status = rustix::fs::statvfs(there).ok()?;
    status.f_bavail.checked_mul(status.f_frsize)
}

#[cfg(not(unix))]
pub(super) fn free(_: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_room_of_a_directory_that_is_not_there_yet_is_that_around_it() {
        let directory = tempfile::tempdir().unwrap();
        for place in [directory.path(), &directory.path().join("a/b"), Path::new(""), Path::new("not there")] {
            assert!(free(place).is_some_and(|bytes| bytes > 0), "{}", place.display());
        }
    }
}
