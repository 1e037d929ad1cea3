//! A program of benchmarks, as Criterion makes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::turn::{Turn, TurnError};

/// How one turn is measured: short, because there are many. The samples of long benchmarks are fewer, as they say themselves.
const SHORT: [&str; 8] =
    ["--warm-up-time", "0.05", "--measurement-time", "0.2", "--sample-size", "30", "--nresamples", "1000"];

/// A program that Criterion's macros have made of benchmarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    path: PathBuf,
}

/// A program of benchmarks that does not do what it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// It cannot be started, or there is no directory for it to write into.
    #[error("{}: {error}: expected a program of benchmarks, as cargo bench --no-run makes it", .path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: io::Error,
    },
    /// It failed.
    #[error("{} {}: {status}\n{}", .path.display(), .arguments.join(" "), .stderr.trim_end())]
    Failed {
        /// The program.
        path: PathBuf,
        /// What it was told.
        arguments: Vec<String>,
        /// How it ended.
        status: ExitStatus,
        /// What it said.
        stderr: String,
    },
    /// It has no benchmark with this name, or has not measured it.
    #[error("{}: nothing was written about {name:?}: expected one of the benchmarks that --list names", .path.display())]
    Nothing {
        /// The program.
        path: PathBuf,
        /// The benchmark.
        name: String,
    },
    /// What it wrote cannot be read.
    #[error("{0}")]
    Turn(#[from] TurnError),
}

impl Program {
    /// The program in a file.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        Program { path: path.into() }
    }

    /// The names of its benchmarks, in its order.
    pub fn names(&self) -> Result<Vec<String>, ProgramError> {
        let listed = self.run(&["--bench", "--list", "--format", "terse"], None)?;
        let names = listed.lines().filter_map(|line| line.strip_suffix(": benchmark"));
        Ok(names.map(str::to_owned).collect())
    }

    /// Measures one benchmark once: about half a second.
    pub fn measure(&self, name: &str) -> Result<Turn, ProgramError> {
        let directory = tempfile::tempdir().map_err(|error| self.not_started(error))?;
        let arguments = [&["--bench", "--quiet", "--noplot", "--exact", name][..], &SHORT].concat();
        self.run(&arguments, Some(directory.path()))?;
        let written = written(directory.path()).map_err(|error| self.not_started(error))?;
        let nothing = || ProgramError::Nothing { path: self.path.clone(), name: name.to_owned() };
        Ok(Turn::read(&written.ok_or_else(nothing)?)?)
    }

    fn not_started(&self, error: io::Error) -> ProgramError {
        ProgramError::Start { path: self.path.clone(), error }
    }

    /// What the program says when it is told something, and writes into a directory.
    fn run(&self, arguments: &[&str], directory: Option<&Path>) -> Result<String, ProgramError> {
        let mut command = Command::new(&self.path);
        command.args(arguments).envs(directory.map(|directory| ("CRITERION_HOME", directory)));
        let output = command.output().map_err(|error| self.not_started(error))?;
        if !output.status.success() {
            return Err(ProgramError::Failed {
                path: self.path.clone(),
                arguments: arguments.iter().copied().map(str::to_owned).collect(),
                status: output.status,
                stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            });
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The directory that was written about the latest time of a benchmark. It is called `new`, in one that is named after the benchmark in
/// Criterion's own way.
fn written(directory: &Path) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        if path.ends_with("new") {
            return Ok(Some(path));
        }
        if let Some(found) = written(&path)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
