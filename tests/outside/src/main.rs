use std::ops::ControlFlow;
use std::time::Duration;

use tilebase::{Board, Event, Goal, Limits, MoveForm, Random, Request, Size, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (side, goal) in [(4, Goal::BlankLast), (3, Goal::Snail)] {
        let goal = goal.board(Size::new(side, side)?)?;
        let watch = |event: &Event<'_>| {
            if let Event::Level(level) = event {
                eprintln!("{:.0} % of a table", 100.0 * level.work_done());
            }
            ControlFlow::Continue(())
        };
        let solver = Solver::builder(&goal).watch(&watch).open()?;
        let mut random = Random::new(1);
        let boards: Vec<Board> = (0..20).map(|_| random.solvable_board(&goal)).collect();
        let request = Request::default().limits(Limits::default().time(Duration::from_secs(60)));
        solver.search_all(2, boards.into_iter(), &request, |board, outcome| {
            let solved = outcome.expect("a solvable board").solved().expect("solved in a minute");
            let write = |form: MoveForm| form.write(&solved.solutions[0], &board).expect("a solution can be written");
            let bound = solver.bound(&solver.frame().state(&board).expect("solvable")).expect("a whole table");
            println!("{} moves, at least {bound}: {} = {}", solved.length, write(MoveForm::Tile), write(MoveForm::Tiles));
            true
        });
    }
    Ok(())
}
