//! The interface: what `openapi.json` says is what the server does, and wrong questions are told what is wrong with them.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tilebase_serve::routes;

use crate::common::{HARD, JSON, answer_to, ask, connect, json_to, question, start, start_with, until};

const BOARD: &str = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";

fn description() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

/// Panics when an answer is not what the description says of the schema with this name.
fn check(schema: &str, value: &Value) {
    let mut whole = description()["components"].clone();
    whole["$ref"] = json!(format!("#/schemas/{schema}"));
    let text = whole.to_string().replace("#/components/schemas/", "#/schemas/");
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{schema}: {wrong:?} in {value}");
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_description_has_every_route_and_no_other() {
    let mut described = BTreeSet::new();
    for (path, methods) in description()["paths"].as_object().unwrap() {
        described.extend(methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let there = routes().into_iter().map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    assert_eq!(described, there);
    let address = start(1);
    for (method, path) in routes() {
        let (status, _) = json_to(address, &question(method, path, &[JSON], "{}"));
        assert!(status == 200 || status == 400, "{method} {path}: {status}");
        let other = if method == "GET" { "POST" } else { "GET" };
        assert_eq!(json_to(address, &question(other, path, &[], "")).0, 405, "{other} {path}");
    }
    assert_eq!(json_to(address, &question("GET", "/api/openapi.json", &[], "")), (200, description()));
}

#[test]
fn questions_may_have_the_described_keys_and_no_other() {
    let address = start(1);
    let all = [
        ("/api/solve", "Solve"),
        ("/api/show", "Show"),
        ("/api/analyse", "Analyse"),
        ("/api/census", "CensusOf"),
        ("/api/scramble", "Scramble"),
    ];
    for (path, schema) in all {
        let (status, problem) = ask(address, path, &json!({ "nonsense": 1 }));
        assert_eq!(status, 400);
        let keys = &description()["components"]["schemas"][schema]["properties"];
        let problem = problem["error"].as_str().unwrap();
        for key in keys.as_object().unwrap().keys() {
            assert!(problem.contains(&format!("`{key}`")), "{problem}");
        }
        assert_eq!(problem.matches('`').count() / 2, keys.as_object().unwrap().len() + 1, "{problem}");
    }
}

#[test]
fn answers_are_what_the_description_says() {
    let address = start(2);
    let checked = |path: &str, question: Value, schema: &str| {
        let (status, answer) = ask(address, path, &question);
        assert_eq!(status, 200, "{answer}");
        check(schema, &answer);
        answer
    };
    let solved = checked("/api/solve", json!({ "board": BOARD }), "Answer");
    assert_eq!((&solved["length"], &solved["optimal"], &solved["tables"]), (&json!(9), &json!(true), &json!("6-6-3")));
    assert_eq!((&solved["moves"], &solved["stronger"]), (&json!("D3L2U3L"), &json!("7-8")));
    assert_eq!(solved["notations"]["arrows"], json!("↓↓↓←←↑↑↑←"));
    assert_eq!(solved["notations"]["tiles"], json!("13 9 5 1 2 3 7 11 15"));
    let all = checked("/api/solve", json!({ "board": "8 6 7 / 2 5 4 / 3 0 1", "all": true }), "Answer");
    assert_eq!((&all["length"], &all["solutions"]), (&json!(31), &json!(all["all_moves"].as_array().unwrap().len())));
    let unsolvable = checked("/api/solve", json!({ "board": "2 1 / 3 0" }), "Answer");
    assert_eq!(unsolvable["solvable"], json!(false));
    let limited = checked("/api/solve", json!({ "board": HARD, "time_limit": 0.05 }), "Answer");
    assert_eq!(limited["limit"], json!("time"));
    assert!(limited["at_least"].as_u64().unwrap() >= 71, "{limited}");

    let sight = checked("/api/show", json!({ "board": "2 1 3 / 4 5 6 / 8 7 0" }), "Sight");
    assert_eq!((&sight["size"], &sight["goal"]), (&json!("3x3"), &json!("1 2 3 / 4 5 6 / 7 8 0")));
    assert_eq!(sight["findings"]["linear-conflict"][0]["kind"], json!("conflict"));
    let sight = checked("/api/show", json!({ "board": BOARD, "goal": "blank-last" }), "Sight");
    let views = sight["views"].as_array().unwrap();
    for view in views {
        let sum: u64 = view["costs"].as_array().unwrap().iter().map(|cost| cost.as_u64().unwrap()).sum();
        assert_eq!(sum, 9);
        let patterns = view["tiles"].as_array().unwrap().iter().flat_map(|tiles| tiles.as_array().unwrap());
        let mut tiles: Vec<u64> = patterns.map(|tile| tile.as_u64().unwrap()).collect();
        tiles.sort_unstable();
        assert!(tiles.into_iter().eq(1..=15), "each tile is in one pattern of each view");
    }
    assert_ne!(views[0]["tiles"], views[1]["tiles"]);
    let sight = checked("/api/show", json!({ "board": "2 1 / 3 0" }), "Sight");
    assert!(sight.get("heuristics").is_none());

    let sight = checked("/api/show", json!({ "board": "8 6 7 / 2 5 4 / 3 0 1" }), "Sight");
    assert_eq!((&sight["distance"], &sight["nearer_than"]), (&json!(31), &json!(0.0)));
    let sight = checked(
        "/api/show",
        json!({ "board": "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12", "goal": "snail" }),
        "Sight",
    );
    assert!(sight.get("farther_than").is_none(), "nobody knows how far the boards of this goal are");

    let census = checked("/api/census", json!({ "size": "3x3", "goal": "snail" }), "Census");
    assert_eq!((&census["farthest"], &census["source"]), (&json!(30), &json!("counted")));
    assert_eq!(checked("/api/census", json!({}), "Census")["counts"][80], json!(17));
    assert_eq!(keys(&checked("/api/census", json!({ "size": "5x5" }), "Census")), ["size", "goal", "metric"]);

    let board = checked("/api/scramble", json!({ "size": "4x4", "distance": 23, "seed": 5 }), "Scrambled");
    let solved = checked("/api/solve", json!({ "board": board["board"] }), "Answer");
    assert_eq!(solved["length"], json!(23));
    let uniform = checked("/api/scramble", json!({ "size": "5x4", "goal": "snail" }), "Scrambled");
    assert_eq!(uniform["board"].as_str().unwrap().split(' ').count(), 23);
    let (status, tables) = json_to(address, &question("GET", "/api/tables", &[], ""));
    assert_eq!(status, 200);
    check("Tables", &tables);
    assert_eq!(tables["tables"][0]["metric"], json!("stm"));
}

#[test]
fn a_late_answer_says_so_and_the_tables_are_ready_for_a_later_one() {
    let address = start_with(1, Duration::ZERO);
    let show = |board: &str| {
        let (status, sight) = ask(address, "/api/show", &json!({ "board": board }));
        assert_eq!(status, 200, "{sight}");
        check("Sight", &sight);
        sight
    };
    let board = "8 6 7 / 2 5 4 / 3 0 1";
    let late = show(board);
    assert_eq!((&late["limit"], late.get("heuristics")), (&json!("time"), None));
    assert!(show("2 1 / 3 0").get("limit").is_none(), "a board that cannot be solved has no heuristics");
    until(|| show(board)["heuristics"]["tables"] == json!(31));
}

#[test]
fn solutions_are_held_against_the_shortest() {
    let address = start(2);
    let reviewed = |question: Value| {
        let (status, answer) = ask(address, "/api/analyse", &question);
        assert_eq!(status, 200, "{answer}");
        check("Review", &answer);
        answer
    };
    let review = reviewed(json!({ "board": BOARD, "moves": "LRD3L2U3L" }));
    assert_eq!((&review["length"], &review["shortest"], &review["lost"]), (&json!(11), &json!(9), &json!(2)));
    assert_eq!((&review["losses"][0]["move"], &review["losses"][0]["better"]), (&json!(1), &json!("D")));
    let review = reviewed(json!({ "board": BOARD, "moves": "13 9 5 1 2 3 7 11 15" }));
    assert_eq!((&review["form"], &review["lost"], &review["solves"]), (&json!("tiles"), &json!(0), &json!(true)));
    let review = reviewed(json!({ "board": BOARD, "moves": "U3R2D3R", "form": "blank", "goal": "blank-last" }));
    assert_eq!((&review["form"], &review["lost"], &review["solves"]), (&json!("blank"), &json!(0), &json!(true)));
    let review = reviewed(json!({ "board": BOARD, "moves": "DUU" }));
    assert_eq!((&review["legal"], &review["illegal"]["move"], &review["left"]), (&json!(false), &json!(3), &json!(9)));
    let review = reviewed(json!({ "board": "2 1 / 3 0", "moves": "R" }));
    assert_eq!((&review["solvable"], &review["legal"]), (&json!(false), &json!(true)));
    // A moment is not enough for this one, nor is the time that it is given then.
    let review = reviewed(json!({ "board": HARD, "moves": "LR", "time_limit": 0.1 }));
    assert_eq!((&review["limit"], &review["left"], &review["losses"]), (&json!("time"), &Value::Null, &json!([])));
    let wrong = |question: Value| ask(address, "/api/analyse", &question);
    let (status, problem) = wrong(json!({ "board": BOARD, "moves": "DQ" }));
    assert!(status == 400 && problem["error"].as_str().unwrap().contains("\"Q\" (place 2) is not a move"), "{problem}");
    let (status, problem) = wrong(json!({ "board": BOARD, "moves": "D", "form": "letters" }));
    assert!(status == 400 && problem["error"].as_str().unwrap().contains("tile, blank, tiles or arrows"), "{problem}");
    let (status, problem) = wrong(json!({ "board": BOARD, "moves": "D", "time_limit": -1 }));
    assert!(status == 400 && problem["error"].as_str().unwrap().contains("is not a time"), "{problem}");
}

#[test]
fn everything_counts_in_the_metric_that_is_asked_for_and_says_so() {
    let address = start(2);
    let checked = |path: &str, question: Value, schema: &str| {
        let (status, answer) = ask(address, path, &question);
        assert_eq!(status, 200, "{answer}");
        check(schema, &answer);
        let metric = question.get("metric").cloned().unwrap_or(json!("stm"));
        assert_eq!(answer["metric"], metric, "{path}: {answer}");
        answer
    };
    // Two metrics of one goal, in turns: each has tables of its own.
    for (metric, length) in [("mtm", 4), ("stm", 9), ("mtm", 4)] {
        let solved = checked("/api/solve", json!({ "board": BOARD, "metric": metric }), "Answer");
        assert_eq!((&solved["length"], &solved["moves"]), (&json!(length), &json!("D3L2U3L")));
        let sight = checked("/api/show", json!({ "board": BOARD, "metric": metric }), "Sight");
        assert_eq!(sight["distance"], json!(length));
        let moves = "LRD3L2U3L";
        let review = checked("/api/analyse", json!({ "board": BOARD, "moves": moves, "metric": metric }), "Review");
        assert_eq!((&review["length"], &review["lost"]), (&json!(length + 2), &json!(2)));
    }
    assert_eq!(checked("/api/solve", json!({ "board": BOARD }), "Answer")["length"], json!(9));
    let review = checked("/api/analyse", json!({ "board": BOARD, "moves": "D2R", "metric": "mtm" }), "Review");
    assert_eq!((&review["losses"][0]["made"], &review["losses"][0]["better"]), (&json!("D2"), &json!("D3")));

    // The farthest board in single tiles is not among the farthest in lines.
    let far = "8 6 7 / 2 5 4 / 3 0 1";
    let all = checked("/api/solve", json!({ "board": far, "all": true, "metric": "mtm" }), "Answer");
    assert_eq!(
        (&all["length"], all["solutions"].as_u64()),
        (&json!(20), Some(all["all_moves"].as_array().unwrap().len() as u64))
    );
    let anytime = json!({ "board": far, "anytime": true, "metric": "mtm" });
    assert_eq!(checked("/api/solve", anytime, "Answer")["length"], json!(20));
    for metric in ["stm", "mtm"] {
        let unsolvable = checked("/api/solve", json!({ "board": "2 1 / 3 0", "metric": metric }), "Answer");
        assert_eq!(unsolvable["solvable"], json!(false));
        checked("/api/show", json!({ "board": "2 1 / 3 0", "metric": metric }), "Sight");
        checked("/api/analyse", json!({ "board": "2 1 / 3 0", "moves": "R", "metric": metric }), "Review");
        checked("/api/census", json!({ "size": "5x5", "metric": metric }), "Census");
        checked("/api/scramble", json!({ "size": "5x5", "metric": metric }), "Scrambled");
    }

    let census = checked("/api/census", json!({ "size": "3x3", "metric": "mtm" }), "Census");
    assert_eq!((&census["farthest"], &census["complete"]), (&json!(24), &json!(true)));
    let census = checked("/api/census", json!({ "metric": "mtm" }), "Census");
    assert_eq!((&census["farthest"], &census["farthest_boards"]), (&json!(43), &json!(16)));
    assert_eq!((&census["complete"], census.get("mean")), (&json!(false), None));

    let question = json!({ "size": "3x3", "distance": 23, "seed": 5, "metric": "mtm" });
    let board = checked("/api/scramble", question, "Scrambled")["board"].clone();
    assert_eq!(checked("/api/solve", json!({ "board": board, "metric": "mtm" }), "Answer")["length"], json!(23));
}

#[test]
fn a_stream_counts_in_the_metric_that_is_asked_for() {
    let address = start(2);
    let body = json!({ "board": BOARD, "stream": true, "anytime": true, "metric": "mtm" }).to_string();
    let (status, text) = answer_to(address, &question("POST", "/api/solve", &[JSON], &body));
    assert_eq!(status, 200);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    check("Answer", &last);
    assert_eq!((&last["length"], &last["metric"], &last["optimal"]), (&json!(4), &json!("mtm"), &json!(true)));
}

#[test]
fn boards_are_taken_in_every_form() {
    let address = start(1);
    for board in [
        json!("1 2 3\n4 5 6\n7 0 8\n"),
        json!("# a file\r\n3\r\n1 2 3 # a row\r\n4 5 6\r\n7 0 8\r\n"),
        json!("[[1,2,3],[4,5,6],[7,0,8]]"),
        json!("{\"board\": [1,2,3,4,5,6,7,0,8]}"),
        json!("1 2 3;4 5 6;7 _ 8"),
        json!([[1, 2, 3], [4, 5, 6], [7, 0, 8]]),
        json!([1, 2, 3, 4, 5, 6, 7, 0, 8]),
    ] {
        check("Board", &board);
        for path in ["/api/solve", "/api/show"] {
            let (status, answer) = ask(address, path, &json!({ "board": board }));
            assert_eq!((status, &answer["board"]), (200, &json!("1 2 3 / 4 5 6 / 7 0 8")), "{path}: {board}");
        }
    }
    let flat = json!({ "board": [1, 2, 3, 4, 0, 5], "size": "2x3" });
    assert_eq!(ask(address, "/api/show", &flat).1["board"], json!("1 2 / 3 4 / 0 5"));
}

#[test]
fn a_stream_reports_progress_and_ends_with_the_answer() {
    let address = start(2);
    prepare_5x5(address);
    let body = json!({ "board": HARD, "stream": true, "time_limit": 1 }).to_string();
    let (status, text) = answer_to(address, &question("POST", "/api/solve", &[JSON], &body));
    assert_eq!(status, 200);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, progress) = lines.split_last().unwrap();
    check("Answer", last);
    assert_eq!(last["limit"], json!("time"));
    assert!(!progress.is_empty());
    progress.iter().for_each(|line| check("Progress", line));
}

/// Asks until the tables and heuristics of 5x5 are ready. On a busy machine that takes longer than the time of a question.
fn prepare_5x5(address: SocketAddr) {
    let labels: Vec<u32> = (1..24).chain([0, 24]).collect();
    let is_ready = || ask(address, "/api/solve", &json!({ "board": labels })).1["length"] == json!(1);
    assert!((0..100).any(|_| is_ready()), "it is ready after a while");
}

#[test]
fn with_anytime_a_stream_has_better_and_better_solutions_and_its_end_the_best_of_them() {
    let address = start(2);
    prepare_5x5(address);
    let body = json!({ "board": HARD, "anytime": true, "stream": true, "time_limit": 1.5 }).to_string();
    let (status, text) = answer_to(address, &question("POST", "/api/solve", &[JSON], &body));
    assert_eq!(status, 200);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, progress) = lines.split_last().unwrap();
    check("Answer", last);
    progress.iter().for_each(|line| check("Progress", line));
    let lengths: Vec<u64> = progress.iter().filter_map(|line| line["progress"]["length"].as_u64()).collect();
    assert!(lengths.len() >= 2 && lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    assert_eq!((&last["limit"], &last["optimal"]), (&json!("time"), &json!(false)));
    assert!(last["length"].as_u64() <= lengths.last().copied(), "{last}");
    assert!(last["at_least"].as_u64() < last["length"].as_u64() && last["notations"].is_object(), "{last}");
    // Without a stream there is only the end.
    let (status, answer) = ask(address, "/api/solve", &json!({ "board": HARD, "anytime": true, "time_limit": 0.5 }));
    assert_eq!((status, &answer["optimal"]), (200, &json!(false)), "{answer}");
    check("Answer", &answer);
    let (status, answer) = ask(address, "/api/solve", &json!({ "board": BOARD, "anytime": true }));
    assert_eq!((status, &answer["optimal"], &answer["at_least"]), (200, &json!(true), &answer["length"]), "{answer}");
    check("Answer", &answer);
}

#[test]
fn wrong_questions_are_told_what_is_wrong_in_the_words_of_the_command_line() {
    let address = start(1);
    let wrong = |path: &str, question: Value| {
        let (status, problem) = ask(address, path, &question);
        assert_eq!(status, 400, "{question}");
        check("Problem", &problem);
        problem["error"].as_str().unwrap().to_owned()
    };
    assert!(wrong("/api/solve", json!({})).contains("missing field `board`"));
    assert!(wrong("/api/solve", json!({ "board": 7 })).contains("expected a string or an array of tiles"));
    assert!(wrong("/api/solve", json!({ "board": [[1, 2], [3, "b"]] })).contains("\"b\" at row 2, column 2"));
    assert!(wrong("/api/solve", json!({ "board": [] })).contains("the board is empty"));
    assert!(wrong("/api/solve", json!({ "board": "1 2 3 / 4 4 6 / 7 8 0" })).contains("tile 4 appears twice"));
    assert!(wrong("/api/solve", json!({ "board": "1 2 3 / 4 b 6 / 7 8 0" })).contains("\"b\" at row 2, column 2"));
    assert!(wrong("/api/show", json!({ "board": "1 2 3 4 5 6 7 0" })).contains("--size 3x4"));
    assert!(wrong("/api/show", json!({ "board": BOARD, "goal": "nowhere" })).contains("blank-last, blank-first"));
    assert!(wrong("/api/show", json!({ "board": BOARD, "goal": "1 2 / 3 0" })).contains("2x2"));
    assert!(wrong("/api/show", json!({ "board": BOARD, "size": "five" })).contains("size"));
    assert!(wrong("/api/solve", json!({ "board": BOARD, "time_limit": -1 })).contains("is not a time"));
    assert!(wrong("/api/solve", json!({ "board": BOARD, "all": true, "anytime": true })).contains("leave all out"));
    assert!(wrong("/api/scramble", json!({ "size": "3x3", "distance": 32 })).contains("the farthest are 31 moves"));
    assert!(wrong("/api/scramble", json!({ "distance": 81 })).contains("the farthest are 80 moves"));
    assert!(wrong("/api/scramble", json!({ "size": "9x9" })).contains("9x9"));
    for (path, mut question) in [
        ("/api/solve", json!({ "board": BOARD })),
        ("/api/show", json!({ "board": BOARD })),
        ("/api/analyse", json!({ "board": BOARD, "moves": "D" })),
        ("/api/census", json!({})),
        ("/api/scramble", json!({})),
        ("/api/scramble", json!({ "distance": 5 })),
    ] {
        question["metric"] = json!("htm");
        assert!(wrong(path, question).contains("no metric is called \"htm\": expected stm"), "{path}");
    }
    assert!(wrong("/api/solve", json!({ "board": BOARD, "metric": 1 })).contains("expected a string"));
    let too_far = json!({ "size": "3x3", "distance": 25, "metric": "mtm" });
    assert!(wrong("/api/scramble", too_far).contains("the farthest are 24 moves"));
}

#[test]
fn nobody_else_can_drive_the_server() {
    let address = start(1);
    let body = json!({ "board": BOARD }).to_string();
    let status = |headers: &[(&str, &str)]| json_to(address, &question("POST", "/api/solve", headers, &body)).0;
    assert_eq!(status(&[JSON]), 200);
    assert_eq!(status(&[JSON, ("origin", "http://localhost")]), 200);
    assert_eq!(status(&[JSON, ("host", "127.0.0.1:80"), ("origin", "http://127.0.0.1:80")]), 200);
    assert_eq!(status(&[JSON, ("host", "evil.example")]), 403);
    assert_eq!(status(&[JSON, ("host", "evil.example:1515"), ("origin", "http://evil.example:1515")]), 403);
    assert_eq!(status(&[JSON, ("origin", "http://evil.example")]), 403);
    assert_eq!(status(&[JSON, ("origin", "null")]), 403);
    assert_eq!(status(&[]), 415);
    for (path, site, status) in [
        ("/api/tables", "cross-site", 403),
        ("/api/tables", "same-site", 403),
        ("/api/tables", "same-origin", 200),
        ("/api/tables", "none", 200),
        ("/", "cross-site", 200),
    ] {
        let question = question("GET", path, &[("sec-fetch-site", site)], "");
        assert_eq!(answer_to(address, &question).0, status, "{path} {site}");
    }
    assert_eq!(status(&[("content-type", "text/plain")]), 415);
    let asked_first = question("OPTIONS", "/api/solve", &[("origin", "http://evil.example")], "");
    assert_eq!(json_to(address, &asked_first).0, 403);
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/page/index.html", "/api", "/api/solve/"] {
        assert_eq!(json_to(address, &question("GET", path, &[], "")).0, 404, "{path}");
    }
    let long = json!({ "board": "1 ".repeat(20_000) }).to_string();
    assert_eq!(json_to(address, &question("POST", "/api/solve", &[JSON], &long)).0, 413);
}

#[test]
fn searches_end_when_their_client_goes() {
    let address = start(1);
    let solve = |asked: Value| question("POST", "/api/solve", &[JSON], &asked.to_string());
    let begin = |stream: bool| {
        let mut connection = connect(address);
        connection.write_all(solve(json!({ "board": HARD, "stream": stream })).as_bytes()).unwrap();
        connection
    };
    let short = solve(json!({ "board": BOARD, "time_limit": 0.1, "stream": true }));
    let is_full = || answer_to(address, &short).0 == 503;
    let mut long = Vec::new();
    until(|| {
        long.push(begin(true));
        is_full()
    });
    drop(long);
    until(|| !is_full());

    // Without a stream there is one thread for all. Seven searches would hold it for five seconds each, which is longer than `ask`
    // waits; but their clients go, also those who have said something more.
    for rest in ["", "x", "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"] {
        for _ in 0..7 {
            let mut held = begin(false);
            held.write_all(rest.as_bytes()).unwrap();
            std::thread::sleep(Duration::from_millis(100));
            drop(held);
        }
        assert_eq!(ask(address, "/api/solve", &json!({ "board": BOARD })).0, 200);
    }
}

#[test]
fn a_client_that_does_not_read_is_sent_away() {
    const QUESTIONS: usize = 5000;
    let address = start(1);
    // It asks and asks.
    let mut stream = connect(address);
    stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    let asked = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    // They may not all fit into the buffers of the system; that is as good.
    let _ = stream.write_all(asked.repeat(QUESTIONS).as_bytes());
    std::thread::sleep(Duration::from_secs(12));
    // What was on its way still comes, and then the end: far from all answers.
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    let answers = String::from_utf8_lossy(&read).matches("HTTP/1.1 200").count();
    assert!((1..QUESTIONS / 2).contains(&answers), "{answers} answers");
}
