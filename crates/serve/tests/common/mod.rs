//! A server to ask, and a client so plain that it can send anything.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::time::Duration;

use serde_json::Value;
use tilebase::TableSource;
use tilebase::lookup::Store;
use tilebase_serve::{SearchLimits, Server};

/// Starts a server with as many threads for searches. It answers until the tests end.
pub(crate) fn start(threads: usize) -> SocketAddr {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = server.address();
    let limits = SearchLimits::new(NonZeroUsize::new(threads).unwrap(), Duration::from_secs(600));
    std::thread::spawn(move || server.run(TableSource::new(Store::compiled_in()), limits));
    address
}

/// Connects, and waits at most half a minute for anything.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// The bytes of a question.
pub(crate) fn question(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let host = if headers.iter().any(|(name, _)| *name == "host") { "" } else { "host: localhost\r\n" };
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    format!(
        "{method} {path} HTTP/1.1\r\n{host}{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
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

/// Asks with any headers, and gives the status and the JSON of the answer.
pub(crate) fn ask_with(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, Value) {
    let mut stream = connect(address);
    stream.write_all(question(method, path, headers, body).as_bytes()).unwrap();
    let (status, text) = answer(stream).unwrap().expect("the server answers");
    (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}")))
}

/// Asks a question in JSON.
pub(crate) fn ask(address: SocketAddr, path: &str, body: &Value) -> (u16, Value) {
    ask_with(address, "POST", path, &[("content-type", "application/json")], &body.to_string())
}
