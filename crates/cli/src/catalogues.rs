//! Catalogues as they are given on the command line.

use std::path::Path;

use tilebase_puzzle::Catalogue;

use crate::failure::Failure;

/// Finds a catalogue by its name, reads it from a file, or takes the text as a drawing.
pub(crate) fn find(text: &str) -> Result<Catalogue, Failure> {
    if let Some(catalogue) = Catalogue::known(text) {
        return Ok(catalogue);
    }
    let path = Path::new(text);
    if path.is_file() {
        let drawing = std::fs::read_to_string(path);
        let drawing = drawing.map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
        let name = path.file_stem().map_or_else(|| text.into(), |stem| stem.to_string_lossy());
        let catalogue = Catalogue::draw(&name, &drawing);
        return catalogue.map_err(|error| Failure::new(format!("{}: {error}", path.display())));
    }
    if text.contains(['/', '\n']) {
        let neither = |error| Failure::new(format!("\"{text}\" is neither a file nor a drawing: {error}"));
        return Catalogue::draw(text, text).map_err(neither);
    }
    let names: Vec<&str> = Catalogue::names().collect();
    Err(Failure::new(format!(
        "\"{text}\" is not a known catalogue: expected {}, a file with a drawing, or a drawing such as \
         .ABB/AABB/AABB/AABB",
        names.join(", ")
    )))
}
