//! `tables stats`, and the measurements.

use tilebase::index::{BuilderIndex, Map, Perm, Place, Row};
use tilebase::lookup::Table;

use super::{SMALL, with_small_tables};
use crate::common::{Home, files};

/// Counts costs, and what they exceed the Manhattan distance by, entry by entry.
fn counted(table: &Table) -> [Vec<u64>; 2] {
    let index = BuilderIndex::new(table.header().index().unwrap());
    let tiles: Vec<_> = table.pattern().tiles().collect();
    let mut counts = [vec![0; 256], vec![0; 256]];
    for map in (0..index.maps() as u32).map(Map) {
        for perm in (0..index.perms()).map(Perm) {
            let squares = index.tile_squares(map, perm);
            let far = squares.iter().zip(&tiles).map(|(&square, tile)| index.size().distance(square, tile.goal()));
            let manhattan: u32 = far.sum();
            let rows = index.rows_of(map);
            // A collapsed table has one entry for all places of the blank.
            let rows = if table.header().kind().is_blank_aware() { rows } else { rows.start..rows.start + 1 };
            for row in rows.map(Row) {
                let place = Place { squares: index.squares(map), map, row, perm, manhattan };
                if let Some(cost) = table.cost(&place) {
                    counts[0][cost as usize] += 1;
                    counts[1][(cost - manhattan) as usize] += 1;
                }
            }
        }
    }
    for counts in &mut counts {
        counts.truncate(counts.iter().rposition(|&count| count > 0).unwrap() + 1);
    }
    counts
}

#[test]
fn stats_agree_with_a_plain_count() {
    let (home, tables) = with_small_tables();
    home.done(&["generate", "--quiet", "--count", "all", "--out", "t", "--tiles", "1,2,5", "--size", "3x3"]);
    // Every second state of all tiles but one cannot be reached.
    let seven = ["--tiles", "1,2,3,4,5,6,7", "--size", "3x3", "--encoding", "both"];
    home.done(&[&["generate", "--quiet", "--out", "t"], &seven[..]].concat());
    for name in files(&tables) {
        let table = Table::read_unverified(&tables.join(&name)).unwrap();
        let counted = counted(&table);
        let file = format!("t/{name}");
        for (what, counts) in ["cost", "excess"].into_iter().zip(&counted) {
            let mut arguments = vec!["tables", "stats", &file];
            if what == "excess" {
                arguments.push("--excess");
            }
            let lines = home.done(&[&arguments[..], &["--json"]].concat()).json_lines();
            let [line] = &lines[..] else { panic!("{lines:?}") };
            let total: u64 = counts.iter().sum();
            let sum: u64 = (0..).zip(counts).map(|(value, count)| value * count).sum();
            assert_eq!(line["histogram"], serde_json::json!(counts), "{name}, {what}");
            assert_eq!((line["what"].as_str(), line["reached"].as_u64()), (Some(what), Some(total)), "{name}");
            assert_eq!(line["max"], counts.len() - 1);
            assert_eq!(line["entries"], table.header().entries());
            assert!((line["mean"].as_f64().unwrap() - sum as f64 / total as f64).abs() < 1e-9, "{line}");
            let values: Vec<usize> =
                (0..).zip(counts).flat_map(|(value, &count)| vec![value; count as usize]).collect();
            assert_eq!(line["median"], values[(values.len() - 1) / 2], "{name}, {what}");

            let text = home.done(&arguments).stdout;
            for (value, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let shown = |line: &str| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.len() >= 3 && words[0] == value.to_string() && words[1] == count.to_string()
                };
                assert!(text.lines().any(shown), "{name}: {value} {count}: {text}");
            }
            let reached = format!("{} entries, {total} can be reached", table.header().entries());
            assert!(text.contains(&reached), "{text}");
        }
    }
}

#[test]
fn the_excess_of_a_damaged_table_is_an_error_and_no_nonsense() {
    let home = Home::new();
    home.done(&["generate", "--quiet", "--encoding", "nibble", "--out", "t", "--tiles", "1", "--size", "3x3"]);
    let file = home.join("t/3x3-0-1.nibble.tbl");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096..4096 + 5].fill(0x11);
    std::fs::write(&file, bytes).unwrap();
    let ran = home.run(&["tables", "stats", "--excess", "t/3x3-0-1.nibble.tbl"]);
    assert!(ran.code != 101 && !ran.stdout.contains("18446744073709551615"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn bench_open_and_lookup_measure_every_way_of_loading() {
    let (home, _) = with_small_tables();
    let ran = home.done(&["bench", "open", "--json", "--repeat", "2", "--table-dir", "t", SMALL]);
    let lines = ran.json_lines();
    let loadings: Vec<&str> = lines.iter().map(|line| line["loading"].as_str().unwrap()).collect();
    assert_eq!(loadings, ["mapped", "owned", "huge pages", "verified"]);
    assert!(lines.iter().all(|line| line["value"] == lines[0]["value"] && line["bytes"] == 9636), "{}", ran.stdout);
    assert!(lines.iter().all(|line| line["milliseconds"].as_f64() <= line["median_milliseconds"].as_f64()));

    let few = ["--repeat", "1", "--boards", "50", "--nodes", "500", "--table-dir", "t", SMALL];
    let lines = home.done(&[&["bench", "lookup", "--json"], &few[..]].concat()).json_lines();
    let kinds: Vec<(&str, &str)> =
        lines.iter().map(|line| (line["loading"].as_str().unwrap(), line["order"].as_str().unwrap())).collect();
    let orders = ["at random", "along searches"];
    assert_eq!(
        kinds,
        loadings[..3].iter().flat_map(|loading| orders.map(|order| (*loading, order))).collect::<Vec<_>>()
    );
    for line in &lines {
        let took = line["nanoseconds"].as_f64();
        assert!(took.is_some_and(|took| took > 0.0) && line["per_lookup"].is_object(), "{line}");
        assert!(line["order"] != "at random" || line["lookups"] == 100, "{line}");
    }
    // What is compiled in can be measured without a file; what is not there cannot.
    assert_eq!(home.done(&["bench", "open", "--repeat", "1", "6-6-3"]).stdout.lines().count(), 4);
    let missing = ["bench", "lookup", "7-8", "--boards", "1"];
    assert_eq!(home.says(&missing, 2, "not there: run tilebase generate \"7-8\"").stdout, "");
}
