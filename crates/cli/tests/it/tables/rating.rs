//! `tilebase tables rate` and `tilebase tables search`

use serde_json::Value;

use crate::common::{Home, files, json, keys};

/// η as a plain script has it: the bounds that `solve` tells for the same boards, averaged.
fn plain_eta(home: &Home, size: &str, tables: &str, boards: &str, branching: f64) -> (f64, f64) {
    let ran =
        home.run_with(&["solve", "--tables", tables, "--max-nodes", "1", "--json", "--size", size], boards.as_bytes());
    let bound = |line: &Value| line.get("at_least").unwrap_or(&line["length"]).as_f64().unwrap();
    let bounds: Vec<f64> = ran.json_lines().iter().map(bound).collect();
    assert_eq!(bounds.len(), boards.lines().count(), "{}", ran.stderr);
    let count = bounds.len() as f64;
    (bounds.iter().map(|bound| branching.powf(-bound)).sum::<f64>() / count, bounds.iter().sum::<f64>() / count)
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn eta_is_the_mean_of_the_powers_of_the_bounds_that_solve_tells() {
    let home = Home::new();
    home.done(&["generate", "--quiet", "6-6-6-6"]);
    for (size, tables, branching) in
        [("5x5", "6-6-6-6", 2.3676), ("4x4", "6-6-3", 2.1304), ("3x3", "manhattan", 3f64.sqrt())]
    {
        let boards = home.done(&["scramble", "--size", size, "--count", "300", "--seed", "7"]).stdout;
        let arguments = ["tables", "rate", tables, "--size", size, "--samples", "300", "--seed", "7", "--json"];
        let rated = home.done(&arguments).json();
        assert!(keys(&rated).starts_with("tables mean eta standard_error bytes samples branching"), "{rated}");
        assert!((number(&rated, "branching") - branching).abs() < 5e-5);
        let (eta, mean) = plain_eta(&home, size, tables, &boards, number(&rated, "branching"));
        assert!((number(&rated, "eta") / eta - 1.0).abs() < 1e-9, "{tables}: {eta} {rated}");
        assert!((number(&rated, "mean") - mean).abs() < 1e-9);
        assert!((number(&rated, "eta") - eta).abs() <= number(&rated, "standard_error"));
    }
}

#[test]
fn boards_near_the_goal_give_the_same_eta_with_a_smaller_error() {
    let home = Home::new();
    let rate = |sampling: &str, seed: &str| {
        let arguments =
            ["tables", "rate", "6-6-3", "--sampling", sampling, "--seed", seed, "--samples", "6000", "--json"];
        home.done(&arguments).json()
    };
    let (one, other) = (rate("near", "1"), rate("near", "2"));
    let error = number(&one, "standard_error").hypot(number(&other, "standard_error"));
    assert!((number(&one, "eta") - number(&other, "eta")).abs() < 4.0 * error, "{one} {other}");
    assert!((number(&one, "mean") - number(&other, "mean")).abs() < 0.6);
    let share = |rated: &Value| number(rated, "standard_error") / number(rated, "eta");
    assert!(share(&one) < share(&rate("uniform", "1")), "{one}");
}

#[test]
fn heuristics_are_compared_with_the_first() {
    let home = Home::new();
    let lines = home
        .done(&["tables", "rate", "--size", "3x3", "manhattan", "hamming", "manhattan+hamming", "--json"])
        .json_lines();
    let nodes: Vec<f64> = lines.iter().map(|line| number(line, "nodes")).collect();
    assert!((nodes[0] - 1.0).abs() < 1e-12 && nodes[1] > 10.0 && (nodes[2] - 1.0).abs() < 1e-12, "{nodes:?}");
    assert_eq!(lines[0]["bytes"], 0);
    let by_distance =
        ["tables", "rate", "--size", "3x3", "manhattan", "hamming", "--reference", "distance", "--samples", "500"];
    let text = home.done(&by_distance).stdout;
    assert!(text.contains("by the lag behind distance") && text.lines().count() == 4, "{text}");
    let three = home.done(&["tables", "rate", "6-6-3", "--samples", "50", "--json"]).json();
    assert_eq!(three["bytes"], 2_967_082, "those of the three files in crates/lookup/tables");
    home.says(&["tables", "rate", "7-9"], 2, "is not a known catalogue");
    home.says(&["tables", "rate", "6-6-3", "6-6-6-6"], 2, "are for boards of 5x5, but this board is 4x4");
    home.says(&["tables", "rate", "--samples", "1", "6-6-3"], 2, "1 is not in 2..=100000000");
    home.says(&["tables", "rate", "--size", "3x3", "blank-aware"], 0, "may exceed the distance");
}

#[test]
fn a_search_goes_on_where_it_was_and_writes_catalogues_that_solve_takes() {
    let home = Home::new();
    let arguments = [
        "tables",
        "search",
        "--size",
        "3x3",
        "--sizes",
        "4-4",
        "--samples",
        "500",
        "--state",
        "s.tsv",
        "--out",
        "best",
        "--best",
        "3",
        "--json",
    ];
    // 8 over 4 are 70, two of which make a partition; 3 of the 35 are their own mirror images.
    let all = home.done(&[&arguments[..], &["--all"]].concat());
    assert!(all.stderr.contains("19 partitions measured, 19 of them now"), "{}", all.stderr);
    let best = all.json_lines();
    assert!(keys(&best[0]).starts_with("tables mean eta standard_error bytes samples branching"), "{}", best[0]);
    assert!(number(&best[0], "eta") <= number(&best[1], "eta"));
    assert_eq!(files(&home.join("best")).len(), 3);
    // Half a line is measured again, and nothing else.
    let text = std::fs::read_to_string(home.join("s.tsv")).unwrap();
    assert_eq!(text.lines().count(), 21);
    std::fs::write(home.join("s.tsv"), &text[..text.len() - 9]).unwrap();
    let again = home.done(&[&arguments[..], &["--all"]].concat());
    assert!(again.stderr.contains("19 partitions measured, 1 of them now"), "{}", again.stderr);
    assert_eq!((again.stdout, std::fs::read_to_string(home.join("s.tsv")).unwrap()), (all.stdout, text));
    // What it found is what `rate` says of it.
    let file = best[0]["file"].as_str().unwrap();
    let rated = home.done(&["tables", "rate", file, "--goal", "blank-first", "--samples", "500", "--json"]).json();
    assert!((number(&rated, "eta") / number(&best[0], "eta") - 1.0).abs() < 1e-4, "{rated} {}", best[0]);
    assert_eq!(rated["bytes"], best[0]["bytes"]);
    home.done(&["solve", "--tables", file, "--goal", "blank-first", "8 6 7 / 2 5 4 / 3 0 1"]);
    // Improving random ones ends at the best of all, or at one that no exchange makes better.
    let improved = home.done(&[&arguments[..6], &["--samples", "500", "--best", "1", "--json"]].concat()).json();
    assert_eq!(improved["tables"], best[0]["tables"]);
}

#[test]
fn a_screen_measures_patterns_in_parts_and_what_refines_it_builds_them() {
    let home = Home::new();
    let arguments =
        ["tables", "search", "--size", "3x3", "--sizes", "5-3", "--all", "--samples", "400", "--best", "99"];
    let lines = |more: &[&str]| home.done(&[&arguments[..], &["--json"], more].concat()).json_lines();
    let whole = lines(&[]);
    let screened = lines(&["--screen", "3", "--state", "s.tsv", "--refine", "300", "--refined", "2"]);
    assert_eq!(screened.len(), 2);
    assert!(screened.iter().all(|one| one["samples"] == 300), "the best are refined");
    let screened = lines(&["--screen", "3", "--state", "s.tsv"]);
    // 8 over 3 are 56, of which 6 are their own mirror images.
    assert_eq!((whole.len(), screened.len()), (31, 31));
    for one in &screened {
        let same = whole.iter().find(|other| other["tables"] == one["tables"]).unwrap();
        assert!(
            number(one, "mean") <= number(same, "mean") && number(one, "eta") >= number(same, "eta"),
            "{one} {same}"
        );
    }
    let mean = |all: &[Value]| all.iter().map(|one| number(one, "mean")).sum::<f64>();
    assert!(mean(&screened) < mean(&whole));
    // Nothing is divided where patterns have no more tiles.
    assert_eq!(lines(&["--screen", "5"]), whole);
    home.says(&[&arguments[..], &["--state", "s.tsv"]].concat(), 2, "patterns in parts of 3 tiles");
}

#[test]
fn searches_that_make_no_sense_are_refused_with_the_reason() {
    let home = Home::new();
    let search = |more: &[&str], words: &str| {
        home.says(&[&["tables", "search", "--size", "4x4", "--samples", "10"], more].concat(), 2, words);
    };
    search(&[], "--max-bytes");
    search(&["--sizes", "7-9"], "patterns of 7-9 tiles have 16 together: expected 15, such as 8-7");
    search(&["--sizes", "7x8"], "are not sizes of patterns: expected such as 7-8");
    search(&["--sizes", "15-0"], "patterns of 15-0 tiles");
    search(&["--max-bytes", "10"], "no partition has tables that fit into 10 bytes");
    search(&["--sizes", "4-4-4-3", "--all"], "more than 1000000 such partitions");
    std::fs::write(home.join("s.tsv"), "# 4x4, uniform boards, seed 2\n").unwrap();
    search(&["--sizes", "5-5-5", "--state", "s.tsv"], "is of other measurements");
}

#[test]
fn a_search_within_bytes_finds_sizes_by_itself_and_can_be_refined() {
    let home = Home::new();
    let ran = home.done(&[
        "tables",
        "search",
        "--size",
        "3x3",
        "--max-bytes",
        "12kB",
        "--samples",
        "300",
        "--restarts",
        "2",
        "--reference",
        "distance",
        "--state",
        "s.tsv",
        "--refine",
        "400",
        "--refined",
        "5",
        "--json",
    ]);
    let best = ran.json_lines();
    assert_eq!(best.len(), 5);
    assert!(best.iter().all(|one| number(one, "bytes") <= 12_000.0 && one["samples"] == 400), "{best:?}");
    assert!(best.windows(2).all(|two| number(&two[0], "lag") <= number(&two[1], "lag")));
    let refined = std::fs::read_to_string(home.join("s.refined.tsv")).unwrap();
    assert!(refined.starts_with("# 3x3, uniform boards, held against distance, seed 2:"), "{refined}");
    assert_eq!(json(&best[0].to_string()), best[0]);
}
