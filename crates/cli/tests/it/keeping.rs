//! Searches that are kept in a file.

use std::fs;

use crate::common::{Home, interrupt};

const BOARD: &str = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12";
const OTHER: &str = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";

/// Hours by the Manhattan distance alone.
const HOPELESS: &str = "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0";

#[test]
fn a_search_that_is_over_answers_the_same_again() {
    let home = Home::new();
    let solve = ["solve", "--json", "--finish-bound", "--checkpoint", "kept", OTHER];
    let first = home.run(&solve).json();
    let again = home.run(&solve).json();
    for key in ["length", "moves", "complete_nodes", "optimal"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    assert_eq!(first["nodes"].as_u64(), first["complete_nodes"].as_u64().map(|nodes| nodes + 1), "the root as well");
}

#[test]
fn what_was_done_when_ctrl_c_came_is_done() {
    let home = Home::new();
    let solve =
        ["solve", "--json", "--heuristic", "manhattan", "--goal", "blank-first", "--checkpoint", "kept", HOPELESS];
    let mut nodes = 0;
    for _ in 0..3 {
        let child = home.start(&solve);
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let ran = interrupt(child);
        assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
        let more = ran.json()["complete_nodes"].as_u64().unwrap();
        assert!(more >= nodes, "{more} nodes after {nodes}");
        nodes = more;
    }
    let ran = home.run(&[&["--quiet"], &solve[..1], &["--max-nodes", "1"], &solve[1..]].concat());
    assert_eq!(ran.json()["complete_nodes"], nodes, "they are there before anything is searched");
}

#[test]
fn files_that_are_damaged_or_of_another_search_are_refused() {
    let home = Home::new();
    assert_eq!(home.run(&["solve", "--checkpoint", "kept", OTHER]).code, 0);
    let refused = |options: &[&str], reason: &str| {
        let ran = home.run(&[&["solve", "--checkpoint", "kept"], options].concat());
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{options:?}: {}", ran.stderr);
    };
    refused(&[BOARD], "the checkpoint is of another search: its board is");
    refused(&["--heuristic", "manhattan", OTHER], "its bounds is");
    refused(&["--algorithm", "ida-plain", OTHER], "its algorithm is");
    refused(&["--goal", "snail", "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7"], "another search");
    let whole = fs::read(home.join("kept")).unwrap();
    for at in [30, whole.len() / 2, whole.len() - 10] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(home.join("kept"), &damaged).unwrap();
        refused(&[OTHER], "the checkpoint is damaged: remove it");
    }
    fs::write(home.join("kept"), &whole[..whole.len() / 2]).unwrap();
    refused(&[OTHER], "the checkpoint is damaged");
    fs::write(home.join("kept"), "a letter to a friend\n").unwrap();
    refused(&[OTHER], "this is no checkpoint of a search");
    assert_eq!(fs::read(home.join("kept")).unwrap(), b"a letter to a friend\n", "what is refused is left alone");
    fs::remove_file(home.join("kept")).unwrap();
    refused(&[OTHER, BOARD], "a checkpoint is for one board");
    refused(&["--weight", "2", OTHER], "only a search for one shortest solution can be kept");
    refused(&["--algorithm", "astar", OTHER], "astar has no bounds to finish, to keep or to share: use one of ida");
    let ran = home.run(&["solve", "--checkpoint", "not/there/kept", OTHER]);
    assert!(ran.code == 2 && ran.stderr.contains("cannot be used"), "{}", ran.stderr);
}
