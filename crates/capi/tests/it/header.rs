//! The header is what cbindgen makes of the sources, and the README speaks of every function in it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Set to any value, this writes the header anew.
const RENEW: &str = "TILEBASE_RENEW_HEADER";

/// The modules that export something, in the order of the header.
const SOURCES: [&str; 9] = ["failure", "board", "options", "solver", "limits", "search", "solution", "cancel", "about"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header_path() -> PathBuf {
    root().join("include/tilebase.h")
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let sources = SOURCES.map(|name| root().join("src").join(name).with_extension("rs"));
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| {
        assert!(source.is_file(), "{}", source.display());
        builder.with_src(source)
    });
    let mut header = Vec::new();
    builder.generate().expect("the sources can be read").write(&mut header);
    String::from_utf8(header).expect("the header is text")
}

/// The names of the functions in the header, but for those that it defines itself.
pub(crate) fn functions(header: &str) -> Vec<&str> {
    let declarations = header.lines().filter(|line| !line.starts_with([' ', '/', '#']) && !line.starts_with("static"));
    let before_arguments = declarations.filter_map(|line| line.split('(').next().filter(|before| *before != line));
    before_arguments.filter_map(|before| before.rsplit([' ', '*']).next()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_header_is_what_cbindgen_makes_of_the_sources() {
    let generated = generated();
    if std::env::var_os(RENEW).is_some() {
        std::fs::write(header_path(), &generated).unwrap();
    }
    let committed = std::fs::read_to_string(header_path()).unwrap_or_default();
    let same_lines =
        committed.lines().zip(generated.lines()).take_while(|(committed, generated)| committed == generated);
    assert!(
        committed == generated,
        "include/tilebase.h is not what the sources say, from line {} on: {RENEW}=1 cargo test -p tilebase-capi header \
         writes it anew",
        same_lines.count() + 1
    );
}

#[test]
fn the_readme_and_the_test_of_misuse_speak_of_every_function() {
    let header = std::fs::read_to_string(header_path()).unwrap();
    let functions = functions(&header);
    assert!(functions.contains(&"tilebase_solve") && functions.contains(&"tilebase_version"), "{functions:?}");
    assert!(functions.len() >= 21, "{functions:?}");
    let words = |text: &'static str| text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let [readme, misuse]: [HashSet<&str>; 2] = [include_str!("../../README.md"), include_str!("misuse.c")].map(words);
    for name in functions {
        assert!(readme.contains(name), "README.md has nothing about {name}");
        assert!(misuse.contains(name), "{name} is not misused");
    }
}
