//! Large pieces of memory, on huge pages where the system offers them.
//!
//! ```
//! let mut squares = tilebase_memory::Zeroed::<u64>::new(1_000_000)?;
//! assert_eq!(squares[999_999], 0);
//! squares[7] = 49;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use rayon::prelude::*;

/// Asks for an item that will be read soon, without waiting for it. Asking for one that is not there, or is never read, does
/// no harm.
#[inline(always)]
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is only a hint; it never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}

/// Bytes of a huge page on the usual machines.
const HUGE_PAGE: usize = 2 << 20;

/// Bytes of the smallest page on the usual machines. Where they are larger, some are written to twice.
const PAGE: usize = 4 << 10;

/// Bytes of a piece without huge pages that a thread makes ready at a time.
const SMALL_PART: usize = 64 * PAGE;

/// Smaller pieces would waste more of a huge page than they gain.
const WORTH_HUGE_PAGES: usize = 2 * HUGE_PAGE;

/// Items that start as zeros, on huge pages where the system offers them.
///
/// A build touches every page of a few hundred megabytes in no particular order. With pages of 4 kB that is a hundred
/// thousand page faults, which two threads get in each other's way with; `docs/building.md` has the numbers. A page that is
/// read before it is written is worse still: what was mapped for reading is taken away from all threads. So every page is
/// written to at once, on all threads. (The system could do that in one call, on one thread, and others that want memory
/// would wait for it.)
#[derive(Debug)]
pub struct Zeroed<T> {
    map: MmapMut,
    len: usize,
    items: std::marker::PhantomData<T>,
}

impl<T: Pod> Zeroed<T> {
    /// So many items, all zero.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn new(len: usize) -> io::Result<Zeroed<T>> {
        Zeroed::on_pages(len, true)
    }

    /// So many items, all zero, on huge pages or not.
    ///
    /// # Errors
    /// When there is not so much memory.
    pub fn on_pages(len: usize, huge: bool) -> io::Result<Zeroed<T>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let large = bytes >= WORTH_HUGE_PAGES;
        let mut map = MmapOptions::new().len(bytes.max(1)).map_anon()?;
        // Only a wish: where there are no huge pages, small ones do.
        #[cfg(target_os = "linux")]
        if large && huge {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        // Every small page: the last part of a piece does not fill a huge one.
        let parts = map.par_chunks_mut(if large { HUGE_PAGE } else { SMALL_PART }).with_max_len(1);
        parts.for_each(|part| part.chunks_mut(PAGE).for_each(|page| page[0] = 0));
        Ok(Zeroed { map, len, items: std::marker::PhantomData })
    }
}

/// Panics when there is no memory, as copies of other things do.
impl<T: Pod> Clone for Zeroed<T> {
    fn clone(&self) -> Zeroed<T> {
        let mut copy = Zeroed::new(self.len).expect("there is memory for a copy");
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Pod + PartialEq> PartialEq for Zeroed<T> {
    fn eq(&self, other: &Zeroed<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T: Pod + Eq> Eq for Zeroed<T> {}

impl<T: Pod> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // A map starts on a page, so it is aligned for any item.
        &bytemuck::cast_slice(&self.map[..self.len * size_of::<T>()])[..self.len]
    }
}

impl<T: Pod> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.len * size_of::<T>()])
    }
}
