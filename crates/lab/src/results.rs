//! The file of results: a line of JSON for each search that has been made.
//!
//! Lines are only ever added, each in one piece. So whatever interrupts a lab, every line but the last is whole; a last one
//! that is not whole is passed over, and its search made again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::{Done, Run};

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line<D> {
    key: String,
    #[serde(flatten)]
    done: D,
    /// The version that searched.
    #[serde(default)]
    program: String,
}

/// What has been searched so far.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
    done: HashMap<String, Done>,
    /// Lines that are not results.
    passed_over: usize,
}

impl Results {
    /// Reads what is in a file, and adds to it from now on. The file is made if it is not there.
    pub fn open(path: &Path) -> io::Result<Results> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut done = HashMap::new();
        let mut passed_over = 0;
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.is_empty()) {
            match serde_json::from_str::<Line<Done>>(line) {
                Ok(line) => drop(done.insert(line.key, line.done)),
                Err(_) => passed_over += 1,
            }
        }
        if bytes.last().is_some_and(|&last| last != b'\n') {
            // What comes next must not become the end of a line that was interrupted.
            file.write_all(b"\n")?;
        }
        Ok(Results { path: path.to_owned(), file, done, passed_over })
    }

    /// Adds what came of a search.
    pub fn add(&mut self, run: &Run, done: Done) -> io::Result<()> {
        let line = Line { key: run.key(), done: &done, program: env!("CARGO_PKG_VERSION").to_owned() };
        self.file.write_all((serde_json::to_string(&line)? + "\n").as_bytes())?;
        self.done.insert(line.key, done);
        Ok(())
    }

    /// What came of a search, if it has been made.
    pub fn get(&self, run: &Run) -> Option<&Done> {
        self.done.get(&run.key())
    }

    /// What came of a search that was planned.
    ///
    /// # Panics
    /// When it has not been made.
    pub fn of(&self, run: &Run) -> &Done {
        self.get(run).unwrap_or_else(|| panic!("a report asks for a search that it did not plan: {}", run.key()))
    }

    /// How many lines are not results: damaged, or interrupted.
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase::Search;
    use tilebase::puzzle::Goal;
    use tilebase::solve::{Ida, Wanted};

    use crate::run::How;

    fn run(board: &str) -> Run {
        Run::new(board.parse().unwrap(), Goal::BlankLast, How::Listed("manhattan"), Search::Ida(Ida::PLAIN), 1)
    }

    fn done(generated: u64) -> Done {
        Done { length: Some(3), generated, counts: vec![1, 2], moves: "LUL".into(), seconds: 0.25, ..Done::default() }
    }

    /// Two searches, and a place for their results.
    fn two() -> (tempfile::TempDir, PathBuf, Run, Run) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs.jsonl");
        (directory, path, run("1 2 3 / 0 4 6 / 7 5 8"), run("1 2 3 / 4 5 6 / 7 0 8"))
    }

    #[test]
    fn results_are_found_again_and_equal() {
        let (_directory, path, a, b) = two();
        let mut results = Results::open(&path).unwrap();
        results.add(&a, done(7)).unwrap();
        results.add(&b, Done { length: None, limit: Some("memory".into()), ..done(9) }).unwrap();
        let again = Results::open(&path).unwrap();
        assert_eq!(again.get(&a), Some(&done(7)));
        assert_eq!(again.of(&b).limit.as_deref(), Some("memory"));
        assert_eq!((again.done.len(), again.passed_over()), (2, 0));
        assert!(again.get(&Run { wanted: Wanted::Count, ..a }).is_none(), "another question has another key");
    }

    #[test]
    fn a_line_that_was_interrupted_is_searched_again_and_spoils_no_other() {
        let (_directory, path, a, b) = two();
        let mut results = Results::open(&path).unwrap();
        results.add(&a, done(7)).unwrap();
        results.add(&b, done(9)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in [first + 1, first + 40, whole.len() - 2] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut results = Results::open(&path).unwrap();
            assert_eq!((results.get(&a), results.get(&b), results.passed_over()), (Some(&done(7)), None, 1));
            results.add(&b, done(9)).unwrap();
            let again = Results::open(&path).unwrap();
            assert_eq!((again.get(&a), again.get(&b)), (Some(&done(7)), Some(&done(9))));
        }
        // Only the end of the line is missing: it is whole.
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(Results::open(&path).unwrap().get(&b), Some(&done(9)));
    }
}
