//! Long builds, saved level by level: a build that was stopped or killed resumes from the last level that was saved.
//!
//! A file starts with lines of text that name the build and list what its levels found. Then come the rows in their form in memory, and
//! the hash of everything before. Only the program that wrote the file reads it, on the same kind of machine, and the file is removed
//! when the tables are complete, so it is not a documented format. A new file replaces the old one only when it is complete. So a scratch
//! directory always has one complete file, and needs room for two, each as large as the memory of the build.
//!
//! When several processes build together, each saves its own rows, in one file for each level. It removes the file of the previous level
//! when all processes have written theirs. So there is always a level that all processes have.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bitvec::BitArr;
use bitvec::order::Lsb0;
use bitvec::view::BitView;
use tilebase_format::layout::{HASH_LEN, HISTOGRAM_LEN, RANKING};
use tilebase_format::{Draft, Hashing, Header, check_writable, open_file};

use crate::build::Build;
use crate::error::BuildError;
use crate::level::Tally;
use crate::peers::Agreement;
use crate::shares::SHARES_VERSION;

/// The first line of a file. The number changes with the contents of a file or their order.
const FIRST_LINE: &str = "tilebase build 2";

/// The end of the name of a file with one level.
const END_OF_LEVEL: &str = ".build";

/// The most bytes of a line. Every line that we write has fewer.
const MOST_BYTES_OF_LINE: usize = 1 << 14;

/// Rows that are saved and loaded.
pub(crate) trait Keep {
    /// Everything that changes from level to level and does not follow from the rest.
    fn kept(&self) -> impl Iterator<Item = &[u8]>;

    /// The same, to be filled from a file.
    fn kept_mut(&mut self) -> impl Iterator<Item = &mut [u8]>;
}

/// A directory that saves builds while they run.
#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    every: Duration,
    /// The number of this process, and the number of processes that build together.
    part: (usize, usize),
    begun: Instant,
    /// Several builds can run at the same time. Each has its own file, and is saved at its own times.
    builds: Mutex<HashMap<PathBuf, Last>>,
}

/// The last attempt to save a build.
#[derive(Debug)]
struct Last {
    at: Instant,
    error: Option<KeptError>,
}

impl Scratch {
    /// Saves builds in a directory, each after the first level that ends at least `every` after the last save.
    ///
    /// # Errors
    /// [`KeptError`] when the directory does not exist or is not writable.
    pub fn new(directory: PathBuf, every: Duration) -> Result<Scratch, KeptError> {
        check_writable(&directory)
            .map_err(|error| KeptError { path: directory.clone(), why: Refused::Write(error) })?;
        Ok(Scratch { directory, every, part: (0, 1), begun: Instant::now(), builds: Mutex::default() })
    }

    /// The same for one of several processes that build together.
    #[must_use]
    pub fn of_process(self, rank: usize, count: usize) -> Scratch {
        Scratch { part: (rank, count), ..self }
    }

    /// The path of the file in which a single process saves a build, whether it exists or not.
    pub fn file(&self, build: &Build) -> PathBuf {
        self.directory.join(format!("{}.build", name(build)))
    }

    /// Whether this process has saved something of a build.
    pub fn has(&self, build: &Build) -> bool {
        if self.part.1 == 1 { self.file(build).exists() } else { !self.levels(build).is_empty() }
    }

    /// Removes the saved levels of a build, because its tables are complete.
    pub fn forget(&self, build: &Build) {
        if self.part.1 == 1 {
            let _ = std::fs::remove_file(self.file(build));
        }
        self.levels(build).into_iter().for_each(|level| _ = std::fs::remove_file(self.file_of_level(build, level)));
    }

    /// Removes the saved levels of the builds whose tables are complete. They are left over when a process is killed after its table
    /// gets its name.
    pub fn forget_all_but(&self, missing: &[Build], wanted: &[Build]) {
        let is_complete = |build: &&Build| {
            let is_missing = |missing: &Build| missing.pattern() == build.pattern() && missing.kinds() == build.kinds();
            !missing.iter().any(is_missing)
        };
        wanted.iter().filter(is_complete).for_each(|build| self.forget(build));
    }

    /// The file in which a level of a build is saved.
    fn file_of_level(&self, build: &Build, level: usize) -> PathBuf {
        match self.part {
            (_, 1) => self.file(build),
            _ => self.directory.join(format!("{}{level}{END_OF_LEVEL}", self.start_of_levels(build))),
        }
    }

    fn start_of_levels(&self, build: &Build) -> String {
        let (rank, count) = self.part;
        format!("{}.{rank}-of-{count}.level-", name(build))
    }

    /// The levels of a build that this process has saved, when several build together.
    fn levels(&self, build: &Build) -> Vec<usize> {
        let start = self.start_of_levels(build);
        let files = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let level = |file: std::fs::DirEntry| {
            file.file_name().to_str()?.strip_prefix(&start)?.strip_suffix(END_OF_LEVEL)?.parse().ok()
        };
        files.filter_map(level).filter(|&level| level < HISTOGRAM_LEN).collect()
    }

    /// The error of the last attempt to save a build, if it failed for any. Each error is returned once; the build continues.
    pub fn take_error(&self) -> Option<KeptError> {
        self.builds().values_mut().find_map(|last| last.error.take())
    }

    fn builds(&self) -> MutexGuard<'_, HashMap<PathBuf, Last>> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the halves from the saved level, if all processes have one. Returns what the levels up to it found.
    pub(crate) fn load(
        &self,
        build: &Build,
        halves: &mut [impl Keep; 2],
        agreement: &mut Agreement<'_>,
    ) -> Result<Option<Vec<Tally>>, BuildError> {
        let path = if self.part.1 == 1 {
            Some(self.file(build)).filter(|path| path.exists())
        } else {
            self.last_of_all(build, agreement)?.map(|level| self.file_of_level(build, level))
        };
        let Some(path) = path else { return Ok(None) };
        let mut open = || read(open_file(&path).map_err(Refused::Read)?, &self.identity(build), halves);
        let loaded = open().map_err(|why| KeptError { path: path.clone(), why });
        agreement.all_can(loaded).map(Some)
    }

    /// The last level that all processes have saved.
    fn last_of_all(&self, build: &Build, agreement: &mut Agreement<'_>) -> Result<Option<usize>, BuildError> {
        let mut mine = <BitArr!(for HISTOGRAM_LEN, in u64, Lsb0)>::ZERO;
        self.levels(build).into_iter().for_each(|level| mine.set(level, true));
        let all = agreement.combine(mine.into_inner(), |a, b| std::array::from_fn(|at| a[at] & b[at]))?;
        Ok(all.view_bits::<Lsb0>().last_one())
    }

    /// Whether it is time to save a build again.
    pub(crate) fn is_due(&self, build: &Build) -> bool {
        self.builds().get(&self.file(build)).map_or(self.begun, |last| last.at).elapsed() >= self.every
    }

    /// Saves a build after a level. If that fails, the build continues.
    pub(crate) fn keep(
        &self,
        build: &Build,
        tallies: &[Tally],
        halves: &[impl Keep; 2],
        agreement: &mut Agreement<'_>,
    ) -> Result<(), BuildError> {
        let error = match self.save(build, tallies, halves, agreement) {
            Ok(()) | Err(BuildError::Elsewhere) => None,
            Err(BuildError::Kept(error)) => Some(error),
            Err(other) => return Err(other),
        };
        self.builds().insert(self.file(build), Last { at: Instant::now(), error });
        Ok(())
    }

    /// Saves a build after a level.
    ///
    /// # Errors
    /// [`BuildError::Kept`] when this process cannot write its file, and [`BuildError::Elsewhere`] when another process cannot. The file
    /// of the previous level remains.
    pub(crate) fn save(
        &self,
        build: &Build,
        tallies: &[Tally],
        halves: &[impl Keep; 2],
        agreement: &mut Agreement<'_>,
    ) -> Result<(), BuildError> {
        let level = tallies.len() - 1;
        let path = self.file_of_level(build, level);
        let write = || -> io::Result<()> {
            let mut hashing = Hashing::new(Draft::new(path.clone())?);
            hashing.write_all(lines(&self.identity(build), tallies).as_bytes())?;
            for part in halves.iter().flat_map(Keep::kept) {
                hashing.write_all(part)?;
            }
            let (mut draft, hash) = hashing.finish();
            draft.write_all(&hash)?;
            draft.seal().map(drop)
        };
        let written = write().map_err(|error| KeptError { path: path.clone(), why: Refused::Write(error) });
        if let Err(error) = agreement.all_can(written) {
            // A level that some process lacks is useless.
            if self.part.1 > 1 {
                let _ = std::fs::remove_file(&path);
            }
            return Err(error);
        }
        let others = self.levels(build).into_iter().filter(|other| *other != level);
        others.for_each(|other| _ = std::fs::remove_file(self.file_of_level(build, other)));
        Ok(())
    }

    /// The lines that name the build: the same in every file of the build that this process writes.
    fn identity(&self, build: &Build) -> [String; 4] {
        let order = if cfg!(target_endian = "little") { "little" } else { "big" };
        let (rank, count) = self.part;
        let part = format!("process {rank} of {count}, shares {SHARES_VERSION}");
        [FIRST_LINE.to_owned(), name(build), part, format!("ranking {RANKING}, {order}-endian")]
    }
}

/// The names of all tables of a build, joined.
fn name(build: &Build) -> String {
    let names: Vec<String> = build.kinds().iter().map(|&kind| Header::file_name_of(build.pattern(), kind)).collect();
    names.join("+")
}

/// The lines of a file: the name of the build, and what its levels found.
fn lines(identity: &[String], tallies: &[Tally]) -> String {
    let mut lines = identity.join("\n");
    let columns: [fn(&Tally) -> u64; 4] =
        [|tally| tally.states, |tally| tally.entries, |tally| tally.touched, |tally| tally.sent];
    for column in columns {
        let numbers: Vec<String> = tallies.iter().map(|tally| column(tally).to_string()).collect();
        lines += "\n";
        lines += &numbers.join(" ");
    }
    lines + "\n"
}

fn read(file: impl Read, identity: &[String], halves: &mut [impl Keep; 2]) -> Result<Vec<Tally>, Refused> {
    let mut input = Hashing::new(BufReader::new(file));
    for expected in identity {
        let found = line(&mut input)?;
        if found != *expected {
            return Err(Refused::Other { expected: expected.clone(), found });
        }
    }
    let mut numbers = || -> Result<Vec<u64>, Refused> {
        line(&mut input)?.split(' ').map(|number| number.parse().map_err(|_| Refused::Damaged)).collect()
    };
    let columns = [numbers()?, numbers()?, numbers()?, numbers()?];
    let levels = columns[0].len();
    if levels == 0 || columns.iter().any(|column| column.len() != levels) {
        return Err(Refused::Damaged);
    }
    for part in halves.iter_mut().flat_map(Keep::kept_mut) {
        input.read_exact(part).map_err(cut_short)?;
    }
    let (mut input, hash) = input.finish();
    let mut end = Vec::new();
    input.by_ref().take(HASH_LEN as u64 + 1).read_to_end(&mut end).map_err(Refused::Read)?;
    if end != hash {
        return Err(Refused::Damaged);
    }
    let tally = |level: usize| {
        let [states, entries, touched, sent] = columns.each_ref().map(|column| column[level]);
        Tally { states, entries, touched, sent, overflow: None }
    };
    Ok((0..levels).map(tally).collect())
}

/// Reads a line, without its end. It reads byte by byte: lines are few and short.
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

/// A build that cannot be saved, or a saved level that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {why}", path = .path.display())]
pub struct KeptError {
    /// The file, or the directory.
    pub path: PathBuf,
    /// The reason.
    #[source]
    pub why: Refused,
}

/// Why a build cannot be saved or resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The file cannot be written.
    #[error(
        "builds cannot be saved there: {0}; choose a directory with room for two files as large as the build's memory"
    )]
    Write(#[source] io::Error),
    /// The file is damaged.
    #[error("the saved build is damaged: remove the file to build from the start")]
    Damaged,
    /// The file belongs to another build, or to another version of the program.
    #[error(
        "the file belongs to another build (expected {expected}, found {found}): remove it, or use another directory"
    )]
    Other {
        /// The line that was expected.
        expected: String,
        /// The line in the file.
        found: String,
    },
}
