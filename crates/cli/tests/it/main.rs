//! The command, run as a person would.

mod analysing;
mod anytime;
mod bad_input;
mod building;
mod census;
mod commands;
mod common;
// Examples are run by a shell.
#[cfg(unix)]
mod examples;
// Ctrl-C is sent by `kill`.
#[cfg(all(unix, feature = "lab", feature = "png"))]
mod lab;
// Ctrl-C is sent by `kill`.
#[cfg(unix)]
mod interrupting;
// Ctrl-C is sent by `kill`.
#[cfg(unix)]
mod keeping;
mod many_boards;
mod moves;
mod mtm;
mod packaging;
mod reading;
#[cfg(feature = "serve")]
mod serving;
// Streams are redirected by a shell.
#[cfg(unix)]
mod streams;
mod tables;
#[cfg(unix)]
mod threads;
mod trust;
// The umask and limits are set by a shell.
#[cfg(unix)]
mod written_files;
