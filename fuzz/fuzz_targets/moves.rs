//! Any text as moves in every form. Nothing may panic; those that can be made can be written and read again.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_puzzle::{Board, Goal, MoveForm, Size};

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let sizes = [(2, 2), (3, 3), (4, 4), (5, 5)].map(|(width, height)| Size::new(width, height).expect("a size"));
    sizes.iter().map(|&size| Goal::Snail.board(size).expect("a goal")).collect()
});

fuzz_target!(|text: &str| {
    let (board, form) = (&BOARDS[text.len() % BOARDS.len()], MoveForm::ALL[text.len() / 4 % MoveForm::ALL.len()]);
    let Some(slides) = short(form.parse(text, board)) else { return };
    if board.replay(&slides).is_ok() {
        let written = form.write(&slides, board).expect("what can be made can be written");
        assert_eq!(form.parse(&written, board).as_ref(), Ok(&slides), "{written}");
    }
});
