//! A heuristic and a search from outside the library, used by its solver.
//!
//! `cargo run --release -p tilebase-solve --example own_search`

use std::collections::{BinaryHeap, HashMap};

use tilebase_heuristics::{Heuristic, Manhattan};
use tilebase_puzzle::{Board, Direction, Frame, Goal, Slide, State};
use tilebase_solve::{Algorithm, Effort, Outcome, Request, SearchAbout, Solved, Solver, Space};

/// How many tiles are not where they belong.
struct Misplaced;

impl Heuristic for Misplaced {
    type Node = u32;
    type Step = u32;

    fn root(&self, state: &State) -> Option<u32> {
        let squares = state.size().squares().filter(|&square| square != state.blank());
        Some(squares.filter(|&square| state.tile(square).goal() != square).count() as u32)
    }

    fn cost(&self, misplaced: &u32) -> u32 {
        *misplaced
    }

    fn begin(&self, _stage: usize, misplaced: &u32, slide: Slide) -> u32 {
        misplaced + u32::from(slide.from == slide.tile.goal()) - u32::from(slide.to == slide.tile.goal())
    }

    fn finish(&self, _stage: usize, after: &mut u32) -> u32 {
        *after
    }

    fn apply(&self, _stage: usize, misplaced: &mut u32, after: &u32) {
        *misplaced = *after;
    }
}

/// Goes where the bound is smallest, whatever the moves made: soon there, but not by a shortest path. It works in any space.
struct Greedy;

impl Algorithm for Greedy {
    fn about(&self) -> SearchAbout {
        let summary = "goes where the bound is smallest, whatever the moves made";
        SearchAbout::new("greedy", summary).without_weight().finding_one().keeping_nodes()
    }

    fn search<S: Space>(&self, space: &S, state: &State, _request: &Request<'_>) -> Option<Outcome> {
        let mut seen: HashMap<State, Vec<Direction>> = HashMap::from([(*state, Vec::new())]);
        let mut states = vec![*state];
        let mut open = BinaryHeap::from([(std::cmp::Reverse(space.bound(state)?), 0)]);
        let mut effort = Effort { generated: 1, ..Effort::default() };
        while let Some((_, number)) = open.pop() {
            let state = states[number];
            let path = seen[&state].clone();
            if state.is_solved() {
                let (length, solutions) = (S::METRIC.length(&path), vec![path]);
                return Some(Outcome::Solved(Solved { length, solutions, count: 1, optimal: false, effort }));
            }
            effort.expanded += 1;
            for (next, slides) in space.neighbours(&state) {
                effort.generated += 1;
                if let std::collections::hash_map::Entry::Vacant(place) = seen.entry(next) {
                    place.insert([&path[..], &slides].concat());
                    open.push((std::cmp::Reverse(space.bound(&next)?), states.len()));
                    states.push(next);
                }
            }
        }
        None
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse()?;
    let frame = Frame::new(&Goal::BlankLast.board(board.size())?);
    let request = Request::default();

    let shortest = Solver::new(frame.clone(), Misplaced).solve(&board, &request)?.solved().expect("there is no limit");
    println!("shortest, by misplaced tiles: {} moves, {} nodes", shortest.length, shortest.effort.generated);

    let greedy = Solver::with_algorithm(frame, Manhattan::new(board.size()), Greedy);
    let found = greedy.solve(&board, &request)?.solved().expect("there is no limit");
    println!("greedy, by Manhattan distance: {} moves, {} nodes", found.length, found.effort.generated);
    assert!(shortest.optimal && !found.optimal && shortest.length <= found.length);
    Ok(())
}
