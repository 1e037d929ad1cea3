//! The bench: makes the searches of a lab.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tilebase_engine::{Search, Solver};
use tilebase_heuristics::{Additive, Heuristic};
use tilebase_lookup::Table;
use tilebase_puzzle::{Board, Frame, Goal, MoveForm, Partition, State, Symmetry};
use tilebase_solve::{Astar, Ida, Limit, Limits, Order, Outcome, Request};

use crate::error::LabError;
use crate::pairs::OnePartner;
use crate::rezk_program;
use crate::run::{Done, How, Run};
use crate::shelf::Shelf;

/// Solvers that are ready, one for each goal, kind of bounds and search.
#[derive(Default)]
pub(crate) struct Bench {
    solvers: HashMap<String, Solving>,
}

/// The largest number of patterns of a catalogue of the papers, in one view.
const SLOTS: usize = 4;

enum Solving {
    Engine(Solver),
    /// A\* with tables in one view, which the engine does not offer.
    Sums(Box<tilebase_solve::Solver<Additive<Table, SLOTS>, Astar>>),
    /// Made anew for every search, because it counts.
    OnePartner(Frame),
    ArticleProgram,
}

fn name(run: &Run) -> String {
    format!("{} {} {} {}", run.board.size(), run.goal, run.how, run.search)
}

fn one_view(partition: &Partition) -> Vec<Symmetry> {
    partition.views().into_iter().take(1).collect()
}

impl Bench {
    /// Makes ready for a search what it needs, which may take a while if tables have to be built.
    pub(crate) fn prepare(&mut self, run: &Run, tables_of: &Shelf<'_>) -> Result<(), LabError> {
        let name = name(run);
        if self.solvers.contains_key(&name) {
            return Ok(());
        }
        let why = |error: &dyn std::fmt::Display| LabError::Search { key: run.key(), why: error.to_string() };
        let frame = frame(&run.board, &run.goal).map_err(|error| why(&error))?;
        let solving = match run.how {
            How::Listed(listed) => {
                Solving::Engine(Solver::listed(frame, listed, run.search).map_err(|error| why(&error))?)
            }
            How::Tables(tables) if run.search == Search::Astar => {
                let sums =
                    Additive::of_partitions(vec![tables_of.get(tables)?], one_view).map_err(|error| why(&error))?;
                Solving::Sums(Box::new(tilebase_solve::Solver::with_algorithm(frame, sums, Astar)))
            }
            How::Tables(tables) => {
                let views = if tables.reflected { Partition::views } else { one_view };
                let solver = Solver::with_views(frame, vec![tables_of.get(tables)?], views);
                Solving::Engine(solver.map_err(|error| why(&error))?)
            }
            How::OnePartner => Solving::OnePartner(frame),
            How::ArticleProgram => Solving::ArticleProgram,
        };
        self.solvers.insert(name, solving);
        Ok(())
    }

    /// The bound of a board, without a search.
    pub(crate) fn bound(&self, run: &Run) -> Option<u32> {
        match self.solvers.get(&name(run))? {
            Solving::Engine(solver) => solver.bound(&solver.frame().state(&run.board).ok()?),
            Solving::Sums(solver) => bound_of(solver.heuristic(), &solver.frame().state(&run.board).ok()?),
            Solving::OnePartner(frame) => {
                let heuristic = OnePartner::new(frame.size(), frame.home())?;
                bound_of(&heuristic, &frame.state(&run.board).ok()?)
            }
            Solving::ArticleProgram => None,
        }
    }

    /// Makes a search that is prepared. `None` when it was told to stop.
    pub(crate) fn search(&self, run: &Run, memory: Option<u64>, cancel: &AtomicBool) -> Result<Option<Done>, LabError> {
        let limits = Limits { nodes: run.most_nodes, memory, cancel: Some(cancel), ..Limits::default() };
        let mut request = Request { wanted: run.wanted, weight: run.weight, limits, ..Request::default() };
        if run.search == Search::IdaPlain {
            request = Request { order: Order::Plain, automaton: false, ..request };
        }
        let why = |error: &dyn std::fmt::Display| LabError::Search { key: run.key(), why: error.to_string() };
        let mut counts = Vec::new();
        let outcome = match self.solvers.get(&name(run)).expect("a search is prepared before it is made") {
            Solving::Engine(solver) => solver.search(&run.board, &request).map_err(|error| why(&error))?,
            Solving::Sums(solver) => solver.solve(&run.board, &request).map_err(|error| why(&error))?,
            Solving::OnePartner(frame) => {
                let heuristic = OnePartner::new(frame.size(), frame.home());
                let heuristic = heuristic.ok_or_else(|| why(&"the board is too wide to count its pairs"))?;
                let solver = tilebase_solve::Solver::with_algorithm(frame.clone(), heuristic, Ida);
                let outcome = solver.solve(&run.board, &request).map_err(|error| why(&error))?;
                counts = solver.heuristic().counts();
                outcome
            }
            Solving::ArticleProgram => {
                let started = Instant::now();
                let done = rezk_program::search(&run.board, run.weight, cancel);
                return Ok(done.map(|done| Done { seconds: started.elapsed().as_secs_f64(), ..done }));
            }
        };
        let effort = outcome.effort();
        let mut done = Done {
            bound: self.bound(run).unwrap_or(0),
            generated: effort.generated,
            expanded: effort.expanded,
            peak_nodes: effort.peak_nodes,
            peak_bytes: effort.peak_bytes,
            counts,
            seconds: effort.time.as_secs_f64(),
            heuristic_seconds: effort.heuristic_time.as_secs_f64(),
            ..Done::default()
        };
        match outcome {
            Outcome::Limited(limited) if limited.limit == Limit::Cancelled => return Ok(None),
            Outcome::Limited(limited) => done.limit = Some(limited.limit.to_string()),
            Outcome::Solved(solved) => {
                done.length = Some(solved.length);
                done.solutions = solved.count;
                if let Some(solution) = solved.solutions.first() {
                    done.moves = MoveForm::Tile.write(solution, &run.board).map_err(|error| why(&error))?;
                }
            }
        }
        Ok(Some(done))
    }
}

fn bound_of<H: Heuristic>(heuristic: &H, state: &State) -> Option<u32> {
    heuristic.root(state).map(|node| heuristic.cost(&node))
}

fn frame(board: &Board, goal: &Goal) -> Result<Frame, tilebase_puzzle::GoalError> {
    Ok(Frame::new(&goal.board(board.size())?))
}
