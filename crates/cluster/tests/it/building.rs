//! Tables that several processes build are those of one process, to the byte.

use std::sync::LazyLock;

use serde_json::Value;
use tilebase::index::Kind;

use crate::jobs::{Home, PROGRAM, keys};
use crate::tables::{Files, check, names, of_catalogues, of_pattern};

const SIX_TILES: [&str; 4] = ["--tiles", "1,2,5,6,7,11", "--size", "5x5"];

/// One process and several, even and odd.
const PROCESSES: [usize; 4] = [1, 2, 3, 4];

#[test]
fn small_tables_of_both_encodings_are_the_same_for_any_number_of_processes_and_threads() {
    let expected = of_catalogues(&["5-5-5", "6-6-3"], &[Kind::Bit, Kind::Nibble]);
    let home = Home::new();
    for processes in PROCESSES {
        for threads in ["1", "3"] {
            let out = format!("by-{processes}-on-{threads}");
            let what = ["generate", "5-5-5", "6-6-3", "--encoding", "both", "--threads", threads, "--out", &out];
            home.done(processes, &what);
            check(&home.join(&out), &expected, &out);
        }
    }
}

#[test]
fn a_table_for_mtm_is_the_same_from_two_processes_with_and_without_a_scratch_directory() {
    let expected = Files::from([of_pattern("4x4", "1,2,3,7,11,15", Kind::Lines)]);
    let home = Home::new();
    let scratch = home.directory("scratch");
    let what = ["generate", "--metric", "mtm", "--tiles", "1,2,3,7,11,15", "--size", "4x4"];
    home.done(2, &[&what[..], &["--out", "plain"]].concat());
    check(&home.join("plain"), &expected, "mtm");
    home.done(2, &[&what[..], &["--out", "kept", "--scratch", "scratch", "--keep-every", "0s"]].concat());
    check(&home.join("kept"), &expected, "mtm with a scratch directory");
    assert_eq!(names(&scratch), Vec::<String>::new());
}

#[test]
fn processes_need_not_have_the_same_number_of_threads() {
    let home = Home::new();
    let of = |threads| ["generate", "6-6-3", "--threads", threads, "--out", "tables"];
    let ran = home.start_parts(&[(1, PROGRAM, &of("3")), (2, PROGRAM, &of("1"))]).wait();
    assert_eq!(ran.code(), 0, "{ran}");
    check(&home.join("tables"), &of_catalogues(&["6-6-3"], &[Kind::Bit]), "3, 1 and 1 threads");
}

#[test]
fn a_table_of_six_tiles_of_the_24_puzzle_is_the_same_for_any_number_of_processes() {
    let expected = Files::from([of_pattern("5x5", SIX_TILES[1], Kind::Bit)]);
    let home = Home::new();
    for (processes, threads) in PROCESSES.into_iter().zip(["1", "3", "1", "3"]) {
        let out = format!("by-{processes}");
        home.done(processes, &[&["generate", "--threads", threads, "--out", &out], &SIX_TILES[..]].concat());
        check(&home.join(&out), &expected, &out);
        std::fs::remove_dir_all(home.join(&out)).unwrap();
    }
}

/// What the builds of 7-8 took on a number of processes, the seven tiles first.
pub(crate) struct Took {
    pub(crate) processes: usize,
    pub(crate) threads: &'static str,
    pub(crate) builds: Vec<Value>,
}

/// 7-8 by one process and several. All of its tests share the runs, which take some seconds each.
pub(crate) static SEVEN_EIGHT: LazyLock<Vec<Took>> = LazyLock::new(|| {
    let expected = of_catalogues(&["7-8"], &[Kind::Bit]);
    let run = |(processes, threads): (usize, &'static str)| {
        let home = Home::new();
        let ran = home.done(processes, &["generate", "7-8", "--json", "--threads", threads, "--out", "tables"]);
        check(&home.join("tables"), &expected, &format!("7-8 by {processes} on {threads}"));
        let builds: Vec<Value> = ran.json_lines().into_iter().filter(|line| line.get("processes").is_some()).collect();
        assert_eq!(builds.len(), 2, "{ran}");
        Took { processes, threads, builds }
    };
    PROCESSES.into_iter().zip(["3", "1", "3", "1"]).map(run).collect()
});

#[test]
fn the_tables_of_7_8_are_the_same_for_any_number_of_processes() {
    let processes: Vec<usize> = SEVEN_EIGHT.iter().map(|took| took.processes).collect();
    assert_eq!(processes, PROCESSES);
}

#[test]
fn two_processes_send_at_most_a_quarter_of_what_a_build_touches() {
    for build in &SEVEN_EIGHT[1].builds {
        let [touched, sent] = ["bytes_touched", "bytes_sent"].map(|key| build[key].as_u64().unwrap());
        assert!(sent > 0 && sent <= touched / 4, "{sent} bytes sent of {touched} touched: {build}");
    }
    for build in &SEVEN_EIGHT[0].builds {
        assert_eq!(build["bytes_sent"], 0, "one process has nobody to send to");
    }
}

#[test]
fn json_tells_of_each_table_and_of_each_build() {
    let home = Home::new();
    let ran = home.done(2, &["generate", "5-5-5", "--encoding", "both", "--json", "--threads", "1", "--out", "tables"]);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 9, "three builds of two tables each: {ran}");
    for build in lines.chunks(3) {
        for (table, encoding) in build.iter().zip(["bit", "nibble"]) {
            assert_eq!(keys(table), "file tiles encoding count entries bytes levels hash");
            assert_eq!((&table["encoding"], &table["count"]), (&Value::from(encoding), &Value::from("pattern")));
            let file = home.join(table["file"].as_str().unwrap());
            assert_eq!(table["bytes"], std::fs::metadata(file).unwrap().len());
            assert_eq!(table["tiles"], build[2]["tiles"]);
        }
        let keys_of_build = "tiles states processes threads seconds peak_memory bytes_touched bytes_sent \
            bytes_sent_by_level";
        assert_eq!(keys(&build[2]), keys_of_build);
        let by_level: Vec<u64> = serde_json::from_value(build[2]["bytes_sent_by_level"].clone()).unwrap();
        assert_eq!(by_level.len() as u64 + 1, build[0]["levels"].as_u64().unwrap(), "level 0 has nothing to send");
        // What the first process writes has to be sent as well, at least a third of it.
        let (in_levels, sent) = (by_level.iter().sum::<u64>(), build[2]["bytes_sent"].as_u64().unwrap());
        let files: u64 = build[..2].iter().map(|table| table["bytes"].as_u64().unwrap()).sum();
        assert!(in_levels > 0 && sent > in_levels + files / 3, "{in_levels} of {sent}, files of {files}");
        assert_eq!((&build[2]["processes"], &build[2]["threads"]), (&Value::from(2), &Value::from(1)));
        assert_eq!(build[2]["states"], build[0]["entries"]);
    }
}

#[test]
fn what_is_there_is_not_built_again_unless_that_is_asked_for() {
    let home = Home::new();
    let (name, bytes) = of_pattern("4x4", "1,2,4,5,8", Kind::Bit);
    let what = ["generate", "--tiles", "1,2,4,5,8", "--size", "4x4", "--out", "tables"];
    home.done(2, &what);
    let file = home.join("tables").join(&name);
    let made = || std::fs::metadata(&file).unwrap().modified().unwrap();
    let first = made();

    let ran = home.done(3, &what);
    assert_eq!(ran.stdout, "", "nothing was built");
    let there = format!("already there: tables/{name} (use --force to replace)");
    assert_eq!(ran.stderr.matches(&there).count(), 1, "{ran}");
    assert_eq!(made(), first);

    let ran = home.done(2, &[&what[..], &["--force"]].concat());
    assert!(ran.stdout.contains(&name) && !ran.stderr.contains("already there"), "{ran}");
    assert!(made() > first, "it was replaced");

    // A damaged table is not there, and a mirror image is.
    let mut damaged = bytes.clone();
    damaged[4096 + 100] ^= 4;
    std::fs::write(&file, damaged).unwrap();
    let ran = home.done(2, &what);
    assert!(ran.stderr.contains("it is built again"), "{ran}");
    check(&home.join("tables"), &Files::from([(name, bytes)]), "built again");
    let ran = home.done(2, &["generate", "--tiles", "4,8,1,5,2", "--size", "4x4", "--out", "tables"]);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("already there"), "{ran}");
}

#[test]
fn tables_are_proved_when_that_is_asked_for() {
    let home = Home::new();
    home.done(3, &["generate", "5-5-5", "--encoding", "both", "--audit", "--threads", "1", "--out", "tables"]);
    check(&home.join("tables"), &of_catalogues(&["5-5-5"], &[Kind::Bit, Kind::Nibble]), "audited");
    // The proof needs the whole table in one process, which is more than the share of each.
    let of_eight = ["--tiles", "2,3,6,7,10,11,14,15", "--size", "4x4", "--max-memory", "180MB", "--threads", "1"];
    let refused = home.run(4, &[&["generate", "--audit", "--out", "more"], &of_eight[..]].concat());
    refused.refused(&["process 0 of 4"]);
    assert_eq!(names(&home.join("more")), Vec::<String>::new());
}

#[test]
fn a_dry_run_says_what_it_would_take_and_makes_nothing() {
    let home = Home::new();
    let ran = home.done(2, &["generate", "5-5-5", "--dry-run", "--out", "tables"]);
    assert_eq!(ran.stdout.matches("2 processes: at most").count(), 3, "{ran}");
    assert!(!home.join("tables").exists());
}
