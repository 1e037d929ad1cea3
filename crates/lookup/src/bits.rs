//! Tables of bits, for searches.

use std::sync::Arc;

use tilebase_index::{AnyFollower, Follow, Kind, PatternCosts, Place, SmallFollower, Standing};
use tilebase_puzzle::{Pattern, Slide, State, Symmetry};

use crate::table::Table;

/// A table that has one bit for each state, with what follows its states. A search that knows that all its tables are such
/// need not find out with every node what to do with them; that saves it a third of its instructions.
#[derive(Debug)]
pub struct BitTable<F> {
    table: Table,
    follower: Arc<F>,
}

impl<F> Clone for BitTable<F> {
    fn clone(&self) -> BitTable<F> {
        BitTable { table: self.table.clone(), follower: Arc::clone(&self.follower) }
    }
}

/// A table of bits for a pattern of few tiles on a board of few squares, which a [`SmallFollower`] can follow.
pub type SmallBitTable = BitTable<SmallFollower>;

/// A table of bits for any pattern.
pub type AnyBitTable = BitTable<AnyFollower>;

impl SmallBitTable {
    /// Whether a table is one.
    pub fn suits(table: &Table) -> bool {
        table.header().kind() == Kind::Bit && table.index().small_follower().is_some()
    }

    /// The table with everything ready that a search needs.
    ///
    /// # Panics
    /// When the table is none that [suits](SmallBitTable::suits).
    pub fn new(table: Table) -> SmallBitTable {
        assert!(SmallBitTable::suits(&table), "the table has a bit for each state, and few tiles on few squares");
        let follower = table.index().small_follower().expect("there is one for every such table");
        BitTable { follower: Arc::clone(follower), table }
    }
}

impl AnyBitTable {
    /// Whether a table is one.
    pub fn suits(table: &Table) -> bool {
        table.header().kind() == Kind::Bit
    }

    /// The table with everything ready that a search needs.
    ///
    /// # Panics
    /// When the table is none that [suits](AnyBitTable::suits).
    pub fn new(table: Table) -> AnyBitTable {
        assert!(AnyBitTable::suits(&table), "the table has a bit for each state");
        BitTable { follower: Arc::clone(table.index().any_follower()), table }
    }
}

impl<F> BitTable<F> {
    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<F: Follow> PatternCosts for BitTable<F> {
    const MOST_SQUARES: usize = F::MOST_SQUARES;

    fn pattern(&self) -> &Pattern {
        self.table.pattern()
    }

    fn kind(&self) -> Kind {
        self.table.kind()
    }

    fn reflection(&self) -> Symmetry {
        self.table.reflection()
    }

    fn locate(&self, state: &State) -> Place {
        self.table.locate(state)
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        self.table.walk_down_by(&*self.follower, place)
    }

    #[inline(always)]
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64 {
        self.follower.step(standing, slide.from, slide.to);
        self.follower.state_number(standing, slide.from)
    }

    #[inline(always)]
    fn prefetch(&self, entry: u64) {
        self.table.prefetch_bit(entry);
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
