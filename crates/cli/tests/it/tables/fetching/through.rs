//! Redirections and proxies.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{FILES, NOBODY, Reply, Server, fetched, good, nibble, refused};
use crate::common::{Home, Ran, files};

#[test]
fn a_server_that_sends_us_elsewhere_is_followed_with_the_range() {
    let half = 9000;
    let there = Arc::new(Server::new(
        move |asked| if asked.is_first_get() { good(asked).cut_after(half) } else { good(asked) },
    ));
    let to = there.address();
    let here =
        Server::new(move |asked| Reply::new(302, b"over there").with("Location", &format!("{to}{}", asked.file)));
    let answer = fetched(&Home::new(), &here.address(), &[]);
    assert_eq!(answer["fetched_bytes"], FILES[&format!("{}.zst", nibble())].len());
    assert_eq!(there.gets(), [None, Some(half)]);
    assert_eq!(there.asked().last().unwrap().headers["if-range"], "\"1\"");
    let relative = Server::new(|asked| match asked.file.strip_prefix("moved-") {
        Some(file) => good(&super::Asked { file: file.to_owned(), ..asked.clone() }),
        None => Reply::new(301, b"").with("Location", &format!("/elsewhere/moved-{}", asked.file)),
    });
    fetched(&Home::new(), &relative.address(), &[]);
}

#[test]
fn going_round_in_circles_ends() {
    let server = Server::new(|asked| Reply::new(302, b"").with("Location", &format!("/{}", asked.file)));
    let home = Home::new();
    refused(&home, &server.address(), 2, "the server sent us elsewhere more than 5 times");
    assert_eq!(server.asked().len(), 6);
    for wrong in ["", "http://", "ftp://example.org/x", "\u{7f}"] {
        let server = Server::new(move |_| Reply::new(302, b"").with("Location", wrong));
        let ran = super::fetch(&home, &server.address(), &[]);
        assert_eq!(ran.code, 2, "{wrong:?}: {}", ran.stderr);
    }
    assert!(files(home.path()).is_empty());
}

/// A proxy that connects to whom it is asked for, and counts that.
fn proxy() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, count) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
    let counted = count.clone();
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let counted = counted.clone();
            std::thread::spawn(move || connect(client, &counted));
        }
    });
    (port, count)
}

fn connect(mut client: TcpStream, count: &AtomicUsize) -> Option<()> {
    let mut lines = BufReader::new(client.try_clone().ok()?).lines().map_while(Result::ok);
    let first = lines.next()?;
    let to = first.strip_prefix("CONNECT ")?.split(' ').next()?.to_owned();
    lines.find(String::is_empty)?;
    let mut server = TcpStream::connect(to).ok()?;
    count.fetch_add(1, Ordering::Relaxed);
    client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").ok()?;
    let (mut from, mut to) = (client.try_clone().ok()?, server.try_clone().ok()?);
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    std::io::copy(&mut server, &mut client).ok()?;
    client.shutdown(std::net::Shutdown::Both).ok()
}

fn fetch_with(home: &Home, from: &str, variables: &[(&str, String)]) -> Ran {
    let name = nibble();
    let arguments = ["tables", "fetch", &name, "--from", from, "--out", "t", "--force", "--retries", "0"];
    let mut command = home.command(&arguments);
    Ran::new(command.envs(variables.iter().map(|(name, value)| (name, value))).output().unwrap())
}

#[test]
fn the_proxies_of_the_environment_are_used() {
    let (home, server) = (Home::new(), Server::new(good));
    let (port, count) = proxy();
    let address = format!("http://127.0.0.1:{port}");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        let before = count.load(Ordering::Relaxed);
        let ran = fetch_with(&home, &server.address(), &[(name, address.clone())]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert!(count.load(Ordering::Relaxed) > before, "{name}");
    }
    let before = count.load(Ordering::Relaxed);
    let bypass = [("HTTP_PROXY", address), ("NO_PROXY", "example.org,127.0.0.1".to_owned())];
    assert_eq!(fetch_with(&home, &server.address(), &bypass).code, 0);
    assert_eq!(fetch_with(&home, &server.address(), &[("HTTP_PROXY", String::new())]).code, 0, "an empty one is none");
    assert_eq!(count.load(Ordering::Relaxed), before);
}

#[test]
fn proxies_that_are_not_there_or_refuse_are_named_without_their_passwords() {
    let (home, server) = (Home::new(), Server::new(good));
    let dead = NOBODY.replace("//", "//me:secret@");
    let ran = fetch_with(&home, &server.address(), &[("HTTP_PROXY", dead)]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot connect (through the proxy 127.0.0.1:1): "), "{}", ran.stderr);
    assert!(!ran.stderr.contains("secret"));
    let refuses = Server::new(|_| Reply::new(403, b"not from here"));
    let proxy = format!("http://127.0.0.1:{}", refuses.port());
    let ran = fetch_with(&home, &server.address(), &[("ALL_PROXY", proxy)]);
    assert!(ran.code == 2 && ran.stderr.contains("(through the proxy 127.0.0.1:"), "{}", ran.stderr);
    let ran = fetch_with(&home, &server.address(), &[("HTTPS_PROXY", "proxy over there".to_owned())]);
    assert!(ran.code == 2 && ran.stderr.contains("HTTPS_PROXY is not the address of a proxy"), "{}", ran.stderr);
    assert!(server.asked().is_empty() && files(home.path()).is_empty());
}

#[test]
fn names_and_passwords_are_sent_and_not_told() {
    let server = Server::new(|asked| match asked.headers.get("authorization") {
        Some(given) if given == "Basic bWU6c2VjcmV0" => good(asked),
        _ => Reply::new(401, b"who are you?"),
    });
    refused(&Home::new(), &server.address(), 2, "it wants a name and a password");
    let home = Home::new();
    let from = server.address().replace("127", "me:secret@127");
    let answer = fetched(&home, &from, &[]);
    assert_eq!(answer["source"], format!("{}{}.zst", server.address(), nibble()));
}
