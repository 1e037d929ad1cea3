//! When a search gives up, and who is told how it gets on.

#![allow(unsafe_code, reason = "C gives pointers")]

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tilebase::Event;

use crate::cancel::Cancellation;
use crate::failure::Failure;
use crate::pointers::{Callback, In, WithSize};
use crate::registry;

/// How a search gets on.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Solutions of this many moves are being searched for; there is no shorter one.
    pub at_least: u32,
    /// Nodes generated so far.
    pub nodes: u64,
    /// Time since the start.
    pub seconds: f64,
}

/// Is told about ten times a second how a search gets on. It returns 0 to go on, or anything else to cancel the search.
///
/// It is called by any thread, one call at a time, and never after the call that it was given to has returned. It may call other
/// functions of tilebase. It has to return: no exception, and no longjmp.
pub type ProgressFn = Option<unsafe extern "C" fn(data: *mut c_void, progress: *const Progress) -> c_int>;

/// When a search gives up. Begin with tilebase_no_limits(): every member that is 0 or NULL is no limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// sizeof(tilebase_limits), which tilebase_no_limits() puts here.
    pub struct_size: usize,
    /// Give up after this many generated nodes.
    pub nodes: u64,
    /// Give up after this time.
    pub milliseconds: u64,
    /// Lets another thread cancel the search.
    pub cancellation: *const Cancellation,
    /// Is told how the search gets on, and may cancel it.
    pub progress: ProgressFn,
    /// What the progress function gets as its first argument.
    pub data: *mut c_void,
}

// SAFETY: it is `repr(C)`, its first member is a `usize`, and numbers, pointers and functions that may be missing may be 0.
unsafe impl WithSize for Limits {
    const INITIALISER: &'static str = "tilebase_no_limits";
}

/// The limits of one call, ready to be used.
#[derive(Default)]
pub(crate) struct Limited {
    pub(crate) limits: tilebase::Limits,
    cancellation: Option<Arc<Cancellation>>,
    callback: Option<Mutex<Callback>>,
    /// Whether the progress function has had enough: it is not called again.
    is_over: AtomicBool,
}

impl In<Limits> {
    pub(crate) fn limits(self) -> Result<Limited, Failure> {
        let Some(limits) = self.read_sized()? else { return Ok(Limited::default()) };
        // SAFETY: whoever made the `In` promised what the header says of the members, too.
        let callback = limits.progress.map(|function| unsafe { Callback::new(function, limits.data) });
        let given = |number: u64| (number != 0).then_some(number);
        Ok(Limited {
            limits: tilebase::Limits::default()
                .nodes(given(limits.nodes))
                .time(given(limits.milliseconds).map(Duration::from_millis)),
            cancellation: registry::get_if_there(limits.cancellation)?,
            callback: callback.map(Mutex::new),
            is_over: AtomicBool::new(false),
        })
    }
}

impl Limited {
    /// The watch of a search: whether it is to go on.
    pub(crate) fn follow(&self, event: &Event<'_>) -> ControlFlow<()> {
        if let (Event::Searching(searching), Some(callback)) = (event, &self.callback) {
            let progress = Progress {
                at_least: searching.bound,
                nodes: searching.generated,
                seconds: searching.time.as_secs_f64(),
            };
            let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.is_over() && callback.call(&progress) != 0 {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_over(&self) -> bool {
        let is_cancelled = self.cancellation.as_ref().is_some_and(|cancellation| cancellation.is_cancelled());
        is_cancelled || self.is_over.load(Ordering::Relaxed)
    }
}
