//! A file of results, a line each.
//!
//! Lines are only ever added, each in one piece; a last one that is not whole is passed over, and what it was about is searched again.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::LabError;

/// A result that is a line of a file.
pub(crate) trait Line: Sized {
    /// What the file begins with: lines with # in front.
    const HEAD: &str;

    /// The line, with its end.
    fn line(&self) -> String;

    /// The result that a line is, without its end.
    fn parse(line: &str) -> Option<Self>;
}

/// The results of a file, to which more can be added.
pub(crate) struct KeptLines<T> {
    path: PathBuf,
    file: File,
    all: Vec<T>,
}

impl<T: Line> KeptLines<T> {
    /// Reads a file, and adds to it from now on. It is made if it is not there.
    pub(crate) fn open(path: &Path) -> Result<KeptLines<T>, LabError> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read,
        };
        let text = text.map_err(LabError::file(path))?;
        // What has no end is not whole: whoever wrote it was killed. What comes next must not become the rest of it.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut all = Vec::new();
        let lines = text[..whole].lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            all.push(T::parse(line).ok_or_else(|| LabError::Line(path.to_owned(), number + 1))?);
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(LabError::file(path))?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(LabError::file(path))?;
        }
        if whole == 0 {
            file.write_all(T::HEAD.as_bytes()).map_err(LabError::file(path))?;
        }
        Ok(KeptLines { path: path.to_owned(), file, all })
    }

    /// Adds a result, in one piece, and has it on the disk.
    pub(crate) fn add(&mut self, result: T) -> Result<(), LabError> {
        let written = self.file.write_all(result.line().as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(LabError::file(&self.path))?;
        self.all.push(result);
        Ok(())
    }

    /// All of them, in the order in which they were added.
    pub(crate) fn all(&self) -> &[T] {
        &self.all
    }
}
