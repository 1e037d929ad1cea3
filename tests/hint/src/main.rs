//! The next move of a shortest solution of a 15-puzzle, and how many moves are left.

use tilebase_heuristics::Additive;
use tilebase_lookup::{SmallBitTable, Table};
use tilebase_puzzle::{Board, Catalogue, Frame, Goal, MoveForm, Size};
use tilebase_solve::{Request, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once, when the game starts.
    let goal = Goal::BlankLast.board(Size::new(4, 4)?)?;
    let patterns = Catalogue::known("5-5-5").ok_or("5-5-5 is a known catalogue")?.patterns();
    let tables: Option<Vec<Table>> = patterns.iter().map(Table::in_program).collect();
    let tables = SmallBitTable::ready(&tables.ok_or("the feature 5-5-5 is on")?).ok_or("they are tables of bits")?;
    let solver = Solver::new(Frame::new(&goal), Additive::<_, 8>::new(tables)?);

    // Whenever the player asks.
    for text in std::env::args().skip(1) {
        let board: Board = text.parse()?;
        let solved = solver.solve(&board, &Request::default())?.solved().ok_or("no limit was set")?;
        match solved.solutions[0].split_at_checked(1) {
            Some((next, _)) => println!("{}, then {} more", MoveForm::Tile.write(next, &board)?, solved.length - 1),
            None => println!("solved"),
        }
    }
    Ok(())
}
