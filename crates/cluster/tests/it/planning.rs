//! What builds take is said before they run, and is near what they take.

use serde_json::Value;

use crate::building::SEVEN_EIGHT;
use crate::jobs::{Home, keys};

const NINE_TILES: [&str; 5] = ["plan", "--tiles", "1,2,5,6,7,10,11,12,15", "--size", "5x5"];

fn number(object: &Value, key: &str) -> u64 {
    object[key].as_u64().unwrap_or_else(|| panic!("{key} of {object}"))
}

#[test]
fn nine_tiles_of_the_24_puzzle_are_divided_among_machines() {
    let home = Home::new();
    let mut before: Option<Value> = None;
    for ranks in ["16", "64", "256"] {
        let options = ["--json", "--ranks", ranks, "--memory", "256GB", "--bandwidth", "100Gbit", "--threads", "32"];
        let ran = home.done(1, &[&NINE_TILES[..], &options].concat());
        let plan = ran.json_lines().remove(0);
        let expected = "tiles states ranks memory fits bytes_sent most_bytes_sent most_bytes_sent_in_a_level disk \
            seconds seconds_computing seconds_sending seconds_writing processes";
        assert_eq!(keys(&plan), expected);
        assert_eq!((plan["ranks"].to_string(), &plan["fits"]), (ranks.to_owned(), &Value::from(true)));
        // A bit for each state.
        assert_eq!(number(&plan, "disk") / 1_000_000_000, 219);

        let processes = plan["processes"].as_array().unwrap();
        assert_eq!(processes.len().to_string(), ranks);
        assert_eq!(keys(&processes[0]), "states memory bytes_sent seconds_computing");
        let all = |key| processes.iter().map(move |process| number(process, key));
        assert_eq!(all("states").sum::<u64>(), number(&plan, "states"));
        assert_eq!(all("memory").max(), Some(number(&plan, "memory")));
        assert_eq!(all("bytes_sent").sum::<u64>(), number(&plan, "bytes_sent"));
        assert_eq!(all("bytes_sent").max(), Some(number(&plan, "most_bytes_sent")));
        // All of them together hold at least two bits of each state, and nobody has much more than another.
        assert!(all("memory").sum::<u64>() >= number(&plan, "states") / 4, "{ranks}");
        let (least, most) = (all("states").min().unwrap(), all("states").max().unwrap());
        assert!(most - least <= most / 10, "{ranks}: {least} to {most} states");

        if let Some(before) = before.replace(plan.clone()) {
            assert_eq!(number(&plan, "states"), number(&before, "states"));
            assert!(number(&plan, "memory") < number(&before, "memory"), "{ranks}");
            assert!(number(&plan, "bytes_sent") > number(&before, "bytes_sent"), "{ranks}");
            assert!(plan["seconds"].as_f64() < before["seconds"].as_f64(), "{ranks}");
        }
    }
}

#[test]
fn a_plan_in_words_says_whether_the_memory_is_enough_and_only_once() {
    let home = Home::new();
    let plan = |processes, ranks, memory| {
        home.run(processes, &[&NINE_TILES[..], &["--ranks", ranks, "--memory", memory, "--threads", "1"]].concat())
    };
    let enough = plan(3, "64", "256GB");
    assert_eq!(enough.code(), 0, "{enough}");
    assert_eq!(enough.stdout.matches("64 processes: at most").count(), 1, "{enough}");
    for words in ["1,2,5,6,7,10,11,12,15: 1759513674240 states, 219.9 GB on disk", "sent in all", "roughly"] {
        assert!(enough.stdout.contains(words), "{words}: {enough}");
    }
    assert!(!enough.stdout.contains("use more processes"), "{enough}");
    let too_little = plan(1, "16", "16GB");
    assert_eq!(too_little.code(), 1, "{too_little}");
    assert!(too_little.stdout.contains("more than 16.0 GB: use more processes"), "{too_little}");
}

#[test]
fn a_plan_needs_no_mpirun() {
    let home = Home::new();
    let arguments = ["plan", "7-8", "--ranks", "2", "--json", "--threads", "1"];
    let alone = home.run_alone(&arguments);
    assert_eq!((alone.code(), &alone.stdout), (0, &home.done(2, &arguments).stdout), "{alone}");
}

#[test]
fn impossible_machines_are_refused() {
    let home = Home::new();
    for (option, value) in [("--ranks", "0"), ("--bandwidth", "fast"), ("--cores", "0"), ("--memory", "much")] {
        let mut arguments = vec!["plan", "7-8", option, value];
        if option != "--ranks" {
            arguments.extend(["--ranks", "2"]);
        }
        let ran = home.run(1, &arguments);
        assert_eq!((ran.code(), ran.stdout.as_str()), (2, ""), "{option}: {ran}");
        assert!(ran.stderr.contains(option), "{option}: {ran}");
    }
}

#[test]
fn builds_of_7_8_take_the_memory_and_send_the_bytes_that_were_planned() {
    let home = Home::new();
    for took in SEVEN_EIGHT.iter().filter(|took| [2, 4].contains(&took.processes)) {
        let ranks = took.processes.to_string();
        let ran = home.done(1, &["plan", "7-8", "--json", "--ranks", &ranks, "--threads", took.threads]);
        for (plan, build) in ran.json_lines().iter().zip(&took.builds) {
            assert_eq!(plan["tiles"], build["tiles"]);
            let (planned, used) = (number(plan, "memory"), number(build, "peak_memory"));
            // The program itself, MPI and the buffers of the system are not planned.
            let off = used * 15 / 100 + 20_000_000;
            assert!(planned.abs_diff(used) <= off, "{ranks} processes: {planned} bytes of memory planned, {used} used");
            let (planned, sent) = (number(plan, "bytes_sent"), number(build, "bytes_sent"));
            assert!(planned.abs_diff(sent) <= sent / 10, "{ranks} processes: {planned} bytes planned, {sent} sent");
        }
        assert_eq!(ran.json_lines().len(), took.builds.len());
    }
}
