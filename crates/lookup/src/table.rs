//! An open table.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use tilebase_format::layout::{BLOCK_LEN, HEADER_LEN};
use tilebase_format::{BlockHashes, Header};
use tilebase_index::{Follow, Index, Kind, Place, Row};
use tilebase_memory::prefetch;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Pattern, State, Symmetry};

use crate::bytes::{Bytes, OpenError, OpenFile};
use crate::coding::{bit, nibble};
use crate::entries::Entries;
use crate::verified::VerifiedFiles;

/// A table that was not found to be whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The hashes of the blocks are damaged, so that it cannot be said which blocks are.
    #[error("the hashes of its blocks are damaged: copy or build the table again")]
    Hashes,
    /// These blocks of the payload are damaged: their numbers, from 0, and where they are in the file.
    #[error("damaged in block {}: copy or build the table again", list(.0))]
    Blocks(Vec<(usize, RangeInclusive<u64>)>),
    /// The file lost its end while the table was in use.
    #[error("cut short while it was in use: copy or build the table again")]
    CutShort,
    /// Whoever watched said to stop.
    #[error("stopped before every byte was read")]
    Stopped,
}

impl VerifyError {
    /// These blocks of a payload of `len` bytes are damaged.
    pub(crate) fn of_blocks(numbers: Vec<usize>, len: usize) -> VerifyError {
        let with_places = numbers.into_iter().map(|number| {
            let (start, end) = (number * BLOCK_LEN, ((number + 1) * BLOCK_LEN).min(len));
            let place = |offset: usize| (HEADER_LEN + offset) as u64;
            (number, place(start)..=place(end - 1))
        });
        VerifyError::Blocks(with_places.collect())
    }
}

fn list(blocks: &[(usize, RangeInclusive<u64>)]) -> String {
    let texts = blocks.iter().map(|(number, at)| format!("{number} (bytes {} to {})", at.start(), at.end()));
    texts.collect::<Vec<_>>().join(", ")
}

/// What a table file says about itself; the payload is not looked at.
pub fn read_header(path: &Path) -> Result<Header, OpenError> {
    OpenFile::open(path).map(|file| file.header)
}

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
    index: Arc<Index>,
    pub(crate) entries: Entries,
    goal: Row,
    /// The pattern that it is used for.
    pattern: Pattern,
    /// What turns that pattern into the header's: a mirror image has the same costs.
    reflection: Symmetry,
    /// Where the bytes came from, if that was a file.
    file: Option<Arc<OpenFile>>,
    verified: Verified,
}

impl Table {
    /// Opens a table wherever its bytes are. They are believed.
    pub fn new(bytes: Bytes) -> Result<Table, OpenError> {
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, None)?;
        let index = Arc::new(header.index());
        Ok(Table::with_index(header, bytes, index))
    }

    /// Opens a file by reading it into memory. Nothing but its header is checked: see [`verify`](Table::verify).
    pub fn read_unverified(path: &Path) -> Result<Table, OpenError> {
        let file = OpenFile::open(path)?;
        let bytes = file.read()?;
        let header = check(bytes.as_ref(), bytes.as_ref().len() as u64, Some(path))?;
        let index = Arc::new(header.index());
        Ok(Table::with_index(header, bytes, index).opened_from(file))
    }

    /// A table whose header is that of the bytes, with an index that other tables may share.
    pub(crate) fn with_index(header: Header, bytes: Bytes, index: Arc<Index>) -> Table {
        let pattern = *header.pattern();
        let goal = index.row_of(pattern.mask(), pattern.home());
        let entries = Entries::new(bytes, HEADER_LEN..HEADER_LEN + header.payload_len() as usize);
        Table {
            header,
            index,
            entries,
            goal,
            pattern,
            reflection: Symmetry::IDENTITY,
            file: None,
            verified: Verified::OfProgram,
        }
    }

    /// The same table, whose bytes came from a file.
    pub(crate) fn opened_from(self, file: OpenFile) -> Table {
        Table { file: Some(Arc::new(file)), verified: Verified::Not, ..self }
    }

    /// The same table, known to be whole: because that is remembered of its file, or because every byte is compared with its
    /// hash now, on the threads of the current pool.
    pub(crate) fn known_whole(self, remembered: Option<&VerifiedFiles>, watch: Watch<'_>) -> Result<Table, OpenError> {
        let Some(file) = &self.file else { return Ok(self) };
        if remembered.is_some_and(|files| files.contain(&file.path, &file.state, &self.header)) {
            return Ok(Table { verified: Verified::Earlier, ..self });
        }
        let what = format!("verifying {}", self.header.file_name());
        let _ = watch(&Event::Begin { what: &what, total: self.header.payload_len() });
        let verified = self.verify(watch);
        let _ = watch(&Event::End);
        self.of_file(verified)?;
        if let Some(files) = remembered.filter(|_| file.state_now().is_ok_and(|state| state == file.state)) {
            files.remember(&file.path, &file.state, &self.header);
        }
        Ok(Table { verified: Verified::Now, ..self })
    }

    /// The same table, its bytes elsewhere: a copy of the same file.
    pub(crate) fn moved_to(&self, bytes: Bytes, verified: Verified) -> Table {
        let entries = Entries::new(bytes, HEADER_LEN..HEADER_LEN + self.header.payload_len() as usize);
        Table { entries, verified, ..self.clone() }
    }

    /// The open file that the bytes came from, if they did.
    pub(crate) fn file(&self) -> Option<&OpenFile> {
        self.file.as_deref()
    }

    /// How it is known that the table is what its hashes say.
    pub fn verified(&self) -> Verified {
        self.verified
    }

    /// The file that it was opened from, if it was.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| &*file.path)
    }

    /// Makes sure that what was read from the table still counts: if it is mapped, and anything about its file has changed since it
    /// was opened, every byte is compared with its hash again. Otherwise this takes a microsecond.
    pub fn confirm(&self) -> Result<(), OpenError> {
        let (Some(file), Bytes::Mapped(_)) = (&self.file, self.bytes()) else { return Ok(()) };
        let now = file.state_now().map_err(|error| OpenError::io(&file.path, error))?;
        let mut confirmed = file.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        if *confirmed == now {
            return Ok(());
        }
        if now.len < file.state.len {
            return self.of_file(Err(VerifyError::CutShort));
        }
        self.verify_alone()?;
        *confirmed = now;
        Ok(())
    }

    /// What was found out about the table; an error says which file it is.
    fn of_file(&self, verified: Result<(), VerifyError>) -> Result<(), OpenError> {
        verified.map_err(|error| OpenError::NotWhole(self.path().unwrap_or(Path::new("")).to_owned(), error))
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
        &self.entries.bytes
    }

    /// The entries, as in the file.
    #[inline(always)]
    pub fn payload(&self) -> &[u8] {
        &self.entries
    }

    /// Reads every byte and compares it with the hashes, on the threads of the current pool. Tells `watch` the length of each
    /// block.
    pub fn verify(&self, watch: Watch<'_>) -> Result<(), VerifyError> {
        self.verify_by(|hashes, payload| hashes.damaged(payload, |bytes| watch(&Event::Advance(bytes))))
    }

    /// The same on this thread alone, for whoever holds a lock or must not wait for a pool's threads, which may be waiting for him.
    pub fn verify_alone(&self) -> Result<(), OpenError> {
        self.of_file(self.verify_by(|hashes, payload| Some(hashes.damaged_alone(payload))))
    }

    fn verify_by(&self, damaged: impl Fn(&BlockHashes, &[u8]) -> Option<Vec<usize>>) -> Result<(), VerifyError> {
        let hashes = BlockHashes::parse(&self.bytes().as_ref()[HEADER_LEN + self.payload().len()..]);
        if hashes.root() != self.header.hash() {
            return Err(VerifyError::Hashes);
        }
        let blocks = damaged(&hashes, self.payload()).ok_or(VerifyError::Stopped)?;
        if blocks.is_empty() { Ok(()) } else { Err(VerifyError::of_blocks(blocks, self.payload().len())) }
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
