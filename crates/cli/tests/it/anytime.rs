//! `solve --anytime`: a solution now, better ones later.

use serde_json::Value;
use tilebase::Board;

#[cfg(unix)]
use crate::common::interrupt;
use crate::common::{Home, Ran};

/// Far from its goal: nobody proves its distance within a test.
const FAR: &str = "21 24 8 14 15 / 3 5 7 2 12 / 23 9 0 11 22 / 17 16 10 18 4 / 6 19 13 1 20";

/// 80 moves, hours by the Manhattan distance alone.
const HOPELESS: &str = "0 12 9 13 / 15 11 10 14 / 3 7 6 2 / 4 8 5 1";

const ANYTIME: [&str; 4] = ["solve", "--anytime", "--heuristic", "linear-conflict"];

fn run(home: &Home, more: &[&str]) -> Ran {
    home.run(&[&ANYTIME, more].concat())
}

/// The moves of an answer lead from the board to its goal.
fn assert_legal(board: &str, answer: &Value) {
    let board: Board = board.parse().unwrap();
    let goal = tilebase::Goal::BlankLast.board(board.size()).unwrap();
    let moves = tilebase::Sequence::parse(answer["moves"].as_str().unwrap(), tilebase::MoveForm::Tile).unwrap();
    let tilebase::Sequence::Slides(moves) = moves else { panic!("tile moves are slides") };
    assert_eq!(moves.len() as u64, answer["length"].as_u64().unwrap());
    assert_eq!(board.replay(&moves), Ok(goal));
}

#[test]
fn at_a_limit_the_best_solution_and_the_gap_are_the_answer() {
    let ran = run(&Home::new(), &["--time-limit", "600ms", FAR]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let (length, rest) = ran.stdout.split_once(" moves (at least ").unwrap();
    let (at_least, moves) = rest.split_once("): ").unwrap();
    let (length, at_least): (u32, u32) = (length.parse().unwrap(), at_least.parse().unwrap());
    assert!(80 < at_least && at_least < length && moves.len() > 50, "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("{length} moves now, at least ")), "{}", ran.stderr);
    let end = format!("the time limit of 600 ms was reached; every solution has at least {at_least} moves");
    assert!(ran.stderr.contains(&end), "{}", ran.stderr);
}

#[test]
fn json_has_an_object_for_each_improvement_and_one_for_the_answer() {
    for limit in [["--time-limit", "500ms"], ["--max-nodes", "3000000"]] {
        let ran = run(&Home::new(), &[&["--json"], &limit[..], &[FAR]].concat());
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        let mut lines = ran.json_lines();
        let answer = lines.pop().unwrap();
        assert!(lines.len() >= 2, "{}", ran.stdout);
        for line in lines.iter().chain([&answer]) {
            assert_legal(FAR, line);
            assert_eq!((&line["optimal"], &line["algorithm"]), (&false.into(), &"anytime".into()), "{line}");
            assert!(line["at_least"].as_u64() < line["length"].as_u64(), "{line}");
        }
        assert!(lines.iter().all(|line| line["improving"] == true && line.get("limit").is_none()));
        assert!(answer.get("improving").is_none(), "{answer}");
        assert_eq!(
            answer["limit"],
            limit[0].trim_start_matches("--").trim_end_matches("-limit").trim_start_matches("max-")
        );
        assert!(lines.last().unwrap()["length"].as_u64() >= answer["length"].as_u64());
    }
}

#[test]
fn a_board_that_is_solved_has_the_answer_of_plain_solve() {
    let home = Home::new();
    for board in ["5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15", "1 2 3 / 4 5 6 / 7 8 0"] {
        let (plain, anytime) = (home.run(&["solve", board]), home.run(&["solve", "--anytime", board]));
        assert_eq!((&plain.stdout, plain.code), (&anytime.stdout, anytime.code));
        let answer = home.run(&["solve", "--anytime", "--json", board]).json();
        assert_eq!((&answer["optimal"], &answer["at_least"]), (&true.into(), &answer["length"]), "{answer}");
    }
    assert_eq!(home.run(&["solve", "--anytime", "1 2 3 / 4 5 6 / 8 7 0"]).code, 1, "unsolvable, before any search");
}

#[test]
fn near_enough_ends_it_well() {
    let ran = run(&Home::new(), &["--within", "60%", "--json", FAR]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer = ran.json_lines().pop().unwrap();
    let (length, at_least) = (answer["length"].as_u64().unwrap(), answer["at_least"].as_u64().unwrap());
    assert!(at_least < length && length * 100 <= at_least * 160 && answer.get("limit").is_none(), "{answer}");
    let text = run(&Home::new(), &["--within", "60", FAR]);
    assert!(text.stderr.contains("that is near enough; every solution has at least "), "{}", text.stderr);
}

#[test]
fn many_boards_are_improved_side_by_side_each_with_its_number() {
    let home = Home::new();
    let boards = format!("{FAR}\n1 2 3 / 4 5 6 / 8 7 0\n{FAR}\n1 2 3 / 4 5 0 / 7 8 6\n");
    let ran = home.run_with(
        &[&ANYTIME[..], &["--json", "--threads", "2", "--time-limit", "300ms", "-"]].concat(),
        boards.as_bytes(),
    );
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let lines = ran.json_lines();
    let ends: Vec<&Value> = lines.iter().filter(|line| line.get("improving").is_none()).collect();
    assert_eq!(ends.len(), 4, "{}", ran.stdout);
    for id in [1, 3] {
        let of_board = |line: &&&Value| line["id"] == id;
        assert_legal(FAR, ends.iter().find(of_board).unwrap());
        assert!(lines.iter().any(|line| line["id"] == id && line["improving"] == true), "{}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_the_best_solution_whenever_it_comes() {
    let home = Home::new();
    for (number, milliseconds) in [900, 450, 320, 610, 1100, 380, 750, 530].into_iter().enumerate() {
        let more: &[&str] = if number % 2 == 0 { &["--json"] } else { &[] };
        let threads = ["1", "2", "3"][number % 3];
        let child = home.start(&[&ANYTIME, more, &["--threads", threads, HOPELESS]].concat());
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let ran = interrupt(child);
        assert_eq!(ran.code, 130, "{}", ran.stderr);
        if more.is_empty() {
            let has_solution = ran.stdout.contains(" moves (at least ");
            assert!(has_solution || ran.stdout.contains("every solution has at least"), "{}", ran.stdout);
            assert!(has_solution || milliseconds < 600, "there was time for one: {}", ran.stdout);
            continue;
        }
        let answer = ran.json_lines().pop().unwrap();
        assert_eq!(answer["limit"], "interrupted", "{answer}");
        assert!(answer["at_least"].as_u64().unwrap() <= 80, "{answer}");
        if answer.get("length").is_some() {
            assert_legal(HOPELESS, &answer);
            assert_eq!(answer["optimal"], false, "{answer}");
            assert!(answer["length"].as_u64().unwrap() >= 80, "{answer}");
        }
        assert!(answer.get("length").is_some() || milliseconds < 600, "there was time for one: {answer}");
    }
}

#[test]
fn without_it_a_limit_mentions_it_in_one_line_where_it_makes_sense() {
    let home = Home::new();
    let mentions = |more: &[&str]| {
        let ran =
            home.run(&[&["solve", "--heuristic", "manhattan", "--max-nodes", "1000"], more, &[HOPELESS]].concat());
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stdout.contains("every solution has at least"), "{}", ran.stdout);
        ran.stderr.lines().filter(|line| line.contains("--anytime")).count()
    };
    assert_eq!(mentions(&[]), 1);
    assert_eq!(mentions(&["--quiet"]), 0);
    assert_eq!(mentions(&["--all"]), 0);
    assert_eq!(mentions(&["--algorithm", "astar"]), 0);
    let inadmissible = home.run(&["solve", "--heuristic", "blank-aware", "--max-nodes", "10", HOPELESS]);
    assert!(inadmissible.code == 3 && !inadmissible.stderr.contains("--anytime"), "{}", inadmissible.stderr);
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let home = Home::new();
    for (options, expected) in [
        (&["--anytime", "--all"][..], "cannot be used with"),
        (&["--anytime", "--weight", "2"], "cannot be used with"),
        (&["--anytime", "--checkpoint", "file"], "cannot be used with"),
        (&["--within", "5%"], "--anytime"),
        (&["--anytime", "--within", "five"], "expected percent from 0 to 99900, such as 5% or 2.5%"),
        (&["--anytime", "--within=-5%"], "expected percent"),
        (&["--anytime", "--algorithm", "astar"], "raises bounds by ida, which astar has none of"),
        (&["--width", "7"], "--width is how wide a beam is: add --algorithm beam"),
        (&["--anytime", "--heuristic", "blank-aware"], "may exceed the distance"),
        (&["--width", "0", "--algorithm", "beam"], "--width"),
    ] {
        let ran = home.run(&[&["solve"], options, &[HOPELESS]].concat());
        assert_eq!(ran.code, 2, "{options:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn a_beam_is_a_search_of_its_own() {
    let home = Home::new();
    let lengths = ["50", "20000"].map(|width| {
        let ran = home.run(&["solve", "--algorithm", "beam", "--width", width, "--json", HOPELESS]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let answer = ran.json();
        assert_legal(HOPELESS, &answer);
        assert_eq!(answer["optimal"], false);
        answer["length"].as_u64().unwrap()
    });
    assert!(lengths[0] > lengths[1] && lengths[1] >= 80, "{lengths:?}");
}
