//! Damaged tables are told, mended, and never believed.

use std::time::Duration;

use crate::common::{Home, files};

const BOARD: &str = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12";

/// A home with the tables of 5-5-5, the first of them damaged in its payload.
fn with_a_damaged_table() -> (Home, String) {
    let home = Home::new();
    home.done(&["generate", "--quiet", "5-5-5", "--table-dir", "t"]);
    let name = files(&home.join("t")).remove(0);
    damage(&home, &name);
    (home, name)
}

fn damage(home: &Home, name: &str) {
    let path = home.join("t").join(name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
}

#[test]
fn a_damaged_table_is_named_and_the_command_that_is_named_mends_it() {
    let (home, name) = with_a_damaged_table();
    let solve = ["solve", "--table-dir", "t", "--tables", "5-5-5", BOARD];
    let ran = home.says(&solve, 2, &format!("t/{name}: damaged in block 0"));
    assert!(ran.stderr.contains("tilebase generate \"5-5-5\""), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    let mended = home.says(&["generate", "--table-dir", "t", "5-5-5"], 0, "it is built again");
    assert_eq!(mended.stdout.lines().count(), 1, "only that one: {}", mended.stdout);
    home.done(&solve);
    home.says(&["generate", "--table-dir", "t", "5-5-5"], 0, "already there");
}

#[test]
fn other_tables_are_used_where_that_is_allowed() {
    let home = Home::new();
    home.done(&["generate", "--quiet", ".AA/AAA/AAA", "--table-dir", "t"]);
    let name = files(&home.join("t")).remove(0);
    let solve = ["solve", "--json", "--table-dir", "t", "8 6 7 / 2 5 4 / 3 0 1"];
    assert_eq!(home.done(&solve).json()["tables"], ".AA/AAA/AAA");
    damage(&home, &name);
    let ran = home.says(&solve, 0, "warning: the tables of .AA/AAA/AAA are not used");
    assert!(ran.stderr.contains(&name), "{}", ran.stderr);
    assert_eq!((ran.json()["length"].as_u64(), ran.json()["optimal"].as_bool()), (Some(31), Some(true)));
}

#[test]
fn answers_say_what_they_rest_on_and_trust_is_warned_about() {
    let (home, name) = with_a_damaged_table();
    let solve = |more: &[&str]| {
        let ran = home.done(&[&["solve", "--json", "--table-dir", "t", "--tables", "5-5-5", BOARD], more].concat());
        let tables = ran.json()["rests_on"].as_array().unwrap().clone();
        let verified: Vec<String> = tables.iter().map(|table| table["verified"].as_str().unwrap().to_owned()).collect();
        assert!(tables.iter().all(|table| table["hash"].as_str().unwrap().len() == 64));
        assert_eq!(ran.json()["verified"].as_str(), verified.first().map(String::as_str));
        (verified.join(" "), ran.stderr)
    };
    let (verified, said) = solve(&["--trust"]);
    assert!(verified == "no no no" && said.contains("warning: the tables of 5-5-5 were not verified"), "{said}");
    home.done(&["generate", "--quiet", "--table-dir", "t", "5-5-5"]);
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(solve(&[]), ("now now now".to_owned(), String::new()));
    assert_eq!(solve(&[]), ("earlier earlier earlier".to_owned(), String::new()));
    assert_eq!(files(&home.join(".cache/tilebase/verified")).len(), 3);
    damage(&home, &name);
    home.says(&["solve", "--table-dir", "t", "--tables", "5-5-5", BOARD], 2, &name);
    let ran = home.done(&["solve", "--json", "--tables", "6-6-3", BOARD]);
    assert_eq!(ran.json()["rests_on"][0]["verified"], "of the program");
}

#[test]
#[cfg(unix)]
fn a_table_that_is_cut_short_under_the_command_ends_it_with_the_name_of_the_file() {
    use std::io::{BufRead, BufReader, Read, Write};
    let home = Home::new();
    std::fs::create_dir(home.join("t")).unwrap();
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/tables");
    let tables = ["4x4-0-1.2.4.5.8.9.bit.tbl", "4x4-0-3.6.7.10.11.15.bit.tbl", "4x4-0-12.13.14.bit.tbl"];
    for table in tables {
        std::fs::copy(shipped.join(table), home.join("t").join(table)).unwrap();
    }
    let mut child = home.start(&["solve", "--ordered", "--threads", "1", "--table-dir", "t", "--tables", "6-6-3"]);
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    writeln!(stdin, "{BOARD}").unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "it has mapped its tables and answered");
    // Tables of more than a megabyte are mapped.
    let path = home.join("t").join(tables[0]);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(4096).unwrap();
    writeln!(stdin, "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15").unwrap();
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let ran = crate::common::Ran::new(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 2, "{rest}{}", ran.stderr);
    let message = format!("error: t/{} was cut short while it was in use", tables[0]);
    assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
}

#[test]
fn a_line_of_any_length_is_refused_in_a_line() {
    let home = Home::new();
    let mut input = vec![b'7'; 5_000_000];
    input.extend_from_slice(b"\n1 2 3 / 4 5 6 / 7 0 8\n1 2 \x07");
    let ran = home.run_with(&["solve", "--ordered"], &input);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("1: the line has more than 65536 bytes") && ran.stderr.len() < 600, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("2: 1 move"), "{}", ran.stdout);
    assert!(ran.stderr.contains("\\u{7}") && !ran.stderr.contains('\x07'), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_nobody_can_get_is_an_error() {
    let home = Home::new();
    let program = env!("CARGO_BIN_EXE_tilebase");
    let solve = |redirected: &str| {
        let command = format!("\"{program}\" solve \"{BOARD}\" {redirected}");
        let mut shell = std::process::Command::new("sh");
        crate::common::Ran::new(shell.args(["-c", &command]).env("HOME", home.path()).output().unwrap())
    };
    let ran = solve(">&-");
    assert!(ran.code == 2 && ran.stderr.contains("cannot write the answer: stdout is closed"), "{}", ran.stderr);
    assert_eq!(solve(">/dev/null").code, 0);
    assert_eq!(solve(">/dev/full").code, 2);
}
