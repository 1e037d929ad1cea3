//! Any text as every other word that is read from people: goals, sizes, weights, names of searches, heuristics, forms and papers.
//! Nothing may panic, and what is written can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilebase_fuzz::short;
use tilebase_generate::Optimisation;
use tilebase_heuristics::AnyListed;
use tilebase_lab::Paper;
use tilebase_puzzle::{Goal, MoveForm, Size, Square};
use tilebase_solve::{Search, Weight};

fuzz_target!(|text: &str| {
    let size: Option<Size> = short(text.parse());
    if let Some(size) = size {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    let size = size.or_else(|| Size::new(2 + text.len() % 4, 2 + text.len() / 4 % 4).ok());
    short(Goal::parse(text, size)).map(|goal| size.map(|size| short(goal.board(size))));
    if let Some(weight) = short(text.parse::<Weight>()) {
        assert_eq!(weight.to_string().parse(), Ok(weight));
    }
    short(text.parse::<Search>());
    short(text.parse::<MoveForm>());
    short(text.parse::<Optimisation>());
    short(text.parse::<Paper>());
    // Walking distances take a while to prepare, and their name is a name like others.
    if text != "walking-distance" {
        short(AnyListed::new(text, Size::new(3, 3).expect("a size"), Square(0)));
    }
});
