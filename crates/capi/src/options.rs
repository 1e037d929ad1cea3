//! What a solver is opened with.

#![allow(unsafe_code, reason = "C gives pointers")]

use std::ffi::{c_char, c_int};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use tilebase::lookup::{Loading, Store, VerifiedFiles, directory_of_environment, user_directory};
use tilebase::progress::threads::on_pool;
use tilebase::puzzle::{GoalError, quoted};
use tilebase::{Event, Goal, TableSource, Tables};

use crate::board::size_if_given;
use crate::cancel::Cancellation;
use crate::failure::{Code, Failure};
use crate::pointers::{In, Text, WithSize};
use crate::registry;
use crate::solver::Solver;

/// What a solver is opened with. Begin with tilebase_default_options(): every member that is 0 or NULL means the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// sizeof(tilebase_options), which tilebase_default_options() puts here.
    pub struct_size: usize,
    /// Number of columns of the boards. When width and height are both 0 they are those of the goal, if it is a board, or else 4 and 4.
    pub width: u32,
    /// Number of rows of the boards.
    pub height: u32,
    /// The goal: "blank-last" (the default), "blank-first", "snail", or a board in any notation.
    pub goal: *const c_char,
    /// Where lower bounds come from: "auto" (the default), the strongest tables that are there and fit into memory; tables by name, such
    /// as "6-6-3" or "7-8"; heuristics by name, such as "walking-distance"; several with '+' between them; or "none".
    pub tables: *const c_char,
    /// A directory with tables, looked into before the others.
    pub table_directory: *const c_char,
    /// Not 0: only table_directory, if it is given, and the tables in the library itself are used, and no other file is touched.
    /// Otherwise tables are also looked for in the directory that the environment variable TILEBASE_TABLES names, and in the user's
    /// cache directory, where the command tilebase puts them.
    pub only_own_tables: c_int,
    /// Not 0: files of tables are mapped into memory instead of being read: ready at once, and shared with other processes. You promise that
    /// nothing changes these files in place or cuts one short while the solver lives; replacing a file by renaming another one is harmless.
    /// If a mapped file is cut short, the system kills the process with the signal SIGBUS, unless you have called
    /// tilebase_install_truncation_handler(). 0, the default, reads files into memory of the process: no change to a file can end it.
    pub map_tables: c_int,
    /// How many threads may work on one call. 0: one for each core.
    pub threads: u32,
    /// Bytes of memory that tables chosen by "auto", and searches of tilebase_improve(), may take. 0: what the machine has free.
    pub memory: u64,
    /// Lets another thread cancel the opening. NULL: nobody can.
    pub cancellation: *const Cancellation,
}

// SAFETY: it is `repr(C)`, its first member is a `usize`, and numbers and pointers may be 0.
unsafe impl WithSize for Options {
    const INITIALISER: &'static str = "tilebase_default_options";
}

/// Options that say nothing, as the header's inline function makes them.
impl Default for Options {
    fn default() -> Options {
        Options {
            struct_size: size_of::<Options>(),
            width: 0,
            height: 0,
            goal: std::ptr::null(),
            tables: std::ptr::null(),
            table_directory: std::ptr::null(),
            only_own_tables: 0,
            map_tables: 0,
            threads: 0,
            memory: 0,
            cancellation: std::ptr::null(),
        }
    }
}

impl Options {
    fn threads(&self) -> NonZeroUsize {
        /// More would only be in each other's way, and no system has as many cores.
        const MOST: NonZeroUsize = NonZeroUsize::new(1024).unwrap();
        match NonZeroUsize::new(self.threads as usize) {
            Some(threads) => threads.min(MOST),
            None => cores(),
        }
    }

    /// Where tables are found.
    fn store(&self, own: Option<PathBuf>) -> Store {
        let store = if self.only_own_tables == 0 {
            let own = own.or_else(directory_of_environment);
            let mut directories: Vec<PathBuf> = own.into_iter().chain(user_directory()).collect();
            directories.dedup();
            Store::new(directories).remembering(VerifiedFiles::of_user())
        } else {
            Store::new(own.into_iter().collect())
        };
        if self.map_tables == 0 {
            return store.with_loading(Loading::Copy);
        }
        let directories = store.directories().to_vec();
        // SAFETY: a program that sets `map_tables` promises it of these directories; the header says so.
        unsafe { store.allow_mapping(directories) }.with_loading(Loading::Map)
    }
}

impl In<Options> {
    /// Opens the solver that the options ask for.
    pub(crate) fn open(self) -> Result<Solver, Failure> {
        let options = self.read_sized()?.unwrap_or_default();
        // SAFETY: whoever made the `In` promised what the header says of the members, too.
        let (goal, tables, directory) = unsafe {
            let text = |pointer, name| Text::new(pointer, name);
            (
                text(options.goal, "options->goal"),
                text(options.tables, "options->tables"),
                text(options.table_directory, "options->table_directory"),
            )
        };
        let bad_goal = |error: GoalError| Failure::new(Code::BAD_GOAL, error);
        let size = size_if_given(options.width, options.height)?;
        let goal = Goal::parse(goal.read_if_there()?.unwrap_or("blank-last"), size).map_err(bad_goal)?;
        let goal = goal.board_of(size).map_err(bad_goal)?;
        let tables = tables.read_if_there()?.map_or(Tables::Auto, Tables::of);
        let store = options.store(directory.read_if_there()?.map(existing_directory).transpose()?);
        let memory = (options.memory != 0).then_some(options.memory);
        let threads = options.threads();
        let cancellation = registry::get_if_there(options.cancellation)?;
        let is_cancelled = || cancellation.as_ref().is_some_and(|cancellation| cancellation.is_cancelled());
        let watch = |_: &Event<'_>| if is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let source = TableSource::new(store).with_threads(threads.get()).fitting_into(memory);
        let builder = tilebase::Solver::builder(&goal).tables(tables).source(&source).watch(&watch);
        // What is there at once is opened without a look at the watch.
        // Files are verified on the threads of a pool. It is not the one of the whole process, which would stay.
        let open = || on_pool(threads.min(cores()).get(), || builder.open());
        let opened = if is_cancelled() { None } else { Some(open()) };
        match opened {
            Some(Ok(solver)) => Solver::new(solver, threads, memory),
            Some(Err(error)) if !is_cancelled() => Err(error.into()),
            _ => Err(Failure::new(Code::CANCELLED, "the opening of the solver was cancelled")),
        }
    }
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A directory that is there: what is not is a mistake in a program, which would otherwise go unnoticed.
fn existing_directory(path: &str) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(path);
    if path.is_dir() {
        return Ok(path);
    }
    let text =
        format!("options->table_directory is {}: expected a directory that is there", quoted(&path.to_string_lossy()));
    Err(Failure::new(Code::BAD_TABLES, text))
}
