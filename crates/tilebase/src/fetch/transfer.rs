//! Bringing a file from a source, going on where it broke off.

use std::io;
use std::time::{Duration, Instant};

use tilebase_progress::{Event, Watch};

use super::SourceError;
use super::part::Part;
use super::source::{Answer, Pieces, Source, go_on};
use crate::directory::watch_piece;

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
    let what = format!("trying again in {} s", time.as_secs_f64());
    watch_piece(watch, &what, 0, |watch| {
        let started = Instant::now();
        while started.elapsed() < time {
            go_on(watch)?;
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    })
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

/// What has come of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Brought {
    /// Bytes that came in this run.
    pub(super) bytes: u64,
    /// Bytes that had come before, and are part of the file.
    pub(super) before: u64,
    /// Whether some came behind others, from another connection, so that they may be of different files.
    pub(super) joined: bool,
    /// What tells the version that has come from others, if anything does.
    version: Option<String>,
}

impl Brought {
    /// Nothing has come in this run yet.
    pub(super) fn new(part: &Part) -> Brought {
        Brought { before: part.len, ..Brought::default() }
    }

    /// Forgets what has come of the file.
    pub(super) fn forget(&mut self, part: &mut Part) -> Result<(), TransferError> {
        *self = Brought { bytes: self.bytes, ..Brought::default() };
        part.clear().map_err(TransferError::Write)
    }

    /// Whether what a source is about to send belongs behind what has come.
    fn fits(&self, part: &Part, answer: &Answer) -> bool {
        let other_version = self.version.as_ref().zip(answer.version.as_ref()).is_some_and(|(old, new)| old != new);
        let too_short = answer.total.is_some_and(|total| total < part.len);
        answer.from == part.len && !other_version && !too_short
    }
}

impl Transfer<'_> {
    /// Brings what is missing of the file.
    pub(super) fn run(&self, part: &mut Part, brought: &mut Brought, watch: Watch<'_>) -> Result<(), TransferError> {
        if part.len > self.at_most {
            brought.forget(part)?;
        }
        brought.joined |= part.len > 0;
        let (mut failed, mut farthest, mut answered) = (0, part.len, false);
        loop {
            let asked = self.ask(part, brought, watch);
            answered |= asked.is_ok();
            let outcome = asked.and_then(|asked| match asked {
                Some((pieces, total)) => self.take(&pieces, total, part, brought, watch),
                None => Ok(()),
            });
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

    /// Asks for what is missing: what comes, and how long the whole file is, if that is said. `None` when nothing is missing.
    fn ask(
        &self,
        part: &mut Part,
        brought: &mut Brought,
        watch: Watch<'_>,
    ) -> Result<Option<(Pieces, Option<u64>)>, TransferError> {
        if part.len > 0 {
            if self.exactly.or(self.said) == Some(part.len) {
                return Ok(None);
            }
            let pieces = self.source.get(self.file, part.len, brought.version.clone(), self.patience.timeout)?;
            match pieces.answer(watch) {
                Err(SourceError::PastTheEnd(Some(total))) if total == part.len => return Ok(None),
                Err(SourceError::PastTheEnd(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(answer) => {
                    self.check(answer.total)?;
                    if answer.from == 0 {
                        brought.forget(part)?;
                    }
                    if brought.fits(part, &answer) {
                        brought.joined |= part.len > 0;
                        brought.version = answer.version;
                        return Ok(Some((pieces, answer.total)));
                    }
                }
            }
            // What would come is of another file than what has come.
            brought.forget(part)?;
        }
        let pieces = self.source.get(self.file, 0, None, self.patience.timeout)?;
        let answer = pieces.answer(watch)?;
        self.check(answer.total)?;
        if answer.from > 0 {
            return Err(SourceError::Status(206).into());
        }
        brought.version = answer.version;
        Ok(Some((pieces, answer.total)))
    }

    /// Takes what comes, up to the end of the file, or up to what it can have at most.
    fn take(
        &self,
        pieces: &Pieces,
        total: Option<u64>,
        part: &mut Part,
        brought: &mut Brought,
        watch: Watch<'_>,
    ) -> Result<(), TransferError> {
        let most = total.unwrap_or(self.at_most);
        watch_piece(watch, self.file, total.map_or(0, |total| total - part.len), |watch| {
            while let Some(bytes) = pieces.bytes(watch)? {
                let len = bytes.len() as u64;
                brought.bytes += len;
                if part.len + len > most {
                    brought.forget(part)?;
                    return Err(TransferError::TooLong { most });
                }
                part.append(&bytes).map_err(TransferError::Write)?;
                watch(&Event::Advance(len)).continue_value().ok_or(SourceError::Stopped)?;
            }
            match total.or(self.exactly) {
                Some(total) if part.len < total => Err(SourceError::BrokenOff.into()),
                _ => Ok(()),
            }
        })
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
