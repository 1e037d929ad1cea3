//! Searches by several processes find what one finds, with the same nodes, whoever dies on the way.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::Value;
use tilebase::solve::CutBound;
use tilebase::{CheckpointFile, Goal, Metric, Outcome, Random, Request, Solver, Tables};

use crate::jobs::{Home, PROGRAM, Ran, signal};

/// Korf's board 15: its last bounds are large enough, by the Manhattan distance, to be cut into units.
const BOARD: &str = "14 7 8 2 / 13 11 10 4 / 9 12 5 0 / 3 6 1 15";
const SEARCH: [&str; 8] =
    ["solve", "--goal", "blank-first", "--heuristic", "manhattan", "--finish-bound", "--json", BOARD];

/// A board for `mtm`, with the table in the program: its last bounds are cut as well.
const BOARD_MTM: &str = "13 11 8 9 / 0 15 7 10 / 4 3 6 14 / 5 12 2 1";
const TABLE_MTM: &str = "all:1.2.3.7.11";

fn solver() -> Solver {
    solver_in(Metric::Stm, "manhattan")
}

fn solver_in(metric: Metric, tables: &str) -> Solver {
    let goal = Goal::BlankFirst.board("4x4".parse().unwrap()).unwrap();
    Solver::builder(&goal).metric(metric).tables(Tables::Named(tables)).open().unwrap()
}

/// What must not depend on who searched: the length, the nodes of complete bounds, the nodes expanded, and whether it is proven.
fn numbers(answer: &Value) -> Vec<Value> {
    ["length", "complete_nodes", "expanded", "optimal"].map(|key| answer[key].clone()).to_vec()
}

/// The same, found by the library alone.
fn alone() -> Vec<Value> {
    alone_by(&solver(), BOARD)
}

fn alone_by(solver: &Solver, board: &str) -> Vec<Value> {
    let request = Request::default().finish_bound(true).threads(NonZeroUsize::new(2).unwrap());
    let Outcome::Solved(found) = solver.search(&board.parse().unwrap(), &request).unwrap() else {
        panic!("there is no limit")
    };
    let effort = found.effort;
    vec![found.length.into(), effort.generated_complete.into(), effort.expanded.into(), found.optimal.into()]
}

fn with(options: &[&'static str]) -> Vec<&'static str> {
    [&SEARCH[..], options].concat()
}

fn answer(ran: &Ran) -> Value {
    let mut answers = ran.json_lines();
    assert_eq!(answers.len(), 1, "{ran}");
    answers.remove(0)
}

#[test]
fn one_board_is_searched_by_all_processes_and_has_the_nodes_of_one() {
    let (home, expected) = (Home::new(), alone());
    for (processes, threads) in [(1, "1"), (2, "1"), (3, "3")] {
        let found = answer(&home.done(processes, &with(&["--threads", threads])));
        assert_eq!(numbers(&found), expected, "{processes} processes");
        assert_eq!(found["processes"], processes);
        let elsewhere = found["units_elsewhere"].as_u64().unwrap();
        assert!(if processes == 1 { elsewhere == 0 } else { elsewhere > 10 }, "{elsewhere} units elsewhere");
        assert!(found["shared_seconds"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn one_board_in_mtm_is_searched_by_two_processes_and_has_the_nodes_of_one() {
    let expected = alone_by(&solver_in(Metric::Mtm, TABLE_MTM), BOARD_MTM);
    let search = ["solve", "--metric", "mtm", "--goal", "blank-first", "--tables", TABLE_MTM, "--threads", "1"];
    let found = answer(&Home::new().done(2, &[&search[..], &["--finish-bound", "--json", BOARD_MTM]].concat()));
    assert_eq!(numbers(&found), expected);
    assert!(found["units_elsewhere"].as_u64().unwrap() > 10, "{found}");
}

#[test]
fn a_search_that_lost_a_process_goes_on_with_any_number_of_them_or_alone() {
    let (home, expected) = (Home::new(), alone());
    let board = BOARD.parse().unwrap();
    // Of a copy: a checkpoint is written to when it is opened.
    let units_done = || {
        if std::fs::copy(home.join("search.ckpt"), home.join("look.ckpt")).is_err() {
            return 0;
        }
        let file = CheckpointFile::open(&home.join("look.ckpt"), &solver(), &board).unwrap();
        file.before().cut.as_ref().map_or(0, CutBound::units_done)
    };
    let kept = with(&["--threads", "1", "--checkpoint", "search.ckpt"]);
    let mut job = home.start(2, &kept);
    let processes = job.wait_for_processes(2);
    // Checkpoints are kept every two seconds, and the last bound takes longer: there are units left when the first are kept.
    while units_done() == 0 && !job.has_ended() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!job.has_ended() && signal("-KILL", processes[1]), "it ended before it was killed");
    let ran = job.wait_at_most(Duration::from_secs(10));
    assert!(ran.code() != 0 && ran.stderr.to_lowercase().contains("killed"), "{ran}");
    assert_eq!(ran.stdout, "", "nothing is answered");
    assert!(units_done() > 0, "units that were done stay done");
    // The library goes on from there to the end.
    let copy = home.join("copy.ckpt");
    std::fs::copy(home.join("search.ckpt"), &copy).unwrap();
    let file = CheckpointFile::open(&copy, &solver(), &board).unwrap();
    let request = Request::default().finish_bound(true).keep(&file);
    let Outcome::Solved(solved) = solver().search(&board, &request).unwrap() else { panic!("there is no limit") };
    assert_eq!(
        numbers(&serde_json::json!({
            "length": solved.length, "complete_nodes": solved.effort.generated_complete,
            "expanded": solved.effort.expanded, "optimal": solved.optimal,
        })),
        expected
    );
    // So do three processes.
    assert_eq!(numbers(&answer(&home.done(3, &kept))), expected);
}

#[test]
fn limits_hold_for_all_processes_together() {
    let home = Home::new();
    let limited = [&SEARCH[..7], &["--max-nodes", "100000000", BOARD]].concat();
    let ran = home.run(2, &limited);
    assert_eq!(ran.code(), 3, "{ran}");
    let answer = answer(&ran);
    assert_eq!(answer["limit"], "nodes", "{ran}");
    let nodes = answer["nodes"].as_u64().unwrap();
    assert!((90_000_000..200_000_000).contains(&nodes), "{nodes} nodes");
    let ran = home.run(2, &with(&["--time-limit", "1500ms"]));
    assert_eq!((ran.code(), &ran.json_lines()[0]["limit"]), (3, &Value::from("time")), "{ran}");
}

/// Boards of two sizes, one that cannot be solved, and one that is none.
fn boards() -> String {
    let mut random = Random::new(8);
    let mut text = String::new();
    for (size, count) in [("3x3", 60), ("4x4", 40)] {
        let goal = Goal::BlankLast.board(size.parse().unwrap()).unwrap();
        (0..count).for_each(|_| text.extend([&*random.solvable_board(&goal).to_string(), "\n"]));
    }
    text + "1 2 3 / 4 5 6 / 8 7 0\nnonsense\n1 2 3 / 4 5 6 / 7 8 0\n"
}

#[test]
fn many_boards_are_handed_out_and_each_is_answered_once() {
    let home = Home::new();
    std::fs::write(home.join("boards.txt"), boards()).unwrap();
    let mut expected: Option<BTreeMap<u64, (Value, Value, Value)>> = None;
    for (processes, threads) in [(1, "1"), (2, "1"), (3, "2"), (4, "3")] {
        let ran = home.run(processes, &["solve", "--json", "--threads", threads, "boards.txt"]);
        assert_eq!(ran.code(), 2, "one of them is no board: {ran}");
        let answers = ran.json_lines();
        assert_eq!(answers.len(), 103);
        let found: BTreeMap<u64, _> = answers
            .iter()
            .map(|answer| {
                let [length, nodes, moves] = ["length", "nodes", "moves"].map(|key| answer[key].clone());
                (answer["id"].as_u64().unwrap(), (length, nodes, moves))
            })
            .collect();
        assert_eq!(found.len(), 103);
        assert_eq!(found.values().filter(|(length, ..)| length.is_null()).count(), 2);
        assert_eq!(expected.get_or_insert_with(|| found.clone()), &found, "{processes} processes");
    }
    let expected = expected.unwrap();
    for (line, text) in (1..).zip(boards().lines().take(100)) {
        let board: tilebase::Board = text.parse().unwrap();
        let solver = Solver::builder(&Goal::BlankLast.board(board.size()).unwrap()).open().unwrap();
        assert_eq!(expected[&line].0, solver.solve(&board).unwrap().length, "line {line}");
    }
    let ran = home.run(3, &["solve", "--json", "--ordered", "boards.txt"]);
    let ids: Vec<u64> = ran.json_lines().iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[test]
fn other_tables_in_one_process_are_refused_before_the_search() {
    let home = Home::new();
    let search = |tables| ["solve", "--tables", tables, "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"];
    let ran = home.start_parts(&[(1, PROGRAM, &search("6-6-3")), (1, PROGRAM, &search("5-5-5"))]).wait();
    ran.refused(&["process 1 of 2 on "]);
    assert!(ran.stderr.contains("the tables here are 5-5-5") && ran.stderr.contains("process 0 are 6-6-3"), "{ran}");
    let ran = home.run(2, &["solve", "--goal", "blank-first", "--tables", "7-8", BOARD]);
    assert_eq!((ran.code(), &*ran.stdout), (2, ""), "{ran}");
}

#[test]
fn what_cannot_be_solved_or_kept_is_said_once() {
    let home = Home::new();
    let ran = home.run(3, &["solve", "1 2 3 / 4 5 6 / 8 7 0"]);
    assert_eq!((ran.code(), ran.stdout.lines().count()), (1, 1), "{ran}");
    assert!(ran.stdout.starts_with("unsolvable: "), "{ran}");
    let ran = home.run(2, &["solve", "--checkpoint", "many.ckpt", "1 2 3 / 4 5 6 / 7 0 8", "1 2 3 / 4 5 6 / 0 7 8"]);
    ran.refused(&["a checkpoint is for one board"]);
    std::fs::write(home.join("other.ckpt"), "something else").unwrap();
    let ran = home.run(2, &with(&["--checkpoint", "other.ckpt"]));
    ran.refused(&["this is no checkpoint of a search"]);
}
