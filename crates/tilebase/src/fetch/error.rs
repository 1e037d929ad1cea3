//! Why a table was not fetched.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use tilebase_format::{HeaderError, UnpackError};
use tilebase_lookup::OpenError;
use tilebase_puzzle::quoted;

use crate::catalogues::CatalogueError;
use crate::directory::DirectoryError;
use crate::manifest::ManifestError;

/// Tables that were not fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// There is no such source.
    #[error("{0}")]
    From(#[source] SourceError),
    /// A text that looks like the name of a table's file, and is none.
    #[error(
        "{} is not the name of a table: expected such as 4x4-0-1.2.4.5.8.nibble.tbl, or a catalogue such as 7-8",
        quoted(.0)
    )]
    Name(String),
    /// A text that is no catalogue.
    #[error("{0}")]
    Catalogue(#[from] CatalogueError),
    /// The source cannot be asked what it has.
    #[error("{0}: {1}")]
    Source(String, #[source] SourceError),
    /// What the source has as its manifest is none; this line is wrong.
    #[error("{0} is no manifest of tables (line {1}): is that the place where the tables are?")]
    NoManifest(String, usize),
    /// The source says itself that its table is another.
    #[error(
        "{manifest} lists {table} with the hash {found}, but this program knows it with the hash {expected}: the source is wrong, or \
         made for another version of tilebase"
    )]
    OtherVersion {
        /// The source's manifest.
        manifest: String,
        /// The table.
        table: String,
        /// The hash that the program knows.
        expected: String,
        /// The hash that the source's manifest has.
        found: String,
    },
    /// Tables that the program does not know.
    #[error(
        "this program does not know what {} must be, because its manifest does not list {}: tilebase generate builds it here, and \
         --trust-source takes what the source sends, checked by its own hashes alone",
        .0.join(", "), if .0.len() == 1 { "it" } else { "them" }
    )]
    Unlisted(Vec<String>),
    /// Tables that the source does not have.
    #[error("{from} does not have {}{}", .tables.join(", "), lists(.has.as_ref()))]
    Missing {
        /// The source.
        from: String,
        /// The tables, each with the kinds that would do.
        tables: Vec<String>,
        /// The catalogues whose tables its manifest lists, if it has one.
        has: Option<Vec<String>>,
    },
    /// There is not enough room on the disk.
    #[error(
        "the tables need {} in {}, where {} are free: choose another directory with --out",
        bytes(*.needed), .directory.display(), bytes(*.free)
    )]
    Room {
        /// The directory.
        directory: PathBuf,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// What the source sends is not the table.
    #[error("{0} does not give the table: {1}; another source may have the right one")]
    Wrong(String, #[source] Wrong),
    /// The source does not send it, or not all of it.
    #[error("{file}: {error}{}", going_on(.kept.as_ref()))]
    BrokenOff {
        /// Where the file is.
        file: String,
        /// What went wrong.
        #[source]
        error: SourceError,
        /// Where what has come is kept, and how many bytes that is.
        kept: Option<(PathBuf, u64)>,
    },
    /// Whoever watches it stopped it. What has come is kept, if anything has.
    #[error("fetching was stopped{}", going_on(.0.as_ref()))]
    Stopped(Option<(PathBuf, u64)>),
    /// The table cannot be written.
    #[error("{0}")]
    Directory(#[from] DirectoryError),
    /// A table that is there cannot be read.
    #[error("{0}")]
    Open(#[from] OpenError),
}

impl FetchError {
    /// Whether something is wrong with what the source has, not with connecting to it or with files.
    pub fn is_damage(&self) -> bool {
        matches!(self, FetchError::Wrong(..) | FetchError::OtherVersion { .. })
    }
}

/// A file that is not the table that was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Wrong {
    /// It cannot be unpacked, or its hashes do not match.
    #[error("{0}")]
    Unpacking(#[from] UnpackError),
    /// It is no table.
    #[error("{0}")]
    Header(#[from] HeaderError),
    /// It is a table of that name, and not the one in the program's manifest.
    #[error("{0}")]
    Manifest(#[from] ManifestError),
    /// It is another table.
    #[error("it is another table, {0}")]
    OtherTable(String),
    /// It is a table of that name, and not the one in the source's manifest.
    #[error("its hash is {found}, but the source's own manifest has {expected}")]
    OtherHash {
        /// The hash in the manifest.
        expected: String,
        /// The hash in the header.
        found: String,
    },
    /// It has more bytes than this, which is all that it may have.
    #[error("it has more than the {0} bytes that it can have")]
    TooLong(u64),
    /// It has another length than the table must have.
    #[error("it has {found} bytes, expected {expected}")]
    Length {
        /// Bytes that the table has.
        expected: u64,
        /// Bytes that the file has.
        found: u64,
    },
}

/// A source that does not give what it is asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A text that is no source.
    #[error(
        "{} is no place to fetch tables from: expected an address such as https://example.org/tables/, or a directory",
        quoted(.0)
    )]
    Address(String),
    /// A directory that is not there.
    #[error(
        "{} is no directory: expected one with tables, or an address such as https://example.org/tables/",
        .0.display()
    )]
    NoDirectory(PathBuf),
    /// A file that is not there: the status says so, or the file system.
    #[error("{}", absent(*.0))]
    Absent(Option<u16>),
    /// A status that is none of those expected.
    #[error("the server answers with status {0}{hint}", hint = status_hint(*.0))]
    Status(u16),
    /// Nothing is there from the byte on that was asked for; how many bytes there are, if that is said.
    #[error("the server says that there is nothing from there on")]
    PastTheEnd(Option<u64>),
    /// Nothing came for this long.
    #[error("nothing came for {} s: the server is slow or gone; --timeout says how long to wait", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The connection ended before the file did.
    #[error("the connection broke off")]
    BrokenOff,
    /// The connection, or a file, cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The connection to the server or to a proxy cannot be made.
    #[error("cannot connect{1}: {0}")]
    Connect(#[source] io::Error, ViaProxy),
    /// The connection would not be secure.
    #[error(
        "the connection is not secure ({0}): certificates are held against those that the system trusts, or those in the file that \
         SSL_CERT_FILE names"
    )]
    NotSecure(#[source] io::Error),
    /// The server sends us elsewhere again and again.
    #[error("the server sent us elsewhere more than {0} times")]
    Redirections(u32),
    /// A secure server sends us to one that is not secure.
    #[error("the server sent us from https to http ({0}), which is not followed")]
    Downgrade(String),
    /// A variable such as `HTTPS_PROXY` that is no address.
    #[error("{0} is not the address of a proxy: expected such as http://proxy.example.org:3128, or nothing at all")]
    Proxy(&'static str),
    /// The client refuses what the server says, or cannot do what is needed.
    #[error("{0}{1}")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>, ViaProxy),
    /// Whoever watches it stopped it.
    #[error("fetching was stopped")]
    Stopped,
}

impl SourceError {
    /// Whether another try may go better.
    pub(super) fn is_temporary(&self) -> bool {
        match self {
            SourceError::Status(status) => matches!(status, 408 | 429 | 500..=599),
            SourceError::TimedOut(_) | SourceError::BrokenOff | SourceError::Connect(..) => true,
            SourceError::Io(error) => matches!(
                error.kind(),
                ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof
                    | ErrorKind::TimedOut
            ),
            _ => false,
        }
    }
}

/// The proxy that connections go through, for messages.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ViaProxy(pub(super) Option<String>);

impl fmt::Display for ViaProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |proxy| write!(f, " (through the proxy {proxy})"))
    }
}

fn absent(status: Option<u16>) -> String {
    let status = status.map(|status| format!(" (status {status})")).unwrap_or_default();
    format!("there is no such file{status}")
}

fn status_hint(status: u16) -> &'static str {
    match status {
        401 | 407 => ": it wants a name and a password; https://NAME:PASSWORD@… gives them",
        429 | 503 => ": it is busy, try again later",
        500..=599 => ": something is wrong there, try again later",
        _ => "",
    }
}

fn bytes(bytes: u64) -> String {
    ByteSize(bytes).display().si().to_string()
}

fn lists(has: Option<&Vec<String>>) -> String {
    match has {
        None => ", and no manifest.jsonl that would say what it has: look at the address".to_owned(),
        Some(has) if has.is_empty() => "; its manifest lists the tables of no catalogue".to_owned(),
        Some(has) => format!("; its manifest lists the tables of {}", has.join(", ")),
    }
}

fn going_on(kept: Option<&(PathBuf, u64)>) -> String {
    kept.map_or_else(String::new, |(path, len)| {
        format!("; {} are kept in {}, and the same command goes on from there", bytes(*len), path.display())
    })
}
