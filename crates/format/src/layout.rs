//! Where each field of the header is. A test (`tests/tests/it/format_is_specified.rs`) holds this list
//! against `docs/format.md`.

/// A field of the header: name, offset and length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name in the specification.
    pub name: &'static str,
    /// Where it starts.
    pub offset: usize,
    /// How many bytes it has.
    pub len: usize,
}

/// Length of the header, and offset of the payload.
pub const HEADER_LEN: usize = 4096;

/// Length of a block of the payload; the last may be shorter.
pub const BLOCK_LEN: usize = 1 << 20;

/// Length of a hash.
pub const HASH_LEN: usize = 32;

/// Bytes that the hashes of the blocks of a payload take.
pub fn hashes_len(payload: u64) -> u64 {
    payload.div_ceil(BLOCK_LEN as u64) * HASH_LEN as u64
}

/// What the name of a packed table ends with, after that of the table itself.
pub const PACKED: &str = "zst";

/// Numbers in the histogram. The last is always 0: no table has an entry that costs 255 or more.
pub const HISTOGRAM_LEN: usize = 256;

/// The nibble of an entry that cannot be reached, and so the first value that does not fit.
pub const UNREACHED_NIBBLE: u8 = 15;

/// What every table file starts with.
pub const MAGIC: [u8; 8] = *b"\x89TBL\r\n\x1a\n";

/// The version that this code writes, and the only major one that it reads. Tables of a kind that came with a later minor version have
/// that one.
pub const VERSION: (u16, u16) = (1, 0);

/// The minor version that tables of lines came with.
pub const MINOR_OF_LINES: u16 = 1;

/// The ranking of states: map × region × permutation.
pub const RANKING: u8 = 1;

/// The ranking of lines: axis × row or column × map × permutation.
pub const RANKING_OF_LINES: u8 = 2;

/// Declares the fields in the order of their offsets, each with its name in the specification, its offset and its length.
macro_rules! fields {
    ($($constant:ident $name:literal $offset:literal $len:expr;)*) => {
        /// The fields one by one.
        pub mod at {
            use super::Field;
            $(
                #[doc = concat!("The field `", $name, "`.")]
                pub const $constant: Field = Field { name: $name, offset: $offset, len: $len };
            )*
        }

        /// All fields in the order of their offsets.
        pub const FIELDS: &[Field] = &[$(at::$constant),*];
    };
}

fields! {
    MAGIC "magic" 0 8;
    MAJOR "major" 8 2;
    MINOR "minor" 10 2;
    WIDTH "width" 12 1;
    HEIGHT "height" 13 1;
    HOME "home" 14 1;
    ENCODING "encoding" 15 1;
    TILES "tiles" 16 4;
    RANKING "ranking" 20 1;
    COUNTING "counting" 21 1;
    ENTRIES "entries" 24 8;
    PAYLOAD "payload" 32 8;
    HASH "hash" 64 32;
    HISTOGRAM "histogram" 128 8 * super::HISTOGRAM_LEN;
    CHECKSUM "checksum" 4064 32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap_and_fit() {
        for pair in FIELDS.windows(2) {
            assert!(pair[0].offset + pair[0].len <= pair[1].offset, "{pair:?}");
        }
        let last = FIELDS[FIELDS.len() - 1];
        assert_eq!(last.offset + last.len, HEADER_LEN);
    }
}
