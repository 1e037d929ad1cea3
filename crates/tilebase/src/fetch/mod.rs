//! Tables fetched from elsewhere: a web server that holds what `scripts/release-tables` lays out, or a directory.
//!
//! Whatever the source sends, a table gets its name only when every byte of it is what the program's own manifest says. What has
//! come of a file stays when fetching is stopped or fails, beside the tables under a name that ends with `.part`, and the next
//! [`Fetch`] goes on from there. Nothing but this module connects to anybody.
//!
//! ```no_run
//! use std::path::Path;
//! use tilebase::fetch::Fetch;
//! use tilebase::lookup::Store;
//! use tilebase::unwatched;
//!
//! let directory = Path::new("tables");
//! let fetch = Fetch::new("https://example.org/tables/")?;
//! let check = |file: &Path| Store::default().check_file(file, &unwatched);
//! let plan = fetch.plan(&["7-8"], directory, false, &check, &unwatched)?;
//! plan.check_room(directory)?;
//! for offer in &plan.offers {
//!     println!("{}", fetch.table(offer, directory, &unwatched)?.path.display());
//! }
//! # Ok::<(), tilebase::fetch::FetchError>(())
//! ```

mod check;
mod error;
mod listing;
mod part;
mod plan;
mod room;
mod source;
mod transfer;
mod web;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tilebase_format::Header;
use tilebase_index::Kind;
use tilebase_progress::Watch;
use tilebase_puzzle::setters;

use crate::directory::{DirectoryError, prepare_directory};
use check::Unfinished;
use part::Part;
use source::Source;
use transfer::{Brought, Patience, Transfer, TransferError};

pub use error::{FetchError, SourceError, ViaProxy, Wrong};
pub use plan::{Offer, Plan};

/// How long a source may be silent, unless it is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// How many times in a row a file is tried again, unless it is said.
pub const DEFAULT_RETRIES: u32 = 4;

/// Fetches tables from a source.
#[derive(Clone, Debug)]
pub struct Fetch {
    source: Source,
    kinds: Vec<Kind>,
    patience: Patience,
    trusts_source: bool,
}

impl Fetch {
    /// Fetches from an address (`http://`, `https://`, `file://`) or a directory. No connection is made yet. Proxies are those that the
    /// environment names (`ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`).
    pub fn new(from: &str) -> Result<Fetch, FetchError> {
        Ok(Fetch {
            source: Source::parse(from).map_err(FetchError::From)?,
            kinds: vec![Kind::Bit, Kind::Nibble],
            patience: Patience { retries: DEFAULT_RETRIES, timeout: DEFAULT_TIMEOUT },
            trusts_source: false,
        })
    }

    setters! {
        /// The same, fetching the first of these kinds of a pattern's table that there is; otherwise bit tables rather than nibble tables.
        of_kinds(kinds: Vec<Kind>) => kinds: kinds;
        /// The same, also fetching tables that the program's manifest does not list. They are whole by their own hashes, and of the
        /// pattern that was asked for; whether their costs are right, is believed.
        trusting_source(trusts: bool) => trusts_source: trusts;
    }

    /// The same, trying a file again this many times in a row before it gives up.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Fetch {
        self.patience.retries = retries;
        self
    }

    /// The same, giving up on a connection that brings nothing for this long.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Fetch {
        self.patience.timeout = timeout;
        self.source = self.source.with_timeout(timeout);
        self
    }

    /// Fetches a table into a directory, checks every byte and gives it its name; unpacks it if it is packed, on the threads of the
    /// current pool.
    ///
    /// # Errors
    /// [`FetchError`] when it cannot be had, or is not the right one; what has come stays if it may be of use to the next try.
    pub fn table(&self, offer: &Offer, directory: &Path, watch: Watch<'_>) -> Result<Fetched, FetchError> {
        prepare_directory(directory)?;
        let path = directory.join(&offer.table);
        if let (Source::Directory(from), true) = (&self.source, offer.is_packed) {
            let header = offer.unpack(&from.join(&offer.file), directory, watch);
            let header = header.map_err(|error| offer.unfinished(error, None))?;
            let bytes = offer.source_bytes.unwrap_or_default();
            return Ok(Fetched { path, header, bytes, resumed_from: 0, was_there: false });
        }
        let cannot_write = |error| DirectoryError { directory: directory.to_owned(), error };
        let part = Part::open(&directory.join(&offer.file), watch).map_err(cannot_write)?;
        let mut part = part.ok_or(FetchError::Stopped(None))?;
        if path.exists() && !offer.replaces {
            // Another program made it while this one waited.
            let header = tilebase_lookup::read_header(&path)?;
            return Ok(Fetched { path, header, bytes: 0, resumed_from: 0, was_there: true });
        }
        let mut brought = Brought::new(&part);
        let mut is_second = false;
        let header = loop {
            let transferred = self.transfer(offer).run(&mut part, &mut brought, watch);
            transferred.map_err(|error| offer.not_transferred(error, &part, directory))?;
            match offer.finish(&mut part, directory, watch) {
                Ok(header) => break header,
                Err(Unfinished::Wrong(_)) if brought.joined && !is_second => {
                    // The parts may be of different files: the whole is asked for, once.
                    is_second = true;
                    brought.forget(&mut part).map_err(|error| offer.not_transferred(error, &part, directory))?;
                }
                Err(Unfinished::Wrong(wrong)) => {
                    part.remove();
                    return Err(FetchError::Wrong(offer.source.clone(), wrong));
                }
                Err(error) => return Err(offer.unfinished(error, part.kept())),
            }
        };
        if offer.is_packed {
            part.remove();
        } else {
            part.seal(&path).map_err(cannot_write)?;
        }
        Ok(Fetched { path, header, bytes: brought.bytes, resumed_from: brought.before, was_there: false })
    }

    fn transfer<'a>(&'a self, offer: &'a Offer) -> Transfer<'a> {
        Transfer {
            source: &self.source,
            file: &offer.file,
            exactly: (!offer.is_packed).then_some(offer.bytes),
            // Nobody packs a table to make it longer.
            at_most: offer.bytes,
            said: offer.source_bytes,
            patience: self.patience,
        }
    }
}

impl Offer {
    fn unfinished(&self, error: Unfinished, kept: Option<(PathBuf, u64)>) -> FetchError {
        match error {
            Unfinished::Wrong(wrong) => FetchError::Wrong(self.source.clone(), wrong),
            Unfinished::Read(error) => FetchError::Source(self.source.clone(), error.into()),
            Unfinished::Write(error) => error.into(),
            Unfinished::Stopped => FetchError::Stopped(kept),
        }
    }

    fn not_transferred(&self, error: TransferError, part: &Part, directory: &Path) -> FetchError {
        let file = self.source.clone();
        match error {
            TransferError::Source(SourceError::Stopped) => FetchError::Stopped(part.kept()),
            TransferError::Source(error) => FetchError::BrokenOff { file, error, kept: part.kept() },
            TransferError::Write(error) => DirectoryError { directory: directory.to_owned(), error }.into(),
            TransferError::TooLong { most } => FetchError::Wrong(file, Wrong::TooLong(most)),
            TransferError::Length { expected, found } => FetchError::Wrong(file, Wrong::Length { expected, found }),
        }
    }
}

/// A table that was fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fetched {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub header: Header,
    /// Bytes that came from the source.
    pub bytes: u64,
    /// Bytes that had come before.
    pub resumed_from: u64,
    /// Whether another program had fetched it meanwhile.
    pub was_there: bool,
}
