//! No thread can start: each would need more memory for its stack than any machine has. `scripts/check-threads` has limits of processes,
//! which take another user to set.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Home, Ran, interrupt};

/// Bytes of a stack, for threads that give no number of their own.
const STACK: (&str, &str) = ("RUST_MIN_STACK", "1152921504606846976");

/// Korf's board 60, of 66 moves.
const LONG: &str = "11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 0";

fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.env(STACK.0, STACK.1).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(home: &Home, arguments: &[&str]) -> Ran {
    let ran = Ran::new(command(home, arguments).output().unwrap());
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

#[test]
fn a_search_says_once_that_it_has_one_thread_and_goes_on() {
    let home = Home::new();
    let solve = ["solve", "--goal", "korf", "--tables", "6-6-3", "--threads", "4", LONG];
    let ran = run(&home, &solve);
    assert_eq!((ran.code, ran.stderr.matches("only 1 of 4 threads could start").count()), (0, 1), "{}", ran.stderr);
    let ran = run(&home, &[&solve[..], &["--quiet", "--json"]].concat());
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    assert_eq!(ran.json()["length"], 66);
}

#[test]
fn tables_are_built_and_verified_on_one_thread() {
    let home = Home::new();
    let out = home.join("t");
    let out = out.to_str().unwrap();
    let built = run(&home, &["generate", ".AAB/ABBB", "--audit", "--threads", "4", "--out", out]);
    assert_eq!((built.code, built.stderr.matches("threads could start").count()), (0, 1), "{}", built.stderr);
    for entry in std::fs::read_dir(out).unwrap() {
        let path = entry.unwrap().path();
        let verified = run(&home, &["tables", "verify", path.to_str().unwrap()]);
        assert_eq!(verified.code, 0, "{}", verified.stderr);
    }
}

#[test]
fn ctrl_c_is_heard_without_a_thread() {
    let home = Home::new();
    let arguments =
        ["solve", "--threads", "4", "21 23 14 19 20 / 1 6 5 11 12 / 10 7 16 13 0 / 2 8 18 4 15 / 22 17 24 9 3"];
    let child = command(&home, &arguments).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let ran = interrupt(child);
    assert_eq!(ran.code, 130, "{}", ran.stderr);
}

#[test]
fn a_server_without_threads_says_so_and_ends() {
    let home = Home::new();
    let ran = run(&home, &["serve", "--port", "0"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("the server cannot run: it needs 3 threads next to its own, and 0 could start"),
        "{}",
        ran.stderr
    );
}
