//! Every bad input has its own clear message and exit code 2; an unsolvable board has 1.

use std::io::Write;

use crate::common::{Home, files};

#[test]
fn each_bad_board_is_refused_with_its_own_message_and_code_2() {
    let cases: [(&[&str], &str); 17] = [
        (&["1 2 3 / 4 4 6 / 7 8 0"], "tile 4 appears twice"),
        (&["1 2 3 4 6 7 8 0"], "tile 5 is missing"),
        (&["--size", "3x3", "1 2 3 4 6 7 8 0"], "expected 9 squares for a 3x3 board, found 8: tile 5 is missing"),
        (&["1 2 3 / 4 5 6 / 7 9 0"], "tile 9 at row 3, column 2 is too large"),
        (&["1 2 3 / 4 0 6 / 7 8 0"], "there are two blanks"),
        (&["1 2 3 4 5 6 7 0 9 10"], "10 squares do not make a square board"),
        (&["1 2 3 / 4 5 / 7 8 0"], "row 2 has 2 tiles, but row 1 has 3"),
        (&[""], "the board is empty"),
        (&["1 2 3 / 4 five 6 / 7 8 0"], "\"five\" at row 2, column 2 is not a tile"),
        (&["1 2 3 4 5 6 7 8 9 10 11 12 13 / 14 15 16 17 18 19 20 21 22 23 24 25 0"], "13x2 squares is not supported"),
        (&["0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"], "26 squares are too many"),
        (
            &["--goal", "1 2 / 3 0", "1 2 3 / 4 5 6 / 7 8 0"],
            "the goal is a board of 2x2, but the board to be solved is 3x3",
        ),
        (&["--goal", "middle", "1 2 3 / 4 5 6 / 7 8 0"], "\"middle\" is not a goal"),
        (&["--tables", "9-9", "1 2 3 / 4 5 6 / 7 8 0"], "\"9-9\" is not a known catalogue: expected 5-5-5, 6-6-3, 7-8"),
        (&["--tables", "7-8", "1 2 3 / 4 5 6 / 7 8 0"], "for boards of 4x4, but this board is 3x3"),
        (&["--size", "4", "1 2 3 / 4 5 6 / 7 8 0"], "expected a board of 4x4, found rows that make 3x3"),
        (&["--size", "four", "1 2 3 / 4 5 6 / 7 8 0"], "\"four\" is not a board size"),
    ];
    let home = Home::new();
    for (arguments, expected) in cases {
        for command in ["solve", "show"] {
            if command == "show" && arguments[0] == "--tables" {
                continue;
            }
            let ran = home.says(&[&[command], arguments].concat(), 2, expected);
            assert_eq!(ran.stdout, "", "{command} {arguments:?}");
        }
    }
}

#[test]
fn bad_catalogues_and_patterns_are_refused_before_anything_is_built() {
    let home = Home::new();
    std::fs::write(home.join("hole.txt"), ".AB\nA-B\nAAB\n").unwrap();
    std::fs::write(home.join("file"), "").unwrap();
    let cases: [(&[&str], &str); 18] = [
        (&["--tiles", "1,2", "--size", "3x3", "--count", "all", "--encoding", "nibble"], "have one bit an entry"),
        (&["5-5-5", "--threads", "100000"], "100000 is not in 1..=1024"),
        (&["9-9"], "\"9-9\" is not a known catalogue"),
        (&[".AB/A-B/AAB"], "the drawing has a hole: '-' at row 2, column 2"),
        (&["hole.txt"], "hole.txt: the drawing has a hole: '-' at row 2, column 2"),
        (&[".AB/A.B/AAB"], "the drawing has two blanks"),
        (&["AAB/AAB/AAB"], "the drawing has no blank"),
        (&["./missing.txt"], "is neither a file nor a drawing"),
        (&["--tiles", "1,2,1", "--size", "3x3"], "tile 1 is listed twice"),
        (&["--tiles", "0,2", "--size", "3x3"], "tile 0 is the blank"),
        (&["--tiles", "9", "--size", "3x3"], "tile 9 is not on a 3x3 board"),
        (&["--tiles", "1,2"], "--size"),
        (&["--tiles", "1,2,3,4,5,6,7,8,9,10,11,12,13", "--size", "5x5"], "a pattern of 13 tiles is too large"),
        (
            &["6-6-6-6", "--max-memory", "20MB"],
            "of memory, but only 20.0 MB may be used: a pattern of 5 tiles would fit",
        ),
        (
            &["8-8-8", "--max-memory", "20GB"],
            "needs 22.0 GB of memory, but only 20.0 GB may be used: a pattern of 7 tiles would fit (1.1 GB)",
        ),
        (
            &["8-8-7-1", "--max-memory", "20GB", "--audit"],
            "needs 22.0 GB of memory, but only 20.0 GB may be used: a pattern of 7 tiles would fit (1.1 GB)",
        ),
        (&["5-5-5", "--max-memory", "much"], "invalid value 'much'"),
        (&["5-5-5", "--out", "file/below"], "cannot write tables into file/below"),
    ];
    for (arguments, expected) in cases {
        let ran = home.says(&[&["generate", "--quiet"], arguments].concat(), 2, expected);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    assert_eq!(files(home.path()), ["file", "hole.txt"], "nothing but our own two files is there");
}

#[test]
fn an_unsolvable_board_is_refused_with_the_reason_and_code_1() {
    let home = Home::new();
    let board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0";
    let ran = home.run(&["solve", board]);
    let remedy = "unsolvable: add --goal blank-first, or check the tiles: two that are swapped look the same. This board cannot reach blank-last, but it can reach blank-first.\n";
    assert_eq!((ran.code, &*ran.stdout), (1, remedy));
    let ran = home.run(&["show", board]);
    let why = "this board needs 1 exchange (odd), and its blank is 0 steps (even) from its goal";
    assert!(ran.code == 1 && ran.stdout.contains(why) && ran.stdout.contains("solvable"), "{}", ran.stdout);
    let ran = home.run(&["solve", "--json", board]);
    assert!(ran.stdout.contains("\"solvable\":false") && ran.stdout.contains(why), "{}", ran.stdout);
    assert!(!ran.stdout.contains("nodes"), "no search was made: {}", ran.stdout);
}

#[test]
fn a_bad_line_is_reported_with_its_number_and_the_rest_still_runs() {
    let home = Home::new();
    let boards =
        b"# three boards\n\n1 2 3 / 4 5 6 / 7 0 8\nnonsense\n\xff\xfe\n1 2 3 / 4 5 6 / 0 7 8\n1 2 3 / 4 5 6 / 8 7 0\n";
    let ran = home.run_with(&["solve", "--ordered"], boards);
    assert_eq!(ran.code, 2, "bad input outweighs an unsolvable board");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..2], ["3: 1 move: L", "6: 2 moves: L2"]);
    assert!(lines[2].starts_with("7: unsolvable:"));
    assert!(ran.stderr.contains("error: 4: \"nonsense\" at row 1, column 1 is not a tile"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: 5: the line is not text"), "{}", ran.stderr);

    let ran = home.run_with(&["solve", "--ordered", "--json"], boards);
    let ids: Vec<&str> = ran.stdout.lines().map(|line| &line[..7]).collect();
    assert_eq!(ids, ["{\"id\":3", "{\"id\":4", "{\"id\":5", "{\"id\":6", "{\"id\":7"]);
    assert!(ran.stdout.lines().nth(1).unwrap().contains("\"error\":"));
}

#[test]
fn stdin_without_a_board_or_that_cannot_be_read_is_an_error_once() {
    let home = Home::new();
    for command in ["solve", "show", "convert"] {
        for stdin in [&b""[..], b"# nothing here\n\n"] {
            let ran = home.run_with(&[command], stdin);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{command}");
            assert!(ran.stderr.contains("there is no board on stdin"), "{command}: {}", ran.stderr);
        }
        // Elsewhere a directory cannot even be opened.
        let Ok(directory) = std::fs::File::open(home.path()) else { continue };
        let ran = crate::common::Ran::new(home.command(&[command]).stdin(directory).output().unwrap());
        assert_eq!((ran.code, ran.stderr.matches("stdin cannot be read").count()), (2, 1), "{command}: {}", ran.stderr);
    }
}

#[test]
fn a_closed_pipe_ends_the_batch() {
    let home = Home::new();
    let easy = "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15\n";
    let hopeless = "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0\n";
    let arguments = ["solve", "--tables", "none", "--goal", "blank-first", "--threads", "1", "-"];
    let mut child = home.start(&arguments);
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(format!("{easy}{hopeless}").as_bytes()).unwrap();
    // The second board would take hours; nobody waits for its answer any more.
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn limits_end_with_code_3_and_a_proven_bound() {
    let home = Home::new();
    let hard = ["--goal", "blank-first", "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0"];
    let ran = home.run(&[&["solve", "--max-nodes", "1000"][..], &hard].concat());
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("not solved: the limit of 1000 nodes was reached; "), "{}", ran.stdout);
    assert!(ran.stdout.contains("every solution has at least "), "{}", ran.stdout);
    let ran = home.run(&[&["solve", "--time-limit", "20ms", "--tables", "none"][..], &hard].concat());
    assert!(ran.stdout.starts_with("not solved: the time limit of 20 ms was reached after "), "{}", ran.stdout);
    let ran = home.run(&[&["solve", "--max-memory", "1MB", "--algorithm", "astar"][..], &hard].concat());
    assert!(ran.stdout.starts_with("not solved: the memory limit of 1.0 MB was reached after "), "{}", ran.stdout);
    home.says(&["solve", "--time-limit", "2x", hard[2]], 2, "is not a time: expected a number with ms, s, m or h");
    let ran = home.run(&[&["solve", "--time-limit", "0.001", "--tables", "none", "--json"][..], &hard].concat());
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("\"limit\":\"time\",\"at_least\":"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("\"length\""));
}

#[test]
fn the_time_limit_of_one_board_includes_making_its_tables_ready() {
    let home = Home::new();
    // On the spot, which takes hundreds of milliseconds.
    let far = "14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13";
    let ran = home.run(&["solve", "--time-limit", "1ms", far]);
    assert_eq!((ran.code, ran.stderr.as_str()), (3, ""), "{}", ran.stdout);
    let expected = "not solved: the time limit of 1 ms was reached before the tables were ready; every solution has at least 81 moves\n";
    assert_eq!(ran.stdout, expected);
    let answer = home.run(&["solve", "--json", "--time-limit", "1ms", far]).json();
    assert_eq!((&answer["limit"], &answer["at_least"], &answer["nodes"]), (&"time".into(), &81.into(), &0.into()));
    let answer = home.run(&["analyse", "--json", "--time-limit", "1ms", far, "LR"]).json();
    assert_eq!((&answer["limit"], &answer["at_least"]), (&"time".into(), &81.into()));
    // Many boards share tables, and wait for them, which takes longer than the limit. Of several tries, so that a busy machine may
    // interrupt the searches.
    let near = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 0 24";
    let boards = format!("{near}\n{near}\n");
    assert!((0..20).any(|_| home.run_with(&["solve", "--time-limit", "100ms"], boards.as_bytes()).code == 0));
}
