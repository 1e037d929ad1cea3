//! `tilebase serve`

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tilebase::TableSource;
use tilebase::lookup::Loading;
use tilebase_serve::{SearchLimits, Server};

use crate::session::mapping;
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
  curl -d '{\"board\": \"1 2 3 / 4 0 6 / 7 5 8\"}' -H content-type:application/json localhost:1515/api/solve")]
pub(crate) struct Serve {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 1515)]
    port: u16,
    /// The address to listen on; with 0.0.0.0 everyone in the network can reach it
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// The most time that a search may take, such as 500ms, 2s, 5m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = limits::time)]
    time_limit: Duration,
}

impl Serve {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let server = Server::bind(SocketAddr::new(self.listen, self.port)).map_err(|error| self.cannot_bind(&error))?;
        let address = format!("http://{}/", server.address());
        if !self.listen.is_loopback() {
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

    fn cannot_bind(&self, error: &io::Error) -> Failure {
        let (listen, port) = (self.listen, self.port);
        Failure::new(match error.kind() {
            ErrorKind::AddrInUse => {
                format!(
                    "port {port} is taken by another program: choose one with --port, or --port 0 for any that is free"
                )
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
}

/// Where the server's tables come from: those that `solve` would use.
pub(super) fn source(session: &Session) -> TableSource {
    // A copy on huge pages is a moment's work and makes searches faster (docs/solving.md); what is too large for that is mapped.
    let room = system::available_memory().map_or(0, |memory| memory / 8);
    session.source_of(session.store().with_loading(Loading::CopyUpTo(room, mapping())))
}
