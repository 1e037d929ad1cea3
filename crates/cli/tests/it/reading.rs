//! Boards are taken in whatever form they come, and whatever one command writes, every command reads.

use std::io::{BufRead, BufReader, Write};

use serde_json::Value;
use tilebase::puzzle::{Blank, Board, Goal, Notation, Parity, Random, Rows, Separator, Size};

use crate::common::{Home, json, keys};

const GOOD: &str = "1 2 3 / 4 5 6 / 7 0 8";

fn sizes() -> Vec<Size> {
    let sides = (2..=12).flat_map(|width| (2..=12).map(move |height| (width, height)));
    sides.filter_map(|(width, height)| Size::new(width, height).ok()).collect()
}

/// Three boards of each size: the solved one, one that cannot be solved, and any. Where rows are lines, nine tiles are a board of 3×3.
fn boards(rows: &str) -> Vec<Board> {
    let mut random = Random::new(18);
    let mut boards = Vec::new();
    for size in sizes() {
        let goal = Goal::BlankLast.board(size).unwrap();
        let mut unsolvable = random.any_board(size);
        while Parity::between(&unsolvable, &goal).is_solvable() {
            unsolvable = random.any_board(size);
        }
        boards.extend([unsolvable, random.any_board(size)]);
        if rows != "lines" || size.width() != 9 {
            boards.push(goal);
        }
    }
    boards
}

/// The options of every notation.
fn options() -> Vec<[&'static str; 3]> {
    let mut options = Vec::new();
    for rows in ["slashes", "lines", "flat", "tight"] {
        for separator in ["space", "comma"] {
            options.extend(["0", "_", ".", "x", "n"].map(|blank| [rows, separator, blank]));
        }
    }
    options
}

fn lines(boards: &[Board]) -> String {
    boards.iter().map(|board| board.to_string() + "\n").collect()
}

#[test]
fn what_convert_writes_in_any_notation_is_read_by_every_command() {
    let home = Home::new();
    for [rows, separator, blank] in options() {
        let boards: Vec<Board> =
            boards(rows).into_iter().filter(|board| rows != "flat" || board.size().is_square()).collect();
        let convert = ["convert", "--rows", rows, "--separator", separator, "--blank", blank];
        for with_json in [&[][..], &["--json"]] {
            let written = home.run_with(&[&convert, with_json].concat(), lines(&boards).as_bytes());
            assert_eq!((written.code, &*written.stderr), (0, ""), "{convert:?}");
            let read = home.run_with(&["convert"], written.stdout.as_bytes());
            assert_eq!((read.stdout, read.stderr), (lines(&boards), String::new()), "{convert:?}: {}", written.stdout);
        }
        // All commands have their boards from the same place.
        if (separator, blank) != ("comma", "n") {
            continue;
        }
        let written = home.run_with(&convert, lines(&boards).as_bytes());
        let searched = ["solve", "--heuristic", "manhattan", "--max-nodes", "1", "--ordered", "--json"];
        let solved = home.run_with(&searched, written.stdout.as_bytes()).json_lines();
        assert!(
            solved.iter().map(|answer| &answer["board"]).eq(boards
                .iter()
                .map(Board::to_string)
                .collect::<Vec<_>>()
                .iter())
        );
    }
}

#[test]
fn flat_lists_of_rectangles_are_read_with_their_size_and_from_json_without() {
    let home = Home::new();
    for (number, size) in sizes().into_iter().enumerate() {
        let boards: Vec<Board> = boards("flat").into_iter().filter(|board| board.size() == size).collect();
        let [_, separator, blank] = options()[number % 10];
        let convert = ["convert", "--rows", "flat", "--separator", separator, "--blank", blank];
        let written = home.run_with(&convert, lines(&boards).as_bytes());
        let read = home.run_with(&["convert", "--size", &size.to_string()], written.stdout.as_bytes());
        assert_eq!((read.stdout, read.code), (lines(&boards), 0), "{}", written.stdout);
        let written = home.run_with(&[&convert[..], &["--json"]].concat(), lines(&boards).as_bytes());
        assert_eq!(keys(&written.json_lines()[0]), "id board size");
        let read = home.run_with(&["convert"], written.stdout.as_bytes());
        assert_eq!((read.stdout, read.code), (lines(&boards), 0), "{}", written.stdout);
    }
}

#[test]
fn the_solved_board_of_9x2_in_lines_is_read_with_its_size() {
    let home = Home::new();
    let text = "1 2 3 4 5 6 7 8 9\n10 11 12 13 14 15 16 17 0\n";
    let read = home.run_with(&["convert", "--size", "9x2", "--rows", "lines"], text.as_bytes());
    assert_eq!((&*read.stdout, read.code), (text, 0));
}

#[test]
fn what_scramble_writes_is_read_back() {
    let home = Home::new();
    for (number, size) in sizes().into_iter().enumerate() {
        let size = size.to_string();
        let scramble = ["scramble", "--quiet", "--seed", "7", "--count", "3", "--size", &size];
        let expected = home.done(&scramble).stdout;
        for (rows, other) in ["slashes", "lines", "flat", "tight"].into_iter().zip(number..) {
            let [_, separator, blank] = options()[other % 10];
            let scramble = [&scramble[..], &["--rows", rows, "--separator", separator, "--blank", blank]].concat();
            let (text, objects) = (home.done(&scramble), home.done(&[&scramble[..], &["--json"]].concat()));
            let with_size = home.run_with(&["convert", "--size", &size], text.stdout.as_bytes());
            assert_eq!((&with_size.stdout, with_size.code), (&expected, 0), "{}", text.stdout);
            let from_json = home.run_with(&["convert"], objects.stdout.as_bytes());
            assert_eq!((&from_json.stdout, from_json.code), (&expected, 0), "{}", objects.stdout);
        }
    }
}

#[test]
fn what_show_and_solve_write_is_read_back() {
    let home = Home::new();
    let unsolvable: Vec<Board> = boards("")
        .into_iter()
        .filter(|board| !Parity::between(board, &Goal::BlankLast.board(board.size()).unwrap()).is_solvable())
        .collect();
    // The second has findings, which are drawn once more.
    let solvable = [GOOD, "3 2 1 / 4 5 6 / 8 7 0", "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"];
    let boards: Vec<Board> = solvable.map(|text| text.parse().unwrap()).into_iter().chain(unsolvable).collect();
    for options in [&[][..], &["--color", "always"], &["--json"]] {
        let shown = home.run_with(&[&["show"], options].concat(), lines(&boards).as_bytes());
        assert_eq!((shown.code, &*shown.stderr), (1, ""));
        for command in ["convert", "show"] {
            let read = home.run_with(&[command, "--json"], shown.stdout.as_bytes());
            let found: Vec<Board> =
                read.json_lines().iter().map(|answer| answer["board"].as_str().unwrap().parse().unwrap()).collect();
            assert_eq!((found, &*read.stderr), (boards.clone(), ""), "{command}: {}", shown.stdout);
        }
    }
    let one = home.done(&["show", solvable[1]]).stdout;
    assert!(one.matches('┌').count() > 1, "{one}");
    assert_eq!(home.done(&["convert", &one]).stdout, format!("{}\n", solvable[1]));
    let solved = home.run_with(&["solve", "--json", "--ordered"], lines(&boards[..3]).as_bytes());
    assert_eq!(home.run_with(&["convert"], solved.stdout.as_bytes()).stdout, lines(&boards[..3]));
}

#[test]
fn arguments_are_boards_tiles_rows_or_files() {
    let home = Home::new();
    std::fs::write(home.join("one.txt"), "# This puzzle is solvable\n3\n1 2 3\n4 5 6 # a row\n7 0 8\n").unwrap();
    std::fs::write(home.join("two.txt"), format!("{GOOD}\r\n\r\n1 2 3\r\n4 5 6\r\n0 7 8\r\n")).unwrap();
    std::fs::write(home.join("bad.txt"), format!("1 2 3\n4 5\n7 8 0\n\n{GOOD}\n")).unwrap();
    std::fs::write(home.join("7"), GOOD).unwrap();
    std::fs::create_dir(home.join("directory")).unwrap();
    let one = format!("{GOOD}\n");
    for arguments in [
        &["1", "2", "3", "4", "5", "6", "7", "0", "8"][..],
        &["1", "2", "3", "/", "4", "5", "6", "/", "7", "_", "8"],
        &["1", "2", "3/4", "5", "6/7", "0", "8"],
        &["1,2,3", "4,5,6", "7,0,8", "--size", "3x3"],
        &["[[1,2,3],", "[4,5,6],", "[7,0,8]]"],
        &["1 2 3", "4 5 6", "7 0 8"],
        &["1 2 3;4 5 6;7 0 8"],
        &["one.txt"],
        &["./one.txt"],
        &["7"],
    ] {
        assert_eq!(home.done(&[&["convert"], arguments].concat()).stdout, one, "{arguments:?}");
        let solved = home.done(&[&["solve", "--goal", "blank-last"], arguments].concat());
        assert_eq!(solved.stdout, "1 move: L\n", "{arguments:?}: one board has no number");
        let shown = home.done(&[&["show", "--goal", "blank-last"], arguments].concat());
        assert!(shown.stdout.contains("solvable"));
    }
    let several = home.done(&["solve", "--ordered", GOOD, "1 2 / 0 3", "1,2,0,3"]).stdout;
    assert_eq!(several, "1: 1 move: L\n2: 1 move: L\n3: 1 move: L\n");
    let ran = home.run_with(&["solve", "--ordered", "two.txt", "1 2 / 0 3", "-"], b"1 2\n3 0\n");
    let expected = "two.txt:1: 1 move: L\ntwo.txt:3: 2 moves: L2\n2: 1 move: L\n1: 0 moves: it is solved already\n";
    assert_eq!(ran.stdout, expected);
    let answers = home.done(&["solve", "--ordered", "--json", "two.txt"]).json_lines();
    assert_eq!((&answers[1]["id"], &answers[1]["file"]), (&Value::from(3), &Value::from("two.txt")));

    let ran = home.run(&["convert", "bad.txt"]);
    let error = "error: bad.txt:1: row 2 has 2 tiles, but row 1 has 3: all rows must be equally long\n";
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (2, &*one, error));
    for name in ["missing.txt", "nofile", "./missing"] {
        home.says(&["solve", name], 2, &format!("no file is called \"{name}\", and it is not a board"));
    }
    assert_eq!(home.done(&["solve", "123456708"]).stdout, "1 move: L\n");
    home.says(&["solve", "1 2 3 / 4 5 6 / 7 8 0 # x"], 2, "\"#\" at row 3, column 4 is not a tile");
    home.says(
        &["solve", "--goal", "1 2 3 / 4 5 6 / 7 8 0 # x", "123456708"],
        2,
        "\"#\" at row 3, column 4 is not a tile",
    );
    home.says(&["solve", "directory"], 2, "directory:1: the file cannot be read");
    std::fs::write(home.join("empty.txt"), "# nothing\n").unwrap();
    home.says(&["solve", "empty.txt"], 2, "empty.txt:1: there is no board in the file");
    // One mistake, one error.
    let ran = home.says(&["solve", "1", "2", "3", "4", "5", "6", "7", "7", "0"], 2, "tile 7 appears twice");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn names_are_accepted_as_people_type_them() {
    let home = Home::new();
    let board = "8 6 7 / 2 5 4 / 3 0 1";
    let answer = |words: &[&str]| {
        let mut answer = home.done(&[&["solve", "--json"], words, &[board]].concat()).json();
        let keys = answer.as_object_mut().unwrap();
        keys.retain(|key, _| !key.ends_with("seconds"));
        answer
    };
    for (typed, plain) in [
        (&["--heuristic", "md"][..], &["--heuristic", "manhattan"][..]),
        (&["--heuristic", "LC"], &["--heuristic", "linear-conflict"]),
        (&["--heuristic", "wd"], &["--heuristic", "walking-distance"]),
        (&["--heuristic", "WD+Manhattan"], &["--heuristic", "walking-distance+manhattan"]),
        (&["--algorithm", "A*"], &["--algorithm", "astar"]),
        (&["--algorithm", "IDA*"], &["--algorithm", "ida"]),
        (&["--algorithm", "Bfs"], &["--algorithm", "bfs"]),
        (&["--moves", "Blank"], &["--moves", "blank"]),
        (&["--metric", "MTM"], &["--metric", "mtm"]),
        (&["--goal", "Blank-Last", "--color", "NEVER"], &["--goal", "blank-last"]),
        (&["--size", "3"], &["--size", "3x3"]),
    ] {
        assert_eq!(answer(typed), answer(plain), "{typed:?}");
    }
    let boards = |words: &[&str]| home.done(&[&["scramble", "--seed", "1"], words].concat()).stdout;
    for size in ["3x3", "3", "3X3", "3×3"] {
        assert_eq!(boards(&[size]), boards(&["--size", "3x3"]), "{size}");
    }
    home.says(&["solve", "--algorithm", "asta", board], 2, "astar");
}

#[test]
fn files_of_the_n_puzzle_exercise_have_its_spiral_goal_unless_another_is_asked_for() {
    let home = Home::new();
    std::fs::write(home.join("one.txt"), "# This puzzle is solvable\n3\n1 2 3\n8 4 0\n7 6 5\n").unwrap();
    std::fs::write(home.join("two.txt"), "3\n1 2 3\n8 0 4\n7 6 5\n\n3\n1 2 3\n0 8 4\n7 6 5\n").unwrap();
    let ran = home.done(&["solve", "one.txt"]);
    assert_eq!(ran.stdout, "1 move: R\n");
    let note =
        "the goal is the spiral (--goal snail), because a line with the size marks a file of the n-puzzle exercise";
    assert!(ran.stderr.starts_with(note) && ran.stderr.contains("--goal blank-last"), "{}", ran.stderr);
    let both = home.done(&["solve", "one.txt", "two.txt"]);
    assert_eq!(both.stderr.matches("the goal is the spiral").count(), 1, "{}", both.stderr);
    let ran = home.run(&["solve", "--json", "one.txt"]).json();
    assert_eq!((&ran["length"], &ran["goal"]), (&Value::from(1), &Value::from("1 2 3 / 8 0 4 / 7 6 5")));
    assert!(home.done(&["show", "one.txt"]).stdout.contains("1 move from the goal"));
    // The same rows without a line with the size are any board, and so are these with a goal.
    let plain = home.run_with(&["solve", "--json"], b"1 2 3\n8 4 0\n7 6 5\n").json();
    let asked = home.run(&["solve", "--json", "--goal", "blank-last", "one.txt"]).json();
    assert_eq!((&plain["solvable"], &asked["solvable"]), (&Value::from(false), &Value::from(false)));
    assert_eq!(plain["solvable_with"], serde_json::json!(["snail"]));
    assert_eq!(asked.get("goal"), None);
}

#[test]
fn a_board_that_reaches_another_usual_goal_is_told_which() {
    let home = Home::new();
    // The first of Korf's hundred, whose goal has the blank first.
    let korf = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3";
    let ran = home.run(&["solve", korf]);
    let expected = "unsolvable: add --goal blank-first, or check the tiles: two that are swapped look the same. This board cannot reach blank-last, but it can reach blank-first.\n";
    assert_eq!((ran.code, &*ran.stdout), (1, expected));
    let ran = home.run(&["solve", "--goal", "snail", "2 1 3 / 4 5 6 / 7 8 0"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let expected = "unsolvable: use --goal blank-first, or check the tiles: two that are swapped look the same. This board cannot reach blank-last, but it can reach blank-first.\n";
    assert_eq!(home.run(&["solve", "--goal", "blank-last", korf]).stdout, expected);
    for command in ["solve", "show"] {
        let json = home.run(&[command, "--json", korf]).json();
        assert_eq!(json["solvable_with"], serde_json::json!(["blank-first", "blank-top-right"]), "{command}");
    }
    // With the goal that is named, the board has the published length.
    assert!(home.done(&["solve", "--goal", "blank-first", korf]).stdout.starts_with("57 moves: "));
}

#[test]
fn a_grid_on_stdin_is_one_board() {
    let home = Home::new();
    let grid = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n";
    assert_eq!(home.run_with(&["solve"], grid.as_bytes()).stdout, "1: 1 move: L\n");
    let broken = grid.replace("9 10", "9 9");
    let ran = home.run_with(&["solve"], format!("{broken}\n{grid}").as_bytes());
    assert_eq!((ran.code, &*ran.stdout, ran.stderr.lines().count()), (2, "6: 1 move: L\n", 1), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error: 1: tile 9 appears twice"), "{}", ran.stderr);
}

#[test]
fn whole_boards_of_every_form_are_answered_while_stdin_is_open() {
    let home = Home::new();
    let mut child = home.start(&["solve", "--json", "--threads", "1", "--goal", "blank-last"]);
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for text in [
        "1 2 3 / 4 5 6 / 7 0 8\n",
        "1 2 3 4 5 6 7 0 8\n",
        "1 2 3/4 5 6/7 0 8\n",
        "[[1,2,3],[4,5,6],[7,0,8]]\n",
        "{\"id\":3,\"board\":\"1 2 3 / 4 5 6 / 7 0 8\"}\n",
        "# solvable\n3\n1 2 3\n4 5 6\n7 0 8\n",
        "1 2 3\n4 5 6\n7 0 8\n\n",
    ] {
        stdin.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(
            (&json(&answer)["board"], &json(&answer)["length"]),
            (&Value::from(GOOD), &Value::from(1)),
            "{text}"
        );
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn solve_writes_the_boards_of_its_solution() {
    let home = Home::new();
    let board = "1 2 3 / 4 5 6 / 0 7 8";
    let plain = home.done(&["solve", "--boards", board]).stdout;
    assert_eq!(plain, "2 moves: L2\n  1 2 3 / 4 5 6 / 0 7 8\n  1 2 3 / 4 5 6 / 7 0 8\n  1 2 3 / 4 5 6 / 7 8 0\n");
    let tight = home.done(&["solve", "--boards", "--rows", "tight", board]).stdout;
    assert!(tight.ends_with("\n  1 2 3/4 5 6/7 8 0\n"), "{tight}");
    let grids = home.done(&["solve", "--boards", "--rows", "lines", board]).stdout;
    assert!(grids.starts_with("2 moves: L2\n\n1 2 3\n4 5 6\n0 7 8\n\n1 2 3\n"), "{grids}");
    let answer = home.done(&["solve", "--boards", "--json", board]).json();
    let boards = [board, "1 2 3 / 4 5 6 / 7 0 8", "1 2 3 / 4 5 6 / 7 8 0"];
    assert_eq!(answer["boards"], Value::from(boards.to_vec()));
    assert!(home.done(&["solve", "--json", board]).json().get("boards").is_none());
    home.says(&["solve", "--boards", "--all", board], 2, "cannot be used with");
}

#[test]
fn the_exercise_gets_its_report() {
    let home = Home::new();
    std::fs::write(home.join("puzzle.txt"), "# This puzzle is solvable\n3\n1 2 3\n8 4 0 # a comment\n7 6 5\n").unwrap();
    let asked = ["solve", "--goal", "snail", "--heuristic", "manhattan", "--report", "exercise", "puzzle.txt"];
    let report = home.done(&[&asked[..], &["--algorithm", "astar"]].concat()).stdout;
    let expected = "1 state selected (complexity in time)\n4 states in memory at most (complexity in size)\n1 move\n\n\
                    1 2 3\n8 4 0\n7 6 5\n\n1 2 3\n8 0 4\n7 6 5\n";
    assert_eq!(report, expected);
    let answer = home.done(&[&asked[..], &["--algorithm", "greedy", "--json"]].concat()).json();
    assert_eq!((&answer["expanded"], &answer["length"], &answer["optimal"]), (&1.into(), &1.into(), &false.into()));
    assert_eq!(answer["boards"].as_array().unwrap().len(), 2);
    let unsolvable = home.run(&["solve", "--goal", "snail", "--report", "exercise", "2 1 3 / 8 0 4 / 7 6 5"]);
    assert!(unsolvable.code == 1 && unsolvable.stdout.starts_with("unsolvable: "), "{}", unsolvable.stdout);
    // Fifteen tiles: columns are aligned.
    let wide = home.done(&["solve", "--report", "exercise", "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15"]).stdout;
    assert!(wide.ends_with("\n\n 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  0\n"), "{wide}");
}

#[test]
fn greedy_and_uniform_cost_are_searches() {
    let home = Home::new();
    let hardest = "8 6 7 / 2 5 4 / 3 0 1";
    let uniform = home.done(&["solve", "--algorithm", "uniform-cost", "--json", hardest]).json();
    assert_eq!((&uniform["length"], &uniform["optimal"]), (&31.into(), &true.into()));
    assert!(uniform.get("heuristic").is_none() && uniform.get("tables").is_none(), "{uniform}");
    let greedy = ["solve", "--algorithm", "greedy", "--heuristic", "manhattan"];
    let answer = home.done(&[&greedy[..], &["--json", hardest]].concat()).json();
    assert_eq!(answer["optimal"], false);
    assert!(answer["expanded"].as_u64() < uniform["expanded"].as_u64(), "{answer}");
    home.says(&[&greedy[..], &[hardest]].concat(), 0, "there may be shorter solutions: greedy looks at bounds alone");
    home.says(&[&greedy[..], &["--weight", "2", hardest]].concat(), 2, "greedy cannot weigh a heuristic");
    home.says(&[&greedy[..], &["--all", hardest]].concat(), 2, "greedy finds one solution only");
    home.says(&["solve", "--algorithm", "uniform-cost", "--heuristic", "manhattan", hardest], 2, "asks no heuristic");
}

#[test]
fn tight_rows_are_slidysims() {
    let home = Home::new();
    let board = "5 3 8 9/0 2 4 1/6 7 10 11/12 13 14 15";
    assert_eq!(home.done(&["convert", "--rows", "tight", board]).stdout, format!("{board}\n"));
    let notation = Notation::new(Rows::Tight, Separator::Space, Blank::Zero);
    assert_eq!(notation.write(&board.parse().unwrap()), board);
}

#[test]
fn one_wrong_word_of_a_board_that_is_not_quoted_is_one_mistake() {
    let home = Home::new();
    for word in ["a", "O", "a.txt"] {
        let ran = home.run(&["solve", "1", "2", "3", "4", "5", "6", "7", word, "8"]);
        assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("\"{word}\"")), "{}", ran.stderr);
    }
    std::fs::write(home.join("boards.txt"), GOOD).unwrap();
    let ran = home.done(&["solve", "--ordered", "1", "2", "0", "3", "boards.txt", GOOD]);
    assert_eq!(ran.stdout, "1: 1 move: L\nboards.txt:1: 1 move: L\n6: 1 move: L\n");
}

#[test]
fn every_command_takes_boards_that_are_not_quoted() {
    let home = Home::new();
    let words = ["1", "2", "3", "/", "4", "0", "6", "/", "7", "5", "8"];
    let run = |before: &[&str], after: &[&str]| home.done(&[before, &words, after].concat()).stdout;
    assert!(run(&["analyse"], &["UL"]).starts_with("solved in 2 moves"));
    assert!(run(&["analyse"], &["5", "8"]).starts_with("solved in 2 moves"));
    assert_eq!(run(&["moves", "apply"], &["U", "L"]), "1 2 3 / 4 5 6 / 7 8 0\n");
    assert_eq!(run(&["moves", "apply"], &["→"]), "1 2 3 / 0 4 6 / 7 5 8\n");
    assert_eq!(run(&["moves", "optimise", "--quiet"], &["RLUL"]), "2 moves: UL\n");
    #[cfg(feature = "plot")]
    assert!(run(&["draw"], &["--moves", "5 8"]).starts_with("<svg"));
    let line = "{\"board\":[[1,2,3],[4,0,6],[7,5,8]],\"moves\":\"UL\"}\n{\"board\":\"2 1 / 3 0\",\"solvable\":false}\n";
    let ran = home.run_with(&["analyse", "--json", "--ordered"], line.as_bytes());
    assert_eq!((ran.code, &ran.json_lines()[0]["lost"]), (1, &Value::from(0)), "{}", ran.stderr);
}
