//! `tilebase serve` as a person starts it. What it answers is tested in `crates/serve`, the page in `tests/browser`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::json;

use crate::common::{self, Home};

/// A server that ends with the test.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(home: &Home, arguments: &[&str]) -> Served {
        let mut child = home.start(&[&["serve", "--port", "0", "--json"], arguments].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let said = common::json(&line);
        let address = said["address"].as_str().unwrap().strip_prefix("http://").unwrap().strip_suffix('/').unwrap();
        Served { address: address.to_owned(), child }
    }

    fn port(&self) -> &str {
        self.address.rsplit(':').next().unwrap()
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port().parse().unwrap())).unwrap();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        let kind = "content-type: application/json\r\n";
        stream.write_all(format!("{head}{kind}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Ends it, and gives what it said on stderr.
    fn end(mut self) -> String {
        self.child.kill().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_and_its_answers_come_from_the_program_alone() {
    let home = Home::new();
    let served = Served::start(&home, &[]);
    assert!(served.address.starts_with("127.0.0.1:"), "only this machine can reach it");
    let page = served.request("GET", "/", "");
    assert!(page.starts_with("<!doctype html>"));
    // An address starts with its scheme, or right after a quotation mark or a bracket; elsewhere two strokes are a remark.
    let is_address = |text: &&str| text.starts_with("//") || text.contains("://");
    for reference in page.split(['"', '\'', '(', '`']).filter(is_address) {
        assert!(reference.starts_with("http://www.w3.org/"), "the page loads nothing from elsewhere: {reference}");
    }
    let board = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";
    let answer = common::json(&served.request("POST", "/api/solve", &json!({ "board": board }).to_string()));
    // The command says the same, but for its number and the times.
    let command = home.run(&["solve", "--json", board]).json();
    for (key, value) in command.as_object().unwrap() {
        if !["id", "seconds", "heuristic_seconds"].contains(&key.as_str()) {
            assert_eq!(answer[key], *value, "{key}");
        }
    }
    let tables = common::json(&served.request("GET", "/api/tables", ""));
    assert!(tables["tables"].as_array().unwrap().iter().all(|table| table.get("file").is_none()));
    let ready = |name: &str| {
        let catalogues = tables["catalogues"].as_array().unwrap();
        catalogues.iter().find(|catalogue| catalogue["name"] == name).unwrap()["ready"].clone()
    };
    assert_eq!((ready("6-6-3"), ready("7-8")), (json!(true), json!(false)));
    assert_eq!(served.end(), "", "nothing is said to a program");
}

#[test]
fn a_port_that_is_taken_is_said_to_be() {
    let home = Home::new();
    let served = Served::start(&home, &[]);
    let taken = ["serve", "--port", served.port()];
    home.says(&taken, 2, "is taken by another program: choose one with --port");
    home.says(&["serve", "--listen", "nowhere"], 2, "");
    let ran = home.run(&["serve", "--listen", "192.0.2.1", "--port", "0"]);
    assert!(ran.stderr.contains("192.0.2.1 is not an address of this machine"), "{}", ran.stderr);
}

#[test]
fn whoever_lets_everyone_in_is_warned() {
    let home = Home::new();
    let served = Served::start(&home, &["--listen", "0.0.0.0"]);
    assert!(served.request("GET", "/", "").starts_with("<!doctype html>"));
    let said = served.end();
    assert!(said.contains("warning: everyone who can reach"), "{said}");
}
