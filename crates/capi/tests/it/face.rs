//! The functions of C, called with what is there.

#![allow(unsafe_code, reason = "C gives pointers")]

use std::ffi::{CStr, c_char};

use tilebase_c::{
    Board, Cancellation, Code, Options, Report, Solution, Solver, tilebase_board_from_tiles, tilebase_board_parse,
    tilebase_board_slide, tilebase_board_text, tilebase_bound, tilebase_cancellation_new, tilebase_check,
    tilebase_last_error, tilebase_solution_moves, tilebase_solve, tilebase_solver_open, tilebase_solver_tables,
};

/// Options that look for no files, and nothing else.
pub(crate) fn options() -> Options {
    Options { only_own_tables: 1, threads: 1, ..Options::default() }
}

pub(crate) fn last_error() -> String {
    // SAFETY: the text ends with a zero, and nobody changes it while it is copied.
    unsafe { CStr::from_ptr(tilebase_last_error()) }.to_str().expect("errors are UTF-8").to_owned()
}

/// The code and the words of a call that failed.
fn result<T>(code: Code, answer: T) -> Result<T, (Code, String)> {
    if code == Code::OK { Ok(answer) } else { Err((code, last_error())) }
}

pub(crate) fn open(options: &Options) -> Result<*mut Solver, (Code, String)> {
    let mut solver = std::ptr::dangling_mut();
    // SAFETY: the pointers are to what lives here, and those of the options to what lives in the caller.
    let code = unsafe { tilebase_solver_open(options, &raw mut solver) };
    assert_eq!(code != Code::OK, solver.is_null());
    result(code, solver)
}

/// Parses a text. What was on the board stays when it is refused.
pub(crate) fn parse(text: &CStr, width: u32, height: u32, board: &mut Board) -> Code {
    // SAFETY: all pointers are to what lives in the caller.
    unsafe { tilebase_board_parse(text.as_ptr(), width, height, board) }
}

pub(crate) fn board(text: &CStr) -> Board {
    let mut board = Board::default();
    assert_eq!(parse(text, 0, 0, &mut board), Code::OK, "{}", last_error());
    board
}

pub(crate) fn from_tiles(tiles: &[u8], width: u32, height: u32, board: &mut Board) -> Code {
    // SAFETY: all pointers are to what lives in the caller.
    unsafe { tilebase_board_from_tiles(tiles.as_ptr(), tiles.len(), width, height, board) }
}

pub(crate) fn slide(board: &mut Board, letter: u8) -> Code {
    // SAFETY: the pointer is to what lives in the caller.
    unsafe { tilebase_board_slide(board, letter as c_char) }
}

/// What a function writes into a buffer that is large enough.
fn written(write: impl FnOnce(*mut c_char, usize) -> Code) -> String {
    let mut text = [0 as c_char; 128];
    assert_eq!(write(text.as_mut_ptr(), text.len()), Code::OK, "{}", last_error());
    // SAFETY: the text ends with a zero.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().expect("texts are UTF-8").to_owned()
}

pub(crate) fn text_of(board: &Board) -> String {
    // SAFETY: there is room for that many bytes.
    written(|text, room| unsafe { tilebase_board_text(board, text, room, std::ptr::null_mut()) })
}

pub(crate) fn tables(solver: *const Solver) -> String {
    // SAFETY: there is room for that many bytes.
    written(|text, room| unsafe { tilebase_solver_tables(solver, text, room, std::ptr::null_mut()) })
}

pub(crate) fn check(solver: *const Solver, board: &Board) -> Code {
    // SAFETY: the pointer is to what lives in the caller; nothing is read through a handle.
    unsafe { tilebase_check(solver, board) }
}

pub(crate) fn bound(solver: *const Solver, board: &Board) -> Result<u32, (Code, String)> {
    let mut moves = 0;
    // SAFETY: the pointers are to what lives here and in the caller; nothing is read through a handle.
    let code = unsafe { tilebase_bound(solver, board, &raw mut moves) };
    result(code, moves)
}

/// The length of a shortest solution.
pub(crate) fn length(solver: *const Solver, board: &CStr) -> i32 {
    let board = self::board(board);
    let mut report = Report { length: 0, at_least: 0, nodes: 0, seconds: 0.0 };
    let (limits, solution) = (std::ptr::null(), std::ptr::null_mut());
    // SAFETY: all pointers are to what lives here; nothing is read through a handle.
    let code = unsafe { tilebase_solve(solver, &raw const board, limits, &raw mut report, solution) };
    assert_eq!(code, Code::OK, "{}", last_error());
    report.length
}

/// How many bytes the moves of a solution need.
pub(crate) fn length_of_moves(solution: *const Solution) -> Result<usize, (Code, String)> {
    let mut needed = 0;
    // SAFETY: the pointer is to what lives here; nothing is read through a handle.
    match unsafe { tilebase_solution_moves(solution, std::ptr::null_mut(), 0, &raw mut needed) } {
        Code::SMALL_BUFFER => Ok(needed),
        code => result(code, needed),
    }
}

pub(crate) fn cancellation() -> *mut Cancellation {
    let mut cancellation = std::ptr::null_mut();
    // SAFETY: the pointer is to what lives here.
    assert_eq!(unsafe { tilebase_cancellation_new(&raw mut cancellation) }, Code::OK);
    cancellation
}
