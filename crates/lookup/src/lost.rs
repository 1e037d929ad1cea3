//! Files that are cut short while they are mapped: the program ends with a message that names the file.
//!
//! Maps are always listed here, but the handler of `SIGBUS` is installed only when the program asks for it
//! ([`install_truncation_handler`](crate::install_truncation_handler)): signals belong to the program, not to a library.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};

/// The most maps that are known at a time; a fault in another one ends the program as it would without the handler.
const MOST: usize = 256;

/// A map: where it starts, how long it is, and the path of its file. It starts at 0 where there is none.
struct Slot {
    start: AtomicUsize,
    len: AtomicUsize,
    path: AtomicPtr<libc::c_char>,
}

static SLOTS: [Slot; MOST] = [const {
    Slot { start: AtomicUsize::new(0), len: AtomicUsize::new(0), path: AtomicPtr::new(std::ptr::null_mut()) }
}; MOST];

const BEFORE: &[u8] = b"error: ";
const AFTER: &[u8] = b" was cut short while it was in use: copy or build the table again; there is no answer\n";

/// The exit code for an error of input or output.
const EXIT: libc::c_int = 2;

/// A map that is known while this lives.
#[derive(Debug)]
pub(crate) struct Known(Option<usize>);

pub(crate) fn know(path: &Path, map: &[u8]) -> Known {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return Known(None) };
    let free = SLOTS.iter().position(|slot| {
        slot.path
            .compare_exchange(std::ptr::null_mut(), path.as_ptr().cast_mut(), Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    });
    if let Some(number) = free {
        // It is given back when the map is forgotten.
        let _ = path.into_raw();
        SLOTS[number].len.store(map.len(), Ordering::Relaxed);
        SLOTS[number].start.store(map.as_ptr() as usize, Ordering::Release);
    }
    Known(free)
}

impl Drop for Known {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let Some(slot) = self.0.map(|number| &SLOTS[number]) else { return };
        slot.start.store(0, Ordering::Release);
        let path = slot.path.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: the pointer came from `CString::into_raw` in `know`, and was put into the slot once. A fault in the map cannot be
        // looking at it: whoever forgets a map does not read it any more.
        drop(unsafe { CString::from_raw(path) });
    }
}

/// What was done about faults before; Rust's own handler looks for stacks that are full.
static BEFORE_US: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs the handler, unless that has been done before.
pub(crate) fn install_once() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(install);
}

#[allow(unsafe_code)]
fn install() {
    // SAFETY: `sigaction` is given memory of its own type, all zeros of which are valid, and a handler of the type that `SA_SIGINFO`
    // asks for. The handler calls nothing but `write`, `sigaction` and `_exit`, which POSIX allows in handlers, and reads atomics.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut before) == 0 && BEFORE_US.set(before).is_ok() {
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = on_fault as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &raw const ours, std::ptr::null_mut());
        }
    }
}

/// Names the file in which memory was lost, and ends the program. A fault elsewhere is for whoever handled faults before.
#[allow(unsafe_code)]
extern "C" fn on_fault(_signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the system hands a handler that was installed with `SA_SIGINFO` a valid pointer.
    let address = unsafe { (*info).si_addr() } as usize;
    for slot in &SLOTS {
        let start = slot.start.load(Ordering::Acquire);
        if start == 0 || !(start..start + slot.len.load(Ordering::Relaxed)).contains(&address) {
            continue;
        }
        // SAFETY: the slot has a start, so its path is a text that ends with a zero and lives as long as the map, which is being
        // read. `write` and `_exit` take nothing else.
        unsafe {
            let path = slot.path.load(Ordering::Relaxed);
            libc::write(2, BEFORE.as_ptr().cast(), BEFORE.len());
            libc::write(2, path.cast(), libc::strlen(path));
            libc::write(2, AFTER.as_ptr().cast(), AFTER.len());
            libc::_exit(EXIT);
        }
    }
    if let Some(before) = BEFORE_US.get() {
        // SAFETY: as in `install`. The instruction is tried again, and faults again.
        unsafe { libc::sigaction(libc::SIGBUS, before, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loading, Store};
    use tilebase_puzzle::Catalogue;

    #[allow(unsafe_code)]
    fn handler() -> libc::sighandler_t {
        // SAFETY: as in `install`.
        unsafe {
            let mut now: libc::sigaction = std::mem::zeroed();
            assert_eq!(libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut now), 0);
            now.sa_sigaction
        }
    }

    /// No test of this crate installs it.
    #[test]
    #[allow(unsafe_code)]
    fn a_program_that_maps_a_table_keeps_its_own_handler() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
        let store = Store::new(vec![directory.clone()]).with_loading(Loading::Map);
        // SAFETY: nothing changes the files of the repository while they are tested.
        let store = unsafe { store.allow_mapping([directory]) };
        let pattern = Catalogue::known("6-6-3").unwrap().patterns()[0];
        let table = store.find_unverified(&pattern).unwrap().unwrap();
        assert!(matches!(table.bytes(), crate::Bytes::Mapped(_)));
        assert_ne!(handler(), on_fault as *const () as usize);
    }
}
