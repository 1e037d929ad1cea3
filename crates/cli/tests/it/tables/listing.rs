//! `tables list` and `tables path`.

use std::path::Path;

use super::{NAMES, SMALL, flip, pack, with_small_tables};
use crate::common::{Home, Ran, files, slashed};

#[test]
fn list_shows_what_is_there_and_what_is_wrong_with_it() {
    let (home, tables) = with_small_tables();
    let file = |name: &str| tables.join(name);
    let [a, b] = NAMES;
    pack(&home, &[&format!("t/{a}.nibble.tbl")]);
    std::fs::write(file("cut.tbl"), &std::fs::read(file(&format!("{a}.bit.tbl"))).unwrap()[..4500]).unwrap();
    std::fs::rename(file(&format!("{b}.nibble.tbl")), file("misnamed.tbl")).unwrap();
    std::fs::write(file("notes.txt"), "not a table").unwrap();

    let ran = home.run(&["tables", "list", "--table-dir", "t"]);
    assert_eq!(ran.code, 1, "something is wrong: {}", ran.stdout);
    let line = |part: &str| {
        let found = ran.stdout.lines().find(|line| line.trim_start().starts_with(part));
        found.unwrap_or_else(|| panic!("{part}: {}", ran.stdout))
    };
    assert!(line(&format!("{a}.bit.tbl ")).contains("16 at most"));
    assert!(line(&format!("{a}.nibble.tbl.zst ")).contains("packed"));
    assert!(line("cut.tbl").contains("too short: expected 4818 bytes, found 4500"));
    assert!(line("misnamed.tbl").contains(&format!("holds another table, {b}.nibble.tbl")));
    assert!(!ran.stdout.contains("notes.txt"));
    assert!(ran.stdout.contains("\nin the program\n"));
    assert!(line("4x4-0-12.13.14.bit.tbl").contains("of 6-6-3"));
    assert!(line("6-6-3 ").contains("ready: all 3 tables"));
    assert!(line("7-8 ").contains("0 of 2 tables are there: run tilebase generate 7-8"));

    let ran = home.run(&["tables", "list", "--json", "--table-dir", "t"]);
    let lines = ran.json_lines();
    let names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    let in_program = ["4x4-0-1.2.4.5.8.9.bit.tbl", "4x4-0-3.6.7.10.11.15.bit.tbl", "4x4-0-12.13.14.bit.tbl"];
    let in_directory = files(&tables).into_iter().filter(|name| name != "notes.txt").collect::<Vec<_>>();
    assert_eq!(names, [in_directory.iter().map(String::as_str).collect(), in_program.to_vec()].concat());
    for line in &lines {
        let name = line["name"].as_str().unwrap();
        let wrong = ["cut.tbl", "misnamed.tbl"].contains(&name);
        assert_eq!((line["error"].is_null(), line["whole"].is_null()), (!wrong, wrong), "{line}");
        let place = if Path::new(name).extension().is_some_and(|end| end == "zst") { "packed" } else { "table" };
        let place = if in_program.contains(&name) { "program" } else { place };
        assert_eq!(line["place"], place, "{line}");
        assert_eq!(line["file"].is_null(), place == "program", "{line}");
        if place != "program" {
            assert_eq!(line["bytes"], std::fs::metadata(file(name)).unwrap().len(), "{line}");
        }
    }
}

#[test]
fn list_with_verify_finds_a_flipped_bit_in_a_table_and_in_a_packed_one() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.nibble.tbl", NAMES[0]);
    pack(&home, &[&format!("t/{name}")]);
    let list = |more: &[&str]| home.run(&[&["tables", "list", "--json", "--table-dir", "t"], more].concat());
    let wrong = |ran: &Ran| -> Vec<String> {
        let lines = ran.json_lines().into_iter().filter(|line| !line["error"].is_null());
        lines.map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    let ran = list(&["--verify"]);
    assert_eq!((ran.code, wrong(&ran).len()), (0, 0), "{}", ran.stdout);
    assert!(ran.json_lines().iter().all(|line| line["whole"] == "verified"));
    flip(&tables.join(&name), 5000);
    let packed = tables.join(format!("{name}.zst"));
    flip(&packed, std::fs::metadata(&packed).unwrap().len() as usize / 2);
    assert_eq!(list(&[]).code, 0, "only every byte tells");
    let ran = list(&["--verify"]);
    assert_eq!((ran.code, wrong(&ran)), (1, vec![name.clone(), format!("{name}.zst")]));
    let ran = home.run(&["tables", "list", "--verify", "--table-dir", "t"]);
    assert!(ran.stdout.contains("damaged in block 0 (bytes 4096 to"), "{}", ran.stdout);
}

#[test]
fn a_packed_table_under_the_name_of_another_is_reported() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("{name}.nibble.tbl"));
    pack(&home, &["--out", "p", &format!("t/{a}")]);
    std::fs::rename(home.join(format!("p/{a}.zst")), tables.join(format!("{b}.zst"))).unwrap();
    let ran = home.run(&["tables", "list", "--verify", "--table-dir", "t"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("holds another table, {a}")), "{}", ran.stdout);
}

#[test]
fn path_prints_the_directories_in_the_order_in_which_they_are_searched() {
    let home = Home::new();
    let cache = home.join(".cache").join("tilebase").display().to_string();
    assert_eq!(home.done(&["tables", "path"]).stdout, format!("{cache}\n"));
    assert_eq!(home.done(&["tables", "path", "--table-dir", "mine"]).stdout, format!("mine\n{cache}\n"));
    let from_environment = |arguments: &[&str]| {
        Ran::new(home.command(arguments).env("TILEBASE_TABLES", "theirs").output().unwrap()).stdout
    };
    assert_eq!(from_environment(&["tables", "path"]), format!("theirs\n{cache}\n"));
    let both = from_environment(&["tables", "path", "--table-dir", "mine"]);
    assert_eq!(both.lines().next(), Some("mine"), "what is asked for on the command line comes first");
    let lines = home.done(&["tables", "path", "--json", "--table-dir", "mine"]).json_lines();
    assert_eq!((lines.len(), &lines[0]["new_tables"], &lines[1]["new_tables"]), (2, &true.into(), &false.into()));
    assert_eq!(files(home.path()), [""; 0], "asking makes no directory");
}

#[test]
fn path_of_a_catalogue_is_its_files_from_the_first_directory_that_has_them() {
    let (home, _) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("t/{name}.bit.tbl"));
    let ran = home.done(&["tables", "path", "--table-dir", "t", SMALL]);
    assert_eq!(slashed(&ran.stdout), format!("{a}\n{b}\n"));
    // The same tables in the cache are not reached while the flag has them.
    home.done(&["generate", "--quiet", SMALL]);
    assert_eq!(home.done(&["tables", "path", "--table-dir", "t", SMALL]).stdout, ran.stdout);
    assert!(slashed(&home.done(&["tables", "path", SMALL]).stdout).contains(".cache/tilebase/"));

    let ran = home.done(&["tables", "path", "6-6-3"]);
    assert_eq!(ran.stdout, "", "there is no file");
    assert_eq!(ran.stderr.matches("in the program itself").count(), 3, "{}", ran.stderr);
    let ran = home.says(&["tables", "path", "7-8"], 1, "not there; run tilebase generate \"7-8\"");
    assert_eq!(ran.stdout, "");
    let lines = home.run(&["tables", "path", "--json", "6-6-3"]).json_lines();
    assert!(lines.len() == 3 && lines.iter().all(|line| line["in_program"] == true), "{lines:?}");
    // The bit table in the program is better than a nibble table in a file; a bit table in a file comes first.
    for (encoding, found) in [("nibble", ""), ("bit", "t/4x4-0-12.13.14.bit.tbl\n")] {
        let tiles = ["--tiles", "12,13,14", "--size", "4x4", "--encoding", encoding];
        home.done(&[&["generate", "--quiet", "--out", "t"], &tiles[..]].concat());
        assert_eq!(slashed(&home.done(&["tables", "path", "--table-dir", "t", "6-6-3"]).stdout), found);
    }
}
