//! The lab, end to end: everything at its quick size, interrupted, resumed, and looked at.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Home, Ran, files, interrupt, json, keys};

const PAPERS: [&str; 6] = ["bauer", "ota", "alam", "rezk", "kpuzzle", "felner"];

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lines of the file of results that are whole.
fn results(out: &Path) -> Vec<Value> {
    text(&out.join("runs.jsonl")).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// A page is well-formed, and loads nothing from elsewhere.
fn check_page(path: &Path) {
    let page = text(path);
    let page = page.strip_prefix("<!DOCTYPE html>\n").expect("pages say what they are");
    let document = roxmltree::Document::parse(page).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut ids = std::collections::HashSet::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert!(!["script", "link", "iframe", "image", "img"].contains(&node.tag_name().name()), "{}", path.display());
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(name != "src" && (name != "href" || value.starts_with('#')), "{name}={value}");
            assert!(!value.contains("url(") || value.contains("url(#"), "{name}={value}");
            assert!(name != "id" || ids.insert(value.to_owned()), "{value} twice in {}", path.display());
        }
    }
    assert!(page.contains("prefers-color-scheme:dark") && !page.contains("@import"));
}

#[test]
fn everything_at_its_quick_size_is_interrupted_resumed_and_right() {
    let home = Home::new();
    let out = home.join("lab-results");
    let child = home.start(&["lab", "all", "--quick"]);
    let started = Instant::now();
    let lines = || std::fs::read_to_string(out.join("runs.jsonl")).map_or(0, |text| text.lines().count());
    while lines() < 3 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let Ran { code, stderr: said, .. } = interrupt(child);
    assert_eq!(code, 130, "{said}");
    assert!(said.contains("expected to take") && said.contains("the same command goes on from here"), "{said}");
    let before = results(&out).len();
    assert!(before >= 3);

    let ran = home.says(&["lab", "all", "--quick", "--json"], 0, &format!("{before} made before"));
    let answers = ran.json_lines();
    let end = answers.last().unwrap();
    let all = results(&out);
    assert_eq!(end["searched"].as_u64().unwrap() as usize, all.len() - before, "nothing was searched twice");
    let keys: std::collections::HashSet<&str> = all.iter().map(|result| result["key"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), all.len());

    check_files(&out);
    check_tables(&answers);

    // Once more: nothing is searched, and the nodes in the tables are the same.
    let again = home.says(&["lab", "all", "--quick"], 0, "all: 0 searches to make").stdout;
    assert!(again.contains("7,530,405") && again.ends_with("report: lab-results/index.html\n"), "{again}");
    assert_eq!(results(&out), all);
}

fn check_files(out: &Path) {
    check_page(&out.join("index.html"));
    assert!(text(&out.join("README.md")).contains("(bauer/README.md)"));
    for paper in PAPERS {
        let directory = out.join(paper);
        check_page(&directory.join("index.html"));
        let markdown = text(&directory.join("README.md"));
        let files = files(&directory);
        let ending = |end: &'static str| files.iter().filter(move |file| file.ends_with(end));
        let with_end = |end: &'static str| ending(end).count();
        assert!(with_end(".svg") >= 2 && with_end(".csv") >= 2, "{paper}: {files:?}");
        assert_eq!(with_end(".csv"), with_end(".json"), "{paper}");
        assert!(with_end(".png") >= with_end(".svg") - 1, "{paper}: every chart is there in both forms");
        for svg in ending(".svg") {
            assert!(markdown.contains(&format!("]({svg})")), "{paper}: {svg} is not shown");
            roxmltree::Document::parse(&text(&directory.join(svg))).unwrap();
        }
        for csv in ending(".csv") {
            let json = json(&text(&directory.join(csv.replace(".csv", ".json"))));
            let rows = json["rows"].as_array().unwrap();
            assert!(!rows.is_empty(), "{paper}: {csv}");
            assert!(rows.iter().all(|row| row.as_array().unwrap().len() == json["columns"].as_array().unwrap().len()));
            assert_eq!(text(&directory.join(csv)).lines().count(), rows.len() + 1, "{paper}: {csv}");
        }
        // The first table of each compares.
        let compares = ["paper", "here", "ratio"].iter().all(|name| markdown.contains(name));
        assert!(compares, "{paper}");
    }
}

fn table<'a>(answers: &'a [Value], paper: &str, name: &str) -> &'a Vec<Value> {
    let is_it = |answer: &&Value| answer["paper"] == paper && answer["table"] == name;
    answers.iter().find(is_it).unwrap_or_else(|| panic!("{paper} has no table {name}"))["rows"].as_array().unwrap()
}

/// Numbers that must be exact, whatever the machine.
fn check_tables(answers: &[Value]) {
    let number = |row: &Value, column: usize| row[column].as_u64().unwrap();
    // Korf's boards 79, 12 and 42, the easiest: nodes of IDA* with the Manhattan distance, as published in 1985.
    let boards = table(answers, "bauer", "boards");
    let of_board: Vec<_> = boards.iter().take(3).map(|row| [0, 1, 7].map(|column| number(row, column))).collect();
    assert_eq!(of_board, [[79, 42, 540_860], [12, 45, 546_344], [42, 42, 877_823]]);
    let pairs = table(answers, "bauer", "pairs-at-the-start");
    let boards_with: Vec<u64> = pairs.iter().map(|row| number(row, 2)).collect();
    assert_eq!(boards_with, [29, 47, 20, 4], "as Bauer says");

    // Rezk's article, to the node.
    let article = table(answers, "rezk", "article");
    let nodes: Vec<(u64, u64)> = article.iter().map(|row| (number(row, 2), number(row, 5))).collect();
    assert_eq!(nodes, [(7_530_405, 51), (7_530_405, 51), (12_536, 165)]);
    assert!(article.iter().all(|row| row[3] == 1.0 && row[6] == 1.0), "all ratios are one");
    let shortest = table(answers, "rezk", "shortest");
    assert!(shortest.iter().all(|row| row[2] == 51));

    let shape = |paper: &str, name: &str| table(answers, paper, name).len();
    let of_alam = ["city-block-limited", "linear-conflict-limited", "unlimited"].map(|name| shape("alam", name));
    assert_eq!(of_alam, [10, 10, 20]);
    assert_eq!([shape("ota", "astar-ten"), shape("ota", "ida-ten"), shape("ota", "histograms")], [3, 3, 6]);
    assert_eq!([shape("kpuzzle", "claims"), shape("kpuzzle", "3x3")], [6, 11]);
    assert_eq!(shape("felner", "felner"), 10);
    // Without 7-8, which the quick lab does not build: the paper's mean bounds are those of any random boards, nearly.
    for row in table(answers, "felner", "felner").iter().filter(|row| row[4].is_number()) {
        assert!((0.9..1.1).contains(&row[4].as_f64().unwrap()), "{row}");
    }
}

#[test]
fn the_quick_fifty_boards_are_solved_kept_and_not_solved_again() {
    let home = Home::new();
    let out = home.join("lab-results/korf24-quick");
    let arguments = ["lab", "korf24", "--quick", "--tables", "manhattan", "--json"];
    let lines = home.done(&arguments).json_lines();
    let (end, boards) = lines.split_last().unwrap();
    assert_eq!((boards.len(), &end["solved"], &end["boards"]), (3, &Value::from(3), &Value::from(3)));
    for board in boards {
        let expected = "board length nodes complete_nodes last_bound_nodes seconds cpu_seconds threads tables";
        assert_eq!(keys(board), expected);
        assert!(board["complete_nodes"].as_u64().unwrap() <= board["nodes"].as_u64().unwrap(), "{board}");
    }
    let kept = text(&out.join("results.tsv"));
    assert_eq!(kept.lines().filter(|line| !line.starts_with('#')).count(), 3, "{kept}");
    let page = text(&out.join("README.md"));
    assert!(page.contains("3 of 3 boards are solved") && page.contains("| board | moves | solved |"), "{page}");
    assert_eq!(home.done(&arguments).json_lines(), std::slice::from_ref(end), "nothing is solved twice");
    assert_eq!(text(&out.join("results.tsv")), kept);
    home.says(&["lab", "korf24", "--boards", "1,0"], 2, "expected numbers from 1 to 50, such as 1,2,5-9");
    home.says(&["lab", "korf24", "--boards", "9-5"], 2, "expected numbers from 1 to 50, such as 1,2,5-9");
    home.says(
        &["lab", "bauer", "--boards", "1"],
        2,
        "are options of lab korf24, and --tables of lab anytime: leave them out",
    );
}

#[test]
fn fifty_boards_that_are_interrupted_have_a_page_on_which_they_are_not_solved() {
    let home = Home::new();
    let child = home.start(&["lab", "korf24", "--tables", "manhattan", "--boards", "40"]);
    let results = home.join("lab-results/korf24/results.tsv");
    let started = Instant::now();
    while !results.exists() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Until it searches.
    std::thread::sleep(Duration::from_millis(300));
    let Ran { code, stdout, stderr } = interrupt(child);
    assert_eq!(code, 130, "{stderr}");
    assert!(stdout.contains("None of 50 boards is solved yet."), "{stdout}");
    assert_eq!(text(&home.join("lab-results/korf24/README.md")).matches("| not yet |").count(), 50);
}
