//! Tables of bits, for searches.

use std::sync::Arc;

use tilebase_format::Encoding;
use tilebase_memory::prefetch;
use tilebase_puzzle::index::{AnyFollower, Counting, Follow, Place, SmallFollower, Standing};
use tilebase_puzzle::{Pattern, PatternCosts, Slide, State, Symmetry};

use crate::table::Table;

/// A table that has one bit for each state, with what follows its states. A search that knows that all its tables are such
/// need not find out with every node what to do with them; that saves it a third of its instructions.
#[derive(Debug)]
pub struct BitTable<F> {
    table: Table,
    follower: Arc<F>,
}

/// A table of bits for a pattern of at most 9 tiles on a board of at most 16 squares.
pub type SmallBitTable = BitTable<SmallFollower>;

/// A table of bits for any pattern.
pub type AnyBitTable = BitTable<AnyFollower>;

impl SmallBitTable {
    /// The table with everything ready that a search needs.
    ///
    /// # Errors
    /// The table as it was when it is of another kind or for a larger pattern.
    #[allow(clippy::result_large_err, reason = "the table goes back to the caller")]
    pub fn new(table: Table) -> Result<SmallBitTable, Table> {
        match table.index().small_follower().filter(|_| table.header().encoding() == Encoding::Bit) {
            Some(follower) => Ok(BitTable { follower: Arc::clone(follower), table }),
            None => Err(table),
        }
    }
}

impl AnyBitTable {
    /// The table with everything ready that a search needs.
    ///
    /// # Errors
    /// The table as it was when it is of another kind.
    #[allow(clippy::result_large_err, reason = "the table goes back to the caller")]
    pub fn new(table: Table) -> Result<AnyBitTable, Table> {
        match table.header().encoding() {
            Encoding::Bit => Ok(BitTable { follower: Arc::clone(table.index().any_follower()), table }),
            _ => Err(table),
        }
    }
}

impl<F> BitTable<F> {
    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<F: Follow> PatternCosts for BitTable<F> {
    fn pattern(&self) -> &Pattern {
        self.table.pattern()
    }

    fn counting(&self) -> Counting {
        self.table.counting()
    }

    fn reflection(&self) -> Symmetry {
        self.table.reflection()
    }

    fn locate(&self, state: &State) -> Place {
        self.table.locate(state)
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        self.table.cost(place)
    }

    #[inline(always)]
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64 {
        self.follower.step(standing, slide.from, slide.to);
        self.follower.state_number(standing, slide.from)
    }

    #[inline(always)]
    fn ask(&self, entry: u64) {
        prefetch(self.table.payload(), (entry / 8) as usize);
    }

    #[inline(always)]
    fn distance_after(&self, _before: u8, _slide: Slide) -> u8 {
        0
    }

    #[inline(always)]
    fn cost_after(&self, entry: u64, _distance: u8, before: u8) -> u8 {
        self.table.bit_cost_after(entry, before)
    }
}
