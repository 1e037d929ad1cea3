//! What the library says about itself.

#![allow(unsafe_code, reason = "names are exported to C")]

use std::ffi::c_char;

use crate::registry;

/// The version of the library, such as "0.2.0". It is never NULL, valid for ever, and not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// How many objects of all types there are in the process: solvers, solutions and cancellations that have not been freed. A program that
/// frees everything ends with 0; a leak checker sees nothing of what is left.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_living_objects() -> usize {
    registry::count()
}

/// Makes the process report tables that are cut short while they are mapped (map_tables): reading the lost part writes an error with the
/// file's name to stderr and ends the process with exit code 2, instead of the signal SIGBUS.
///
/// It installs a handler of SIGBUS for the whole process, which passes other faults on to the handler that was installed before. The library
/// never does that unasked. Call it once, after you have installed handlers of your own; later calls do nothing, nor do calls on
/// Windows, where a mapped file cannot be cut short.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_install_truncation_handler() {
    tilebase::lookup::install_truncation_handler();
}
