//! Catalogues where table files are taken.

use super::{NAMES, SMALL, with_packed_5_5_5, with_small_tables};
use crate::common::{Home, files, slashed};

#[test]
fn a_catalogue_stands_for_its_tables_in_the_directories() {
    let (home, tables) = with_small_tables();
    let file = |name: &str| tables.join(format!("{name}.bit.tbl")).display().to_string();
    for command in ["info", "stats", "verify", "audit"] {
        let by_name = home.done(&["tables", command, "--json", "--table-dir", "t", SMALL]);
        let given: Vec<_> = by_name.json_lines().iter().map(|line| slashed(line["file"].as_str().unwrap())).collect();
        assert_eq!(given, NAMES.map(|name| format!("t/{name}.bit.tbl")), "{command}");
        let by_file = home.done(&["tables", command, "--json", &file(NAMES[0]), &file(NAMES[1])]);
        assert_eq!(by_file.json_lines().len(), 2, "{command}");
        for (by_name, by_file) in by_name.json_lines().iter().zip(by_file.json_lines()) {
            for (key, value) in by_name.as_object().unwrap().iter().filter(|(key, _)| *key != "file") {
                assert_eq!(*value, by_file[key], "{command} {key}");
            }
        }
    }
    home.done(&["tables", "pack", "--level", "1", "--table-dir", "t", SMALL]);
    for name in NAMES {
        assert!(tables.join(format!("{name}.bit.tbl.zst")).is_file());
        std::fs::remove_file(tables.join(format!("{name}.bit.tbl"))).unwrap();
        std::fs::remove_file(tables.join(format!("{name}.nibble.tbl"))).unwrap();
    }
    // Packed ones can be verified as they are; for the rest they have to be unpacked.
    let packed = home.done(&["tables", "verify", "--table-dir", "t", SMALL]);
    assert_eq!(packed.stdout.matches(".bit.tbl.zst: whole").count(), 2, "{}", packed.stdout);
    let say = format!("2 of 2 tables of \"{SMALL}\" are packed: run tilebase tables unpack \"{SMALL}\"");
    home.says(&["tables", "info", "--table-dir", "t", SMALL], 2, &say);
    home.done(&["tables", "unpack", "--table-dir", "t", SMALL]);
    home.done(&["tables", "info", "--table-dir", "t", SMALL]);
}

#[test]
fn tables_in_the_program_have_no_file_and_can_be_looked_at() {
    let home = Home::new();
    for command in ["info", "stats", "verify", "audit"] {
        let ran = home.done(&["tables", command, "6-6-3"]);
        assert_eq!(ran.stdout.matches("(in the program)").count(), 3, "{command}: {}", ran.stdout);
        let lines = home.done(&["tables", command, "--json", "6-6-3"]).json_lines();
        assert!(lines.len() == 3 && lines.iter().all(|line| line["file"].is_null()), "{lines:?}");
    }
    home.done(&["tables", "pack", "--level", "1", "--out", "p", "6-6-3"]);
    assert!(home.join("p/4x4-0-12.13.14.bit.tbl.zst").is_file());
    home.done(&["tables", "stats", "--excess", "6-6-3"]);
}

#[test]
fn packed_tables_are_unpacked_by_name() {
    let (home, _, names) = with_packed_5_5_5();
    let ran = home.done(&["tables", "unpack", "--table-dir", "t", "--out", "new", "5-5-5"]);
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    let mut unpacked = files(&home.join("new"));
    unpacked.sort();
    assert_eq!(unpacked, names);
    home.says(&["tables", "unpack", "7-8"], 2, "2 of 2 tables of \"7-8\" are not there as packed files");
}

#[test]
fn what_is_missing_is_told_with_the_command_that_makes_it() {
    let home = Home::new();
    for command in ["info", "stats", "verify", "audit", "pack"] {
        let ran = home.says(
            &["tables", command, "7-8"],
            2,
            "2 of 2 tables of \"7-8\" are not there: run tilebase generate \"7-8\"",
        );
        assert_eq!(ran.stdout, "", "{command}");
        home.says(
            &["tables", command, "7-9"],
            2,
            "\"7-9\" is neither a table file nor a known catalogue: expected a file, ",
        );
        home.says(&["tables", command, "no/such.tbl"], 2, "no/such.tbl");
    }
}

#[test]
fn tables_that_do_not_fit_are_passed_over_and_used_with_a_warning_when_they_are_named() {
    // Larger patterns than those of the tables that would be built on the spot.
    const LARGE: &str = ".AAA/AAAA/BBBB";
    let home = Home::new();
    home.done(&["generate", "--quiet", "--table-dir", "t", LARGE]);
    let solve = |more: &[&'static str]| {
        let solve = ["solve", "--table-dir", "t", "1 2 3 4 / 5 6 7 8 / 9 0 10 11"];
        home.done(&[&solve[..], more].concat())
    };
    let fits = solve(&[]);
    assert!(fits.stderr.contains(LARGE) && !fits.stderr.contains("are not used"), "{}", fits.stderr);
    let passed_over = solve(&["--max-memory", "5kB"]);
    let expected = format!("GB of memory, and 0.0000 GB are available; --tables {LARGE} uses them all the same");
    assert!(passed_over.stderr.contains(&expected), "{}", passed_over.stderr);
    let named = solve(&["--max-memory", "5kB", "--tables", LARGE]);
    let expected = format!("warning: the tables of {LARGE} do not fit into memory: they need 0.00");
    assert!(named.stderr.contains(&expected), "{}", named.stderr);
    assert_eq!((&named.stdout, &passed_over.stdout), (&fits.stdout, &fits.stdout));
    assert_eq!(solve(&["--tables", LARGE]).stderr.matches("warning").count(), 0);
}
