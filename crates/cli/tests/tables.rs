//! The commands about tables: what is there, what it holds, shipping it, and many processes at once.

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Home, Ran};
use serde_json::Value;
use tilebase_format::Header;
use tilebase_lookup::Table;
use tilebase_puzzle::PatternCosts;
use tilebase_puzzle::index::{Map, Perm, Place, Row};

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

#[test]
fn list_shows_what_is_there_and_what_is_wrong_with_it() {
    let (home, tables) = with_small_tables();
    let file = |name: &str| tables.join(name);
    let [a, b] = NAMES;
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{a}.nibble.tbl")]);
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
    let lines = json_lines(&ran);
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
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{name}")]);
    let list = |more: &[&str]| home.run(&[&["tables", "list", "--json", "--table-dir", "t"], more].concat());
    let wrong = |ran: &Ran| -> Vec<String> {
        let lines = json_lines(ran).into_iter().filter(|line| !line["error"].is_null());
        lines.map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    let ran = list(&["--verify"]);
    assert_eq!((ran.code, wrong(&ran).len()), (0, 0), "{}", ran.stdout);
    assert!(json_lines(&ran).iter().all(|line| line["whole"] == "verified"));
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
    done(&home, &["tables", "pack", "--level", "1", "--out", "p", &format!("t/{a}")]);
    std::fs::rename(home.path().join(format!("p/{a}.zst")), tables.join(format!("{b}.zst"))).unwrap();
    let ran = home.run(&["tables", "list", "--verify", "--table-dir", "t"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("holds another table, {a}")), "{}", ran.stdout);
}

#[test]
fn path_prints_the_directories_in_the_order_in_which_they_are_searched() {
    let home = Home::new();
    let cache = home.path().join(".cache/tilebase").display().to_string();
    assert_eq!(done(&home, &["tables", "path"]).stdout, format!("{cache}\n"));
    assert_eq!(done(&home, &["tables", "path", "--table-dir", "mine"]).stdout, format!("mine\n{cache}\n"));
    let from_environment = |arguments: &[&str]| {
        let output = home.command(arguments).env("TILEBASE_TABLES", "theirs").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(from_environment(&["tables", "path"]), format!("theirs\n{cache}\n"));
    assert_eq!(
        from_environment(&["tables", "path", "--table-dir", "mine"]).lines().next(),
        Some("mine"),
        "what is asked for on the command line comes first"
    );
    let lines = json_lines(&done(&home, &["tables", "path", "--json", "--table-dir", "mine"]));
    assert_eq!((lines.len(), &lines[0]["new_tables"], &lines[1]["new_tables"]), (2, &true.into(), &false.into()));
    assert_eq!(files(home.path()), [""; 0], "asking makes no directory");
}

#[test]
fn path_of_a_catalogue_is_its_files_from_the_first_directory_that_has_them() {
    let (home, _) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("t/{name}.bit.tbl"));
    let ran = done(&home, &["tables", "path", "--table-dir", "t", SMALL]);
    assert_eq!(ran.stdout, format!("{a}\n{b}\n"));
    // The same tables in the cache are not reached while the flag has them.
    done(&home, &["generate", "--quiet", SMALL]);
    assert_eq!(done(&home, &["tables", "path", "--table-dir", "t", SMALL]).stdout, ran.stdout);
    assert!(done(&home, &["tables", "path", SMALL]).stdout.contains(".cache/tilebase/"));

    let ran = done(&home, &["tables", "path", "6-6-3"]);
    assert_eq!(ran.stdout, "", "there is no file");
    assert_eq!(ran.stderr.matches("in the program itself").count(), 3, "{}", ran.stderr);
    let ran = home.run(&["tables", "path", "7-8"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("not there; run tilebase generate \"7-8\""), "{}", ran.stderr);
    let lines = json_lines(&home.run(&["tables", "path", "--json", "6-6-3"]));
    assert!(lines.len() == 3 && lines.iter().all(|line| line["in_program"] == true), "{lines:?}");
    // The bit table in the program is better than a nibble table in a file; a bit table in a file comes first.
    for (encoding, found) in [("nibble", ""), ("bit", "t/4x4-0-12.13.14.bit.tbl\n")] {
        let tiles = ["--tiles", "12,13,14", "--size", "4x4", "--encoding", encoding];
        done(&home, &[&["generate", "--quiet", "--out", "t"], &tiles[..]].concat());
        assert_eq!(done(&home, &["tables", "path", "--table-dir", "t", "6-6-3"]).stdout, found);
    }
}

#[test]
fn prune_removes_what_is_of_no_use_and_nothing_else() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES;
    for name in [a, b] {
        done(&home, &["tables", "pack", "--level", "1", &format!("t/{name}.nibble.tbl")]);
    }
    // The packed one of a stays without its table, that of b has it.
    std::fs::remove_file(tables.join(format!("{a}.nibble.tbl"))).unwrap();
    std::fs::write(tables.join(".tilebase-Ab12.tmp"), "half a table").unwrap();
    std::fs::write(tables.join("cut.tbl"), &std::fs::read(tables.join(format!("{a}.bit.tbl"))).unwrap()[..4500])
        .unwrap();
    for other in ["notes.txt", ".hidden.tmp", "tilebase-.tmp", "table.tbl.bak"] {
        std::fs::write(tables.join(other), "not ours").unwrap();
    }
    // Somebody is still writing this one.
    let busy = tables.join(".tilebase-busy.tmp");
    let writer = std::fs::File::create(&busy).unwrap();
    writer.lock().unwrap();

    let before = files(&tables);
    let useless = [".tilebase-Ab12.tmp".to_owned(), "cut.tbl".to_owned(), format!("{b}.nibble.tbl.zst")];
    let ran = done(&home, &["tables", "prune", "--dry-run", "--table-dir", "t"]);
    assert_eq!(files(&tables), before, "a dry run removes nothing");
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    assert!(useless.iter().all(|name| ran.stdout.contains(&format!("would remove t/{name}: "))), "{}", ran.stdout);
    let ran = done(&home, &["tables", "prune", "--json", "--table-dir", "t"]);
    assert!(json_lines(&ran).iter().all(|line| line["removed"] == true), "{}", ran.stdout);
    let left: Vec<String> = before.into_iter().filter(|name| !useless.contains(name)).collect();
    assert_eq!(files(&tables), left);
    let ran = done(&home, &["tables", "prune", "--table-dir", "t"]);
    assert_eq!((ran.stdout.as_str(), files(&tables)), ("", left), "there is nothing more to do");
    drop(writer);
    done(&home, &["tables", "prune", "--table-dir", "t"]);
    assert!(!busy.exists(), "its writer is gone");
    assert_eq!(done(&home, &["tables", "prune", "--table-dir", "nowhere"]).stdout, "");
}

#[test]
fn prune_with_verify_removes_a_damaged_table_but_not_its_packed_form() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.nibble.tbl", NAMES[0]);
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{name}")]);
    flip(&tables.join(&name), 5000);
    let ran = done(&home, &["tables", "prune", "--verify", "--table-dir", "t"]);
    assert!(!tables.join(&name).exists(), "{}", ran.stdout);
    assert!(tables.join(format!("{name}.zst")).exists(), "the only whole copy is gone: {}", ran.stdout);
}

#[test]
fn prune_keeps_a_packed_table_whose_table_is_damaged() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.nibble.tbl", NAMES[0]);
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{name}")]);
    flip(&tables.join(&name), 5000);
    let ran = done(&home, &["tables", "prune", "--table-dir", "t"]);
    assert!(tables.join(format!("{name}.zst")).exists(), "the only whole copy is gone: {}", ran.stdout);
}

#[test]
#[cfg(unix)]
fn a_pipe_with_the_name_of_a_leftover_stops_nobody() {
    let (home, tables) = with_small_tables();
    let pipe = tables.join(".tilebase-x.tmp");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{}.bit.tbl", NAMES[0])]);
}

#[test]
#[cfg(unix)]
fn interrupted_packing_ends_at_once_and_leaves_nothing() {
    let home = Home::new();
    done(&home, &["generate", "--quiet", "--encoding", "nibble", "--out", "t", "6-6-3"]);
    let arguments = ["tables", "pack", "--level", "22", "--out", "p", "t/4x4-0-1.2.4.5.8.9.nibble.tbl"];
    let child = home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let packed = home.path().join("p");
    while !packed.is_dir() || files(&packed).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(files(&packed).is_empty(), "{:?}", files(&packed));
}

#[test]
fn prune_keeps_a_packed_table_when_another_table_has_its_name() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("{name}.nibble.tbl"));
    done(&home, &["tables", "pack", "--level", "1", &format!("t/{a}")]);
    std::fs::rename(tables.join(&b), tables.join(&a)).unwrap();
    let ran = done(&home, &["tables", "prune", "--table-dir", "t"]);
    assert!(tables.join(format!("{a}.zst")).exists(), "the only copy is gone: {}", ran.stdout);
}

#[test]
fn prune_is_not_stopped_by_a_directory_with_the_name_of_a_table() {
    let (home, tables) = with_small_tables();
    std::fs::create_dir(tables.join("directory.tbl")).unwrap();
    std::fs::write(tables.join("empty.tbl"), "").unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(!tables.join("empty.tbl").exists(), "{}{}", ran.stdout, ran.stderr);
    assert!(tables.join("directory.tbl").exists());
}

#[test]
#[cfg(unix)]
fn prune_keeps_tables_that_it_may_not_read() {
    use std::os::unix::fs::PermissionsExt;
    let (home, tables) = with_small_tables();
    let secret = tables.join(format!("{}.bit.tbl", NAMES[0]));
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(secret.exists(), "nobody knows what is wrong with it: {}", ran.stdout);
}

#[test]
fn prune_keeps_tables_of_newer_programs() {
    let (home, tables) = with_small_tables();
    let newer = tables.join(format!("{}.bit.tbl", NAMES[0]));
    let mut bytes = std::fs::read(&newer).unwrap();
    bytes[8] = 2;
    std::fs::write(&newer, bytes).unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(newer.exists(), "it is of use to the program that made it: {}", ran.stdout);
}

#[test]
fn tables_are_the_same_after_packing_and_unpacking() {
    let (home, tables) = with_small_tables();
    let names = files(&tables);
    for name in &names {
        let ran = done(&home, &["tables", "pack", "--json", "--out", "p/q", &format!("t/{name}")]);
        let packed = &json_lines(&ran)[0];
        let header = Table::read(&tables.join(name)).unwrap().header().clone();
        let file = home.path().join(packed["packed"].as_str().unwrap());
        assert_eq!((&packed["file"], &packed["hash"]), (&header.file_name().into(), &header.hash_text().into()));
        assert_eq!(packed["packed_bytes"], std::fs::metadata(file).unwrap().len());
        assert_eq!((packed["bytes"].as_u64(), packed["level"].as_i64()), (Some(header.file_len()), Some(19)));
    }
    let packed: Vec<String> = names.iter().map(|name| format!("p/q/{name}.zst")).collect();
    let packed: Vec<&str> = packed.iter().map(String::as_str).collect();
    let verified = done(&home, &[&["tables", "verify"], &packed[..]].concat());
    assert_eq!(verified.stdout.matches(": whole").count(), 4);
    let unpack = |more: &[&str]| home.run(&[&["tables", "unpack", "--json", "--table-dir", "u"], more].concat());
    let ran = unpack(&packed);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 4), "{}", ran.stderr);
    assert!(json_lines(&ran).iter().all(|line| line["already_there"] == false));
    for name in &names {
        let unpacked = std::fs::read(home.path().join("u").join(name)).unwrap();
        assert!(unpacked == std::fs::read(tables.join(name)).unwrap(), "{name}");
    }
    assert_eq!(files(&home.path().join("u")), names);
    let ran = unpack(&packed);
    assert!(ran.code == 0 && json_lines(&ran).iter().all(|line| line["already_there"] == true), "{}", ran.stdout);
    let ran = home.run(&["tables", "unpack", "--out", "u", packed[0]]);
    assert_eq!((ran.code, ran.stdout), (0, format!("u/{}: already there\n", names[0])));
}

#[test]
fn what_is_there_is_replaced_only_when_asked() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.nibble.tbl", NAMES[0]);
    let (table, packed) = (format!("t/{name}"), format!("t/{name}.zst"));
    done(&home, &["tables", "pack", "--level", "1", &table]);
    let first = std::fs::read(home.path().join(&packed)).unwrap();
    let ran = home.run(&["tables", "pack", "--level", "19", &table]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains(&format!("{packed} is already there: use --force")), "{}", ran.stderr);
    assert!(std::fs::read(home.path().join(&packed)).unwrap() == first);
    done(&home, &["tables", "pack", "--level", "19", "--force", &table]);
    assert!(std::fs::read(home.path().join(&packed)).unwrap() != first);

    let whole = std::fs::read(home.path().join(&table)).unwrap();
    let other = std::fs::read(tables.join(format!("{}.nibble.tbl", NAMES[1]))).unwrap();
    for wrong in [b"something else".to_vec(), whole[..5000].to_vec(), other] {
        std::fs::write(home.path().join(&table), &wrong).unwrap();
        let ran = home.run(&["tables", "unpack", "--out", "t", &packed]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(&format!("{table} is there and is another table, or damaged")), "{}", ran.stderr);
        assert!(std::fs::read(home.path().join(&table)).unwrap() == wrong);
        done(&home, &["tables", "unpack", "--out", "t", "--force", &packed]);
        assert!(std::fs::read(home.path().join(&table)).unwrap() == whole);
    }
}

#[test]
fn what_cannot_be_packed_or_unpacked_has_its_own_message_and_leaves_nothing() {
    let (home, tables) = with_small_tables();
    let (table, good) = (format!("t/{}.bit.tbl", NAMES[0]), format!("t/{}.bit.tbl", NAMES[1]));
    std::fs::write(home.path().join("notes.tbl"), "some notes").unwrap();
    std::fs::write(home.path().join("notes.zst"), "some notes").unwrap();
    std::fs::write(home.path().join("empty.zst"), "").unwrap();
    std::fs::create_dir(home.path().join("directory.tbl")).unwrap();
    flip(&home.path().join(&table), 4200);
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
        let ran = home.run(&[&["tables"], arguments].concat());
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    assert_eq!((files(home.path()), files(&tables)), before);
}

#[test]
#[cfg(unix)]
fn tables_are_not_packed_or_unpacked_into_a_directory_that_cannot_be_written_to() {
    let (home, tables) = with_small_tables();
    let name = format!("{}.bit.tbl", NAMES[0]);
    done(&home, &["tables", "pack", "--level", "1", "--out", "p", &format!("t/{name}")]);
    std::fs::remove_file(tables.join(&name)).unwrap();
    let other = format!("t/{}.bit.tbl", NAMES[1]);
    if make_read_only(&tables, true) {
        for arguments in [&["pack", &other][..], &["unpack", &format!("p/{name}.zst"), "--table-dir", "t"]] {
            let ran = home.run(&[&["tables"], arguments].concat());
            assert_eq!(ran.code, 2, "{}", ran.stderr);
            for words in ["cannot write tables into t", "Permission denied", "choose another directory"] {
                assert!(ran.stderr.contains(words), "{}", ran.stderr);
            }
        }
        assert_eq!(files(&tables).len(), 3);
        assert_eq!(done(&home, &["tables", "list", "--verify", "--table-dir", "t"]).code, 0, "reading is fine");
    }
    make_read_only(&tables, false);
}

/// A table of a known catalogue is what the manifest says, whatever its own hashes say.
#[test]
fn a_packed_table_that_the_manifest_contradicts_is_refused() {
    let home = Home::new();
    done(&home, &["generate", "--quiet", "--out", "t", "--tiles", "12,13,14", "--size", "4x4"]);
    let name = "4x4-0-12.13.14.bit.tbl";
    let right = Table::read(&home.path().join("t").join(name)).unwrap();
    let mut payload = right.payload().to_vec();
    payload[100] ^= 1;
    let header = right.header();
    let wrong = Header::new(*header.pattern(), header.encoding(), header.histogram().to_vec(), &payload).unwrap();
    std::fs::remove_dir_all(home.path().join("t")).unwrap();
    std::fs::create_dir(home.path().join("t")).unwrap();
    let table = tilebase_format::write(home.path(), &wrong, &payload).unwrap();
    let bytes = std::fs::read(&table).unwrap();
    tilebase_format::pack(&home.path().join("t"), &wrong, &bytes, 3, 1, |_| Ok(())).unwrap();
    let packed = format!("t/{name}.zst");
    for arguments in [
        &["unpack", "--table-dir", "t", &packed][..],
        &["unpack", "--out", "t", "--force", &packed],
        &["verify", &packed],
    ] {
        let ran = home.run(&[&["tables"], arguments].concat());
        assert_eq!(ran.code, 1, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        for words in [&packed, &header.hash_text(), &wrong.hash_text(), "it is not the table that it says it is"] {
            assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
        }
        assert_eq!(files(&home.path().join("t")), [format!("{name}.zst")]);
    }
    let ran = home.run(&["tables", "list", "--verify", "--table-dir", "t"]);
    assert!(ran.code == 1 && ran.stdout.contains("it is not the table that it says it is"), "{}", ran.stdout);
}

/// Counts costs, and what they exceed the Manhattan distance by, entry by entry.
fn counted(table: &Table) -> [Vec<u64>; 2] {
    let index = table.index();
    let tiles: Vec<_> = table.pattern().tiles().collect();
    let mut counts = [vec![0; 256], vec![0; 256]];
    for map in (0..index.maps() as u32).map(Map) {
        for perm in (0..index.perms()).map(Perm) {
            let squares = index.tile_squares(map, perm);
            let far = squares.iter().zip(&tiles).map(|(&square, tile)| index.size().distance(square, tile.goal()));
            let manhattan: u32 = far.sum();
            let rows = index.rows_of(map);
            // A collapsed table has one entry for all places of the blank.
            let rows = if table.header().encoding().is_blank_aware() { rows } else { rows.start..rows.start + 1 };
            for row in rows.map(Row) {
                let place = Place { squares: index.squares(map), map, row, perm, manhattan };
                if let Some(cost) = table.cost(&place) {
                    counts[0][cost as usize] += 1;
                    counts[1][(cost - manhattan) as usize] += 1;
                }
            }
        }
    }
    for counts in &mut counts {
        counts.truncate(counts.iter().rposition(|&count| count > 0).unwrap() + 1);
    }
    counts
}

#[test]
fn stats_agree_with_a_plain_count() {
    let (home, tables) = with_small_tables();
    done(&home, &["generate", "--quiet", "--count", "all", "--out", "t", "--tiles", "1,2,5", "--size", "3x3"]);
    // Every second state of all tiles but one cannot be reached.
    let seven = ["--tiles", "1,2,3,4,5,6,7", "--size", "3x3", "--encoding", "both"];
    done(&home, &[&["generate", "--quiet", "--out", "t"], &seven[..]].concat());
    for name in files(&tables) {
        let table = Table::read(&tables.join(&name)).unwrap();
        let counted = counted(&table);
        let file = format!("t/{name}");
        for (what, counts) in ["cost", "excess"].into_iter().zip(&counted) {
            let mut arguments = vec!["tables", "stats", &file];
            if what == "excess" {
                arguments.push("--excess");
            }
            let lines = json_lines(&done(&home, &[&arguments[..], &["--json"]].concat()));
            let [line] = &lines[..] else { panic!("{lines:?}") };
            let total: u64 = counts.iter().sum();
            let sum: u64 = (0..).zip(counts).map(|(value, count)| value * count).sum();
            assert_eq!(line["histogram"], serde_json::json!(counts), "{name}, {what}");
            assert_eq!((line["what"].as_str(), line["reached"].as_u64()), (Some(what), Some(total)), "{name}");
            assert_eq!(
                (&line["max"], &line["entries"]),
                (&(counts.len() - 1).into(), &table.header().entries().into())
            );
            assert!((line["mean"].as_f64().unwrap() - sum as f64 / total as f64).abs() < 1e-9, "{line}");
            let values: Vec<usize> =
                (0..).zip(counts).flat_map(|(value, &count)| vec![value; count as usize]).collect();
            assert_eq!(line["median"], values[(values.len() - 1) / 2], "{name}, {what}");

            let text = done(&home, &arguments).stdout;
            for (value, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let shown = |line: &str| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.len() >= 3 && words[0] == value.to_string() && words[1] == count.to_string()
                };
                assert!(text.lines().any(shown), "{name}: {value} {count}: {text}");
            }
            let reached = format!("{} entries, {total} can be reached", table.header().entries());
            assert!(text.contains(&reached), "{text}");
        }
    }
}

#[test]
fn stats_draw_pictures_of_one_table_and_of_several() {
    let (home, tables) = with_small_tables();
    let names: Vec<String> = files(&tables).iter().map(|name| format!("t/{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (tables, more) in [(&names[..1], &[][..]), (&names, &[]), (&names, &["--excess", "--width", "300"])] {
        let pictures = ["--svg", "costs.svg", "--png", "costs.png"];
        let ran = done(&home, &[&["tables", "stats"], tables, &pictures, more].concat());
        assert!(tables.iter().all(|name| ran.stdout.contains(name)));
        let svg = std::fs::read_to_string(home.path().join("costs.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        let png = std::fs::read(home.path().join("costs.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
        assert_eq!(width, if more.is_empty() { 1440 } else { 300 });
    }
    for option in ["--svg", "--png"] {
        let ran = home.run(&["tables", "stats", names[0], option, "no/such/place"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("cannot write no/such/place: No such file or directory"), "{}", ran.stderr);
    }
    assert_eq!(files(home.path()), ["costs.png", "costs.svg", "t"], "no temporary file is left");
    for (arguments, message) in [
        (&["missing.tbl"][..], "cannot read missing.tbl"),
        (&["costs.svg"], "costs.svg: this is not a tilebase table"),
        (&[names[0], "--png", "x.png", "--width", "1"], "1 is not in 100..=10000"),
    ] {
        let ran = home.run(&[&["tables", "stats"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn pictures_do_not_replace_tables_or_each_other() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("t/{name}.bit.tbl"));
    let before = std::fs::read(home.path().join(&a)).unwrap();
    let ran = home.run(&["tables", "stats", "--svg", &a, &b]);
    assert!(ran.code == 2 && ran.stderr.contains("is the name of a table"), "{}", ran.stderr);
    assert!(std::fs::read(home.path().join(&a)).unwrap() == before);
    let ran = home.run(&["tables", "stats", "--svg", "same", "--png", "same", &b]);
    assert!(ran.code == 2 && ran.stderr.contains("give each its own file"), "{}", ran.stderr);
    assert_eq!(files(&tables).len(), 4);
}

#[test]
fn the_excess_of_a_damaged_table_is_an_error_and_no_nonsense() {
    let home = Home::new();
    done(&home, &["generate", "--quiet", "--encoding", "nibble", "--out", "t", "--tiles", "1", "--size", "3x3"]);
    let file = home.path().join("t/3x3-0-1.nibble.tbl");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096..4096 + 5].fill(0x11);
    std::fs::write(&file, bytes).unwrap();
    let ran = home.run(&["tables", "stats", "--excess", "t/3x3-0-1.nibble.tbl"]);
    assert!(ran.code != 101 && !ran.stdout.contains("18446744073709551615"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn solve_unpacks_the_tables_that_it_finds_packed() {
    let (home, tables, names) = with_packed_5_5_5();
    let listed = done(&home, &["tables", "list", "--table-dir", "t"]).stdout;
    assert!(listed.contains("0 of 3 tables are there: solve --tables 5-5-5 unpacks what is missing"), "{listed}");
    for round in 0..2 {
        let solved = &json_lines(&done(&home, &["solve", "--json", "--tables", "5-5-5", "--table-dir", "t", BOARD]))[0];
        assert_eq!((&solved["length"], &solved["tables"]), (&2.into(), &"5-5-5".into()), "round {round}");
        assert_eq!(files(&tables).len(), 6, "each table beside its packed form, and nothing else");
    }
    for name in &names {
        let made = std::fs::read(home.path().join("made").join(name)).unwrap();
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
        done(&home, &["solve", "--tables", "5-5-5", "--table-dir", "t", BOARD]);
        assert_eq!(files(&tables).len(), 3);
        assert_eq!(files(&home.path().join(".cache/tilebase")), names);
    }
    make_read_only(&tables, false);
}

/// Starts the same command four times at once and gives what each said.
fn four_at_once(home: &Home, arguments: &[&str]) -> Vec<Ran> {
    let start = |_| home.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..4).map(start).collect();
    let ended = children.into_iter().map(|child| child.wait_with_output().unwrap());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    ended
        .map(|output| Ran {
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        })
        .collect()
}

#[test]
fn processes_that_unpack_the_same_tables_at_once_all_succeed() {
    let (home, _, names) = with_packed_5_5_5();
    let packed: Vec<String> = names.iter().map(|name| format!("t/{name}.zst")).collect();
    for round in 0..5 {
        let out = format!("u{round}");
        let mut arguments = vec!["tables", "unpack", "--out", &out];
        if round % 2 == 1 {
            arguments.push("--force");
        }
        arguments.extend(packed.iter().map(String::as_str));
        for ran in four_at_once(&home, &arguments) {
            assert_eq!((ran.code, ran.stdout.lines().count()), (0, 3), "{}{}", ran.stdout, ran.stderr);
        }
        let out = home.path().join(out);
        assert_eq!(files(&out), names, "round {round}");
        for name in &names {
            let made = std::fs::read(home.path().join("made").join(name)).unwrap();
            assert!(std::fs::read(out.join(name)).unwrap() == made, "round {round}: {name}");
        }
    }
}

#[test]
fn processes_that_solve_with_the_same_packed_tables_at_once_all_succeed() {
    let (home, tables, names) = with_packed_5_5_5();
    for ran in four_at_once(&home, &["solve", "--json", "--tables", "5-5-5", "--table-dir", "t", BOARD]) {
        assert!(ran.code == 0 && ran.stdout.contains("\"length\":2"), "{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(files(&tables).len(), 2 * names.len());
    done(&home, &["tables", "list", "--verify", "--table-dir", "t"]);
}

#[test]
fn processes_that_build_the_same_tables_at_once_all_succeed() {
    let (home, tables) = with_small_tables();
    let names = files(&tables);
    for round in 0..5 {
        let out = format!("b{round}");
        let mut arguments = vec!["generate", "--encoding", "both", "--out", &out, SMALL];
        if round % 2 == 1 {
            arguments.push("--force");
        }
        for ran in four_at_once(&home, &arguments) {
            let there = ran.code == 2 && ran.stderr.contains("already there");
            assert!(ran.code == 0 || there, "round {round}: {}{}", ran.stdout, ran.stderr);
        }
        let out = home.path().join(out);
        assert_eq!(files(&out), names, "round {round}");
        for name in &names {
            assert!(std::fs::read(out.join(name)).unwrap() == std::fs::read(tables.join(name)).unwrap(), "{name}");
        }
    }
}

#[test]
fn tables_are_packed_by_many_at_once_and_pruned_meanwhile() {
    let (home, tables) = with_small_tables();
    let name = format!("t/{}.bit.tbl", NAMES[0]);
    for _ in 0..5 {
        let prune = || home.command(&["tables", "prune", "--table-dir", "p"]).stderr(Stdio::null()).spawn().unwrap();
        let pruning: Vec<_> = (0..2).map(|_| prune()).collect();
        for ran in four_at_once(&home, &["tables", "pack", "--level", "1", "--force", "--out", "p", &name]) {
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
        pruning.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
    }
    assert_eq!(files(&home.path().join("p")).len(), 1);
    assert_eq!(files(&tables).len(), 4);
}

#[test]
fn bench_open_and_lookup_measure_every_way_of_loading() {
    let (home, _) = with_small_tables();
    let ran = done(&home, &["bench", "open", "--json", "--repeat", "2", "--table-dir", "t", SMALL]);
    let lines = json_lines(&ran);
    let loadings: Vec<&str> = lines.iter().map(|line| line["loading"].as_str().unwrap()).collect();
    assert_eq!(loadings, ["mapped", "owned", "huge pages"]);
    assert!(lines.iter().all(|line| line["value"] == lines[0]["value"] && line["bytes"] == 9636), "{}", ran.stdout);
    assert!(lines.iter().all(|line| line["milliseconds"].as_f64() <= line["median_milliseconds"].as_f64()));

    let few = ["--repeat", "1", "--boards", "50", "--nodes", "500", "--table-dir", "t", SMALL];
    let lines = json_lines(&done(&home, &[&["bench", "lookup", "--json"], &few[..]].concat()));
    let kinds: Vec<(&str, &str)> =
        lines.iter().map(|line| (line["loading"].as_str().unwrap(), line["order"].as_str().unwrap())).collect();
    let orders = ["at random", "along searches"];
    assert_eq!(kinds, loadings.iter().flat_map(|loading| orders.map(|order| (*loading, order))).collect::<Vec<_>>());
    for line in &lines {
        assert!(
            line["nanoseconds"].as_f64().is_some_and(|took| took > 0.0) && line["per_lookup"].is_object(),
            "{line}"
        );
        assert!(line["order"] != "at random" || line["lookups"] == 100, "{line}");
    }
    // What is compiled in can be measured without a file; what is not there cannot.
    assert_eq!(done(&home, &["bench", "open", "--repeat", "1", "6-6-3"]).stdout.lines().count(), 3);
    let ran = home.run(&["bench", "lookup", "7-8", "--boards", "1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("not there: run tilebase generate \"7-8\""), "{}", ran.stderr);
}
