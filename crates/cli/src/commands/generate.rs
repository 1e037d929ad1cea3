//! `tilebase generate`

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;
use serde_json::json;
use tilebase::generate::{Build, Scratch};
use tilebase::{DirectoryError, prepare_directory};

use crate::builds::{self, ToBuild, tile_numbers};
use crate::session::{bytes, cores};
use crate::{Exit, Result, Session, interrupt, system};

/// Build tables
///
/// A catalogue divides the tiles of a puzzle into patterns; each pattern gets a table of how many moves of its tiles are
/// needed at least, for every way they can stand. Known catalogues are 5-5-5, 5-5-5b, 6-6-3, 6-6-3b and 7-8 for the 15-puzzle and 6-6-6-6,
/// small, 7-7-7-3, 8-8-7-1 and 8-8-8 for the 24-puzzle; small has seven partitions, of which the largest sum counts. Any other is
/// drawn: a letter for each square of the solved board, . for the blank. A pattern and its
/// mirror image share one table. Tables that are there already are not built again.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # two tables, about 200 MB
  tilebase generate 7-8
  # the memory, disk space and time that it would take
  tilebase generate 7-8 --dry-run
  # resume after an interruption
  tilebase generate 8-8-7-1 --scratch /var/tmp
  # 22 GB for the 24-puzzle, every entry proved, with 22.1 GB of memory
  tilebase generate 8-8-7-1 --audit
  # a partition of your own
  tilebase generate \".AAB/AABB/CCBB/CCCC\"
  # a single pattern
  tilebase generate --tiles 1,4,5 --size 4x4
  tilebase generate 5-5-5 --encoding nibble --out .
  # the fringe pattern
  tilebase generate --tiles 3,7,11,12,13,14,15 --size 4x4 --count all
  # for solve --metric mtm
  tilebase generate --tiles 1,2,3,4,5,6,7 --size 4x4 --metric mtm

Tiles are named by the squares they belong on, counted row by row from 0, the blank's corner.")]
pub(crate) struct Generate {
    #[command(flatten)]
    what: ToBuild,
    /// Directory for the tables [default: the table directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep what is done of a build in this directory, and go on from there when the same command is run again: after any end, with any
    /// number of threads. It needs room for two files as large as the build's memory
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// With --scratch: keep it after the first level that ends so long after the last time, such as 30s, 10m or 1h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = crate::limits::time, requires = "scratch")]
    keep_every: Duration,
    /// Refuse builds that need more memory, such as 600MB or 2GiB [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::memory)]
    max_memory: Option<ByteSize>,
    /// Prove every entry before a table gets its name; takes no more memory than a bit table's build, and about as long again
    #[arg(long)]
    audit: bool,
    /// Replace tables that are there
    #[arg(long)]
    force: bool,
    /// Only say what it would take: entries (the costs that are stored), states (what the search tells apart: the places of the pattern's
    /// tiles and the blank's region), memory, disk and time
    #[arg(long)]
    dry_run: bool,
}

impl Generate {
    pub(crate) fn run(&self, session: &Session) -> Result {
        let builds = self.what.builds()?;
        let threads = session.threads();
        if self.dry_run {
            return self.dry_run(&builds, session);
        }
        let directory = session.new_tables(self.out.as_deref())?;
        for build in &builds {
            builds::check_memory(build, self.max_memory, |build| self.memory(build, threads))?;
        }
        let scratch = self.scratch.as_ref().map(|directory| Scratch::new(directory.clone(), self.keep_every));
        let scratch = scratch.transpose()?;
        let wanted = builds;
        let builds = builds::not_there_yet(&wanted, &directory, self.force, session)?;
        scratch.iter().for_each(|scratch| scratch.forget_all_but(&builds, &wanted));
        let is_new = !directory.exists();
        prepare_directory(&directory)?;
        interrupt::stop_when_asked();
        let mut reported = Ok(());
        let outcome = builds::groups(&builds, threads, self.max_memory)
            .into_iter()
            .try_for_each(|builds| self.build(builds, (&directory, scratch.as_ref()), session, &mut reported));
        if is_new && outcome.is_err() {
            // Only if it is empty, and only because nobody had made it before.
            let _ = std::fs::remove_dir(&directory);
        }
        outcome?;
        // Somebody who stops listening still gets all tables.
        reported?;
        Ok(Exit::Done)
    }

    fn dry_run(&self, builds: &[Build], session: &Session) -> Result {
        for build in builds {
            let (pattern, entries, states) = (build.pattern(), build.entries(), build.states());
            let (memory, disk) = (self.memory(build, session.threads()), build.disk());
            let threads = session.threads().min(cores());
            let auditing = if self.audit { build.seconds_of_audit(threads) } else { 0.0 };
            let seconds = build.seconds(threads) + auditing;
            let json = json!({
                "tiles": tile_numbers(pattern), "entries": entries, "states": states,
                "memory": memory, "disk": disk, "seconds": seconds,
            });
            let (memory, disk) = (bytes(memory), bytes(disk));
            let needs = format!("memory {memory}, disk {disk}, roughly {seconds:.1} s");
            session.tell(json, format!("{pattern}: {entries} entries, {states} states, {needs}"))?;
        }
        Ok(Exit::Done)
    }

    /// The most memory in use at once: for the build or, when that is more, for the audit behind it.
    fn memory(&self, build: &Build, threads: usize) -> u64 {
        let building = build.memory(threads);
        if self.audit { building.max(build.memory_of_audit(threads)) } else { building }
    }

    /// Builds patterns side by side, proves their tables, gives them their names, and reports each. Errors of the report are kept for
    /// later.
    fn build(
        &self,
        builds: &[Build],
        (directory, scratch): (&Path, Option<&Scratch>),
        session: &Session,
        reported: &mut io::Result<()>,
    ) -> Result<()> {
        system::forget_peak_memory();
        let started = Instant::now();
        let tables = builds::run(builds, directory, scratch, session)?;
        let cannot_write = |error: io::Error| DirectoryError { directory: directory.to_owned(), error };
        let tables = tables.into_iter().zip(builds);
        for (build, mut table) in tables.flat_map(|(tables, build)| tables.into_iter().map(move |table| (build, table)))
        {
            if self.audit {
                let payload = builds::read_back(&mut table, directory, session)?;
                builds::prove(&table.header, &payload, session)?;
            }
            if interrupt::asked_to_stop() {
                return Err(builds::interrupted(build.pattern()));
            }
            let header = table.header.clone();
            let file = interrupt::writing(|| table.seal()).map_err(cannot_write)?.display().to_string();
            let seconds = started.elapsed().as_secs_f64();
            let peak_memory = system::peak_memory().unwrap_or_else(|| self.memory(build, session.threads()));
            let (kind, entries, len) = (header.kind(), header.entries(), header.file_len());
            let json = json!({
                "file": file, "tiles": tile_numbers(header.pattern()), "encoding": kind.encoding(),
                "count": kind.count(), "metric": kind.metric().to_string(), "entries": entries, "states": build.states(), "bytes": len,
                "seconds": seconds, "peak_memory": peak_memory, "levels": header.histogram().len(),
                "hash": header.hash_text(),
            });
            let (max, len) = (header.max(), bytes(len));
            if reported.is_ok() {
                let text = format!("{file}: {entries} entries, costs 0 to {max}, {len} in {seconds:.2} s");
                *reported = session.tell(json, text);
            }
        }
        if interrupt::asked_to_stop() {
            return Err(builds::interrupted(builds[0].pattern()));
        }
        if let Some(scratch) = scratch {
            builds.iter().for_each(|build| scratch.forget(build));
        }
        Ok(())
    }
}
