//! Where each field of the header is. A test holds this list against `docs/format.md`.

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

const fn field(name: &'static str, offset: usize, len: usize) -> Field {
    Field { name, offset, len }
}

/// Length of the header, and offset of the payload.
pub const HEADER_LEN: usize = 4096;

/// Length of a block of the payload; the last may be shorter.
pub const BLOCK_LEN: usize = 1 << 20;

/// Length of a hash.
pub const HASH_LEN: usize = 32;

/// Numbers in the histogram. The last is always 0: no table has an entry that costs 255 or more.
pub const HISTOGRAM_LEN: usize = 256;

/// The nibble of an entry that cannot be reached, and so the first value that does not fit.
pub const UNREACHED_NIBBLE: u8 = 15;

/// What every table file starts with.
pub const MAGIC: [u8; 8] = *b"\x89TBL\r\n\x1a\n";

/// The version that this code writes, and the only major one that it reads.
pub const VERSION: (u16, u16) = (1, 0);

/// The only ranking there is: map × region × permutation.
pub const RANKING: u8 = 1;

#[allow(missing_docs)]
mod fields {
    use super::{Field, HISTOGRAM_LEN, field};

    pub const MAGIC: Field = field("magic", 0, 8);
    pub const MAJOR: Field = field("major", 8, 2);
    pub const MINOR: Field = field("minor", 10, 2);
    pub const WIDTH: Field = field("width", 12, 1);
    pub const HEIGHT: Field = field("height", 13, 1);
    pub const HOME: Field = field("home", 14, 1);
    pub const ENCODING: Field = field("encoding", 15, 1);
    pub const TILES: Field = field("tiles", 16, 4);
    pub const RANKING: Field = field("ranking", 20, 1);
    pub const COUNTING: Field = field("counting", 21, 1);
    pub const ENTRIES: Field = field("entries", 24, 8);
    pub const PAYLOAD: Field = field("payload", 32, 8);
    pub const HASH: Field = field("hash", 64, 32);
    pub const HISTOGRAM: Field = field("histogram", 128, 8 * HISTOGRAM_LEN);
    pub const CHECKSUM: Field = field("checksum", 4064, 32);
}

/// The fields one by one, named as in the specification.
pub mod at {
    pub use super::fields::*;
}

/// All fields in the order of their offsets.
pub const FIELDS: [Field; 15] = [
    at::MAGIC,
    at::MAJOR,
    at::MINOR,
    at::WIDTH,
    at::HEIGHT,
    at::HOME,
    at::ENCODING,
    at::TILES,
    at::RANKING,
    at::COUNTING,
    at::ENTRIES,
    at::PAYLOAD,
    at::HASH,
    at::HISTOGRAM,
    at::CHECKSUM,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_lists_exactly_these_fields() {
        let page = include_str!("../../../docs/format.md");
        let rows = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, name, offset, len, ..] = cells[..] else { return None };
            Some((name, offset.parse::<usize>().ok()?, len.parse::<usize>().ok()?))
        });
        let fields = FIELDS.map(|field| (field.name, field.offset, field.len));
        assert_eq!(rows.collect::<Vec<_>>(), fields);
    }

    #[test]
    fn the_specification_has_the_magic_and_version_of_the_code() {
        let page = include_str!("../../../docs/format.md");
        let magic: Vec<String> = MAGIC.iter().map(|byte| format!("{byte:02X}")).collect();
        assert!(page.contains(&format!("`{}`", magic.join(" "))));
        assert!(page.contains(&format!("Version {}.{}.", VERSION.0, VERSION.1)));
    }

    #[test]
    fn fields_do_not_overlap_and_fit() {
        for pair in FIELDS.windows(2) {
            assert!(pair[0].offset + pair[0].len <= pair[1].offset, "{pair:?}");
        }
        let last = FIELDS[FIELDS.len() - 1];
        assert_eq!(last.offset + last.len, HEADER_LEN);
    }
}
