//! Tests that cannot run on this machine.

use std::fs::File;
use std::io::Write;

/// The file in which `scripts/check` collects what was skipped.
const LIST: &str = "CHECK_SKIPPED";

/// Reports that a test cannot run here, and what it needs. `scripts/check` lists these reports in its last lines.
///
/// # Panics
/// When the list cannot be written.
pub fn skip(needs: &str) {
    // Not by a macro, whose output is captured when a test passes.
    let _ = std::io::stderr().write_all(format!("skipped: {needs}\n").as_bytes());
    if let Some(list) = std::env::var_os(LIST) {
        let mut list = File::options().append(true).create(true).open(list).expect("scripts/check makes the list");
        // One write, so that lines of several tests do not mix.
        list.write_all(format!("tests: {needs}\n").as_bytes()).expect("the list can be written");
    }
}
