use std::time::Instant;
use tilebase_lookup::{Loading, SmallBitTable, Store};
use tilebase_puzzle::{Catalogue, Frame, Goal};
use tilebase_solve::{Additive, Request, Solver};
use tilebase_tests::korf15;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let name = std::env::args().nth(2).unwrap_or("7-8".into());
    let which = std::env::args().nth(3).unwrap_or_default();
    let reps: u32 = std::env::args().nth(4).map_or(5, |r| r.parse().unwrap());
    for (loading, lname) in [(Loading::Map, "map"), (Loading::Copy, "copy")] {
        if !which.is_empty() && which != lname {
            continue;
        }
        let store = Store::new(vec![dir.clone().into()]).with_loading(loading);
        let cat = Catalogue::known(&name).unwrap();
        let tables: Vec<SmallBitTable> = cat
            .partition
            .patterns()
            .iter()
            .map(|p| store.find(p).unwrap().expect("table"))
            .map(|t| SmallBitTable::new(t).unwrap())
            .collect();
        let boards = korf15();
        let frame = Frame::new(&Goal::BlankFirst.board(boards[0].board.size()).unwrap());
        let run = |solve: &dyn Fn(&tilebase_puzzle::Board) -> (u32, u64, u64)| {
            for _ in 0..reps {
                let t = Instant::now();
                let (mut gen_, mut exp) = (0, 0);
                for k in &boards {
                    let (len, g, e) = solve(&k.board);
                    assert_eq!(len, k.length);
                    gen_ += g;
                    exp += e;
                }
                let s = t.elapsed().as_secs_f64();
                println!(
                    "{lname}: {s:.4} s, {:.1} nodes a board, {:.1} expanded, {:.2} M nodes/s",
                    gen_ as f64 / 100.0,
                    exp as f64 / 100.0,
                    gen_ as f64 / s / 1e6
                );
            }
        };
        let solver: Solver<Additive<SmallBitTable, 8>>;
        let solver4: Solver<Additive<SmallBitTable, 4>>;
        if tables.len() == 2 {
            solver4 = Solver::new(frame, Additive::new(tables).unwrap());
            run(&|b| {
                let s = solver4.solve(b, &Request::default()).unwrap();
                let e = s.effort();
                (s.solved().unwrap().length, e.generated, e.expanded)
            });
        } else {
            solver = Solver::new(frame, Additive::new(tables).unwrap());
            run(&|b| {
                let s = solver.solve(b, &Request::default()).unwrap();
                let e = s.effort();
                (s.solved().unwrap().length, e.generated, e.expanded)
            });
        }
    }
}
