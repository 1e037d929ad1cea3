//! The page, and the small JSON interface that it uses.
//!
//! [`Server::bind`] binds an address, [`Server::run`] answers there. From the outside in:
//!
//! * `listen` accepts connections and limits their number; `connection` notices when a client has gone or does not read;
//! * `guard` refuses what another site made a browser ask, and sets the headers that keep the page to itself;
//! * `routes` has the paths, and parses questions; `openapi.json` describes them, and a test compares the two;
//! * `handlers` answers each question, with the messages and keys of the commands;
//! * `workers` limits how many searches run at a time, and cancels those whose client has gone;
//! * `analysers` is the cache of prepared puzzles, each a goal and a metric;
//! * `page` has the files of the page, which are part of the program: no request reads the file system.
//!
//! The program that runs the server decides where tables come from, with a [`TableSource`](tilebase::TableSource).

mod analysers;
mod connection;
mod error;
mod guard;
mod handlers;
mod listen;
mod page;
mod routes;
mod workers;

pub use listen::Server;
pub use routes::routes;

use std::num::NonZeroUsize;
use std::time::Duration;

/// The limits of the searches of clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchLimits {
    /// Threads for searches.
    pub threads: NonZeroUsize,
    /// The most time for a search.
    pub time: Duration,
}

impl SearchLimits {
    /// Limits searches to this many threads, and each search to this time.
    pub fn new(threads: NonZeroUsize, time: Duration) -> SearchLimits {
        SearchLimits { threads, time }
    }
}
