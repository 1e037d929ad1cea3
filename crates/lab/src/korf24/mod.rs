//! Korf & Felner's fifty boards of the 24-puzzle, beside what others needed for them.
//!
//! A board takes from a second to hours. Each that is finished is a line in a [file](finished), so that runs on several days add up, and
//! the page is written anew from all of them.

mod finished;
mod page;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tilebase::puzzle::known::{KnownBoard, OthersNodes, korf24, korf24_of_others};
use tilebase::puzzle::{Goal, Random, Size};
use tilebase::solve::{Effort, Outcome, Request};
use tilebase::{Board, CheckpointFile, Event, Solver, SolverBuilder, TableSource, Tables, Watch};

pub use self::finished::Finished;
use self::finished::FinishedBoards;
use crate::error::LabError;
use crate::table::Table;

/// Where results and page are, in the lab's directory.
const DIRECTORY: &str = "korf24";

/// The quick lab has a directory of its own: its boards are not those of the paper.
const QUICK_DIRECTORY: &str = "korf24-quick";

/// How many boards the quick lab has, and how many random moves they are from the goal.
const QUICK_BOARDS: usize = 3;
const QUICK_MOVES: usize = 60;

/// What the lab of the 24-puzzle is given.
#[derive(Clone)]
#[non_exhaustive]
pub struct Korf24Options<'a> {
    /// Where results and pages go: into a directory of it.
    pub out: PathBuf,
    /// The numbers of the boards to be solved; all when there are none.
    pub boards: Vec<u32>,
    /// A few boards that are near to the goal, to see that everything works.
    pub quick: bool,
    /// The tables to be used; the strongest that fit when nothing is said.
    pub tables: Option<String>,
    /// Threads that work on a board.
    pub threads: std::num::NonZeroUsize,
    /// Where tables come from.
    pub source: &'a TableSource,
    /// Whether the last iteration is searched to its end.
    pub finish_bound: bool,
    /// How long all threads of the process have run, if the system tells.
    pub cpu_seconds: fn() -> Option<f64>,
}

impl<'a> Korf24Options<'a> {
    /// All boards, on one thread, by the strongest tables of a source.
    pub fn new(out: PathBuf, source: &'a TableSource) -> Korf24Options<'a> {
        let threads = std::num::NonZeroUsize::MIN;
        Korf24Options {
            out,
            boards: Vec::new(),
            quick: false,
            tables: None,
            threads,
            source,
            finish_bound: false,
            cpu_seconds: || None,
        }
    }
}

/// A board to be solved.
#[derive(Clone, Copy, Debug)]
struct Task {
    id: u32,
    board: Board,
    /// Moves of a shortest solution, if they have been published.
    length: Option<u32>,
    others: OthersNodes,
}

/// The lab of the 24-puzzle: finds out what is to be done, does it board by board, and writes the page.
pub struct Korf24<'a> {
    options: Korf24Options<'a>,
    directory: PathBuf,
    /// The easiest first.
    tasks: Vec<Task>,
    finished: FinishedBoards,
}

impl<'a> Korf24<'a> {
    /// Reads what has been finished. The directory is made if it is not there.
    pub fn open(options: Korf24Options<'a>) -> Result<Korf24<'a>, LabError> {
        let directory = options.out.join(if options.quick { QUICK_DIRECTORY } else { DIRECTORY });
        std::fs::create_dir_all(&directory).map_err(LabError::file(&directory))?;
        let finished = FinishedBoards::open(&directory.join("results.tsv"))?;
        Ok(Korf24 { tasks: tasks(options.quick), options, directory, finished })
    }

    /// Opens the solver for all boards: by the tables that were asked for, or the strongest that fit. `open` is given its options.
    pub fn solver<'b, E>(&'b self, open: impl FnOnce(SolverBuilder<'b>) -> Result<Solver, E>) -> Result<Solver, E> {
        let tables = self.options.tables.as_deref().map_or(Tables::Auto, Tables::Named);
        open(Solver::builder(&goal()).tables(tables).source(self.options.source))
    }

    /// The numbers of the boards that are to be solved with a solver's tables, the easiest first.
    pub fn left(&self, solver: &Solver) -> Vec<u32> {
        let is_wanted = |id: u32| self.options.boards.is_empty() || self.options.boards.contains(&id);
        let is_left = |id: u32| !self.finished.has(id, solver.name(), self.options.finish_bound);
        self.tasks.iter().map(|task| task.id).filter(|&id| is_wanted(id) && is_left(id)).collect()
    }

    /// Boards that have been solved, with any tables.
    pub fn solved(&self) -> usize {
        self.tasks.iter().filter(|task| self.finished.best(task.id).is_some()).count()
    }

    /// Boards that there are.
    pub fn boards(&self) -> usize {
        self.tasks.len()
    }

    /// Solves a board and keeps what came of it. `None` when it was told to stop.
    pub fn solve(&mut self, id: u32, solver: &Solver, watch: Watch<'_>) -> Result<Option<Finished>, LabError> {
        let task = self.tasks.iter().find(|task| task.id == id).copied();
        let task = task.ok_or_else(|| LabError::Search(format!("board {id}"), "there is no such board".into()))?;
        let failed = |error: tilebase::SolveError| LabError::Search(format!("board {id}"), error.into());
        // At once, so that no search is stopped for it.
        solver.copy_tables(watch).map_err(failed)?;
        let path = self.directory.join(format!("board-{}.{}.ckpt", task.id, file_name(solver.name())));
        let Some(finished) = self.search(&task, solver, &path, watch)? else { return Ok(None) };
        if let Some(expected) = task.length.filter(|&expected| expected != finished.length) {
            return Err(LabError::Length { id, expected, found: finished.length });
        }
        self.finished.add(finished.clone())?;
        // What is in the results need not be kept.
        std::fs::remove_file(&path).map_err(LabError::file(&path))?;
        Ok(Some(finished))
    }

    /// Searches for a board, going on from what was done before, which is kept in a file. Ends when that cannot be written: hours
    /// later it would be late to learn it.
    fn search(
        &self,
        task: &Task,
        solver: &Solver,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Option<Finished>, LabError> {
        let failed =
            |why: Box<dyn std::error::Error + Send + Sync>| LabError::Search(format!("board {}", task.id), why);
        let kept = CheckpointFile::open(path, solver, &task.board).map_err(|error| failed(error.into()))?;
        let cpu_before = (self.options.cpu_seconds)();
        let not_kept: Mutex<Option<io::Error>> = Mutex::default();
        let watch = |event: &Event<'_>| match kept.take_error() {
            Some(error) => {
                *not_kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
            None => watch(event),
        };
        let request = Request::default().threads(self.options.threads).watch(&watch);
        let request = request.finish_bound(self.options.finish_bound).keep(&kept);
        let found = match solver.search(&task.board, &request).map_err(|error| failed(error.into()))? {
            Outcome::Solved(found) => found,
            Outcome::Limited(_) => {
                let error = not_kept.into_inner().unwrap_or_else(PoisonError::into_inner);
                return error.map_or(Ok(None), |error| Err(LabError::file(path)(error)));
            }
        };
        let Effort { generated, generated_complete, generated_to_first, time, .. } = found.effort;
        // The root belongs to no bound.
        let is_finished = generated == generated_complete + 1;
        let cpu = cpu_before.zip((self.options.cpu_seconds)()).map(|(before, after)| after - before);
        let before = kept.time_before().as_secs_f64();
        let of_bounds_before = kept.now().generated_complete();
        let threads = self.options.threads.get();
        Ok(Some(Finished {
            board: task.id,
            length: found.length,
            nodes: if is_finished { generated_to_first } else { generated },
            complete_nodes: Some(of_bounds_before + 1),
            last_bound_nodes: is_finished.then(|| generated_complete - of_bounds_before),
            seconds: time.as_secs_f64() + before,
            cpu_seconds: cpu.map(|cpu| cpu + before * threads as f64),
            threads,
            tables: solver.name().to_owned(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        }))
    }

    /// The table of all boards.
    pub fn table(&self) -> Table {
        page::table(&self.tasks, &self.finished, self.options.quick)
    }

    /// Writes the page. Returns where it is.
    pub fn write(&self) -> Result<PathBuf, LabError> {
        let text = page::markdown(&self.tasks, &self.finished, self.options.quick);
        crate::report::save(&self.directory, "README.md", text.as_bytes())
    }

    /// How many boards are solved, what that took, and what the rest may take, in a sentence or two.
    pub fn summary(&self) -> String {
        page::summary(&self.tasks, &self.finished)
    }
}

/// The name of tables, without what file names cannot have.
fn file_name(tables: &str) -> String {
    tables
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "-+".contains(letter) { letter } else { '_' })
        .collect()
}

fn goal() -> Board {
    let size = Size::new(5, 5).expect("it is a size");
    Goal::BlankFirst.board(size).expect("it has this goal")
}

/// All boards, those with the fewest published nodes first.
fn tasks(quick: bool) -> Vec<Task> {
    let known = korf24().into_iter().zip(korf24_of_others());
    let task = |(known, others): (KnownBoard, OthersNodes)| Task {
        id: known.id,
        board: known.board,
        length: Some(known.length),
        others,
    };
    let mut tasks: Vec<Task> = known.map(task).collect();
    tasks.sort_by_key(|task| task.others.clausecker[1]);
    if quick {
        tasks.truncate(QUICK_BOARDS);
        for task in &mut tasks {
            task.board = Random::new(task.id.into()).walk(&goal(), QUICK_MOVES);
            task.length = None;
        }
    }
    tasks
}

#[cfg(test)]
mod tests {
    use tilebase::Limits;

    use super::*;
    use tilebase::lookup::Store;
    use tilebase::unwatched;

    #[test]
    fn boards_are_solved_once_with_each_set_of_tables_and_their_nodes_add_up() {
        let directory = tempfile::tempdir().unwrap();
        let source = TableSource::new(Store::compiled_in());
        let mut options = Korf24Options::new(directory.path().to_owned(), &source);
        options.quick = true;
        options.tables = Some("manhattan".to_owned());
        let mut lab = Korf24::open(options.clone()).unwrap();
        let solver = lab.solver(SolverBuilder::open).unwrap();
        let left = lab.left(&solver);
        assert_eq!(left.len(), QUICK_BOARDS);
        for &id in &left {
            let finished = lab.solve(id, &solver, &unwatched).unwrap().unwrap();
            let board = lab.tasks.iter().find(|task| task.id == id).unwrap().board;
            assert_eq!(finished.length, solver.solve(&board).unwrap().length);
            assert!(finished.complete_nodes.unwrap() <= finished.nodes, "{finished:?}");
            // Iteration by iteration, the same.
            let limits = Limits::default().length(finished.length - 1);
            let Outcome::Limited(limited) = solver.search(&board, &Request::default().limits(limits)).unwrap() else {
                panic!("there is no shorter solution");
            };
            assert_eq!(finished.complete_nodes, Some(limited.effort.generated));
        }
        assert_eq!((lab.left(&solver).len(), lab.solved()), (0, QUICK_BOARDS));
        options.tables = Some("linear-conflict".to_owned());
        options.boards = vec![left[1]];
        let again = Korf24::open(options).unwrap();
        let other = again.solver(SolverBuilder::open).unwrap();
        assert_eq!((again.left(&other), again.left(&solver)), (vec![left[1]], vec![]), "other tables, other searches");
    }

    #[test]
    fn a_board_that_is_stopped_is_not_finished() {
        let directory = tempfile::tempdir().unwrap();
        let source = TableSource::new(Store::compiled_in());
        let mut options = Korf24Options::new(directory.path().to_owned(), &source);
        options.tables = Some("manhattan".to_owned());
        let mut lab = Korf24::open(options).unwrap();
        let solver = lab.solver(SolverBuilder::open).unwrap();
        let stop = |_: &Event<'_>| std::ops::ControlFlow::Break(());
        assert_eq!(lab.solve(40, &solver, &stop).unwrap(), None);
        assert_eq!(lab.left(&solver).len(), 50);
        assert!(lab.write().unwrap().ends_with("korf24/README.md"));
    }

    #[test]
    fn the_easiest_boards_come_first() {
        let order: Vec<u32> = tasks(false).iter().map(|task| task.id).collect();
        assert_eq!(order.len(), 50);
        let nodes = |id: u32| korf24_of_others()[id as usize - 1].clausecker[1];
        assert!(order.windows(2).all(|pair| nodes(pair[0]) <= nodes(pair[1])));
    }
}
