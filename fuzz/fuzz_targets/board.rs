//! Any text as a board, with and without a size. Nothing may panic, and what is written can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_puzzle::{Blank, Board, Notation, Rows, Separator, Size};

fuzz_target!(|text: &str| {
    let size = match text.len() % 4 {
        0 => Size::new(4, 4).ok(),
        1 => Size::new(12, 2).ok(),
        _ => None,
    };
    let Some(board) = short(Board::parse(text, size)) else { return };
    let rows = [Rows::Slashes, Rows::Lines, Rows::Flat][text.len() % 3];
    let blank = [Blank::Zero, Blank::Underscore, Blank::Dot, Blank::X, Blank::Largest][text.len() % 5];
    let written = Notation::new(rows, Separator::Comma, blank).write(&board);
    assert_eq!(Board::parse(&written, Some(board.size())), Ok(board), "{written}");
});
