//! Pictures in files.

use std::io::Write as _;
use std::path::Path;

use tilebase_format::{Draft, PACKED};

use crate::failure::Failure;

/// Writes a picture: whole or not at all where a file is or will be, to whatever else the path is. Links are followed.
pub(crate) fn save(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if file.extension().is_some_and(|end| end == "tbl" || end == PACKED) {
        return Err(Failure::new(format!("{} is the name of a table, not of a picture", file.display())));
    }
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let saved = if target.exists() && !target.is_file() {
        std::fs::write(&target, bytes)
    } else {
        Draft::new(target).and_then(|mut draft| draft.write_all(bytes).and_then(|()| draft.seal()).map(drop))
    };
    saved.map_err(|error| Failure::new(format!("cannot write {}: {error}", file.display())))
}
