//! `analyse`: solutions held against the shortest.

use serde_json::json;

use crate::common::{Home, Ran, keys};

const BOARD: &str = "1 2 3 / 4 0 6 / 7 5 8";

#[test]
fn a_file_of_solutions_is_read_in_its_order_and_blank_directions_are_recognised() {
    let home = Home::new();
    // The example of docs/analyse.md.
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/analyse.md")).unwrap();
    let after = |text: &str| page.split(text).nth(1).unwrap().split("```").next().unwrap().to_owned();
    let class = after("between board and moves:\n\n```text\n");
    std::fs::write(home.join("class.txt"), class).unwrap();
    let expected = after("$ tilebase analyse --ordered --lost-at-most 0 class.txt\n");
    let ran = home.run(&["analyse", "--ordered", "--lost-at-most", "0", "class.txt"]);
    assert!(ran.code == 1 && ran.stdout.starts_with(&expected), "{}{}", ran.stdout, ran.stderr);
    let by_stdin = home.run_with(&["analyse", "--json", "--ordered"], &std::fs::read(home.join("class.txt")).unwrap());
    let by_file = home.run(&["analyse", "--json", "--ordered", "class.txt"]);
    let lengths = |ran: &Ran| ran.json_lines().iter().map(|line| line["length"].clone()).collect::<Vec<_>>();
    assert_eq!(lengths(&by_stdin), lengths(&by_file));

    let ran = home.run(&["analyse", "1 2 3 / 4 0 6 / 7 5 8", "DR"]);
    assert!(ran.code == 1 && ran.stderr.contains("add --moves blank"), "{}", ran.stderr);
    let ran = home.run(&["analyse", "--moves", "blank", "1 2 3 / 4 0 6 / 7 5 8", "DR"]);
    assert!(ran.code == 0 && !ran.stderr.contains("--moves blank"), "{}", ran.stderr);
    let ran = home.run(&["analyse", "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3", "L"]);
    assert!(ran.code == 1 && ran.stdout.contains("add --goal blank-first"), "{}", ran.stdout);
}

#[test]
fn a_solution_is_told_what_it_lost_where_and_what_was_better() {
    let home = Home::new();
    let ran = home.done(&["analyse", BOARD, "RLUL"]);
    assert_eq!(
        ran.stdout,
        "solved in 4 moves, 2 more than the shortest (2)\n4 moves ÷ Manhattan distance 2 = 2.00\n\
         move 1: R lost 2; better U, as in UL (2 moves)\na shortest solution: UL\n"
    );
    let answer = home.done(&["analyse", "--json", BOARD, "RLUL"]).json();
    assert_eq!(
        keys(&answer),
        "id board solvable legal solves metric length form shortest lost losses better_moves searches nodes seconds manhattan \
         ratio tables"
    );
    assert_eq!((&answer["legal"], &answer["solves"], &answer["metric"]), (&json!(true), &json!(true), &json!("stm")));
    assert_eq!((&answer["length"], &answer["shortest"], &answer["lost"]), (&json!(4), &json!(2), &json!(2)));
    assert_eq!((&answer["manhattan"], &answer["ratio"]), (&json!(2), &json!(2.0)));
    let loss =
        json!({ "move": 1, "made": "R", "better": "U", "lost": 2, "board": BOARD, "left": 2, "better_moves": "UL" });
    assert_eq!(answer["losses"], json!([loss]));
    let shortest = home.done(&["analyse", BOARD, "UL"]).stdout;
    assert!(shortest.starts_with("solved in 2 moves, which is the fewest possible\n"), "{shortest}");
}

#[test]
fn every_form_of_moves_is_read_and_answered_in() {
    let home = Home::new();
    for (form, moves, made, better) in [
        ("tile", vec!["RLUL"], "R", "U"),
        ("blank", vec!["LRDR"], "L", "D"),
        ("arrows", vec!["→←↑←"], "→", "↑"),
        ("tiles", vec!["4", "4", "5", "8"], "4", "5"),
        ("tiles", vec!["4 4 5 8"], "4", "5"),
    ] {
        let named = home.done(&[&["analyse", "--json", "--moves", form, BOARD], &moves[..]].concat()).json();
        let loss = &named["losses"][0];
        assert_eq!(
            (&named["lost"], &loss["made"], &loss["better"]),
            (&json!(2), &json!(made), &json!(better)),
            "{form}"
        );
        if form != "blank" {
            let detected = home.done(&[&["analyse", "--json", BOARD], &moves[..]].concat()).json();
            assert_eq!((&detected["form"], &detected["losses"]), (&json!(form), &named["losses"]));
        }
    }
}

#[test]
fn it_grades() {
    let home = Home::new();
    let code = |arguments: &[&str], words: &str| {
        let ran = home.run(&[&["analyse"], arguments].concat());
        assert!(ran.stdout.contains(words), "{arguments:?}: {}", ran.stdout);
        ran.code
    };
    assert_eq!(code(&[BOARD, "UUL"], "illegal: move 2: no tile can slide up"), 1);
    assert_eq!(code(&[BOARD, "5", "7", "2"], "illegal: move 3: tile 2 is not beside the blank"), 1);
    assert_eq!(
        code(&[BOARD, "UR"], "not solved: 2 moves end elsewhere; 2 moves from the goal, 2 moves lost on the way"),
        1
    );
    assert_eq!(code(&[BOARD, "U"], "not solved: the move ends elsewhere; 1 move from the goal, nothing lost"), 1);
    assert_eq!(code(&[BOARD, ""], "not solved: no move was made"), 1);
    assert_eq!(code(&["1 2 3 / 4 5 6 / 7 8 0", ""], "solved in 0 moves, which is the fewest possible"), 0);
    assert_eq!(code(&["2 1 3 / 4 0 6 / 7 5 8", "UL"], "the board cannot be solved"), 1);
    assert_eq!(code(&["--goal", "1 2 3 / 4 5 6 / 7 0 8", BOARD, "U"], "fewest possible"), 0);
    for (option, enough, too_few) in [("--at-most", "4", "3"), ("--lost-at-most", "2", "1")] {
        assert_eq!(code(&[option, enough, BOARD, "RLUL"], "solved"), 0);
        assert_eq!(code(&[option, too_few, BOARD, "RLUL"], "too long: at most"), 1);
        let graded =
            |most: &str| home.run(&["analyse", "--json", option, most, BOARD, "RLUL"]).json()["passes"].clone();
        assert_eq!((graded(enough), graded(too_few)), (json!(true), json!(false)));
    }
}

#[test]
fn in_mtm_moves_are_numbered_in_mtm() {
    let home = Home::new();
    let arguments = ["analyse", "--metric", "mtm", BOARD, "DUULLL"];
    let ran = home.run(&arguments);
    assert_eq!(ran.code, 1);
    let expected = "illegal: move 3: only 1 of 3 tiles can slide left; 1 move from the goal, 1 move lost on the way (shortest 2)\n";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nmove 1: D lost 1; better U") && !ran.stdout.contains("move 2"), "{}", ran.stdout);
    let answer = home.run(&[&arguments[..], &["--json"]].concat()).json();
    let illegal = json!({
        "move": 3, "made": "L3", "board": "1 2 3 / 4 5 6 / 7 0 8", "reason": "move 3: only 1 of 3 tiles can slide left",
    });
    assert_eq!((&answer["illegal"], &answer["length"], &answer["left"]), (&illegal, &json!(3), &json!(1)));
    assert_eq!(answer["losses"].as_array().unwrap().len(), 1);
    // Four slides are two moves: a limit before anything is known is before move 3, not before move 5.
    let hard = "14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13";
    let limited = home.run(&["analyse", "--metric", "mtm", "--max-nodes", "0", hard, "L2R2"]);
    assert!(limited.stdout.contains("nothing is known of single moves"), "{}", limited.stdout);
}

#[test]
fn lines_are_answered_one_by_one_and_summed_up() {
    let home = Home::new();
    let lines = format!(
        "{BOARD}\tUL\n# a remark\n\n{BOARD}\tRLUL\r\nno solution\n{BOARD}\tUQ\n1\t2\t3 / 4 0 6 / 7 5 8\tUR\n\
         {{\"board\": \"{BOARD}\", \"moves\": \"5 8\"}}\n{{\"board\": 5}}\n1 2 3\tUL\n{BOARD}\tUU\n"
    );
    let ran = home.run_with(&["analyse", "--json", "--ordered"], lines.as_bytes());
    assert_eq!(ran.code, 2);
    let answers = ran.json_lines();
    let ids: Vec<u64> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 4, 5, 6, 7, 8, 9, 10, 11]);
    let lost: Vec<Option<u64>> = answers.iter().map(|answer| answer["lost"].as_u64()).collect();
    assert_eq!(lost, [Some(0), Some(2), None, None, Some(2), Some(0), None, None, Some(0)]);
    let errors: Vec<&str> = answers.iter().filter_map(|answer| answer["error"].as_str()).collect();
    let expected = [
        "found no tab in \"no solution\"",
        "\"Q\" (place 2) is not a move: expected U, D, L or R",
        "found none called",
        "3 squares",
    ];
    assert_eq!(errors.len(), expected.len());
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.contains(expected), "{error}");
    }
    let ran = home.run_with(&["analyse", "--ordered"], lines.as_bytes());
    assert!(ran.stdout.starts_with("1: solved in 2 moves, which"), "{}", ran.stdout);
    assert!(ran.stdout.contains("4: solved in 4 moves, 2 more than the shortest (2); lost at 1\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("error: 5: expected a board and moves with a tab between them"), "{}", ran.stderr);
    let summary = "5 solutions, 1 illegal, 1 not at the goal, 4 not understood\n\
                   on average 2.67 moves, shortest 2.00, 0.67 lost, 1.33 times the Manhattan distance\n";
    assert!(ran.stdout.contains(summary), "{}", ran.stdout);
    let bars: Vec<usize> = ran.stdout.lines().map(|line| line.matches('█').count()).filter(|&bars| bars > 0).collect();
    assert_eq!(bars, [50, 25]);
    let summary = home.run_with(&["analyse", "--json", "--summary"], lines.as_bytes()).json_lines().pop().unwrap();
    let counts = json!([{ "lost": 0, "solutions": 2 }, { "lost": 2, "solutions": 1 }]);
    assert_eq!((&summary["summary"]["counts"], &summary["summary"]["errors"]), (&counts, &json!(4)));
}

#[test]
fn what_solve_writes_is_read_and_nothing_is_lost() {
    let home = Home::new();
    let boards = home.done(&["scramble", "--count", "30", "--size", "3x3", "--seed", "4"]).stdout;
    let solved = home.run_with(&["solve", "--json", "--ordered"], boards.as_bytes()).stdout;
    let ran = home.run_with(&["analyse", "--lost-at-most", "0"], solved.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("\n30 solutions\n") && ran.stdout.contains("   +0       30 100.00%"), "{}", ran.stdout);
}

#[test]
fn what_is_known_at_a_limit_is_told() {
    let home = Home::new();
    let hard = "14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13";
    let arguments = ["analyse", "--json", "--heuristic", "manhattan", "--time-limit", "0.05", hard, "LR"];
    let ran = home.run(&arguments);
    // That it does not end at the goal is certain.
    assert_eq!(ran.code, 1);
    let answer = ran.json();
    assert_eq!((&answer["limit"], &answer["known_from"], &answer["losses"]), (&json!("time"), &json!(3), &json!([])));
    assert!(answer["at_least"].as_u64().unwrap() >= 81 && answer.get("shortest").is_none(), "{answer}");
    assert_eq!(answer["heuristic"], json!("manhattan"));
    // The end of this solution is easy, its beginning is not.
    let far = "8 6 7 / 2 5 4 / 3 0 1";
    let moves = home.done(&["solve", "--json", far]).json()["moves"].as_str().unwrap().to_owned();
    let long = format!("{}{moves}", "RLRL");
    let ran =
        home.run(&["analyse", "--heuristic", "hamming", "--max-nodes", "500", "--lost-at-most", "10", far, &long]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the limit of 500 nodes was reached: every solution has at least"), "{}", ran.stdout);
    assert!(ran.stdout.contains("all losses from move "), "{}", ran.stdout);
}

#[test]
fn wrong_usage_is_explained() {
    let home = Home::new();
    home.says(&["analyse", BOARD], 2, "no moves were given");
    home.says(&["analyse", "1 2 3", "U"], 2, "3 squares are one short of a square board");
    home.says(&["analyse", "--moves", "letters", BOARD, "U"], 2, "expected tile, blank, tiles or arrows");
    home.says(&["analyse", "--heuristic", "blank-aware", BOARD, "UL"], 2, "may exceed the distance");
    home.says(&["analyse", "--heuristic", "manhattan", "--tables", "7-8", BOARD, "UL"], 2, "cannot be used with");
    home.says(&["analyse"], 2, "there is no solution on stdin");
    home.says(&["analyse", "-"], 2, "there is no solution on stdin");
}

#[test]
fn in_mtm_the_summary_counts_odd_losses_and_nothing_is_divided_by_single_tiles() {
    let home = Home::new();
    let lines = b"1 2 3 / 4 5 6 / 7 0 8\tRL2\n1 2 3 / 4 5 6 / 7 0 8\tL\n";
    let ran = home.run_with(&["analyse", "--metric", "mtm", "--summary", "--json"], lines);
    let summary = &ran.json()["summary"];
    let counts = json!([{ "lost": 0, "solutions": 1 }, { "lost": 1, "solutions": 1 }]);
    assert_eq!((&summary["counts"], &summary["mean_length"]), (&counts, &json!(1.5)), "{}", ran.stdout);
    assert_eq!((&summary["mean_lost"], &summary["mean_ratio"]), (&json!(0.5), &json!(null)));
    let ran = home.done(&["analyse", "--metric", "mtm", "1 2 3 / 4 5 6 / 7 0 8", "RL2"]);
    assert!(!ran.stdout.contains("Manhattan"), "{}", ran.stdout);
}

#[cfg(feature = "plot")]
#[test]
fn the_summary_is_drawn() {
    let home = Home::new();
    let lines = format!("{BOARD}\tUL\n{BOARD}\tRLUL\n");
    let ran = home.run_with(&["analyse", "--summary", "--svg", "lost.svg"], lines.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let svg = std::fs::read_to_string(home.join("lost.svg")).unwrap();
    let picture = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = picture.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"Solutions by moves lost"), "{texts:?}");
    assert!(texts.contains(&"2 solutions that reach the goal, 1.00 moves lost on average"), "{texts:?}");
}
