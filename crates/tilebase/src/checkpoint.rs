//! Checkpoints: the progress of a long search in a file, so that a later search resumes it.
//!
//! A file has two lines: the progress as JSON, and the hash of that line. It names the search that it belongs to (board, goal,
//! metric, tables with their hashes, algorithm, version of the units), because the numbers of units mean something else in any other
//! search. Files are replaced as a whole, so that a whole file exists at any moment, however the program ends.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tilebase_format::{Draft, hash_text, open_file};
use tilebase_puzzle::{Board, Direction, Metric, quoted};
use tilebase_solve::{BoundDone, Checkpoint, CutBound, Keep, KeptSolution, UNITS_VERSION};

use crate::solver::Solver;

/// Finished units are written down when the last time was so long ago.
const BETWEEN_WRITES: Duration = Duration::from_secs(2);

/// The most bytes of a file: more than any has.
const MOST_BYTES: u64 = 1 << 24;

/// The first key of a file, whose value is the version of the format.
///
/// | version | written by | difference |
/// |---|---|---|
/// | 1 | tilebase 0.2 before it had checkpoints in `mtm` | no `metric`: single tiles |
/// | 2 | this program | |
const FORMAT: &str = "tilebase_checkpoint";
const VERSION: u64 = 2;

/// The oldest version that can be resumed.
const OLDEST: u64 = 1;

/// A search that is kept in a file, for [`Request::keep`](tilebase_solve::Request::keep).
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// Which search it is.
    search: Map<String, Value>,
    begun: Instant,
    /// What the searches before this one had done, and the time they took.
    before: (Checkpoint, Duration),
    /// What is done now.
    now: Mutex<Checkpoint>,
    /// When the file was last written. Locked while it is being written, which may take as long as the disk likes: a thread that only looks
    /// must not wait for that.
    last: Mutex<Option<Instant>>,
    error: Mutex<Option<io::Error>>,
}

impl CheckpointFile {
    /// The file of a search for a board by a solver: what is in it, if it is there.
    ///
    /// # Errors
    /// [`CheckpointError`] when it cannot be read, is damaged, or belongs to another search.
    pub fn open(path: &Path, solver: &Solver, board: &Board) -> Result<CheckpointFile, CheckpointError> {
        let search = identity(solver, board);
        let refused = |why| CheckpointError::Refused(path.to_owned(), why);
        // Opening a pipe would wait until another program writes to it.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(refused(Refused::NotAFile));
        }
        let before = match read(path).map_err(|error| CheckpointError::Io(path.to_owned(), error))? {
            None => (Checkpoint::default(), Duration::ZERO),
            Some(text) => parse(&text, &search).map_err(refused)?,
        };
        let file = CheckpointFile {
            path: path.to_owned(),
            search,
            begun: Instant::now(),
            now: Mutex::new(before.0.clone()),
            before,
            last: Mutex::default(),
            error: Mutex::default(),
        };
        // Hours later would be late to learn that nothing can be written there.
        file.write(&file.before.0).map_err(|error| CheckpointError::Io(path.to_owned(), error))?;
        Ok(file)
    }

    /// What the searches before this one had done.
    pub fn before(&self) -> &Checkpoint {
        &self.before.0
    }

    /// What is done now.
    pub fn now(&self) -> Checkpoint {
        locked(&self.now).clone()
    }

    /// The time that they took.
    pub fn time_before(&self) -> Duration {
        self.before.1
    }

    /// Why the file could not be written the last time, if so; told once.
    pub fn take_error(&self) -> Option<io::Error> {
        locked(&self.error).take()
    }

    fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let mut object =
            Map::from_iter([(FORMAT.to_owned(), json!(VERSION)), ("search".to_owned(), json!(self.search))]);
        object.insert("seconds".to_owned(), json!((self.before.1 + self.begun.elapsed()).as_secs_f64()));
        object.insert("bounds".to_owned(), checkpoint.bounds.iter().map(bound_json).collect());
        object.insert("cut".to_owned(), checkpoint.cut.as_ref().map_or(Value::Null, cut_json));
        let line = Value::Object(object).to_string();
        let mut draft = Draft::new(self.path.clone())?;
        writeln!(draft, "{line}\n{}", hash_text(line.as_bytes()))?;
        draft.seal().map(drop)
    }
}

impl Keep for CheckpointFile {
    /// What is done now: a search that has its tables copied begins twice.
    fn begin(&self) -> Checkpoint {
        self.now()
    }

    fn keep(&self, checkpoint: &Checkpoint, is_final: bool) {
        locked(&self.now).clone_from(checkpoint);
        let mut last = match self.last.try_lock() {
            Ok(last) => last,
            Err(TryLockError::Poisoned(last)) => last.into_inner(),
            // Another thread is writing; what is done now is written the next time.
            Err(TryLockError::WouldBlock) if !is_final => return,
            Err(TryLockError::WouldBlock) => locked(&self.last),
        };
        if is_final || last.is_none_or(|last| last.elapsed() >= BETWEEN_WRITES) {
            let written = self.write(&self.now());
            *locked(&self.error) = written.err();
            *last = Some(Instant::now());
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What makes a search this one and no other.
fn identity(solver: &Solver, board: &Board) -> Map<String, Value> {
    let tables: Vec<Value> = solver.tables().iter().map(|table| json!(table.header().hash_text())).collect();
    let pairs = [
        ("board", json!(board.to_string())),
        ("goal", json!(solver.frame().goal().to_string())),
        ("bounds", json!(solver.name())),
        ("tables", json!(tables)),
        ("algorithm", json!(format!("{:?}", solver.search))),
        // It tells views apart.
        ("first_bound", json!(solver.bound_of(board).ok())),
        ("automaton", json!(solver.opened.compiled.automaton_depths())),
        ("metric", json!(solver.metric().to_string())),
        ("units", json!(UNITS_VERSION)),
    ];
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The text of a file, if it is there.
fn read(path: &Path) -> io::Result<Option<String>> {
    let file = match open_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn parse(text: &str, search: &Map<String, Value>) -> Result<(Checkpoint, Duration), Refused> {
    if !text.starts_with(&format!("{{\"{FORMAT}\":")) {
        return Err(Refused::NotOne);
    }
    let (line, hash) = text.split_once('\n').ok_or(Refused::Damaged)?;
    if hash.trim_end() != hash_text(line.as_bytes()) {
        return Err(Refused::Damaged);
    }
    let object: Value = serde_json::from_str(line).map_err(|_| Refused::Damaged)?;
    let version = object[FORMAT].as_u64().filter(|version| (OLDEST..=VERSION).contains(version));
    let version = version.ok_or_else(|| Refused::Version(object[FORMAT].to_string()))?;
    let single_tiles = json!(Metric::default().to_string());
    for (key, expected) in search {
        let is_implied = version == OLDEST && key == "metric";
        let found = if is_implied { &single_tiles } else { &object["search"][key] };
        if found != expected {
            return Err(Refused::Other { what: key.clone(), expected: short(expected), found: short(found) });
        }
    }
    whole(&object).ok_or(Refused::Damaged)
}

fn short(value: &Value) -> String {
    quoted(value.as_str().unwrap_or(&value.to_string()))
}

fn whole(object: &Value) -> Option<(Checkpoint, Duration)> {
    let seconds = object["seconds"].as_f64()?;
    let bounds = object["bounds"].as_array()?.iter().map(bound_from).collect::<Option<Vec<_>>>()?;
    let cut = if object["cut"].is_null() { None } else { Some(cut_from(&object["cut"])?) };
    Some((Checkpoint { bounds, cut }, Duration::try_from_secs_f64(seconds).ok()?))
}

fn bound_json(done: &BoundDone) -> Value {
    json!({ "bound": done.bound, "next": done.next, "generated": done.generated, "expanded": done.expanded })
}

fn bound_from(value: &Value) -> Option<BoundDone> {
    Some(BoundDone {
        bound: number(value, "bound")?,
        next: number(value, "next")?,
        generated: value["generated"].as_u64()?,
        expanded: value["expanded"].as_u64()?,
    })
}

fn number(value: &Value, key: &str) -> Option<u32> {
    value[key].as_u64()?.try_into().ok()
}

/// Units that are done are written as hexadecimal digits, four units each, the first of them being the lowest bit.
fn cut_json(cut: &CutBound) -> Value {
    let digit = |units: &[bool]| units.iter().rev().fold(0, |digit, &done| digit << 1 | u32::from(done));
    let digits = cut.done.chunks(4).filter_map(|units| char::from_digit(digit(units), 16));
    let moves = |kept: &KeptSolution| kept.moves.iter().map(|&way| letter(way)).collect::<String>();
    let solution = cut.solution.as_ref().map(|kept| json!({ "moves": moves(kept), "generated": kept.generated }));
    json!({
        "bound": cut.bound, "units": cut.done.len(), "done": digits.collect::<String>(), "generated": cut.generated,
        "expanded": cut.expanded, "next": cut.next, "solution": solution,
    })
}

fn cut_from(value: &Value) -> Option<CutBound> {
    let units: usize = value["units"].as_u64()?.try_into().ok()?;
    let digits: Option<Vec<u32>> = value["done"].as_str()?.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() == units.div_ceil(4))?;
    let solution = match &value["solution"] {
        Value::Null => None,
        kept => Some(KeptSolution {
            moves: kept["moves"].as_str()?.chars().map(way).collect::<Option<Vec<_>>>()?,
            generated: kept["generated"].as_u64()?,
        }),
    };
    Some(CutBound {
        bound: number(value, "bound")?,
        done: (0..units).map(|unit| digits[unit / 4] >> (unit % 4) & 1 == 1).collect(),
        generated: value["generated"].as_u64()?,
        expanded: value["expanded"].as_u64()?,
        next: if value["next"].is_null() { None } else { Some(number(value, "next")?) },
        solution,
    })
}

const LETTERS: [char; 4] = ['u', 'l', 'r', 'd'];

fn letter(way: Direction) -> char {
    LETTERS[way as usize]
}

fn way(letter: char) -> Option<Direction> {
    LETTERS.iter().position(|&known| known == letter).map(|number| Direction::ALL[number])
}

/// A checkpoint that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("the checkpoint {path} cannot be used: {1}", path = .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file is damaged, or not of this search.
    #[error("{path}: {1}", path = .0.display())]
    Refused(PathBuf, #[source] Refused),
}

/// Why a file was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// It is something else.
    #[error("this is no checkpoint of a search: name another file, which is made if it is not there")]
    NotOne,
    /// It is a directory, a pipe or a device.
    #[error("a checkpoint is an ordinary file, and this is none: name another file, which is made if it is not there")]
    NotAFile,
    /// What it says is not what was written.
    #[error("the checkpoint is damaged: remove it to begin the search anew")]
    Damaged,
    /// It was written by another version of the program.
    #[error(
        "the checkpoint has the format {0}, but this program knows {OLDEST} to {VERSION}: finish it with the program that wrote it, or \
         remove it to start again"
    )]
    Version(String),
    /// It belongs to another search.
    #[error(
        "the checkpoint is of another search: its {what} is {found}, but here it is {expected}; name another file, or remove this \
         one to begin anew"
    )]
    Other {
        /// What differs.
        what: String,
        /// What it is here.
        expected: String,
        /// What the file says.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(units: usize) -> CutBound {
        CutBound {
            bound: 81,
            done: (0..units).map(|unit| unit % 3 == 0).collect(),
            generated: 12_345_678_901,
            expanded: 5_000_000_000,
            next: units.is_multiple_of(2).then_some(83),
            solution: units.is_multiple_of(5).then(|| KeptSolution {
                moves: vec![Direction::Up, Direction::Left, Direction::Down, Direction::Right],
                generated: 77,
            }),
        }
    }

    #[test]
    fn only_an_ordinary_file_can_be_a_checkpoint() {
        let directory = tempfile::tempdir().unwrap();
        let goal = tilebase_puzzle::Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
        let solver = Solver::builder(&goal).tables(crate::Tables::Named("manhattan")).open().unwrap();
        let mut others = vec![directory.path().to_owned()];
        if cfg!(unix) {
            others.push("/dev/null".into());
            // Whoever opens a pipe for reading waits until it is opened for writing.
            let pipe = directory.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            others.push(pipe);
        }
        for other in others {
            let (told, heard) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                scope.spawn(|| told.send(CheckpointFile::open(&other, &solver, &goal).map(drop)));
                let refused = heard.recv_timeout(Duration::from_secs(60));
                if refused.is_err() {
                    // Ends the thread that waits, so that the test fails instead of waiting as well.
                    drop(std::fs::OpenOptions::new().write(true).open(&other));
                }
                let refused = refused.expect("it does not wait").unwrap_err();
                assert!(matches!(&refused, CheckpointError::Refused(path, Refused::NotAFile) if *path == other));
            });
        }
    }

    #[test]
    fn looking_at_a_checkpoint_does_not_wait_until_it_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let goal = tilebase_puzzle::Goal::BlankLast.board("3x3".parse().unwrap()).unwrap();
        let solver = Solver::builder(&goal).tables(crate::Tables::Named("manhattan")).open().unwrap();
        let file = CheckpointFile::open(&directory.path().join("kept"), &solver, &goal).unwrap();
        // As by a thread whose disk takes its time.
        let writing = file.last.lock().unwrap();
        let done = Checkpoint { bounds: vec![BoundDone { bound: 3, next: 5, generated: 7, expanded: 2 }], cut: None };
        file.keep(&done, false);
        assert_eq!(file.now(), done);
        assert!(file.take_error().is_none());
        drop(writing);
        file.keep(&done, true);
        assert_eq!(CheckpointFile::open(&directory.path().join("kept"), &solver, &goal).unwrap().before(), &done);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for units in [0, 1, 3, 4, 5, 8, 63, 64, 65, 1000] {
            assert_eq!(cut_from(&cut_json(&cut(units))), Some(cut(units)), "{units} units");
        }
        let done = BoundDone { bound: 79, next: 81, generated: u64::MAX, expanded: 7 };
        assert_eq!(bound_from(&bound_json(&done)), Some(done));
        assert_eq!(Direction::ALL.map(|direction| way(letter(direction))), Direction::ALL.map(Some));
        assert_eq!(way('x'), None);
    }

    /// Written by `tilebase solve --checkpoint` of version 0.2, stopped in the units of its last bound.
    const OF_0_2: &str = include_str!("../tests/data/checkpoint-0.2");

    #[test]
    fn a_checkpoint_of_0_2_resumes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kept");
        std::fs::write(&path, OF_0_2).unwrap();
        let board: Board = "15 1 3 12 / 4 0 6 5 / 2 8 14 9 / 13 10 7 11".parse().unwrap();
        let goal = tilebase_puzzle::Goal::BlankFirst.board(board.size()).unwrap();
        let solver = Solver::builder(&goal).tables(crate::Tables::None).open().unwrap();
        let file = CheckpointFile::open(&path, &solver, &board).unwrap();
        let cut = file.before().cut.clone().unwrap();
        assert_eq!((cut.bound, cut.done.len(), cut.units_done()), (52, 174, 4));
        let answer = solver.search(&board, &crate::Request::default().keep(&file)).unwrap().solved().unwrap();
        // As many as in a search at once.
        assert_eq!((answer.length, answer.effort.generated_complete), (52, 34_846_252));
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("{\"tilebase_checkpoint\":2,"));
    }

    #[test]
    fn a_checkpoint_of_another_metric_or_of_an_unknown_version_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kept");
        let board: Board = "15 1 3 12 / 4 0 6 5 / 2 8 14 9 / 13 10 7 11".parse().unwrap();
        let goal = tilebase_puzzle::Goal::BlankFirst.board(board.size()).unwrap();
        let open = |metric, text: &str| {
            std::fs::write(&path, text).unwrap();
            let solver = Solver::builder(&goal).metric(metric).tables(crate::Tables::None).open().unwrap();
            match CheckpointFile::open(&path, &solver, &board).unwrap_err() {
                CheckpointError::Refused(_, why) => why,
                CheckpointError::Io(_, error) => panic!("{error}"),
            }
        };
        assert!(matches!(open(Metric::Mtm, OF_0_2), Refused::Other { .. }));
        let line =
            OF_0_2.lines().next().unwrap().replacen("\"tilebase_checkpoint\":1,", "\"tilebase_checkpoint\":3,", 1);
        let refused = open(Metric::Stm, &format!("{line}\n{}\n", hash_text(line.as_bytes())));
        assert_eq!(refused, Refused::Version("3".to_owned()));
        assert!(refused.to_string().contains("finish it with the program that wrote it"), "{refused}");
    }
}
