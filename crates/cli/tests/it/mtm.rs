//! `--metric mtm`: one tile or several that slide together in a line are one move.

use serde_json::{Value, json};

use crate::common::{Home, files, slashed};

/// 20 moves of the metric from the goal, 31 of single tiles.
const FAR: &str = "8 6 7 / 2 5 4 / 3 0 1";

#[test]
fn solutions_are_counted_in_the_metric_by_every_search_that_knows_it() {
    let home = Home::new();
    let answer = home.done(&["solve", "--json", "--metric", "mtm", FAR]).json();
    assert_eq!((&answer["metric"], &answer["length"], &answer["optimal"]), (&json!("mtm"), &json!(20), &json!(true)));
    assert_eq!(home.done(&["solve", "--json", FAR]).json()["metric"], json!("stm"));
    let moves = answer["moves"].as_str().unwrap();
    assert_eq!(moves.chars().filter(char::is_ascii_alphabetic).count(), 20, "a letter for each move: {moves}");
    for search in [
        &["--algorithm", "bfs"][..],
        &["--algorithm", "ida-plain"],
        &["--algorithm", "astar"],
        &["--algorithm", "uniform-cost"],
        &["--heuristic", "walking-distance"],
        &["--tables", "none"],
    ] {
        let counted =
            home.done(&[&["solve", "--json", "--metric", "mtm", "--all", "--count", FAR], search].concat()).json();
        assert_eq!((&counted["length"], &counted["solutions"]), (&json!(20), &json!(2)), "{search:?}");
    }
    for search in ["rbfs", "bidirectional", "greedy"] {
        let answer = home.done(&["solve", "--json", "--metric", "mtm", "--algorithm", search, FAR]).json();
        let is_shortest = search != "greedy";
        assert_eq!(answer["optimal"], json!(is_shortest), "{search}");
        assert!(answer["length"] == json!(20) || !is_shortest && answer["length"].as_u64() > Some(20), "{search}");
    }
    let beam = home.done(&["solve", "--json", "--metric", "mtm", "--algorithm", "beam", FAR]).json();
    assert!(beam["length"].as_u64().unwrap() >= 20 && beam["optimal"] == json!(false));
    let all = home.done(&["solve", "--metric", "mtm", "--all", "1 2 3 / 4 5 6 / 0 7 8"]);
    assert_eq!(all.stdout, "1 move, 1 solution:\n  L2\n");
    let boards = home.done(&["solve", "--metric", "mtm", "--boards", "1 2 3 / 4 5 6 / 0 7 8"]);
    assert_eq!(boards.stdout, "1 move: L2\n  1 2 3 / 4 5 6 / 0 7 8\n  1 2 3 / 4 5 6 / 7 8 0\n");
}

#[test]
fn a_board_of_4x4_is_solved_at_once_with_what_is_built_on_the_spot() {
    let home = Home::new();
    let board = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3";
    let answer = home.done(&["solve", "--json", "--metric", "mtm", "--goal", "blank-first", board]).json();
    assert_eq!(answer["length"], json!(33));
    assert!(answer["tables"].as_str().unwrap().starts_with("all:"), "{answer}");
    let lines = home.done(&["solve", "--json", "--anytime", "--metric", "mtm", "--goal", "blank-first", board]);
    let lines = lines.json_lines();
    let last = lines.last().unwrap();
    assert_eq!((&last["length"], &last["at_least"], &last["optimal"]), (&json!(33), &json!(33), &json!(true)));
}

#[test]
fn what_cannot_be_done_in_the_metric_is_said_with_what_can() {
    let home = Home::new();
    for (arguments, words) in [
        (&["solve", "--metric", "htm", FAR][..], "no metric is called \"htm\": expected stm"),
        (&["solve", "--metric", "mtm", "--heuristic", "manhattan", FAR], "walking-distance"),
        (&["generate", "--metric", "mtm", "--tiles", "1", "--size", "3x3", "--encoding", "bit"], "leave --encoding"),
        (&["scramble", "--metric", "mtm"], "--distance"),
    ] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn weights_find_solutions_sooner_that_are_at_most_that_much_longer() {
    let home = Home::new();
    for (algorithm, weight) in [("ida", "1.5"), ("ida", "40"), ("ida-plain", "1.5"), ("astar", "2"), ("rbfs", "2")] {
        let arguments = ["solve", "--json", "--metric", "mtm", "--weight", weight, "--algorithm", algorithm, FAR];
        let answer = home.done(&arguments).json();
        let most = 20.0 * weight.parse::<f64>().unwrap();
        let length = answer["length"].as_u64().unwrap();
        assert!(length >= 20 && length as f64 <= most, "{algorithm} {weight}: {length}");
        assert_eq!((&answer["optimal"], &answer["weight"]), (&json!(false), &json!(weight)));
    }
}

#[test]
fn a_search_with_a_checkpoint_resumes_and_belongs_to_its_metric() {
    let home = Home::new();
    let board = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3";
    let arguments = |more: &[&'static str]| {
        [&["solve", "--json", "--threads", "1", "--goal", "blank-first", "--checkpoint", "c", board], more].concat()
    };
    let stopped = home.run(&arguments(&["--metric", "mtm", "--max-nodes", "100000"]));
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    let whole = home.done(&arguments(&["--metric", "mtm"])).json();
    assert_eq!((&whole["length"], &whole["optimal"]), (&json!(33), &json!(true)));
    let refused = home.run(&arguments(&["--metric", "stm", "--tables", "walking-distance"]));
    assert_eq!(refused.code, 2);
    assert!(refused.stdout.contains("the checkpoint is of another search"), "{}", refused.stdout);
}

#[test]
fn reviews_count_and_lose_moves_of_the_metric() {
    let home = Home::new();
    let board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 0 13 14 15";
    let answer = |moves: &str| home.run(&["analyse", "--json", "--metric", "mtm", board, moves]).json();
    let best = answer("L3");
    assert_eq!((&best["metric"], &best["length"], &best["lost"]), (&json!("mtm"), &json!(1), &json!(0)));
    // Two tiles, and the last one by itself after a detour: three moves instead of one.
    let detour = answer("L2DUL");
    assert_eq!((&detour["length"], &detour["shortest"], &detour["lost"]), (&json!(4), &json!(1), &json!(3)));
    let losses = detour["losses"].as_array().unwrap();
    assert_eq!(losses.iter().map(|loss| loss["lost"].as_u64().unwrap()).sum::<u64>(), 3);
    assert_eq!((&losses[0]["move"], &losses[0]["made"], &losses[0]["better"]), (&json!(1), &json!("L2"), &json!("L3")));
    assert_eq!(detour["better_moves"], json!("L3"));
    let stm = home.run(&["analyse", "--json", board, "L2DUL"]).json();
    assert_eq!((&stm["length"], &stm["lost"]), (&json!(5), &json!(2)));
}

#[test]
fn boards_at_a_distance_are_that_far_in_the_metric() {
    let home = Home::new();
    for (size, distance) in [("3x3", "24"), ("4x3", "15"), ("4x4", "20")] {
        let arguments =
            ["scramble", "--json", "--metric", "mtm", "--size", size, "--distance", distance, "--seed", "7"];
        let board = home.done(&arguments).json();
        assert_eq!((&board["distance"].to_string()[..], &board["metric"]), (distance, &json!("mtm")));
        let solved = home.done(&["solve", "--json", "--metric", "mtm", board["board"].as_str().unwrap()]).json();
        assert_eq!(solved["length"].to_string(), distance, "{size}");
    }
    let ran = home.run(&["scramble", "--metric", "mtm", "--size", "3x3", "--distance", "25"]);
    assert!(ran.stderr.contains("the farthest are 24 moves away"), "{}", ran.stderr);
    let ran = home.run(&["scramble", "--metric", "mtm", "--distance", "44"]);
    assert!(ran.stderr.contains("the farthest are 43 moves away"), "{}", ran.stderr);
}

#[test]
fn boards_are_shown_and_sequences_shortened_in_the_metric() {
    let home = Home::new();
    let shown = home.done(&["show", "--json", "--metric", "mtm", FAR]).json();
    assert_eq!((&shown["metric"], &shown["distance"]), (&json!("mtm"), &json!(20)));
    assert_eq!(shown["heuristics"]["tables"], json!(20), "all tiles of 3x3");
    assert!(shown["heuristics"].get("manhattan").is_none(), "it counts single tiles");
    let walking = shown["heuristics"]["walking-distance"].as_u64().unwrap();
    assert!((1..=20).contains(&walking));
    let shorter =
        home.done(&["moves", "optimise", "--json", "--metric", "mtm", "1 2 3 / 4 5 6 / 7 0 8", "DLURDLURDLURL"]);
    let shorter = shorter.json();
    assert_eq!((&shorter["moves"], &shorter["length"], &shorter["before"]), (&json!("L"), &json!(1), &json!(13)));
    assert_eq!(shorter["metric"], json!("mtm"));
}

#[test]
fn tables_are_built_proved_listed_verified_packed_and_used() {
    let home = Home::new();
    let arguments =
        ["generate", "--json", "--metric", "mtm", "--tiles", "1,2,3,5,6", "--size", "4x4", "--audit", "--out", "t"];
    let built = home.done(&arguments).json();
    assert_eq!(slashed(built["file"].as_str().unwrap()), "t/4x4-0-1.2.3.5.6.mtm.tbl");
    let numbers = ["entries", "states"].map(|key| built[key].as_u64().unwrap());
    assert_eq!(numbers, [2_882_880, 5_765_760], "half as many lines as states");
    assert_eq!((&built["metric"], &built["encoding"], &built["count"]), (&json!("mtm"), &json!("mod3"), &json!("all")));
    let file = "t/4x4-0-1.2.3.5.6.mtm.tbl";
    let info = home.done(&["tables", "info", "--json", file]).json();
    assert_eq!((&info["version"], &info["metric"], &info["hash"]), (&json!("1.1"), &json!("mtm"), &built["hash"]));
    assert_eq!(info["histogram"][0], json!(2), "the two lines of the goal");
    home.done(&["tables", "verify", file]);
    home.done(&["tables", "audit", file]);
    assert_eq!(home.done(&["tables", "stats", "--json", file]).json()["entries"], json!(2_882_880));
    assert!(home.run(&["tables", "stats", "--excess", file]).stderr.contains("leave --excess out"));
    let listed = home.done(&["tables", "list", "--json", "--table-dir", "t"]).json_lines();
    let ours = |table: &&Value| table["name"] == json!("4x4-0-1.2.3.5.6.mtm.tbl");
    assert_eq!(listed.iter().find(ours).unwrap()["metric"], json!("mtm"));

    home.done(&["tables", "pack", file, "--out", "p"]);
    assert_eq!(files(&home.join("p")), ["4x4-0-1.2.3.5.6.mtm.tbl.zst"]);
    let board = "2 5 3 4 / 1 6 7 8 / 9 10 11 12 / 13 14 0 15";
    let solve = |directory: &str, tables: &str| {
        let arguments = ["solve", "--json", "--metric", "mtm", "--tables", tables, "--table-dir", directory, board];
        let answer = home.done(&arguments).json();
        (answer["length"].clone(), answer["rests_on"][0]["hash"].clone())
    };
    let (length, hash) = solve("t", "all:1,2,3,5,6");
    assert_eq!(hash, built["hash"]);
    assert_eq!(solve("p", "all:1.2.3.5.6"), (length.clone(), hash), "unpacked when it is needed");
    assert_eq!(solve("none", "auto").0, length);
    assert_eq!(solve("none", "5-5-5").0, length, "the largest of the tables of its patterns");
}
