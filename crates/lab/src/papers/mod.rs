//! The papers, a file each: which searches they made, what they found, and what we find.

mod alam;
mod bauer;
mod felner;
mod kpuzzle;
mod ota;
mod rezk;

use std::fmt;
use std::str::FromStr;

use crate::error::LabError;
use crate::report::Report;
use crate::results::Results;
use crate::run::{Done, Run};
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

/// What an experiment is given.
pub(crate) struct Setting<'a> {
    /// Fewer and easier boards.
    pub(crate) quick: bool,
    /// Where tables come from.
    pub(crate) tables: &'a PaperTables<'a>,
}

impl Paper {
    /// All of them, in the order in which `lab all` has them.
    pub const ALL: [Paper; 6] = [Paper::Bauer, Paper::Ota, Paper::Alam, Paper::Rezk, Paper::Kpuzzle, Paper::Felner];

    /// What it is.
    pub fn about(self) -> About {
        match self {
            Paper::Bauer => bauer::ABOUT,
            Paper::Ota => ota::ABOUT,
            Paper::Alam => alam::ABOUT,
            Paper::Rezk => rezk::ABOUT,
            Paper::Kpuzzle => kpuzzle::ABOUT,
            Paper::Felner => felner::ABOUT,
        }
    }

    /// The searches of its experiments.
    pub(crate) fn runs(self, setting: &Setting<'_>) -> Vec<Run> {
        match self {
            Paper::Bauer => bauer::runs(setting),
            Paper::Ota => ota::runs(setting),
            Paper::Alam => alam::runs(setting),
            Paper::Rezk => rezk::runs(setting),
            Paper::Kpuzzle => kpuzzle::runs(setting),
            Paper::Felner => felner::runs(setting),
        }
    }

    /// What came of them.
    pub(crate) fn report(self, setting: &Setting<'_>, results: &Results) -> Result<Report, LabError> {
        match self {
            Paper::Bauer => Ok(bauer::report(setting, results)),
            Paper::Ota => ota::report(setting, results),
            Paper::Alam => Ok(alam::report(setting, results)),
            Paper::Rezk => Ok(rezk::report(setting, results)),
            Paper::Kpuzzle => Ok(kpuzzle::report(setting, results)),
            Paper::Felner => felner::report(setting, results),
        }
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
        found.ok_or_else(|| PaperError { text: text.to_owned() })
    }
}

/// A text that is not the name of a [`Paper`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaperError {
    text: String,
}

impl fmt::Display for PaperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Paper::ALL.map(|paper| paper.about().name);
        write!(f, "no paper is called \"{}\": expected one of {}", self.text, names.join(", "))
    }
}

impl std::error::Error for PaperError {}

/// The mean of some numbers; not a number if there are none.
fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.into_iter().fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    sum / f64::from(count)
}

/// The mean of something about some searches.
fn mean_of<'a>(done: impl IntoIterator<Item = &'a Done>, what: impl Fn(&Done) -> f64) -> f64 {
    mean(done.into_iter().map(what))
}

/// What the quick lab says about itself.
const QUICK: &str = "This is the quick lab, with few and easy boards: enough to see that everything works, not to compare. \
                     Without --quick it has the size of the paper.";
