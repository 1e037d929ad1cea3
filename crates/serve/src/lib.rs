//! The page, and the small JSON interface behind it.
//!
//! [`Server::bind`] takes an address, [`Server::run`] answers there. From the outside in:
//!
//! * `listen` takes connections, and limits how many there are; `connection` notices when a client has gone or does not read;
//! * `guard` refuses what another site made a browser ask, and sets the headers that keep the page to itself;
//! * `routes` says which question goes where, and reads its words; `openapi.json` describes it, and a test holds the two
//!   together;
//! * `handlers` has an answer for each: what the commands would say, in the same words and keys;
//! * `workers` limits how many searches run at a time, and ends those whose client has gone;
//! * `analysers` keeps the analysers of the puzzles asked for last: goals, and what counts as one move;
//! * `page` has the files of the page, which are part of the program: no request reaches the file system.
//!
//! Where tables come from is said by whoever runs the server, with a [`TableSource`](tilebase::TableSource).

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

/// How much the searches of clients may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchLimits {
    /// Threads for searches.
    pub threads: NonZeroUsize,
    /// The most time for a search.
    pub time: Duration,
}

impl SearchLimits {
    /// This many threads for searches, and this much time for each.
    pub fn new(threads: NonZeroUsize, time: Duration) -> SearchLimits {
        SearchLimits { threads, time }
    }
}
