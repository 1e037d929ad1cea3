//! What makes the builder fast, so that each idea's worth can be measured.

use std::fmt;
use std::str::FromStr;

/// An idea that makes builds faster and leaves their result alone. A build can be told to do without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idea {
    /// Sideways moves take whole rows, a word at a time.
    Words,
    /// Vertical moves take whole rows: masked shifts and runs of bits.
    Runs,
    /// Rows with few states are moved state by state after all.
    Sparse,
    /// Rows that are full, or that nothing can reach at this level, are skipped.
    Skip,
    /// The sets of states are on huge pages.
    HugePages,
}

impl Idea {
    /// All of them.
    pub const ALL: [Idea; 5] = [Idea::Words, Idea::Runs, Idea::Sparse, Idea::Skip, Idea::HugePages];
}

impl fmt::Display for Idea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Idea::Words => "words",
            Idea::Runs => "runs",
            Idea::Sparse => "sparse",
            Idea::Skip => "skip",
            Idea::HugePages => "huge-pages",
        })
    }
}

impl FromStr for Idea {
    type Err = String;

    fn from_str(text: &str) -> Result<Idea, String> {
        let names = Idea::ALL.map(|idea| idea.to_string());
        let known = Idea::ALL.into_iter().find(|idea| idea.to_string() == text);
        known.ok_or_else(|| format!("\"{text}\" is not an idea of the builder's: expected one of {}", names.join(", ")))
    }
}
