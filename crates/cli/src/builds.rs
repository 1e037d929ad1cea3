//! Builds as they are asked for on the command line, watched while they run.

use std::ops::Deref;
use std::path::Path;

use bytesize::ByteSize;
use clap::Args;
use tilebase::format::{Draft, Header, WriteError};
use tilebase::generate::{AuditError, Build, BuildError, Built, Directory, Scratch, audit, excess as excess_of};
use tilebase::index::Kind;
use tilebase::progress::{Event, Watch};
use tilebase::puzzle::{Metric, Pattern, Size, Square};
use tilebase::{DirectoryError, Missing, find_catalogue, plan_builds};

use crate::options::one_of;
use crate::{Exit, Failure, Result, Session, bars, system};

/// Options that say what to build.
#[derive(Args, Debug)]
pub struct ToBuild {
    /// Catalogues: names, files with drawings (an empty line between them), or drawings
    #[arg(value_name = "CATALOGUE", required_unless_present = "tiles")]
    catalogues: Vec<String>,
    /// Build a single pattern: goal squares of its tiles, the blank's being 0
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "size", conflicts_with = "catalogues")]
    tiles: Vec<u64>,
    /// Board size for --tiles, width x height
    #[arg(long, value_name = "WxH", requires = "tiles")]
    size: Option<Size>,
    #[command(flatten)]
    kinds: KindOptions,
}

impl ToBuild {
    /// The builds that were asked for.
    pub fn builds(&self) -> Result<Vec<Build>> {
        let mut patterns: Vec<Pattern> = Vec::new();
        if let Some(size) = self.size {
            patterns.push(Pattern::new(size, Square(0), &self.tiles)?);
        }
        for text in &self.catalogues {
            patterns.extend(find_catalogue(text)?.patterns());
        }
        Ok(plan_builds(&patterns, self.kinds.kinds()?)?)
    }
}

/// What of some builds is not in a directory, or all with `force`. What is there, and what is there and damaged, is said.
pub fn not_there_yet(wanted: &[Build], directory: &Path, force: bool, session: &Session) -> Result<Vec<Build>> {
    let store = session.store_with(directory);
    let check = |file: &Path| bars::watched_on_threads(session, |watch| store.check_file(file, watch));
    let missing = Missing::in_directory(directory, wanted, force, check);
    let missing = missing.map_err(|error| not_built(error, wanted[0].pattern(), directory))?;
    for error in &missing.damaged {
        session.warning(format!("{error}; it is built again"));
    }
    if !missing.there.is_empty() {
        let there: Vec<String> = missing.there.iter().map(|file| file.display().to_string()).collect();
        session.note(format!("already there: {} (use --force to replace)", there.join(", ")));
    }
    Ok(missing.builds)
}

/// The tiles of a pattern, for JSON.
pub fn tile_numbers(pattern: &Pattern) -> Vec<u8> {
    pattern.tiles().map(|tile| tile.0).collect()
}

/// Options that say which tables of a pattern to build.
#[derive(Args, Debug)]
pub(crate) struct KindOptions {
    /// What to build: bit (blank-aware, stronger and smaller), nibble (one access gives the cost), or both [default: bit]
    #[arg(long, value_parser = one_of(encodings()))]
    encoding: Option<&'static [Kind]>,
    /// Which moves to count: those of the pattern's tiles (tables can be added), or all (only compared) [default: pattern]
    #[arg(long, value_name = "MOVES", value_parser = one_of([
        (Kind::Bit.count(), "Moves of the pattern's tiles", Kind::Bit),
        (Kind::AllMoves.count(), "All moves; one bit an entry, the blank's square told apart", Kind::AllMoves),
    ]))]
    count: Option<Kind>,
    /// What counts as one move: stm (a single tile) or mtm (one or several tiles in a line; all moves count, tables are compared, and an
    /// entry has two bits)
    #[arg(long, value_name = "METRIC", default_value_t = Metric::Stm)]
    metric: Metric,
}

impl KindOptions {
    /// The kinds of tables asked for.
    pub(crate) fn kinds(&self) -> Result<&'static [Kind]> {
        if self.metric == Metric::Mtm {
            if self.encoding.is_some() || self.count == Some(Kind::Bit) {
                return Err(Failure::new(
                    "tables for mtm count all moves and have two bits an entry: leave --encoding and --count out",
                ));
            }
            return Ok(&[Kind::Lines]);
        }
        match (self.count.unwrap_or(Kind::Bit), self.encoding.unwrap_or(&[Kind::Bit])) {
            (Kind::AllMoves, [Kind::Bit]) => Ok(&[Kind::AllMoves]),
            (Kind::AllMoves, _) => Err(Failure::new(
                "tables that count all moves have one bit an entry: use --encoding bit, or --count pattern",
            )),
            (_, kinds) => Ok(kinds),
        }
    }
}

/// How entries can be coded, and last both ways.
pub(crate) fn encodings() -> [(&'static str, &'static str, &'static [Kind]); 3] {
    [
        (Kind::Bit.encoding(), "One bit an entry, the blank's region told apart", &[Kind::Bit]),
        (Kind::Nibble.encoding(), "Four bits an entry, the smallest over the blank's regions", &[Kind::Nibble]),
        ("both", "Both, from one search", &[Kind::Bit, Kind::Nibble]),
    ]
}

/// How much memory may be used: as much as was said or, when nothing was, as the machine has free.
fn memory_limit(said: Option<ByteSize>) -> Option<u64> {
    said.map(|size| size.as_u64()).or_else(system::available_memory)
}

/// Refuses a build that needs more memory than is allowed or, without a limit, than there is; says what would fit.
pub(crate) fn check_memory(build: &Build, limit: Option<ByteSize>, needs: impl Fn(&Build) -> u64) -> Result<()> {
    Ok(tilebase::check_memory(build, memory_limit(limit).unwrap_or(u64::MAX), needs)?)
}

/// Refuses to look at every entry of a table when that needs more memory than there is.
pub(crate) fn check_memory_of_audit(header: &Header, session: &Session) -> Result<()> {
    let build = Build::new(header.pattern(), &[header.kind()])?;
    check_memory(&build, None, |build| build.memory_of_audit(session.threads()))
}

/// Cuts builds into groups that run side by side, within a limit of memory or, without one, what the machine has.
pub(crate) fn groups(builds: &[Build], threads: usize, limit: Option<ByteSize>) -> Vec<&[Build]> {
    Build::groups(builds, threads, memory_limit(limit).unwrap_or(0))
}

/// Builds the tables of patterns side by side, with a bar and Ctrl-C. They are drafts in a directory. What is done is kept in a scratch
/// directory, if there is one.
pub(crate) fn run(
    builds: &[Build],
    directory: &Path,
    scratch: Option<&Scratch>,
    session: &Session,
) -> Result<Vec<Vec<Built<Draft>>>> {
    for build in builds.iter().filter(|build| scratch.is_some_and(|scratch| scratch.file(build).exists())) {
        session.note(format!("going on with pattern {} from what is kept of it", build.pattern()));
    }
    let total = builds.iter().map(Build::reachable).sum();
    let patterns: Vec<String> = builds.iter().map(|build| build.pattern().to_string()).collect();
    let tables = bars::watched(session, |watch| {
        let _ = watch(&Event::Begin { what: &patterns.join(" "), total });
        Build::run_kept(builds, session.threads(), &Directory(directory), scratch, watch)
    });
    if let Some(error) = scratch.and_then(Scratch::take_error) {
        session.warning(error);
    }
    tables.map_err(|error| not_built(error, builds[0].pattern(), directory))
}

/// Reads the entries of a table back that was built, with a bar and Ctrl-C.
pub fn read_back(
    table: &mut Built<Draft>,
    directory: &Path,
    session: &Session,
) -> Result<impl Deref<Target = [u8]> + use<>> {
    let pattern = *table.header.pattern();
    let payload = bars::watched(session, |watch| {
        let what = format!("reading {pattern} back");
        let _ = watch(&Event::Begin { what: &what, total: table.header.payload_len() });
        table.read_payload(watch)
    });
    payload.map_err(|error| not_built(error, &pattern, directory))
}

/// Why there is no table of a pattern in a directory.
pub fn not_built(error: BuildError, pattern: &Pattern, directory: &Path) -> Failure {
    match error {
        BuildError::Stopped => interrupted(pattern),
        BuildError::Write(WriteError::Io(error)) => DirectoryError { directory: directory.to_owned(), error }.into(),
        other => other.into(),
    }
}

/// Proves a table right, with a bar and Ctrl-C.
pub fn prove(header: &Header, payload: &[u8], session: &Session) -> Result<()> {
    watched(header, session, |watch| audit(header, payload, session.threads(), watch))
}

/// Counts what the entries of a table exceed the Manhattan distance by, with a bar and Ctrl-C.
pub(crate) fn excess(header: &Header, payload: &[u8], session: &Session) -> Result<Vec<u64>> {
    watched(header, session, |watch| excess_of(header, payload, session.threads(), watch))
}

/// Looks at every entry of a table, with a bar and Ctrl-C.
fn watched<T>(header: &Header, session: &Session, work: impl FnOnce(Watch<'_>) -> Result<T, AuditError>) -> Result<T> {
    let done = bars::watched(session, work);
    done.map_err(|error| match error {
        AuditError::Stopped => interrupted(header.pattern()),
        AuditError::Build(_) | AuditError::Memory(_) => error.into(),
        wrong => Failure::new(wrong).with_exit(Exit::Negative),
    })
}

/// Why there is no table of a pattern when somebody pressed Ctrl-C.
pub fn interrupted(pattern: &Pattern) -> Failure {
    let left = "what was written before is whole, and nothing else is left";
    Failure::new(format!("interrupted at pattern {pattern}: {left}")).with_exit(Exit::Interrupted)
}
