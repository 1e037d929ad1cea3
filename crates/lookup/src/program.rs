//! The tables that are part of the program, as its features say.

use tilebase_format::Header;
use tilebase_index::Kind;
use tilebase_puzzle::{Pattern, Symmetry};

use crate::bytes::Bytes;
use crate::table::Table;

/// The files of `tables` that features ask for, with their names.
macro_rules! tables {
    ($($feature:literal: $name:literal;)*) => {
        &[$(
            #[cfg(feature = $feature)]
            ($name, include_bytes!(concat!("../tables/", $name))),
        )*]
    };
}

/// The tables that are part of the program, all blank-aware.
pub(crate) static IN_PROGRAM: &[(&str, &[u8])] = tables! {
    "6-6-3": "4x4-0-1.2.4.5.8.9.bit.tbl";
    "6-6-3": "4x4-0-3.6.7.10.11.15.bit.tbl";
    "6-6-3": "4x4-0-12.13.14.bit.tbl";
    "5-5-5": "4x4-0-1.2.4.5.8.bit.tbl";
    "5-5-5": "4x4-0-3.6.7.10.11.bit.tbl";
    "5-5-5": "4x4-0-9.12.13.14.15.bit.tbl";
};

/// The table in the program that has a name.
pub(crate) fn named(name: &str) -> Option<&'static [u8]> {
    IN_PROGRAM.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

impl Table {
    /// The table of a pattern, or of its mirror image, that is part of the program: which there are, the features `6-6-3` and `5-5-5`
    /// say. It needs no file.
    pub fn in_program(pattern: &Pattern) -> Option<Table> {
        Symmetry::fixing(pattern.size(), pattern.home()).find_map(|symmetry| {
            let image = pattern.seen_through(symmetry);
            let bytes = named(&Header::file_name_of(&image, Kind::Bit))?;
            let table = Table::new(Bytes::Static(bytes)).expect("the tables in the program are tested");
            Some(if image == *pattern { table } else { table.reflected(pattern, symmetry) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::Catalogue;

    #[test]
    fn the_tables_in_the_program_are_what_their_names_say() {
        for (name, bytes) in IN_PROGRAM {
            assert_eq!(Header::parse(bytes).unwrap().file_name(), *name);
        }
    }

    #[test]
    fn the_features_say_which_catalogues_are_in_the_program() {
        for (name, is_there) in [("5-5-5", cfg!(feature = "5-5-5")), ("6-6-3", cfg!(feature = "6-6-3")), ("7-8", false)]
        {
            let patterns = Catalogue::known(name).unwrap().patterns();
            let images = patterns.iter().flat_map(Pattern::images);
            for pattern in images {
                let table = Table::in_program(&pattern);
                assert_eq!(table.is_some(), is_there, "{name}");
                assert!(table.is_none_or(|table| *table.pattern() == pattern));
            }
        }
    }
}
