//! Large pieces of memory, on huge pages where the system offers them, and the amount of memory that is free.
//!
//! Two features are on by default: `huge-pages`, without which the allocator provides the memory, and `threads`, without which
//! one thread touches all of it. The feature `bits` adds sets of numbers, one bit for each, as slices of the package `bitvec`.
//! Without features this crate needs no other.
//!
//! ```
//! let mut squares = tilebase_memory::Zeroed::<u64>::new(1_000_000)?;
//! assert_eq!(squares[999_999], 0);
//! squares[7] = 49;
//! # Ok::<(), std::io::Error>(())
//! ```

mod available;
#[cfg(feature = "bits")]
mod bits;
#[cfg_attr(not(feature = "huge-pages"), path = "allocated.rs")]
mod zeroed;

pub use available::{available, available_to_each_of, kilobytes};
#[cfg(feature = "bits")]
pub use bits::{BitRows, Bits, ones, or};
pub use zeroed::{Item, Zeroed};

/// Fetches an item that will be read soon, without waiting for it. Prefetching one that is not there, or is never read, does no
/// harm.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "threads")]
    fn memory_is_touched_by_the_threads_that_start() {
        use tilebase_progress::threads::{on_pool, without_each_thread};
        let touch = || on_pool(3, || Zeroed::<u64>::new(3 << 20).unwrap());
        let asked = without_each_thread(touch, |items, case| assert!(items.iter().all(|item| *item == 0), "{case}"));
        assert_eq!(asked, 5, "3 of the pool, and 2 next to it");
    }

    #[test]
    fn memory_is_zero_and_can_be_written() {
        for len in [0, 1, 1000, 3 << 20] {
            let [mut items, untouched] = [Zeroed::<[u32; 2]>::new(len), Zeroed::untouched(len)].map(Result::unwrap);
            assert_eq!((items.len(), untouched.len()), (len, len));
            assert!(items.iter().chain(&*untouched).all(|item| *item == [0, 0]));
            items.iter_mut().for_each(|item| *item = [7, 9]);
            assert!(items.iter().all(|item| *item == [7, 9]));
        }
        assert!(Zeroed::<u64>::new(usize::MAX / 4).is_err(), "there is not that much memory");
    }

    #[test]
    fn prefetching_what_is_not_there_does_no_harm() {
        let items = [1u64, 2, 3];
        for at in [0, 2, 3, 1 << 40, usize::MAX / 8, usize::MAX] {
            prefetch(&items, at);
        }
        prefetch::<u64>(&[], 0);
        assert_eq!(items, [1, 2, 3]);
    }
}
