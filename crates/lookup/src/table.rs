//! An open table.

use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN};
use tilebase_format::{BlockHashes, Header};
use tilebase_index::{Follow, Index, Kind, Place, Row};
use tilebase_memory::prefetch;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Pattern, State, Symmetry};

use crate::bytes::{self, Bytes, OpenError};
use crate::coding::{bit, nibble};
use crate::entries::Entries;

/// Where a table is damaged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Damage {
    /// In the hashes of the blocks, so that it cannot be said which blocks are damaged.
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

/// A table that was not found to be whole.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VerifyError {
    /// It is damaged.
    Damaged(Damage),
    /// Whoever watched said to stop.
    Stopped,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Damaged(damage) => damage.fmt(f),
            VerifyError::Stopped => write!(f, "stopped before every byte was read"),
        }
    }
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VerifyError::Damaged(damage) => Some(damage),
            VerifyError::Stopped => None,
        }
    }
}

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
///
/// It gives the costs of single states by counting. A search makes its tables [ready](crate::TypedTable::ready) first.
#[derive(Clone, Debug)]
pub struct Table {
    header: Header,
    index: Arc<Index>,
    entries: Entries,
    goal: Row,
    /// The pattern that it is used for.
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
        Table { header, index, entries, goal, pattern, reflection: Symmetry::IDENTITY }
    }

    /// The same table, used for the pattern that `symmetry` turns into the one it was built for.
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

    /// Reads every byte and compares it with the hashes, on the threads of the current pool. Tells `watch` the length of each
    /// block.
    ///
    /// # Errors
    /// [`VerifyError`] says where the payload is not what it was when it was written, or that it was told to stop.
    pub fn verify(&self, watch: Watch<'_>) -> Result<(), VerifyError> {
        let hashes = BlockHashes::parse(&self.bytes().as_ref()[HEADER_LEN + self.payload().len()..]);
        if hashes.root() != self.header.hash() {
            return Err(VerifyError::Damaged(Damage::Hashes));
        }
        let damaged = hashes.damaged(self.payload(), |bytes| watch(&Event::Advance(bytes)));
        let blocks = damaged.ok_or(VerifyError::Stopped)?.into_iter().map(|number| {
            let (start, end) = (number * BLOCK_LEN, ((number + 1) * BLOCK_LEN).min(self.payload().len()));
            let place = |offset: usize| (HEADER_LEN + offset) as u64;
            DamagedBlock { number, bytes: place(start)..=place(end - 1) }
        });
        let blocks: Vec<DamagedBlock> = blocks.collect();
        if blocks.is_empty() { Ok(()) } else { Err(VerifyError::Damaged(Damage::Blocks(blocks))) }
    }

    /// The pattern that the table is used for: its own, or a mirror image of that.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// What kind of table it is.
    pub fn kind(&self) -> Kind {
        self.header.kind()
    }

    /// What turns the pattern that the table is used for into its own.
    pub fn reflection(&self) -> Symmetry {
        self.reflection
    }

    /// Where a state stands in the table.
    pub fn locate(&self, state: &State) -> Place {
        self.index.locate(self.header.pattern(), &state.seen_through(self.reflection))
    }

    /// The cost at a place. `None` when the place cannot be reached from the goal, which is never so for a solvable board, or
    /// when the table is damaged. In a table of bits this is a walk to the goal, whose rows are counted step by step.
    pub fn cost(&self, place: &Place) -> Option<u32> {
        if self.kind().is_blank_aware() {
            return self.walk_down(&*self.index, place);
        }
        let half = nibble(self.payload(), self.entry(place))?;
        Some(place.manhattan + 2 * u32::from(half))
    }

    /// The number of the entry that has the cost of a place.
    pub fn entry(&self, place: &Place) -> u64 {
        if self.kind().is_blank_aware() {
            self.index.state_number(place.row, place.perm)
        } else {
            self.index.entry_number(place.map, place.perm)
        }
    }

    /// The cost at a place in a table of bits, by walking down to the goal with a follower.
    pub(crate) fn walk_down(&self, follower: &impl Follow, place: &Place) -> Option<u32> {
        let payload = self.payload();
        let prefetch_bit = |entry| prefetch(payload, (entry / 8) as usize);
        let second_bit = |entry| bit(payload, entry).into();
        let start = (place.row, place.perm);
        self.index.walk_down_by(follower, self.goal, start, self.header.max(), prefetch_bit, second_bit)
    }
}
