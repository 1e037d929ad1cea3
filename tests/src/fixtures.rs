//! Boards, partitions and tables for the tests.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase::{Bounds, Solver, Tables, Views};
use tilebase_generate::{Build, Memory};
use tilebase_heuristics::Additive;
use tilebase_index::Kind;
use tilebase_lookup::{Bytes, Coding, LineTable, Loading, SmallBitTable, Store, Table, TypedTable};
use tilebase_progress::unwatched;
use tilebase_puzzle::{Board, Catalogue, Frame, Goal, Partition, Pattern, Random, Size, Square, State};
use tilebase_solve::{Checkpoint, CutBound, Ida, Keep};

/// A size that is known to be supported.
///
/// # Panics
/// When it is not.
pub fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).expect("tests use supported sizes")
}

/// A partition from a drawing that is known to be one.
///
/// # Panics
/// When it is not.
pub fn drawn(drawing: &str) -> Partition {
    Catalogue::draw("drawn", drawing).unwrap_or_else(|error| panic!("{drawing}: {error}")).partitions.remove(0)
}

/// The frame of the goal with the tiles in order and the blank on `home`.
///
/// # Panics
/// When `home` is not on the board.
pub fn frame(size: Size, home: Square) -> Frame {
    let mut labels: Vec<u64> = (1..size.count() as u64).collect();
    labels.insert(home.index(), 0);
    Frame::new(&Board::new(size, &labels).expect("tiles in order make a board"))
}

/// Builds one kind of table and opens it from memory.
///
/// # Panics
/// When the pattern has no such table.
pub fn table(pattern: &Pattern, encoding: Kind) -> Table {
    let encodings = &[encoding];
    let built = Build::new(pattern, encodings).and_then(|build| build.run(1, &Memory, &unwatched));
    let mut built = built.unwrap_or_else(|error| panic!("pattern {pattern}: {error}"));
    Table::new(Bytes::Owned(built.remove(0).into_bytes())).expect("a table just built can be opened")
}

/// The tables of all patterns of a partition.
///
/// # Panics
/// When a pattern has no such table.
pub fn tables(partition: &Partition, encoding: Kind) -> Vec<Table> {
    partition.patterns().iter().map(|pattern| table(pattern, encoding)).collect()
}

/// The same, ready for a search that is compiled for them.
///
/// # Panics
/// When a pattern has no such table, or they are not of that type.
pub fn ready<C: Coding>(partition: &Partition, encoding: Kind) -> Vec<TypedTable<C>> {
    TypedTable::ready(&tables(partition, encoding)).expect("the tables are of the type that the test asks for")
}

/// A store that looks into a directory, and may map its files.
#[allow(unsafe_code)]
pub fn store_in(directory: &Path, loading: Loading) -> Store {
    let store = Store::new(vec![directory.to_owned()]).with_loading(loading);
    // SAFETY: tests map files of the repository and of directories of their own. Those that damage a mapped file read it only to find that.
    unsafe { store.allow_mapping([directory.to_owned()]) }
}

/// The 15-puzzle with Korf's goal.
pub fn blank_first() -> Frame {
    Frame::new(&Goal::BlankFirst.board(size(4, 4)).unwrap())
}

/// A solver by the Manhattan distance.
///
/// # Panics
/// Never: it suits every board.
pub fn manhattan(frame: &Frame) -> Solver {
    let solver = Solver::builder(frame.goal()).tables(Tables::Named("manhattan")).open();
    solver.expect("the Manhattan distance is known for every board")
}

/// The tables that are part of the program.
fn tables_of_program() -> Vec<Table> {
    let store = Store::compiled_in();
    let patterns = Catalogue::known("6-6-3").unwrap().patterns();
    let tables = patterns.iter().map(|pattern| store.find_unverified(pattern).unwrap().expect("6-6-3 is compiled in"));
    tables.collect()
}

/// The 15-puzzle with Korf's goal and the tables that are part of the program.
pub fn compiled_in() -> Solver {
    by_tables(&blank_first(), tables_of_program())
}

/// The sum of the same tables, for searches that are asked without a solver.
///
/// # Panics
/// Never: the tables are a partition.
pub fn sum_of_compiled_in() -> Additive<SmallBitTable, 8> {
    Additive::new(SmallBitTable::ready(&tables_of_program()).unwrap()).unwrap()
}

/// Random states of the 15-puzzle with Korf's goal.
pub fn random_states(count: usize, seed: u64) -> Vec<State> {
    let frame = blank_first();
    let mut random = Random::new(seed);
    (0..count).map(|_| frame.state(&random.solvable_board(frame.goal())).unwrap()).collect()
}

/// A number of threads that is known not to be 0.
///
/// # Panics
/// When it is.
pub fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("tests use a thread or more")
}

/// Keeps in memory what of a search is done, in units of some nodes, and forgets what is not final now and then, as a kill does.
#[derive(Debug)]
pub struct KeptInMemory {
    checkpoint: Mutex<Checkpoint>,
    nodes_of_unit: u64,
    told: AtomicU64,
}

impl KeptInMemory {
    /// Nothing yet.
    pub fn new(nodes_of_unit: u64) -> KeptInMemory {
        KeptInMemory { checkpoint: Mutex::default(), nodes_of_unit, told: AtomicU64::new(0) }
    }

    /// What is kept now.
    ///
    /// # Panics
    /// When a thread that kept something has.
    pub fn now(&self) -> Checkpoint {
        self.checkpoint.lock().unwrap().clone()
    }

    /// How many units are done of the bound that is cut.
    pub fn units_done(&self) -> usize {
        self.now().cut.as_ref().map_or(0, CutBound::units_done)
    }
}

impl Keep for KeptInMemory {
    fn begin(&self) -> Checkpoint {
        self.now()
    }

    fn nodes_of_unit(&self) -> u64 {
        self.nodes_of_unit
    }

    fn keep(&self, checkpoint: &Checkpoint, is_final: bool) {
        let told = self.told.fetch_add(1, Ordering::Relaxed);
        // What ends a search may be a kill; what was found or finished is on the disk before anything else is done.
        let must_be_kept = is_final && checkpoint.cut.as_ref().is_none_or(|cut| cut.solution.is_some());
        if must_be_kept || !told.is_multiple_of(3) {
            self.checkpoint.lock().unwrap().clone_from(checkpoint);
        }
    }
}

/// A solver by the sum of some tables, seen through every view.
pub fn by_tables(frame: &Frame, tables: Vec<Table>) -> Solver {
    by_tables_in(frame, tables, Views::All, Ida::default())
}

/// A solver by the sum of some tables, seen through some views, with some settings of IDA\*.
pub fn by_tables_in(frame: &Frame, tables: Vec<Table>, views: Views, ida: Ida) -> Solver {
    let bounds = Tables::Given(Bounds::sum(tables));
    Solver::builder(frame.goal()).tables(bounds).views(views).search(ida.into()).open().unwrap()
}

/// A solver by a heuristic of the list, with some settings of IDA\*.
pub fn by_heuristic(frame: &Frame, name: &str, ida: Ida) -> Solver {
    Solver::builder(frame.goal()).tables(Tables::Named(name)).search(ida.into()).open().unwrap()
}

/// A table of lines for the metric `mtm`, through every symmetry of its puzzle.
///
/// # Panics
/// When the pattern has no such table.
pub fn line_tables(pattern: &Pattern) -> Vec<LineTable> {
    LineTable::views(&table(pattern, Kind::Lines)).expect("it was built as one of lines")
}
