//! `tilebase serve`

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tilebase::TableSource;
use tilebase::lookup::Loading;
use tilebase::puzzle::quoted;
use tilebase_serve::{SearchLimits, Server};

use crate::{Exit, Failure, Result, Session, limits, system};

/// Open the page: play, and always know the shortest way
///
/// The page shows how far the board is from the goal after every move, hints, all shortest solutions, and what every
/// heuristic sees. It is part of the program and needs no network. Programs can ask what the page asks: the address
/// /api/openapi.json describes it. Only this machine can reach it, unless --listen says otherwise. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase serve --open
  tilebase serve --port 8080
  tilebase serve --listen 0.0.0.0:8080
  curl -d '{\"board\": \"1 2 3 / 4 0 6 / 7 5 8\"}' \\
    -H content-type:application/json localhost:1515/api/solve")]
pub(crate) struct Serve {
    /// The port; 0 for any that is free [default: 1515]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address or name to listen on, such as localhost or 0.0.0.0:8080; with 0.0.0.0 everyone in the network can reach it
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "127.0.0.1", value_parser = Listen::parse)]
    listen: Listen,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// The most time that a search may take, such as 500ms, 2s, 5m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = limits::time)]
    time_limit: Duration,
}

impl Serve {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let asked = self.address()?;
        let server = Server::bind(asked).map_err(|error| cannot_bind(asked, &error))?;
        let address = format!("http://{}/", server.address());
        if !asked.ip().is_loopback() {
            session.warning(format!(
                "everyone who can reach {} can let this machine search: use --listen 127.0.0.1 to keep it to yourself",
                server.address()
            ));
        }
        session.tell(json!({ "address": address }), format!("tilebase is at {address}"))?;
        if !session.json {
            session.note("Ctrl-C ends it");
        }
        if self.open
            && let Err(error) = open::that_detached(&address)
        {
            session.warning(format!("no browser could be started ({error}): open {address} yourself"));
        }
        let threads = NonZeroUsize::new(session.threads()).unwrap_or(NonZeroUsize::MIN);
        let limits = SearchLimits::new(threads, self.time_limit);
        server.run(source(session), limits).map_err(|error| Failure::new(format!("the server cannot run: {error}")))?;
        Ok(Exit::Done)
    }

    /// The address that was asked for, with its port.
    fn address(&self) -> Result<SocketAddr> {
        let port = match (self.listen.port, self.port) {
            (Some(one), Some(other)) if one != other => {
                let message = format!("two ports were given, {one} with --listen and --port {other}: leave one out");
                return Err(Failure::new(message));
            }
            (one, other) => one.or(other).unwrap_or(PORT),
        };
        let host = &*self.listen.host;
        let found = (host, port).to_socket_addrs().map_err(|error| {
            let (host, expected) = (quoted(host), "expected an address such as 127.0.0.1, or the name of this machine");
            Failure::new(format!("no machine is called {host} ({error}): {expected}"))
        })?;
        // What browsers try first for names that have both.
        let address = found.min_by_key(SocketAddr::is_ipv6);
        address.ok_or_else(|| Failure::new(format!("{} has no address: use --listen 127.0.0.1", quoted(host))))
    }
}

/// The port where none is asked for.
const PORT: u16 = 1515;

/// Where to listen, as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Listen {
    /// An address, or the name of a machine.
    host: String,
    port: Option<u16>,
}

impl Listen {
    /// Reads `HOST` or `HOST:PORT`. An address of version 6 with a port is in brackets.
    fn parse(text: &str) -> Result<Listen, String> {
        let text = text.trim();
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(Listen { host: address.to_string(), port: None });
        }
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Listen { host: address.ip().to_string(), port: Some(address.port()) });
        }
        let refused =
            || format!("{} is not an address: expected one such as localhost, 127.0.0.1 or 0.0.0.0:8080", quoted(text));
        let (host, port) = match text.split_once(':') {
            None => (text, None),
            Some((host, port)) => (host, Some(port.parse().map_err(|_| refused())?)),
        };
        let is_of_name = |character: char| character.is_ascii_alphanumeric() || "-._".contains(character);
        // Numbers and dots are a mistyped address.
        let is_name = host.chars().all(is_of_name) && host.contains(|character: char| character.is_ascii_alphabetic());
        if is_name { Ok(Listen { host: host.to_owned(), port }) } else { Err(refused()) }
    }
}

/// Why nothing can listen at an address, and what to do.
fn cannot_bind(address: SocketAddr, error: &io::Error) -> Failure {
    let (listen, port) = (address.ip(), address.port());
    Failure::new(match error.kind() {
        ErrorKind::AddrInUse => {
            format!("port {port} is taken by another program: choose one with --port, or --port 0 for any that is free")
        }
        ErrorKind::PermissionDenied => {
            format!("port {port} is not for everybody: choose one from 1024 with --port")
        }
        ErrorKind::AddrNotAvailable => {
            format!("{listen} is not an address of this machine: use --listen 127.0.0.1")
        }
        _ => format!("{listen}, port {port}, cannot be listened on: {error}"),
    })
}

/// Where the server's tables come from: those that `solve` would use.
pub(super) fn source(session: &Session) -> TableSource {
    // A copy on huge pages is a moment's work and makes searches faster (docs/solving.md); what is too large for that is mapped.
    let room = system::available_memory().map_or(0, |memory| memory / 8);
    session.source_of(session.store().with_loading(Loading::CopyUpTo(room)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_with_and_without_a_port() {
        let listen = |host: &str, port| Ok(Listen { host: host.to_owned(), port });
        for (text, expected) in [
            ("127.0.0.1", listen("127.0.0.1", None)),
            ("localhost", listen("localhost", None)),
            ("localhost:8080", listen("localhost", Some(8080))),
            ("0.0.0.0:0", listen("0.0.0.0", Some(0))),
            ("::1", listen("::1", None)),
            ("[::1]", listen("::1", None)),
            ("[::1]:8080", listen("::1", Some(8080))),
            ("my-host.example:80", listen("my-host.example", Some(80))),
        ] {
            assert_eq!(Listen::parse(text), expected, "{text}");
        }
        for text in [
            "",
            ":8080",
            "localhost:",
            "localhost:http",
            "localhost:99999",
            "127.0.0.1.1",
            "256.0.0.1",
            "a b",
            "http://localhost",
        ] {
            assert!(Listen::parse(text).unwrap_err().contains("is not an address: expected"), "{text}");
        }
    }
}
