//! The commands about tables: what is there, what it holds, shipping it, and many processes at once.

mod at_once;
mod by_name;
mod counting;
#[cfg(feature = "fetch")]
mod fetching;
mod listing;
#[cfg(feature = "png")]
mod pictures;
mod pruning;
mod rating;
mod shipping;

use std::path::{Path, PathBuf};

use crate::common::{Home, files};

/// Two patterns of the 8-puzzle.
const SMALL: &str = ".AB/AAB/ABB";
const NAMES: [&str; 2] = ["3x3-0-1.3.4.6", "3x3-0-2.5.7.8"];
const BOARD: &str = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12";

fn flip(file: &Path, byte: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[byte] ^= 4;
    std::fs::write(file, bytes).unwrap();
}

/// Packs tables, fast.
fn pack(home: &Home, arguments: &[&str]) {
    home.done(&[&["tables", "pack", "--level", "1"], arguments].concat());
}

/// A home with the tables of the two small patterns in `t`, of both kinds.
fn with_small_tables() -> (Home, PathBuf) {
    let home = Home::new();
    home.done(&["generate", "--quiet", "--encoding", "both", "--table-dir", "t", SMALL]);
    let tables = home.join("t");
    (home, tables)
}

/// A home with the packed nibble tables of 5-5-5 in `t`, and nothing else there.
fn with_packed_5_5_5() -> (Home, PathBuf, Vec<String>) {
    let home = Home::new();
    home.done(&["generate", "--quiet", "--encoding", "nibble", "--out", "made", "5-5-5"]);
    let names = files(&home.join("made"));
    assert_eq!(names.len(), 3);
    let made: Vec<String> = names.iter().map(|name| format!("made/{name}")).collect();
    pack(&home, &["--out", "t"].into_iter().chain(made.iter().map(String::as_str)).collect::<Vec<_>>());
    let tables = home.join("t");
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
