//! The header of a table, checked.

use tilebase_index::{Extent, Index, IndexError, Kind, MAX_TILES};
use tilebase_puzzle::{Pattern, PatternError, Size, SizeError, Square};

#[cfg(feature = "blake3")]
use crate::blocks::{BlockHashes, hash};
use crate::layout::{
    Field, HASH_LEN, HEADER_LEN, HISTOGRAM_LEN, MAGIC, RANKING, RANKING_OF_LINES, VERSION, at, hashes_len,
};

/// How files start that the `zstd` program makes.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The fields `encoding`, `counting` and `ranking` of the header.
fn codes(kind: Kind) -> (u8, u8, u8) {
    match kind {
        Kind::Bit => (1, 1, RANKING),
        Kind::Nibble => (2, 1, RANKING),
        Kind::AllMoves => (1, 2, RANKING),
        Kind::Lines => (3, 3, RANKING_OF_LINES),
        _ => unreachable!("every kind has its codes"),
    }
}

/// All that is known about a table without looking at its payload. Every value of this type is consistent in itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    minor: u16,
    pattern: Pattern,
    kind: Kind,
    entries: u64,
    histogram: Vec<u64>,
    hash: [u8; HASH_LEN],
}

impl Header {
    /// Reads the header at the start of a file. Takes the time that one hash of 4 kB and counting the pattern's rows take: some
    /// ten microseconds.
    pub fn parse(bytes: &[u8]) -> Result<Header, HeaderError> {
        if bytes.is_empty() {
            return Err(HeaderError::Empty);
        }
        if bytes.starts_with(&ZSTD_MAGIC) {
            return Err(HeaderError::Packed);
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(HeaderError::Magic);
        }
        if bytes.len() < HEADER_LEN {
            return Err(HeaderError::Length { expected: HEADER_LEN as u64, found: bytes.len() as u64 });
        }
        let raw = |field: Field| &bytes[field.offset..][..field.len];
        let number = |field: Field| raw(field).iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let (major, minor) = (number(at::MAJOR) as u16, number(at::MINOR) as u16);
        if major != VERSION.0 {
            return Err(HeaderError::Version(major, minor));
        }
        #[cfg(feature = "blake3")]
        if checksum(bytes) != raw(at::CHECKSUM) {
            return Err(HeaderError::Checksum);
        }
        let size = Size::new(number(at::WIDTH) as usize, number(at::HEIGHT) as usize)?;
        let pattern = Pattern::from_mask(size, Square(number(at::HOME) as u8), number(at::TILES) as u32)?;
        let unknown = |field: Field| HeaderError::Unknown(field.name, number(field));
        let (code, counting) = (number(at::ENCODING) as u8, number(at::COUNTING) as u8);
        let mut same_code = Kind::ALL.into_iter().filter(|&kind| codes(kind).0 == code).peekable();
        same_code.peek().ok_or_else(|| unknown(at::ENCODING))?;
        let kind = same_code.find(|&kind| codes(kind).1 == counting).ok_or_else(|| unknown(at::COUNTING))?;
        if number(at::RANKING) != u64::from(codes(kind).2) {
            return Err(unknown(at::RANKING));
        }
        let entries = entries_of(&pattern, kind)?;
        let found = number(at::ENTRIES);
        if found != entries {
            return Err(HeaderError::Entries { expected: entries, found });
        }
        let counts = raw(at::HISTOGRAM).as_chunks().0;
        let mut histogram: Vec<u64> = counts.iter().map(|&count| u64::from_le_bytes(count)).collect();
        while histogram.pop_if(|count| *count == 0).is_some() {}
        let hash = raw(at::HASH).try_into().expect("the field has the length of a hash");
        Header { minor, pattern, kind, entries, histogram, hash }.checked(number(at::PAYLOAD))
    }

    /// The header, if a file with it has the length that it must have; otherwise [`HeaderError::Length`].
    pub fn of_file_len(self, found: u64) -> Result<Header, HeaderError> {
        let expected = self.file_len();
        if found == expected { Ok(self) } else { Err(HeaderError::Length { expected, found }) }
    }

    /// Major and minor version of the format.
    pub fn version(&self) -> (u16, u16) {
        (VERSION.0, self.minor)
    }

    /// The pattern whose costs the table has.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// What kind of table it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How many entries have the cost 0, 1, 2, …, up to the largest.
    pub fn histogram(&self) -> &[u64] {
        &self.histogram
    }

    /// The largest cost.
    pub fn max(&self) -> u32 {
        self.histogram.len() as u32 - 1
    }

    /// The index that the entries are numbered by. Takes as long as [`Index::new`].
    ///
    /// # Errors
    /// [`IndexError::Lines`] when the table is one of [lines](Kind::Lines), which has a [`LineIndex`](tilebase_index::LineIndex).
    pub fn index(&self) -> Result<Index, IndexError> {
        Index::new(self.pattern.size(), self.pattern.len(), self.kind)
    }

    /// The hash that stands for the payload: that of its block hashes.
    pub fn hash(&self) -> [u8; HASH_LEN] {
        self.hash
    }

    /// The hash in hexadecimal digits.
    pub fn hash_text(&self) -> String {
        let digits = self.hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.map(|digit| char::from_digit(digit.into(), 16).expect("four bits are a digit")).collect()
    }

    /// The mean cost of an entry that can be reached.
    pub fn mean(&self) -> f64 {
        mean(&self.histogram)
    }

    /// Bytes of payload.
    pub fn payload_len(&self) -> u64 {
        self.kind.payload_len(self.entries)
    }

    /// Bytes of the whole file.
    pub fn file_len(&self) -> u64 {
        file_len(self.payload_len())
    }

    /// The name under which the program keeps the table.
    pub fn file_name(&self) -> String {
        Header::file_name_of(&self.pattern, self.kind)
    }

    /// The name under which the program keeps a table.
    pub fn file_name_of(pattern: &Pattern, kind: Kind) -> String {
        let tiles = pattern.to_string().replace(',', ".");
        format!("{}-{}-{tiles}.{kind}.tbl", pattern.size(), pattern.home().0)
    }

    /// The header, if a payload has the length that it must have and the histogram is sound: exactly one entry costs nothing, or two
    /// lines that cross in the goal, and not more entries are counted than there are. A blank-aware table has an entry of every cost up to the largest; a
    /// collapsed one may skip some.
    fn checked(self, payload: u64) -> Result<Header, HeaderError> {
        if payload != self.payload_len() {
            return Err(HeaderError::Payload { expected: self.payload_len(), found: payload });
        }
        let goals = if self.kind == Kind::Lines { 2 } else { 1 };
        let sound = self.histogram.first() == Some(&goals)
            && self.histogram.len() < HISTOGRAM_LEN
            && self.histogram.last().is_some_and(|&count| count > 0)
            && (!self.kind.is_blank_aware() || self.histogram.iter().all(|&count| count > 0))
            && total(&self.histogram) <= u128::from(self.entries);
        if sound { Ok(self) } else { Err(HeaderError::Histogram) }
    }
}

/// Headers of new tables have hashes.
#[cfg(feature = "blake3")]
impl Header {
    /// The header for a payload.
    ///
    /// # Errors
    /// [`HeaderError`] when the payload or the histogram cannot be of such a table.
    pub fn new(pattern: Pattern, kind: Kind, histogram: Vec<u64>, payload: &[u8]) -> Result<Header, HeaderError> {
        Header::with_hashes(pattern, kind, histogram, payload.len() as u64, &BlockHashes::of(payload))
    }

    /// The header for a payload of this length with these hashes.
    pub(crate) fn with_hashes(
        pattern: Pattern,
        kind: Kind,
        histogram: Vec<u64>,
        payload: u64,
        hashes: &BlockHashes,
    ) -> Result<Header, HeaderError> {
        let entries = entries_of(&pattern, kind)?;
        let minor = if kind == Kind::Lines { crate::layout::MINOR_OF_LINES } else { VERSION.1 };
        Header { minor, pattern, kind, entries, histogram, hash: hashes.root() }.checked(payload)
    }

    /// The header as it stands in the file.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let mut put = |field: Field, value: &[u8]| bytes[field.offset..][..field.len].copy_from_slice(value);
        put(at::MAGIC, &MAGIC);
        put(at::MAJOR, &VERSION.0.to_le_bytes());
        put(at::MINOR, &self.minor.to_le_bytes());
        put(at::WIDTH, &[self.pattern.size().width() as u8]);
        put(at::HEIGHT, &[self.pattern.size().height() as u8]);
        put(at::HOME, &[self.pattern.home().0]);
        let (encoding, counting, ranking) = codes(self.kind);
        put(at::ENCODING, &[encoding]);
        put(at::TILES, &self.pattern.mask().to_le_bytes());
        put(at::RANKING, &[ranking]);
        put(at::COUNTING, &[counting]);
        put(at::ENTRIES, &self.entries.to_le_bytes());
        put(at::PAYLOAD, &self.payload_len().to_le_bytes());
        put(at::HASH, &self.hash);
        let mut histogram: Vec<u8> = self.histogram.iter().flat_map(|count| count.to_le_bytes()).collect();
        histogram.resize(at::HISTOGRAM.len, 0);
        put(at::HISTOGRAM, &histogram);
        let sum = checksum(&bytes);
        bytes[at::CHECKSUM.offset..].copy_from_slice(&sum);
        bytes
    }
}

/// The mean of 0, 1, 2, …, each as often as a histogram says.
pub fn mean(histogram: &[u64]) -> f64 {
    let sum: u128 = (0..).zip(histogram).map(|(value, &count)| value * u128::from(count)).sum();
    sum as f64 / total(histogram) as f64
}

fn total(histogram: &[u64]) -> u128 {
    histogram.iter().map(|&count| u128::from(count)).sum()
}

/// Bytes of a file with a payload of this length.
pub fn file_len(payload: u64) -> u64 {
    HEADER_LEN as u64 + payload + hashes_len(payload)
}

pub(crate) fn entries_of(pattern: &Pattern, kind: Kind) -> Result<u64, HeaderError> {
    if pattern.len() > MAX_TILES {
        return Err(HeaderError::TooManyTiles(pattern.len()));
    }
    let entries = kind.entries(&Extent::of(pattern.size(), pattern.len(), kind));
    Ok(u64::try_from(entries).expect("a pattern of up to 12 tiles has fewer than 2^64 states"))
}

#[cfg(feature = "blake3")]
fn checksum(header: &[u8]) -> [u8; HASH_LEN] {
    hash(&header[..at::CHECKSUM.offset])
}

/// A file that is not a table that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Nothing at all.
    #[error("the file is empty: copy or build the table again")]
    Empty,
    /// A packed table, or something else that is packed.
    #[error("this is a packed file: unpack it with tilebase tables unpack")]
    Packed,
    /// Not a table at all.
    #[error("this is not a tilebase table: it does not start like one")]
    Magic,
    /// A version (major and minor) whose major part this program does not know.
    #[error(
        "the table has format version {0}.{1}, this program reads version {known}: use a matching program, or build the table \
         again",
        known = VERSION.0
    )]
    Version(u16, u16),
    /// Some byte of the header was changed.
    #[error("the header is damaged (checksum): copy or build the table again")]
    Checksum,
    /// The file is shorter or longer than it must be.
    #[error(
        "the file is too {}: expected {expected} bytes, found {found}; copy or build the table again",
        if .found < .expected { "short" } else { "long" }
    )]
    Length {
        /// The length it must have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// A size that no board has.
    #[error("board: {0}")]
    Board(#[from] SizeError),
    /// Tiles that make no pattern.
    #[error("tiles: {0}")]
    Pattern(#[from] PatternError),
    /// This many tiles, more than any table has.
    #[error("tiles: a pattern of {0} tiles, expected at most {MAX_TILES}")]
    TooManyTiles(usize),
    /// A field with a value that this program does not know.
    #[error("{0}: {1} is unknown to this program; it may be from a newer one")]
    Unknown(&'static str, u64),
    /// The wrong number of entries for the pattern.
    #[error("entries: expected {expected} for this pattern, found {found}")]
    Entries {
        /// The number that the pattern has.
        expected: u64,
        /// The number in the header.
        found: u64,
    },
    /// The wrong number of bytes for the entries.
    #[error("payload: expected {expected} bytes for this pattern, found {found}")]
    Payload {
        /// The number that the entries need.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// A histogram that no table has.
    #[error("histogram: the counts cannot be those of a table")]
    Histogram,
}

// Headers of new tables need hashes.
#[cfg(all(test, feature = "blake3"))]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The header of the payload `[0b0100]`.
    pub(crate) fn small() -> Header {
        let pattern = Pattern::new(Size::new(2, 2).unwrap(), Square(0), &[1]).unwrap();
        Header::new(pattern, Kind::Bit, vec![1, 2, 1], &[0b0100]).unwrap()
    }

    /// The header with a field changed and the checksum made right again.
    fn with(field: Field, value: &[u8]) -> Result<Header, HeaderError> {
        let mut bytes = small().to_bytes();
        bytes[field.offset..][..value.len()].copy_from_slice(value);
        let sum = checksum(&bytes);
        bytes[at::CHECKSUM.offset..].copy_from_slice(&sum);
        Header::parse(&bytes)
    }

    #[test]
    fn each_damaged_field_has_its_own_error() {
        assert_eq!(Header::parse(&small().to_bytes()), Ok(small()));
        assert_eq!(with(at::MAGIC, &[0]), Err(HeaderError::Magic));
        assert_eq!(with(at::MAJOR, &[2]), Err(HeaderError::Version(2, 0)));
        assert!(matches!(with(at::WIDTH, &[13]), Err(HeaderError::Board(_))));
        assert!(matches!(with(at::HEIGHT, &[1]), Err(HeaderError::Board(_))));
        assert!(matches!(with(at::HOME, &[1]), Err(HeaderError::Pattern(PatternError::IsBlank { .. }))));
        assert!(matches!(with(at::HOME, &[4]), Err(HeaderError::Pattern(PatternError::HomeOffBoard { .. }))));
        assert!(matches!(with(at::TILES, &[0]), Err(HeaderError::Pattern(PatternError::Empty))));
        assert!(matches!(with(at::TILES, &[0, 0, 0, 1]), Err(HeaderError::Pattern(PatternError::OffBoard { .. }))));
        assert_eq!(with(at::TILES, &[6]), Err(HeaderError::Entries { expected: 16, found: 4 }));
        assert_eq!(with(at::ENCODING, &[9]), Err(HeaderError::Unknown("encoding", 9)));
        assert_eq!(with(at::RANKING, &[2]), Err(HeaderError::Unknown("ranking", 2)));
        assert_eq!(with(at::COUNTING, &[0]), Err(HeaderError::Unknown("counting", 0)));
        assert_eq!(with(at::COUNTING, &[2]), Err(HeaderError::Entries { expected: 12, found: 4 }));
        assert_eq!(with(at::ENTRIES, &[9]), Err(HeaderError::Entries { expected: 4, found: 9 }));
        assert_eq!(with(at::PAYLOAD, &[2]), Err(HeaderError::Payload { expected: 1, found: 2 }));
        assert_eq!(with(at::HISTOGRAM, &[2]), Err(HeaderError::Histogram));
        assert_eq!(with(at::HISTOGRAM, &[0; 24]), Err(HeaderError::Histogram));
        assert_eq!(with(at::HISTOGRAM, &[1, 0, 0, 0, 0, 0, 0, 0, 255]), Err(HeaderError::Histogram));
        assert!(with(at::MINOR, &[7]).is_ok_and(|header| header.version() == (1, 7)));
    }

    #[test]
    fn every_single_flipped_bit_of_the_header_is_found() {
        let bytes = small().to_bytes();
        for bit in 0..8 * HEADER_LEN {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::parse(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn any_other_length_is_refused() {
        assert_eq!(small().of_file_len(4129), Ok(small()));
        for found in [4128, 4130] {
            assert_eq!(small().of_file_len(found), Err(HeaderError::Length { expected: 4129, found }));
        }
        let bytes = small().to_bytes();
        assert_eq!(Header::parse(&[]), Err(HeaderError::Empty));
        for len in 1..HEADER_LEN {
            let error = Header::parse(&bytes[..len]).unwrap_err();
            assert!(matches!(error, HeaderError::Magic | HeaderError::Length { .. }));
        }
    }

    #[test]
    fn a_payload_or_histogram_that_does_not_fit_is_refused() {
        let pattern = *small().pattern();
        let new = |histogram: &[u64], payload: &[u8]| {
            Header::new(pattern, Kind::Nibble, histogram.to_vec(), payload).map(drop)
        };
        assert_eq!(new(&[1, 2], &[0, 0]), Ok(()));
        assert_eq!(new(&[1, 2], &[0]), Err(HeaderError::Payload { expected: 2, found: 1 }));
        assert_eq!(new(&[1, 9], &[0, 0]), Err(HeaderError::Histogram));
        assert_eq!(new(&[1, u64::MAX, 2], &[0, 0]), Err(HeaderError::Histogram));
        assert_eq!(new(&[], &[0, 0]), Err(HeaderError::Histogram));
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..5000)) {
            prop_assert!(Header::parse(&bytes).is_err());
        }

        #[test]
        fn random_fields_with_a_right_checksum_never_panic(
            board in prop::collection::vec(any::<u8>(), 12..40), small in any::<bool>()
        ) {
            let value: Vec<u8> = board.iter().map(|byte| if small { byte % 8 } else { *byte }).collect();
            let _ = with(at::WIDTH, &value);
        }
    }
}
