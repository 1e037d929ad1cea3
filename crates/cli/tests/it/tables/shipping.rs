//! `tables pack`, `tables unpack`, and tables that `solve` unpacks.

use tilebase::format::Header;
use tilebase::lookup::Table;

#[cfg(unix)]
use super::make_read_only;
use super::{BOARD, NAMES, flip, pack, with_packed_5_5_5, with_small_tables};
#[cfg(unix)]
use crate::common::interrupt;
use crate::common::{Home, files, slashed};

#[test]
#[cfg(unix)]
fn a_pipe_with_the_name_of_a_leftover_stops_nobody() {
    let (home, tables) = with_small_tables();
    let pipe = tables.join(".tilebase-x.tmp");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    pack(&home, &[&format!("t/{}.bit.tbl", NAMES[0])]);
}

#[test]
#[cfg(unix)]
fn interrupted_packing_ends_at_once_and_leaves_nothing() {
    let home = Home::new();
    home.done(&["generate", "--quiet", "--encoding", "nibble", "--out", "t", "6-6-3"]);
    let arguments = ["tables", "pack", "--level", "22", "--out", "p", "t/4x4-0-1.2.4.5.8.9.nibble.tbl"];
    let child = home.start(&arguments);
    let packed = home.join("p");
    while !packed.is_dir() || files(&packed).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(interrupt(child).code, 130);
    assert!(files(&packed).is_empty(), "{:?}", files(&packed));
}

#[test]
fn tables_are_the_same_after_packing_and_unpacking() {
    let (home, tables) = with_small_tables();
    let names = files(&tables);
    for name in &names {
        let ran = home.done(&["tables", "pack", "--json", "--out", "p/q", &format!("t/{name}")]);
        let packed = &ran.json_lines()[0];
        let header = Table::read_unverified(&tables.join(name)).unwrap().header().clone();
        let file = home.join(packed["packed"].as_str().unwrap());
        assert_eq!((&packed["file"], &packed["hash"]), (&header.file_name().into(), &header.hash_text().into()));
        assert_eq!(packed["packed_bytes"], std::fs::metadata(file).unwrap().len());
        assert_eq!((packed["bytes"].as_u64(), packed["level"].as_i64()), (Some(header.file_len()), Some(19)));
    }
    let packed: Vec<String> = names.iter().map(|name| format!("p/q/{name}.zst")).collect();
    let packed: Vec<&str> = packed.iter().map(String::as_str).collect();
    let verified = home.done(&[&["tables", "verify"], &packed[..]].concat());
    assert_eq!(verified.stdout.matches(": whole").count(), 4);
    let unpack = |more: &[&str]| home.run(&[&["tables", "unpack", "--json", "--table-dir", "u"], more].concat());
    let ran = unpack(&packed);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 4), "{}", ran.stderr);
    assert!(ran.json_lines().iter().all(|line| line["already_there"] == false));
    for name in &names {
        let unpacked = std::fs::read(home.join("u").join(name)).unwrap();
        assert!(unpacked == std::fs::read(tables.join(name)).unwrap(), "{name}");
    }
    assert_eq!(files(&home.join("u")), names);
    let ran = unpack(&packed);
    assert!(ran.code == 0 && ran.json_lines().iter().all(|line| line["already_there"] == true), "{}", ran.stdout);
    let ran = home.run(&["tables", "unpack", "--out", "u", packed[0]]);
    assert_eq!((ran.code, slashed(&ran.stdout)), (0, format!("u/{}: already there\n", names[0])));
}

#[test]
fn what_is_there_is_replaced_only_when_asked() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.nibble.tbl", NAMES[0]);
    let (table, packed) = (format!("t/{name}"), format!("t/{name}.zst"));
    pack(&home, &[&table]);
    let first = std::fs::read(home.join(&packed)).unwrap();
    let again = ["tables", "pack", "--level", "19", &table];
    home.says(&again, 2, &format!("{packed} is already there: use --force"));
    assert!(std::fs::read(home.join(&packed)).unwrap() == first);
    home.done(&["tables", "pack", "--level", "19", "--force", &table]);
    assert!(std::fs::read(home.join(&packed)).unwrap() != first);

    let whole = std::fs::read(home.join(&table)).unwrap();
    let other = std::fs::read(tables.join(format!("{}.nibble.tbl", NAMES[1]))).unwrap();
    for wrong in [b"something else".to_vec(), whole[..5000].to_vec(), other] {
        std::fs::write(home.join(&table), &wrong).unwrap();
        let why = format!("{table} is there and is another table, or damaged");
        home.says(&["tables", "unpack", "--out", "t", &packed], 2, &why);
        assert!(std::fs::read(home.join(&table)).unwrap() == wrong);
        home.done(&["tables", "unpack", "--out", "t", "--force", &packed]);
        assert!(std::fs::read(home.join(&table)).unwrap() == whole);
    }
}

#[test]
fn what_cannot_be_packed_or_unpacked_has_its_own_message_and_leaves_nothing() {
    let (home, tables) = with_small_tables();
    let (table, good) = (format!("t/{}.bit.tbl", NAMES[0]), format!("t/{}.bit.tbl", NAMES[1]));
    std::fs::write(home.join("notes.tbl"), "some notes").unwrap();
    std::fs::write(home.join("notes.zst"), "some notes").unwrap();
    std::fs::write(home.join("empty.zst"), "").unwrap();
    std::fs::create_dir(home.join("directory.tbl")).unwrap();
    flip(&home.join(&table), 4200);
    let before = (files(home.path()), files(&tables));
    let cases: [(&[&str], i32, &str); 12] = [
        (&["pack", "--level", "0", &good], 2, "0 is not in 1..=22"),
        (&["pack", "--level", "23", &good], 2, "23 is not in 1..=22"),
        (&["pack", "--level", "-1", &good], 2, "-1 is not in 1..=22"),
        (&["pack", "--level", "best", &good], 2, "invalid value 'best'"),
        (&["pack", "missing.tbl"], 2, "cannot read missing.tbl"),
        (&["pack", "notes.tbl"], 2, "notes.tbl: this is not a tilebase table"),
        (&["pack", "directory.tbl"], 2, "cannot read directory.tbl: it is not an ordinary file"),
        (&["pack", &table], 1, "damaged in block 0"),
        (&["unpack", "missing.zst"], 2, "missing.zst: cannot read it"),
        (&["unpack", "notes.zst"], 1, "notes.zst: not a whole zstd file"),
        (&["unpack", "empty.zst"], 1, "empty.zst: not a whole zstd file"),
        (&["unpack", "directory.tbl"], 2, "it is not an ordinary file"),
    ];
    for (arguments, code, message) in cases {
        let ran = home.says(&[&["tables"], arguments].concat(), code, message);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    assert_eq!((files(home.path()), files(&tables)), before);
}

#[test]
#[cfg(unix)]
fn tables_are_not_packed_or_unpacked_into_a_directory_that_cannot_be_written_to() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.bit.tbl", NAMES[0]);
    pack(&home, &["--out", "p", &format!("t/{name}")]);
    std::fs::remove_file(tables.join(&name)).unwrap();
    let other = format!("t/{}.bit.tbl", NAMES[1]);
    if make_read_only(&tables, true) {
        for arguments in [&["pack", &other][..], &["unpack", &format!("p/{name}.zst"), "--table-dir", "t"]] {
            for words in ["cannot write tables into t", "Permission denied", "choose another directory"] {
                home.says(&[&["tables"], arguments].concat(), 2, words);
            }
        }
        assert_eq!(files(&tables).len(), 3);
        assert_eq!(home.done(&["tables", "list", "--verify", "--table-dir", "t"]).code, 0, "reading is fine");
    }
    make_read_only(&tables, false);
}

/// A table of a known catalogue is what the manifest says, whatever its own hashes say.
#[test]
fn a_packed_table_that_the_manifest_contradicts_is_refused() {
    let home = Home::new();
    home.done(&["generate", "--quiet", "--out", "t", "--tiles", "12,13,14", "--size", "4x4"]);
    let name = "4x4-0-12.13.14.bit.tbl";
    let right = Table::read_unverified(&home.join("t").join(name)).unwrap();
    let mut payload = right.payload().to_vec();
    payload[100] ^= 1;
    let header = right.header().clone();
    drop(right);
    let wrong = Header::new(*header.pattern(), header.kind(), header.histogram().to_vec(), &payload).unwrap();
    std::fs::remove_dir_all(home.join("t")).unwrap();
    std::fs::create_dir(home.join("t")).unwrap();
    let table = tilebase::format::write(home.path(), &wrong, &payload).unwrap();
    let bytes = std::fs::read(&table).unwrap();
    tilebase::format::pack(&home.join("t"), &wrong, &bytes, 3, 1, &tilebase::unwatched).unwrap();
    let packed = format!("t/{name}.zst");
    for arguments in [
        &["unpack", "--table-dir", "t", &packed][..],
        &["unpack", "--out", "t", "--force", &packed],
        &["verify", &packed],
    ] {
        for words in [&packed, &header.hash_text(), &wrong.hash_text(), "it is not the table that it says it is"] {
            home.says(&[&["tables"], arguments].concat(), 1, words);
        }
        assert_eq!(files(&home.join("t")), [format!("{name}.zst")]);
    }
    let ran = home.run(&["tables", "list", "--verify", "--table-dir", "t"]);
    assert!(ran.code == 1 && ran.stdout.contains("it is not the table that it says it is"), "{}", ran.stdout);
}

#[test]
fn solve_unpacks_the_tables_that_it_finds_packed() {
    let (home, tables, names) = with_packed_5_5_5();
    let listed = home.done(&["tables", "list", "--table-dir", "t"]).stdout;
    assert!(listed.contains("0 of 3 tables are there: solve --tables 5-5-5 unpacks what is missing"), "{listed}");
    for round in 0..2 {
        let solved = &home.done(&["solve", "--json", "--tables", "5-5-5", "--table-dir", "t", BOARD]).json_lines()[0];
        assert_eq!((&solved["length"], &solved["tables"]), (&2.into(), &"5-5-5".into()), "round {round}");
        assert_eq!(files(&tables).len(), 6, "each table beside its packed form, and nothing else");
    }
    for name in &names {
        let made = std::fs::read(home.join("made").join(name)).unwrap();
        assert!(std::fs::read(tables.join(name)).unwrap() == made, "{name}");
    }
}

#[test]
fn solve_refuses_a_damaged_packed_table_and_names_it() {
    let (home, tables, names) = with_packed_5_5_5();
    let packed = tables.join(format!("{}.zst", names[1]));
    flip(&packed, 9000);
    let ran = home.run(&["solve", "--tables", "5-5-5", "--table-dir", "t", BOARD]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(&names[1]) && ran.stderr.contains("download it again"), "{}", ran.stderr);
    assert!(!tables.join(&names[1]).exists());
}

#[test]
fn solve_says_so_when_a_packed_table_is_another_one() {
    let (home, tables, names) = with_packed_5_5_5();
    let [a, b] = [0, 1].map(|number: usize| tables.join(format!("{}.zst", names[number])));
    std::fs::remove_file(&a).unwrap();
    std::fs::rename(&b, &a).unwrap();
    let ran = home.run(&["solve", "--tables", "5-5-5", "--table-dir", "t", BOARD]);
    assert!(ran.stderr.contains(&names[1]) && ran.stderr.contains(&names[0]), "{}{}", ran.stdout, ran.stderr);
}

#[test]
#[cfg(unix)]
fn solve_unpacks_into_the_cache_when_the_directory_cannot_be_written_to() {
    let (home, tables, names) = with_packed_5_5_5();
    if make_read_only(&tables, true) {
        home.done(&["solve", "--tables", "5-5-5", "--table-dir", "t", BOARD]);
        assert_eq!(files(&tables).len(), 3);
        assert_eq!(files(&home.join(".cache/tilebase")), names);
    }
    make_read_only(&tables, false);
}
