//! An open table.

use std::path::Path;
use std::sync::Arc;

use tilebase_format::layout::HEADER_LEN;
use tilebase_format::{Encoding, Header};
use tilebase_puzzle::index::{Index, Perm, Place, Row};
use tilebase_puzzle::{Pattern, PatternCosts};

use crate::bytes::{Bytes, OpenError};

/// The nibble of an entry that cannot be reached.
const UNREACHED: u8 = 15;

/// A table whose header is checked and whose length is right. Nothing in it can make a lookup panic: damaged entries
/// give wrong costs, which only reading every byte can find.
#[derive(Debug)]
pub struct Table {
    header: Header,
    index: Arc<Index>,
    bytes: Bytes,
    goal: Row,
    goal_colour: u32,
}

impl Table {
    /// Opens a table wherever its bytes are.
    ///
    /// # Errors
    /// [`OpenError::Header`] when they are not a whole table.
    pub fn new(bytes: Bytes) -> Result<Table, OpenError> {
        let header = Table::check(&bytes).map_err(|error| OpenError::header(None, error))?;
        let index = Index::of(header.pattern()).expect("a checked header has an index");
        Ok(Table::with_index(header, bytes, Arc::new(index)))
    }

    /// Opens a file by reading it into memory.
    ///
    /// # Errors
    /// [`OpenError`] names the file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Table, OpenError> {
        let bytes = Bytes::read(path)?;
        let header = Table::check(&bytes).map_err(|error| OpenError::header(Some(path), error))?;
        let index = Index::of(header.pattern()).expect("a checked header has an index");
        Ok(Table::with_index(header, bytes, Arc::new(index)))
    }

    pub(crate) fn check(bytes: &Bytes) -> Result<Header, tilebase_format::HeaderError> {
        let bytes = bytes.as_ref();
        let header = Header::parse(bytes)?;
        header.check_file_len(bytes.len() as u64)?;
        Ok(header)
    }

    /// A table whose header is that of the bytes, with an index that other tables may share.
    pub(crate) fn with_index(header: Header, bytes: Bytes, index: Arc<Index>) -> Table {
        let pattern = header.pattern();
        let goal_map = index.map(pattern.mask());
        let (goal, goal_colour) = (index.row(goal_map, pattern.home()), index.colour(goal_map));
        Table { header, index, bytes, goal, goal_colour }
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the bytes are.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    #[inline]
    fn payload(&self) -> &[u8] {
        &self.bytes.as_ref()[HEADER_LEN..]
    }

    /// The second bit of the cost of a state.
    #[inline]
    fn bit(&self, row: Row, perm: Perm) -> u32 {
        let entry = self.index.state_number(row, perm);
        u32::from(self.payload()[(entry / 8) as usize] >> (entry % 8)) & 1
    }

    /// The cost of a state, modulo 4: the first bit follows from the map, the second is in the table.
    fn cost_mod_4(&self, row: Row, perm: Perm) -> u32 {
        let odd = self.index.colour(self.index.map_of(row)) ^ self.goal_colour;
        2 * self.bit(row, perm) + odd
    }

    /// The cost of a state by walking downhill, a step at a time, to the goal.
    fn walk(&self, mut row: Row, mut perm: Perm) -> Option<u32> {
        for steps in 0..=self.header.max() {
            if row == self.goal && perm == Perm(0) {
                return Some(steps);
            }
            let below = (self.cost_mod_4(row, perm) + 3) % 4;
            let mut moves = self.index.moves(row).map(|step| {
                let rotation = self.index.rotations().get(step.leaves, step.enters);
                (step.row, rotation.apply(perm))
            });
            (row, perm) = moves.find(|&(row, perm)| self.cost_mod_4(row, perm) == below)?;
        }
        None
    }

    /// The cost of an entry of a nibble table, absolute.
    #[inline]
    fn nibble_cost(&self, place: &Place) -> Option<u32> {
        let entry = self.index.entry_number(place.map, place.perm);
        let half = self.payload()[(entry / 2) as usize] >> (entry % 2 * 4) & 15;
        (half < UNREACHED).then(|| place.manhattan + 2 * u32::from(half))
    }
}

impl PatternCosts for Table {
    fn pattern(&self) -> &Pattern {
        self.header.pattern()
    }

    #[inline]
    fn index(&self) -> &Index {
        &self.index
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        match self.header.encoding() {
            Encoding::Bit => self.walk(place.row, place.perm),
            Encoding::Nibble => self.nibble_cost(place),
        }
    }

    #[inline]
    fn cost_after(&self, place: &Place, before: u32) -> u32 {
        match self.header.encoding() {
            // The two candidates, one more and one less, differ in their second bit.
            Encoding::Bit if self.bit(place.row, place.perm) == (before + 1) >> 1 & 1 => before + 1,
            Encoding::Bit => before.saturating_sub(1),
            Encoding::Nibble => self.nibble_cost(place).unwrap_or(before),
        }
    }
}
