//! Shows what automata of different depths cost and give:
//! `cargo run --release -p tilebase-solve --example automaton-depths -- 4x4 10 14`.

use std::error::Error;
use std::time::Instant;

use tilebase_puzzle::Size;
use tilebase_solve::Automaton;

/// How often each automaton is built; the shortest time counts.
const TIMES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, from, to] = &arguments[..] else {
        return Err("expected a size and two depths, for example 4x4 10 14".into());
    };
    let size: Size = size.parse()?;
    println!("{:>5} {:>8} {:>9} {:>10}", "depth", "states", "branching", "time");
    for depth in from.parse()?..=to.parse()? {
        let build = |_| {
            let started = Instant::now();
            (Automaton::new(size, depth), started.elapsed())
        };
        let (automaton, time) = (0..TIMES).map(build).min_by_key(|built| built.1).expect("it was built at least once");
        let time = time.as_secs_f64() * 1000.0;
        println!("{depth:>5} {:>8} {:>9.4} {time:>7.2} ms", automaton.states(), branching(&automaton));
    }
    Ok(())
}

/// By how much the number of allowed strings grows with each move, in the long run.
fn branching(automaton: &Automaton) -> f64 {
    // In proportion to the strings of some length that are allowed from each state.
    let mut strings = vec![0.0; automaton.numbers().last().map_or(0, |last| last as usize + 1)];
    automaton.numbers().for_each(|state| strings[state as usize] = 1.0);
    let mut growths = [1.0; 2];
    for length in 0..200 {
        let after = |state: u32| automaton.next(state).into_iter().filter(|&next| next != Automaton::FORBIDDEN);
        let mut next = vec![0.0; strings.len()];
        automaton.numbers().for_each(|state| {
            next[state as usize] = after(state).map(|next| strings[next as usize]).sum();
        });
        let total: f64 = next.iter().sum();
        growths[length % 2] = total / strings.iter().sum::<f64>();
        strings = next.iter().map(|count| count / total).collect();
    }
    // Boards whose squares have two colours grow in turns.
    (growths[0] * growths[1]).sqrt()
}
