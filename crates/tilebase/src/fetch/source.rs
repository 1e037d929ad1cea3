//! Where tables are fetched from: a directory, or an address on the web. Either is read on a thread of its own, so that whoever waits
//! can be told to stop, and notices when nothing comes.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tilebase_progress::threads::spawn;
use tilebase_progress::{Event, Watch};

use super::SourceError;
use super::web::Web;

/// Bytes are read in pieces of this size at most.
const PIECE_LEN: usize = 1 << 18;

/// How many pieces are read before somebody takes them.
const AHEAD: usize = 8;

/// Whoever waits for a piece asks this often whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// A place with tables.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Directory(PathBuf),
    Web(Web),
}

impl Source {
    /// The place that a text means: an address with `http://`, `https://` or `file://`, or a directory.
    pub(super) fn parse(text: &str) -> Result<Source, SourceError> {
        let Some((scheme, rest)) = text.split_once("://") else { return Source::directory(PathBuf::from(text)) };
        match &*scheme.to_ascii_lowercase() {
            "http" | "https" => Web::new(text).map(Source::Web),
            "file" => {
                Source::directory(path_of_file_address(rest).ok_or_else(|| SourceError::Address(text.to_owned()))?)
            }
            _ => Err(SourceError::Address(text.to_owned())),
        }
    }

    fn directory(path: PathBuf) -> Result<Source, SourceError> {
        if path.is_dir() { Ok(Source::Directory(path)) } else { Err(SourceError::NoDirectory(path)) }
    }

    /// The same, giving up on connections that bring nothing for this long.
    pub(super) fn with_timeout(self, timeout: Duration) -> Source {
        match self {
            Source::Web(web) => Source::Web(web.with_timeout(timeout)),
            directory @ Source::Directory(_) => directory,
        }
    }

    /// Where a file of it is, for people.
    pub(super) fn place(&self, file: &str) -> String {
        match self {
            Source::Directory(directory) => directory.join(file).display().to_string(),
            Source::Web(web) => web.shown(file),
        }
    }

    /// Asks for what is known of a file, without its bytes.
    pub(super) fn look_up(&self, file: &str, timeout: Duration) -> Result<Pieces, SourceError> {
        self.start(file, timeout, |source, file, send| match source {
            Source::Directory(directory) => send(Piece::Answer(answer_of(&open(&directory.join(file))?, 0)?)),
            Source::Web(web) => send(Piece::Answer(web.look_up(file)?)),
        })
    }

    /// Asks for the bytes of a file from one of them on; from the first one, when the file is no longer of this version.
    pub(super) fn get(
        &self,
        file: &str,
        from: u64,
        version: Option<String>,
        timeout: Duration,
    ) -> Result<Pieces, SourceError> {
        self.start(file, timeout, move |source, file, send| match source {
            Source::Directory(directory) => {
                let mut file = open(&directory.join(file))?;
                send(Piece::Answer(answer_of(&file, from)?))?;
                file.seek(SeekFrom::Start(from))?;
                send_all(file, send, SourceError::Io)
            }
            Source::Web(web) => {
                let (answer, body) = web.get(file, from, version.as_deref())?;
                send(Piece::Answer(answer))?;
                send_all(body, send, |error| web.error_of_reading(error))
            }
        })
    }

    /// Does something on a thread of its own that sends pieces.
    fn start(
        &self,
        file: &str,
        timeout: Duration,
        work: impl FnOnce(&Source, &str, Send<'_>) -> Result<(), SourceError> + std::marker::Send + 'static,
    ) -> Result<Pieces, SourceError> {
        let (sender, receiver) = sync_channel(AHEAD);
        let (source, file) = (self.clone(), file.to_owned());
        let fetch = move || {
            let send = |piece| pass_on(&sender, Ok(piece));
            if let Err(error) = work(&source, &file, &send) {
                let _ = pass_on(&sender, Err(error));
            }
        };
        spawn("fetch", fetch).map_err(|_| io::Error::new(ErrorKind::WouldBlock, "no thread can start to read it"))?;
        Ok(Pieces { receiver, timeout })
    }
}

/// Passes a piece on. It fails when nobody wants it any more.
type Send<'a> = &'a dyn Fn(Piece) -> Result<(), SourceError>;

fn pass_on(
    sender: &SyncSender<Result<Piece, SourceError>>,
    piece: Result<Piece, SourceError>,
) -> Result<(), SourceError> {
    sender.send(piece).map_err(|_| SourceError::Stopped)
}

fn send_all(
    mut bytes: impl Read,
    send: Send<'_>,
    error_of: impl Fn(io::Error) -> SourceError,
) -> Result<(), SourceError> {
    loop {
        let mut piece = vec![0; PIECE_LEN];
        match bytes.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(len) => {
                piece.truncate(len);
                send(Piece::Bytes(piece))?;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error_of(error)),
        }
    }
}

fn open(path: &Path) -> Result<File, SourceError> {
    match tilebase_format::open_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(SourceError::Absent(None)),
        other => Ok(other?),
    }
}

fn answer_of(file: &File, from: u64) -> Result<Answer, SourceError> {
    let total = file.metadata()?.len();
    if from > total {
        Err(SourceError::PastTheEnd(Some(total)))
    } else {
        Ok(Answer { from, total: Some(total), version: None })
    }
}

/// The directory of an address such as `file:///home/me/my%20tables`, given what follows `file://`.
fn path_of_file_address(rest: &str) -> Option<PathBuf> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut parts = path.split('%');
    bytes.extend(parts.next()?.bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(part[2..].bytes());
    }
    let path = String::from_utf8(bytes).ok()?;
    // On Windows a drive follows the first slash.
    Some(PathBuf::from(if cfg!(windows) { path.trim_start_matches('/') } else { &path }))
}

/// What a source says of a file before it sends bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// Which byte comes first.
    pub(super) from: u64,
    /// How many bytes the whole file has, if that is said.
    pub(super) total: Option<u64>,
    /// What tells this version of the file from others (a strong `ETag`), if that is said.
    pub(super) version: Option<String>,
}

/// What comes from a source.
#[derive(Debug)]
enum Piece {
    Answer(Answer),
    Bytes(Vec<u8>),
}

/// What comes from a source, while it comes.
#[derive(Debug)]
pub(super) struct Pieces {
    receiver: Receiver<Result<Piece, SourceError>>,
    timeout: Duration,
}

impl Pieces {
    /// What the source says first.
    pub(super) fn answer(&self, watch: Watch<'_>) -> Result<Answer, SourceError> {
        match self.next(watch)? {
            Some(Piece::Answer(answer)) => Ok(answer),
            _ => Err(SourceError::BrokenOff),
        }
    }

    /// The next bytes; `None` when there are no more.
    pub(super) fn bytes(&self, watch: Watch<'_>) -> Result<Option<Vec<u8>>, SourceError> {
        match self.next(watch)? {
            Some(Piece::Bytes(bytes)) => Ok(Some(bytes)),
            Some(Piece::Answer(_)) => Err(SourceError::BrokenOff),
            None => Ok(None),
        }
    }

    /// The client has time-outs of its own for single steps; here nothing passes for news but what was asked for, so that no
    /// trickle of headers or of redirections keeps us waiting.
    fn next(&self, watch: Watch<'_>) -> Result<Option<Piece>, SourceError> {
        let started = Instant::now();
        loop {
            match self.receiver.recv_timeout(POLL) {
                Ok(piece) => return piece.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if started.elapsed() >= self.timeout => {
                    return Err(SourceError::TimedOut(self.timeout));
                }
                Err(RecvTimeoutError::Timeout) => go_on(watch)?,
            }
        }
    }
}

/// Asks whether to go on.
pub(super) fn go_on(watch: Watch<'_>) -> Result<(), SourceError> {
    watch(&Event::Poll).continue_value().ok_or(SourceError::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_addresses_are_directories() {
        let path = |text| path_of_file_address(text).map(|path| path.display().to_string());
        if cfg!(not(windows)) {
            assert_eq!(path("/home/me/my%20tables").as_deref(), Some("/home/me/my tables"));
            assert_eq!(path("localhost/srv/%C3%BC").as_deref(), Some("/srv/ü"));
        }
        for wrong in ["", "home/me", "elsewhere/home", "/a%2", "/a%", "/a%zz", "/%ff", "/a%2ü"] {
            assert_eq!(path(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_neither_an_address_nor_a_directory_is_refused() {
        for wrong in ["ftp://example.org/", "://", "file://host", "http://", "https://:80/", "http://a b/"] {
            assert!(
                matches!(Source::parse(wrong), Err(SourceError::Address(_))),
                "{wrong}: {:?}",
                Source::parse(wrong)
            );
        }
        for wrong in ["", "no/such/directory", "Cargo.toml"] {
            assert!(matches!(Source::parse(wrong), Err(SourceError::NoDirectory(_))), "{wrong}");
        }
        assert!(matches!(Source::parse("src"), Ok(Source::Directory(_))));
        assert!(matches!(Source::parse("HTTPS://example.org"), Ok(Source::Web(_))));
    }
}
