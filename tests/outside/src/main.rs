use std::{ops::ControlFlow, time::Duration};
use tilebase::{Event, Goal, Limits, MoveForm, Random, Request, Size, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let show = |event: &Event<'_>| if let Event::Level(level) = event { eprintln!("{:.0} %", 100.0 * level.work_done()) };
    for (side, goal) in [(4, Goal::BlankLast), (3, Goal::Snail)] {
        let goal = goal.board(Size::new(side, side)?)?;
        let solver = Solver::builder(&goal).watch(&|event| ControlFlow::Continue(show(event))).open()?;
        let (mut random, limits) = (Random::new(1), Limits::default().time(Duration::from_secs(60)));
        let boards = (0..20).map(|_| random.solvable_board(&goal));
        solver.search_all(0, boards, &Request::default().limits(limits), |board, outcome| {
            let solved = outcome.expect("it can be solved").solved().expect("a minute is enough");
            let moves = |form: MoveForm| form.write(&solved.solutions[0], &board).expect("solutions are replayed");
            let (letters, tiles) = (moves(MoveForm::Tile), moves(MoveForm::Tiles));
            println!("{board}: {} moves, at least {:?}: {letters}, or {tiles}", solved.length, solver.bound_of(&board));
            true
        });
    }
    Ok(())
}
