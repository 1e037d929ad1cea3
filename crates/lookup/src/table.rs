//! An open table.

#[cfg(feature = "files")]
pub(crate) mod whole;

use std::path::Path;
use std::sync::Arc;

use tilebase_format::Header;
use tilebase_format::layout::HEADER_LEN;
use tilebase_index::{Follow, Index, Kind, LineIndex, Place, Row};
use tilebase_memory::prefetch;
use tilebase_puzzle::{Pattern, State, Symmetry};

use crate::bytes::{Bytes, OpenError};
use crate::coding::{bit, nibble};
use crate::entries::Entries;

/// The header of a table, given its first bytes and the length of all.
pub(crate) fn check(start: &[u8], len: u64, path: Option<&Path>) -> Result<Header, OpenError> {
    let header = Header::parse(start).and_then(|header| header.of_file_len(len));
    header.map_err(|error| OpenError::Header { path: path.map(Path::to_owned), error })
}

/// How it is known that a table is what its hashes say. There are no other ways, so that a match may name all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verified {
    /// Every byte was compared with its hash when the table was opened.
    Now,
    /// Every byte was compared some time ago, and the file has not changed since.
    Earlier,
    /// It is not known.
    Not,
    /// The bytes are part of the program, or were made by it.
    OfProgram,
}

/// A table whose header is checked and whose length is right. Nothing in it can make a lookup panic: damaged entries
/// give wrong costs, which only reading every byte can find. [`verified`](Table::verified) says whether that has been done.
///
/// It gives the costs of single states by counting. A search makes its tables [ready](crate::TypedTable::ready) first.
#[derive(Clone, Debug)]
pub struct Table {
    header: Header,
    pub(crate) numbering: Numbering,
    pub(crate) entries: Entries,
    /// The pattern that it is used for.
    pattern: Pattern,
    /// What turns that pattern into the header's: a mirror image has the same costs.
    reflection: Symmetry,
    /// Where the bytes came from, if that was a file.
    #[cfg(feature = "files")]
    file: Option<Arc<crate::open_file::OpenFile>>,
    verified: Verified,
}

/// How the entries are numbered.
#[derive(Clone, Debug)]
pub(crate) enum Numbering {
    /// By states; the goal is in a row.
    States(Arc<Index>, Row),
    /// By lines.
    Lines(Arc<LineIndex>),
}

impl Numbering {
    pub(crate) fn new(header: &Header) -> Numbering {
        let pattern = header.pattern();
        if header.kind() == Kind::Lines {
            let index = LineIndex::new(pattern.size(), pattern.len());
            return Numbering::Lines(Arc::new(index.expect("a checked header has an index")));
        }
        let index = header.index().expect("a checked header of another kind has an index");
        Numbering::of_index(header, Arc::new(index))
    }

    /// By states, with an index that other tables may share.
    pub(crate) fn of_index(header: &Header, index: Arc<Index>) -> Numbering {
        let goal = index.row_of(header.pattern().mask(), header.pattern().home());
        Numbering::States(index, goal)
    }
}

impl Table {
    /// Opens a table wherever its bytes are. They are believed.
    pub fn new(bytes: Bytes) -> Result<Table, OpenError> {
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, None)?;
        let numbering = Numbering::new(&header);
        Ok(Table::with_numbering(header, bytes, numbering))
    }

    /// A table whose header is that of the bytes, with an index that other tables may share.
    pub(crate) fn with_numbering(header: Header, bytes: Bytes, numbering: Numbering) -> Table {
        let pattern = *header.pattern();
        let entries = Entries::new(bytes, HEADER_LEN..HEADER_LEN + header.payload_len() as usize);
        Table {
            header,
            numbering,
            entries,
            pattern,
            reflection: Symmetry::IDENTITY,
            #[cfg(feature = "files")]
            file: None,
            verified: Verified::OfProgram,
        }
    }

    /// How it is known that the table is what its hashes say.
    pub fn verified(&self) -> Verified {
        self.verified
    }

    /// The same table, used for the pattern that `symmetry` turns into the one it was built for.
    #[must_use]
    pub(crate) fn reflected(self, pattern: &Pattern, symmetry: Symmetry) -> Table {
        debug_assert_eq!(pattern.seen_through(symmetry), *self.header.pattern());
        Table { pattern: *pattern, reflection: symmetry, ..self }
    }

    /// The index of the entries. `None` when the table is one of [lines](Kind::Lines): it has entries for lines, not for states, and a
    /// [`LineTable`](crate::LineTable) reads them.
    pub fn index(&self) -> Option<&Index> {
        self.index_and_goal().map(|(index, _)| &**index)
    }

    pub(crate) fn index_and_goal(&self) -> Option<(&Arc<Index>, Row)> {
        match &self.numbering {
            Numbering::States(index, goal) => Some((index, *goal)),
            Numbering::Lines(_) => None,
        }
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the bytes are.
    pub fn bytes(&self) -> &Bytes {
        &self.entries.bytes
    }

    /// The entries, as in the file.
    #[inline(always)]
    pub fn payload(&self) -> &[u8] {
        &self.entries
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

    /// Where a state stands in the table. `None` when the table is one of [lines](Kind::Lines), or the state is of another puzzle.
    pub fn locate(&self, state: &State) -> Option<Place> {
        let is_of_puzzle = (state.size(), state.home()) == (self.pattern.size(), self.pattern.home());
        let index = self.index().filter(|_| is_of_puzzle)?;
        Some(index.locate(self.header.pattern(), &state.seen_through(self.reflection)))
    }

    /// The cost at a place. `None` when the place cannot be reached from the goal, which is never so for a solvable board, when
    /// the table has no such place, or when it is damaged. In a table of bits this is a walk to the goal, whose rows are counted
    /// step by step.
    pub fn cost(&self, place: &Place) -> Option<u32> {
        if self.kind().is_blank_aware() {
            return self.walk_down(self.index()?, place);
        }
        let half = nibble(self.payload(), self.entry(place)?)?;
        place.manhattan.checked_add(2 * u32::from(half))
    }

    /// The number of the entry that has the cost of a place. `None` when the table has no such place.
    pub fn entry(&self, place: &Place) -> Option<u64> {
        let index = self.index()?;
        let entry = if self.kind().is_blank_aware() {
            index.state_number(place.row, place.perm)
        } else {
            index.entry_number(place.map, place.perm)
        };
        (place.perm.0 < index.perms() && entry < self.header.entries()).then_some(entry)
    }

    /// The cost at a place in a table of bits, by walking down to the goal with a follower.
    pub(crate) fn walk_down(&self, follower: &impl Follow, place: &Place) -> Option<u32> {
        self.entry(place)?;
        let payload = self.payload();
        let prefetch_bit = |entry| prefetch(payload, (entry / 8) as usize);
        let second_bit = |entry| bit(payload, entry).into();
        let start = (place.row, place.perm);
        let (index, goal) = self.index_and_goal()?;
        index.walk_down_by(follower, goal, start, self.header.max(), prefetch_bit, second_bit)
    }
}
