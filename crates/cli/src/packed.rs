//! Packed tables, as commands use them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use tilebase_format::{Header, PACKED, UnpackError, Unpacking, directory_of};
use tilebase_lookup::{Store, read_header};
use tilebase_progress::Event;
use tilebase_puzzle::Pattern;

use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::{directory, manifest};

/// A table that was unpacked.
pub(crate) struct Unpacked {
    pub(crate) path: PathBuf,
    pub(crate) header: Header,
    /// Whether the table had been there before.
    pub(crate) was_there: bool,
}

/// Unpacks a table into a directory, on the threads of the current pool, with a bar. A table that the manifest
/// contradicts is refused; one that is already there is left alone unless it shall be replaced.
pub(crate) fn unpack(file: &Path, directory: &Path, replace: bool, output: &Output) -> Result<Unpacked, Failure> {
    let about = |failure: Failure| failure.about(file);
    let packed = Unpacking::open(file).map_err(cannot_unpack).map_err(about)?;
    let header = packed.header().clone();
    manifest::check(&header).map_err(about)?;
    let path = directory.join(header.file_name());
    if path.exists() && !replace {
        return match read_header(&path) {
            Ok(there) if there.hash() == header.hash() => Ok(Unpacked { path, header, was_there: true }),
            _ => Err(Failure::new(format!(
                "{} is there and is another table, or damaged: use --force to replace it",
                path.display()
            ))),
        };
    }
    directory::prepare(directory)?;
    let bar = output.progress_bar(header.payload_len(), "unpacking {msg} {wide_bar} {bytes} of {total_bytes}");
    bar.set_message(header.file_name());
    let written = packed.write(directory, &advancing(&bar));
    bar.finish_and_clear();
    let path = written.map_err(|error| match error {
        UnpackError::Write(error) => directory::cannot_write(directory, &error),
        other => about(cannot_unpack(other)),
    })?;
    Ok(Unpacked { path, header, was_there: false })
}

/// Unpacks the packed table of a pattern, if there is one and no table, so that the store finds it: beside the packed file
/// or, where that cannot be, in the first directory of the store that can be written to.
pub(crate) fn unpack_for(pattern: &Pattern, store: &Store, output: &Output) -> Result<(), Failure> {
    let Some(file) = store.find_packed(pattern) else { return Ok(()) };
    check_name(&file).map_err(|failure| failure.about(&file))?;
    let mut places = std::iter::once(directory_of(&file)).chain(store.directories().iter().map(PathBuf::as_path));
    let Some(directory) = places.find(|directory| directory::prepare(directory).is_ok()) else {
        return Err(Failure::new(format!(
            "{} cannot be unpacked, because no directory of tables can be written to: run tilebase tables unpack with \
             --out, and choose that directory with --table-dir",
            file.display()
        )));
    };
    unpack(&file, directory, false, output).map(drop)
}

/// The watch of work that a bar follows.
pub(crate) fn advancing(bar: &ProgressBar) -> impl Fn(&Event<'_>) -> ControlFlow<()> + Sync {
    |event| {
        if let Event::Advance(bytes) = event {
            bar.inc(*bytes);
        }
        ControlFlow::Continue(())
    }
}

/// Refuses a packed file that has the name of another table than it holds.
pub(crate) fn check_name(file: &Path) -> Result<(), Failure> {
    let packed = Unpacking::open(file).map_err(cannot_unpack)?;
    let right = format!("{}.{PACKED}", packed.header().file_name());
    if file.file_name().is_some_and(|name| *name == *right) {
        return Ok(());
    }
    let name = packed.header().file_name();
    Err(Failure::new(format!("the file holds another table, {name}: give it the name {right}")))
}

/// What is wrong with a packed table: with the file itself, or with reading it.
pub(crate) fn cannot_unpack(error: UnpackError) -> Failure {
    match error {
        UnpackError::Read(_) => Failure::new(error),
        wrong => Failure::new(wrong).with_exit(Exit::Negative),
    }
}
