//! Servers that do what they should, and those that can do little.

use std::path::Path;

use super::{Asked, FILES, Reply, Server, TABLE, fetch, fetched, files_in, good, nibble, refused};
use crate::common::{Home, files, keys, slashed};
use crate::tables::{BOARD, flip};

#[test]
fn the_tables_of_a_catalogue_are_fetched_and_used() {
    let (home, server) = (Home::new(), Server::new(good));
    let ran = home.done(&["tables", "fetch", "5-5-5", "--from", &server.address(), "--json"]);
    assert_eq!(ran.stderr, "", "off a terminal there is no progress");
    let tables = home.join(".cache/tilebase");
    let answers = ran.json_lines();
    assert_eq!((answers.len(), files(&tables).len()), (3, 3));
    for answer in answers {
        let expected = "file bytes hash source fetched_bytes resumed_from already_there seconds";
        assert_eq!(keys(&answer), expected);
        let file = answer["file"].as_str().unwrap();
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        assert!(name.ends_with(".bit.tbl"), "the source has bit tables, which are stronger: {name}");
        assert!(std::fs::read(file).unwrap() == FILES[name], "{name}");
        assert_eq!(answer["source"], format!("{}{name}", server.address()));
        assert_eq!(
            (&answer["fetched_bytes"], &answer["bytes"]),
            (&FILES[name].len().into(), &FILES[name].len().into())
        );
        assert_eq!((&answer["resumed_from"], &answer["already_there"]), (&0.into(), &false.into()));
        let info = home.done(&["tables", "info", "--json", file]).json();
        assert_eq!(info["hash"], answer["hash"]);
    }
    assert!(server.asked().iter().all(|asked| asked.headers["user-agent"].starts_with("tilebase/")));
    let solved = home.done(&["solve", "--json", "--tables", "5-5-5", BOARD]).json();
    assert_eq!((&solved["length"], &solved["tables"]), (&2.into(), &"5-5-5".into()));
}

#[test]
fn what_is_there_is_not_fetched_and_nobody_is_asked() {
    let (home, server) = (Home::new(), Server::new(good));
    let from = server.address();
    home.done(&["tables", "fetch", "5-5-5", "--from", &from, "--out", "t"]);
    let asked = server.asked().len();
    let again = home.done(&["tables", "fetch", "5-5-5", "--from", &from, "--out", "t", "--json"]);
    assert!(again.json_lines().iter().all(|line| line["already_there"] == true && line["fetched_bytes"] == 0));
    assert_eq!((again.json_lines().len(), server.asked().len()), (3, asked));
    let forced = home.done(&["tables", "fetch", "5-5-5", "--from", &from, "--out", "t", "--json", "--force"]);
    assert!(forced.json_lines().iter().all(|line| line["already_there"] == false), "{}", forced.stdout);
    // A damaged one is fetched again.
    let table = format!("t/{TABLE}.bit.tbl");
    flip(&home.join(&table), 5000);
    let mended = home.says(&["tables", "fetch", "5-5-5", "--from", &from, "--out", "t"], 0, "damaged in block 0");
    assert!(mended.stderr.contains("; it is fetched again"), "{}", mended.stderr);
    assert_eq!(mended.stdout.matches(": already there").count(), 2, "{}", mended.stdout);
    assert!(std::fs::read(home.join(&table)).unwrap() == FILES[&format!("{TABLE}.bit.tbl")]);
}

#[test]
fn packed_tables_come_packed_and_are_unpacked() {
    let (home, server) = (Home::new(), Server::new(good));
    let ran = home.done(&[
        "tables",
        "fetch",
        "5-5-5",
        "--encoding",
        "nibble",
        "--from",
        &server.address(),
        "--out",
        "t",
        "--json",
    ]);
    for answer in ran.json_lines() {
        let source = answer["source"].as_str().unwrap();
        let file = source.strip_prefix(&server.address()).unwrap();
        assert!(file.ends_with(".nibble.tbl.zst"), "{source}");
        assert_eq!(answer["fetched_bytes"], FILES[file].len());
        let name = file.trim_end_matches(".zst");
        assert!(std::fs::read(home.join("t").join(name)).unwrap() == FILES[name], "{name}");
    }
    assert_eq!(files(&home.join("t")).len(), 3, "nothing else is left");
}

#[test]
fn a_dry_run_tells_what_would_come_and_brings_nothing() {
    let (home, server) = (Home::new(), Server::new(good));
    let arguments = ["tables", "fetch", "5-5-5", "--from", &server.address(), "--out", "t", "--dry-run"];
    let ran = home.done(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ran.json_lines().len(), 3);
    for answer in ran.json_lines() {
        assert_eq!(keys(&answer), "file bytes hash source source_bytes resumed_from to_fetch already_there");
        assert_eq!((&answer["to_fetch"], &answer["source_bytes"]), (&113_388.into(), &113_388.into()));
    }
    let ran = home.says(&arguments, 0, "340.2 kB to fetch, 340.2 kB on disk");
    let expected = format!("t/{TABLE}.bit.tbl: 113.4 kB from {}", server.address());
    assert!(slashed(&ran.stdout).contains(&expected), "{}", ran.stdout);
    assert!(files(home.path()).is_empty(), "{:?}", files(home.path()));
    assert_eq!(server.gets(), [], "only heads were asked for");
}

#[test]
fn a_server_without_a_manifest_is_asked_for_the_names_that_the_program_knows() {
    let (home, server) =
        (Home::new(), Server::new(|asked| if asked.file == "manifest.jsonl" { Reply::missing() } else { good(asked) }));
    fetched(&home, &server.address(), &[]);
    let missing =
        home.says(&["tables", "fetch", "7-8", "--from", &server.address()], 2, "does not have 4x4-0-1.4.5.8.9.12.13");
    assert!(missing.stderr.contains("and no manifest.jsonl that would say what it has"), "{}", missing.stderr);
}

#[test]
fn what_the_source_does_not_have_is_told_with_what_it_has() {
    let (home, server) = (Home::new(), Server::new(good));
    let names = ["tables", "fetch", "5-5-5", "7-8", "--from", &server.address(), "--out", "t"];
    let ran = home.says(&names, 2, "does not have 4x4-0-1.4.5.8.9.12.13.bit.tbl (or .nibble.tbl), 4x4-0-2.3.6.7");
    assert!(ran.stderr.contains("; its manifest lists the tables of 5-5-5\n"), "{}", ran.stderr);
    assert_eq!(
        (ran.stdout.as_str(), files_in(&home.join("t")).len()),
        ("", 0),
        "nothing is begun that cannot be finished"
    );
}

#[test]
fn servers_that_do_not_know_head_tell_no_lengths_or_say_forbidden_will_do() {
    let cases: [fn(&Asked) -> Reply; 5] = [
        |asked| if asked.is_head() { Reply::new(405, b"") } else { good(asked) },
        |asked| if asked.is_head() { Reply::new(501, b"") } else { good(asked) },
        |asked| good(asked).without_length(),
        |asked| good(asked).without_length().without("ETag"),
        // As buckets say of what is not there.
        |asked| if FILES.contains_key(&asked.file) { good(asked) } else { Reply::new(403, b"") },
    ];
    for reply in cases {
        let (home, server) = (Home::new(), Server::new(reply));
        fetched(&home, &server.address(), &[]);
        let dry = home.done(&["tables", "fetch", "5-5-5", "--from", &server.address(), "--dry-run", "--json"]);
        assert_eq!(dry.json_lines().len(), 3);
    }
}

#[test]
fn names_that_mean_no_table_are_refused_before_anybody_is_asked() {
    let (home, server) = (Home::new(), Server::new(good));
    for (name, words) in [
        ("7-9", "\"7-9\" is not a known catalogue"),
        ("4x4-0-2.1.bit.tbl", "is not the name of a table: expected such as 4x4-0-1.2.4.5.8.nibble.tbl"),
        ("../../x.tbl.zst", "is not the name of a table"),
        (".AB/CD", ""),
    ] {
        home.says(&["tables", "fetch", name, "--from", &server.address()], 2, words);
    }
    assert_eq!(server.asked(), []);
    for from in ["ftp://example.org/", "http://", "file://there"] {
        refused(&home, from, 2, "is no place to fetch tables from: expected an address such as");
    }
    let ran = fetch(&home, &server.address(), &["--timeout", "0"]);
    assert!(ran.code == 2 && ran.stderr.contains("expected more than 0"), "{}", ran.stderr);
    assert!(files_in(&home.join("t")).is_empty());
}

#[test]
fn tables_that_the_program_does_not_know_come_only_from_a_source_that_is_trusted() {
    let (home, tables) = crate::tables::with_small_tables();
    let server = Server::new(move |asked| {
        std::fs::read(tables.join(&asked.file))
            .map_or_else(|_| Reply::missing(), |bytes| Reply::file(asked, &bytes, "\"1\""))
    });
    let (from, drawing) = (server.address(), crate::tables::SMALL);
    let arguments = ["tables", "fetch", drawing, "--from", &from, "--out", "new"];
    let ran = home.says(
        &arguments,
        2,
        "this program does not know what 3x3-0-1.3.4.6.bit.tbl (or .nibble.tbl), 3x3-0-2.5.7.8",
    );
    assert!(ran.stderr.contains("--trust-source takes what the source sends"), "{}", ran.stderr);
    assert!(server.asked().is_empty() && files_in(&home.join("new")).is_empty());
    home.done(&[&arguments[..], &["--trust-source"]].concat());
    assert_eq!(files(&home.join("new")), crate::tables::NAMES.map(|name| format!("{name}.bit.tbl")));
    home.done(&["tables", "audit", "--table-dir", "new", drawing]);
    // A table that is damaged is refused, trust or not.
    flip(&home.join("t/3x3-0-2.5.7.8.nibble.tbl"), 4100);
    let ran = home.says(
        &["tables", "fetch", drawing, "--encoding", "nibble", "--from", &from, "--out", "new", "--trust-source"],
        1,
        "3x3-0-2.5.7.8.nibble.tbl does not give the table: its hashes do not match",
    );
    assert_eq!((ran.stdout.lines().count(), files(&home.join("new")).len()), (1, 3), "the first one is there");
}

#[test]
fn what_no_disk_has_room_for_is_refused_at_once() {
    let name = "5x5-0-1.2.3.4.5.6.7.8.9.10.11.12.bit.tbl";
    let server = Server::new(|asked| if asked.file == "manifest.jsonl" { Reply::missing() } else { Reply::whole(b"") });
    let home = Home::new();
    let arguments = ["tables", "fetch", name, "--trust-source", "--from", &server.address(), "--out", "t"];
    if cfg!(unix) {
        home.says(&arguments, 2, "are free: choose another directory with --out");
        home.says(&[&arguments[..], &["--dry-run"]].concat(), 2, "the tables need 1");
        assert!(server.gets().is_empty() && files(home.path()).is_empty());
    }
}

#[test]
fn a_single_table_can_be_asked_for_by_its_packed_name() {
    let (home, server) = (Home::new(), Server::new(good));
    let name = format!("{}.zst", nibble());
    home.done(&["tables", "fetch", &name, "--from", &server.address(), "--out", "t"]);
    assert_eq!(files(&home.join("t")), [nibble()]);
}
