//! The entries of a table, wherever its bytes are, without asking each time.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::bytes::Bytes;

/// A part of some bytes. Searches read a few entries with every node; finding out first whether the bytes are mapped, read or
/// part of the program would cost more than the rest of a lookup.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Entries {
    start: *const u8,
    len: usize,
    pub(crate) bytes: Arc<Bytes>,
}

impl Entries {
    /// A part of some bytes.
    ///
    /// # Panics
    /// When there are not that many.
    pub(crate) fn new(bytes: Bytes, part: Range<usize>) -> Entries {
        let bytes = Arc::new(bytes);
        let part = &(*bytes).as_ref()[part];
        Entries { start: part.as_ptr(), len: part.len(), bytes }
    }
}

impl Deref for Entries {
    type Target = [u8];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[u8] {
        // SAFETY: the part is one of `bytes`, which live as long as `self`, are never changed, and stay where they are in memory
        // when `self` moves: they are static, on the heap or mapped.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

// SAFETY: the pointer is only ever read through, and what it points to belongs to `bytes`, which may be sent and shared.
#[allow(unsafe_code)]
unsafe impl Send for Entries {}

// SAFETY: as above; nothing is changed through a shared reference.
#[allow(unsafe_code)]
unsafe impl Sync for Entries {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_readable_when_they_move_are_shared_and_outlive_their_first_owner() {
        static IN_PROGRAM: [u8; 100] = [7; 100];
        let sources = [Bytes::Static(&IN_PROGRAM), Bytes::Owned((0..100).collect())];
        for bytes in sources {
            let expected = bytes.as_ref()[10..90].to_vec();
            let first = Entries::new(bytes, 10..90);
            let second = first.clone();
            let moved = Box::new(first);
            assert_eq!(**moved, expected[..]);
            drop(moved);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| assert_eq!(*second, expected[..]));
                }
            });
            let read = std::thread::spawn(move || second.to_vec());
            assert_eq!(read.join().unwrap(), expected);
        }
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn a_part_beyond_the_end_is_refused() {
        Entries::new(Bytes::Owned(vec![0; 10]), 5..11);
    }
}
