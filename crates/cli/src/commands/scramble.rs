//! `tilebase scramble`

use std::hash::{BuildHasher, RandomState};

use clap::Args;
use serde_json::json;
use tilebase_puzzle::{Goal, Random, Size};

use crate::failure::{Exit, Failure};
use crate::options::NotationOptions;
use crate::output::Output;

/// Make random boards that can be solved
///
/// Every solvable board is equally likely; with --walk, boards are that many random moves from the goal (never one back at
/// once) and so at most that far. The same seed gives the same boards on every machine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase scramble                                 one 15-puzzle
  tilebase scramble --size 3x3 --count 5 --seed 42
  tilebase scramble --walk 30 | tilebase solve")]
pub(crate) struct Scramble {
    /// Board size, width x height [default: that of the goal, else 4x4]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// What the boards shall lead to: blank-last, blank-first (Korf's), snail, or a board
    #[arg(long, default_value = "blank-last")]
    goal: String,
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Start of the random numbers [default: another one each time, told on stderr]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Walk so many random moves from the goal instead
    #[arg(long, value_name = "MOVES")]
    walk: Option<usize>,
    #[command(flatten)]
    notation: NotationOptions,
}

impl Scramble {
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        let goal = Goal::parse(&self.goal, self.size).map_err(Failure::new)?;
        let size = match (&goal, self.size) {
            (_, Some(size)) => size,
            (Goal::Board(board), None) => board.size(),
            (_, None) => Size::new(4, 4).map_err(Failure::new)?,
        };
        let goal = goal.board(size).map_err(Failure::new)?;
        let seed = self.seed.unwrap_or_else(|| {
            // The standard library's hash keys are random; that is all we need, and a short seed is easy to write down.
            let seed = RandomState::new().hash_one(0u8) >> 32;
            output.note(format!("seed {seed}"));
            seed
        });
        let mut random = Random::new(seed);
        let notation = self.notation.notation();
        for number in 1..=self.count {
            let board = match self.walk {
                Some(moves) => random.walk(&goal, moves),
                None => random.solvable_board(&goal),
            };
            let text = notation.write(&board);
            if output.json {
                output.json(&json!({ "id": number, "board": text, "goal": goal.to_string(), "seed": seed }))?;
            } else {
                output.answer(text)?;
            }
        }
        Ok(Exit::Done)
    }
}
