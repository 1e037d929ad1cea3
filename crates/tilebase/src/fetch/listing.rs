//! What a source says that it has.

use std::collections::HashMap;

use serde_json::Value;
use tilebase_format::Header;
use tilebase_index::Kind;
use tilebase_progress::Watch;
use tilebase_puzzle::Catalogue;

use super::source::Source;
use super::transfer::Patience;
use super::{FetchError, SourceError};
use crate::catalogues::known_catalogues;

/// The manifest's name beside the tables.
pub(super) const MANIFEST: &str = "manifest.jsonl";

/// The most bytes of a manifest. Ours has 28 kB.
const MOST_BYTES: u64 = 1 << 22;

/// The tables that a source's manifest lists, each with its hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Listing(HashMap<String, String>);

impl Listing {
    /// Reads the manifest of a source, if it has one.
    pub(super) fn read(source: &Source, patience: Patience, watch: Watch<'_>) -> Result<Option<Listing>, FetchError> {
        let place = source.place(MANIFEST);
        match patience.retry(watch, || bytes_of(source, patience, watch)) {
            Ok(bytes) => Listing::parse(&bytes).map(Some).map_err(|line| FetchError::NoManifest(place, line)),
            Err(SourceError::Absent(_)) => Ok(None),
            Err(SourceError::Stopped) => Err(FetchError::Stopped(None)),
            Err(error) => Err(FetchError::Source(place, error)),
        }
    }

    /// The tables of a manifest, or the number of the first line that is wrong, from 1. Lines may have more keys than are needed here.
    fn parse(bytes: &[u8]) -> Result<Listing, usize> {
        let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        let tables = lines.map(|(number, line)| {
            let line: Option<Value> = serde_json::from_slice(line).ok();
            let text = |key| line.as_ref().and_then(|line| Some(line[key].as_str()?.to_owned()));
            text("file").zip(text("hash")).ok_or(number + 1)
        });
        tables.collect::<Result<_, _>>().map(Listing)
    }

    /// The hash of a table, if it is listed.
    pub(super) fn hash(&self, table: &str) -> Option<&str> {
        self.0.get(table).map(String::as_str)
    }

    /// The known catalogues whose tables are all listed, of whatever kind.
    pub(super) fn catalogues(&self) -> Vec<String> {
        let is_listed = |catalogue: &Catalogue| {
            catalogue.patterns().iter().all(|pattern| {
                let mut names = pattern
                    .images()
                    .flat_map(|image| [Kind::Bit, Kind::Nibble].map(|kind| Header::file_name_of(&image, kind)));
                names.any(|name| self.0.contains_key(&name))
            })
        };
        known_catalogues().filter(is_listed).map(|catalogue| catalogue.name).collect()
    }
}

fn bytes_of(source: &Source, patience: Patience, watch: Watch<'_>) -> Result<Vec<u8>, SourceError> {
    let pieces = source.get(MANIFEST, 0, None, patience.timeout)?;
    let total = pieces.answer(watch)?.total;
    let mut bytes = Vec::new();
    // What is longer is no manifest; what there is of it cannot be read as one.
    while let Some(more) = pieces.bytes(watch)? {
        bytes.extend(more);
        if bytes.len() as u64 > MOST_BYTES {
            bytes.truncate(MOST_BYTES as usize);
            bytes.push(b'?');
            return Ok(bytes);
        }
    }
    if total.is_some_and(|total| total > bytes.len() as u64) { Err(SourceError::BrokenOff) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_manifest_lists_all_known_catalogues() {
        let listing = Listing::parse(crate::manifest::MANIFEST.as_bytes()).unwrap();
        assert_eq!(listing.catalogues(), Catalogue::names().collect::<Vec<_>>());
        assert_eq!(
            listing.hash("4x4-0-12.13.14.nibble.tbl"),
            crate::manifest::hash_in_manifest("4x4-0-12.13.14.nibble.tbl").as_deref()
        );
        assert_eq!(listing.hash("4x4-0-1.nibble.tbl"), None);
    }

    #[test]
    fn what_is_no_manifest_is_refused_by_its_line() {
        let good = r#"{"file":"a","hash":"b"}"#;
        assert_eq!(Listing::parse(b"").map(|listing| listing.catalogues()), Ok(Vec::new()));
        for (wrong, line) in [
            ("<!DOCTYPE html>".to_owned(), 1),
            (format!("{good}\n\n{{\"file\":\"a\"}}"), 3),
            (format!("{good}\n[1]"), 2),
            (format!("{good}\n{{\"file\":1,\"hash\":\"b\"}}\n"), 2),
            ("[".repeat(100_000), 1),
        ] {
            assert_eq!(Listing::parse(wrong.as_bytes()).map(|_| ()), Err(line), "{wrong:.80}");
        }
        assert_eq!(Listing::parse(b"\xff\n"), Err(1));
    }
}
