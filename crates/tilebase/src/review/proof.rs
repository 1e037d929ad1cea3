//! Where a solution lost moves, proven with as few searches as possible.
//!
//! The *level* of a board of a solution is the number of moves made so far and of the fewest left, together. Levels never fall, and
//! rise by two where moves are lost, or by one in the metric `mtm`, which keeps no parity. So between two boards of the same level nothing was lost, and none of the boards between
//! them has to be looked at; nor has a board whose lower bound reaches the level of a later one.
//!
//! The work goes from the end, where boards are near the goal and searches are short, to the beginning. From the first board
//! whose level is known, it asks for the boards 1, 2, 4, 8 … moves before whether their level is the same: a search that may stop as
//! soon as everything shorter is ruled out. Where it is not, the loss is found by halving. When time runs out, all losses of the
//! later part are known.

use std::collections::HashMap;
use std::time::Instant;

use tilebase_puzzle::{Board, Direction};
use tilebase_solve::{Effort, Limit, Limits, Outcome, Request, SolveError, Solved, Wanted, Weight};

use super::{Loss, Losses};
use crate::evidence::{limit_of, within_limits};
use crate::solver::Solver;

/// A solution whose losses are being found.
pub(super) struct Proof<'a> {
    solver: &'a Solver,
    request: Request<'a>,
    /// The moves, each as the slides of its tiles.
    moves: Vec<&'a [Direction]>,
    /// The boards between them, the first and the last included.
    boards: Vec<Board>,
    /// Lower bounds of their levels.
    low: Vec<u32>,
    /// Levels of boards that are known, from the board `known` on.
    levels: Vec<u32>,
    known: usize,
    /// Where a board occurs for the last time: those who go in circles are followed once.
    last: HashMap<Board, usize>,
    /// Shortest solutions that were found.
    paths: HashMap<Board, Vec<Direction>>,
    started: Instant,
    searches: u32,
    effort: Effort,
}

/// Why the proof ends before its time.
enum Stop {
    Limit(Limit),
    Error(SolveError),
}

impl From<SolveError> for Stop {
    fn from(error: SolveError) -> Stop {
        Stop::Error(error)
    }
}

/// What a search says of a board.
enum Answer {
    /// This many moves are left.
    Left(u32),
    /// More moves are left than was asked for.
    More,
}

impl<'a> Proof<'a> {
    /// Looks up the lower bounds of all boards.
    pub(super) fn new(
        solver: &'a Solver,
        request: &Request<'a>,
        board: &Board,
        slides: &'a [Direction],
    ) -> Result<Proof<'a>, SolveError> {
        let moves: Vec<&[Direction]> = solver.metric().moves(slides).collect();
        let make = |board: &Board, made: &[Direction]| board.replay(made).expect("these moves can be made");
        let mut boards = vec![*board];
        for made in &moves {
            boards.push(make(&boards[boards.len() - 1], made));
        }
        let goal = solver.frame().goal();
        let mut low = Vec::with_capacity(boards.len());
        let mut level = 0;
        for (made, board) in (0..).zip(&boards) {
            let bound = solver.bound_of(board)?;
            // The blank's colour on a chessboard changes with every move of a single tile.
            let is_odd = (board.size().distance(board.blank(), goal.blank()) + bound) % 2 == 1;
            level = level.max(made + bound + u32::from(is_odd && solver.metric().keeps_parity()));
            low.push(level);
        }
        Ok(Proof {
            solver,
            request: request.wanted(Wanted::First).weight(Weight::ONE),
            moves,
            levels: vec![0; boards.len()],
            known: boards.len(),
            last: boards.iter().copied().zip(0..).collect(),
            boards,
            low,
            paths: HashMap::new(),
            started: Instant::now(),
            searches: 0,
            effort: Effort::default(),
        })
    }

    /// Finds the losses.
    pub(super) fn losses(mut self) -> Result<Losses, SolveError> {
        let end = self.moves.len();
        let mut losses = Losses::unknown(end, self.low[0]);
        match self.find(&mut losses) {
            Ok(()) => {}
            Err(Stop::Limit(limit)) => losses.limit = Some(limit),
            Err(Stop::Error(error)) => return Err(error),
        }
        // Bounds that needed no search count as answers, too.
        if !self.solver.opened.evidence.confirm(&within_limits(&self.request, self.started))? {
            // A file has changed, and there is no time left to compare it with its hashes: nothing is proven.
            (losses.at_least, losses.at_most, losses.total, losses.left) = (0, None, None, None);
            losses.found.clear();
            losses.limit = Some(limit_of(&self.request, self.started));
            self.known = end;
        }
        losses.found.reverse();
        losses.known_from = self.known.min(end) + 1;
        losses.searches = self.searches;
        losses.effort = Effort { time: self.started.elapsed(), ..self.effort };
        Ok(losses)
    }

    /// Goes from the end to the beginning. What is found is kept when a limit ends it.
    fn find(&mut self, losses: &mut Losses) -> Result<(), Stop> {
        let end = self.moves.len();
        let Answer::Left(left) = self.ask(end, 0, None, losses)? else { return Err(Stop::Limit(Limit::Length)) };
        let total = end as u32 + left;
        (losses.left, losses.total, losses.at_most) = (Some(left), Some(total), Some(total));
        self.settle(end, total);
        // Boards before `known` with levels that are known: the last one comes first.
        let mut earlier: Vec<(usize, u32)> = Vec::new();
        let mut step = 1;
        while self.known > 0 {
            let (from, level) = (self.known, self.levels[self.known]);
            match earlier.last() {
                Some(&(place, there)) if there == level => {
                    self.settle(place, level);
                    earlier.pop();
                    continue;
                }
                Some(&(place, there)) if place + 1 == from => {
                    earlier.pop();
                    losses.found.push(self.loss(place, level - there));
                    self.settle(place, there);
                    let better = self.path(place, losses)?;
                    losses.found.last_mut().expect("a loss was found").better = Some(better);
                    step = 1;
                    continue;
                }
                _ => {}
            }
            // Where the bound reaches the level, no search is needed; bounds of levels rise as levels do.
            let proven = self.low[..from].partition_point(|&low| low < level);
            if proven < from {
                self.settle(proven, level);
                continue;
            }
            let (floor, least) = earlier.last().map_or((0, 0), |&(place, there)| (place + 1, there));
            // Between two boards of different levels there is a loss, which halving finds; before, who knows?
            let place = if earlier.is_empty() { from.saturating_sub(step) } else { floor.midpoint(from) };
            let less = if self.solver.metric().keeps_parity() { 2 } else { 1 };
            match self.ask(place, least, Some(level - less), losses)? {
                Answer::More => {
                    self.settle(place, level);
                    step *= 2;
                }
                Answer::Left(left) => {
                    let there = place as u32 + left;
                    losses.at_most = losses.at_most.map(|most| most.min(there));
                    earlier.push((place, there));
                }
            }
        }
        losses.at_least = self.levels[0];
        Ok(())
    }

    /// From a board on, levels are known up to those that were before.
    fn settle(&mut self, place: usize, level: u32) {
        self.levels[place..self.known].fill(level);
        self.known = place;
    }

    /// How many moves are left from a board, if its level, which is at least `least`, is at most `most`.
    fn ask(&mut self, place: usize, least: u32, most: Option<u32>, losses: &mut Losses) -> Result<Answer, Stop> {
        let board = self.boards[place];
        if board == *self.solver.frame().goal() {
            return Ok(Answer::Left(0));
        }
        let again = self.last[&board];
        if again >= self.known {
            return Ok(Answer::Left(self.levels[again] - again as u32));
        }
        let made = place as u32;
        let least = self.low[place].max(least) - made;
        match self.search(&board, least, most.map(|most| most - made), place == 0, losses)? {
            Some(solved) => Ok(Answer::Left(solved.length)),
            None => Ok(Answer::More),
        }
    }

    /// A shortest solution of a board whose level is known.
    fn path(&mut self, place: usize, losses: &mut Losses) -> Result<Vec<Direction>, Stop> {
        let board = self.boards[place];
        if let Some(path) = self.paths.get(&board) {
            return Ok(path.clone());
        }
        let left = self.levels[place] - place as u32;
        self.search(&board, left, None, false, losses)?;
        Ok(self.paths[&board].clone())
    }

    /// Searches a board for a solution of `least` to `most` moves, within the limits of the whole. What is proven of the first board
    /// until a limit is kept.
    fn search(
        &mut self,
        board: &Board,
        least: u32,
        most: Option<u32>,
        is_first: bool,
        losses: &mut Losses,
    ) -> Result<Option<Solved>, Stop> {
        let Limits { nodes, time, .. } = self.request.limits;
        let nodes = nodes.map(|most| most.saturating_sub(self.effort.generated));
        let time = time.map(|most| most.saturating_sub(self.started.elapsed()));
        let limits = Limits::default().nodes(nodes).time(time).length(most);
        let outcome = self.solver.search(board, &self.request.at_least(least).limits(limits))?;
        self.searches += 1;
        let effort = outcome.effort();
        self.effort.generated += effort.generated;
        self.effort.expanded += effort.expanded;
        self.effort.heuristic_time += effort.heuristic_time;
        match outcome {
            Outcome::Solved(solved) => {
                self.paths.insert(*board, solved.solutions[0].clone());
                Ok(Some(solved))
            }
            Outcome::Limited(limited) if limited.limit == Limit::Length => Ok(None),
            Outcome::Limited(limited) => {
                if is_first {
                    losses.at_least = losses.at_least.max(limited.at_least);
                }
                Err(Stop::Limit(limited.limit))
            }
        }
    }

    /// The move that is made from a board, and loses some.
    fn loss(&self, place: usize, lost: u32) -> Loss {
        let left = self.levels[place + 1] - lost - place as u32;
        Loss {
            number: place + 1,
            board: self.boards[place],
            left,
            made: self.moves[place].to_vec(),
            lost,
            better: None,
        }
    }
}
