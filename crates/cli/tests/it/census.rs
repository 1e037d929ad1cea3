//! `tilebase census`, and what `show` makes of it.

use serde_json::{Value, json};

use crate::common::{Home, keys};

#[test]
fn a_census_has_the_promised_keys_and_the_numbers_of_the_literature() {
    let home = Home::new();
    let census = home.done(&["census", "3x3", "--json"]).json();
    assert_eq!(keys(&census), "size goal metric complete counts farthest mean source");
    let expected = json!({ "size": "3x3", "goal": "1 2 3 / 4 5 6 / 7 8 0", "metric": "stm", "complete": true, "farthest": 31, "source": "counted" });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&census[key], value);
    }
    assert_eq!((&census["counts"][4], &census["counts"][31]), (&json!(16), &json!(2)));
    let snail = home.done(&["census", "3x3", "--goal", "snail", "--json"]).json();
    assert_eq!((&snail["farthest"], &snail["counts"][30]), (&json!(30), &json!(148)));
    let published = home.says(&["census", "4x4", "--json"], 0, "were published, not counted here").json();
    assert_eq!((&published["source"], &published["counts"][80]), (&json!("published"), &json!(17)));
    assert_eq!(home.done(&["census", "5x3", "--json"]).json()["farthest"], 84);
}

#[test]
fn several_tiles_in_a_line_are_one_move_if_asked() {
    let home = Home::new();
    for (goal, farthest) in [("blank-last", 1), ("1 0 2 / 3 4 5 / 6 7 8", 2), ("snail", 4)] {
        let census = home.done(&["census", "3x3", "--metric", "mtm", "--goal", goal, "--json"]).json();
        assert_eq!(keys(&census), "size goal metric complete counts farthest mean source");
        assert_eq!((&census["metric"], &census["farthest"]), (&json!("mtm"), &json!(24)));
        assert_eq!((&census["counts"][1], &census["counts"][24]), (&json!(4), &json!(farthest)));
    }
    let expected = "\
distance boards  up to it
       0      1   8.3333%
       1      2  25.0000%
       2      2  41.6666%
       3      2  58.3333%
       4      2  75.0000%
       5      2  91.6666%
       6      1 100.0000%
2x2 with the goal 1 2 / 3 0 (the blank in row 2, column 2), counted in mtm
12 boards, 3.0000 moves away on average
the farthest: 1 board at 6 moves
";
    assert_eq!(home.done(&["census", "2x2", "--metric", "mtm"]).stdout, expected);
    let ran =
        home.says(&["census", "4x4", "--metric", "mtm", "--json"], 0, "not counted here, and end at 28 moves; --count");
    let published = ran.json();
    assert_eq!(keys(&published), "size goal metric complete counts farthest farthest_boards source");
    let expected =
        json!({ "metric": "mtm", "complete": false, "farthest": 43, "farthest_boards": 16, "source": "published" });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&published[key], value);
    }
    assert_eq!(published["counts"].as_array().map(Vec::len), Some(29));
    let text = home.done(&["census", "4x4", "--metric", "mtm"]).stdout;
    let summary: Vec<&str> = text.lines().skip(30).collect();
    assert_eq!(
        summary,
        [
            "4x4 with the goal 1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0 (the blank in row 4, column 4), published in mtm",
            "not complete: 1013211759345 boards up to 28 moves away, of 10461394944000 in all",
            "the farthest: 16 boards at 43 moves",
        ]
    );
}

#[test]
fn boards_near_the_goal_are_counted_whatever_the_size() {
    let home = Home::new();
    let census = home.done(&["census", "4x4", "--metric", "mtm", "--depth", "9", "--json"]).json();
    assert_eq!(keys(&census), "size goal metric complete counts source");
    assert_eq!(census["counts"], json!([1, 6, 18, 54, 162, 486, 1457, 4334, 12568, 36046]));
    assert_eq!((&census["complete"], &census["source"]), (&json!(false), &json!("counted")));
    let expected = "\
distance boards  up to it
       0      1   0.0000%
       1      2   0.0000%
       2      4   0.0000%
4x4 with the goal 1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0 (the blank in row 4, column 4), counted
not complete: 7 boards up to 2 moves away, of 10461394944000 in all
";
    let ran = home.done(&["census", "4x4", "--depth", "2"]);
    assert_eq!((&*ran.stdout, &*ran.stderr), (expected, ""));
    let snail = home.done(&["census", "5x5", "--goal", "snail", "--depth", "3", "--json"]).json();
    assert_eq!(snail["counts"], json!([1, 4, 12, 32]));
    let whole = home.done(&["census", "3x2", "--depth", "50", "--json"]).json();
    assert_eq!((&whole["complete"], &whole["farthest"]), (&json!(true), &json!(21)));
    let short = ["census", "5x5", "--metric", "mtm", "--depth", "9", "--max-memory", "40kB", "--json"];
    let short = home.says(&short, 3, "the count ended at 4 moves: the boards at 5 need more memory than may be used");
    assert_eq!(short.json()["counts"], json!([1, 8, 32, 128, 512]));
}

#[test]
fn people_get_a_table_and_a_summary() {
    let ran = Home::new().done(&["census", "2x2"]);
    let expected = "\
distance boards  up to it
       0      1   8.3333%
       1      2  25.0000%
       2      2  41.6666%
       3      2  58.3333%
       4      2  75.0000%
       5      2  91.6666%
       6      1 100.0000%
2x2 with the goal 1 2 / 3 0 (the blank in row 2, column 2), counted
12 boards, 3.0000 moves away on average
the farthest: 1 board at 6 moves
";
    assert_eq!(ran.stdout, expected);
    assert_eq!(ran.stderr, "");
}

#[test]
fn what_cannot_be_counted_is_refused_with_the_reason() {
    let home = Home::new();
    for (arguments, expected) in [
        (&["census", "5x5"][..], "5x5 has 7.8e24 boards that can be solved, and nobody has counted"),
        (&["census", "4x4", "--count", "--max-memory", "1GB"], "needs 1.3 TB of memory, but only 1.0 GB may be used"),
        (&["census", "4x4", "--count"], "the published numbers are told without --count"),
        (&["census", "4x4", "--goal", "snail"], "published numbers for goals with the blank in a corner only"),
        (&["census", "3x6"], "and there are no published numbers"),
        (&["census", "3x4", "--count", "--max-memory", "1MB"], "needs 29.9 MB of memory, but only 1.0 MB may be used"),
        (&["census", "5x5", "--metric", "mtm"], "--depth N counts those up to N moves away"),
        (
            &["census", "3x5", "--metric", "mtm", "--max-memory", "1GB"],
            "and there are no published numbers; --depth N counts",
        ),
        (
            &["census", "3x4", "--metric", "mtm", "--max-memory", "1MB"],
            "needs 44.9 MB of memory, but only 1.0 MB may be used",
        ),
        (&["census", "3x3", "--metric", "htm"], "no metric is called \"htm\": expected stm (single tiles) or mtm"),
        (&["census", "3x3", "--depth", "far"], "--depth"),
        (&["census", "3x3", "--depth", "4", "--count"], "cannot be used with"),
        (&["census", "1x4"], "1x4"),
        (&["census", "3x3", "--goal", "1 2 / 3 0"], "2x2"),
    ] {
        assert_eq!(home.says(arguments, 2, expected).stdout, "");
    }
    let ran = home.done(&["census", "3x4", "--max-memory", "1MB", "--json"]);
    assert_eq!((&ran.json()["source"], &ran.json()["farthest"]), (&"published".into(), &53.into()));
    assert!(ran.stderr.contains("only 1.0 MB may be used"), "{}", ran.stderr);
}

#[cfg(feature = "png")]
#[test]
fn a_census_can_be_drawn() {
    let home = Home::new();
    home.done(&["census", "3x3", "--svg", "c.svg", "--png", "c.png", "--width", "400"]);
    let svg = std::fs::read_to_string(home.join("c.svg")).unwrap();
    assert!(svg.contains("Boards of 3x3 by distance from the goal"), "{svg}");
    assert!(std::fs::read(home.join("c.png")).unwrap().starts_with(b"\x89PNG"));
    home.done(&["census", "4x4", "--metric", "mtm", "--depth", "4", "--svg", "d.svg"]);
    let svg = std::fs::read_to_string(home.join("d.svg")).unwrap();
    assert!(svg.contains("241 boards, of 10461394944000 in all") && svg.contains("counted in mtm"), "{svg}");
    home.says(&["census", "3x3", "--svg", "c", "--png", "c"], 2, "give each its own file");
}

#[test]
fn show_says_how_far_a_board_is_among_all() {
    let home = Home::new();
    let shown = |arguments: &[&str]| home.done(&[&["show"], arguments].concat()).stdout;
    let hardest = "8 6 7 / 2 5 4 / 3 0 1";
    assert!(
        shown(&[hardest])
            .contains("31 moves from the goal: farther than 99.998 % of all boards, and one of the 2 farthest")
    );
    assert!(shown(&["1 2 3 / 4 5 6 / 7 8 0"]).contains("0 moves from the goal: it is solved already"));
    let answer: Value = home.done(&["show", "--json", "1 2 3 / 4 0 6 / 7 5 8"]).json();
    assert_eq!(answer["distance"], 2);
    let shares = ["farther_than", "nearer_than"].map(|key| answer[key].as_f64().unwrap());
    let expected = [3.0 / 181_440.0, (181_440.0 - 7.0) / 181_440.0];
    assert!((0..2).all(|at| (shares[at] - expected[at]).abs() < 1e-12), "{shares:?}");
    // Nobody has counted the boards of 4x4 with the blank's home inside.
    let unknown =
        home.done(&["show", "--json", "--goal", "snail", "1 2 3 4 / 12 13 14 5 / 11 15 0 6 / 10 9 8 7"]).json();
    assert!(unknown["solvable"] == true && unknown.get("distance").is_none(), "{unknown}");
}
