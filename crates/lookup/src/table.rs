//! An open table.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN, UNREACHED_NIBBLE};
use tilebase_format::{BlockHashes, Header};
use tilebase_index::{Follow, Index, Kind, PatternCosts, Place, Row, Standing};
use tilebase_memory::prefetch;
use tilebase_puzzle::{Pattern, Slide, Square, State, Symmetry};

use crate::bytes::{self, Bytes, OpenError};
use crate::entries::Entries;

/// Where a table is damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Damage {
    /// In the hashes of the blocks, so that these cannot be told apart.
    Hashes,
    /// In these blocks of the payload.
    Blocks(Vec<DamagedBlock>),
}

/// A block that is not what it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedBlock {
    /// The number of the block, from 0.
    pub number: usize,
    /// Where it is in the file.
    pub bytes: std::ops::RangeInclusive<u64>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Hashes => write!(f, "the hashes of its blocks are damaged")?,
            Damage::Blocks(blocks) => {
                let ranges = blocks.iter().map(|DamagedBlock { number, bytes }| {
                    format!("{number} (bytes {} to {})", bytes.start(), bytes.end())
                });
                write!(f, "damaged in block {}", ranges.collect::<Vec<_>>().join(", "))?;
            }
        }
        write!(f, ": copy or build the table again")
    }
}

impl std::error::Error for Damage {}

/// What a table file says about itself; the payload is not looked at.
///
/// # Errors
/// [`OpenError`] names the file and what is wrong with its header or its length.
pub fn read_header(path: &Path) -> Result<Header, OpenError> {
    let (file, len) = bytes::open(path)?;
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    file.take(HEADER_LEN as u64).read_to_end(&mut bytes).map_err(|error| OpenError::io(path, error))?;
    let header = Header::parse(&bytes).and_then(|header| header.check_file_len(len as u64).map(|()| header));
    header.map_err(|error| OpenError::header(Some(path), error))
}

/// A table whose header is checked and whose length is right. Nothing in it can make a lookup panic: damaged entries
/// give wrong costs, which only reading every byte can find.
#[derive(Clone, Debug)]
pub struct Table {
    header: Header,
    index: Arc<Index>,
    entries: Entries,
    kind: Kind,
    /// Row and column of each square.
    lines: [(u8, u8); 32],
    goal: Row,
    /// The pattern that is asked about.
    pattern: Pattern,
    /// What turns that pattern into the header's: a mirror image has the same costs.
    reflection: Symmetry,
}

impl Table {
    /// Opens a table wherever its bytes are.
    ///
    /// # Errors
    /// [`OpenError::Header`] when they are not a whole table.
    pub fn new(bytes: Bytes) -> Result<Table, OpenError> {
        Table::open(bytes, None)
    }

    /// Opens a file by reading it into memory.
    ///
    /// # Errors
    /// [`OpenError`] names the file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Table, OpenError> {
        Table::open(Bytes::read(path)?, Some(path))
    }

    fn open(bytes: Bytes, path: Option<&Path>) -> Result<Table, OpenError> {
        let header = Table::check(&bytes).map_err(|error| OpenError::header(path, error))?;
        let index = Arc::new(header.index());
        Ok(Table::with_index(header, bytes, index))
    }

    pub(crate) fn check(bytes: &Bytes) -> Result<Header, tilebase_format::HeaderError> {
        let bytes = bytes.as_ref();
        let header = Header::parse(bytes)?;
        header.check_file_len(bytes.len() as u64)?;
        Ok(header)
    }

    /// A table whose header is that of the bytes, with an index that other tables may share.
    pub(crate) fn with_index(header: Header, bytes: Bytes, index: Arc<Index>) -> Table {
        let pattern = *header.pattern();
        let goal = index.row_of(pattern.mask(), pattern.home());
        let entries = Entries::new(bytes, HEADER_LEN..HEADER_LEN + header.payload_len() as usize);
        let mut lines = [(0, 0); 32];
        for square in pattern.size().squares() {
            let (row, column) = pattern.size().row_column(square);
            lines[square.index()] = (row as u8, column as u8);
        }
        Table { kind: header.kind(), lines, header, index, entries, goal, pattern, reflection: Symmetry::IDENTITY }
    }

    /// The same table, to be asked about the pattern that `symmetry` turns into the one it was built for.
    #[must_use]
    pub(crate) fn reflected(self, pattern: &Pattern, symmetry: Symmetry) -> Table {
        debug_assert_eq!(pattern.seen_through(symmetry), *self.header.pattern());
        Table { pattern: *pattern, reflection: symmetry, ..self }
    }

    /// The index of the entries.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the bytes are.
    pub fn bytes(&self) -> &Bytes {
        self.entries.bytes()
    }

    /// The entries, as in the file.
    #[inline(always)]
    pub fn payload(&self) -> &[u8] {
        &self.entries
    }

    /// Reads every byte and compares it with the hashes, on the threads of the current pool. Calls `progress` with the
    /// length of each block.
    ///
    /// # Errors
    /// [`Damage`] says where the payload is not what it was when it was written.
    pub fn verify(&self, progress: impl Fn(u64) + Sync) -> Result<(), Damage> {
        let hashes = BlockHashes::parse(&self.bytes().as_ref()[HEADER_LEN + self.payload().len()..]);
        if hashes.root() != self.header.hash() {
            return Err(Damage::Hashes);
        }
        let damaged: Vec<DamagedBlock> = hashes
            .damaged(self.payload(), progress)
            .into_iter()
            .map(|number| {
                let (start, end) = (number * BLOCK_LEN, ((number + 1) * BLOCK_LEN).min(self.payload().len()));
                let place = |offset: usize| (HEADER_LEN + offset) as u64;
                DamagedBlock { number, bytes: place(start)..=place(end - 1) }
            })
            .collect();
        if damaged.is_empty() { Ok(()) } else { Err(Damage::Blocks(damaged)) }
    }

    /// The number of the entry that has the cost of a place.
    pub fn entry(&self, place: &Place) -> u64 {
        if self.kind.is_blank_aware() {
            self.index.state_number(place.row, place.perm)
        } else {
            self.index.entry_number(place.map, place.perm)
        }
    }

    /// The cost of a state whose neighbour costs `before`, from its second bit.
    #[inline(always)]
    pub(crate) fn bit_cost_after(&self, entry: u64, before: u8) -> u8 {
        // The two candidates, one more and one less, differ in it.
        let more = (before.wrapping_add(1) >> 1 ^ self.bit(entry) ^ 1) & 1;
        before.wrapping_add(2 * more).wrapping_sub(1)
    }

    /// The cost of a state in a table of bits, by walking down to the goal with what follows its states.
    pub(crate) fn walk_down_by(&self, follower: &impl Follow, place: &Place) -> Option<u32> {
        let start = (place.row, place.perm);
        let (ask, bit) = (|entry| self.prefetch_bit(entry), |entry| self.bit(entry).into());
        self.index.walk_down_by(follower, self.goal, start, self.header.max(), ask, bit)
    }

    /// Fetches an entry of a table of bits that will be read soon.
    #[inline(always)]
    pub(crate) fn prefetch_bit(&self, entry: u64) {
        prefetch(&self.entries, (entry / 8) as usize);
    }

    /// An entry of a table of bits: the second bit of the cost of a state.
    #[inline(always)]
    fn bit(&self, entry: u64) -> u8 {
        self.entries[(entry / 8) as usize] >> (entry % 8) & 1
    }

    /// The cost of an entry of a nibble table, absolute.
    #[inline]
    fn nibble_cost(&self, place: &Place) -> Option<u32> {
        let entry = self.index.entry_number(place.map, place.perm);
        let half = self.payload()[(entry / 2) as usize] >> (entry % 2 * 4) & 15;
        (half < UNREACHED_NIBBLE).then(|| place.manhattan + 2 * u32::from(half))
    }
}

impl PatternCosts for Table {
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn reflection(&self) -> Symmetry {
        self.reflection
    }

    fn locate(&self, state: &State) -> Place {
        self.index.locate(self.header.pattern(), &state.seen_through(self.reflection))
    }

    fn cost(&self, place: &Place) -> Option<u32> {
        // Whoever asks about a few places only need not make what follows states.
        if self.kind.is_blank_aware() { self.walk_down_by(&*self.index, place) } else { self.nibble_cost(place) }
    }

    #[inline(always)]
    fn step(&self, standing: &mut Standing, slide: Slide) -> u64 {
        let follower = self.index.any_follower();
        if !self.kind.counts_all_moves() || self.header.pattern().contains(slide.tile) {
            follower.step(standing, slide.from, slide.to);
        }
        if self.kind.is_blank_aware() {
            follower.state_number(standing, slide.from)
        } else {
            follower.entry_number(standing)
        }
    }

    #[inline(always)]
    fn prefetch(&self, entry: u64) {
        if self.kind.is_blank_aware() { self.prefetch_bit(entry) } else { prefetch(&self.entries, (entry / 2) as usize) }
    }

    #[inline(always)]
    fn distance_after(&self, before: u8, slide: Slide) -> u8 {
        if self.kind.is_blank_aware() {
            return 0;
        }
        let line = |square: Square| self.lines[square.index() % 32];
        let (goal_row, goal_column) = line(slide.tile.goal());
        let distance = |(row, column): (u8, u8)| row.abs_diff(goal_row) + column.abs_diff(goal_column);
        (before + distance(line(slide.to))).wrapping_sub(distance(line(slide.from)))
    }

    #[inline(always)]
    fn cost_after(&self, entry: u64, distance: u8, before: u8) -> u8 {
        if !self.kind.is_blank_aware() {
            let half = self.entries[(entry / 2) as usize] >> (entry % 2 * 4) & 15;
            // Unreached entries are for boards that no solvable one leads to, or of damaged tables.
            return if half < UNREACHED_NIBBLE { distance + 2 * half } else { before };
        }
        self.bit_cost_after(entry, before)
    }
}
