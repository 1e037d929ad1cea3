//! Kinds of tables.

use tilebase_puzzle::{Metric, names};

use crate::Extent;

/// The kind of a table: which moves its costs count, what it knows about the blank, and how an entry is coded.
///
/// | kind | counts | the blank | an entry |
/// |---|---|---|---|
/// | `Bit` | moves of the pattern's tiles | its region | one bit: the second bit of the cost |
/// | `Nibble` | moves of the pattern's tiles | nothing: the cheapest region | four bits: half of the excess over the Manhattan distance |
/// | `AllMoves` | all moves | its square | one bit: the second bit of the cost |
/// | `Lines` | all moves of the metric `mtm` | its row, or its column | two bits: the cost modulo 3 |
///
/// Costs that count only moves of the pattern's own tiles can be added over disjoint patterns; costs that count all moves can
/// only be compared. The entries of `Lines` are not for single states but for the lines that moves are made along
/// ([`LineIndex`](crate::LineIndex)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// One bit for each map, region and permutation.
    Bit,
    /// Four bits for each map and permutation.
    Nibble,
    /// One bit for each map, square of the blank and permutation.
    AllMoves,
    /// Two bits for each line of states: its axis, map, row or column of the blank, and permutation.
    Lines,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Bit, Kind::Nibble, Kind::AllMoves, Kind::Lines];

    /// Whether the costs count all moves, not only those of the pattern's tiles.
    pub const fn counts_all_moves(self) -> bool {
        matches!(self, Kind::AllMoves | Kind::Lines)
    }

    /// What its costs count as one move.
    pub const fn metric(self) -> Metric {
        match self {
            Kind::Bit | Kind::Nibble | Kind::AllMoves => Metric::Stm,
            Kind::Lines => Metric::Mtm,
        }
    }

    /// Whether entries tell apart where the blank is: in which region, on which square, or in which line.
    pub const fn is_blank_aware(self) -> bool {
        !matches!(self, Kind::Nibble)
    }

    /// Bits of an entry.
    pub const fn bits(self) -> u32 {
        match self {
            Kind::Bit | Kind::AllMoves => 1,
            Kind::Nibble => 4,
            Kind::Lines => 2,
        }
    }

    /// How many entries a table of some extent has.
    pub fn entries(self, extent: &Extent) -> u128 {
        match self {
            Kind::Bit | Kind::AllMoves => extent.states,
            Kind::Nibble | Kind::Lines => extent.entries,
        }
    }

    /// Bytes of payload for a number of entries.
    pub fn payload_len(self, entries: u64) -> u64 {
        (u128::from(entries) * u128::from(self.bits())).div_ceil(8) as u64
    }

    /// How an entry is coded, as the command line and JSON call it: `bit`, `nibble` or `mod3`.
    pub const fn encoding(self) -> &'static str {
        match self {
            Kind::Bit | Kind::AllMoves => "bit",
            Kind::Nibble => "nibble",
            Kind::Lines => "mod3",
        }
    }

    /// Which moves the costs count, as the command line and JSON call it: `pattern` or `all`.
    pub const fn count(self) -> &'static str {
        if self.counts_all_moves() { "all" } else { "pattern" }
    }
}

// The name, as it stands in the names of files.
names! { Kind: Bit => "bit", Nibble => "nibble", AllMoves => "all", Lines => "mtm" }
