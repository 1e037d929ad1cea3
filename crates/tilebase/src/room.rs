//! Whether tables fit into memory.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use tilebase_lookup::{Location, Store, Table};
use tilebase_puzzle::Pattern;

/// Beside its tables a search needs little; this part of their bytes is kept free for it, and for the system.
const PART_FOR_THE_REST: u64 = 32;

/// Tables that do not fit into memory: the system would read their pages from the disk again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "they need {} GB of memory, and {} GB are available",
    gigabytes(*.needed), gigabytes(*.available)
)]
#[non_exhaustive]
pub struct Shortage {
    /// Bytes that are needed.
    pub needed: u64,
    /// Bytes that there are.
    pub available: u64,
}

/// Such as 0.05, 1.5 or 22.3: two figures at least.
fn gigabytes(bytes: u64) -> String {
    let gigabytes = bytes as f64 / 1e9;
    let digits = match gigabytes {
        _ if gigabytes < 0.01 => 4,
        _ if gigabytes < 0.1 => 3,
        _ if gigabytes < 1.0 => 2,
        _ => 1,
    };
    format!("{gigabytes:.digits$}")
}

/// What keeps this many bytes of tables from being used, when that much memory is available; where that is not known, nothing.
pub(crate) fn shortage(bytes: u64, available: Option<u64>) -> Option<Shortage> {
    let needed = bytes + bytes / PART_FOR_THE_REST;
    available.filter(|available| needed > *available).map(|available| Shortage { needed, available })
}

/// The memory that each of some searches at a time may take for its nodes: its share of what there may be or, where that was not
/// said, of what the machine has available. `None` when it does not tell.
pub fn memory_for_nodes(most: Option<u64>, at_once: NonZeroUsize) -> Option<u64> {
    most.or_else(tilebase_memory::available).map(|memory| memory / at_once.get() as u64)
}

/// How many bytes the files of the tables of some patterns have, each counted once. Those that are not there will be small, and
/// those in the program are in memory already.
pub(crate) fn bytes_of_files(store: &Store, patterns: &[Pattern]) -> u64 {
    let files = patterns.iter().filter_map(|pattern| match store.locate(pattern)? {
        Location::Table(path) | Location::Packed(path) => Some(path),
        Location::Program => None,
    });
    let files: BTreeSet<_> = files.collect();
    files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|data| data.len()).sum()
}

/// How many bytes the files have that some open tables came from, each counted once.
pub(crate) fn bytes_of_tables<'a>(tables: impl Iterator<Item = &'a Table>) -> u64 {
    let mut seen = BTreeSet::new();
    tables
        .filter(|table| table.path().is_some_and(|path| seen.insert(path)))
        .map(|table| table.header().file_len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_with_a_little_to_spare() {
        assert_eq!(shortage(32, Some(33)), None);
        assert_eq!(shortage(32, Some(32)), Some(Shortage { needed: 33, available: 32 }));
        assert_eq!(shortage(u64::MAX / 2, None), None, "nobody knows");
    }

    #[test]
    fn a_shortage_is_told_in_gigabytes() {
        for (needed, available, expected) in [
            (33_800_000_000, 24_140_000_000, "they need 33.8 GB of memory, and 24.1 GB are available"),
            (201_000_000, 98_000_000, "they need 0.20 GB of memory, and 0.098 GB are available"),
            (3_000_000, 0, "they need 0.0030 GB of memory, and 0.0000 GB are available"),
        ] {
            assert_eq!(Shortage { needed, available }.to_string(), expected);
        }
    }
}
