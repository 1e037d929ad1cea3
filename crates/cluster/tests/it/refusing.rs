//! What cannot work is refused with words before work begins, by all processes together, and leaves nothing.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tilebase_tests::skip::skip;

use crate::jobs::{Home, PROGRAM, Ran};
use crate::tables::names;

/// Builds of which something would be there if work had begun.
const WHAT: [&str; 4] = ["generate", "5-5-5", "--out", "tables"];

/// A job must have been refused with these words, and nothing left of it.
fn check(home: &Home, ran: &Ran, said: &[&str]) {
    ran.refused(said);
    assert_eq!(names(&home.join("tables")), Vec::<String>::new());
}

#[test]
fn too_little_memory_is_refused_by_each_process_that_has_too_little() {
    let home = Home::new();
    let little = [&WHAT[..], &["--max-memory", "1MB"]].concat();
    let words = |process: usize, of: usize| format!("process {process} of {of} on ");
    let ran = home.run(2, &little);
    check(&home, &ran, &[&words(0, 2), &words(1, 2)]);
    assert!(ran.stderr.contains("of memory here, but only 1.0 MB may be used: use more processes"), "{ran}");
    // One of three, the last and the first.
    let ran = home.start_parts(&[(2, PROGRAM, &WHAT), (1, PROGRAM, &little)]).wait();
    check(&home, &ran, &[&words(2, 3)]);
    let ran = home.start_parts(&[(1, PROGRAM, &little), (2, PROGRAM, &WHAT)]).wait();
    check(&home, &ran, &[&words(0, 3)]);
}

#[test]
fn a_limit_of_the_system_on_one_process_is_seen_before_work_begins() {
    let home = Home::new();
    // More than MPI takes to start, and less than the share of eight tiles.
    let limited = format!("ulimit -v 400000; exec '{PROGRAM}' generate 7-8 --threads 1 --out tables");
    let others = ["generate", "7-8", "--threads", "1", "--out", "tables"];
    let ran = home.start_parts(&[(1, PROGRAM, &others), (1, "sh", &["-c", &limited])]).wait();
    check(&home, &ran, &["process 1 of 2 on "]);
    assert!(ran.stderr.contains("of memory here, but only"), "{ran}");
}

#[test]
fn a_scratch_directory_that_is_not_there_is_refused() {
    let home = Home::new();
    let missing = [&WHAT[..], &["--scratch", "missing"]].concat();
    let words = "missing: builds cannot be saved there: No such file or directory";
    check(&home, &home.run(2, &missing), &[words, words]);
    assert!(!home.join("missing").exists());
    home.directory("here");
    let ours = [&WHAT[..], &["--scratch", "here"]].concat();
    let ran = home.start_parts(&[(1, PROGRAM, &ours), (1, PROGRAM, &missing)]).wait();
    check(&home, &ran, &["process 1 of 2 on "]);
    assert!(ran.stderr.contains(words), "{ran}");
}

/// A file system with little room, as long as it lives.
struct Small(PathBuf);

impl Small {
    /// Only root can make one.
    fn new(directory: PathBuf) -> Option<Small> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&directory).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Small(directory))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_scratch_directory_that_is_full_is_refused_before_the_first_level() {
    let home = Home::new();
    let Some(small) = Small::new(home.directory("full")) else {
        return skip("root, to mount a disk that is full");
    };
    let full = [&WHAT[..], &["--scratch", "full"]].concat();
    let words = "builds cannot be saved there: No space left on device";
    check(&home, &home.run(2, &full), &[words, words]);
    assert_eq!(names(&small.0), Vec::<String>::new());
    // It is full for one of them.
    home.directory("here");
    let ours = [&WHAT[..], &["--scratch", "here"]].concat();
    let ran = home.start_parts(&[(1, PROGRAM, &ours), (1, PROGRAM, &full)]).wait();
    check(&home, &ran, &["process 1 of 2 on "]);
    assert!(ran.stderr.contains(words), "{ran}");
    assert_eq!(names(&small.0), Vec::<String>::new());
}

#[test]
fn an_output_directory_that_is_full_is_an_error_and_leaves_no_file() {
    let home = Home::new();
    let Some(small) = Small::new(home.directory("full")) else {
        return skip("root, to mount a disk that is full");
    };
    let ran = home.run(2, &["generate", "5-5-5", "--out", "full"]);
    assert_eq!(ran.code(), 2, "{ran}");
    assert!(ran.stderr.contains("cannot write tables into full: No space left on device"), "{ran}");
    assert_eq!(names(&small.0), Vec::<String>::new());
}

#[test]
fn processes_that_are_not_the_same_program_are_refused() {
    let home = Home::new();
    // It runs as before, but it is another file.
    let other = home.join("other");
    std::fs::copy(PROGRAM, &other).unwrap();
    OpenOptions::new().append(true).open(&other).unwrap().write_all(b"\n").unwrap();
    let other = other.to_str().unwrap();
    let ran = home.start_parts(&[(2, PROGRAM, &WHAT), (1, other, &WHAT)]).wait();
    check(&home, &ran, &["process 2 of 3 on "]);
    assert!(ran.stderr.contains("but process 0 is tilebase-cluster"), "{ran}");
    assert!(ran.stderr.contains("start the same program everywhere"), "{ran}");
    // The copy is as good as the original when all run it.
    let ran = home.start_parts(&[(2, other, &WHAT)]).wait();
    assert_eq!(ran.code(), 0, "{ran}");
}

#[test]
fn what_is_not_known_is_refused_once() {
    let home = Home::new();
    check(&home, &home.run(3, &["generate", "5-5", "--out", "tables"]), &["\"5-5\" is not a known catalogue"]);
    let ran = home.run(3, &["generate", "--tiles", "1,2,99", "--size", "4x4", "--out", "tables"]);
    check(&home, &ran, &["process 0 of 3 on "]);
    assert!(!home.join("tables").exists(), "not even the directory is made");
    // By the parser.
    for wrong in [
        &["generate", "5-5-5", "--nonsense"][..],
        &["generate"],
        &["nonsense"],
        &["generate", "5-5-5", "--max-memory", "much"],
    ] {
        let ran = home.run(3, wrong);
        assert_eq!(ran.code(), 2, "{wrong:?}: {ran}");
        assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("error:")).count(), 1, "{wrong:?}: {ran}");
        assert_eq!(ran.stdout, "", "{wrong:?}");
    }
}

#[test]
fn help_is_printed_once() {
    let home = Home::new();
    for (arguments, words) in
        [(&["--help"][..], "Usage:"), (&["generate", "--help"], "Usage:"), (&["--version"], "tilebase-cluster 0")]
    {
        let ran = home.done(3, arguments);
        assert_eq!(ran.stdout.matches(words).count(), 1, "{ran}");
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_refused() {
    let home = Home::new();
    std::fs::write(home.join("file"), "no directory").unwrap();
    let ran = home.run(2, &["generate", "5-5-5", "--out", "file/tables"]);
    ran.refused(&["process 0 of 2 on "]);
    assert!(ran.stderr.contains("file/tables"), "{ran}");
}

#[test]
fn processes_that_are_asked_for_different_things_refuse_and_none_waits_for_another() {
    let home = Home::new();
    home.directory("scratch");
    let kept = [&WHAT[..], &["--scratch", "scratch"]].concat();
    let dry = [&WHAT[..], &["--dry-run"]].concat();
    let other = ["generate", "6-6-3", "--out", "tables"];
    let plan = ["plan", "5-5-5", "--ranks", "2"];
    for others in [&kept[..], &dry, &other, &plan] {
        for parts in [[&WHAT[..], others], [others, &WHAT[..]]] {
            let ran = home.start_parts(&[(1, PROGRAM, parts[0]), (1, PROGRAM, parts[1])]).wait();
            check(&home, &ran, &["process 1 of 2 on "]);
            assert!(ran.stderr.contains("was asked for something else"), "{ran}");
        }
    }
    let bad = ["generate", "--bad"];
    let ran = home.start_parts(&[(1, PROGRAM, &WHAT), (1, PROGRAM, &bad)]).wait();
    assert_eq!(ran.code(), 2, "{ran}");
    assert!(ran.stderr.contains("process 1 of 2 on ") && ran.stderr.contains("unexpected argument '--bad'"), "{ran}");
    let ran = home.start_parts(&[(1, PROGRAM, &bad), (1, PROGRAM, &WHAT)]).wait();
    assert_eq!(ran.code(), 2, "{ran}");
    assert_eq!(ran.stderr.matches("unexpected argument").count(), 1, "{ran}");
}

#[test]
fn what_is_kept_of_a_table_that_is_there_is_removed() {
    let home = Home::new();
    let scratch = home.directory("scratch");
    let kept = [&WHAT[..], &["--scratch", "scratch"]].concat();
    home.done(2, &kept);
    // As if somebody had been killed when the table had its name.
    let left = scratch.join("4x4-0-1.2.4.5.8.bit.tbl.1-of-2.level-7.build");
    std::fs::write(&left, "rows").unwrap();
    home.done(2, &kept);
    assert_eq!(names(&scratch), Vec::<String>::new());
}
