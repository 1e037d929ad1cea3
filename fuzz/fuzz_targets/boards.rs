//! Any bytes as a file or a stream of boards. Nothing may panic, what is read can be read again, and each error is one line or two.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_puzzle::{Board, Boards};

fuzz_target!(|bytes: &[u8]| {
    let mut line = 0;
    for read in Boards::new(bytes, None) {
        assert!(read.line >= line, "boards come in the order of their lines");
        line = read.line;
        if let Some(board) = short(read.board) {
            assert_eq!(Board::parse(&board.to_string(), None), Ok(board));
        }
    }
});
