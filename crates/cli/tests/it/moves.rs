//! `tilebase moves` and `tilebase draw`.

use serde_json::json;

use crate::common::{Home, keys};

const NINE_MOVES: &str = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";
const GOAL: &str = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0";

/// A shortest solution of the board in every form, and how it is undone.
const FORMS: [(&str, &str, &str); 4] = [
    ("tile", "D3L2U3L", "RD3R2U3"),
    ("blank", "U3R2D3R", "LU3L2D3"),
    ("tiles", "13 9 5 1 2 3 7 11 15", "15 11 7 3 2 1 5 9 13"),
    ("arrows", "↓↓↓←←↑↑↑←", "→↓↓↓→→↑↑↑"),
];

#[test]
fn moves_are_undone_simplified_joined_and_made_in_every_form() {
    let home = Home::new();
    let moves = |arguments: &[&str]| home.done(&[&["moves"], arguments].concat()).stdout.trim_end().to_owned();
    for (form, there, back) in FORMS {
        assert_eq!(moves(&["invert", "--moves", form, there]), back);
        assert_eq!(moves(&["invert", "--moves", form, "--board", NINE_MOVES, there]), back);
        assert_eq!(moves(&["apply", "--moves", form, NINE_MOVES, there]), GOAL);
        assert_eq!(moves(&["apply", "--moves", form, GOAL, back]), NINE_MOVES);
        let both = moves(&["concat", "--moves", form, there, back]);
        assert_eq!(moves(&["apply", "--moves", form, NINE_MOVES, &both]), NINE_MOVES);
        assert_eq!(moves(&["simplify", "--moves", form, &both]), "");
        assert_eq!(moves(&["simplify", "--moves", form, there]), there);
        for (to, expected, _) in FORMS {
            assert_eq!(moves(&["simplify", "--moves", form, "--to", to, "--board", NINE_MOVES, there]), expected);
        }
    }
    assert_eq!(moves(&["invert", "R2U3L", "UD"]), "RD3L2\nUD");
    assert_eq!(moves(&["apply", "--rows", "flat", "1 2 / 3 0", "R"]), "1 2 0 3");
    let json = home.done(&["moves", "simplify", "--json", "R2UDL"]).json();
    assert_eq!(json, json!({ "moves": "R", "length": 1, "before": 5, "metric": "stm" }));
    let lines = home.run_with(&["moves", "invert"], "# two\nR2\r\nQ\nUL\n".as_bytes());
    assert_eq!((lines.code, &*lines.stdout), (2, "L2\nRD\n"));
    assert_eq!(lines.stderr, "error: 3: \"Q\" (place 1) is not a move\n");
}

#[test]
fn moves_are_counted_in_either_metric() {
    let home = Home::new();
    let answer = |metric: &[&str], rest: &[&str]| home.done(&[&["moves"], rest, metric, &["--json"]].concat()).json();
    let counted = |metric: &[&str]| {
        [
            answer(metric, &["invert", "R2U3L"]),
            answer(metric, &["concat", "R", "RU", "U2L"]),
            answer(metric, &["apply", GOAL, "R2D3L"]),
            answer(metric, &["apply", "--moves", "tiles", NINE_MOVES, "13 9 5 1 2 3 7 11 15"]),
            answer(metric, &["simplify", "--moves", "tiles", "--board", NINE_MOVES, "13 9 5 1 2 3 7 11 15"]),
        ]
    };
    for (metric, name, lengths) in [
        (&[][..], "stm", [6, 6, 6, 9, 9]),
        (&["--metric", "stm"], "stm", [6, 6, 6, 9, 9]),
        (&["--metric", "mtm"], "mtm", [3, 3, 3, 4, 4]),
    ] {
        let answers = counted(metric);
        assert_eq!(answers.each_ref().map(|answer| answer["length"].as_u64().unwrap()), lengths);
        assert!(answers.iter().all(|answer| answer["metric"] == name), "{answers:?}");
    }
    // What goes on in the same line is one move, and what comes back in it is none.
    for (moves, expected, length, before) in
        [("LR2", "R", 1, 2), ("R2L", "R", 1, 2), ("UL2RLRD", "ULD", 3, 6), ("D2UL2R2D", "D2", 1, 5), ("R2L2", "", 0, 2)]
    {
        let json = answer(&["--metric", "mtm"], &["simplify", moves]);
        assert_eq!(json, json!({ "moves": expected, "length": length, "before": before, "metric": "mtm" }));
    }
    for command in ["invert", "simplify", "concat"] {
        let refused =
            home.says(&["moves", command, "--metric", "mtm", "--moves", "tiles", "12 8"], 2, "give the board");
        assert_eq!(refused.stdout, "");
    }
    home.says(&["moves", "invert", "--metric", "htm", "R"], 2, "expected stm (single tiles) or mtm");
}

#[test]
fn moves_that_are_none_or_cannot_be_made_are_refused() {
    let home = Home::new();
    for (arguments, expected) in [
        (&["invert", "RQ"][..], "\"Q\" (place 2) is not a move"),
        (&["invert", "--moves", "tiles", "3 99"], "\"99\" (place 2) is not a move"),
        (&["simplify", "--moves", "tiles", "--to", "tile", "3 2"], "without the board that they are made on"),
        (&["simplify", "--board", "1 2 / 3 0", "RR"], "move 2: no tile can slide right"),
        (&["concat", "--board", "1 2 / 3 0", "R", "R"], "move 2: no tile can slide right"),
        (&["apply", "1 2 / 3 0", "RR"], "move 2: no tile can slide right"),
        (&["apply", "1 2 / 3 3", "R"], "tile 3 appears twice"),
        (&["optimise", "1 2 / 3 0", "L"], "move 1: no tile can slide left"),
        (&["optimise", "--window", "1", "1 2 / 3 0", "R"], "1 is not in 3..=200"),
        (&["concat"], "MOVES"),
    ] {
        assert_eq!(home.says(&[&["moves"], arguments].concat(), 2, expected).stdout, "");
    }
}

#[test]
fn solutions_get_shorter_and_end_where_they_ended() {
    let home = Home::new();
    let detour = "D3L2U3L DRDLURULDRRDLLUURDDLU";
    let end = home.done(&["moves", "apply", NINE_MOVES, detour]).stdout;
    for form in ["tile", "tiles"] {
        let written = home.done(&["moves", "simplify", "--to", form, "--board", NINE_MOVES, detour]).stdout;
        let ran = home.done(&["moves", "optimise", "--json", "--moves", form, NINE_MOVES, written.trim()]);
        let answer = ran.json();
        assert_eq!(keys(&answer), "board moves metric length before window replaced undecided");
        assert!(answer["length"].as_u64() < answer["before"].as_u64(), "{answer}");
        let moves = answer["moves"].as_str().unwrap();
        assert_eq!(home.done(&["moves", "apply", "--moves", form, NINE_MOVES, moves]).stdout, end);
    }
    let there_is_nothing_to_do = home.says(&["moves", "optimise", NINE_MOVES, "D3L2U3L"], 0, "gets shorter");
    assert_eq!(there_is_nothing_to_do.stdout, "9 moves: D3L2U3L\n");
    let nothing_left = home.says(&["moves", "optimise", "1 2 / 3 0", "RDLURDLURDLU"], 0, "12 moves before");
    assert_eq!(nothing_left.stdout, "0 moves\n");
}

#[cfg(feature = "plot")]
mod draw {
    use super::*;
    use roxmltree::Document;

    /// How many elements of a picture have a name.
    fn count(svg: &str, name: &str) -> usize {
        Document::parse(svg).unwrap().descendants().filter(|node| node.has_tag_name(name)).count()
    }

    #[test]
    fn boards_are_drawn_with_patterns_conflicts_and_solutions() {
        let home = Home::new();
        let svg = home.done(&["draw", NINE_MOVES]).stdout;
        assert_eq!((count(&svg, "g"), count(&svg, "animateTransform")), (15, 0));
        let patterns = home.done(&["draw", NINE_MOVES, "--patterns", "6-6-3", "--title", "Three patterns"]).stdout;
        for expected in ["Three patterns", "#0072b2", "#d55e00", "#009e73"] {
            assert!(patterns.contains(expected), "{expected}");
        }
        let conflicts = home.done(&["draw", "2 1 3 / 4 5 6 / 8 7 0", "--conflicts"]).stdout;
        assert_eq!(count(&conflicts, "circle"), 6, "two pairs, and two notes");
        assert!(conflicts.contains("1, 2 in a row: 2"), "{conflicts}");
        let solution = home.done(&["draw", NINE_MOVES, "--solve"]).stdout;
        assert_eq!(count(&solution, "animateTransform"), 9, "nine tiles move once each");
        let moves = home.done(&["draw", NINE_MOVES, "--moves", "13 9", "--form", "tiles"]).stdout;
        assert_eq!(count(&moves, "animateTransform"), 2);
        let answer = home.done(&["draw", "--json", NINE_MOVES, "--moves", "D2", "--svg", "b.svg"]).json();
        assert_eq!(answer, json!({ "board": NINE_MOVES, "moves": 2, "svg": "b.svg" }));
        assert_eq!(count(&std::fs::read_to_string(home.join("b.svg")).unwrap(), "g"), 15);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let home = Home::new();
        for (arguments, code, expected) in [
            (&["draw", "1 2 / 3 3"][..], 2, "tile 3 appears twice"),
            (&["draw", NINE_MOVES, "--patterns", "nonsense"], 2, "is not a known catalogue"),
            (&["draw", "1 2 / 3 0", "--patterns", "7-8"], 2, "are for boards of 4x4, but this board is 2x2"),
            (&["draw", NINE_MOVES, "--moves", "U"], 2, "no tile can slide up"),
            (&["draw", "2 1 / 3 0", "--solve"], 1, "unsolvable"),
            (&["draw", "2 1 / 3 0", "--conflicts"], 1, "unsolvable"),
        ] {
            assert_eq!(home.says(arguments, code, expected).stdout, "");
        }
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_picture_as_png_stands_still() {
        let home = Home::new();
        home.done(&["draw", NINE_MOVES, "--png", "b.png", "--width", "300"]);
        assert!(std::fs::read(home.join("b.png")).unwrap().starts_with(b"\x89PNG"));
        home.says(&["draw", NINE_MOVES, "--solve", "--png", "b.png"], 2, "a PNG cannot play moves: use --svg");
    }
}
