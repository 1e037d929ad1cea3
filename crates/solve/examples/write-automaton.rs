//! Writes the automaton of 4×4 that is part of the program: `cargo run --release -p tilebase-solve --example write-automaton`.

use std::error::Error;

use tilebase_puzzle::Size;
use tilebase_solve::Automaton;

fn main() -> Result<(), Box<dyn Error>> {
    let size = Size::new(4, 4)?;
    let automaton = Automaton::new(size, Automaton::default_depth(size));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/automaton-4x4.bin");
    let bytes = automaton.to_bytes().ok_or("it has more states than 16 bits can tell apart")?;
    std::fs::write(path, &bytes)?;
    println!("{path}: {} states, {} bytes", automaton.states(), bytes.len());
    Ok(())
}
