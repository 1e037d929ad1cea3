//! The pointers that C gives, and everything unsafe that is done with them. What can be told of a pointer is: that it is null, or not
//! aligned. Whether there is memory behind it nobody can tell; the header says what has to be there, and whoever makes one of the
//! types here promises it.

#![allow(unsafe_code, reason = "C gives pointers")]

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::failure::{Code, Failure};
use crate::limits::Progress;

/// Whether a pointer can be one to a `T`: null is not, nor is an address that no `T` has.
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(Code::NULL_POINTER, format!("{name} is NULL: expected a pointer")));
    }
    if !pointer.is_aligned() {
        let expected = align_of::<T>();
        let text = format!("{name} is {pointer:?}: expected an address that can be divided by {expected}");
        return Err(Failure::new(Code::BAD_ARGUMENT, text));
    }
    Ok(())
}

/// A pointer to a value that C lets us read.
#[derive(Clone, Copy)]
pub(crate) struct In<T> {
    pointer: *const T,
    name: &'static str,
}

impl<T: Copy> In<T> {
    /// # Safety
    /// The pointer is null, or not aligned, or points to a `T` as long as the `In` is used. `T` is a struct that C knows.
    pub(crate) unsafe fn new(pointer: *const T, name: &'static str) -> In<T> {
        In { pointer, name }
    }

    pub(crate) fn read(self) -> Result<T, Failure> {
        check(self.pointer, self.name)?;
        // SAFETY: it is neither null nor unaligned, so by the promise of `new` there is a value.
        Ok(unsafe { self.pointer.read() })
    }
}

/// A struct of options, whose first member says how many bytes it has: programs may have been compiled with an older or newer
/// header than the library.
///
/// # Safety
/// `T` is a struct that C knows, its first member is a `usize`, and all its bytes may be 0.
pub(crate) unsafe trait WithSize: Copy {
    /// How one that says nothing is made, for messages.
    const INITIALISER: &'static str;
}

/// No struct will ever have more bytes.
const LARGEST: usize = 4096;

impl<T: WithSize> In<T> {
    /// The struct; nothing when the pointer is null. One of a newer header may have more members, if they are 0, which means that
    /// nothing is asked of them.
    pub(crate) fn read_sized(self) -> Result<Option<T>, Failure> {
        let In { pointer, name } = self;
        if pointer.is_null() {
            return Ok(None);
        }
        check(pointer, name)?;
        // SAFETY: by the promise of `new` there is a `T`, which begins with a `usize`.
        let found = unsafe { pointer.cast::<usize>().read() };
        let expected = size_of::<T>();
        if !(expected..=LARGEST).contains(&found) {
            let initialiser = T::INITIALISER;
            let text = format!("{name}->struct_size is {found}: expected {expected}; begin with {initialiser}()");
            return Err(Failure::new(Code::BAD_ARGUMENT, text));
        }
        // SAFETY: C says that the struct has this many bytes, and the first of them are a `T`.
        let (known, more) = unsafe {
            let more = std::slice::from_raw_parts(pointer.cast::<u8>().add(expected), found - expected);
            (pointer.read(), more)
        };
        if more.iter().any(|&byte| byte != 0) {
            let text = format!("{name} asks for what this library is too old for: use the header that it came with");
            return Err(Failure::new(Code::BAD_ARGUMENT, text));
        }
        Ok(Some(known))
    }
}

/// A pointer to an array that C lets us read.
#[derive(Clone, Copy)]
pub(crate) struct Array<T> {
    pointer: *const T,
    count: usize,
    name: &'static str,
}

impl<T: Copy> Array<T> {
    /// # Safety
    /// The pointer is null, or not aligned, or points to `count` values of `T` as long as the `Array` is used.
    pub(crate) unsafe fn new(pointer: *const T, count: usize, name: &'static str) -> Array<T> {
        Array { pointer, count, name }
    }

    /// All values, if there are as many as `expected`; otherwise none is looked at.
    pub(crate) fn read(&self, expected: usize) -> Result<&[T], Failure> {
        check(self.pointer, self.name)?;
        if self.count != expected {
            let Array { count, name, .. } = self;
            return Err(Failure::new(Code::BAD_SIZE, format!("{name} has {count} values: expected {expected}")));
        }
        // SAFETY: it is neither null nor unaligned, so by the promise of `new` there are as many values.
        Ok(unsafe { std::slice::from_raw_parts(self.pointer, self.count) })
    }
}

/// A pointer to a text that ends with a zero.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pointer: *const c_char,
    name: &'static str,
}

impl Text {
    /// # Safety
    /// The pointer is null, or points to bytes that end with a zero, and stay as they are as long as the `Text` is used.
    pub(crate) unsafe fn new(pointer: *const c_char, name: &'static str) -> Text {
        Text { pointer, name }
    }

    pub(crate) fn read(&self) -> Result<&str, Failure> {
        check(self.pointer, self.name)?;
        // SAFETY: it is not null, so by the promise of `new` there are bytes that end with a zero.
        let text = unsafe { CStr::from_ptr(self.pointer) };
        text.to_str().map_err(|error| {
            let text = format!("{} is not UTF-8: {error}; expected a text in UTF-8", self.name);
            Failure::new(Code::BAD_TEXT, text)
        })
    }

    /// The text; nothing when the pointer is null.
    pub(crate) fn read_if_there(&self) -> Result<Option<&str>, Failure> {
        if self.pointer.is_null() { Ok(None) } else { self.read().map(Some) }
    }
}

/// A pointer to where C wants an answer.
#[derive(Clone, Copy)]
pub(crate) struct Out<T> {
    pointer: *mut T,
    name: &'static str,
}

impl<T: Copy> Out<T> {
    /// # Safety
    /// The pointer is null, or not aligned, or a `T` may be written there as long as the `Out` is used.
    pub(crate) unsafe fn new(pointer: *mut T, name: &'static str) -> Out<T> {
        Out { pointer, name }
    }

    /// The place for the answer, looked at before there is one: nobody should wait for what cannot be handed over.
    pub(crate) fn place(self) -> Result<Place<T>, Failure> {
        check(self.pointer, self.name).map(|()| Place(self.pointer))
    }

    /// The same; nothing when C does not want the answer.
    pub(crate) fn place_if_wanted(self) -> Result<Option<Place<T>>, Failure> {
        if self.pointer.is_null() { Ok(None) } else { self.place().map(Some) }
    }
}

/// Where an answer goes.
#[derive(Clone, Copy)]
pub(crate) struct Place<T>(*mut T);

impl<T: Copy> Place<T> {
    pub(crate) fn write(self, answer: T) {
        // SAFETY: the `Out` that it came from was neither null nor unaligned, so by the promise of `Out::new` there is room.
        unsafe { self.0.write(answer) }
    }
}

/// A buffer of C, and where it wants to know how large it has to be.
#[derive(Clone, Copy)]
pub(crate) struct Buffer<T> {
    pointer: *mut T,
    capacity: usize,
    needed: Out<usize>,
}

impl<T: Copy> Buffer<T> {
    /// # Safety
    /// `pointer` is null, or not aligned, or `capacity` values of `T` may be written there as long as the `Buffer` is used; and a
    /// number to `needed`, unless it is null or not aligned.
    pub(crate) unsafe fn new(pointer: *mut T, capacity: usize, needed: *mut usize) -> Buffer<T> {
        // SAFETY: it is what is asked of the caller.
        Buffer { pointer, capacity, needed: unsafe { Out::new(needed, "needed") } }
    }

    /// Writes the values if there is room for all of them, and says how many there are in any case.
    pub(crate) fn fill(self, values: &[T]) -> Result<(), Failure> {
        let Buffer { pointer, capacity, needed } = self;
        let needed = needed.place_if_wanted()?;
        if capacity > 0 {
            check(pointer, "buffer")?;
        }
        if let Some(needed) = needed {
            needed.write(values.len());
        }
        if values.len() > capacity {
            let text = format!("the buffer has room for {capacity}: expected room for {}", values.len());
            return Err(Failure::new(Code::SMALL_BUFFER, text));
        }
        if !values.is_empty() {
            // SAFETY: there is something to write, so the capacity is not 0, and the pointer was looked at: by the promise of `new`
            // there is room for as many values. They are ours, so that nothing overlaps.
            unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), pointer, values.len()) };
        }
        Ok(())
    }
}

impl Buffer<c_char> {
    /// Writes a text with a zero at its end.
    pub(crate) fn fill_text(self, text: &str) -> Result<(), Failure> {
        let zero_terminated: Vec<c_char> = text.bytes().chain([0]).map(|byte| byte as c_char).collect();
        self.fill(&zero_terminated)
    }
}

/// A function of C that is told how work gets on.
pub(crate) struct Callback {
    function: unsafe extern "C" fn(data: *mut c_void, progress: *const Progress) -> c_int,
    data: *mut c_void,
}

// SAFETY: whoever makes one promises that it can be called from any thread.
unsafe impl Send for Callback {}

impl Callback {
    /// # Safety
    /// As long as the `Callback` lives the function can be called with `data` from any thread, one call at a time, and returns.
    pub(crate) unsafe fn new(
        function: unsafe extern "C" fn(data: *mut c_void, progress: *const Progress) -> c_int,
        data: *mut c_void,
    ) -> Callback {
        Callback { function, data }
    }

    /// What the function returns. Needs the only reference there is, so that no two calls are made at a time.
    pub(crate) fn call(&mut self, progress: &Progress) -> c_int {
        // SAFETY: by the promise of `new`.
        unsafe { (self.function)(self.data, progress) }
    }
}

#[cfg(test)]
mod tests;
