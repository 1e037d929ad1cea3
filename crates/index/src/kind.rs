//! Kinds of tables.

use tilebase_puzzle::names;

use crate::Extent;

/// The kind of a table: which moves its costs count, what it knows about the blank, and how an entry is coded.
///
/// | kind | counts | the blank | an entry |
/// |---|---|---|---|
/// | `Bit` | moves of the pattern's tiles | its region | one bit: the second bit of the cost |
/// | `Nibble` | moves of the pattern's tiles | nothing: the cheapest region | four bits: half of the excess over the Manhattan distance |
/// | `AllMoves` | all moves | its square | one bit: the second bit of the cost |
///
/// Costs that count only moves of the pattern's own tiles can be added over disjoint patterns; costs that count all moves can
/// only be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// One bit for each map, region and permutation.
    Bit,
    /// Four bits for each map and permutation.
    Nibble,
    /// One bit for each map, square of the blank and permutation.
    AllMoves,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Bit, Kind::Nibble, Kind::AllMoves];

    /// Whether the costs count all moves, not only those of the pattern's tiles.
    pub const fn counts_all_moves(self) -> bool {
        matches!(self, Kind::AllMoves)
    }

    /// Whether entries tell apart where the blank is: in which region, or on which square.
    pub const fn is_blank_aware(self) -> bool {
        !matches!(self, Kind::Nibble)
    }

    /// Bits of an entry.
    pub const fn bits(self) -> u32 {
        match self {
            Kind::Bit | Kind::AllMoves => 1,
            Kind::Nibble => 4,
        }
    }

    /// How many entries a table of some extent has.
    pub fn entries(self, extent: &Extent) -> u128 {
        if self.is_blank_aware() { extent.states } else { extent.entries }
    }

    /// Bytes of payload for a number of entries.
    pub fn payload_len(self, entries: u64) -> u64 {
        (u128::from(entries) * u128::from(self.bits())).div_ceil(8) as u64
    }

    /// How an entry is coded, as the command line and JSON call it: `bit` or `nibble`.
    pub const fn encoding(self) -> &'static str {
        if self.bits() == 1 { "bit" } else { "nibble" }
    }

    /// Which moves the costs count, as the command line and JSON call it: `pattern` or `all`.
    pub const fn count(self) -> &'static str {
        if self.counts_all_moves() { "all" } else { "pattern" }
    }
}

// The name, as it stands in the names of files.
names! { Kind: Bit => "bit", Nibble => "nibble", AllMoves => "all" }
