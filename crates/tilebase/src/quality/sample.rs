//! Boards on which heuristics are rated.

use std::fmt;

use tilebase_puzzle::{Board, Frame, Random, State};

use super::branching::branching_factor;
use super::near::NearGoal;

/// How the boards of a sample are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Sampling {
    /// Every board that can be solved is equally likely.
    #[default]
    Uniform,
    /// Every second board is; the others are drawn near the goal, the more often the smaller their Manhattan distance, and
    /// count as much less. Nearly all of η comes from boards near the goal, which uniform samples hardly ever meet.
    Near,
}

impl Sampling {
    /// Both, by name.
    pub const ALL: [(&'static str, Sampling); 2] = [("uniform", Sampling::Uniform), ("near", Sampling::Near)];
}

/// Its name.
impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = Sampling::ALL.into_iter().find(|(_, one)| one == self).expect("all are listed");
        f.write_str(name)
    }
}

/// Boards with a goal, all drawn from one seed, and how much each counts.
#[derive(Clone, Debug)]
pub struct Sample {
    frame: Frame,
    sampling: Sampling,
    seed: u64,
    branching: f64,
    boards: Vec<Board>,
    /// How much each board counts; 1 on average.
    weights: Vec<f64>,
    reference: Option<Reference>,
}

/// What bounds are held against: the distances of the boards, or better bounds in place of them.
#[derive(Clone, Debug)]
struct Reference {
    name: String,
    /// For each board.
    moves: Vec<u32>,
}

/// How boards near the goal are drawn that are numbered like others of the same seed, but must not be the same.
const OTHER_NUMBERS: u64 = 0x6e65_6172;

impl Sample {
    /// Draws boards. Uniform ones are those of `tilebase scramble` with the same seed. Those near the goal take 134 MB of
    /// memory and some seconds for 25 squares, and nothing to speak of for 16.
    pub fn draw(goal: &Board, sampling: Sampling, count: usize, seed: u64) -> Sample {
        let branching = branching_factor(goal.size());
        let mut random = Random::new(seed);
        let (boards, weights) = match sampling {
            Sampling::Uniform => ((0..count).map(|_| random.solvable_board(goal)).collect(), vec![1.0; count]),
            Sampling::Near => {
                let near = NearGoal::new(goal, 1.0 / branching);
                let mut of_near = Random::new(seed ^ OTHER_NUMBERS);
                let draw = |number| {
                    if number % 2 == 0 { random.solvable_board(goal) } else { near.draw(&mut of_near) }
                };
                let boards: Vec<Board> = (0..count).map(draw).collect();
                // A board counts as one that was drawn from the mixture of both.
                let weights = boards.iter().map(|board| 2.0 / (1.0 + near.density(board))).collect();
                (boards, weights)
            }
        };
        Sample { frame: Frame::new(goal), sampling, seed, branching, boards, weights, reference: None }
    }

    /// The same sample with a reference: for each board, how far it is from the goal or, where nobody knows, a better bound
    /// than those that are rated. Then [`Rating::lag`](super::Rating::lag) can be told.
    ///
    /// # Panics
    /// When there are not as many numbers as boards.
    #[must_use]
    pub fn with_reference(self, name: &str, moves: Vec<u32>) -> Sample {
        assert_eq!(moves.len(), self.boards.len(), "there is a number for each board");
        Sample { reference: Some(Reference { name: name.to_owned(), moves }), ..self }
    }

    /// What bounds are held against, if there is anything.
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_ref().map(|reference| &*reference.name)
    }

    /// For each board, what its bound is held against.
    pub(super) fn reference_moves(&self) -> Option<&[u32]> {
        self.reference.as_ref().map(|reference| &*reference.moves)
    }

    /// How its boards were drawn.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// The seed from which its boards were drawn.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The branching factor of the boards' search trees.
    pub fn branching(&self) -> f64 {
        self.branching
    }

    /// The boards.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The boards in the goal's frame.
    pub fn states(&self) -> Vec<State> {
        let state = |board| self.frame.state(board).expect("only boards that can be solved are drawn");
        self.boards.iter().map(state).collect()
    }

    /// The mean of some value over all boards that can be solved, as the sample has it, and its standard error.
    pub fn mean_of(&self, value: impl Fn(usize) -> f64) -> (f64, f64) {
        let kinds = if self.sampling == Sampling::Near { 2 } else { 1 };
        let count = self.boards.len() as f64;
        let (mut mean, mut variance) = (0.0, 0.0);
        // Boards that are drawn differently vary around means of their own.
        for kind in 0..kinds {
            let values = || (kind..self.boards.len()).step_by(kinds).map(|board| self.weights[board] * value(board));
            let of_kind = values().count() as f64;
            let mean_of_kind = values().sum::<f64>() / of_kind.max(1.0);
            let squares: f64 = values().map(|value| (value - mean_of_kind).powi(2)).sum();
            mean += mean_of_kind * of_kind / count;
            variance += squares / (of_kind - 1.0).max(1.0) * of_kind / (count * count);
        }
        (mean, variance.sqrt())
    }

    /// How much of a mean the board has that has most of it.
    pub fn largest_share(&self, value: impl Fn(usize) -> f64) -> f64 {
        let values = || (0..self.boards.len()).map(|board| self.weights[board] * value(board));
        values().fold(0.0, f64::max) / values().sum::<f64>()
    }
}
