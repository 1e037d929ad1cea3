//! Builds as they are asked for on the command line, watched while they run.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use indicatif::{HumanCount, ProgressBar};
use tilebase::DirectoryError;
use tilebase::format::{Draft, Header, WriteError};
use tilebase::generate::{AuditError, Build, BuildError, Built, Directory, audit};
use tilebase::index::Kind;
use tilebase::progress::{Event, Level, Watch};
use tilebase::puzzle::Pattern;

use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::{bars, interrupt, system};

/// Options that say which tables of a pattern to build.
#[derive(Args, Debug)]
pub(crate) struct KindOptions {
    /// What to build: bit (blank-aware, stronger and smaller), nibble (one access gives the cost), or both [default: bit]
    #[arg(long, value_parser = PossibleValuesParser::new(encodings()))]
    encoding: Option<String>,
    /// Which moves to count: those of the pattern's tiles (tables can be added), or all (only compared)
    #[arg(long, value_name = "MOVES", default_value = "pattern", value_parser = count_parser())]
    count: String,
}

impl KindOptions {
    /// The kinds of tables asked for.
    pub(crate) fn kinds(&self) -> Result<Vec<Kind>, Failure> {
        let encoding = self.encoding.as_deref().unwrap_or("bit");
        let fits = |kind: &Kind| kind.count() == self.count && (encoding == BOTH || kind.encoding() == encoding);
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(fits).collect();
        if kinds.is_empty() || (encoding == BOTH && kinds.len() == 1) {
            return Err(Failure::new(
                "tables that count all moves have one bit an entry: use --encoding bit, or --count pattern",
            ));
        }
        Ok(kinds)
    }
}

const BOTH: &str = "both";

/// Reads how entries are coded.
pub(crate) fn encoding_parser() -> PossibleValuesParser {
    let [bit, nibble, _] = encodings();
    PossibleValuesParser::new([bit, nibble])
}

fn encodings() -> [PossibleValue; 3] {
    [
        PossibleValue::new(Kind::Bit.encoding()).help("One bit an entry, the blank's region told apart"),
        PossibleValue::new(Kind::Nibble.encoding()).help("Four bits an entry, the smallest over the blank's regions"),
        PossibleValue::new(BOTH).help("Both, from one search"),
    ]
}

fn count_parser() -> PossibleValuesParser {
    PossibleValuesParser::new([
        PossibleValue::new(Kind::Bit.count()).help("Moves of the pattern's tiles"),
        PossibleValue::new(Kind::AllMoves.count()).help("All moves; one bit an entry, the blank's square told apart"),
    ])
}

/// The builds of some patterns. Of equal patterns and of mirror images only the first is built: they share its table.
pub(crate) fn plan(patterns: &[Pattern], kinds: &[Kind]) -> Result<Vec<Build>, Failure> {
    let mut builds: Vec<Build> = Vec::new();
    for pattern in patterns {
        if !builds.iter().any(|build| pattern.images().any(|image| image == *build.pattern())) {
            builds.push(Build::new(pattern, kinds).map_err(Failure::new)?);
        }
    }
    Ok(builds)
}

/// How much memory may be used: as much as was said or, when nothing was, as the machine has free.
fn memory_limit(said: Option<ByteSize>) -> Option<u64> {
    said.map(|size| size.as_u64()).or_else(system::available_memory)
}

/// Refuses a build that needs more memory than is allowed or, without a limit, than there is; says what would fit.
pub(crate) fn check_memory(
    build: &Build,
    limit: Option<ByteSize>,
    needs: impl Fn(&Build) -> u64,
) -> Result<(), Failure> {
    let needed = needs(build);
    let Some(limit) = memory_limit(limit).filter(|&limit| needed > limit) else { return Ok(()) };
    let fits = match build.largest_within(limit, needs) {
        Some((tiles, memory)) => format!("a pattern of {tiles} tiles would fit ({})", ByteSize(memory).display().si()),
        None => "no pattern of this board would fit".to_owned(),
    };
    Err(Failure::new(format!(
        "pattern {} has {} entries and {} states and needs {} of memory, but only {} may be used: {fits}",
        build.pattern(),
        build.entries(),
        build.states(),
        ByteSize(needed).display().si(),
        ByteSize(limit).display().si()
    )))
}

/// Cuts builds into groups that run side by side, within a limit of memory or, without one, what the machine has.
pub(crate) fn groups(builds: &[Build], threads: usize, limit: Option<ByteSize>) -> Vec<&[Build]> {
    Build::groups(builds, threads, memory_limit(limit).unwrap_or(0))
}

/// Builds the tables of patterns side by side, with a bar and Ctrl-C. They are drafts in a directory.
pub(crate) fn run(
    builds: &[Build],
    directory: &Path,
    threads: usize,
    output: &Output,
) -> Result<Vec<Vec<Built<Draft>>>, Failure> {
    let reachable = builds.iter().map(Build::reachable).sum();
    let bar = output.progress_bar(reachable, "{msg} {wide_bar} {percent}%  {prefix}");
    let patterns: Vec<String> = builds.iter().map(|build| build.pattern().to_string()).collect();
    bar.set_message(patterns.join(" "));
    let started = Instant::now();
    let watch = |event: &Event<'_>| {
        if let Event::Level(level) = event {
            show(level, started, &bar);
        }
        if interrupt::asked_to_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let tables = Build::run_side_by_side(builds, threads, &Directory(directory), &watch);
    bar.finish_and_clear();
    tables.map_err(|error| match error {
        BuildError::Stopped => interrupted(builds[0].pattern()),
        BuildError::Write(WriteError::Io(error)) => DirectoryError { directory: directory.to_owned(), error }.into(),
        other => Failure::new(other),
    })
}

/// Proves a table right, with a sign of life and Ctrl-C.
pub(crate) fn prove(header: &Header, payload: &[u8], threads: usize, output: &Output) -> Result<(), Failure> {
    watched("proving", header, output, |watch| audit(header, payload, threads, watch))
}

/// Counts what the entries of a table exceed the Manhattan distance by, with a sign of life and Ctrl-C.
pub(crate) fn excess(header: &Header, payload: &[u8], threads: usize, output: &Output) -> Result<Vec<u64>, Failure> {
    watched("counting", header, output, |watch| tilebase::generate::excess(header, payload, threads, watch))
}

/// Looks at every entry of a table, with a sign of life and Ctrl-C.
fn watched<T>(
    doing: &str,
    header: &Header,
    output: &Output,
    work: impl FnOnce(Watch<'_>) -> Result<T, AuditError>,
) -> Result<T, Failure> {
    let done = bars::watched(output, |watch| {
        let what = format!("{doing} every entry of {}", header.pattern());
        let _ = watch(&Event::Begin { what: &what, total: 0 });
        work(watch)
    });
    done.map_err(|error| match error {
        AuditError::Stopped => interrupted(header.pattern()),
        AuditError::Build(_) | AuditError::Memory(_) => Failure::new(error),
        wrong => Failure::new(wrong).with_exit(Exit::Negative),
    })
}

/// Why there is no table of a pattern when somebody pressed Ctrl-C.
pub(crate) fn interrupted(pattern: &Pattern) -> Failure {
    Failure::new(format!(
        "interrupted at pattern {pattern}: what was written before is whole, and nothing else is left"
    ))
    .with_exit(Exit::Interrupted)
}

/// Shows how far a build is.
fn show(level: &Level, started: Instant, bar: &ProgressBar) {
    let seconds = started.elapsed().as_secs_f64();
    let rate = HumanCount((level.found as f64 / seconds) as u64);
    let mut text = format!("level {}  {rate} states/s", level.number);
    // The first levels are over too soon to tell anything.
    let done = level.work_done();
    if done > 0.02 {
        let left = Duration::from_secs_f64(seconds * (1.0 - done) / done);
        let _ = write!(text, "  {:.0?} left", Duration::from_secs(left.as_secs() + 1));
    }
    bar.set_prefix(text);
    bar.set_position(level.found);
}
