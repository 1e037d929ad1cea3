//! Tables as the library builds them in one process, and as they are in a directory.

use std::collections::BTreeMap;
use std::path::Path;

use tilebase::format::Header;
use tilebase::generate::{Build, Built, Memory};
use tilebase::index::Kind;
use tilebase::progress::unwatched;
use tilebase::puzzle::{Pattern, Square};
use tilebase::{find_catalogue, plan_builds};

/// Files by their names.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The tables of catalogues, built by one process.
pub(crate) fn of_catalogues(names: &[&str], kinds: &[Kind]) -> Files {
    let patterns: Vec<Pattern> = names.iter().flat_map(|name| find_catalogue(name).unwrap().patterns()).collect();
    plan_builds(&patterns, kinds).unwrap().iter().flat_map(of_build).collect()
}

/// The table of a pattern, built by one process, and its name.
pub(crate) fn of_pattern(size: &str, tiles: &str, kind: Kind) -> (String, Vec<u8>) {
    let tiles: Vec<u64> = tiles.split(',').map(|tile| tile.parse().unwrap()).collect();
    let pattern = Pattern::new(size.parse().unwrap(), Square(0), &tiles).unwrap();
    of_build(&Build::new(&pattern, &[kind]).unwrap()).remove(0)
}

fn of_build(build: &Build) -> Vec<(String, Vec<u8>)> {
    let named = |table: Built<_>| (Header::file_name_of(build.pattern(), table.header.kind()), table.into_bytes());
    build.run(2, &Memory, &unwatched).unwrap().into_iter().map(named).collect()
}

/// The names of all files in a directory, temporary ones included. A directory that is not there has none.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A directory must have these files and no others.
pub(crate) fn check(directory: &Path, expected: &Files, what: &str) {
    assert_eq!(names(directory), expected.keys().cloned().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in expected {
        // Not by assert_eq: nobody wants to read the bytes.
        assert!(std::fs::read(directory.join(name)).unwrap() == *bytes, "{what}: {name} is something else");
    }
}
