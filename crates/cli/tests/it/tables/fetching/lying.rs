//! Servers that send something else.

use tilebase::format::Header;
use tilebase::lookup::Table;

use super::{Asked, FILES, Reply, Server, fetch, fetched, files_in, good, nibble, packed, refused};
use crate::common::{Home, files};

/// A source with other bytes for a file; it has nothing else but the manifest.
fn with(file: String, bytes: Vec<u8>) -> Server {
    Server::new(move |asked| match &*asked.file {
        "manifest.jsonl" => good(asked),
        name if name == file => Reply::file(asked, &bytes, "\"1\""),
        _ => Reply::missing(),
    })
}

/// The nibble table, opened.
fn table() -> (Header, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(nibble());
    std::fs::write(&file, &FILES[&nibble()]).unwrap();
    (Table::read_unverified(&file).unwrap().header().clone(), FILES[&nibble()].clone())
}

/// The whole file of a table with another payload, its hashes made right again.
fn with_other_payload() -> (Header, Vec<u8>) {
    let (header, bytes) = table();
    let mut payload = bytes[4096..][..header.payload_len() as usize].to_vec();
    payload[1000] ^= 1;
    let header = Header::new(*header.pattern(), header.kind(), header.histogram().to_vec(), &payload).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = tilebase::format::write(directory.path(), &header, &payload).unwrap();
    (header, std::fs::read(file).unwrap())
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 4;
    bytes
}

#[test]
fn what_is_not_the_table_is_refused_and_nothing_of_it_is_left() {
    let (header, bytes) = table();
    let (other_header, other_bytes) = with_other_payload();
    let another = "4x4-0-3.6.7.10.11.nibble.tbl";
    let good_packed = packed(&header, &bytes);
    let bomb = [&bytes[..], &vec![0; 300_000_000]].concat();
    let cases = [
        // Packed: damaged, cut short, no zstd at all, another table, other costs, a wrong payload, and far too much.
        (true, flipped(&good_packed, 9000), "its hashes do not match"),
        (true, flipped(&good_packed, 1), "not a whole zstd file"),
        (true, good_packed[..9000].to_vec(), "not a whole zstd file"),
        (true, b"<!DOCTYPE html>".to_vec(), "not a whole zstd file"),
        (true, FILES[&format!("{another}.zst")].clone(), "it is another table, 4x4-0-3.6.7.10.11.nibble.tbl"),
        (true, packed(&other_header, &other_bytes), "it is not the table that it says it is"),
        (true, packed(&header, &flipped(&bytes, 5000)), "its hashes do not match"),
        (true, packed(&header, &bytes[..100_000]), "it holds less than the 266208 bytes that its header declares"),
        (true, packed(&header, &bomb), "it holds more than the 266208 bytes that its header declares"),
        (true, packed(&header, b"some notes"), "what is packed in it is no table"),
        // Not packed: damaged in the header, in the payload and in the hashes; another table; other costs; packed after all.
        (false, flipped(&bytes, 100), "the header is damaged"),
        (false, flipped(&bytes, 5000), "its hashes do not match"),
        (false, flipped(&bytes, bytes.len() - 1), "its hashes do not match"),
        (false, FILES[another].clone(), "it is another table, 4x4-0-3.6.7.10.11.nibble.tbl"),
        (false, other_bytes, "it is not the table that it says it is"),
        (false, good_packed.clone(), &format!("it has {} bytes, expected 266208", good_packed.len())),
        (false, bytes[..200_000].to_vec(), "it has 200000 bytes, expected 266208"),
    ];
    for (is_packed, sent, words) in cases {
        let server = with(if is_packed { format!("{}.zst", nibble()) } else { nibble() }, sent);
        let home = Home::new();
        let ran = refused(&home, &server.address(), 1, words);
        assert!(ran.stderr.contains("does not give the table: ") && ran.stderr.contains("another source may have"));
        assert!(files(home.path()).is_empty(), "{words}: {:?}", files(home.path()));
        assert!(server.gets().len() == 1, "{words}: {:?}", server.gets());
    }
}

#[test]
fn a_table_that_is_there_stays_when_another_one_comes() {
    let home = Home::new();
    fetched(&home, &Server::new(good).address(), &[]);
    let server = with(nibble(), with_other_payload().1);
    let ran = fetch(&home, &server.address(), &["--force"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(files(&home.join("t")), [nibble()]);
    assert!(std::fs::read(home.join("t").join(nibble())).unwrap() == FILES[&nibble()]);
}

#[test]
fn more_than_there_can_be_is_never_written() {
    let too_long = vec![0; 3_000_000];
    let sends = |asked: &Asked, length: Option<&str>| {
        let reply = Reply::whole(&vec![0; 3_000_000]);
        match (&*asked.file, length) {
            ("manifest.jsonl", _) => good(asked),
            (_, Some(length)) => reply.with("Content-Length", length),
            _ => reply.without_length(),
        }
    };
    // It says how much it is; it does not; it says less than it sends.
    let server = with(format!("{}.zst", nibble()), too_long);
    refused(&Home::new(), &server.address(), 1, "it has more than the 266208 bytes that it can have");
    let server = Server::new(move |asked| sends(asked, None));
    let home = Home::new();
    refused(&home, &server.address(), 1, "it has more than the 266208 bytes that it can have");
    assert!(files(home.path()).is_empty());
    let server = Server::new(move |asked| sends(asked, Some("1000")));
    let home = Home::new();
    refused(&home, &server.address(), 1, "not a whole zstd file");
    assert!(files(home.path()).is_empty());
}

#[test]
fn less_than_was_said_is_a_connection_that_broke_off() {
    let short = |asked: &Asked| match FILES.get(&asked.file) {
        Some(bytes) if asked.file != "manifest.jsonl" => {
            Reply::whole(&bytes[..9000]).with("Content-Length", &bytes.len().to_string())
        }
        _ => good(asked),
    };
    let home = Home::new();
    refused(&home, &Server::new(short).address(), 2, "9.0 kB are kept in t/");
    assert_eq!(files_in(&home.join("t")), [format!("{}.zst.part", nibble())]);
}

#[test]
fn nonsense_about_ranges_does_not_lead_astray() {
    let half = 9000;
    for range in ["bytes 5-100/200", "bytes x", "", "lines 1-2/3", "bytes 0-1/2", "bytes 18446744073709551615-1/*"] {
        let server = Server::new(move |asked| match asked.from() {
            Some(_) => Reply::new(206, b"nonsense").with("Content-Range", range),
            None if asked.is_first_get() => good(asked).cut_after(half),
            None => good(asked),
        });
        let home = Home::new();
        let ran = fetch(&home, &server.address(), &[]);
        assert!(server.gets().len() < 5, "{range}: {:?}", server.gets());
        match ran.code {
            0 => assert!(std::fs::read(home.join("t").join(nibble())).unwrap() == FILES[&nibble()], "{range}"),
            1 => assert!(ran.stderr.contains("more than the 2 bytes that it can have"), "{range}: {}", ran.stderr),
            _ => assert!(ran.stderr.contains("the server answers with status 206"), "{range}: {}", ran.stderr),
        }
    }
}

#[test]
fn a_manifest_that_is_none_or_of_another_version_is_told() {
    let html = Server::new(|_| Reply::whole(b"<!DOCTYPE html><title>Please sign in</title>"));
    refused(&Home::new(), &html.address(), 2, "manifest.jsonl is no manifest of tables (line 1): is that the place");
    let endless = Server::new(|_| Reply::whole(&b"{\"file\":\"a\",\"hash\":\"b\"}\n".repeat(400_000)).without_length());
    refused(&Home::new(), &endless.address(), 2, "manifest.jsonl is no manifest of tables");
    let line = format!("{{\"file\":\"{}\",\"hash\":\"00\"}}\n", nibble());
    let other = Server::new(
        move |asked| {
            if asked.file == "manifest.jsonl" { Reply::whole(line.as_bytes()) } else { good(asked) }
        },
    );
    let ran = refused(
        &Home::new(),
        &other.address(),
        1,
        "lists 4x4-0-1.2.4.5.8.nibble.tbl with the hash 00, but this program",
    );
    assert!(ran.stderr.contains("made for another version of tilebase"), "{}", ran.stderr);
    assert!(other.gets().is_empty());
}
