//! The papers, a file each: which searches they made, what they found, and what we find.

mod alam;
mod bauer;
mod felner;
mod kpuzzle;
mod ota;
mod rezk;

use std::fmt;
use std::str::FromStr;

use tilebase::puzzle::known::{KnownBoard, korf15};
use tilebase::puzzle::{Board, Goal, Random, Size, quoted};

use crate::error::LabError;
use crate::report::Report;
use crate::results::Results;
use crate::run::{Done, How, Run};
use crate::tables::PaperTables;

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Paper {
    /// Bauer 1994, the Manhattan pair distance.
    Bauer,
    /// Ota, pattern databases with A\* and IDA\*.
    Ota,
    /// Alam, Pacey & Nguyen 2022, A\* and RBFS.
    Alam,
    /// Rezk, IDA\* with weights.
    Rezk,
    /// Chan, Johanna, Low & Law, uninformed and informed search.
    Kpuzzle,
    /// Felner, Korf & Hanan 2004, additive pattern databases.
    Felner,
}

/// What a paper is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What its report is called.
    pub title: &'static str,
    /// Where it was published.
    pub reference: &'static str,
}

pub(crate) struct Setting<'a> {
    /// Fewer and easier boards.
    pub(crate) quick: bool,
    /// Where tables come from.
    pub(crate) tables: &'a PaperTables<'a>,
}

impl Setting<'_> {
    /// Whether there are tables for these bounds, if they need any.
    fn offers(&self, how: How) -> bool {
        if let How::Tables(tables) = how { self.tables.offers(tables) } else { true }
    }

    /// What a report says first; the quick lab says so, too.
    fn words(&self, words: impl Into<String>) -> Vec<String> {
        const QUICK: &str = "This is the quick lab, with few and easy boards: enough to see that everything works, not to compare. \
                             Without --quick it has the size of the paper.";
        [words.into()].into_iter().chain(self.quick.then(|| QUICK.to_owned())).collect()
    }

    /// For each number of moves boards that are this many random moves away from the goal. The quick lab has the first of the same
    /// boards.
    fn walks(&self, seed: u64, side: usize, moves: &[u32], boards: usize, quick: usize) -> Vec<(u32, Vec<Board>)> {
        let goal = goal(&Goal::BlankLast, side);
        let mut random = Random::new(seed);
        let mut walks = |&moves: &u32| {
            let mut boards: Vec<Board> = (0..boards).map(|_| random.walk(&goal, moves as usize)).collect();
            boards.truncate(if self.quick { quick } else { usize::MAX });
            (moves, boards)
        };
        moves.iter().map(&mut walks).collect()
    }
}

/// What a paper's file has: what it is, the searches of its experiments, and what came of them.
type Parts = (About, fn(&Setting<'_>) -> Vec<Run>, fn(&Setting<'_>, &Results) -> Result<Report, LabError>);

impl Paper {
    /// All of them, in the order in which `lab all` has them.
    pub const ALL: [Paper; 6] = [Paper::Bauer, Paper::Ota, Paper::Alam, Paper::Rezk, Paper::Kpuzzle, Paper::Felner];

    fn parts(self) -> Parts {
        match self {
            Paper::Bauer => (bauer::ABOUT, bauer::runs, |setting, results| Ok(bauer::report(setting, results))),
            Paper::Ota => (ota::ABOUT, ota::runs, ota::report),
            Paper::Alam => (alam::ABOUT, alam::runs, |setting, results| Ok(alam::report(setting, results))),
            Paper::Rezk => (rezk::ABOUT, rezk::runs, |setting, results| Ok(rezk::report(setting, results))),
            Paper::Kpuzzle => (kpuzzle::ABOUT, kpuzzle::runs, |setting, results| Ok(kpuzzle::report(setting, results))),
            Paper::Felner => (felner::ABOUT, felner::runs, felner::report),
        }
    }

    /// What it is.
    pub fn about(self) -> About {
        self.parts().0
    }

    pub(crate) fn runs(self, setting: &Setting<'_>) -> Vec<Run> {
        self.parts().1(setting)
    }

    pub(crate) fn report(self, setting: &Setting<'_>, results: &Results) -> Result<Report, LabError> {
        self.parts().2(setting, results)
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().name)
    }
}

impl FromStr for Paper {
    type Err = PaperError;

    fn from_str(text: &str) -> Result<Paper, PaperError> {
        let found = Paper::ALL.into_iter().find(|paper| paper.about().name == text);
        found.ok_or_else(|| PaperError(text.to_owned()))
    }
}

/// A text that is not the name of a [`Paper`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no paper is called {}: expected one of {names}", quoted(.0), names = Paper::ALL.map(|paper| paper.about().name).join(", "))]
pub struct PaperError(String);

/// What Korf's hundred boards are to reach.
pub(crate) const GOAL: Goal = Goal::BlankFirst;

/// Korf's hundred boards, those with the fewest nodes first.
fn by_nodes() -> Vec<KnownBoard> {
    let mut boards = korf15();
    boards.sort_by_key(|korf| korf.nodes);
    boards
}

/// A square board that is solved.
fn goal(goal: &Goal, side: usize) -> Board {
    goal.board(Size::new(side, side).expect("it is a size")).expect("it has this goal")
}

/// The mean of some numbers; not a number if there are none.
fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.into_iter().fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    sum / f64::from(count)
}

fn mean_of(done: &[&Done], what: impl Fn(&Done) -> f64) -> f64 {
    mean(done.iter().map(|done| what(done)))
}

/// Nodes as numbers that have a mean.
fn generated(done: &Done) -> f64 {
    done.generated as f64
}

fn expanded(done: &Done) -> f64 {
    done.expanded as f64
}

fn seconds(done: &Done) -> f64 {
    done.seconds
}
