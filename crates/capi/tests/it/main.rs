//! The interface as C sees it.

mod face;
mod garbage;
mod header;
#[cfg(unix)]
mod programs;
mod solvers;
