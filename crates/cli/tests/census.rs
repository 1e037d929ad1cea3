//! `tilebase census`, and what `show` makes of it.

use serde_json::{Value, json};

use crate::common::{Home, keys};

#[test]
fn a_census_has_the_promised_keys_and_the_numbers_of_the_literature() {
    let home = Home::new();
    let census = home.done(&["census", "3x3", "--json"]).json();
    assert_eq!(keys(&census), "size goal metric counts farthest mean source");
    let expected =
        json!({ "size": "3x3", "goal": "1 2 3 / 4 5 6 / 7 8 0", "metric": "stm", "farthest": 31, "source": "counted" });
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
