//! What tables are there, as JSON, so that the command and the page say the same.

use serde_json::{Value, json};
use tilebase_format::Header;
use tilebase_lookup::{Location, Store, TableFile};
use tilebase_puzzle::{Catalogue, Partition, Pattern};

use crate::catalogues::known_catalogues;

/// All tables of a store, the packed ones with their headers too, if this program can unpack.
pub fn tables_of(store: &Store) -> impl Iterator<Item = TableFile> {
    store.files().into_iter().map(with_packed_header)
}

#[cfg(feature = "zstd")]
fn with_packed_header(mut file: TableFile) -> TableFile {
    if let Location::Packed(path) = &file.location {
        file.header = tilebase_format::Unpacking::open(path).ok().map(|packed| Ok(packed.header().clone()));
    }
    file
}

#[cfg(not(feature = "zstd"))]
fn with_packed_header(file: TableFile) -> TableFile {
    file
}

/// All tables of a store that can be opened, without saying where on the disk they are.
pub fn table_list(store: &Store) -> Vec<Value> {
    let whole = tables_of(store).filter(|file| matches!(file.header, Some(Ok(_))));
    let without_file = whole.map(|file| {
        let mut table = table_json(&file, None, false);
        table.as_object_mut().expect("a table is an object").shift_remove("file");
        table
    });
    without_file.collect()
}

/// All known catalogues, and whether their tables are there.
pub fn catalogue_list(store: &Store) -> Vec<Value> {
    let listed = known_catalogues().map(|catalogue| {
        let (ready, hint) = readiness(store, &catalogue);
        json!({ "name": catalogue.name, "board": catalogue.size().to_string(), "ready": ready, "hint": hint })
    });
    listed.collect()
}

/// A table, with the keys of `tables list --json`.
pub fn table_json(file: &TableFile, problem: Option<&str>, verified: bool) -> Value {
    let (path, place) = match &file.location {
        Location::Table(path) => (Some(path), "table"),
        Location::Packed(path) => (Some(path), "packed"),
        Location::Program => (None, "program"),
    };
    let header = file.header.as_ref().and_then(|header| header.as_ref().ok());
    json!({
        "file": path.map(|path| path.display().to_string()),
        "place": place,
        "name": file.name(),
        "board": header.map(|header| header.pattern().size().to_string()),
        "tiles": header.map(|header| header.pattern().tiles().map(|tile| tile.0).collect::<Vec<_>>()),
        "encoding": header.map(|header| header.kind().encoding()),
        "count": header.map(|header| header.kind().count()),
        "metric": header.map(|header| header.kind().metric().to_string()),
        "bytes": path.map_or(header.map(Header::file_len), |path| std::fs::metadata(path).ok().map(|data| data.len())),
        "mean": header.map(Header::mean),
        "max": header.map(Header::max),
        "catalogues": header.map(catalogues_with),
        "whole": problem.is_none().then_some(if verified { "verified" } else { "opens" }),
        "error": problem,
    })
}

/// The known catalogues that a table's pattern, or a mirror image of it, is part of.
pub fn catalogues_with(header: &Header) -> Vec<String> {
    let with_pattern = known_catalogues().filter(|catalogue| {
        catalogue.patterns().iter().any(|pattern| pattern.images().any(|image| image == *header.pattern()))
    });
    with_pattern.map(|catalogue| catalogue.name).collect()
}

/// Whether all tables of a catalogue are there, and what to do if not.
pub fn readiness(store: &Store, catalogue: &Catalogue) -> (bool, String) {
    let patterns = catalogue.patterns();
    let header = |pattern: &Pattern| store.header(pattern).ok().flatten();
    let there = patterns.iter().filter(|pattern| header(pattern).is_some()).count();
    if there == patterns.len() {
        let sum = |partition: &Partition| {
            partition.patterns().iter().filter_map(header).map(|header| header.mean()).sum::<f64>()
        };
        let sums: Vec<String> = catalogue.partitions.iter().map(|partition| format!("{:.2}", sum(partition))).collect();
        let sums = sums.join(", ");
        return (true, format!("ready: all {there} tables, costs {sums} on average together"));
    }
    let packed =
        patterns.iter().filter(|pattern| cfg!(feature = "zstd") && store.find_packed(pattern).is_some()).count();
    let hint = if packed + there >= patterns.len() {
        format!("solve --tables {} unpacks what is missing", catalogue.name)
    } else {
        format!("run tilebase generate {}", catalogue.name)
    };
    (false, format!("{there} of {} tables are there: {hint}", patterns.len()))
}
