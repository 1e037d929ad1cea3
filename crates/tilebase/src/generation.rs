//! Which tables are to be built into a directory, and whether there is memory for it.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use tilebase_format::Header;
use tilebase_generate::{Build, BuildError};
use tilebase_index::Kind;
use tilebase_lookup::{OpenError, VerifyError};
use tilebase_puzzle::Pattern;

/// The builds of some patterns. Of equal patterns and of mirror images only the first is built: they share its table.
pub fn plan_builds(patterns: &[Pattern], kinds: &[Kind]) -> Result<Vec<Build>, BuildError> {
    let mut builds: Vec<Build> = Vec::new();
    for pattern in patterns {
        if !builds.iter().any(|build| pattern.images().any(|image| image == *build.pattern())) {
            builds.push(Build::new(pattern, kinds)?);
        }
    }
    Ok(builds)
}

/// Refuses a build that `needs` more memory than there may be, and says what would fit.
pub fn check_memory(build: &Build, most: u64, needs: impl Fn(&Build) -> u64) -> Result<(), TooMuchMemory> {
    let needed = needs(build);
    if needed <= most {
        return Ok(());
    }
    let fits = build.largest_within(most, needs);
    Err(TooMuchMemory { pattern: *build.pattern(), states: build.states(), needed, most, fits })
}

/// A build that needs more memory than there may be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "pattern {pattern} has {states} states and needs {} of memory, but only {} may be used: {}",
    bytes(*.needed), bytes(*.most), what_fits(*.fits)
)]
#[non_exhaustive]
pub struct TooMuchMemory {
    /// The pattern.
    pub pattern: Pattern,
    /// How many states it has.
    pub states: u64,
    /// Bytes that are needed.
    pub needed: u64,
    /// Bytes that there may be.
    pub most: u64,
    /// How many tiles a pattern of the same board may have, and how many bytes that needs.
    pub fits: Option<(usize, u64)>,
}

fn bytes(bytes: u64) -> String {
    ByteSize(bytes).display().si().to_string()
}

fn what_fits(fits: Option<(usize, u64)>) -> String {
    match fits {
        Some((tiles, memory)) => format!("a pattern of {tiles} tiles would fit ({})", bytes(memory)),
        None => "no pattern of this board would fit".to_owned(),
    }
}

/// What of some builds is still to be done.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Missing {
    /// What is to be built.
    pub builds: Vec<Build>,
    /// The tables that are there.
    pub there: Vec<PathBuf>,
    /// Why files that are there have to be replaced.
    pub damaged: Vec<OpenError>,
}

impl Missing {
    /// What of some builds is not in a directory: tables that are there and whole, or whose mirror image is, are left alone, or
    /// replaced with `force`. Damaged ones are replaced: `check` says whether a file is whole, as [`Store::check_file`] does.
    ///
    /// [`Store::check_file`]: tilebase_lookup::Store::check_file
    pub fn in_directory(
        directory: &Path,
        builds: &[Build],
        force: bool,
        check: impl Fn(&Path) -> Result<Header, OpenError>,
    ) -> Result<Missing, BuildError> {
        let mut missing = Missing::default();
        for build in builds {
            let file = |pattern: &Pattern, kind| directory.join(Header::file_name_of(pattern, kind));
            let image = |kind| build.pattern().images().find(|image| file(image, kind).exists());
            let damage = |kind| check(&file(&image(kind)?, kind)).err();
            let (found, wanted): (Vec<Kind>, Vec<Kind>) =
                build.kinds().iter().partition(|&&kind| image(kind).is_some());
            let damaged = if force { None } else { found.iter().find_map(|&kind| damage(kind)) };
            if matches!(damaged, Some(OpenError::NotWhole(_, VerifyError::Stopped))) {
                return Err(BuildError::Stopped);
            }
            if force || damaged.is_some() {
                missing.damaged.extend(damaged);
                // What is replaced is the file that is there.
                let pattern = found.first().and_then(|&kind| image(kind)).unwrap_or(*build.pattern());
                missing.builds.push(Build::new(&pattern, build.kinds())?);
                continue;
            }
            missing.there.extend(found.iter().filter_map(|&kind| Some(file(&image(kind)?, kind))));
            match wanted[..] {
                [] => {}
                [kind] => missing.builds.push(Build::new(build.pattern(), &[kind])?),
                _ => missing.builds.push(*build),
            }
        }
        Ok(missing)
    }
}
