//! How much memory tables take.

use std::collections::HashSet;
use std::sync::Arc;

use crate::bytes::Bytes;
use crate::table::{Numbering, Table};

impl Bytes {
    /// Bytes of memory of our own: nothing for what is mapped or part of the program.
    fn own_memory(&self) -> usize {
        match self {
            Bytes::Owned(bytes) => bytes.capacity(),
            #[cfg(feature = "files")]
            Bytes::Copied(bytes) => size_of_val(&***bytes),
            _ => 0,
        }
    }
}

/// Bytes of memory of our own that some tables take: entries that were read, copied or built, and what finds them. What several of
/// them share is counted once.
pub fn own_memory<'a>(tables: impl IntoIterator<Item = &'a Table>) -> u64 {
    let mut counted = HashSet::new();
    let mut sum = 0;
    for table in tables {
        let entries = &table.entries.bytes;
        if counted.insert(Arc::as_ptr(entries).cast::<()>()) {
            sum += entries.own_memory();
        }
        let (index, bytes) = match &table.numbering {
            Numbering::States(index, _) => (Arc::as_ptr(index).cast::<()>(), index.bytes()),
            Numbering::Lines(index) => (Arc::as_ptr(index).cast::<()>(), index.bytes()),
        };
        if counted.insert(index) {
            sum += bytes;
        }
    }
    sum as u64
}
