//! A way to stop work from another thread.

#![allow(unsafe_code, reason = "names are exported to C, which gives pointers")]

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Code, call};
use crate::pointers::Out;
use crate::registry::{self, Object};

/// A way to cancel work from another thread. It is put into tilebase_limits or tilebase_options; tilebase_cancel() then ends every call
/// that was given it, and those that are given it later. For other work make another one.
pub struct Cancellation(AtomicBool);

impl Object for Cancellation {
    const NAME: &'static str = "cancellation";
}

impl Cancellation {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Makes a cancellation, to be freed by tilebase_cancellation_free(). `*cancellation` is NULL unless TILEBASE_OK is returned.
///
/// Returns TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancellation_new(cancellation: *mut *mut Cancellation) -> Code {
    // SAFETY: C promises what the header says of this pointer.
    let cancellation = unsafe { Out::new(cancellation, "cancellation") };
    call(|| {
        let place = cancellation.place()?;
        place.write(std::ptr::null_mut());
        place.write(registry::insert(Cancellation(AtomicBool::new(false)))?);
        Ok(())
    })
}

/// Cancels: every call that was given the cancellation ends soon, and returns TILEBASE_CANCELLED. Any thread may call it, also from the
/// progress function. It takes a lock for a moment, so it is not for handlers of signals.
///
/// Returns TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_cancel(cancellation: *const Cancellation) -> Code {
    call(|| {
        registry::get(cancellation)?.0.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// Frees a cancellation. Calls that were given it go on, and cannot be cancelled by it any more. NULL is left alone.
///
/// Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_cancellation_free(cancellation: *mut Cancellation) -> Code {
    call(|| registry::remove(cancellation))
}
