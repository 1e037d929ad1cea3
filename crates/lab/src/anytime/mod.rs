//! How soon a good solution is there: length over the shortest, and the gap, against time.
//!
//! Korf & Felner's fifty boards of the 24-puzzle and Korf's hundred of the 15-puzzle are solved by [`Solver::improve`], and by weighted
//! A\* and IDA\* at some weights. Each search of a board is a line in a [file](measured), so that a lab that was interrupted goes on
//! where it was.

mod measured;
mod page;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tilebase::puzzle::known::{KnownBoard, korf15, korf24};
use tilebase::puzzle::{Goal, Random};
use tilebase::solve::{Astar, Ida, Limit, Limits, Outcome, Request, Search, Weight};
use tilebase::{Solver, SolverBuilder, TableSource, Tables, Watch};

use self::measured::{Measured, Measurements, Moment};
use crate::error::LabError;
use crate::table::Table;

/// Where results and page are, in the lab's directory. The quick lab has a directory of its own.
const DIRECTORY: &str = "anytime";
const QUICK_DIRECTORY: &str = "anytime-quick";

/// How many boards of each kind the quick lab has, and how far they are from the goal.
const QUICK_BOARDS: usize = 3;
const QUICK_MOVES: usize = 60;

/// What the search by better and better solutions is called.
const ANYTIME: &str = "anytime";

const WEIGHTS: [&str; 4] = ["2", "1.5", "1.3", "1.2"];

/// What the lab is given.
#[derive(Clone)]
#[non_exhaustive]
pub struct AnytimeOptions<'a> {
    /// Where results and pages go: into a directory of it.
    pub out: PathBuf,
    /// A few boards near to the goal, and little time for each.
    pub quick: bool,
    /// The tables of the 24-puzzle; the strongest that fit when nothing is said.
    pub tables: Option<String>,
    /// Threads that work on a board.
    pub threads: NonZeroUsize,
    /// Where tables come from.
    pub source: &'a TableSource,
}

impl<'a> AnytimeOptions<'a> {
    /// On one thread, by the strongest tables of a source.
    pub fn new(out: PathBuf, source: &'a TableSource) -> AnytimeOptions<'a> {
        AnytimeOptions { out, quick: false, tables: None, threads: NonZeroUsize::MIN, source }
    }
}

/// A search of a board that is to be made.
#[derive(Clone, Debug)]
pub struct Task {
    boards: &'static str,
    board: KnownBoard,
    /// The weight, and whether it is for A\*, of a weighted search.
    weighted: Option<(bool, Weight)>,
    limit: Duration,
}

impl Task {
    fn is_24(&self) -> bool {
        self.board.board.size().count() > 16
    }

    fn search_name(&self) -> String {
        match self.weighted {
            None => ANYTIME.to_owned(),
            Some((true, weight)) => format!("weighted A*, W = {weight}"),
            Some((false, weight)) => format!("weighted IDA*, W = {weight}"),
        }
    }
}

/// The lab of better and better solutions: finds out what is to be done, does it, and writes the page.
pub struct Anytime<'a> {
    options: AnytimeOptions<'a>,
    directory: PathBuf,
    tasks: Vec<Task>,
    measured: Measurements,
}

impl<'a> Anytime<'a> {
    /// Reads what has been measured. The directory is made if it is not there.
    pub fn open(options: AnytimeOptions<'a>) -> Result<Anytime<'a>, LabError> {
        let directory = options.out.join(if options.quick { QUICK_DIRECTORY } else { DIRECTORY });
        std::fs::create_dir_all(&directory).map_err(LabError::file(&directory))?;
        let measured = Measurements::open(&directory.join("results.tsv"))?;
        Ok(Anytime { tasks: tasks(options.quick), options, directory, measured })
    }

    /// The searches that are still to be made.
    pub fn left(&self) -> Vec<Task> {
        let is_left = |task: &&Task| {
            let name = task.search_name();
            let tables = self.options.tables.as_ref().filter(|_| task.is_24());
            let is_it = |done: &Measured| {
                (&*done.boards, done.board, &done.search) == (task.boards, task.board.id, &name)
                    && tables.is_none_or(|tables| *tables == done.tables)
            };
            !self.measured.all().iter().any(is_it)
        };
        self.tasks.iter().filter(is_left).cloned().collect()
    }

    /// The most time that some searches can take.
    pub fn time_for(tasks: &[Task]) -> Duration {
        tasks.iter().map(|task| task.limit).sum()
    }

    /// Opens the solver for a search. `open` is given its options.
    pub fn solver<'b, E>(
        &'b self,
        task: &Task,
        open: impl FnOnce(SolverBuilder<'b>) -> Result<Solver, E>,
    ) -> Result<Solver, E> {
        let tables = self.options.tables.as_deref().filter(|_| task.is_24()).map_or(Tables::Auto, Tables::Named);
        let search = match task.weighted {
            Some((true, _)) => Search::Astar(Astar),
            Some((false, _)) => Search::Ida(Ida::PLAIN),
            None => Search::default(),
        };
        let goal = Goal::BlankFirst.board(task.board.board.size()).expect("it has this goal");
        open(Solver::builder(&goal).tables(tables).search(search).source(self.options.source))
    }

    /// Makes a search, begun when its tables began to be opened, and keeps what came of it. Returns whether it was told to stop.
    pub fn measure(
        &mut self,
        task: &Task,
        solver: &Solver,
        began: Instant,
        watch: Watch<'_>,
    ) -> Result<ControlFlow<()>, LabError> {
        let id = task.board.id;
        let with_others = |done: &&Measured| {
            let is_anytime = task.weighted.is_none() && done.search == ANYTIME;
            let other_threads = is_anytime && done.threads != self.options.threads.get();
            done.boards == task.boards && (done.tables != solver.name() || other_threads)
        };
        if let Some(Measured { tables, threads, .. }) = self.measured.all().iter().find(with_others) {
            let why = format!(
                "results.tsv has searches with {tables} and {threads} threads, which must not be mixed with others: go on with these, or \
                 choose another directory with --out"
            );
            return Err(LabError::Search(format!("board {id}"), why.into()));
        }
        let failed = |error: tilebase::SolveError| LabError::Search(format!("board {id}"), error.into());
        let limits = Limits::default().time(task.limit.saturating_sub(began.elapsed()));
        let request = Request::default().limits(limits).watch(watch);
        let moments: Mutex<Vec<Moment>> = Mutex::default();
        let note = |length: u32, at_least: u32| {
            let moment = Moment { seconds: began.elapsed().as_secs_f64(), length, at_least };
            moments.lock().expect("nobody panics with it").push(moment);
        };
        let (limit, threads) = match task.weighted {
            None => {
                let told = |best: &tilebase::Best| {
                    best.length().into_iter().for_each(|length| note(length, best.at_least));
                    ControlFlow::Continue(())
                };
                let request = request.threads(self.options.threads);
                (solver.improve(&task.board.board, &request, &told).map_err(failed)?.limit, self.options.threads.get())
            }
            Some((_, weight)) => match solver.search(&task.board.board, &request.weight(weight)).map_err(failed)? {
                Outcome::Solved(found) => {
                    note(found.length, solver.bound_of(&task.board.board).map_err(failed)?);
                    (None, 1)
                }
                Outcome::Limited(limited) => (Some(limited.limit), 1),
            },
        };
        if limit == Some(Limit::Cancelled) {
            return Ok(ControlFlow::Break(()));
        }
        let moments = moments.into_inner().expect("nobody panicked with it");
        if let Some(wrong) = moments.iter().find(|moment| moment.length < task.board.length) {
            return Err(LabError::Length { id, expected: task.board.length, found: wrong.length });
        }
        self.measured.add(Measured {
            boards: task.boards.to_owned(),
            board: id,
            shortest: task.board.length,
            search: task.search_name(),
            tables: solver.name().to_owned(),
            threads,
            limit: task.limit.as_secs_f64(),
            seconds: began.elapsed().as_secs_f64(),
            moments,
        })?;
        Ok(ControlFlow::Continue(()))
    }

    /// What is known after some times, for each kind of boards.
    pub fn tables(&self) -> Vec<Table> {
        page::tables(self.measured.all())
    }

    /// Writes the page and its plots. Returns where the page is.
    pub fn write(&self) -> Result<PathBuf, LabError> {
        page::write(self.measured.all(), self.options.quick, &self.directory)
    }
}

/// All searches, board by board.
fn tasks(quick: bool) -> Vec<Task> {
    let milliseconds = |full: u64, quickly: u64| Duration::from_millis(if quick { quickly } else { full });
    let weighted = WEIGHTS.map(|weight| Some(weight.parse().expect("it is a weight")));
    let searches: Vec<Option<(bool, Weight)>> = [None]
        .into_iter()
        .chain([true, false].into_iter().flat_map(|astar| weighted.map(|weight| Some((astar, weight?)))))
        .collect();
    let mut tasks = Vec::new();
    for (boards, all) in [("korf15", korf15()), ("korf24", korf24())] {
        let boards_of = |mut known: KnownBoard| {
            if quick {
                let goal = Goal::BlankFirst.board(known.board.size()).expect("it has this goal");
                known.board = Random::new(known.id.into()).walk(&goal, QUICK_MOVES);
                // Not known, and nothing is shorter.
                known.length = 0;
            }
            known
        };
        let some = if quick { QUICK_BOARDS } else { all.len() };
        for board in all.into_iter().take(some).map(boards_of) {
            for &weighted in &searches {
                let limit = if weighted.is_none() { milliseconds(10_000, 300) } else { milliseconds(2000, 100) };
                tasks.push(Task { boards, board, weighted, limit });
            }
        }
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase::lookup::Store;
    use tilebase::{Event, unwatched};

    #[test]
    fn what_was_measured_is_not_measured_again_and_makes_a_page() {
        let directory = tempfile::tempdir().unwrap();
        let source = TableSource::new(Store::compiled_in());
        let mut options = AnytimeOptions::new(directory.path().to_owned(), &source);
        options.quick = true;
        options.tables = Some("linear-conflict".to_owned());
        let mut lab = Anytime::open(options.clone()).unwrap();
        let left = lab.left();
        assert_eq!(left.len(), 2 * QUICK_BOARDS * (1 + 2 * WEIGHTS.len()));
        for (number, task) in left.iter().enumerate() {
            let began = Instant::now();
            let solver = lab.solver(task, SolverBuilder::open).unwrap();
            if number == 5 {
                let stop = |_: &Event<'_>| ControlFlow::Break(());
                // A search that ends before it is asked whether to go on is not stopped.
                let stopped = lab.measure(&left[0], &solver, began, &stop).unwrap();
                assert!(stopped.is_break() || lab.measured.all().len() == number + 1);
            }
            assert!(lab.measure(task, &solver, began, &unwatched).unwrap().is_continue());
        }
        let again = Anytime::open(options).unwrap();
        assert_eq!(again.left().len(), 0);
        let page = again.write().unwrap();
        assert!(page.ends_with("anytime-quick/README.md"));
        let text = std::fs::read_to_string(page).unwrap();
        assert!(text.contains("weighted A\\*, W = 1.5") && text.contains("| 0.1 s |"), "{text}");
        assert!(directory.path().join("anytime-quick/korf24-length.svg").exists());
    }
}
