//! A server to ask, and a client so plain that it can send anything.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde_json::Value;
use tilebase::TableSource;
use tilebase::lookup::Store;
use tilebase_serve::{SearchLimits, Server};

/// Starts a server with this many threads for searches. It answers until the tests end.
pub(crate) fn start(threads: usize) -> SocketAddr {
    start_with(threads, Duration::from_secs(600))
}

/// Starts a server whose answers take at most this long.
pub(crate) fn start_with(threads: usize, time: Duration) -> SocketAddr {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = server.address();
    let limits = SearchLimits::new(NonZeroUsize::new(threads).unwrap(), time);
    std::thread::spawn(move || server.run(TableSource::new(Store::compiled_in()), limits));
    address
}

/// Connects, and waits at most half a minute for anything.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// A random board of the 24-puzzle that takes longer than any test: years, with the Manhattan distance.
pub(crate) const HARD: &str = "14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13";

/// Says that a question is JSON.
pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");

/// Waits until a condition holds, at most half a minute.
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(30), "the condition does not hold after half a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn question(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let host = if headers.iter().any(|(name, _)| *name == "host") { "" } else { "host: localhost\r\n" };
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let (headers, length) = (headers.concat(), body.len());
    format!("{method} {path} HTTP/1.1\r\n{host}{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

/// The status and the body of an answer. Nothing when the server closed the connection without one.
pub(crate) fn answer(mut stream: TcpStream) -> io::Result<Option<(u16, String)>> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes).unwrap();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return Ok(None) };
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    Ok(Some((status, if is_chunked { joined(body) } else { body.to_owned() })))
}

/// The text of chunks.
fn joined(mut chunks: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        text.push_str(&rest[..length]);
        chunks = rest[length..].strip_prefix("\r\n").unwrap();
    }
    text
}

/// Sends a question, and gives the status and the text of the answer.
pub(crate) fn answer_to(address: SocketAddr, question: &str) -> (u16, String) {
    let mut stream = connect(address);
    stream.write_all(question.as_bytes()).unwrap();
    answer(stream).unwrap().expect("the server answers")
}

/// The same, where the answer must be JSON.
pub(crate) fn json_to(address: SocketAddr, question: &str) -> (u16, Value) {
    let (status, text) = answer_to(address, question);
    (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}")))
}

pub(crate) fn ask(address: SocketAddr, path: &str, body: &Value) -> (u16, Value) {
    json_to(address, &question("POST", path, &[JSON], &body.to_string()))
}
