//! Ctrl-C while boards are being solved.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command};
use std::time::Duration;

use crate::common::{Home, Ran, interrupt, json};

/// Hours by the Manhattan distance alone.
const HOPELESS: &str = "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0";

const EASY: &str = "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15";

const BY_MANHATTAN: [&str; 5] = ["solve", "--heuristic", "manhattan", "--goal", "blank-first"];

/// The command, when it has been searching for a while.
fn searching(home: &Home, more: &[&str]) -> Child {
    let child = home.start(&[&BY_MANHATTAN, more].concat());
    std::thread::sleep(Duration::from_millis(700));
    child
}

#[test]
fn what_is_proven_when_ctrl_c_comes_is_told() {
    let home = Home::new();
    let ran = interrupt(searching(&home, &[HOPELESS]));
    assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("not solved: interrupted after "), "{}", ran.stdout);
    assert!(ran.stdout.contains(" nodes; every solution has at least "), "{}", ran.stdout);
}

#[test]
fn what_is_proven_when_ctrl_c_comes_is_an_object_in_json() {
    let home = Home::new();
    for algorithm in ["ida", "astar", "rbfs"] {
        let Ran { code, stdout, stderr } = interrupt(searching(&home, &["--json", "--algorithm", algorithm, HOPELESS]));
        assert_eq!(code, 130, "{stdout}{stderr}");
        let answer = json(&stdout);
        assert_eq!((&answer["limit"], &answer["solvable"]), (&"interrupted".into(), &true.into()), "{answer}");
        // Its Manhattan distance, and not more than the distance.
        assert!((40..=80).contains(&answer["at_least"].as_u64().unwrap()), "{answer}");
        assert!(answer["nodes"].as_u64().unwrap() > 1000 && answer.get("length").is_none(), "{answer}");
    }
}

#[test]
fn of_several_boards_those_under_way_are_told_though_stdin_stays_open() {
    let home = Home::new();
    for ordered in [&[][..], &["--ordered"]] {
        let mut child = home.start(&[&BY_MANHATTAN[..], &["--json", "--threads", "3", "-"], ordered].concat());
        let mut stdin = child.stdin.take().unwrap();
        writeln!(stdin, "{EASY}\n{HOPELESS}\n{EASY}\n{HOPELESS}").unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        assert_eq!(json(&first)["length"], 0, "{first}");
        std::thread::sleep(Duration::from_millis(500));
        // The third thread waits for another board.
        let ran = interrupt(child);
        assert_eq!(ran.code, 130, "{}", ran.stderr);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        // Whoever of the two easy ones came first was read before.
        let mut limits: Vec<(u64, String)> = std::iter::once(&*first)
            .chain(rest.lines())
            .map(json)
            .map(|answer| (answer["id"].as_u64().unwrap(), answer["limit"].as_str().unwrap_or("none").to_owned()))
            .collect();
        limits.sort();
        let expected = [(1, "none"), (2, "interrupted"), (3, "none"), (4, "interrupted")]
            .map(|(id, limit)| (id, limit.to_owned()));
        assert_eq!(limits, expected, "{ordered:?}");
        drop(stdin);
    }
}

#[test]
fn while_nothing_is_under_way_ctrl_c_ends_the_command_at_once() {
    let home = Home::new();
    let child = searching(&home, &["-"]);
    let ran = interrupt(child);
    assert_eq!((ran.code, &*ran.stdout), (130, ""));
}

#[test]
fn a_second_ctrl_c_needs_no_first_one_to_be_done() {
    let home = Home::new();
    let child = searching(&home, &[HOPELESS]);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    // It may be gone already.
    let _ = Command::new("kill").args(["-INT", &id]).output();
    assert_eq!(Ran::new(child.wait_with_output().unwrap()).code, 130);
}

#[test]
fn what_is_known_of_a_solution_when_ctrl_c_comes_is_told() {
    let home = Home::new();
    let arguments = ["analyse", "--heuristic", "manhattan", "--goal", "blank-first"];
    let interrupted = |more: &[&str]| {
        let child = home.start(&[&arguments, more].concat());
        std::thread::sleep(Duration::from_millis(700));
        interrupt(child)
    };
    let ran = interrupted(&["--json", HOPELESS, "DU"]);
    assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
    let answer = json(&ran.stdout);
    assert_eq!((&answer["limit"], &answer["legal"]), (&"interrupted".into(), &true.into()), "{answer}");
    assert!(answer["at_least"].as_u64().unwrap() >= 40, "{answer}");
    let ran = interrupted(&[HOPELESS, "DU"]);
    assert!(ran.code == 130 && ran.stdout.contains("interrupted: every solution has at least "), "{}", ran.stdout);
}
