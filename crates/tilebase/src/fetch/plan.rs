//! What is to be fetched: which tables are wanted, which are there, and what the source has of the others.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use tilebase_format::{Header, PACKED};
use tilebase_generate::Build;
use tilebase_index::Kind;
use tilebase_lookup::{OpenError, VerifyError};
use tilebase_progress::Watch;
use tilebase_puzzle::{Pattern, Size, Square};

use super::listing::{Listing, MANIFEST};
use super::part::len_of_part;
use super::source::Answer;
use super::{Fetch, FetchError, SourceError, room};
use crate::catalogues::find_catalogue;
use crate::directory::watch_piece;
use crate::manifest::hash_in_manifest;

/// A file of a source that has a table which is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Offer {
    /// The name of the table's file.
    pub table: String,
    /// Bytes of the table.
    pub bytes: u64,
    /// The hash that it must have: the one in the program's manifest or, of tables that are not there, in the source's. `None` when
    /// neither lists it.
    pub hash: Option<String>,
    /// Where it comes from.
    pub source: String,
    /// Bytes of the file there, if the source tells.
    pub source_bytes: Option<u64>,
    /// Bytes of that file that have come already.
    pub kept: u64,
    pub(super) file: String,
    pub(super) is_packed: bool,
    /// Whether a table of that name is there and shall be replaced.
    pub(super) replaces: bool,
}

impl Offer {
    /// Bytes that are still to come, if the source tells.
    pub fn to_fetch(&self) -> Option<u64> {
        self.source_bytes.map(|bytes| bytes.saturating_sub(self.kept))
    }

    /// Bytes of disk that fetching takes: while it runs, beside the table, and when it is over.
    fn room(&self) -> (u64, u64) {
        if self.is_packed {
            (self.to_fetch().unwrap_or(self.bytes), self.bytes)
        } else {
            (0, self.bytes.saturating_sub(self.kept))
        }
    }
}

/// What is to be fetched.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files to fetch.
    pub offers: Vec<Offer>,
    /// The tables that are there, and whole.
    pub there: Vec<(PathBuf, Header)>,
    /// Why tables that are there have to be replaced.
    pub damaged: Vec<OpenError>,
}

impl Plan {
    /// Refuses what does not fit onto the disk, where the system tells how much that is.
    pub fn check_room(&self, directory: &Path) -> Result<(), FetchError> {
        let rooms = self.offers.iter().map(Offer::room);
        let (meanwhile, needed) = rooms
            .fold((0, 0), |(most, sum): (u64, u64), (packed, table)| (most.max(packed), sum.saturating_add(table)));
        let needed = needed.saturating_add(meanwhile);
        match room::free(directory) {
            Some(free) if free < needed => Err(FetchError::Room { directory: directory.to_owned(), needed, free }),
            _ => Ok(()),
        }
    }
}

/// A table that is wanted: of any of these patterns, which are mirror images of each other, and of the first of these kinds that there
/// is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wanted {
    images: Vec<Pattern>,
    kinds: Vec<Kind>,
}

impl Wanted {
    /// What people call it.
    fn name(&self) -> String {
        let name = |kind: &Kind| Header::file_name_of(&self.images[0], *kind);
        match &self.kinds[..] {
            [] => format!("a table of {}", self.images[0]),
            [kind] => name(kind),
            [kind, other, ..] => format!("{} (or .{other}.tbl)", name(kind)),
        }
    }

    /// Adds the tables that a name means to those that are wanted already.
    fn add(name: &str, kinds: &[Kind], all: &mut Vec<Wanted>) -> Result<(), FetchError> {
        let single = name.strip_suffix(&format!(".{PACKED}")).unwrap_or(name);
        let wanted = if Path::new(single).extension().is_some_and(|end| end == "tbl") {
            let (pattern, kind) = parse_name(single).ok_or_else(|| FetchError::Name(name.to_owned()))?;
            vec![Wanted { images: vec![pattern], kinds: vec![kind] }]
        } else {
            let of_pattern = |pattern: &Pattern| {
                let others = pattern.images().filter(|image| image != pattern);
                Wanted { images: std::iter::once(*pattern).chain(others).collect(), kinds: kinds.to_vec() }
            };
            find_catalogue(name)?.patterns().iter().map(of_pattern).collect()
        };
        for wanted in wanted {
            let is_same = |other: &Wanted| other.kinds == wanted.kinds && other.images.contains(&wanted.images[0]);
            if !all.iter().any(is_same) {
                all.push(wanted);
            }
        }
        Ok(())
    }
}

impl Fetch {
    /// Finds out what is to be fetched into a directory: the tables of catalogues, given by their names, files or drawings, and single
    /// tables, given by the names of their files. Tables that are there and whole are left alone, or replaced with `force`; `check` says
    /// whether a file is whole, as [`Store::check_file`] does. The source is asked only if something is not there.
    ///
    /// [`Store::check_file`]: tilebase_lookup::Store::check_file
    pub fn plan(
        &self,
        names: &[impl AsRef<str>],
        directory: &Path,
        force: bool,
        check: &dyn Fn(&Path) -> Result<Header, OpenError>,
        watch: Watch<'_>,
    ) -> Result<Plan, FetchError> {
        let mut wanted = Vec::new();
        for name in names {
            Wanted::add(name.as_ref(), &self.kinds, &mut wanted)?;
        }
        let planner = Planner { fetch: self, directory, force, check, listing: OnceCell::new(), watch };
        let mut plan = Plan::default();
        let (mut missing, mut unlisted) = (Vec::new(), Vec::new());
        for wanted in &wanted {
            match planner.find(wanted, &mut plan.damaged)? {
                Found::There(path, header) => plan.there.push((path, header)),
                Found::Offer(offer) => plan.offers.push(offer),
                Found::Unlisted => unlisted.push(wanted.name()),
                Found::Nothing => missing.push(wanted.name()),
            }
        }
        if !unlisted.is_empty() {
            return Err(FetchError::Unlisted(unlisted));
        }
        if !missing.is_empty() {
            let has = planner.listing()?.map(Listing::catalogues);
            return Err(FetchError::Missing { from: self.source.place(""), tables: missing, has });
        }
        Ok(plan)
    }

    /// What the source says of a file, if it is there.
    fn look_up(&self, file: &str, watch: Watch<'_>) -> Result<Option<Answer>, FetchError> {
        let ask = || self.source.look_up(file, self.patience.timeout)?.answer(watch);
        match self.patience.retry(watch, ask) {
            Ok(answer) => Ok(Some(answer)),
            Err(SourceError::Absent(_)) => Ok(None),
            Err(SourceError::Stopped) => Err(FetchError::Stopped(None)),
            Err(error) => Err(FetchError::Source(self.source.place(file), error)),
        }
    }
}

/// What was found of a table that is wanted.
enum Found {
    There(PathBuf, Header),
    Offer(Offer),
    /// The program does not know it.
    Unlisted,
    Nothing,
}

struct Planner<'a> {
    fetch: &'a Fetch,
    directory: &'a Path,
    force: bool,
    check: &'a dyn Fn(&Path) -> Result<Header, OpenError>,
    /// What the source says that it has, once it was asked.
    listing: OnceCell<Option<Listing>>,
    watch: Watch<'a>,
}

impl Planner<'_> {
    fn listing(&self) -> Result<Option<&Listing>, FetchError> {
        if self.listing.get().is_none() {
            let source = &self.fetch.source;
            let what = format!("asking {} what it has", source.place(""));
            let read = watch_piece(self.watch, &what, 0, |watch| Listing::read(source, self.fetch.patience, watch))?;
            let _ = self.listing.set(read);
        }
        Ok(self.listing.get().and_then(Option::as_ref))
    }

    /// What there is of a table that is wanted, and what is wrong with it where it is.
    fn find(&self, wanted: &Wanted, damaged: &mut Vec<OpenError>) -> Result<Found, FetchError> {
        let mut found = Found::Unlisted;
        for &kind in &wanted.kinds {
            let mut names: Vec<String> = wanted.images.iter().map(|image| Header::file_name_of(image, kind)).collect();
            // What is to be replaced is the file that is there.
            names.sort_by_key(|name| !self.directory.join(name).exists());
            let path = self.directory.join(&names[0]);
            if !self.force && path.exists() {
                match (self.check)(&path) {
                    Ok(header) => return Ok(Found::There(path, header)),
                    Err(OpenError::NotWhole(_, VerifyError::Stopped)) => return Err(FetchError::Stopped(None)),
                    Err(error) => damaged.push(error),
                }
            }
            for name in names {
                let known = hash_in_manifest(&name);
                if known.is_none() && !self.fetch.trusts_source {
                    continue;
                }
                found = Found::Nothing;
                let bytes = Build::new(&wanted.images[0], &[kind]).map_err(|_| FetchError::Name(name.clone()))?.disk();
                if let Some(offer) = self.ask(name, bytes, known)? {
                    return Ok(Found::Offer(offer));
                }
            }
        }
        Ok(found)
    }

    /// What the source has of a table of this name and length, which must have this hash if it is known.
    fn ask(&self, table: String, bytes: u64, known: Option<String>) -> Result<Option<Offer>, FetchError> {
        let source = &self.fetch.source;
        let said = self.listing()?.and_then(|listing| listing.hash(&table)).map(str::to_owned);
        if let (Some(expected), Some(found)) = (&known, &said)
            && expected != found
        {
            let (expected, found) = (expected.clone(), found.clone());
            return Err(FetchError::OtherVersion { manifest: source.place(MANIFEST), table, expected, found });
        }
        for (file, is_packed) in [(format!("{table}.{PACKED}"), true), (table.clone(), false)] {
            let Some(answer) = self.fetch.look_up(&file, self.watch)? else { continue };
            return Ok(Some(Offer {
                source: source.place(&file),
                source_bytes: answer.total,
                kept: len_of_part(&self.directory.join(&file)),
                replaces: self.directory.join(&table).exists(),
                hash: known.or(said),
                table,
                bytes,
                file,
                is_packed,
            }));
        }
        Ok(None)
    }
}

/// The pattern and the kind of a table, given the name of its file.
fn parse_name(name: &str) -> Option<(Pattern, Kind)> {
    let (rest, kind) = name.strip_suffix(".tbl")?.rsplit_once('.')?;
    let kind = Kind::ALL.into_iter().find(|known| known.to_string() == kind)?;
    let mut parts = rest.splitn(3, '-');
    let size: Size = parts.next()?.parse().ok()?;
    let home = Square(parts.next()?.parse().ok()?);
    let tiles: Option<Vec<u64>> = parts.next()?.split('.').map(|tile| tile.parse().ok()).collect();
    let pattern = Pattern::new(size, home, &tiles?).ok()?;
    // There is one way to write it.
    (Header::file_name_of(&pattern, kind) == name).then_some((pattern, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogues::known_catalogues;

    #[test]
    fn names_of_tables_are_read_as_they_are_written() {
        for pattern in known_catalogues().flat_map(|catalogue| catalogue.patterns()) {
            for kind in Kind::ALL {
                assert_eq!(parse_name(&Header::file_name_of(&pattern, kind)), Some((pattern, kind)));
            }
        }
        for wrong in [
            "",
            ".tbl",
            "4x4.tbl",
            "4x4-0-1.2.bit",
            "4x4-0-1.2.byte.tbl",
            "4x4-0-2.1.bit.tbl",
            "4x4-0-0.1.bit.tbl",
            "4x4-16-1.bit.tbl",
            "4x4-0-1.16.bit.tbl",
            "4x4-0-01.bit.tbl",
            "4X4-0-1.bit.tbl",
            "../4x4-0-1.bit.tbl",
            "4x4-0-1.1.bit.tbl",
            "99x99-0-1.bit.tbl",
            "4x4-0-.bit.tbl",
        ] {
            assert_eq!(parse_name(wrong), None, "{wrong}");
        }
    }
}
