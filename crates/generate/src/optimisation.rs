//! What makes the builder fast. Each can be left out, to measure what it is worth.

use std::str::FromStr;

use tilebase_puzzle::names;

/// Something that makes builds faster and leaves their result alone. A build can be told to do without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Optimisation {
    /// Sideways moves take whole rows, a word at a time.
    Words,
    /// Vertical moves take whole rows: masked shifts and runs of bits.
    Runs,
    /// Rows of which few states are seen are moved state by state after all; rows that miss few states look for them one by one.
    Sparse,
    /// Rows that are full, or that nothing can reach at this level, are skipped.
    Skip,
    /// The sets of states are on huge pages.
    HugePages,
}

impl Optimisation {
    /// All of them.
    pub const ALL: [Optimisation; 5] =
        [Optimisation::Words, Optimisation::Runs, Optimisation::Sparse, Optimisation::Skip, Optimisation::HugePages];
}

names! { Optimisation: Words => "words", Runs => "runs", Sparse => "sparse", Skip => "skip", HugePages => "huge-pages" }

impl FromStr for Optimisation {
    type Err = UnknownOptimisation;

    fn from_str(text: &str) -> Result<Optimisation, UnknownOptimisation> {
        let known = Optimisation::ALL.into_iter().find(|optimisation| optimisation.to_string() == text);
        known.ok_or_else(|| UnknownOptimisation(text.to_owned()))
    }
}

/// A text that names no optimisation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{name} is no optimisation of the builder's: expected one of {names}",
    name = tilebase_puzzle::quoted(.0),
    names = Optimisation::ALL.map(|optimisation| optimisation.to_string()).join(", ")
)]
pub struct UnknownOptimisation(String);
