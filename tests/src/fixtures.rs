//! Boards, partitions and tables for the tests.

use tilebase::{Bounds, Solver, Tables, Views};
use tilebase_generate::{Build, Memory};
use tilebase_index::Kind;
use tilebase_lookup::{Bytes, Coding, Mapping, Store, Table, TypedTable};
use tilebase_progress::unwatched;
use tilebase_puzzle::{Board, Catalogue, Frame, Goal, Partition, Pattern, Size, Square};
use tilebase_solve::Ida;

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

/// The tests' promise that tables can be mapped.
#[allow(unsafe_code)]
// SAFETY: tests map files of the repository and of directories of their own, and replace or damage none that is open.
pub const MAPPING: Mapping = unsafe { Mapping::promised() };

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

/// The 15-puzzle with Korf's goal and the tables that are part of the program.
pub fn compiled_in() -> Solver {
    let store = Store::compiled_in();
    let patterns = Catalogue::known("6-6-3").unwrap().patterns();
    let tables = patterns.iter().map(|pattern| store.find_unverified(pattern).unwrap().expect("6-6-3 is compiled in"));
    by_tables(&blank_first(), tables.collect())
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
