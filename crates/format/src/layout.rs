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
    fn the_specification_lists_exactly_these_fields() {
        let page = include_str!("../../../docs/format.md");
        let rows = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, name, offset, len, ..] = cells[..] else { return None };
            Some((name, offset.parse::<usize>().ok()?, len.parse::<usize>().ok()?))
        });
        let fields = FIELDS.iter().map(|field| (field.name, field.offset, field.len));
        assert_eq!(rows.collect::<Vec<_>>(), fields.collect::<Vec<_>>());
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
