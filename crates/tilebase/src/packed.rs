//! Packed tables: unpacked where a table is needed, and checked on the way.

use std::path::{Path, PathBuf};

use tilebase_format::{Header, PACKED, UnpackError, Unpacking, directory_of};
use tilebase_lookup::{Store, read_header};
use tilebase_progress::Watch;
use tilebase_puzzle::Pattern;

use crate::directory::{DirectoryError, prepare_directory, watch_piece};
use crate::manifest::{ManifestError, check_manifest};

/// A table that was unpacked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unpacked {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub header: Header,
    /// Whether the table had been there before.
    pub was_there: bool,
}

/// Unpacks a table into a directory, on the threads of the current pool. A table that the manifest contradicts is refused; one
/// that is already there is left alone unless it shall be replaced. Nothing is left behind when it fails.
pub fn unpack(file: &Path, directory: &Path, replace: bool, watch: Watch<'_>) -> Result<Unpacked, PackedError> {
    let packed = open(file)?;
    let header = packed.header().clone();
    let path = directory.join(header.file_name());
    if path.exists() && !replace {
        return match read_header(&path) {
            Ok(there) if there.hash() == header.hash() => Ok(Unpacked { path, header, was_there: true }),
            _ => Err(PackedError::InTheWay(path)),
        };
    }
    prepare_directory(directory)?;
    watch_piece(watch, &format!("unpacking {}", header.file_name()), header.payload_len(), |watch| {
        let written = packed.write(directory, watch);
        let path = written.map_err(|error| match error {
            UnpackError::Write(error) => DirectoryError { directory: directory.to_owned(), error }.into(),
            error => PackedError::Packed(file.to_owned(), error),
        })?;
        Ok(Unpacked { path, header, was_there: false })
    })
}

/// Unpacks a packed table into nothing, and checks every byte.
pub fn verify_packed(file: &Path, watch: Watch<'_>) -> Result<(), PackedError> {
    let packed = open(file)?;
    let name = format!("verifying {}", packed.header().file_name());
    watch_piece(watch, &name, packed.header().payload_len(), |watch| {
        packed.verify(watch).map_err(|error| PackedError::Packed(file.to_owned(), error))
    })
}

/// Refuses a packed file that has the name of another table than it holds.
pub fn check_packed_name(file: &Path) -> Result<(), PackedError> {
    let packed = Unpacking::open(file).map_err(|error| PackedError::Packed(file.to_owned(), error))?;
    let name = packed.header().file_name();
    if file.file_name().is_some_and(|found| *found == *format!("{name}.{PACKED}")) {
        return Ok(());
    }
    Err(PackedError::OtherTable(file.to_owned(), name))
}

/// Unpacks the packed table of a pattern, if there is one, so that the store finds it: beside the packed file or, where that
/// cannot be, in the first directory of the store that can be written to.
pub(crate) fn unpack_for(pattern: &Pattern, store: &Store, watch: Watch<'_>) -> Result<Option<Unpacked>, PackedError> {
    let Some(file) = store.find_packed(pattern) else { return Ok(None) };
    check_packed_name(&file)?;
    let mut places = std::iter::once(directory_of(&file)).chain(store.directories().iter().map(PathBuf::as_path));
    let Some(directory) = places.find(|directory| prepare_directory(directory).is_ok()) else {
        return Err(PackedError::Nowhere(file));
    };
    unpack(&file, directory, false, watch).map(Some)
}

/// Opens a packed file, if it is not one that the manifest contradicts.
fn open(file: &Path) -> Result<Unpacking<'static>, PackedError> {
    let packed = Unpacking::open(file).map_err(|error| PackedError::Packed(file.to_owned(), error))?;
    check_manifest(packed.header()).map_err(|error| PackedError::Manifest(file.to_owned(), error))?;
    Ok(packed)
}

/// A packed table that was not unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The file cannot be read or unpacked.
    #[error("{file}: {1}", file = .0.display())]
    Packed(PathBuf, #[source] UnpackError),
    /// The table is not the one in the manifest.
    #[error("{file}: {1}", file = .0.display())]
    Manifest(PathBuf, #[source] ManifestError),
    /// The file has another name than the table that it holds.
    #[error("{}: {}", .0.display(), holds_another(.1))]
    OtherTable(PathBuf, String),
    /// Another table, or a damaged one, has the name already.
    #[error("{} is there and is another table, or damaged: use --force to replace it", .0.display())]
    InTheWay(PathBuf),
    /// The table cannot be written.
    #[error("{0}")]
    Directory(#[from] DirectoryError),
    /// No directory of tables can be written to, to unpack this file.
    #[error(
        "{} cannot be unpacked, because no directory of tables can be written to: run tilebase tables unpack with --out, and \
         choose that directory with --table-dir",
        .0.display()
    )]
    Nowhere(PathBuf),
}

fn holds_another(name: &str) -> String {
    format!("the file holds another table, {name}: give it the name {name}.{PACKED}")
}

impl PackedError {
    /// Whether something is wrong with the packed table itself, not with reading or writing files.
    pub fn is_damage(&self) -> bool {
        match self {
            PackedError::Packed(_, error) => !matches!(error, UnpackError::Read(_) | UnpackError::Stopped),
            PackedError::Manifest { .. } => true,
            _ => false,
        }
    }

    /// What is wrong, without the file's name in front.
    pub fn reason(&self) -> String {
        match self {
            PackedError::Packed(_, error) => error.to_string(),
            PackedError::Manifest(_, error) => error.to_string(),
            PackedError::OtherTable(_, name) => holds_another(name),
            other => other.to_string(),
        }
    }
}
