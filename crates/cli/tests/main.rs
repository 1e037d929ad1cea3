//! The command, run as a person would.

mod bad_input;
mod building;
mod commands;
mod common;
// Ctrl-C is sent by `kill`.
#[cfg(all(unix, feature = "lab", feature = "png"))]
mod lab;
mod many_boards;
mod reading;
#[cfg(feature = "serve")]
mod serving;
mod tables;
mod trust;
