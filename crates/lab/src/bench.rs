//! The bench: makes the searches of a lab.

use std::collections::HashMap;
use std::error::Error;
use std::time::Instant;

use tilebase::Tables::{Given, Named};
use tilebase::heuristics::Heuristic;
use tilebase::puzzle::{Frame, MoveForm};
use tilebase::solve::{Ida, Limit, Limits, Outcome, Request};
use tilebase::{Bounds, Search, Solver, Views, Watch};

use crate::error::LabError;
use crate::pairs::OnePartner;
use crate::rezk_program;
use crate::run::{Done, How, Run};
use crate::tables::PaperTables;

/// Solvers that are ready, one for each goal, kind of bounds and search.
#[derive(Default)]
pub(crate) struct Bench {
    solvers: HashMap<String, Solving>,
}

enum Solving {
    Solver(Box<Solver>),
    /// Made anew for every search, because it counts.
    OnePartner(Frame),
    ArticleProgram,
}

fn name(run: &Run) -> String {
    format!("{} {} {} {}", run.board.size(), run.goal, run.how, run.search)
}

/// Why a search could not be made.
fn failed<E: Into<Box<dyn Error + Send + Sync>>>(run: &Run) -> impl Fn(E) -> LabError + use<E> {
    let key = run.key();
    move |error| LabError::Search(key.clone(), error.into())
}

impl Bench {
    /// Makes ready for a search what it needs, which may take a while if tables have to be built.
    pub(crate) fn prepare(&mut self, run: &Run, tables_of: &PaperTables<'_>) -> Result<(), LabError> {
        let name = name(run);
        if self.solvers.contains_key(&name) {
            return Ok(());
        }
        let goal = run.goal.board(run.board.size()).map_err(failed(run))?;
        let builder = Solver::builder(&goal).search(run.search);
        let solving = match run.how {
            How::Listed(listed) => {
                Solving::Solver(Box::new(builder.tables(Named(listed)).open().map_err(failed(run))?))
            }
            How::Tables(tables) => {
                let views = if tables.reflected { Views::All } else { Views::One };
                let bounds = Given(Bounds::sum(tables_of.get(tables)?));
                Solving::Solver(Box::new(builder.tables(bounds).views(views).open().map_err(failed(run))?))
            }
            How::OnePartner => Solving::OnePartner(Frame::new(&goal)),
            How::ArticleProgram => Solving::ArticleProgram,
        };
        self.solvers.insert(name, solving);
        Ok(())
    }

    /// Makes a search that is prepared. `None` when it was told to stop.
    pub(crate) fn search(&self, run: &Run, memory: Option<u64>, watch: Watch<'_>) -> Result<Option<Done>, LabError> {
        let limits = Limits::default().nodes(run.most_nodes).memory(memory);
        let request = Request::default().wanted(run.wanted).weight(run.weight).limits(limits).watch(watch);
        let mut counts = Vec::new();
        let (outcome, bound) = match self.solvers.get(&name(run)).expect("a search is prepared before it is made") {
            Solving::Solver(solver) => {
                (solver.search(&run.board, &request).map_err(failed(run))?, solver.bound_of(&run.board).ok())
            }
            Solving::OnePartner(frame) => {
                let heuristic = OnePartner::new(frame.size(), frame.home());
                let heuristic = heuristic.ok_or("the board is too wide to count its pairs").map_err(failed(run))?;
                let ida = if let Search::Ida(ida) = run.search { ida } else { Ida::default() };
                let solver = tilebase::solve::Solver::with_algorithm(frame.clone(), heuristic, ida);
                let outcome = solver.solve(&run.board, &request).map_err(failed(run))?;
                counts = solver.space().counts();
                let root = solver.space().root(&frame.state(&run.board).map_err(failed(run))?);
                (outcome, root.map(|node| solver.space().cost(&node)))
            }
            Solving::ArticleProgram => {
                let started = Instant::now();
                let done = rezk_program::search(&run.board, run.weight, watch);
                return Ok(done.map(|done| Done { seconds: started.elapsed().as_secs_f64(), ..done }));
            }
        };
        let effort = outcome.effort();
        let mut done = Done {
            bound: bound.unwrap_or(0),
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
                    done.moves = MoveForm::Tile.write(solution, &run.board).map_err(failed(run))?;
                }
            }
        }
        Ok(Some(done))
    }
}
