//! How many nodes A\* expands a second, and how many bytes each node takes, on some of Korf's boards.
//!
//! `cargo run --release -p tilebase-solve --example astar-speed -- [BOARDS] [MILLIONS OF NODES]`
//!
//! Takes the boards that are easiest for IDA\*, of which those with the most nodes come last. A search ends when it is solved or
//! has generated this many nodes.

use tilebase_heuristics::Manhattan;
use tilebase_puzzle::known::{KnownBoard, korf15};
use tilebase_puzzle::{Frame, Goal, Size};
use tilebase_solve::{Astar, Limits, Outcome, Request, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let most: usize = arguments.next().map_or(Ok(10), |text| text.parse())?;
    let millions: u64 = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let size = Size::new(4, 4)?;
    let frame = Frame::new(&Goal::BlankFirst.board(size)?);
    let solver = Solver::with_algorithm(frame, Manhattan::new(size), Astar);
    let limits = Limits::default().nodes(millions * 1_000_000);
    println!("board  moves    expanded  kept nodes  million/s  bytes/node");
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    for KnownBoard { id, board, .. } in boards.into_iter().take(most) {
        let outcome = solver.solve(&board, &Request::default().limits(limits))?;
        let effort = outcome.effort();
        let moves = match &outcome {
            Outcome::Solved(found) => found.length.to_string(),
            Outcome::Limited(limited) => format!("≥{}", limited.at_least),
        };
        let rate = effort.expanded as f64 / effort.time.as_secs_f64() / 1e6;
        let bytes = effort.peak_bytes as f64 / effort.peak_nodes as f64;
        println!("{id:5}  {moves:>5}  {:10}  {:10}  {rate:9.2}  {bytes:10.2}", effort.expanded, effort.peak_nodes);
    }
    Ok(())
}
