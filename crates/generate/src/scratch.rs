//! Builds that take long, kept level by level: after any end the same build goes on from the last level that was kept.
//!
//! A file has some lines of text that say which build it is and what its levels found, then everything that changes from level to level, as it
//! lies in memory, and at last the hash of all that. It is for the program that wrote it, on the same kind of machine, and is gone when the
//! tables are there; so it is no format for others. Files are replaced as a whole, so that one is there at any moment: a scratch
//! directory needs room for two of them, each as large as the memory of the build.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tilebase_format::layout::{HASH_LEN, RANKING};
use tilebase_format::{Draft, Hashing, Header, check_writable, open_file};

use crate::build::Build;
use crate::level::Tally;
use crate::store::Half;

/// The first line of a file. The number changes whenever something else is kept, or in another order.
const FIRST_LINE: &str = "tilebase build 1";

/// The most bytes of a line: more than any has.
const MOST_BYTES_OF_LINE: usize = 1 << 14;

/// A directory where builds are kept while they run.
#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    every: Duration,
    begun: Instant,
    /// Builds run side by side; each has its own file, and is kept in its own time.
    builds: Mutex<HashMap<PathBuf, Last>>,
}

/// The last time that a build was to be kept.
#[derive(Debug)]
struct Last {
    at: Instant,
    error: Option<KeptError>,
}

impl Scratch {
    /// Builds are kept in a directory, after the first level that ends so long after the last time.
    ///
    /// # Errors
    /// [`KeptError`] when the directory is not there, or nothing can be written into it.
    pub fn new(directory: PathBuf, every: Duration) -> Result<Scratch, KeptError> {
        check_writable(&directory)
            .map_err(|error| KeptError { path: directory.clone(), why: Refused::Write(error) })?;
        Ok(Scratch { directory, every, begun: Instant::now(), builds: Mutex::default() })
    }

    /// The file in which a build is kept, whether it is there or not.
    pub fn file(&self, build: &Build) -> PathBuf {
        self.directory.join(format!("{}.build", name(build)))
    }

    /// Removes what is kept of a build: its tables are there.
    pub fn forget(&self, build: &Build) {
        let _ = std::fs::remove_file(self.file(build));
    }

    /// Why a build could not be kept the last time, if so for any; told once. The build went on.
    pub fn take_error(&self) -> Option<KeptError> {
        self.builds().values_mut().find_map(|last| last.error.take())
    }

    fn builds(&self) -> MutexGuard<'_, HashMap<PathBuf, Last>> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the halves with what is kept of a build, if anything is, and returns what its levels found.
    pub(crate) fn load(&self, build: &Build, halves: &mut [Half; 2]) -> Result<Option<Vec<Tally>>, KeptError> {
        let path = self.file(build);
        if !path.exists() {
            return Ok(None);
        }
        let refused = |why| KeptError { path: path.clone(), why };
        let file = open_file(&path).map_err(|error| refused(Refused::Read(error)))?;
        read(file, build, halves).map(Some).map_err(refused)
    }

    /// Keeps a build after a level, if the last time was long enough ago. If that fails, the build goes on.
    pub(crate) fn save_if_due(&self, build: &Build, tallies: &[Tally], halves: &[Half; 2]) {
        let file = self.file(build);
        let last = self.builds().get(&file).map_or(self.begun, |last| last.at);
        if last.elapsed() >= self.every {
            let error = self.save(build, tallies, halves).err();
            self.builds().insert(file, Last { at: Instant::now(), error });
        }
    }

    /// Keeps a build after a level.
    pub(crate) fn save(&self, build: &Build, tallies: &[Tally], halves: &[Half; 2]) -> Result<(), KeptError> {
        let path = self.file(build);
        let write = || -> io::Result<()> {
            let mut hashing = Hashing::new(Draft::new(path.clone())?);
            hashing.write_all(lines(build, tallies).as_bytes())?;
            for part in halves.iter().flat_map(Half::kept) {
                hashing.write_all(part)?;
            }
            let (mut draft, hash) = hashing.finish();
            draft.write_all(&hash)?;
            draft.seal().map(drop)
        };
        write().map_err(|error| KeptError { path: path.clone(), why: Refused::Write(error) })
    }
}

/// What the tables of a build are called, all from one search.
fn name(build: &Build) -> String {
    let names: Vec<String> = build.kinds().iter().map(|&kind| Header::file_name_of(build.pattern(), kind)).collect();
    names.join("+")
}

/// What says which build it is, a line each: the same in every file of the build.
fn identity(build: &Build) -> [String; 3] {
    let order = if cfg!(target_endian = "little") { "little" } else { "big" };
    [FIRST_LINE.to_owned(), name(build), format!("ranking {RANKING}, {order}-endian")]
}

/// The lines of a file: which build it is, and what its levels found.
fn lines(build: &Build, tallies: &[Tally]) -> String {
    let mut lines = identity(build).join("\n");
    let columns: [fn(&Tally) -> u64; 3] = [|tally| tally.states, |tally| tally.entries, |tally| tally.touched];
    for column in columns {
        let numbers: Vec<String> = tallies.iter().map(|tally| column(tally).to_string()).collect();
        lines += "\n";
        lines += &numbers.join(" ");
    }
    lines + "\n"
}

fn read(file: impl Read, build: &Build, halves: &mut [Half; 2]) -> Result<Vec<Tally>, Refused> {
    let mut input = Hashing::new(BufReader::new(file));
    for expected in identity(build) {
        let found = line(&mut input)?;
        if found != expected {
            return Err(Refused::Other { expected, found });
        }
    }
    let mut numbers = || -> Result<Vec<u64>, Refused> {
        line(&mut input)?.split(' ').map(|number| number.parse().map_err(|_| Refused::Damaged)).collect()
    };
    let (states, entries, touched) = (numbers()?, numbers()?, numbers()?);
    if states.len() != entries.len() || states.len() != touched.len() || states.is_empty() {
        return Err(Refused::Damaged);
    }
    for part in halves.iter_mut().flat_map(Half::kept_mut) {
        input.read_exact(part).map_err(cut_short)?;
    }
    let (mut input, hash) = input.finish();
    let mut end = Vec::new();
    input.by_ref().take(HASH_LEN as u64 + 1).read_to_end(&mut end).map_err(Refused::Read)?;
    if end != hash {
        return Err(Refused::Damaged);
    }
    let tallies = states.into_iter().zip(entries).zip(touched);
    let tallies = tallies.map(|((states, entries), touched)| Tally { states, entries, touched, overflow: None });
    Ok(tallies.collect())
}

/// A line, without its end. Lines are few and short.
fn line(input: &mut impl Read) -> Result<String, Refused> {
    let mut line = Vec::new();
    loop {
        let mut byte = [0];
        input.read_exact(&mut byte).map_err(cut_short)?;
        match byte {
            [b'\n'] => return String::from_utf8(line).map_err(|_| Refused::Damaged),
            _ if line.len() == MOST_BYTES_OF_LINE => return Err(Refused::Damaged),
            [byte] => line.push(byte),
        }
    }
}

fn cut_short(error: io::Error) -> Refused {
    if error.kind() == io::ErrorKind::UnexpectedEof { Refused::Damaged } else { Refused::Read(error) }
}

/// A build that cannot be kept, or of which something is kept that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {why}", path = .path.display())]
pub struct KeptError {
    /// The file, or the directory.
    pub path: PathBuf,
    /// Why not.
    #[source]
    pub why: Refused,
}

/// Why a build cannot be kept, or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It cannot be written.
    #[error(
        "builds cannot be kept there: {0}; choose a directory with room for two files as large as the build's memory"
    )]
    Write(#[source] io::Error),
    /// It is not whole.
    #[error("what is kept of the build is damaged: remove it, and the build begins anew")]
    Damaged,
    /// It belongs to another build, or another version of the program.
    #[error(
        "this is not what is kept of this build (expected {expected}, found {found}): remove it, or use another directory"
    )]
    Other {
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
}
