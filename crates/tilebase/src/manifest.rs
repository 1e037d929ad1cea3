//! The tables that are shipped, known by their hashes.

use serde_json::{Value, json};
use tilebase_format::Header;

/// A line for each table of each catalogue, as `tables info --json` (bit tables) and `tables pack --json` (nibble tables) write
/// them; `scripts/release-tables` makes it.
pub(crate) const MANIFEST: &str = include_str!("../manifest.jsonl");

#[cfg(test)]
fn lines() -> impl Iterator<Item = Value> {
    MANIFEST.lines().map(|line| serde_json::from_str(line).expect("the manifest is tested"))
}

/// The line of a table.
fn line_of(name: &str) -> Option<Value> {
    // The lines are long, and a table is opened in a millisecond: only one is parsed.
    let quoted = format!("\"{name}\"");
    let line = MANIFEST.lines().find(|line| line.contains(&quoted))?;
    serde_json::from_str::<Value>(line).ok().filter(|line| line["file"] == name)
}

/// The hash that the table of a file's name must have, if the manifest lists it.
#[cfg(feature = "fetch")]
pub(crate) fn hash_in_manifest(name: &str) -> Option<String> {
    line_of(name)?["hash"].as_str().map(str::to_owned)
}

/// Refuses a table that differs from the one in the manifest. Equal patterns make equal bytes, so a table that differs is
/// wrong. Tables that the manifest does not list pass.
pub fn check_manifest(header: &Header) -> Result<(), ManifestError> {
    let name = header.file_name();
    match line_of(&name) {
        Some(line) if line["histogram"] != json!(header.histogram()) => Err(ManifestError::Histogram),
        Some(line) if line["hash"] != header.hash_text().as_str() => {
            let expected = line["hash"].as_str().unwrap_or_default().to_owned();
            Err(ManifestError::Hash { name, expected, found: header.hash_text() })
        }
        _ => Ok(()),
    }
}

/// A table that is not the one in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// Its costs are distributed in another way.
    #[error(
        "its header is not that of the table it says it is: the histogram is another; download it again, or build it with \
         tilebase generate"
    )]
    Histogram,
    /// Its payload has another hash.
    #[error(
        "it is not the table that it says it is: {name} has the hash {expected}, but this one has {found}; download it again, \
         or build it with tilebase generate"
    )]
    Hash {
        /// The table.
        name: String,
        /// The hash in the manifest.
        expected: String,
        /// The hash in the header.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogues::known_catalogues;
    use tilebase_index::{Extent, Kind};
    use tilebase_puzzle::Pattern;

    /// Nibble tables of catalogues with a bit table of more bytes than this are not made for shipping.
    const LARGE: u128 = 1 << 28;

    #[test]
    fn the_manifest_lists_every_table_of_every_catalogue() {
        let mut listed: Vec<String> = lines().map(|line| line["file"].as_str().unwrap().to_owned()).collect();
        let is_large = |pattern: &Pattern| Extent::of(pattern.size(), pattern.len(), Kind::Bit).states / 8 > LARGE;
        let mut expected: Vec<String> = Vec::new();
        let mut seen: Vec<Pattern> = Vec::new();
        for catalogue in known_catalogues() {
            // Those that are packed are of nibbles; nobody packs the tables of several partitions, nor large ones.
            let is_packed = catalogue.only().is_some() && !catalogue.patterns().iter().any(is_large);
            let kinds = if is_packed { &[Kind::Bit, Kind::Nibble][..] } else { &[Kind::Bit] };
            for pattern in catalogue.patterns() {
                // A pattern and its mirror image share a table.
                if !seen.iter().any(|seen| pattern.images().any(|image| image == *seen)) {
                    seen.push(pattern);
                    expected.extend(kinds.iter().map(|&kind| Header::file_name_of(&pattern, kind)));
                }
            }
        }
        listed.sort();
        expected.sort();
        expected.dedup();
        assert_eq!(listed, expected);
    }
}
