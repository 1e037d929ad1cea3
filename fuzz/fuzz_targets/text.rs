//! Any text as everything that is read from people: boards, sizes, goals, moves, drawings, weights, names. Nothing may panic, what
//! is written can be read again, and no message is longer than a few lines.

#![no_main]

use std::fmt::Display;

use libfuzzer_sys::fuzz_target;
use tilebase_heuristics::AnyListed;
use tilebase_puzzle::{Board, Catalogue, Goal, MoveForm, Size, Square};
use tilebase_solve::{Search, Weight};

/// What a message may have, whatever it quotes.
const MOST: usize = 1000;

fuzz_target!(|text: &str| {
    let size: Option<Size> = short(text.parse());
    for size in [None, size, Size::new(4, 4).ok(), Size::new(12, 2).ok()] {
        if let Some(board) = short(Board::parse(text, size)) {
            let again = Board::parse(&board.to_string(), None).expect("what is written can be read");
            assert_eq!(again, board);
            moves(text, &board);
        }
        short(Goal::parse(text, size)).map(|goal| size.map(|size| short(goal.board(size))));
    }
    moves(text, &Goal::Snail.board(Size::new(5, 5).expect("a size")).expect("a goal"));
    if let Some(catalogue) = short(Catalogue::draw("drawn", text)) {
        let again = Catalogue::draw("again", &catalogue.partition.drawing()).expect("what is drawn can be read");
        assert!(again.partition.same_patterns(&catalogue.partition));
    }
    if let Some(weight) = short(text.parse::<Weight>()) {
        assert_eq!(weight.to_string().parse(), Ok(weight));
    }
    short(text.parse::<Search>());
    short(AnyListed::new(text, Size::new(3, 3).expect("a size"), Square(0)));
});

/// Reads moves in every form; those that can be made can be written and read again.
fn moves(text: &str, board: &Board) {
    short(text.parse::<MoveForm>());
    for form in MoveForm::ALL {
        let Some(slides) = short(form.parse(text, board)) else { continue };
        if board.replay(&slides).is_ok() {
            let written = form.write(&slides, board).expect("what can be made can be written");
            assert_eq!(form.parse(&written, board).as_ref(), Ok(&slides), "{written}");
        }
    }
}

/// What was read, if its message is short otherwise.
fn short<T, E: Display>(read: Result<T, E>) -> Option<T> {
    read.inspect_err(|error| assert!(error.to_string().len() < MOST, "{error}")).ok()
}
