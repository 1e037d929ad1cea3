//! Tables of bits, for searches.

use std::sync::Arc;

use tilebase_format::Encoding;
use tilebase_memory::prefetch;
use tilebase_puzzle::index::{Counting, Follower, Place, Standing};
use tilebase_puzzle::{Pattern, PatternCosts, Slide, State};

use crate::table::Table;

/// A table that has one bit for each state. A search that knows that all its tables are such need not find out with every
/// node what to do with them; that saves a fifth of its instructions.
#[derive(Debug)]
pub struct BitTable {
    table: Table,
    follower: Arc<Follower>,
}

impl BitTable {
    /// The table as one of bits, with everything ready that a search needs.
    ///
    /// # Errors
    /// The table as it was when it is of another kind.
    #[allow(clippy::result_large_err, reason = "the table goes back to the caller")]
    pub fn new(table: Table) -> Result<BitTable, Table> {
        match table.header().encoding() {
            Encoding::Bit => Ok(BitTable { follower: Arc::clone(table.index().follower()), table }),
            _ => Err(table),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl PatternCosts for BitTable {
    fn pattern(&self) -> &Pattern {
        self.table.pattern()
    }

    fn counting(&self) -> Counting {
        self.table.counting()
    }

    fn locate(&self, state: &State) -> Place {
        self.table.locate(state)
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        self.table.cost(place)
    }

    #[inline(always)]
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64 {
        let slide = self.table.reflected_slide(slide);
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
