//! Zeroed memory on huge pages.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use memmap2::{MmapMut, MmapOptions};
use tilebase_progress::threads::on_threads;

/// What such memory can hold: numbers, and arrays of them.
pub trait Item: bytemuck::Pod {}

impl<T: bytemuck::Pod> Item for T {}

/// Bytes of a huge page on the usual machines.
const HUGE_PAGE: usize = 2 << 20;

/// Bytes of the smallest page on the usual machines. Where they are larger, some are written to twice.
const PAGE: usize = 4 << 10;

/// Smaller pieces would waste more of a huge page than they gain.
const WORTH_HUGE_PAGES: usize = 2 * HUGE_PAGE;

/// Items that start as zeros, on huge pages where the system offers them.
///
/// A build touches every page of a few hundred megabytes in no particular order. With pages of 4 kB that is a hundred
/// thousand page faults, which two threads get in each other's way with; `docs/building.md` has the numbers. A page that is
/// read before it is written is worse still: what was mapped for reading is taken away from all threads. So every page is
/// written to at once, on as many threads as the current pool has. (The system could do that in one call, on one thread, and
/// others that want memory would wait for it.)
///
/// These threads are not the pool's own. While one of those waits for the others, it may take up any other work of the pool, and
/// if that wanted something that the waiting one holds, neither would ever go on.
#[derive(Debug)]
pub struct Zeroed<T> {
    map: MmapMut,
    len: usize,
    items: std::marker::PhantomData<T>,
}

impl<T: Item> Zeroed<T> {
    /// This many items, all zero, if there is that much memory.
    pub fn new(len: usize) -> io::Result<Zeroed<T>> {
        Zeroed::on_pages(len, true)
    }

    /// The same, on huge pages or not.
    pub fn on_pages(len: usize, huge: bool) -> io::Result<Zeroed<T>> {
        let Zeroed { mut map, len, items } = Zeroed::<T>::reserved(len, huge)?;
        // Asking the pool for its size makes one, which is too much for a small piece.
        let threads = if map.len() >= WORTH_HUGE_PAGES { threads_of_pool() } else { 1 };
        let part = map.len().div_ceil(threads).next_multiple_of(HUGE_PAGE);
        // Every small page: the last part of a piece does not fill a huge one.
        let touch = |part: &mut [u8]| part.chunks_mut(PAGE).for_each(|page| page[0] = 0);
        {
            let parts = Mutex::new(map.chunks_mut(part));
            let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            on_threads(threads, &|| std::iter::from_fn(next).for_each(touch));
        }
        Ok(Zeroed { map, len, items })
    }

    /// The same, on huge pages, without touching any of them: memory is taken when an item is first written. For what is filled from
    /// its start to its end, while memory that something else needs becomes free on the way.
    pub fn untouched(len: usize) -> io::Result<Zeroed<T>> {
        Zeroed::reserved(len, true)
    }

    /// The bytes of all items, in the order of this machine.
    pub fn as_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    /// The same, to be filled.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
    }

    fn reserved(len: usize, huge: bool) -> io::Result<Zeroed<T>> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapOptions::new().len(bytes.max(1)).map_anon()?;
        // Only a wish: where there are no huge pages, small ones do.
        #[cfg(target_os = "linux")]
        if huge && bytes >= WORTH_HUGE_PAGES {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = huge;
        Ok(Zeroed { map, len, items: std::marker::PhantomData })
    }
}

impl<T: Item> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // Without a check: searches read an item or two with every node.
        // SAFETY: the map has room for this many items, starts on a page, so that it is aligned for any of them, is never moved or
        // given back while `self` lives, and any bytes are an item.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

impl<T: Item> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.len * size_of::<T>()])
    }
}

/// The threads of the current pool.
fn threads_of_pool() -> usize {
    #[cfg(feature = "threads")]
    let threads = {
        tilebase_progress::threads::prepare_pool();
        rayon::current_num_threads()
    };
    #[cfg(not(feature = "threads"))]
    let threads = 1;
    threads
}
