//! The tables that are shipped, known by their hashes.

use serde_json::{Value, json};
use tilebase_format::Header;

use crate::failure::{Exit, Failure};

/// A line for each table of each catalogue, as `tables info --json` (bit tables) and `tables pack --json` (nibble tables) write
/// them; `scripts/release-tables` makes it.
const MANIFEST: &str = include_str!("../../../pdb/manifest.jsonl");

/// What the manifest says about each table.
pub(crate) fn lines() -> impl Iterator<Item = Value> {
    MANIFEST.lines().map(|line| serde_json::from_str(line).expect("the manifest is tested"))
}

/// Refuses a table that the manifest knows otherwise. Equal patterns make equal bytes, so a table that differs is wrong.
pub(crate) fn check(header: &Header) -> Result<(), Failure> {
    let name = header.file_name();
    match lines().find(|line| line["file"] == name.as_str()) {
        Some(line) if line["histogram"] != json!(header.histogram()) => Err(Failure::new(
            "its header is not that of the table it says it is: the histogram is another; download it again, or build it \
             with tilebase generate",
        )
        .with_exit(Exit::Negative)),
        Some(line) if line["hash"] != header.hash_text().as_str() => Err(Failure::new(format!(
            "it is not the table that it says it is: {name} has the hash {}, but this one has {}; download it again, or \
             build it with tilebase generate",
            line["hash"].as_str().unwrap_or_default(),
            header.hash_text()
        ))
        .with_exit(Exit::Negative)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::Catalogue;

    #[test]
    fn the_manifest_lists_every_table_of_every_catalogue() {
        let mut listed: Vec<String> = lines().map(|line| line["file"].as_str().unwrap().to_owned()).collect();
        let mut expected: Vec<String> = Catalogue::names()
            .filter_map(Catalogue::known)
            .flat_map(|catalogue| catalogue.partition.patterns().to_vec())
            .flat_map(|pattern| {
                [tilebase_index::Kind::Bit, tilebase_index::Kind::Nibble]
                    .map(|kind| Header::file_name_of(&pattern, kind))
            })
            .collect();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected);
    }
}
