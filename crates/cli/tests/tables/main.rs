//! The commands about tables: what is there, what it holds, shipping it, and many processes at once.

mod at_once;
#[path = "../common/mod.rs"]
mod common;
mod counting;
mod listing;
#[cfg(feature = "png")]
mod pictures;
mod pruning;
mod shipping;

use std::path::{Path, PathBuf};

use common::{Home, Ran};
use serde_json::Value;

/// Two patterns of the 8-puzzle.
const SMALL: &str = ".AB/AAB/ABB";
const NAMES: [&str; 2] = ["3x3-0-1.3.4.6", "3x3-0-2.5.7.8"];
const BOARD: &str = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12";

fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    files
}

fn flip(file: &Path, byte: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[byte] ^= 4;
    std::fs::write(file, bytes).unwrap();
}

fn json_lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// Runs a command that must end well.
fn done(home: &Home, arguments: &[&str]) -> Ran {
    let ran = home.run(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

/// A home with the tables of the two small patterns in `t`, of both kinds.
fn with_small_tables() -> (Home, PathBuf) {
    let home = Home::new();
    done(&home, &["generate", "--quiet", "--encoding", "both", "--table-dir", "t", SMALL]);
    let tables = home.path().join("t");
    (home, tables)
}

/// A home with the packed nibble tables of 5-5-5 in `t`, and nothing else there.
fn with_packed_5_5_5() -> (Home, PathBuf, Vec<String>) {
    let home = Home::new();
    done(&home, &["generate", "--quiet", "--encoding", "nibble", "--out", "made", "5-5-5"]);
    let names = files(&home.path().join("made"));
    assert_eq!(names.len(), 3);
    let made: Vec<String> = names.iter().map(|name| format!("made/{name}")).collect();
    let mut arguments = vec!["tables", "pack", "--level", "1", "--out", "t"];
    arguments.extend(made.iter().map(String::as_str));
    done(&home, &arguments);
    let tables = home.path().join("t");
    (home, tables, names)
}

/// Takes the right to write into a directory. False when that does not keep us from it: we are the administrator.
#[cfg(unix)]
fn make_read_only(directory: &Path, read_only: bool) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let mode = if read_only { 0o555 } else { 0o755 };
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(mode)).unwrap();
    let probe = directory.join("probe");
    let written = std::fs::write(&probe, "").is_ok();
    let _ = std::fs::remove_file(probe);
    read_only && !written
}
