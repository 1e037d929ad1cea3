//! A thousand questions that are none: the server answers the next good one as if nothing had been.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tilebase::puzzle::Random;

use crate::common::{HARD, JSON, answer, ask, connect, question, start, until};

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// How many files and connections (`fd`) or threads (`task`) this process has, and so the server.
fn count(what: &str) -> usize {
    std::fs::read_dir(format!("/proc/self/{what}")).map_or(0, Iterator::count)
}

/// Something that no client should send.
fn malformed(random: &mut Random) -> Vec<u8> {
    let path = ["/api/solve", "/api/show", "/api/scramble"][random.below(3) as usize];
    let body = |body: &str| question("POST", path, &[JSON], body).into_bytes();
    let good = json!({ "board": "1 2 3 / 4 5 6 / 7 0 8" }).to_string();
    match random.below(15) {
        0 => body(&json!({ "board": random.next_u64() }).to_string()),
        1 => body(&json!({ "board": ["1 2 3"], "size": {} }).to_string()),
        2 => body(&"[".repeat(1 + random.below(10_000) as usize)),
        3 => body(&"{\"board\":".repeat(1 + random.below(1000) as usize)),
        4 => body(&" ".repeat(20_000 + random.below(100_000) as usize)),
        5 => body(&good[..random.below(good.len() as u64) as usize]),
        6 => body(&json!({ "distance": 1e300, "seed": -1, "size": "99999999999x2" }).to_string()),
        7 => body(&json!({ "board": "9".repeat(random.below(9000) as usize), "goal": "\u{0}\u{fffd}" }).to_string()),
        8 => (0..=random.below(3000)).map(|_| random.next_u64() as u8).collect(),
        9 => {
            let kind = "content-type: application/json";
            format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{kind}\r\ncontent-length: {}\r\n\r\n{good}", u64::MAX).into_bytes()
        }
        10 => format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "x: y\r\n".repeat(5000)).into_bytes(),
        11 => format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a/../".repeat(random.below(4000) as usize)).into_bytes(),
        12 => format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{good}"
        )
        .into_bytes(),
        // A good question, whose asker will often not wait for the answer.
        13 => {
            let hard = json!({ "board": HARD, "time_limit": 0.2 });
            question("POST", "/api/solve", &[JSON], &hard.to_string()).into_bytes()
        }
        _ => "BREW / HTTP/9.9\r\n\r\n".to_owned().into_bytes(),
    }
}

/// Sends something, in one of the ways that connections go wrong, and reads what comes.
fn mistreat(address: SocketAddr, random: &mut Random) {
    let bytes = malformed(random);
    let mut stream = connect(address);
    match random.below(4) {
        // Half closed: we say that nothing more comes, and still read.
        0 => {
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(Shutdown::Write);
            let _ = answer(stream);
        }
        // Gone before the answer, or in the middle of the question.
        1 => drop(stream.write_all(&bytes[..random.below(bytes.len() as u64 + 1) as usize])),
        // Nothing is read.
        2 => drop(stream.write_all(&bytes)),
        _ => {
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(Shutdown::Write);
            let mut first = [0; 64];
            let _ = stream.read(&mut first);
        }
    }
}

/// The same when it has stopped changing: what is just ending is not counted.
fn settled(what: &str) -> usize {
    let mut last = count(what);
    loop {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let now = count(what);
        if now == last {
            return now;
        }
        last = now;
    }
}

/// Set for the process that counts.
const COUNTING: &str = "TILEBASE_TEST_COUNTING";

/// Files, threads and panics are counted for a whole process, so this test runs in a process of its own.
#[test]
fn a_thousand_malformed_questions_leave_no_trace() {
    if std::env::var_os(COUNTING).is_some() {
        return ask_malformed_questions();
    }
    let mut process = Command::new(std::env::current_exe().unwrap());
    let test = "mistreatment::a_thousand_malformed_questions_leave_no_trace";
    let output = process.args(["--exact", test, "--nocapture"]).env(COUNTING, "1").output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && said[0].contains("1 passed"), "{}: {}{}", output.status, said[0], said[1]);
}

fn ask_malformed_questions() {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        PANICS.fetch_add(1, Ordering::Relaxed);
    }));
    let address = start(2);
    let good = json!({ "board": "8 6 7 / 2 5 4 / 3 0 1" });
    let (status, expected) = ask(address, "/api/solve", &good);
    assert_eq!(status, 200);
    let (before, threads_before) = (count("fd"), settled("task"));
    // Slow clients, which send half a head and nothing more, are there all the time.
    let slow: Vec<_> = (0..50)
        .map(|_| {
            let mut stream = connect(address);
            stream.write_all(b"POST /api/solve HTTP/1.1\r\nhost: local").unwrap();
            stream
        })
        .collect();
    // More in the campaign.
    let questions = std::env::var("TILEBASE_QUESTIONS").map_or(1000, |text| text.parse().unwrap());
    let mut random = Random::new(15);
    for number in 0..questions {
        mistreat(address, &mut random);
        if number % 50 == 0 {
            let (status, answer) = ask(address, "/api/solve", &good);
            assert_eq!((status, &answer["length"]), (200, &expected["length"]));
        }
    }
    let (status, answer) = ask(address, "/api/solve", &good);
    assert_eq!((status, &answer["moves"], &answer["nodes"]), (200, &expected["moves"], &expected["nodes"]));
    // The slow ones are sent away; then nothing is open that was not open before.
    for mut stream in slow {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    until(|| count("fd") <= before);
    assert_eq!(count("task"), threads_before);
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}
