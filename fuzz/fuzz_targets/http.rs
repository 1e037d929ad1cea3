//! Any bytes sent to a server, as they are or as the body of a question. Nothing may panic, each connection ends, and the server goes
//! on as before.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tilebase::TableSource;
use tilebase::lookup::Store;
use tilebase_serve::{SearchLimits, Server, routes};

static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let server = Server::bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let address = server.address();
    let limits = SearchLimits::new(NonZeroUsize::MIN, Duration::from_millis(1));
    std::thread::spawn(move || server.run(TableSource::new(Store::compiled_in()), limits));
    address
});

static RUNS: AtomicU64 = AtomicU64::new(0);

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let paths = routes();
    let (_, path) = paths[usize::from(choice) / 2 % paths.len()];
    let answer = match choice % 2 {
        0 => ask(rest),
        _ => ask(&question(path, rest)),
    };
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(&answer));
    if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(1000) {
        let answer = ask(&question("/api/solve", br#"{"board":"1 2 3 / 4 5 6 / 7 0 8"}"#));
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.contains(r#""solvable":true"#), "{answer}");
    }
});

fn question(path: &str, body: &[u8]) -> Vec<u8> {
    let len = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// Sends bytes, says that there are no more, and reads what comes back.
fn ask(bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(*SERVER).expect("the server is there");
    stream.set_read_timeout(Some(Duration::from_secs(9))).expect("a time");
    // A server that has seen enough may close the connection before all is sent.
    let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => panic!("no end: {error}"),
        _ => answer,
    }
}
