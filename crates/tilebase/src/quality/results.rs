//! Partitions that have been measured, in a file of text: what a search has found, and what it goes on from.
//!
//! The first line says what was measured how, the second names the columns; each further line is a partition, appended when
//! it has been measured. A line that was being written when the program was killed is forgotten.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tilebase_puzzle::{Partition, quoted};

use super::rating::Rating;
use super::sample::Sample;
use crate::catalogues::find_catalogue;

/// The columns.
const COLUMNS: &str = "partition\tsamples\tmean\teta\tstandard_error\tlag\tlag_error\tbytes";

/// A partition that has been measured.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// The partition.
    pub partition: Partition,
    /// Boards of the sample.
    pub samples: usize,
    /// What its bounds are worth, all views counted.
    pub rating: Rating,
    /// Bytes of the tables' files.
    pub bytes: u64,
}

impl Measured {
    fn line(&self) -> String {
        let Measured { partition, samples, rating: Rating { mean, eta, standard_error, lag, .. }, bytes } = self;
        let lag = lag.map_or("\t".to_owned(), |(lag, error)| format!("{lag:.5e}\t{error:.2e}"));
        format!("{}\t{samples}\t{mean:.4}\t{eta:.5e}\t{standard_error:.2e}\t{lag}\t{bytes}\n", partition.drawing())
    }

    fn parse(line: &str) -> Option<Measured> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [drawing, samples, mean, eta, standard_error, lag, lag_error, bytes] = fields[..] else { return None };
        let lag = match (lag, lag_error) {
            ("", "") => None,
            (lag, error) => Some((lag.parse().ok()?, error.parse().ok()?)),
        };
        let rating = Rating {
            mean: mean.parse().ok()?,
            eta: eta.parse().ok()?,
            standard_error: standard_error.parse().ok()?,
            lag,
            // Nobody asks for that of a partition measured before.
            largest_share: f64::NAN,
        };
        let partition = find_catalogue(drawing).ok()?.only()?.clone();
        Some(Measured { partition, samples: samples.parse().ok()?, rating, bytes: bytes.parse().ok()? })
    }

    /// What partitions are compared by, the smaller the better: how far bounds lag behind, if that was measured, and else η.
    pub fn badness(&self) -> f64 {
        self.rating.lag.map_or(self.rating.eta, |(lag, _)| lag)
    }
}

/// All that has been measured, by drawing and number of boards, and the file that it is kept in.
#[derive(Debug, Default)]
pub struct Results {
    measured: HashMap<(String, usize), Measured>,
    file: Option<(File, PathBuf)>,
}

impl Results {
    /// None yet, and none will be kept.
    pub fn in_memory() -> Results {
        Results::default()
    }

    /// Those of a file, which is made if it is not there; what is measured from now on is appended. A [screen](crate::Plan::screen)
    /// gives other results, which are not mixed with these.
    ///
    /// # Errors
    /// [`ResultsError`] when the file is not of measurements like these, or a line of it is damaged.
    pub fn open(path: &Path, sample: &Sample, screen: Option<usize>) -> Result<Results, ResultsError> {
        let io = |error| ResultsError::Io(path.to_owned(), error);
        let head = head(sample, screen);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        // What was cut off within the first lines holds nothing.
        let start = format!("{head}\n{COLUMNS}\n");
        if start.starts_with(&text) {
            file.set_len(0).and_then(|()| file.write_all(start.as_bytes())).map_err(io)?;
            text.clone_from(&start);
        }
        let Some(lines) = text.strip_prefix(&start) else {
            let found = text.lines().next().unwrap_or_default().to_owned();
            return Err(ResultsError::Other { path: path.to_owned(), expected: head, found });
        };
        let whole = lines.rfind('\n').map_or(0, |end| end + 1);
        if whole < lines.len() {
            file.set_len((start.len() + whole) as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(io)?;
        }
        let mut measured = HashMap::new();
        for (number, line) in lines[..whole].lines().enumerate() {
            // The lines before it are two.
            let damaged = || ResultsError::Line { path: path.to_owned(), number: number + 3, found: line.to_owned() };
            let one = Measured::parse(line).ok_or_else(damaged)?;
            measured.insert((one.partition.drawing(), one.samples), one);
        }
        Ok(Results { measured, file: Some((file, path.to_owned())) })
    }

    /// What was measured of a partition with this many boards.
    pub fn get(&self, partition: &Partition, samples: usize) -> Option<&Measured> {
        self.measured.get(&(partition.drawing(), samples))
    }

    /// Adds a partition, to the file as well. It is given back as the file has it, with no more digits: a search that goes on
    /// from the file takes the same steps as one that was never stopped.
    pub fn add(&mut self, measured: &Measured) -> Result<&Measured, ResultsError> {
        let line = measured.line();
        if let Some((file, path)) = &mut self.file {
            // One call, so that a line is torn only when the machine is.
            file.write_all(line.as_bytes()).map_err(|error| ResultsError::Io(path.clone(), error))?;
        }
        let measured = Measured::parse(line.trim_end_matches('\n')).expect("what is written can be read");
        let key = (measured.partition.drawing(), measured.samples);
        Ok(self.measured.entry(key).insert_entry(measured).into_mut())
    }

    /// The best partitions that were measured with this many boards, the best first.
    pub fn best(&self, samples: usize, count: usize) -> Vec<&Measured> {
        let mut all: Vec<&Measured> = self.measured.values().filter(|one| one.samples == samples).collect();
        all.sort_by(|a, b| {
            a.badness().total_cmp(&b.badness()).then_with(|| a.partition.drawing().cmp(&b.partition.drawing()))
        });
        all.truncate(count);
        all
    }

    /// How many partitions were measured with this many boards.
    pub fn count(&self, samples: usize) -> usize {
        self.measured.values().filter(|one| one.samples == samples).count()
    }
}

/// What the measurements of a file have in common.
fn head(sample: &Sample, screen: Option<usize>) -> String {
    let size = sample.boards().first().map(|board| board.size().to_string()).unwrap_or_default();
    let (sampling, seed) = (sample.sampling(), sample.seed());
    let reference = sample.reference().map(|name| format!(", held against {name}")).unwrap_or_default();
    let screen = screen.map(|most| format!(", patterns in parts of {most} tiles")).unwrap_or_default();
    format!(
        "# {size}, {sampling} boards{reference}, seed {seed}{screen}: partitions measured by tilebase tables search"
    )
}

/// A file of measurements that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// It cannot be read or written.
    #[error("cannot use {file} for results: {1}", file = .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// It is something else, or was measured differently.
    #[error(
        "{file} is of other measurements: expected {expected}, found {found}; give another file, or the same options as before",
        file = .path.display(),
        expected = quoted(.expected),
        found = quoted(.found)
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// How its first line should be.
        expected: String,
        /// How it is.
        found: String,
    },
    /// A line is no measured partition.
    #[error(
        "{file}, line {number}: {found} is no measured partition: remove the line, and it is measured again",
        file = .path.display(),
        found = quoted(.found)
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What it is.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::super::Sampling;
    use super::*;
    use tilebase_puzzle::Goal;

    fn sample(seed: u64) -> Sample {
        let goal = Goal::BlankFirst.board("3x3".parse().unwrap()).unwrap();
        Sample::draw(&goal, Sampling::Near, 10, seed)
    }

    fn measured(drawing: &str, eta: f64) -> Measured {
        let partition = find_catalogue(drawing).unwrap().only().unwrap().clone();
        let lag = (eta > 1e-5).then_some((25.5, 0.125));
        let rating = Rating { mean: 14.25, eta, standard_error: 0.25 * eta, lag, largest_share: 0.5 };
        Measured { partition, samples: 10, rating, bytes: 1234 }
    }

    #[test]
    fn what_was_measured_is_there_again_and_a_torn_line_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.tsv");
        let both = [measured(".AA/AAB/BBB", 2e-5), measured(".AB/AAB/ABB", 1e-5)];
        let mut results = Results::open(&path, &sample(1), None).unwrap();
        both.iter().for_each(|one| _ = results.add(one).unwrap());
        drop(results);
        let whole = std::fs::read(&path).unwrap();
        let last = 1 + whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap();
        for len in 0..=whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let mut results = Results::open(&path, &sample(1), None).unwrap();
            let kept = if len == whole.len() { 2 } else { usize::from(len >= last) };
            assert_eq!(results.count(10), kept, "after {len} bytes");
            both.iter().skip(kept).for_each(|one| _ = results.add(one).unwrap());
            let best: Vec<String> = results.best(10, 9).iter().map(|one| one.line()).collect();
            assert_eq!(best, [both[1].line(), both[0].line()]);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "after {len} bytes");
        }
    }

    #[test]
    fn files_of_other_measurements_and_damaged_lines_are_refused_with_the_reason() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.tsv");
        Results::open(&path, &sample(1), None).unwrap().add(&measured(".AA/AAB/BBB", 2e-5)).unwrap();
        let error = Results::open(&path, &sample(2), None).unwrap_err().to_string();
        assert!(error.contains("of other measurements") && error.contains("seed 2"), "{error}");
        let error = Results::open(&path, &sample(1), Some(3)).unwrap_err().to_string();
        assert!(error.contains("patterns in parts of 3 tiles"), "{error}");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("AAB", "AA-")).unwrap();
        let error = Results::open(&path, &sample(1), None).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("is no measured partition"), "{error}");
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(Results::open(&path, &sample(1), None), Err(ResultsError::Other { .. })));
    }
}
