//! `tilebase generate`

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde_json::json;
use tilebase_format::Header;
use tilebase_generate::{Build, BuildError, Encodings, Progress, Table, audit};
use tilebase_puzzle::{Pattern, Size, Square};

use crate::catalogues;
use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;
use crate::{interrupt, memory};

/// Build tables
///
/// A catalogue divides the tiles of a puzzle into patterns; each pattern gets a table of how many moves of its tiles are
/// needed at least, for every way they can stand. Known catalogues are 5-5-5, 6-6-3 and 7-8 for the 15-puzzle and 6-6-6-6
/// for the 24-puzzle. Any other is drawn: a letter for each square of the solved board, . for the blank.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tilebase generate 7-8                            two tables, about 200 MB
  tilebase generate 7-8 --dry-run                  what it would take
  tilebase generate \".AAB/AABB/CCBB/CCCC\"          a partition of your own
  tilebase generate --tiles 1,4,5 --size 4x4       a single pattern
  tilebase generate 5-5-5 --encoding nibble --out .

Tiles are named by the squares they belong on, counted row by row from 0, the blank's corner.")]
pub(crate) struct Generate {
    /// Catalogues: names, files with a drawing, or drawings
    #[arg(value_name = "CATALOGUE", required_unless_present = "tiles")]
    catalogues: Vec<String>,
    /// Build a single pattern: goal squares of its tiles, the blank's being 0
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "size", conflicts_with = "catalogues")]
    tiles: Vec<u64>,
    /// Board size for --tiles, width x height
    #[arg(long, value_name = "WxH", requires = "tiles")]
    size: Option<Size>,
    /// What to build: bit (blank-aware, stronger and smaller), nibble (one access gives the cost), or both
    #[arg(long, default_value = "bit")]
    encoding: EncodingOption,
    /// Directory for the tables [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Refuse builds that need more memory, such as 600MB or 2GiB [default: what the machine has free]
    #[arg(long, value_name = "SIZE")]
    max_memory: Option<ByteSize>,
    /// Prove every entry before a table is written; needs a byte of memory for each state
    #[arg(long)]
    audit: bool,
    /// Replace tables that are there
    #[arg(long)]
    force: bool,
    /// Only say what it would take
    #[arg(long)]
    dry_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EncodingOption {
    /// One bit an entry, the blank's region told apart
    Bit,
    /// Four bits an entry, the smallest over the blank's regions
    Nibble,
    /// Both, from one search
    Both,
}

impl Generate {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        let builds = self.builds()?;
        if self.dry_run {
            return self.dry_run(&builds, output);
        }
        let directory = match &self.out {
            Some(directory) => directory.clone(),
            None => common.new_tables()?,
        };
        for build in &builds {
            self.check_memory(build)?;
            self.check_target(build, &directory)?;
        }
        check_writable(&directory)?;
        interrupt::ask_to_stop();
        for build in &builds {
            self.build(build, &directory, common.threads(), output)?;
        }
        Ok(Exit::Done)
    }

    /// What to build, every pattern once.
    fn builds(&self) -> Result<Vec<Build>, Failure> {
        let mut patterns: Vec<Pattern> = Vec::new();
        if let Some(size) = self.size {
            patterns.push(Pattern::new(size, Square(0), &self.tiles).map_err(Failure::new)?);
        }
        for text in &self.catalogues {
            for pattern in catalogues::find(text)?.partition.patterns() {
                if !patterns.contains(pattern) {
                    patterns.push(*pattern);
                }
            }
        }
        let encodings = match self.encoding {
            EncodingOption::Bit => Encodings::BIT,
            EncodingOption::Nibble => Encodings::NIBBLE,
            EncodingOption::Both => Encodings::BOTH,
        };
        patterns.iter().map(|pattern| Build::new(pattern, encodings).map_err(Failure::new)).collect()
    }

    fn dry_run(&self, builds: &[Build], output: &Output) -> Result<Exit, Failure> {
        for build in builds {
            let (tiles, encoding) = (build.pattern().to_string(), self.encoding_text());
            let (memory, disk) = (self.memory(build), build.disk());
            if output.json {
                output.json(&json!({
                    "tiles": tile_numbers(build.pattern()), "encoding": encoding, "entries": build.entries(),
                    "states": build.states(), "memory": memory, "disk": disk,
                }))?;
            } else {
                output.answer(format!(
                    "{tiles} ({encoding}): {} entries, {} states, memory {}, disk {}",
                    build.entries(),
                    build.states(),
                    ByteSize(memory).display().si(),
                    ByteSize(disk).display().si(),
                ))?;
            }
        }
        Ok(Exit::Done)
    }

    fn encoding_text(&self) -> String {
        let value = self.encoding.to_possible_value().expect("no kind is skipped");
        value.get_name().to_owned()
    }

    /// The most memory in use at once: for the build or, when that is more, for the audit behind it.
    fn memory(&self, build: &Build) -> u64 {
        if self.audit { build.memory().max(build.memory_of_audit()) } else { build.memory() }
    }

    fn check_memory(&self, build: &Build) -> Result<(), Failure> {
        let needed = self.memory(build);
        let limit = self.max_memory.map(|size| size.as_u64()).or_else(memory::available);
        match limit {
            Some(limit) if needed > limit => Err(Failure::new(format!(
                "pattern {} needs {} of memory, and there are {}: build smaller patterns, or allow more with --max-memory",
                build.pattern(),
                ByteSize(needed).display().si(),
                ByteSize(limit).display().si()
            ))),
            _ => Ok(()),
        }
    }

    fn check_target(&self, build: &Build, directory: &Path) -> Result<(), Failure> {
        let files =
            build.encodings().iter().map(|encoding| directory.join(Header::file_name_of(build.pattern(), encoding)));
        match files.into_iter().find(|file| file.exists()) {
            Some(file) if !self.force => {
                Err(Failure::new(format!("{} is there already: use --force to replace it", file.display())))
            }
            _ => Ok(()),
        }
    }

    fn build(&self, build: &Build, directory: &Path, threads: usize, output: &Output) -> Result<(), Failure> {
        memory::forget_peak();
        let started = Instant::now();
        let template = "{msg} {wide_bar} {percent}%  level {prefix}  {per_sec}  {eta} left";
        let bar = output.progress_bar(build.reachable(), template);
        bar.set_message(build.pattern().to_string());
        let tables = build.run(threads, &Bar(bar.clone()));
        bar.finish_and_clear();
        let interrupted = || {
            let message = format!("interrupted: no table of pattern {} was written", build.pattern());
            Failure::new(message).with_exit(Exit::Interrupted)
        };
        let tables = tables.map_err(|error| match error {
            BuildError::Cancelled => interrupted(),
            other => Failure::new(other),
        })?;
        for table in &tables {
            if self.audit {
                check(table, threads, output)?;
            }
            if interrupt::asked_to_stop() {
                return Err(interrupted());
            }
            let file = tilebase_format::write(directory, &table.header, &table.payload, self.force)
                .map_err(|error| cannot_write(directory, &error))?;
            let seconds = started.elapsed().as_secs_f64();
            let peak_memory = memory::peak().unwrap_or_else(|| self.memory(build));
            report(build, table, &file, seconds, peak_memory, output)?;
        }
        Ok(())
    }
}

fn report(
    build: &Build,
    table: &Table,
    file: &Path,
    seconds: f64,
    peak_memory: u64,
    output: &Output,
) -> io::Result<()> {
    let header = &table.header;
    if output.json {
        return output.json(&json!({
            "file": file.display().to_string(), "tiles": tile_numbers(header.pattern()),
            "encoding": header.encoding().to_string(), "entries": header.entries(), "states": build.states(),
            "bytes": header.file_len(), "seconds": seconds, "peak_memory": peak_memory,
            "levels": header.histogram().len(), "hash": header.hash_text(),
        }));
    }
    output.answer(format!(
        "{}: {} entries, costs 0 to {}, {} in {seconds:.2} s",
        file.display(),
        header.entries(),
        header.max(),
        ByteSize(header.file_len()).display().si(),
    ))
}

/// Proves a table right, with a sign of life.
fn check(table: &Table, threads: usize, output: &Output) -> Result<(), Failure> {
    let spinner = output.progress_bar(0, "{spinner} proving every entry, {elapsed}");
    spinner.enable_steady_tick(std::time::Duration::from_millis(200));
    let verdict = audit(&table.header, &table.payload, threads);
    spinner.finish_and_clear();
    verdict.map_err(|error| Failure::new(error).with_exit(Exit::Negative))
}

fn tile_numbers(pattern: &Pattern) -> Vec<u8> {
    pattern.tiles().map(|tile| tile.0).collect()
}

/// Makes sure, before anything is built, that files can be made in the directory.
fn check_writable(directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| cannot_write(directory, &error))?;
    tilebase_format::check_writable(directory).map_err(|error| cannot_write(directory, &error))
}

fn cannot_write(directory: &Path, error: &io::Error) -> Failure {
    Failure::new(format!(
        "cannot write tables into {}: {error}; choose another directory with --out",
        directory.display()
    ))
}

/// Shows a build's progress.
struct Bar(ProgressBar);

impl Progress for Bar {
    fn level(&self, level: u32, found: u64, _total: u64) {
        self.0.set_prefix(level.to_string());
        self.0.set_position(found);
    }

    fn is_cancelled(&self) -> bool {
        interrupt::asked_to_stop()
    }
}
