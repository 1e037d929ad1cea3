//! What Criterion writes about a benchmark that it measured.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::judge::median;

/// A benchmark, measured once.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Nanoseconds that one time took: the median of all samples.
    pub nanoseconds: f64,
    /// How many things of what kind that was, such as nodes, if the benchmark says it.
    pub throughput: Option<String>,
}

/// A turn of which there is nothing, or nothing that makes sense.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// A file cannot be read.
    #[error("{}: {error}: expected what Criterion writes about a benchmark", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: io::Error,
    },
    /// A file is not JSON.
    #[error("{}: {error}: expected JSON as Criterion writes it", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: serde_json::Error,
    },
    /// A file has no samples in it.
    #[error("{}: expected `iters` and `times`, two equally long lists of numbers above 0: does Criterion write something else now?", .0.display())]
    Samples(PathBuf),
}

impl Turn {
    /// Reads the directory that Criterion has written about one benchmark.
    pub fn read(directory: &Path) -> Result<Turn, TurnError> {
        let path = directory.join("sample.json");
        let samples = json(&path)?;
        let nanoseconds = nanoseconds(&samples).ok_or(TurnError::Samples(path))?;
        let about = json(&directory.join("benchmark.json"))?;
        let throughput = Some(&about["throughput"]).filter(|throughput| !throughput.is_null());
        Ok(Turn { nanoseconds, throughput: throughput.map(Value::to_string) })
    }
}

fn json(path: &Path) -> Result<Value, TurnError> {
    let text = fs::read(path).map_err(|error| TurnError::Read { path: path.to_owned(), error })?;
    serde_json::from_slice(&text).map_err(|error| TurnError::Json { path: path.to_owned(), error })
}

/// The median time of one iteration. `None` when the samples are none.
fn nanoseconds(samples: &Value) -> Option<f64> {
    let numbers = |key: &str| -> Option<Vec<f64>> {
        let numbers = samples[key].as_array()?.iter().map(|number| number.as_f64().filter(|&number| number > 0.0));
        numbers.collect()
    };
    let (iterations, times) = (numbers("iters")?, numbers("times")?);
    let is_whole = !times.is_empty() && iterations.len() == times.len();
    let each = times.iter().zip(&iterations).map(|(time, iterations)| time / iterations);
    is_whole.then(|| median(&each.collect::<Vec<f64>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = r#"{"full_id":"search/6-6-3","throughput":{"Elements":737443}}"#;

    fn read(sample: &str, about: &str) -> Result<Turn, TurnError> {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("sample.json"), sample).unwrap();
        fs::write(directory.path().join("benchmark.json"), about).unwrap();
        Turn::read(directory.path())
    }

    #[test]
    fn the_time_is_the_median_of_what_an_iteration_took() {
        let turn = read(r#"{"sampling_mode":"Linear","iters":[1.0,2.0,3.0],"times":[10.0,80.0,60.0]}"#, ABOUT).unwrap();
        assert_eq!(turn, Turn { nanoseconds: 20.0, throughput: Some(r#"{"Elements":737443}"#.into()) });
    }

    #[test]
    fn a_benchmark_need_not_say_how_much_it_does() {
        let turn = read(r#"{"iters":[1.0],"times":[10.0]}"#, r#"{"throughput":null}"#).unwrap();
        assert_eq!(turn.throughput, None);
    }

    #[test]
    fn samples_that_are_not_such_are_refused() {
        let damaged = [
            r#"{"iters":[1.0,2.0],"times":[10.0]}"#,
            r#"{"iters":[],"times":[]}"#,
            r#"{"iters":[0.0],"times":[10.0]}"#,
            r#"{"iters":[1.0],"times":[-10.0]}"#,
            r#"{"iters":["1"],"times":[10.0]}"#,
            r#"{"iters":[1.0],"times":null}"#,
            r#"{"iters":[1.0]}"#,
            "[]",
            "7",
        ];
        for sample in damaged {
            assert!(matches!(read(sample, ABOUT), Err(TurnError::Samples(_))), "{sample}");
        }
    }

    #[test]
    fn files_cut_short_anywhere_are_refused() {
        let sample = r#"{"iters":[1.0,2.0],"times":[10.0,20.0]}"#;
        for len in 0..sample.len() {
            assert!(matches!(read(&sample[..len], ABOUT), Err(TurnError::Json { .. })), "{len} bytes");
        }
        for len in 0..ABOUT.len() {
            assert!(matches!(read(sample, &ABOUT[..len]), Err(TurnError::Json { .. })), "{len} bytes");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let error = Turn::read(directory.path()).unwrap_err().to_string();
        assert!(error.contains("sample.json"), "{error}");
    }
}
