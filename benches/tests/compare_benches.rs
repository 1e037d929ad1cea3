//! The program that compares, run as `scripts/compare-benches` runs it, on programs that only seem to measure.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

/// Compares two programs that `data/fake-benches` stands for by their names.
fn compare(old: &str, new: &str, options: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let fake = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fake-benches");
    let [old, new] = [("old", old), ("new", new)].map(|(side, name)| {
        let path = directory.path().join(side);
        std::fs::create_dir(&path).unwrap();
        symlink(fake, path.join(name)).unwrap();
        path.join(name)
    });
    Command::new(env!("CARGO_BIN_EXE_compare-benches")).args(options).args([old, new]).output().unwrap()
}

/// What is said of a comparison that ends with this exit code.
fn answer(old: &str, new: &str, options: &[&str], code: i32) -> String {
    let output = compare(old, new, options);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a comparison that cannot be made.
fn error(old: &str, new: &str, options: &[&str]) -> String {
    let output = compare(old, new, options);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn equal_programs_pass() {
    let text = answer("steady", "steady", &[], 0);
    assert!(text.ends_with("none of 2 is slower\n"), "{text}");
}

#[test]
fn what_is_slower_is_named_and_fails() {
    let text = answer("steady", "slower", &[], 1);
    assert!(text.contains("100 ns      120 ns   +20.0%     5.0%     16  slower"), "{text}");
    assert!(text.ends_with("1 of 2 slower: search/nodes\n"), "{text}");
}

#[test]
fn what_is_faster_passes() {
    let text = answer("steady", "faster", &[], 0);
    assert!(text.contains("-20.0%     5.0%      8  faster"), "{text}");
}

#[test]
fn a_floor_above_the_change_lets_it_pass() {
    answer("steady", "slower", &["--floor", "25"], 0);
}

#[test]
fn only_some_are_compared_when_asked() {
    let text = answer("steady", "slower", &["--only", "rank"], 0);
    assert!(text.contains("rank/few") && !text.contains("search"), "{text}");
}

#[test]
fn only_benchmarks_of_both_are_compared() {
    let text = answer("steady", "other", &[], 0);
    assert!(text.contains("search/nodes  only in the old program\nopen/some  only in the new program\n"), "{text}");
    assert!(text.ends_with("none of 1 is slower\n"), "{text}");
}

#[test]
fn json_is_a_line_for_each() {
    let text = answer("steady", "slower", &["--json"], 1);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<_> = lines.iter().map(|line| (line["bench"].as_str(), line["verdict"].as_str())).collect();
    assert_eq!(verdicts, [(Some("rank/few"), Some("same")), (Some("search/nodes"), Some("slower"))]);
}

#[test]
fn programs_that_do_not_measure_are_no_comparison() {
    for (new, expected) in [
        ("failing", "the cost is right"),
        ("silent", "nothing was written about \"rank/few\""),
        ("damaged", "expected `iters` and `times`"),
        ("nameless", "no benchmark to compare"),
        ("strange", "no benchmark to compare"),
    ] {
        let error = error("steady", new, &[]);
        assert!(error.contains(expected), "{new}: {error}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_compare-benches")).args(["no-such", "program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no-such: ") && error.contains("expected a program of benchmarks"), "{error}");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for options in [["--floor", "0"], ["--floor", "-5"], ["--floor", "NaN"], ["--pairs", "2"], ["--pairs", "x"]] {
        let error = error("steady", "steady", &options);
        assert!(
            error.contains("expected a number from") || error.contains("unexpected argument"),
            "{options:?}: {error}"
        );
    }
    assert!(error("steady", "steady", &["--only", "nothing"]).contains("no benchmark to compare"));
}
