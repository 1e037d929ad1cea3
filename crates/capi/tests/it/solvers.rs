//! Solvers as C opens them: sizes, goals, and where tables come from.

use std::ffi::{CStr, CString};

use tempfile::TempDir;
use tilebase::Size;
use tilebase::lookup::Store;
use tilebase::puzzle::Square;
use tilebase_c::{Code, Options, tilebase_cancel, tilebase_cancellation_free, tilebase_solver_free};

use crate::face::{cancellation, length, open, options, tables};

/// Nine moves from the goal.
const NEAR: &CStr = c"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15";

/// The tables of the program in a directory.
pub(crate) fn directory_with_tables() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::compiled_in();
    for pattern in store.patterns(Size::new(4, 4).unwrap(), Square(0)) {
        let table = store.find_unverified(&pattern).unwrap().expect("it was there a moment ago");
        std::fs::write(directory.path().join(table.header().file_name()), table.bytes()).unwrap();
    }
    directory
}

fn path_of(directory: &TempDir) -> CString {
    CString::new(directory.path().to_str().unwrap()).unwrap()
}

#[test]
fn sizes_and_goals_are_those_of_the_options() {
    let cases = [
        ((0, 0), None, c"1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15", 1),
        ((3, 3), None, c"1 2 3 / 4 5 6 / 0 7 8", 2),
        ((3, 2), Some(c"blank-first"), c"1 0 2 / 3 4 5", 1),
        ((3, 3), Some(c"snail"), c"1 2 3 / 0 8 4 / 7 6 5", 1),
        ((0, 0), Some(c"3 2 / 1 0"), c"3 0 / 1 2", 1),
    ];
    for ((width, height), goal, board, expected) in cases {
        let goal = goal.map_or(std::ptr::null(), CStr::as_ptr);
        let solver = open(&Options { width, height, goal, ..options() }).unwrap();
        assert_eq!(length(solver, board), expected, "{board:?}");
        assert_eq!(tilebase_solver_free(solver), Code::OK);
    }
}

#[test]
fn tables_are_those_that_were_named() {
    let cases = [(c"auto", "6-6-3"), (c"none", "manhattan"), (c"6-6-3+walking-distance", "6-6-3+walking-distance")];
    for (name, expected) in cases {
        let solver = open(&Options { tables: name.as_ptr(), ..options() }).unwrap();
        assert_eq!((tables(solver).as_str(), length(solver, NEAR)), (expected, 9));
        assert_eq!(tilebase_solver_free(solver), Code::OK);
    }
}

#[test]
fn a_damaged_table_in_the_directory_is_refused_by_name_and_passed_over_by_auto() {
    let directory = directory_with_tables();
    let file = directory.path().join("4x4-0-12.13.14.bit.tbl");
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let path = path_of(&directory);
    for map_tables in [0, 1] {
        let options = Options { table_directory: path.as_ptr(), map_tables, ..options() };
        let (code, text) = open(&Options { tables: c"6-6-3".as_ptr(), ..options }).unwrap_err();
        assert_eq!(code, Code::BAD_TABLES);
        assert!(text.contains("4x4-0-12.13.14.bit.tbl"), "{text}");
        let solver = open(&options).unwrap();
        assert_ne!(tables(solver), "6-6-3");
        assert_eq!(length(solver, NEAR), 9);
        assert_eq!(tilebase_solver_free(solver), Code::OK);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_are_mapped_only_when_that_is_asked_for() {
    let is_mapped = |directory: &TempDir| {
        std::fs::read_to_string("/proc/self/maps").unwrap().contains(directory.path().to_str().unwrap())
    };
    for map_tables in [0, 1] {
        let directory = directory_with_tables();
        let path = path_of(&directory);
        let solver = open(&Options { table_directory: path.as_ptr(), map_tables, ..options() }).unwrap();
        assert_eq!(is_mapped(&directory), map_tables != 0);
        assert_eq!(length(solver, NEAR), 9);
        assert_eq!(tilebase_solver_free(solver), Code::OK);
        assert!(!is_mapped(&directory), "what a solver mapped is given back with it");
    }
}

#[test]
fn an_opening_that_is_cancelled_says_so() {
    let cancellation = cancellation();
    assert_eq!(tilebase_cancel(cancellation), Code::OK);
    // Tables of 3×4 boards are built on the spot, which takes long enough to be stopped.
    let (code, text) = open(&Options { width: 3, height: 4, cancellation, ..options() }).unwrap_err();
    assert_eq!((code, text.as_str()), (Code::CANCELLED, "the opening of the solver was cancelled"));
    assert_eq!(tilebase_cancellation_free(cancellation), Code::OK);
}

#[test]
fn any_number_of_threads_and_little_memory_are_no_problem() {
    let solver = open(&Options { threads: u32::MAX, memory: 1, ..options() }).unwrap();
    assert_eq!(length(solver, NEAR), 9);
    assert_eq!(tilebase_solver_free(solver), Code::OK);
}
