//! Bringing a file from a source, going on where it broke off.

use std::io;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use tilebase_progress::{Event, Watch};

use super::SourceError;
use super::part::Part;
use super::source::{Source, go_on};

/// The first wait before another try; each is twice as long as the one before, up to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// A try that brings this much is a success, even if it breaks off.
const PROGRESS: u64 = 1 << 20;

/// How often to try again, and how long to wait for a sign of life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patience {
    pub(super) retries: u32,
    pub(super) timeout: Duration,
}

impl Patience {
    /// Does something once more for as long as what goes wrong may be temporary.
    pub(super) fn retry<T>(
        self,
        watch: Watch<'_>,
        mut work: impl FnMut() -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        let mut failed = 0;
        loop {
            match work() {
                // Nobody is there: that seldom changes within seconds.
                Err(SourceError::Connect(error, proxy)) => return Err(SourceError::Connect(error, proxy)),
                Err(error) if error.is_temporary() && failed < self.retries => wait(failed, watch)?,
                done => return done,
            }
            failed += 1;
        }
    }
}

/// Waits before another try, after this many.
fn wait(failed: u32, watch: Watch<'_>) -> Result<(), SourceError> {
    let time = FIRST_WAIT.saturating_mul(1 << failed.min(10)).min(LONGEST_WAIT);
    let what = format!("no connection, waiting {} s before another try", time.as_secs_f64());
    let _ = watch(&Event::Begin { what: &what, total: 0 });
    let started = Instant::now();
    while started.elapsed() < time {
        go_on(watch)?;
        std::thread::sleep(Duration::from_millis(20).min(time));
    }
    let _ = watch(&Event::End);
    Ok(())
}

/// A file that is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer<'a> {
    pub(super) source: &'a Source,
    pub(super) file: &'a str,
    /// How long it is, if that is certain.
    pub(super) exactly: Option<u64>,
    /// How long it can be at most.
    pub(super) at_most: u64,
    /// How long the source said that it is, if it did.
    pub(super) said: Option<u64>,
    pub(super) patience: Patience,
}

/// What was brought.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Brought {
    /// Bytes that came.
    pub(super) bytes: u64,
    /// Whether some came behind others that had come before, so that they may be of different files.
    pub(super) joined: bool,
    /// What told the version from others that has come so far, if anything did.
    version: Option<String>,
}

impl Brought {
    /// Nothing of the file, after this many bytes came in vain.
    pub(super) fn after(bytes: u64) -> Brought {
        Brought { bytes, ..Brought::default() }
    }
}

impl Transfer<'_> {
    /// Brings what is missing of the file.
    pub(super) fn run(&self, part: &mut Part, brought: &mut Brought, watch: Watch<'_>) -> Result<(), TransferError> {
        let (mut failed, mut farthest, mut answered) = (0, part.len, false);
        brought.joined |= part.len > 0;
        loop {
            let outcome = self.try_once(part, brought, &mut answered, watch);
            let Err(TransferError::Source(error)) = outcome else { return outcome };
            // A server that was there may be back soon; one that never was is not waited for.
            let may_come = error.is_temporary() && (answered || !matches!(error, SourceError::Connect(..)));
            if part.len >= farthest + PROGRESS {
                (failed, farthest) = (0, part.len);
            }
            if !may_come || failed >= self.patience.retries {
                return Err(error.into());
            }
            wait(failed, watch)?;
            failed += 1;
        }
    }

    fn try_once(
        &self,
        part: &mut Part,
        brought: &mut Brought,
        answered: &mut bool,
        watch: Watch<'_>,
    ) -> Result<(), TransferError> {
        if part.len > self.at_most {
            part.clear().map_err(TransferError::Write)?;
        }
        let (pieces, total) = loop {
            if part.len > 0 && self.exactly.or(self.said) == Some(part.len) {
                return Ok(());
            }
            let version = brought.version.clone().filter(|_| part.len > 0);
            let pieces = self.source.get(self.file, part.len, version, self.patience.timeout)?;
            match pieces.answer(watch) {
                Err(SourceError::PastTheEnd(total)) if part.len > 0 && total == Some(part.len) => return Ok(()),
                Err(SourceError::PastTheEnd(_)) if part.len > 0 => {}
                Err(error) => return Err(error.into()),
                Ok(answer) => {
                    *answered = true;
                    self.check(answer.total)?;
                    if answer.from == 0 && part.len > 0 {
                        part.clear().map_err(TransferError::Write)?;
                    }
                    let other_version = answer
                        .version
                        .as_ref()
                        .is_some_and(|new| brought.version.as_ref().is_some_and(|old| new != old));
                    let is_other = other_version || answer.total.is_some_and(|total| total < part.len);
                    if answer.from == part.len && (part.len == 0 || !is_other) {
                        brought.version = answer.version;
                        break (pieces, answer.total);
                    }
                    if part.len == 0 {
                        // It sends another part than the first, which nobody asked for.
                        return Err(SourceError::Status(206).into());
                    }
                }
            }
            // What has come is of another file than what would come: the whole file is asked for, once.
            part.clear().map_err(TransferError::Write)?;
        };
        brought.joined |= part.len > 0;
        let end = total.unwrap_or(self.at_most);
        let what = match part.len {
            0 => format!("fetching {}", self.file),
            len => format!("fetching {}, of which {} are there", self.file, ByteSize(len).display().si()),
        };
        let _ = watch(&Event::Begin { what: &what, total: total.map_or(0, |total| total - part.len) });
        while let Some(bytes) = pieces.bytes(watch)? {
            brought.bytes += bytes.len() as u64;
            if part.len + bytes.len() as u64 > end {
                part.clear().map_err(TransferError::Write)?;
                return Err(TransferError::TooLong { most: end });
            }
            part.append(&bytes).map_err(TransferError::Write)?;
            watch(&Event::Advance(bytes.len() as u64)).continue_value().ok_or(SourceError::Stopped)?;
        }
        let _ = watch(&Event::End);
        match total.or(self.exactly) {
            Some(total) if part.len < total => Err(SourceError::BrokenOff.into()),
            _ => Ok(()),
        }
    }

    /// Refuses a file that cannot be the right one, going by its length.
    fn check(&self, total: Option<u64>) -> Result<(), TransferError> {
        match (total, self.exactly) {
            (Some(found), Some(expected)) if found != expected => Err(TransferError::Length { expected, found }),
            (Some(found), None) if found > self.at_most => Err(TransferError::TooLong { most: self.at_most }),
            _ => Ok(()),
        }
    }
}

/// A file that was not brought.
#[derive(Debug)]
pub(super) enum TransferError {
    /// The source does not give it.
    Source(SourceError),
    /// It cannot be written.
    Write(io::Error),
    /// It is longer than it can be.
    TooLong { most: u64 },
    /// It has another length than it must have.
    Length { expected: u64, found: u64 },
}

impl From<SourceError> for TransferError {
    fn from(error: SourceError) -> TransferError {
        TransferError::Source(error)
    }
}
