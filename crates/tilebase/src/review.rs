//! Solutions that people made, held against the shortest: are they legal, do they solve, where were moves lost?

mod proof;

use serde_json::{Map, Value, json};
use tilebase_puzzle::{Board, Direction, Metric, MoveForm, MovesError, Parity, Played, Sequence};
use tilebase_solve::{Effort, Limit, NotPossible, Request, SolveError};

use crate::analysis::least_moves;
use crate::answer::solvable_with;
use crate::solver::Solver;
use proof::Proof;

/// Somebody's solution of a board.
///
/// ```
/// use tilebase::{Board, Goal, Request, Review, Solver};
///
/// let board: Board = "1 2 3 / 0 4 6 / 7 5 8".parse()?;
/// let goal = Goal::BlankLast.board(board.size())?;
/// let solver = Solver::builder(&goal).open()?;
/// let mut review = Review::new(board, goal, "UDLUL", None)?;
/// assert!(review.is_legal() && review.solves());
/// review.find_losses(&solver, &Request::default())?;
/// let losses = review.losses.unwrap();
/// assert_eq!((losses.shortest(), losses.lost()), (Some(3), Some(2)));
/// assert_eq!(losses.found[0].number, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review {
    /// The board.
    pub board: Board,
    /// What it is to become.
    pub goal: Board,
    /// Whether it can.
    pub parity: Parity,
    /// How moves are written.
    pub form: MoveForm,
    /// What counts as one move.
    pub metric: Metric,
    /// The moves before the first that cannot be made, which is numbered in the metric.
    pub moves: Played,
    /// The board after them.
    pub end: Board,
    /// The distances of all tiles along rows and columns.
    pub manhattan: u32,
    /// How many moves there are, those that cannot be made counted too.
    pub length: u32,
    /// Where moves were lost; only of boards that can be solved, and once [looked for](Review::find_losses).
    pub losses: Option<Losses>,
    illegal: Option<Illegal>,
}

/// The first move that cannot be made.
#[derive(Clone, Debug)]
struct Illegal {
    /// Its number, from 1, in the metric.
    number: usize,
    /// How it is written.
    made: String,
    /// Why it cannot be made.
    why: String,
}

impl Review {
    /// Reads the moves that were made from a board, in a form or in the one that they [seem](MoveForm::detect) to be in, and makes
    /// them as far as they can be made. No table is needed for that.
    ///
    /// # Errors
    /// [`MovesError`] when something in the text is not a move. A move that cannot be made is none: it is part of the review.
    ///
    /// # Panics
    /// When the board and the goal are of different sizes.
    pub fn new(board: Board, goal: Board, moves: &str, form: Option<MoveForm>) -> Result<Review, MovesError> {
        Review::in_metric(Metric::Stm, board, goal, moves, form)
    }

    /// The same, counting in a metric.
    ///
    /// # Errors
    /// As for [`new`](Review::new).
    ///
    /// # Panics
    /// As for [`new`](Review::new).
    pub fn in_metric(
        metric: Metric,
        board: Board,
        goal: Board,
        moves: &str,
        form: Option<MoveForm>,
    ) -> Result<Review, MovesError> {
        let form = form.unwrap_or_else(|| MoveForm::detect(moves));
        let sequence = Sequence::parse(moves, form)?;
        let mut moves = sequence.play(&board);
        let illegal = end_before_illegal(&mut moves, &sequence, metric, form);
        // Of what cannot be made, the numbers of tiles do not tell which slide together.
        let made = metric.length(&moves.slides);
        let length = match &sequence {
            Sequence::Slides(slides) => metric.length(slides),
            tiles => made + (tiles.len() - moves.slides.len()) as u32,
        };
        let end = board.replay(&moves.slides).expect("these moves can be made");
        let parity = Parity::between(&board, &goal);
        let (squares, goals) = (board.squares_by_label(), goal.squares_by_label());
        let tiles = 1..board.size().count();
        let manhattan = tiles.map(|tile| board.size().distance(squares[tile], goals[tile])).sum();
        Ok(Review { board, goal, parity, form, metric, moves, end, manhattan, length, losses: None, illegal })
    }

    /// Whether every move can be made.
    pub fn is_legal(&self) -> bool {
        self.moves.illegal.is_none()
    }

    /// Whether every move can be made, and they lead to the goal.
    pub fn solves(&self) -> bool {
        self.is_legal() && self.end == self.goal
    }

    /// The number of moves divided by the Manhattan distance. `None` where that is 0, and in other metrics than
    /// [`Stm`](Metric::Stm): the Manhattan distance counts single tiles.
    pub fn ratio(&self) -> Option<f64> {
        (self.metric == Metric::Stm && self.manhattan > 0).then(|| f64::from(self.length) / f64::from(self.manhattan))
    }

    /// Finds where moves were lost, by a solver for the goal: the moves that can be made are looked at, whether they lead to the
    /// goal or not. The request says what that may take altogether, and whom to tell; what else it asks for is left aside.
    ///
    /// # Errors
    /// [`SolveError`] when the solver is for other boards or cannot promise shortest solutions, the board cannot be solved, or a
    /// table is damaged.
    ///
    /// # Panics
    /// When the solver counts in another metric than the review.
    pub fn find_losses(&mut self, solver: &Solver, request: &Request<'_>) -> Result<(), SolveError> {
        assert_eq!(solver.metric(), self.metric, "solver and review count in the same metric");
        if !solver.is_admissible() {
            return Err(SolveError::NotPossible(NotPossible::Shortest));
        }
        self.losses = Some(Proof::new(solver, request, &self.board, &self.moves.slides)?.losses()?);
        Ok(())
    }

    /// Notes that a limit was reached before any search: what is known of losses is what the moves themselves show.
    pub fn reach(&mut self, limit: Limit) {
        let (made, is_solved) = (self.metric.length(&self.moves.slides), self.end == self.goal);
        self.losses = Some(Losses {
            at_most: is_solved.then_some(made),
            total: is_solved.then_some(made),
            left: is_solved.then_some(0),
            limit: Some(limit),
            ..Losses::unknown(made as usize, least_moves(&self.board, &self.goal, self.metric))
        });
    }

    /// A shortest solution of the board, where moves were lost and it is known: the moves up to the first loss, and better ones
    /// from there on.
    pub fn better_moves(&self) -> Option<Vec<Direction>> {
        let losses = self.losses.as_ref().filter(|losses| losses.limit.is_none())?;
        let first = losses.found.first()?;
        let before: usize = self.metric.moves(&self.moves.slides).take(first.number - 1).map(<[_]>::len).sum();
        Some([&self.moves.slides[..before], first.better.as_ref()?].concat())
    }

    /// The review as JSON, with the keys of `analyse --json`.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        put("board", json!(self.board.to_string()));
        put("solvable", json!(self.parity.is_solvable()));
        if !self.parity.is_solvable() {
            put("reason", json!(self.parity.to_string()));
            put("solvable_with", solvable_with(&self.board));
        }
        put("legal", json!(self.is_legal()));
        put("solves", json!(self.solves()));
        put("metric", json!(self.metric.to_string()));
        put("length", json!(self.length));
        put("form", json!(self.form.to_string()));
        if let Some((number, made)) = self.illegal_move() {
            let reason = self.why_illegal();
            put("illegal", json!({ "move": number, "made": made, "board": self.end.to_string(), "reason": reason }));
        }
        if !self.solves() {
            put("end", json!(self.end.to_string()));
        }
        match &self.losses {
            Some(losses) => self.put_losses(losses, &mut put),
            // Nothing can be lost of what cannot be solved; the keys are there all the same.
            None => [("shortest", Value::Null), ("lost", Value::Null), ("losses", json!([]))]
                .into_iter()
                .for_each(|(key, nothing)| _ = put(key, nothing)),
        }
        put("manhattan", json!(self.manhattan));
        put("ratio", json!(self.ratio()));
        object
    }

    fn put_losses(&self, losses: &Losses, put: &mut impl FnMut(&str, Value) -> Option<Value>) {
        if !self.solves() {
            put("left", json!(losses.left));
        }
        if let Some(shortest) = losses.shortest() {
            put("shortest", json!(shortest));
        }
        if let Some(lost) = losses.lost() {
            put("lost", json!(lost));
        }
        if let Some(limit) = losses.limit {
            put("limit", json!(limit.to_string()));
            put("at_least", json!(losses.at_least));
            put("lost_at_least", json!(losses.lost_at_least()));
            put("lost_at_most", json!(losses.lost_at_most()));
            put("known_from", json!(losses.known_from));
        }
        put("losses", losses.found.iter().map(|loss| self.loss_json(loss)).collect());
        if let Some(moves) = self.better_moves() {
            put("better_moves", json!(self.written(&moves, &self.board)));
        }
        put("searches", json!(losses.searches));
        put("nodes", json!(losses.effort.generated));
        put("seconds", json!(losses.effort.time.as_secs_f64()));
    }

    fn loss_json(&self, loss: &Loss) -> Value {
        let written = |moves: &[Direction]| self.written(moves, &loss.board);
        json!({
            "move": loss.number, "made": written(&loss.made), "better": loss.better_move(self.metric).map(written),
            "lost": loss.lost, "board": loss.board.to_string(), "left": loss.left,
            "better_moves": loss.better.as_deref().map(written),
        })
    }

    /// Moves in the form of the solution.
    ///
    /// # Panics
    /// When they cannot be made from the board.
    pub fn written(&self, moves: &[Direction], board: &Board) -> String {
        self.form.write(moves, board).expect("these moves can be made")
    }

    /// The first move that cannot be made: its number in the metric, from 1, and how it is written.
    pub fn illegal_move(&self) -> Option<(usize, String)> {
        self.illegal.as_ref().map(|Illegal { number, made, .. }| (*number, made.clone()))
    }

    /// Why that move cannot be made, with its number: `move 3: no tile can slide up`.
    pub fn why_illegal(&self) -> Option<String> {
        self.illegal.as_ref().map(|Illegal { number, why, .. }| format!("move {number}: {why}"))
    }
}

/// Ends what was played before the first move of the metric that cannot be made, and gives that move its number in the metric. Where
/// several tiles are one move and one of them is stuck, the whole move cannot be made.
fn end_before_illegal(
    Played { slides: made, illegal, .. }: &mut Played,
    sequence: &Sequence,
    metric: Metric,
    form: MoveForm,
) -> Option<Illegal> {
    match (illegal.as_mut()?, sequence) {
        (MovesError::Blocked { number, why }, Sequence::Slides(slides)) => {
            let mut begin = 0;
            let (before, tiles) = metric.moves(slides).enumerate().find(|(_, tiles)| {
                let end = begin + tiles.len();
                let is_stuck = *number < end;
                begin = if is_stuck { begin } else { end };
                is_stuck
            })?;
            let why = match made.len() - begin {
                0 => why.to_string(),
                able => {
                    format!("only {able} of {} tiles can slide {}", tiles.len(), format!("{:?}", why.0).to_lowercase())
                }
            };
            made.truncate(begin);
            *number = before;
            let made = Sequence::Slides(tiles.to_vec()).write(form).ok()?;
            Some(Illegal { number: before + 1, made, why })
        }
        (MovesError::NotBesideBlank { number, tile }, _) => {
            *number = metric.length(made) as usize;
            let why = format!("tile {tile} is not beside the blank");
            Some(Illegal { number: *number + 1, made: tile.to_string(), why })
        }
        _ => None,
    }
}

/// Where a solution lost moves, as far as that is proven.
///
/// After each move, the moves made so far and the fewest that are left add up to a number that never falls: a good move makes one
/// left fewer, a bad one makes it one more, and two moves are lost; in the metric `mtm` one may leave as many as before, and one is lost.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Losses {
    /// No solution of the board has fewer moves; proven so far.
    pub at_least: u32,
    /// Some solution has this many, if any is known.
    pub at_most: Option<u32>,
    /// Moves made and the fewest that were left at the end, together, if that is known.
    pub total: Option<u32>,
    /// How many moves are left from the end to the goal, if that is known.
    pub left: Option<u32>,
    /// The moves that lost some, in order: all of them from the move [`known_from`](Losses::known_from) on.
    pub found: Vec<Loss>,
    /// All losses from this move on (counted from 1) are found. It is 1 unless a limit was reached.
    pub known_from: usize,
    /// The limit that kept the rest from being proven.
    pub limit: Option<Limit>,
    /// How many boards were searched.
    pub searches: u32,
    /// What that took.
    pub effort: Effort,
}

impl Losses {
    /// Nothing is known of this many moves yet, but a lower bound for the board.
    fn unknown(moves: usize, at_least: u32) -> Losses {
        Losses {
            at_least,
            at_most: None,
            total: None,
            left: None,
            found: Vec::new(),
            known_from: moves + 1,
            limit: None,
            searches: 0,
            effort: Effort::default(),
        }
    }

    /// Moves of the shortest solution, if that is proven.
    pub fn shortest(&self) -> Option<u32> {
        self.at_most.filter(|most| *most == self.at_least)
    }

    /// How many moves were lost, if that is proven.
    pub fn lost(&self) -> Option<u32> {
        Some(self.total? - self.shortest()?)
    }

    /// At least this many moves were lost; proven so far.
    pub fn lost_at_least(&self) -> u32 {
        self.total.zip(self.at_most).map_or(0, |(total, most)| total - most)
    }

    /// At most this many moves were lost, if that is known.
    pub fn lost_at_most(&self) -> Option<u32> {
        Some(self.total? - self.at_least)
    }
}

/// A move that lost some.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Loss {
    /// Its number, from 1.
    pub number: usize,
    /// The board before it.
    pub board: Board,
    /// How many moves were left there.
    pub left: u32,
    /// The move: the direction in which the tile slid, and so for each of several that slid together.
    pub made: Vec<Direction>,
    /// How many moves longer the rest became.
    pub lost: u32,
    /// A shortest solution from there, unless a limit was reached before it was found.
    pub better: Option<Vec<Direction>>,
}

impl Loss {
    /// A move that would have lost nothing.
    pub fn better_move(&self, metric: Metric) -> Option<&[Direction]> {
        metric.moves(self.better.as_ref()?).next()
    }
}
