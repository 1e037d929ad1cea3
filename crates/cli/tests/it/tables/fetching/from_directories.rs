//! Directories as sources, and as targets that are no good.

use super::{FILES, Server, TABLE, fetch, fetched, good, nibble, refused};
use crate::common::{Home, files, slashed};
use crate::tables::flip;
#[cfg(unix)]
use crate::tables::make_read_only;

/// A home with all files of the source in `source`, but for some.
fn with_source(without: &[&str]) -> Home {
    let home = Home::new();
    std::fs::create_dir(home.join("source")).unwrap();
    for (name, bytes) in FILES.iter().filter(|(name, _)| !without.iter().any(|end| name.ends_with(end))) {
        std::fs::write(home.join("source").join(name), bytes).unwrap();
    }
    home
}

#[test]
fn directories_are_sources_with_a_manifest_and_without_packed_and_not() {
    for without in [&[][..], &["manifest.jsonl"], &[".zst"], &[".nibble.tbl"], &["manifest.jsonl", ".zst"]] {
        let home = with_source(without);
        let before = files(&home.join("source"));
        let answer = fetched(&home, "source", &[]);
        let file = if without.contains(&".zst") { nibble() } else { format!("{}.zst", nibble()) };
        assert_eq!(slashed(answer["source"].as_str().unwrap()), format!("source/{file}"));
        assert_eq!(answer["fetched_bytes"], FILES[&file].len());
        assert_eq!(files(&home.join("source")), before);
    }
    let home = with_source(&[]);
    // An absolute path of Windows does not begin with a slash; in an address there is one before it.
    let slash = if cfg!(windows) { "/" } else { "" };
    let address = slashed(&format!("file://{slash}{}/s%6furce/", home.path().display()));
    fetched(&home, &address, &[]);
}

#[test]
fn what_is_wrong_in_a_directory_is_told() {
    let home = with_source(&["manifest.jsonl"]);
    refused(&home, "sauce", 2, "sauce is no directory: expected one with tables, or an address such as");
    let file = format!("source/{}.zst", nibble());
    refused(&home, &file, 2, "is no directory");
    flip(&home.join(&file), 9000);
    refused(&home, "source", 1, &format!("{file} does not give the table: its hashes do not match"));
    std::fs::remove_file(home.join(&file)).unwrap();
    flip(&home.join("source").join(nibble()), 5000);
    refused(&home, "source", 1, "nibble.tbl does not give the table: its hashes do not match");
    std::fs::remove_file(home.join("source").join(nibble())).unwrap();
    refused(&home, "source", 2, "source/ does not have 4x4-0-1.2.4.5.8.nibble.tbl, and no manifest.jsonl");
    std::fs::create_dir(home.join("source").join(nibble())).unwrap();
    refused(&home, "source", 2, "it is not an ordinary file");
    assert!(!home.join("t").exists());
}

#[test]
#[cfg(unix)]
fn a_directory_that_cannot_be_written_to_is_told_before_anything_comes() {
    let (home, server) = (Home::new(), Server::new(good));
    let target = home.join("t");
    std::fs::create_dir(&target).unwrap();
    if make_read_only(&target, true) {
        refused(&home, &server.address(), 2, "cannot write tables into t: Permission denied");
        assert_eq!(server.gets(), []);
    }
    make_read_only(&target, false);
    // What has the name of the part is none.
    let part = target.join(format!("{}.zst.part", nibble()));
    std::fs::create_dir(&part).unwrap();
    refused(&home, &server.address(), 2, ".zst.part is not an ordinary file: remove it");
    std::fs::remove_dir(&part).unwrap();
    std::os::unix::fs::symlink(home.join("elsewhere"), &part).unwrap();
    refused(&home, &server.address(), 2, "is not an ordinary file");
    assert!(!home.join("elsewhere").exists());
    std::fs::remove_file(&part).unwrap();
    std::fs::remove_dir(&target).unwrap();
    std::fs::write(&target, "notes").unwrap();
    refused(&home, &server.address(), 2, "cannot write tables into t: ");
}

#[test]
fn a_table_is_put_in_the_place_of_a_damaged_one_of_its_mirror_image() {
    let (home, server) = (Home::new(), Server::new(good));
    home.done(&["tables", "fetch", "5-5-5", "--from", &server.address(), "--out", "t"]);
    let file = home.join("t").join(format!("{TABLE}.bit.tbl"));
    flip(&file, 100);
    let ran = fetch(&home, &server.address(), &[]);
    assert_eq!(ran.code, 0, "another kind is wanted");
    home.says(&["tables", "fetch", "5-5-5", "--from", &server.address(), "--out", "t"], 0, "the header is damaged");
    assert!(std::fs::read(&file).unwrap() == FILES[&format!("{TABLE}.bit.tbl")]);
}
