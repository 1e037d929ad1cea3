//! `tables fetch`: from servers that behave well and badly, from directories, and through proxies.

mod breaking_off;
mod from_directories;
mod lying;
mod secure;
mod server;
mod through;
mod well;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tilebase::find_catalogue;
use tilebase::format::Header;
use tilebase::generate::{Build, Memory};
use tilebase::index::Kind;

use crate::common::{Home, Ran, files, slashed};
use server::{Asked, Reply, Server};

/// The files of a source by their names: of 5-5-5 bit tables, nibble tables, packed nibble tables, and a manifest of all.
static FILES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let mut files = BTreeMap::new();
    let mut manifest = String::new();
    for pattern in find_catalogue("5-5-5").unwrap().patterns() {
        let tables = Build::new(&pattern, &[Kind::Bit, Kind::Nibble]).unwrap().run(1, &Memory, &tilebase::unwatched);
        for table in tables.unwrap() {
            let header = table.header.clone();
            let bytes = table.into_bytes();
            manifest += &json!({ "file": header.file_name(), "hash": header.hash_text() }).to_string();
            manifest += "\n";
            if header.kind() == Kind::Nibble {
                files.insert(format!("{}.zst", header.file_name()), packed(&header, &bytes));
            }
            files.insert(header.file_name(), bytes);
        }
    }
    files.insert("manifest.jsonl".to_owned(), manifest.into_bytes());
    files
});

/// The bytes of a packed table, made fast.
fn packed(header: &Header, bytes: &[u8]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let packed = tilebase::format::pack(directory.path(), header, bytes, 1, 1, &tilebase::unwatched).unwrap();
    std::fs::read(packed.path).unwrap()
}

/// An address where nobody is.
const NOBODY: &str = "http://127.0.0.1:1/";

/// One of the tables.
const TABLE: &str = "4x4-0-1.2.4.5.8";

/// The name of its file.
fn nibble() -> String {
    format!("{TABLE}.nibble.tbl")
}

/// A file of a good source.
fn good(asked: &Asked) -> Reply {
    FILES.get(&asked.file).map_or_else(Reply::missing, |bytes| Reply::file(asked, bytes, "\"1\""))
}

/// Fetches the nibble table, packed or not as the server has it, into `t`, with few tries and little patience.
fn fetch(home: &Home, from: &str, more: &[&str]) -> Ran {
    let name = nibble();
    let retries = if more.contains(&"--retries") { &[][..] } else { &["--retries", "1"] };
    home.run(&[&["tables", "fetch", &name, "--from", from, "--out", "t", "--json"], retries, more].concat())
}

/// The same, which must succeed: what was told of the table, which must be the right one, and the only file.
fn fetched(home: &Home, from: &str, more: &[&str]) -> Value {
    let ran = fetch(home, from, more);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(files(&home.join("t")), [nibble()]);
    assert!(std::fs::read(home.join("t").join(nibble())).unwrap() == FILES[&nibble()]);
    ran.json()
}

/// The same, which must fail with a code and say something.
fn refused(home: &Home, from: &str, code: i32, words: &str) -> Ran {
    let ran = fetch(home, from, &[]);
    assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
    assert!(slashed(&ran.stderr).contains(&slashed(words)), "expected {words:?}: {}", ran.stderr);
    assert_eq!(ran.json()["error"].as_str().map(|error| ran.stderr.contains(error)), Some(true), "{}", ran.stdout);
    ran
}

/// The files in a directory, none if it is not there.
fn files_in(directory: &Path) -> Vec<String> {
    if directory.exists() { files(directory) } else { Vec::new() }
}
