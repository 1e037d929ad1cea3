//! Catalogues by name, file or drawing.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tilebase_puzzle::forms::did_you_mean;
use tilebase_puzzle::{Catalogue, DrawingError, Frame, Size, Square, quoted};

/// The most bytes of a file with a drawing, comments included.
const MOST_BYTES: u64 = 1 << 16;

/// Finds a catalogue by its name, reads it from a file, or takes the text as a drawing.
pub fn find_catalogue(text: &str) -> Result<Catalogue, CatalogueError> {
    if let Some(catalogue) = Catalogue::known(text) {
        return Ok(catalogue);
    }
    let path = Path::new(text);
    if path.is_file() {
        let drawing = read_drawing(path).map_err(|error| CatalogueError::Read(path.to_owned(), error))?;
        let name = path.file_stem().map_or_else(|| text.into(), |stem| stem.to_string_lossy());
        return Catalogue::draw(&name, &drawing).map_err(|error| CatalogueError::File(path.to_owned(), error));
    }
    if text.contains(['/', '\n']) {
        return Catalogue::draw(text, text).map_err(|error| CatalogueError::Drawing(text.to_owned(), error));
    }
    Err(CatalogueError::Unknown(text.to_owned()))
}

/// Reads a file that should hold a drawing, which is never large.
fn read_drawing(path: &Path) -> io::Result<String> {
    let mut drawing = String::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut drawing)?;
    if drawing.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes, which no drawing has")));
    }
    Ok(drawing)
}

/// The same, if it is a catalogue for boards of a frame.
pub fn catalogue_for(text: &str, frame: &Frame) -> Result<Catalogue, CatalogueError> {
    let catalogue = find_catalogue(text)?;
    let name = catalogue.name.clone();
    if catalogue.size() != frame.size() {
        return Err(CatalogueError::OtherSize { name, expected: frame.size(), found: catalogue.size() });
    }
    if catalogue.home() != frame.home() {
        return Err(CatalogueError::OtherBlank { name, expected: frame.home(), found: catalogue.home() });
    }
    Ok(catalogue)
}

pub(crate) fn known_catalogues() -> impl Iterator<Item = Catalogue> {
    Catalogue::names().filter_map(Catalogue::known)
}

/// A text that is no catalogue, or none for the boards at hand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// A text that is neither a known name, nor a file, nor a drawing.
    #[error(
        "{text} is not a known catalogue: {meant}expected {known}, a file with a drawing, or a drawing such as .ABB/AABB/AABB/AABB",
        text = quoted(.0),
        meant = did_you_mean(.0, Catalogue::names()),
        known = Catalogue::names().collect::<Vec<_>>().join(", ")
    )]
    Unknown(String),
    /// A file that cannot be read.
    #[error("cannot read {path}: {1}", path = .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// A file that holds no drawing.
    #[error("{path}: {1}", path = .0.display())]
    File(PathBuf, #[source] DrawingError),
    /// A text that looks like a drawing and is none.
    #[error("{text} is neither a file nor a drawing: {1}", text = quoted(.0))]
    Drawing(String, #[source] DrawingError),
    /// The catalogue is for boards of another size.
    #[error("the tables of {name} are for boards of {found}, but this board is {expected}")]
    OtherSize {
        /// The catalogue.
        name: String,
        /// The size of the boards.
        expected: Size,
        /// The size that it is for.
        found: Size,
    },
    /// The catalogue is for goals with the blank on another square.
    #[error(
        "the tables of {name} are for goals with the blank on square {} of the canonical frame, but this goal has it on square \
         {}: use --tables auto",
        .found.0, .expected.0
    )]
    OtherBlank {
        /// The catalogue.
        name: String,
        /// The blank's goal square, in the canonical frame.
        expected: Square,
        /// The one that it is for.
        found: Square,
    },
}
