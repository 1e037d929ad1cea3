//! Zeroed memory of the allocator's, for programs that leave huge pages out.

use std::io;
use std::ops::{Deref, DerefMut};

/// What such memory can hold: numbers, and arrays of them.
pub trait Item: Zero + Send + Sync + 'static {}

impl<T: Zero + Send + Sync + 'static> Item for T {}

/// Nobody else implements it: with huge pages, what memory can hold is decided in another way.
pub trait Zero: Copy {
    /// The item that is all zeros.
    const ZERO: Self;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Zero for $number {
            const ZERO: $number = 0;
        })*
    };
}

numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: [T; N] = [T::ZERO; N];
}

/// Items that start as zeros.
#[derive(Debug)]
pub struct Zeroed<T> {
    items: Box<[T]>,
}

impl<T: Item> Zeroed<T> {
    /// This many items, all zero, if there is that much memory.
    pub fn new(len: usize) -> io::Result<Zeroed<T>> {
        let mut items = Vec::new();
        items.try_reserve_exact(len)?;
        items.resize(len, T::ZERO);
        Ok(Zeroed { items: items.into_boxed_slice() })
    }

    /// The same. With huge pages, memory would be taken only when an item is first written.
    pub fn untouched(len: usize) -> io::Result<Zeroed<T>> {
        Zeroed::new(len)
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
