//! What each command answers.

use std::path::Path;

use serde_json::Value;

use crate::common::{Home, files, keys};

const NINE_MOVES: &str = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";

#[test]
fn solve_answers_in_every_form_of_moves() {
    let home = Home::new();
    for (form, moves) in
        [("tile", "D3L2U3L"), ("blank", "U3R2D3R"), ("tiles", "13 9 5 1 2 3 7 11 15"), ("arrows", "↓↓↓←←↑↑↑←")]
    {
        let ran = home.run(&["solve", "--moves", form, NINE_MOVES]);
        assert_eq!((ran.code, ran.stdout), (0, format!("9 moves: {moves}\n")), "{form}");
    }
}

#[test]
fn solve_has_the_promised_json_keys() {
    let home = Home::new();
    let answer = home.run(&["solve", "--json", NINE_MOVES]).json();
    let expected = "id board solvable metric length moves nodes complete_nodes expanded reexpanded peak_nodes peak_bytes seconds heuristic_seconds \
                    branching_factor tables verified rests_on algorithm optimal";
    assert_eq!(keys(&answer), expected);
    assert_eq!(answer["tables"], "6-6-3");
    assert_eq!((&answer["length"], &answer["moves"]), (&Value::from(9), &Value::from("D3L2U3L")));
    let answer = home.run(&["solve", "--json", "--heuristic", "manhattan", "--weight", "1.5", NINE_MOVES]).json();
    assert_eq!((&answer["heuristic"], &answer["optimal"]), (&Value::from("manhattan"), &Value::from(false)));
}

#[test]
fn solve_finds_all_shortest_solutions() {
    let home = Home::new();
    let hardest = "8 6 7 / 2 5 4 / 3 0 1";
    let ran = home.run(&["solve", "--all", hardest]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines[0], lines.len()), ("31 moves, 40 solutions:", 41));
    assert_eq!(home.run(&["solve", "--all", "--count", "--json", hardest]).json()["solutions"], 40);
    let all = home.run(&["solve", "--all", "--json", hardest]).json();
    assert_eq!(all["all_moves"].as_array().unwrap().len(), 40);
}

#[test]
fn solve_handles_every_goal_and_size_without_any_file() {
    let home = Home::new();
    for arguments in [
        &["--goal", "blank-first", "1 2 0 / 3 4 5 / 6 7 8"][..],
        &["--goal", "snail", "1 2 3 / 8 4 0 / 7 6 5"],
        &["--goal", "2 1 / 3 0", "2 1 / 0 3"],
        &["1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 0 24"],
        &["--goal", "snail", "1 2 3 4 / 12 13 14 5 / 11 15 0 6 / 10 9 8 7"],
        &["--size", "12x2", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 0 23"],
    ] {
        let answer = home.done(&[&["solve", "--json"], arguments].concat()).json();
        assert!(answer["length"].as_u64().is_some_and(|length| length <= 2), "{arguments:?}: {answer}");
    }
    assert_eq!(files(home.path()), [""; 0], "nothing is left in the home directory");
}

#[test]
fn generated_tables_are_found_and_used_from_then_on() {
    let home = Home::new();
    let ran = home.done(&["generate", "--json", "--audit", "--encoding", "both", "5-5-5"]);
    assert_eq!(ran.stderr, "", "off a terminal there is no progress");
    let built = ran.json_lines();
    assert_eq!(built.len(), 6);
    for table in &built {
        let expected = "file tiles encoding count metric entries states bytes seconds peak_memory levels hash";
        assert_eq!(keys(table), expected);
        let file = table["file"].as_str().unwrap();
        assert!(Path::new(file).starts_with(home.join(".cache/tilebase")), "{file}");
        assert_eq!(std::fs::metadata(file).unwrap().len(), table["bytes"].as_u64().unwrap());

        let info = home.run(&["tables", "info", "--json", file]).json();
        let expected =
            "file version board blank tiles encoding count metric blank_aware entries bytes hash max histogram";
        assert_eq!(keys(&info), expected);
        for key in ["file", "tiles", "encoding", "count", "entries", "bytes", "hash"] {
            assert_eq!(info[key], table[key], "{key}");
        }
        assert_eq!(info["histogram"].as_array().unwrap().len() as u64, table["levels"].as_u64().unwrap());
    }
    assert_eq!(home.run(&["solve", "--json", "--tables", "5-5-5", NINE_MOVES]).json()["tables"], "5-5-5");
    home.says(&["generate", "5-5-5"], 0, "already there");
    std::fs::remove_file(built[0]["file"].as_str().unwrap()).unwrap();
    let rest = home.says(&["generate", "5-5-5"], 0, "already there");
    assert_eq!(rest.stdout.lines().count(), 1, "{}", rest.stderr);
    home.done(&["generate", "--quiet", "--force", "5-5-5"]);
}

#[test]
fn a_damaged_table_is_passed_over_by_auto_and_refused_by_name() {
    let home = Home::new();
    home.done(&["generate", "--out", "tables", "6-6-3"]);
    let file = "tables/4x4-0-12.13.14.bit.tbl";
    let mut bytes = std::fs::read(home.join(file)).unwrap();
    bytes.pop();
    std::fs::write(home.join(file), bytes).unwrap();
    let solve = ["solve", "--table-dir", "tables", "--json", NINE_MOVES];
    let ran = home.says(&solve, 0, "warning: the tables of 6-6-3 are not used");
    assert_eq!(ran.json()["length"], 9);
    assert!(ran.stderr.contains("the file is too short: expected 4602 bytes, found 4601"), "{}", ran.stderr);
    home.says(&["solve", "--table-dir", "tables", "--tables", "6-6-3", NINE_MOVES], 2, "");
    for expected in ["the file is too short", "cannot read missing.tbl", "it is not an ordinary file"] {
        home.says(&["tables", "info", file, "missing.tbl", "tables"], 2, expected);
    }
}

#[test]
fn auto_uses_the_tables_that_know_most_not_those_with_the_largest_pattern() {
    let home = Home::new();
    // A large pattern that knows little, because its tiles are far from each other.
    let drawing = ".ABA/CADA/AEAF/AGHI";
    home.done(&["generate", drawing]);
    let used =
        |tables: &[&str]| home.run(&[&["solve", "--json", NINE_MOVES], tables].concat()).json()["tables"].clone();
    assert_eq!(used(&["--tables", drawing]), drawing, "they are there");
    assert_eq!(used(&[]), "6-6-3");
}

#[test]
fn auto_does_not_count_on_tables_that_have_another_name() {
    let home = Home::new();
    let tables = home.join("tables");
    home.done(&["generate", "--out", "tables", "5-5-5"]);
    std::fs::rename(tables.join(&files(&tables)[0]), tables.join("renamed.tbl")).unwrap();
    let ran = home.run(&["solve", "--table-dir", "tables", "--json", NINE_MOVES]);
    assert_eq!(ran.json()["tables"], "6-6-3");
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn tables_that_count_all_moves_are_found_where_they_were_generated() {
    let home = Home::new();
    home.done(&["generate", "--out", "tables", "--tiles", "1,2,3", "--size", "3x3", "--count", "all"]);
    let solve = ["solve", "--table-dir", "tables", "--heuristic", "all:1,2,3", "1 2 3 / 4 5 6 / 7 0 8"];
    home.done(&solve);
    let tables = home.join("tables");
    let [file] = &files(&tables)[..] else { panic!("there is one table") };
    std::fs::write(tables.join(file), "no table").unwrap();
    home.says(&solve, 2, file);
}

#[test]
fn tables_too_large_to_build_in_a_moment_are_asked_for_by_name() {
    Home::new().says(&["solve", "--tables", "7-8", NINE_MOVES], 2, "run tilebase generate \"7-8\"");
}

#[test]
fn a_dry_run_says_what_it_takes_and_builds_nothing() {
    let home = Home::new();
    let plans = home.run(&["generate", "--dry-run", "--json", "7-8"]).json_lines();
    // A bit table has an entry for each state, a nibble table has one for all regions of the blank.
    assert_eq!(plans[1]["entries"], 1_425_191_040u64);
    assert_eq!(plans[1]["states"], 1_425_191_040u64);
    let entries = |encoding| home.run(&["generate", "--dry-run", "--json", "--encoding", encoding, "7-8"]).json_lines();
    assert_eq!(entries("nibble")[1]["entries"], 518_918_400u64);
    assert_eq!(entries("both")[1]["entries"], 518_918_400u64 + 1_425_191_040);
    assert_eq!(plans[1]["disk"], 4096 + 178_148_880 + 32 * 170);
    let text = home.run(&["generate", "--dry-run", "5-5-5"]).stdout;
    assert!(text.contains("1,2,4,5,8: 874080 entries, 874080 states, memory"), "{text}");
    assert_eq!(files(home.path()), [""; 0]);
}

#[test]
fn show_draws_the_board_and_explains() {
    let ran = Home::new().run(&["show", "1 2 3 / 4 0 6 / 7 5 8"]);
    let expected = "\
┌───┬───┬───┐
│ 1 │ 2 │ 3 │
├───┼───┼───┤
│ 4 │   │ 6 │
├───┼───┼───┤
│ 7 │ 5 │ 8 │
└───┴───┴───┘
solvable: ";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    let bounds = ran.stdout.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
    for expected in
        [["hamming", "2"], ["manhattan", "2"], ["linear-conflict", "2"], ["walking-distance", "2"], ["tables", "2"]]
    {
        assert!(bounds.clone().any(|bound| bound == expected), "{expected:?}: {}", ran.stdout);
    }
    let blank_aware = ran.stdout.lines().find(|line| line.contains("blank-aware")).expect("it is shown");
    assert!(blank_aware.ends_with("(may exceed the distance)"), "{blank_aware}");
    let answer = Home::new().run(&["show", "--json", NINE_MOVES]).json();
    let heuristics = answer["heuristics"].as_object().unwrap();
    assert_eq!((&heuristics["manhattan"], &heuristics["tables"]), (&Value::from(9), &Value::from(9)));
    let colours = Home::new().run(&["show", "--color", "always", "1 2 3 / 4 0 6 / 7 5 8"]).stdout;
    assert!(colours.contains("\u{1b}["));
    let mut shown = colours.split("\u{1b}[0m").filter(|styled| styled.contains("\u{1b}["));
    assert!(shown.all(|styled| !styled.ends_with('m')), "colours are for something: {colours:?}");
}

/// Figure 3a of Bauer 1994.
const BAUER_3A: &str = "0 1 2 11 / 5 4 7 6 / 10 9 8 3 / 14 15 12 13";

#[test]
fn show_draws_the_pairs_and_conflicts_of_bauers_example() {
    let home = Home::new();
    let ran = home.run(&["show", "--goal", "blank-first", BAUER_3A]);
    for expected in ["pair-distance found:", "│  5a │  4a │  7b │  6b │", "pair 11 and 3 in a column, 2 more moves"]
    {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    let answer = home.run(&["show", "--json", "--goal", "blank-first", BAUER_3A]).json();
    let values = ["manhattan", "pair-distance"].map(|name| answer["heuristics"][name].as_u64());
    assert_eq!(values, [Some(20), Some(32)], "a Manhattan distance of 20 and a pair distance of 12");
    let pairs = answer["findings"]["pair-distance"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|pair| pair["moves"].as_u64().unwrap()).sum::<u64>(), 12);
    assert_eq!(answer["not_admissible"], serde_json::json!(["blank-aware"]));
}

#[test]
fn every_heuristic_and_every_search_solve_a_board() {
    let home = Home::new();
    let board = "8 1 3 / 4 0 2 / 7 6 5";
    let answer = |options: &[&str]| home.run(&[&["solve", "--json"], options, &[board]].concat()).json();
    let heuristics = "hamming gaschnig euclidean manhattan pair-distance pair-distance-full linear-conflict corner-tiles \
                      walking-distance blank-aware all:fringe all:1,2,4 .AA/BAA/BBB linear-conflict+walking-distance \
                      hamming+.AA/BAA/BBB+all:fringe";
    for heuristic in heuristics.split(' ') {
        for search in ["ida", "ida-plain", "astar", "rbfs", "bidirectional", "greedy"] {
            let answer = answer(&["--heuristic", heuristic, "--algorithm", search]);
            assert_eq!((&answer["heuristic"], &answer["algorithm"]), (&heuristic.into(), &search.into()), "{answer}");
            let optimal = heuristic != "blank-aware" && search != "greedy";
            assert_eq!(answer["optimal"], optimal, "{answer}");
            assert!(!optimal || answer["length"] == 14, "{answer}");
            let count = |key: &str| answer[key].as_u64().unwrap_or_else(|| panic!("{key} in {answer}"));
            assert!(count("nodes") >= count("expanded") && count("expanded") >= count("reexpanded"), "{answer}");
            assert!(count("peak_nodes") > 0 && count("peak_bytes") > 0, "{answer}");
        }
    }
    for search in ["bfs", "uniform-cost", "ids", "ids-graph"] {
        let answer = answer(&["--algorithm", search]);
        assert_eq!((&answer["length"], &answer["optimal"]), (&14.into(), &true.into()), "{answer}");
        assert!(answer.get("heuristic").is_none() && answer.get("tables").is_none(), "{answer}");
        assert!(answer["branching_factor"].as_f64().is_some_and(|factor| factor > 1.0), "{answer}");
    }
    for search in ["weighted-ida", "weighted-astar"] {
        let answer = answer(&["--heuristic", "manhattan", "--algorithm", search, "--weight", "81/19"]);
        assert_eq!((&answer["weight"], &answer["optimal"]), (&"81/19".into(), &false.into()), "{answer}");
        assert!(answer["length"].as_u64().is_some_and(|length| (14..=14 * 81 / 19).contains(&length)), "{answer}");
    }
}

#[test]
fn pairs_that_make_no_sense_are_refused_with_what_to_do() {
    let home = Home::new();
    let board = "8 1 3 / 4 0 2 / 7 6 5";
    for (options, expected) in [
        (
            &["--algorithm", "bfs", "--heuristic", "manhattan"][..],
            "bfs asks no heuristic: leave --heuristic and --tables out",
        ),
        (&["--algorithm", "weighted-ida"], "weighted-ida needs a weight: add --weight 2"),
        (&["--algorithm", "bfs", "--weight", "2"], "bfs cannot weigh a heuristic: use one of ida, "),
        (&["--algorithm", "bidirectional", "--all"], "bidirectional finds one solution only: use one of ida, "),
        (
            &["--heuristic", "blank-aware", "--all"],
            "shortest solutions cannot be promised by a heuristic that may exceed",
        ),
        (&["--heuristic", "manhatten"], "\"manhatten\" is not a known catalogue"),
        (&["--heuristic", "manhatten"], "heuristics are hamming, gaschnig, "),
        (&["--heuristic", "all:1,x"], "\"1,x\" are not tiles: expected all:fringe, or such as all:3,7,11"),
        (&["--weight", "0.5"], "or a ratio such as 81/19"),
    ] {
        home.says(&[&["solve"], options, &[board]].concat(), 2, expected);
    }
}

#[test]
fn scrambles_at_a_distance_take_exactly_that_many_moves() {
    let home = Home::new();
    let boards = home.done(&["scramble", "--distance", "25", "--count", "3", "--seed", "1"]).stdout;
    assert_eq!(boards.lines().count(), 3);
    let solved = home.run_with(&["solve", "--json"], boards.as_bytes());
    assert!(solved.json_lines().iter().all(|line| line["length"] == 25), "{}", solved.stdout);
    let farthest = home.run(&["scramble", "--size", "3x3", "--distance", "31", "--seed", "2"]);
    assert!(["8 6 7 / 2 5 4 / 3 0 1\n", "6 4 7 / 8 5 0 / 3 2 1\n"].contains(&&*farthest.stdout), "{}", farthest.stdout);
    let too_far = ["scramble", "--size", "3x3", "--distance", "32"];
    home.says(&too_far, 2, "the farthest are 31 moves away; ask for fewer");
}

#[test]
fn scrambles_follow_their_seed_and_can_be_solved() {
    let home = Home::new();
    let scramble = ["scramble", "--seed", "1"];
    let ran = home.run(&scramble);
    assert_eq!(ran.stdout, "2 11 10 6 / 7 13 14 0 / 12 5 15 9 / 3 8 4 1\n");
    assert_eq!(home.run(&scramble).stdout, ran.stdout);
    let unseeded = home.run(&["scramble", "--size", "3x3"]);
    let seed = unseeded.stderr.trim().strip_prefix("seed ").expect("the seed is told").to_owned();
    assert_eq!(home.run(&["scramble", "--size", "3x3", "--seed", &seed]).stdout, unseeded.stdout);

    let boards =
        home.run(&["scramble", "--seed", "3", "--count", "20", "--walk", "15", "--goal", "snail", "--size", "3x4"]);
    let ran = home.run_with(&["solve", "--goal", "snail", "--json", "--ordered"], boards.stdout.as_bytes());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let lengths: Vec<u64> = ran.json_lines().iter().map(|line| line["length"].as_u64().unwrap()).collect();
    assert_eq!(lengths.len(), 20);
    assert!(lengths.iter().all(|length| *length <= 15 && length % 2 == 1), "{lengths:?}");
}

#[test]
fn convert_changes_notation_and_goal_and_comes_back() {
    let home = Home::new();
    let flat = home.run(&["convert", "--rows", "flat", "--separator", "comma", "--blank", "_", "1 2 / 3 0"]);
    assert_eq!(flat.stdout, "1,2,3,_\n");
    let lines = home.run(&["convert", "--rows", "lines", "--blank", "n", "1 2 / 3 0"]);
    assert_eq!(lines.stdout, "1 2\n3 4\n");
    let there = home.run(&["convert", "--to-goal", "blank-first", NINE_MOVES]);
    assert_eq!(there.stdout, "1 5 2 0 / 4 9 6 3 / 8 13 10 7 / 12 14 15 11\n");
    let solved = home.run(&["solve", "--goal", "blank-first", there.stdout.trim()]);
    assert_eq!(solved.stdout, "9 moves: U3R2D3R\n");
    let back = home.run(&["convert", "--goal", "blank-first", "--to-goal", "blank-last", there.stdout.trim()]);
    assert_eq!(back.stdout.trim(), NINE_MOVES);
    let impossible = ["convert", "--to-goal", "snail", NINE_MOVES];
    home.says(&impossible, 2, "no turn or reflection brings the blank's square");
}

#[test]
fn every_command_teaches_by_example() {
    let home = Home::new();
    let commands = [
        "",
        "solve",
        "generate",
        "show",
        "census",
        "scramble",
        "convert",
        "bench generate",
        "moves invert",
        "moves optimise",
    ];
    for command in commands.into_iter().chain(["tables info", "tables verify", "tables audit"]) {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = home.done(&words);
        assert!(help.stdout.contains("Example"), "{command:?}: {}", help.stdout);
    }
}

/// Examples are sessions: a `$ ` line is typed, and what follows is printed. Returns the commands with their output.
fn sessions(document: &str) -> Vec<(Vec<String>, String)> {
    let blocks = document.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let typed =
        blocks.filter(|block| block.starts_with("$ tilebase ")).flat_map(|block| block.split("$ tilebase ").skip(1));
    typed
        .map(|part| {
            let (line, printed) = part.split_once('\n').unwrap();
            (shlex::split(line).unwrap(), printed.trim_end().to_owned())
        })
        .collect()
}

#[test]
fn the_examples_in_the_documents_show_what_the_program_prints() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let home = Home::new();
    for (document, expected) in [("README.md", 2), ("docs/boards.md", 4)] {
        let text = std::fs::read_to_string(format!("{root}/{document}")).unwrap();
        // Other commands build larger tables, or serve until they are stopped.
        let quick = sessions(&text).into_iter().filter(|(command, _)| ["show", "solve"].contains(&command[0].as_str()));
        let quick: Vec<_> = quick.collect();
        assert_eq!(quick.len(), expected, "{document}");
        for (command, printed) in quick {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            assert_eq!(home.run(&words).stdout.trim_end(), printed, "{document}: {command:?}");
        }
    }
}

#[test]
fn the_readme_names_the_first_command() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    assert!(readme.contains("cargo run --release -- solve \"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\""));
}
